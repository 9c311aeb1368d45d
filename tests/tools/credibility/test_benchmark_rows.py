"""The credibility benchmark runs on data of somebody's own and its rows have the agreed shape."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks import credibility, credibility_table
from benchmarks.credibility import made_rows, run


@pytest.mark.lab
def test_rows_have_a_figure_a_unit_and_a_bar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(credibility, "RUNS", 1)
    data = tmp_path / "retractions.csv"
    data.write_bytes(made_rows(200))
    rows = run(SimpleNamespace(data=str(data)))
    assert rows[0] == {
        "what": "retractions loaded",
        "value": 200,
        "unit": "rows",
        "bar": None,
        "ok": None,
    }
    assert all(set(row) == {"what", "value", "unit", "bar", "ok"} for row in rows)
    assert sum(row["bar"] is not None for row in rows) == 5


def test_reference_values_and_tiers_hold_exactly_and_facets_tell_sources_apart() -> None:
    rows = [*credibility_table.exact(), *credibility_table.separations()]
    assert [row["what"] for row in rows if row["ok"] is not True] == []


def test_ratings_of_somebody_else_are_compared_by_rank_in_two_halves(tmp_path: Path) -> None:
    data = tmp_path / "ratings.csv"
    data.write_text(
        "domain,rating\nnature.com,95\nbbc.com,80\npinterest.com,1\n"
        "science.org,90\nquora.com,20\nwsj.com,85\nnobody-lists-this.com,50\n,3\nx.org,not a "
        "number\n",
        "utf-8",
    )
    rows = {row["what"]: row["value"] for row in run(SimpleNamespace(data=str(data)))}
    assert rows == {
        "domains rated": 7,
        "chosen by half: share not rated by the table": 0.0,
        "chosen by half: Spearman, not rated counting as 0.5": 1.0,
        "chosen by half: Spearman where rated": 1.0,
        "chosen by half: pairs of different scores in the same order": 1.0,
        "other half: share not rated by the table": 0.25,
        "other half: Spearman, not rated counting as 0.5": 1.0,
        "other half: Spearman where rated": 1.0,
        "other half: pairs of different scores in the same order": 1.0,
    }
    data.write_text("domain,rating\n", "utf-8")
    assert run(SimpleNamespace(data=str(data)))[-1]["value"] == 0.0


def test_ranks_of_equal_values_are_shared() -> None:
    assert credibility_table.spearman([(1, 0.2), (2, 0.5), (3, 0.5), (4, 0.8)]) == 0.949
    assert credibility_table.spearman([(1, 0.8), (2, 0.2)]) == -1.0
    assert credibility_table.spearman([(1, 0.5), (2, 0.5)]) == 0.0
    assert credibility_table.concordance([(1, 0.5), (2, 0.5), (3, 0.6)]) == 1.0
