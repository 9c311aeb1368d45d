"""What a request about code comes to: a change to one file, whose blocks must fit exactly (up to
three attempts); new files by a plan; an explanation, for which nothing is written."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from tools.errors import EditError, NotFound, Refused
from tools.host.edits import parse_blocks
from tools.host.files import FileChange, open_text, plan_edits, plan_write
from tools.host.place import Workplace
from tools.models.prompts import fence
from workflows.code.asking import Coder
from workflows.code.context import around, overview
from workflows.code.planning import Plan, make_plan
from workflows.code.project import explore
from workflows.code.repository_map import RepositoryMap, repository_map
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


Approve = Callable[[Plan], bool]


def generate(
    place: Workplace, request: str, coder: Coder, approve: Approve
) -> list[FileChange] | None:
    """The changes of an approved plan, none of them made yet; None when it was not approved.

    Raises ModelError when there is no plan, EditError when a file could not be proposed.
    """
    project = explore(place)
    repo_map = repository_map(place, project.files)
    plan = make_plan(
        place, project, request, coder, (), overview(place, repo_map, request, coder.room)
    )
    if not approve(plan):
        return None
    changes: dict[str, FileChange] = {}
    for task in plan.tasks:
        for name in task.files:
            if name not in changes:
                task_request = f"{request}\n\nThis step: {task.title}. {task.what}"
                beside = around(
                    place, repo_map, name, list(changes.values()), task_request, coder.room
                )
                changes[name] = propose(place, name, task_request, coder, beside).change
    return list(changes.values())


def explain(place: Workplace, request: str, coder: Coder) -> str:
    """What the model says of the file or symbol that a request names. NotFound when it names
    neither."""
    repo_map = repository_map(place, explore(place).files)
    names = files_named(place, request) or _defining(repo_map, request)
    if not names:
        raise NotFound(
            "Name a file or something that is defined in one: `/code explain prices.py`, `/code "
            "explain add`."
        )
    name = names[0]
    values = {
        "request": fence(request, "request"),
        "file": fence(file_excerpt(name, open_text(place, name), request, coder.file_room), "file"),
        "context": fence(around(place, repo_map, name, (), request, coder.room - 2000), "context"),
    }
    return coder.text("explain", values).strip()


def _defining(repo_map: RepositoryMap, request: str) -> list[str]:
    """The files that define a name of the request, the first ones of the map first."""
    words = {word.strip("`'\"().,:?") for word in request.split()}
    return [
        name
        for name, file in repo_map.files.items()
        if any(
            words & {symbol.name, symbol.name.rpartition(".")[2]} for symbol in file.outline.symbols
        )
    ]
