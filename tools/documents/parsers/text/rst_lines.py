"""Lines of reStructuredText: what stands in, what has a condition, and items whose number is left
to be counted."""

import re

from tools.documents.parsers.text.rst_words import shown_for_pages

DIRECTIVE = re.compile(r"\.\. (?:\|[^|\n]{1,100}\| )?([\w:.+-]{1,60})::[ \t]*+(.*)$")
ITEM = re.compile(r"([-*+•‣]|(?:\(?(?:\d{1,3}|#|[a-zA-Z]|[ivxIVX]{1,5})[.)]))[ \t]+(?=\S)")

Lines = list[str]


def with_numbers(lines: Lines) -> Lines:
    """The lines where items that leave their number to be counted ("#.") have it."""
    numbered: Lines = []
    number = 0
    for line in lines:
        item = ITEM.match(line)
        if item and "#" in item[1]:
            number += 1
            line = line.replace("#", str(number), 1)
        elif line and not line.startswith(" "):
            digits = item[1].strip("().") if item else ""
            number = int(digits) if digits.isdecimal() else 0
        numbered.append(line)
    return numbered


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
