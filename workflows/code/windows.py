"""A file as a model sees it: with line numbers, whole, or for a long one the parts that a request concerns."""

import re
from collections.abc import Iterable

from workflows.code.symbols import outline

WHOLE = 2000  # lines that are shown whole
_AROUND = 15  # lines before and after what a request concerns
_HEAD = 40  # first lines of a long file: imports and constants
_ROOM = 1200  # lines shown of a long file
_LONGEST = 2000  # characters of one line
_WORD = re.compile(r"[A-Za-z_$][\w$]+")


def shown(name: str, text: str, wanted: str, most: int = 200_000) -> str:
    """The text with line numbers; of one beyond WHOLE lines or `most` characters a list of its symbols and the windows
    around those that `wanted` (the request, a failing check) names."""
    lines = text.removeprefix("\ufeff").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if len(lines) <= WHOLE and len(text) <= most:
        return "\n".join([f"{name}, {len(lines)} lines", *_numbered(lines, [(1, len(lines))])])
    symbols = outline(name, text).symbols
    listed = [f"  {symbol.line}-{symbol.end}: {symbol.signature}" for symbol in symbols][:400]
    head = f"{name}, {len(lines)} lines; only the parts that seem to matter are shown. It defines:"
    return "\n".join([head, *listed, *_numbered(lines, windows(name, text, lines, wanted))])


def windows(name: str, text: str, lines: list[str], wanted: str) -> list[tuple[int, int]]:
    """(first, last) line of each part to show, in order: the head, lines named by number, symbols and lines that share
    names with what is wanted, the rarest names first."""
    words = {word for word in _WORD.findall(wanted) if len(word) > 3}
    spans = [(1, _HEAD)]
    spans += [(int(n), int(n)) for n in re.findall(rf"{re.escape(name)}\D{{1,12}}(\d{{1,7}})", wanted)]
    for symbol in outline(name, text).symbols:
        if words & set(symbol.name.split(".")):
            spans.append((symbol.line, min(symbol.end, symbol.line + 200)))
    places: dict[str, list[int]] = {word: [] for word in words}
    for number, line in enumerate(lines, 1):
        for word in words & set(_WORD.findall(line[:_LONGEST])):
            places[word].append(number)
    for found in sorted(places.values(), key=len):
        spans += [(number, number) for number in found[:20]]
    return _joined(_within(spans, len(lines)))


def _within(spans: Iterable[tuple[int, int]], count: int) -> list[tuple[int, int]]:
    """Each with lines around it, as many as there is room for."""
    kept, room = [], _ROOM
    for first, last in spans:
        span = max(1, first - _AROUND), min(count, last + _AROUND)
        room -= span[1] - span[0] + 1
        if span[0] > count or room < 0:
            continue
        kept.append(span)
    return kept


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return joined


def _numbered(lines: list[str], spans: list[tuple[int, int]]) -> Iterable[str]:
    for number, (first, last) in enumerate(spans):
        if number or first > 1:
            yield "     ..."
        yield from (f"{at:>6}\t{lines[at - 1][:_LONGEST]}" for at in range(first, last + 1))
    if spans and spans[-1][1] < len(lines):
        yield "     ..."
