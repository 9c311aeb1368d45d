"""The dates of the user's own documents keep a search within the dates of a run."""

from pathlib import Path

import pytest

from engine.answers import RunOptions
from engine.research_engine import ResearchEngine
from workflows.research.model import Filters

WORDS = (
    "The river bridge of Aville was closed for repairs, and the traffic went through the old "
    "town instead."
)


@pytest.mark.lab
@pytest.mark.parametrize(
    ("filters", "names"),
    [
        (Filters(), {"2019-05-06.txt", "2023-05-06.txt", "undated.txt"}),
        (Filters(since="2021-01-01"), {"2023-05-06.txt", "undated.txt"}),
        (Filters(until="2021-01-01"), {"2019-05-06.txt", "undated.txt"}),
    ],
)
def test_documents_outside_the_dates_of_a_run_are_left_out(
    home: Path, tmp_path: Path, filters: Filters, names: set[str]
) -> None:
    for name in ("2019-05-06.txt", "2023-05-06.txt", "undated.txt"):
        (tmp_path / name).write_text(f"{WORDS} Report {name[:4]}.")
    engine = ResearchEngine(home=home, environ={})
    try:
        options = RunOptions(sources=("local",), depth=1, docs=(str(tmp_path),), filters=filters)
        state = engine.run("Why was the river bridge of Aville closed?", options)
    finally:
        engine.close()
    assert {source.url.rsplit("/", 1)[-1] for source in state.sources} == names
