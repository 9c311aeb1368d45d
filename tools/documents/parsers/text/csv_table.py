"""CSV and TSV: one line per row, each value with the name of its column, so that a row can be cited
by itself."""

import csv
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tools.documents.model import Block, BlockKind, Extracted, Request
from tools.documents.parsers.blocks import MAX_BLOCKS, Composed, compose
from tools.documents.parsers.encoding import text_of
from tools.documents.parsers.lines import lines_of
from tools.documents.parsers.text.plain import blocks_of_lines
from tools.documents.parsers.versions import with_version
from tools.errors import ParseError

MAX_FIELD = 1_000_000
MAX_NAMED_COLUMNS = 40  # with more columns, repeating their names would drown the values
MAX_CHARACTERS = 400_000_000
_CROWDED = 2000  # characters of a block of several rows
_DELIMITERS = ",;\t|"
_NUMBER = re.compile(r"^[\s$€£]*[-+]?\d[\d.,:/ %-]*$")


def parse(request: Request) -> Extracted:
    """Rows as "column: value; column: value" lines; a file that is no table is taken as the text it
    is."""
    text = text_of(request)
    delimiter = _delimiter(text)
    composed = (
        _rendered(text, delimiter, csv.QUOTE_MINIMAL)
        or _rendered(text, delimiter, csv.QUOTE_NONE)
        or compose(blocks_of_lines(text))
    )
    return composed.extracted(with_version("zorora-csv"))


def _delimiter(text: str) -> str:
    """The character that cuts the first lines into the same number of fields most often."""
    lines = [line for line in text[:20_000].split("\n")[:20] if line.strip()]
    best, most = ",", 0.0
    for candidate in _DELIMITERS:
        counts = Counter(line.count(candidate) for line in lines)
        counts.pop(0, None)
        if counts:
            number, times = counts.most_common(1)[0]
            score = times + min(number, 50) / 100
            if score > most:
                best, most = candidate, score
    return best


def _rendered(text: str, delimiter: str, quoting: int) -> Composed | None:
    """All rows as lines, each a block; None when the quotes of the file are broken."""
    csv.field_size_limit(MAX_FIELD)
    reader = csv.reader(lines_of(text), delimiter=delimiter, quoting=quoting)  # type: ignore[arg-type]
    lines = _lines(row for row in reader if any(map(str.strip, row)))
    parts: list[str] = []
    blocks: list[Block] = []
    at = 0
    try:
        while rows := list(
            itertools.islice(lines, 10_000)
        ):  # millions of short strings would not fit
            for line, header in rows:
                _add_row(blocks, at, at + len(line), header)
                at += len(line) + 1
                if at > MAX_CHARACTERS:
                    raise ParseError(
                        f"This table is too large: more than {MAX_CHARACTERS:,} characters."
                    )
            parts.append("\n".join(line for line, _ in rows))
    except csv.Error:
        return None
    return Composed("\n".join(parts), (), tuple(blocks)) if parts else None


def _add_row(blocks: list[Block], start: int, end: int, header: bool) -> None:
    """A row as a block; of a very long table several rows are one."""
    last = blocks[-1] if len(blocks) >= MAX_BLOCKS else None
    if last is not None and last.end - last.start < _CROWDED:
        blocks[-1] = last._replace(end=end)
    elif end > start:
        blocks.append(Block(BlockKind.TABLE_ROW, start, end, header=header))


def _lines(rows: Iterator[Sequence[str]]) -> Iterator[tuple[str, bool]]:
    """Each row as a line, and whether it names the columns."""
    first = next(rows, ())
    names = [" ".join(name.split()) for name in first]
    if not _is_header(names):
        yield _plain(first), False
        for row in rows:
            yield _plain(row), False
        return
    yield " | ".join(names), True
    for row in rows:
        is_named = len(row) <= len(names) <= MAX_NAMED_COLUMNS
        yield (named_row(names, row) if is_named else _plain(row)), False


def _is_header(names: Sequence[str]) -> bool:
    """A first row of different names, none of them a number."""
    filled = [name for name in names if name]
    unique = len(set(filled)) == len(filled) and len(filled) >= max(1, len(names) - 1)
    return (
        unique and not any(_NUMBER.match(name) for name in filled) and max(map(len, filled)) <= 100
    )


def named_row(names: Sequence[str], row: Sequence[str]) -> str:
    """A row as "column: value; column: value", so that it can be understood by itself; empty cells
    are left out."""
    cells = ((name, " ".join(value.split())) for name, value in zip(names, row, strict=False))
    return "; ".join(f"{name}: {plain}" if name else plain for name, plain in cells if plain)


def _plain(row: Sequence[str]) -> str:
    return " | ".join(plain for value in row if (plain := " ".join(value.split())))
