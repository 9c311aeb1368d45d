"""Template tags in pairs around Markdown, as Liquid and Jinja have them: what their arguments and
ends say."""

import re
from collections.abc import Container, Iterator, Sequence
from html import escape

_END = re.compile(r"\{%-?[ \t]{0,9}end_?([a-z]\w{0,40})[ \t]{0,9}-?%\}")
_OPENING = re.compile(
    r"([ \t]{0,40}+)\{%-?[ \t]*+([a-z]\w{0,40})"
    r"(?:[ \t]++([^\n]{0,500}?))??[ \t]{0,9}-?%\}"
)
_HEADING = re.compile(r"[ \t]{0,3}(#{1,6})(?:[ \t]|$)")
_LIST_MARK = re.compile(r"[ \t]{0,40}(?:[-*+]|\d{1,9}[.)])[ \t]")
# These choose or name text, they are nothing around it
_CONTROL = frozenset(
    "autoescape block blocktrans cache call capture case comment filter for form highlight if "
    "ifchanged macro raw set spaceless switch tablerow trans unless verbatim with".split()
)
_CODE_SIGN = re.compile(r"^[\"']|[=|]")
_STATE = re.compile(r"[ \t](?:closed|collapsed|collapsible|expandable|expanded|open)$")
_FEWEST_WORDS = 3  # of a title; fewer are the name of a colour or an anchor
_DEEPEST = 6
_CODE_INDENT = 4
_PICTURES = frozenset(("fig", "figure", "image"))


def with_titles(lines: Sequence[tuple[str, bool]]) -> Iterator[str]:
    """The lines, with whether each is code, where an opening tag with a title has become the
    heading of what it encloses, a level below the heading above it, and one of an item a list mark.

    A heading that a tag encloses counts no longer behind its end.
    """
    pairs = {name for line, _ in lines for name in _END.findall(line)} - _CONTROL
    level = 1
    outer: list[tuple[str, int]] = []  # the names of open tags, and the level above each
    mark = ""  # of an item whose words have not begun
    for line, is_code in lines:
        if is_code:
            yield line
            continue
        opening = _OPENING.match(line)
        if opening and opening[2] in pairs:
            outer.append((opening[2], level))
            if title := _title(opening):
                level = min(_DEEPEST, level + 1)
                yield from _heading(title, level, opening[1])
            mark = f"{opening[1]}- " if opening[2].endswith("item") else ""
            line = line[opening.end() :]
        level = _level_behind(line, outer, level)
        if not mark:
            yield from _broken(line, pairs)
        elif _END.sub("", line).strip():
            yield from _broken(line if _LIST_MARK.match(line) else mark + line.lstrip(), pairs)
            mark = ""


def _heading(title: str, level: int, indent: str) -> Sequence[str]:
    """A heading of Markdown, or of HTML where it would be code."""
    if len(indent) < _CODE_INDENT:
        return "", f"{indent}{'#' * level} {title}", ""
    return (f"{indent}<h{level}>{escape(title)}</h{level}>",)


def _title(opening: re.Match[str]) -> str:
    """The argument of an opening tag where it reads as a title."""
    argument = opening[3] or ""
    if opening[2] in _PICTURES or _CODE_SIGN.search(argument):
        return ""
    return _STATE.sub("", argument).rstrip() if len(argument.split()) >= _FEWEST_WORDS else ""


def _level_behind(line: str, outer: list[tuple[str, int]], level: int) -> int:
    """The level of headings behind a line, which may be one or end tags; these leave the open
    ones."""
    if heading := _HEADING.match(line):
        return len(heading[1])
    for name in _END.findall(line):
        while any(name == other for other, _ in outer):
            other, level = outer.pop()
            if other == name:
                break
    return level


def _broken(line: str, pairs: Container[str]) -> Iterator[str]:
    """A line, and an empty one where it closes what stands in it."""
    yield line
    last = list(_END.finditer(line))[-1:]
    if last and last[0][1] in pairs and not line[last[0].end() :].strip():
        yield ""
