"""A cited page read again: what of its passages is still there?"""

import pytest

from engine.runs.revisions import CHANGED, GONE, UNCHANGED, _compared
from tools.documents.model import Snapshot
from tools.sources.source import FetchedPage, make_source
from workflows.research.model import Evidence


class Pages:
    """A fetcher over texts by address; what is not there cannot be read."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    def fetch(self, source: object) -> FetchedPage:
        url = getattr(source, "url", "")
        if url not in self.texts:
            return FetchedPage("s", url, problem="The page is gone (404).", reason="error")
        snapshot = Snapshot(url, "s", url, "text/plain", "2026-01-01T00:00:00Z", "t/1", "full", 1)
        return FetchedPage("s", url, snapshot, "")

    def text(self, snapshot_id: str) -> str:
        return self.texts[snapshot_id]


@pytest.mark.parametrize(
    ("now", "outcome"),
    [
        ("Before. Trees cool  the\nair of Halden by 2 degrees. After.", UNCHANGED),
        ("Trees cool the air of Halden by 3 degrees.", CHANGED),
        (None, GONE),
    ],
)
def test_a_cited_page_is_compared_with_what_it_says_now(now: str | None, outcome: str) -> None:
    quote = "Trees cool the air of Halden by 2 degrees."
    source = make_source("https://example.org/trees", "Trees")
    evidence = Evidence("E1", source.source_id, "x", 0, len(quote), quote, "Q1", 1.0)
    pages = Pages({source.url: now} if now else {})
    comparison = _compared(source, [evidence], pages)  # type: ignore[arg-type]
    assert comparison.outcome == outcome
    assert bool(comparison.problem) == (outcome == GONE)
