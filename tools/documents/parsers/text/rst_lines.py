"""Lines of reStructuredText: what stands in, what has a condition, and items whose number is left
to be counted."""

import re

from tools.documents.parsers.text.rst_words import shown_for_pages

DIRECTIVE = re.compile(r"\.\. (?:\|[^|\n]{1,100}\| )?([\w:.+-]{1,60})::[ \t]*+(.*)$")
ITEM = re.compile(r"([-*+•‣]|(?:\(?(?:\d{1,3}|#|[a-zA-Z]|[ivxIVX]{1,5})[.)]))[ \t]+(?=\S)")

BULLETS = "-*+•‣"
_ENUMERATOR = re.compile(r"[^().]+")
_MOST = 1000  # an item has three digits at most
Lines = list[str]


def with_numbers(lines: Lines) -> Lines:
    """The lines where items that leave their number to be counted ("#.") have it; after letters
    they stay, and so does what an interpreter prints."""
    numbered: Lines = []
    marks, number = "", 0  # of the item before; -1 after letters
    in_session = False
    for line in lines:
        in_session = line.startswith(">>>") or (in_session and bool(line))
        if enumerator := "" if in_session else _enumerator(line):
            before, marks = marks, _ENUMERATOR.sub("", enumerator)
            number = _number(enumerator.strip("()."), number if marks == before else 0)
            if "#" in enumerator and 0 < number < _MOST:
                line = line.replace("#", str(number), 1)
        elif line and not line.startswith(" "):
            marks = ""
        numbered.append(line)
    return numbered


def _enumerator(line: str) -> str:
    """What an item begins with that has a number, "" for another line."""
    item = ITEM.match(line)
    return item[1] if item and item[1] not in BULLETS else ""


def _number(enumerator: str, before: int) -> int:
    """The number of an item behind one with a number; -1 for a letter, and behind one."""
    if enumerator == "#":
        return before + 1 if before >= 0 else before
    return int(enumerator) if enumerator.isdecimal() else -1


def with_conditions(lines: Lines) -> Lines:
    """The lines where what stands under "only" at the margin stands there itself: it may have
    sections."""
    kept_lines: Lines = []
    at = 0
    while at < len(lines):
        directive = DIRECTIVE.match(lines[at])
        if directive and directive.group(1) == "only":
            end = end_of_indented(lines, at + 1)
            inner = dedented(lines[at + 1 : end])
            kept_lines += ["", *inner, ""] if shown_for_pages(directive.group(2)) else []
            at = end
        else:
            kept_lines.append(lines[at])
            at += 1
    return kept_lines


def end_of_indented(lines: Lines, at: int) -> int:
    """Where lines that are indented, with empty ones between them, end."""
    end = last = at
    while end < len(lines) and (not lines[end] or lines[end].startswith(" ")):
        end += 1
        if lines[end - 1]:
            last = end
    return last


def dedented(lines: Lines) -> Lines:
    indent = min((len(line) - len(line.lstrip()) for line in lines if line), default=0)
    dedented = [line[indent:] for line in lines]
    while dedented and not dedented[0]:
        dedented.pop(0)
    return dedented
