"""Rows as CSV (RFC 4180) that a spreadsheet only shows: no cell begins what it would compute."""

import csv
import io
from collections.abc import Iterable, Sequence

from tools.text.plain import line

_FORMULA = ("=", "+", "-", "@", "\t")


def to_csv(rows: Iterable[Sequence[str | None]]) -> str:
    """Rows as CSV; each cell on one line."""
    out = io.StringIO(newline="")
    csv.writer(out).writerows(map(_plain, row) for row in rows)
    return out.getvalue()


def _plain(text: str | None) -> str:
    one_line = line(text)
    return f"'{one_line}" if one_line.startswith(_FORMULA) else one_line
