"""A file as a model sees it: with line numbers, whole, or of a long one the parts that a request
concerns."""

import re
from collections.abc import Iterable, Iterator

from workflows.code.symbols import Symbol, outline

WHOLE = 2000  # lines that are shown whole
_AROUND = 15  # lines before and after what a request concerns
_HEAD = 40  # first lines of a long file: imports and constants
_LONG_SYMBOL = 200  # lines of one symbol
_ROOM = 200_000  # characters of one file
_LONGEST = 2000  # characters of one line
_NUMBER = 8  # characters before each line
_WORD = re.compile(r"[A-Za-z_$][\w$]+")


def file_excerpt(name: str, text: str, request: str, room: int = _ROOM) -> str:
    """The text with line numbers; of one beyond WHOLE lines or `room` characters a list of its
    symbols and the windows around those that the request names."""
    lines = [line[:_LONGEST] for line in text.removeprefix("\ufeff").split("\n")]
    if not lines[-1]:
        lines.pop()
    if len(lines) <= WHOLE and sum(len(line) + _NUMBER for line in lines) <= room:
        return "\n".join([f"{name}, {len(lines)} lines", *_numbered(lines, [(1, len(lines))])])
    symbols = outline(name, text).symbols
    head = f"{name}, {len(lines)} lines; only the parts that seem to matter are shown. It defines:"
    spans = windows(lines, _concerned(name, lines, symbols, request), room * 2 // 3)
    return "\n".join([head, *_listed(symbols, room // 4), *_numbered(lines, spans)])


def _listed(symbols: Iterable[Symbol], room: int) -> Iterator[str]:
    for symbol in symbols:
        line = f"  {symbol.line}-{symbol.end}: {symbol.signature}"
        room -= len(line) + 1
        if room < 0:
            yield "  ... and more"
            return
        yield line


def _concerned(
    name: str, lines: list[str], symbols: Iterable[Symbol], request: str
) -> Iterator[tuple[int, int]]:
    """(first, last) line of what is wanted, the most telling first: lines named by their number,
    symbols that are named, lines that share names with what is wanted, the rarest names first; the
    head of the file."""
    words = {word for word in _WORD.findall(request) if len(word) > 2}
    yield from (
        (int(n), int(n)) for n in re.findall(rf"{re.escape(name)}\D{{1,12}}(\d{{1,7}})", request)
    )
    for symbol in symbols:
        if words & set(symbol.name.split(".")):
            yield symbol.line, min(symbol.end, symbol.line + _LONG_SYMBOL)
    yield 1, _HEAD
    places: dict[str, list[int]] = {word: [] for word in words}
    for number, line in enumerate(lines, 1):
        for word in words & set(_WORD.findall(line)):
            places[word].append(number)
    for span in sorted(places.values(), key=len):
        yield from ((number, number) for number in span[:20])


def windows(lines: list[str], spans: Iterable[tuple[int, int]], room: int) -> list[tuple[int, int]]:
    """Each span with lines around it, as many of them as there is room for, in the order of the
    file."""
    ranges: list[tuple[int, int]] = []
    for first, last in spans:
        start, end = max(1, first - _AROUND), min(len(lines), last + _AROUND)
        cost = sum(len(line) + _NUMBER for line in lines[start - 1 : end])
        if start > len(lines) or cost > room:
            continue
        room -= cost
        ranges.append((start, end))
    return _joined(ranges)


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return joined


def _numbered(lines: list[str], spans: list[tuple[int, int]]) -> Iterator[str]:
    for number, (first, last) in enumerate(spans):
        if number or first > 1:
            yield "     ..."
        yield from (f"{at:>6}\t{lines[at - 1]}" for at in range(first, last + 1))
    if spans and spans[-1][1] < len(lines):
        yield "     ..."
