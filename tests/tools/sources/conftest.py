"""The network fixtures, and the table of what the real services answered."""

from typing import Any

from tests.standin import http, open_http, server, store
from tests.tools.sources.live_table import ROWS, lines

__all__ = ["http", "open_http", "server", "store"]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """After `pytest -m live`: service, time, fields and drift, to be sent back as they stand."""
    for line in lines(ROWS):
        terminalreporter.write_line(line)
