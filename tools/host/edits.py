"""Edits as OLD and NEW blocks: read out of a model's answer, found in a text exactly once, put in.
Pure functions.

A block is

    <<<<<<< OLD
    the lines that stand there now
    =======
    the lines that take their place
    >>>>>>> NEW

with `FILE: path` before it where several files are meant. The marks are seven characters or more; a
longer opening mark wants equally long ones after it, for texts that hold such lines themselves.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from tools.errors import EditError
from tools.host.diff import lines_of

FORM = "<<<<<<< OLD\n(the lines that stand there now)\n=======\n(the new lines)\n>>>>>>> NEW"
_OPEN = re.compile(r"(<{7,200}) ?(?:OLD|SEARCH|ORIGINAL)\s*")
_FILE = re.compile(
    r"\s*+(?:#++\s*+|\*\*)?FILE:\s*+[`*]{0,2}\s*+(?P<path>[^`*\n]*[^`*\s])\s*+[`*]{0,4}\s*+", re.I
)
_SHOWN = 60
_LOOKED_THROUGH = 50_000  # lines searched for a near miss


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement. path: as the answer names it, empty when it names none. old: empty for a new
    file."""

    old: str
    new: str
    path: str = ""


def parse_blocks(answer: str) -> list[Edit]:
    """The edits of a model's answer, in order; what stands around the blocks is left out.

    Raises EditError, with the form to use, for an answer without a block or with a broken one.
    """
    lines = answer.replace("\r\n", "\n").split("\n")
    edits: list[Edit] = []
    path, at = "", 0
    while at < len(lines):
        header = _FILE.fullmatch(lines[at])
        opening = _OPEN.fullmatch(lines[at])
        path = header["path"] if header else path
        at += 1
        if opening:
            old, new, at = _block(lines, at, len(opening[1]), len(edits) + 1)
            edits.append(Edit(old, new, path))
    if not edits:
        raise EditError(f"The answer contains no edit. Write each one as:\n{FORM}")
    return edits


def _block(lines: Sequence[str], at: int, width: int, number: int) -> tuple[str, str, int]:
    """(old, new, line behind the block) of the block whose first line is `at`."""
    closing = re.compile(r">{%d} ?(?:NEW|REPLACE|UPDATED)\s*" % width)  # noqa: UP031
    end = next((i for i in range(at, len(lines)) if closing.fullmatch(lines[i])), None)
    if end is None:
        raise EditError(f"Edit {number} does not end: the line {'>' * width} NEW is missing.")
    if any(_OPEN.fullmatch(line) and line.startswith("<" * width) for line in lines[at:end]):
        raise EditError(
            f"Edit {number} contains the beginning of another "
            f"one; end it with {'>' * width} NEW first."
        )
    middle = at + _middle([line.rstrip() for line in lines[at:end]], "=" * width, number)
    return _joined(lines[at:middle]), _joined(lines[middle + 1 : end]), end + 1


def _middle(lines: Sequence[str], mark: str, number: int) -> int:
    """Where the one line between OLD and NEW stands."""
    count = lines.count(mark)
    if count == 1:
        return lines.index(mark)
    problem = f"{count} lines" if count else "no line"
    more = (
        " When the text itself contains such a line, write all three marks longer." if count else ""
    )
    raise EditError(
        f"Edit {number} has {problem} of {len(mark)} equals signs "
        f"between OLD and NEW; it needs one.{more}"
    )


def _joined(lines: Sequence[str]) -> str:
    return "".join(line + "\n" for line in lines)


def apply_edits(text: str, edits: Sequence[Edit], replace_all: bool = False) -> str:
    """The text after all edits, each found in what the ones before it left. Raises EditError; then
    nothing counts."""
    for number, edit in enumerate(edits, 1):
        text = _applied(text, edit, replace_all, f"Edit {number}: " if len(edits) > 1 else "")
    return text


def _applied(text: str, edit: Edit, replace_all: bool, label: str) -> str:
    old, new = _with_line_ends(text, edit.old, edit.new)
    if not old:
        if text:
            raise EditError(
                f"{label}OLD is empty, but the file is not. Give the lines that are to be replaced."
            )
        return new
    if old == new:
        raise EditError(f"{label}OLD and NEW are the same.")
    old, new = _without_last_end(text, old, new)
    count = text.count(old)
    if not count:
        raise EditError(f"{label}OLD is not in the file. {_near_miss(text, old)}")
    if count > 1 and not replace_all:
        places = islice(re.finditer(re.escape(old), text), 5)
        where = ", ".join(str(text.count("\n", 0, at.start()) + 1) for at in places)
        raise EditError(
            f"{label}OLD stands in the file {count} times (lines {where}). Include the lines "
            "around it until it"
            " is unique, or ask for all of them to be replaced."
        )
    return text.replace(old, new)


def _with_line_ends(text: str, old: str, new: str) -> tuple[str, str]:
    """OLD and NEW with the line ends of the text, where that has "\\r\\n" throughout and they have
    none."""
    if "\r\n" in text and "\r" not in old and text.count("\n") == text.count("\r\n"):
        return old.replace("\n", "\r\n"), new.replace("\r\n", "\n").replace("\n", "\r\n")
    return old, new


def _without_last_end(text: str, old: str, new: str) -> tuple[str, str]:
    """A block always ends with a line end, the last line of a file not always: then it is taken off
    both."""
    if old in text or not old.endswith("\n") or text.endswith("\n"):
        return old, new
    bare = old.removesuffix("\n").removesuffix("\r")
    if bare and text.endswith(bare):
        return bare, new.removesuffix("\n").removesuffix("\r") if new.endswith("\n") else new
    return old, new


def _near_miss(text: str, old: str) -> str:
    """What is nearly there, so that the next attempt can be right."""
    sought = list(filter(None, map(str.strip, old.split("\n"))))
    if not sought:
        return "It consists of blank lines."
    bare = list(map(str.strip, lines_of(text)[:_LOOKED_THROUGH]))
    starts = [at for at, line in enumerate(bare) if line == sought[0]]
    for at in starts:
        following = [line for line in bare[at : at + 2 * len(sought) + 2] if line][: len(sought)]
        if following == sought:
            return (
                f"Line {at + 1} has the same words with other "
                "spaces or blank lines; copy it exactly."
            )
    if starts:
        return _first_difference(bare, starts[0], sought)
    return (
        f"No line of the file is {_excerpt(sought[0])}; read the "
        "file again and copy the lines exactly."
    )


def _first_difference(bare: Sequence[str], start: int, sought: Sequence[str]) -> str:
    following = [(at, line) for at, line in enumerate(bare[start:], start + 1) if line]
    for (at, line), hoped in zip(following, sought, strict=False):
        if line != hoped:
            return f"Line {at} is {_excerpt(line)} and not {_excerpt(hoped)}."
    return "The file ends before OLD does."


def _excerpt(line: str) -> str:
    return f"{line[:_SHOWN]!r}{' ...' if len(line) > _SHOWN else ''}"
