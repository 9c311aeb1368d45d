"""What the live tests found, for the table that is printed after them."""

from collections.abc import Sequence

from engine.answers import SourceCheck
from engine.wiring.source_status import CHECK_COLUMNS, check_rows

ROWS: list[tuple[str, SourceCheck]] = []


def lines(checks: Sequence[tuple[str, SourceCheck]]) -> list[str]:
    """The rows as aligned text; nothing when nothing was asked."""
    if not checks:
        return []
    rows = [CHECK_COLUMNS, *check_rows(checks)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(CHECK_COLUMNS))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
