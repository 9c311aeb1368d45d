"""The credibility benchmark runs on data of somebody's own and its rows have the agreed shape."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks import credibility
from benchmarks.credibility import made_rows, run


def test_rows_have_a_figure_a_unit_and_a_bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credibility, "RUNS", 1)
    data = tmp_path / "retractions.csv"
    data.write_bytes(made_rows(200))
    rows = run(SimpleNamespace(data=str(data)))
    assert rows[0] == {"what": "retractions loaded", "value": 200, "unit": "rows", "bar": None, "ok": None}
    assert all(set(row) == {"what", "value", "unit", "bar", "ok"} for row in rows)
    assert sum(row["bar"] is not None for row in rows) == 5
