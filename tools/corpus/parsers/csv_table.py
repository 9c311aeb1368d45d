"""CSV and TSV: one line per row, each value with the name of its column, so that a row can be cited by itself."""

import csv
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tools.corpus.detect import CSV
from tools.corpus.model import Extracted
from tools.corpus.parsers.encoding import decode
from tools.corpus.parsers.request import Request
from tools.errors import ParseError
from tools.text.normalise import snapshot_text

MAX_FIELD = 1_000_000
MAX_NAMED_COLUMNS = 40  # with more columns, repeating their names would drown the values
MAX_CHARACTERS = 400_000_000
_DELIMITERS = ",;\t|"
_NUMBER = re.compile(r"^[\s$€£]*[-+]?\d[\d.,:/ %-]*$")


def parse(request: Request) -> Extracted:
    """Rows as "column: value; column: value" lines; a file that is no table is taken as the text it is."""
    text = snapshot_text(decode(request.data, request.media_type))
    if not text.strip():
        raise ParseError("This file holds no text.")
    delimiter = _delimiter(text)
    made = _rendered(text, delimiter, csv.QUOTE_MINIMAL) or _rendered(text, delimiter, csv.QUOTE_NONE) or text
    return Extracted(made, CSV, "zorora-csv 1")


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


def _rendered(text: str, delimiter: str, quoting: int) -> str:
    """All rows as lines; "" when the quotes of the file are broken."""
    csv.field_size_limit(MAX_FIELD)
    reader = csv.reader(_physical(text), delimiter=delimiter, quoting=quoting)  # type: ignore[arg-type]
    lines = _bounded(_lines(row for row in reader if any(map(str.strip, row))))
    parts: list[str] = []
    try:
        while chunk := "\n".join(itertools.islice(lines, 10_000)):  # millions of short strings would not fit
            parts.append(chunk)
    except csv.Error:
        return ""
    return "\n".join(parts)


def _physical(text: str) -> Iterator[str]:
    """The lines of the file with their ends, one at a time."""
    at = 0
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        yield text[at:end]
        at = end


def _lines(rows: Iterator[Sequence[str]]) -> Iterator[str]:
    first = next(rows, ())
    names = [" ".join(name.split()) for name in first]
    if not _is_header(names):
        yield _plain(first)
        for row in rows:
            yield _plain(row)
        return
    yield " | ".join(names)
    for row in rows:
        yield _named(names, row) if len(row) <= len(names) <= MAX_NAMED_COLUMNS else _plain(row)


def _is_header(names: Sequence[str]) -> bool:
    """A first row of different names, none of them a number."""
    given = [name for name in names if name]
    unique = len(set(given)) == len(given) and len(given) >= max(1, len(names) - 1)
    return unique and not any(_NUMBER.match(name) for name in given) and max(map(len, given)) <= 100


def _named(names: Sequence[str], row: Sequence[str]) -> str:
    parts = []
    for name, value in zip(names, row, strict=False):
        plain = " ".join(value.split())
        if plain:
            parts.append(f"{name}: {plain}" if name else plain)
    return "; ".join(parts)


def _plain(row: Sequence[str]) -> str:
    return " | ".join(plain for value in row if (plain := " ".join(value.split())))


def _bounded(lines: Iterable[str]) -> Iterator[str]:
    total = 0
    for line in lines:
        total += len(line) + 1
        if total > MAX_CHARACTERS:
            raise ParseError(f"This table is too large: more than {MAX_CHARACTERS:,} characters.")
        yield line
