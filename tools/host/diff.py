"""Unified diffs. Only what differs is compared, so that a small change in a large file costs next
to nothing."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

CONTEXT = 3
# Lines of the differing middle that are compared one by one; a larger one is shown as replaced
_COMPARED = 4000
_NO_NEWLINE = "\\ No newline at end of file"


@dataclass(frozen=True, slots=True)
class Change:
    """Lines `start`..`end` of the old text (counted from 0, end not included) become `lines` of the
    new one."""

    start: int
    end: int
    new_start: int
    lines: tuple[str, ...]


def unified(old: str | None, new: str, name: str, context: int = CONTEXT) -> str:
    """The diff from one text to another, with `a/` and `b/` names; empty when they are equal.

    old: None for a file that did not exist. Line ends are "\\n"; a "\\r" before one belongs to the
    line.
    """
    if old == new:
        return ""
    before, after = lines_of(old or ""), lines_of(new)
    out = [f"--- {'/dev/null' if old is None else f'a/{name}'}\n", f"+++ b/{name}\n"]
    for group in _groups(list(changes(before, after)), context):
        out += _hunk(before, group, context)
    return "".join(out)


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends; only "\\n" ends a line."""
    return text.splitlines(keepends=True) if _plain(text) else [*_cut(text)]


def _plain(text: str) -> bool:
    """Whether splitlines cuts at "\\n" alone: ASCII without its other line ends."""
    return text.isascii() and not any(mark in text for mark in "\r\x0b\x0c\x1c\x1d\x1e")


def _cut(text: str) -> Iterator[str]:
    pieces = text.split("\n")
    yield from (piece + "\n" for piece in pieces[:-1])
    if pieces[-1]:
        yield pieces[-1]


def changes(
    before: Sequence[str], after: Sequence[str], at: tuple[int, int] = (0, 0)
) -> Iterator[Change]:
    """What differs, in order. at: where both begin in texts they are parts of."""
    first = _common(before, after)
    last = _common(before[first:][::-1], after[first:][::-1])
    old, new = before[first : len(before) - last], after[first : len(after) - last]
    start, new_start = at[0] + first, at[1] + first
    if not old or not new:
        if old or new:
            yield Change(start, start + len(old), new_start, tuple(new))
    elif len(old) + len(new) <= _COMPARED:
        yield from _compared(old, new, start, new_start)
    else:
        yield from _between_anchors(old, new, start, new_start)


def _compared(
    old: Sequence[str], new: Sequence[str], start: int, new_start: int
) -> Iterator[Change]:
    import difflib

    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield Change(start + a, start + b, new_start + c, tuple(new[c:d]))


def _between_anchors(
    old: Sequence[str], new: Sequence[str], start: int, new_start: int
) -> Iterator[Change]:
    """The parts between lines that occur once in each and in the same order (the idea of patience
    diff)."""
    anchors = _anchors(old, new)
    if not anchors:
        yield Change(start, start + len(old), new_start, tuple(new))
        return
    i = j = 0
    for a, b in (*anchors, (len(old), len(new))):
        if a > i or b > j:
            yield from changes(old[i:a], new[j:b], (start + i, new_start + j))
        i, j = a + 1, b + 1


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """(place in old, place in new) of lines unique in both: the longest run of them that grows in
    both."""
    ours, theirs = Counter(old), Counter(new)
    where = {line: j for j, line in enumerate(new) if theirs[line] == 1}
    pairs = [(i, where[line]) for i, line in enumerate(old) if ours[line] == 1 and line in where]
    ends: list[int] = []  # the smallest place in new at which a run of each length ends
    tips: list[int] = []
    before: list[int] = []
    for n, (_, j) in enumerate(pairs):
        length = bisect_left(ends, j)
        ends[length : length + 1] = [j]
        tips[length : length + 1] = [n]
        before.append(tips[length - 1] if length else -1)
    run, n = [], tips[-1] if tips else -1
    while n >= 0:
        run.append(pairs[n])
        n = before[n]
    return run[::-1]


def _common(first: Sequence[str], other: Sequence[str]) -> int:
    shorter = min(len(first), len(other))
    return next((at for at in range(shorter) if first[at] != other[at]), shorter)


def _groups(changes: list[Change], context: int) -> Iterator[list[Change]]:
    """Changes whose contexts touch stand in one hunk."""
    group: list[Change] = []
    for change in changes:
        if group and change.start - group[-1].end > 2 * context:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _hunk(before: Sequence[str], group: list[Change], context: int) -> list[str]:
    start = max(0, group[0].start - context)
    end = min(len(before), group[-1].end + context)
    body: list[str] = []
    at = start
    for change in group:
        body += [_marked(" ", line) for line in before[at : change.start]]
        body += [_marked("-", line) for line in before[change.start : change.end]]
        body += [_marked("+", line) for line in change.lines]
        at = change.end
    body += [_marked(" ", line) for line in before[at:end]]
    added = sum(len(change.lines) - (change.end - change.start) for change in group)
    new_start = group[0].new_start - (group[0].start - start)
    return [
        f"@@ -{_range(start, end - start)} +{_range(new_start, end - start + added)} @@\n",
        *body,
    ]


def _range(start: int, count: int) -> str:
    """A place as hunks write it: counted from 1, an empty one by the line before it."""
    first = start + 1 if count else start
    return f"{first}" if count == 1 else f"{first},{count}"


def _marked(mark: str, line: str) -> str:
    return f"{mark}{line}" if line.endswith("\n") else f"{mark}{line}\n{_NO_NEWLINE}\n"
