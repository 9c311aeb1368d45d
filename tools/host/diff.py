"""Unified diffs. Only what differs is compared, so that a small change in a large file costs next
to nothing."""

import io
from collections.abc import Iterable, Iterator, Sequence

CONTEXT = 3
# Lines of both texts between the first change and the last; more are shown as replaced. Lines that
# repeat each other cost the square of their number: 10,000 took 0.6 s, 20,000 took 7.5 s.
_COMPARED = 10_000
_NO_NEWLINE = "\\ No newline at end of file"


def unified(old: str | None, new: str, name: str, context: int = CONTEXT) -> str:
    """The diff from one text to another, with `a/` and `b/` names; empty when they are equal.

    old: None for a file that did not exist. Line ends are "\\n"; a "\\r" before one belongs to the
    line.
    """
    if old == new:
        return ""
    heads = (f"--- {'/dev/null' if old is None else f'a/{name}'}\n", f"+++ b/{name}\n")
    return "".join([*heads, *_hunks(lines_of(old or ""), lines_of(new), context)])


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends; only "\\n" ends a line."""
    return list(io.StringIO(text, newline="\n"))


def _hunks(before: Sequence[str], after: Sequence[str], context: int) -> Iterator[str]:
    import difflib

    first = _common(before, after)
    last = _common(before[first:][::-1], after[first:][::-1])
    start = max(0, first - context)
    old = before[start : len(before) - max(0, last - context)]
    new = after[start : len(after) - max(0, last - context)]
    if len(old) + len(new) > _COMPARED:
        yield f"@@ -{_range(start, len(old))} +{_range(start, len(new))} @@\n"
        yield from (*_marked("-", old), *_marked("+", new))
        return
    for group in difflib.SequenceMatcher(None, old, new).get_grouped_opcodes(context):
        (_, a, _, c, _), (_, _, b, _, d) = group[0], group[-1]
        yield f"@@ -{_range(start + a, b - a)} +{_range(start + c, d - c)} @@\n"
        for tag, i, j, k, m in group:
            if tag == "equal":
                yield from _marked(" ", old[i:j])
            else:
                yield from _marked("-", old[i:j])
                yield from _marked("+", new[k:m])


def _common(first: Sequence[str], other: Sequence[str]) -> int:
    shorter = min(len(first), len(other))
    return next((at for at in range(shorter) if first[at] != other[at]), shorter)


def _range(start: int, count: int) -> str:
    """A place as hunks write it: counted from 1, an empty one by the line before it."""
    first = start + 1 if count else start
    return f"{first}" if count == 1 else f"{first},{count}"


def _marked(mark: str, lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield f"{mark}{line}" if line.endswith("\n") else f"{mark}{line}\n{_NO_NEWLINE}\n"
