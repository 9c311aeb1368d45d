"""Propose a change to one file: the model answers with blocks, they must fit exactly, up to three
attempts."""

import re
from dataclasses import dataclass

from tools.errors import EditError, Refused
from tools.host.edits import parse_blocks
from tools.host.files import FileChange, open_text, plan_edits, plan_write
from tools.host.place import Workplace
from tools.models.prompts import fence
from workflows.code.asking import Coder
from workflows.code.windows import file_excerpt

ATTEMPTS = 3
_FENCE = re.compile(r"`{3,}|~{3,}")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that fits, not made yet. failures: why earlier attempts did not."""

    change: FileChange
    failures: tuple[str, ...] = ()


def propose(place: Workplace, path: str, request: str, coder: Coder, context: str = "") -> Proposal:
    """What the model makes of one file, existing or new. Nothing is changed on disk.

    Raises EditError when three attempts did not fit, each with its reason; ModelError; Refused for
    closed places.
    """
    name = place.name(path)
    place.check_writable(path)
    exists = place.exists(path)
    text = open_text(place, path) if exists else ""
    file = file_excerpt(name, text, request, coder.file_room) if text else ""
    failures: list[str] = []
    for attempt in range(ATTEMPTS):
        values = {
            "request": fence(request, "request"),
            "context": f"What belongs to it:\n{fence(context, 'context')}" if context else "",
            "path": name,
            "failed": failure_note(failures),
        }
        if exists:
            values["file"] = fence(file, "file") if file else "(empty)"
        answer = coder.text("edit" if exists else "create", values, sample=attempt)
        try:
            change = _fitted(place, name, answer, exists)
        except EditError as error:
            failures.append(str(error))
            continue
        return Proposal(change, tuple(failures))
    raise EditError(
        f"{coder.name} could not change {name} in {ATTEMPTS} attempts; nothing was changed. Last: "
        f"{failures[-1]}"
    )


def _fitted(place: Workplace, name: str, answer: str, exists: bool) -> FileChange:
    if not exists:
        return plan_write(place, name, _content(answer))
    edits = parse_blocks(unfenced(answer))
    strange = sorted({edit.path for edit in edits if edit.path and edit.path != name})
    if strange:
        raise EditError(f"Only {name} is to be changed, not {', '.join(strange)[:100]}.")
    change = plan_edits(place, name, edits)
    if change.after == change.before:
        raise EditError("The edits change nothing.")
    return change


def unfenced(answer: str) -> str:
    """OLD and NEW blocks hold the marks that `fence` shows otherwise; a model copies what it
    saw."""
    return answer.replace("‹‹‹", "<<<").replace("›››", ">>>")


def _content(answer: str) -> str:
    """The file in the answer: its largest fenced block. Raises EditError without one."""
    blocks = _fenced(answer.replace("\r\n", "\n"))
    if not blocks:
        raise EditError("The answer contains no fenced block with the file's content.")
    return unfenced(max(blocks, key=len))


def _fenced(answer: str) -> list[str]:
    """What stands between each fence and the next line that is the same fence."""
    blocks, lines, fence = [], list[str](), ""
    for line in answer.split("\n"):
        opening = _FENCE.match(line)
        if fence and line.rstrip(" \t") == fence:
            blocks.append("".join(lines))
            fence = ""
        elif fence:
            lines.append(line + "\n")
        elif opening:
            fence, lines = opening[0], []
    return blocks


def failure_note(failures: list[str]) -> str:
    """What an attempt is told of the one before it."""
    if not failures:
        return ""
    return "Your last answer could not be used:\n" + fence(failures[-1], "reason")


def files_named(place: Workplace, request: str) -> list[str]:
    """The existing files that a request names, once each; a name that lies outside is no name."""
    names: dict[str, None] = {}
    for word in re.findall(r"[\w@./+-]{1,300}", request):
        word = word.strip(".,") if not word.startswith(".") else word.rstrip(".,")
        if "." not in word and "/" not in word:
            continue
        try:
            if place.exists(word) and (place.root / place.name(word)).is_file():
                names[place.name(word)] = None
        except Refused:
            continue
    return list(names)
