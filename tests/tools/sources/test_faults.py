"""Every source client while its service fails in every way: over in time, nothing invented, one
sentence."""

import pytest

from benchmarks import standin_faults
from benchmarks.options import Row
from tests.lab.faults import Faults
from tools.sources.client import Client
from tools.sources.registry import SOURCES

pytestmark = pytest.mark.lab  # many real sockets, most of the time spent waiting

CLIENTS = [client for client in SOURCES if client.kind != "local"]


@pytest.fixture(scope="module")
def rows() -> dict[str, list[Row]]:
    """Many cases at once, since most of their time is waiting; not so many that they make each
    other late."""
    rows_by_client: dict[str, list[Row]] = {}
    for client, fault, outcome, seconds in standin_faults.meet(CLIENTS, workers=24):
        rows_by_client.setdefault(client.name, []).append(
            standin_faults.row(client, fault, outcome, seconds)
        )
    return rows_by_client


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_a_failing_service_costs_one_sentence(
    client: Client, rows: dict[str, list[Row]], faults: Faults
) -> None:
    assert len(rows[client.name]) == len(standin_faults.FAULTS)
    assert [row for row in rows[client.name] if not row["ok"]] == []
    for fault in standin_faults.FAULTS:
        faults.count(f"client: {fault.name}")


def test_each_way_of_failing_is_told_apart(rows: dict[str, list[Row]]) -> None:
    outcomes = {str(row["what"]).split(": ")[1]: str(row["value"]) for row in rows["crossref"]}
    assert "rate limited, asked to wait 120 s" in outcomes["429, wait 2 min"]
    assert "private" in outcomes["to private"] and "redirects too often" in outcomes["circle"]
    assert "larger than 10 MB" in outcomes["bomb"] and "larger than 10 MB" in outcomes["100 MB"]
    assert len(set(outcomes.values())) >= 9
