"""The credibility benchmark runs on data of somebody's own and its rows have the agreed shape."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks import credibility, credibility_table
from benchmarks.credibility import made_rows, run


@pytest.mark.lab
def test_rows_have_a_figure_a_unit_and_a_bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credibility, "RUNS", 1)
    data = tmp_path / "retractions.csv"
    data.write_bytes(made_rows(200))
    rows = run(SimpleNamespace(data=str(data)))
    assert rows[0] == {"what": "retractions loaded", "value": 200, "unit": "rows", "bar": None, "ok": None}
    assert all(set(row) == {"what", "value", "unit", "bar", "ok"} for row in rows)
    assert sum(row["bar"] is not None for row in rows) == 5


def test_reference_values_and_tiers_hold_exactly_and_facets_tell_sources_apart() -> None:
    rows = [*credibility_table.exact(), *credibility_table.separations()]
    assert [row["what"] for row in rows if row["ok"] is not True] == []


def test_ratings_of_somebody_else_are_compared_by_rank(tmp_path: Path) -> None:
    data = tmp_path / "ratings.csv"
    data.write_text("domain,rating\nnature.com,95\nreddit.com,20\nbbc.com,80\n,3\nx.org,not a number\n", "utf-8")
    rows = run(SimpleNamespace(data=str(data)))
    assert [row["value"] for row in rows] == [3, 0, 1.0]
    data.write_text("domain,rating\nnature.com,1\nreddit.com,9\n", "utf-8")
    assert run(SimpleNamespace(data=str(data)))[-1]["value"] == 0.0
    data.write_text("domain,rating\n", "utf-8")
    assert run(SimpleNamespace(data=str(data)))[-1]["value"] == 0.0
