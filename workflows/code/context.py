"""What a model sees of a project beside the file it works on: the plan's files, the code under
test, earlier diffs."""

from collections.abc import Iterable, Sequence

from tools.host.files import FileChange, text_if_readable
from tools.host.place import Workplace
from workflows.code.repository_map import RepositoryMap
from workflows.code.windows import file_excerpt

_README = ("README.md", "README.rst", "README.txt", "README")
_README_SHOWN = 1500  # characters
_LEAST = 1500  # characters that a file may have however little room there is


def overview(
    place: Workplace, repo_map: RepositoryMap, request: str, room: int, first: Sequence[str] = ()
) -> str:
    """The map of the project, the head of its README, and files for the plan: those chosen, then
    those that the request concerns."""
    parts = [
        f"Repository map (line: what is defined there):\n{repo_map.described(room // 4, request)}"
    ]
    readme = next((name for name in _README if place.exists(name)), None)
    if readme and (text := text_if_readable(place, readme)):
        parts.append(f"{readme} begins:\n{text[:_README_SHOWN]}")
    names = dict.fromkeys([*first, *repo_map.relevant(request)])
    parts.append(contents(place, names, request, room - sum(map(len, parts))))
    return "\n\n".join(part for part in parts if part)


def around(
    place: Workplace,
    repo_map: RepositoryMap,
    name: str,
    changes: Sequence[FileChange],
    request: str,
    room: int,
) -> str:
    """What belongs to one file: the diffs made so far, then its tests, the files it imports and
    those that use it, then what else the request concerns."""
    before = diffs([change for change in changes if change.path != name], room // 2)
    near = dict.fromkeys([*repo_map.around(name), *repo_map.relevant(request)])
    others = contents(
        place, [other for other in near if other != name], request, room - len(before)
    )
    return "\n\n".join(part for part in (before, others) if part)


def diffs(changes: Iterable[FileChange], room: int) -> str:
    """The changes of earlier steps, the latest ones first where there is little room."""
    parts: list[str] = []
    for change in reversed(list(changes)):
        room -= len(change.diff)
        if room < 0:
            break
        parts.append(change.diff)
    return "Changed so far:\n" + "\n".join(reversed(parts)) if parts else ""


def contents(place: Workplace, names: Iterable[str], request: str, room: int) -> str:
    """Files as they stand, with line numbers, as far as there is room: each has at most half of
    what is left, a long one is shown in its parts that matter."""
    parts: list[str] = []
    for name in names:
        text = text_if_readable(place, name)
        part = file_excerpt(name, text, request, max(room // 2, _LEAST)) if text else ""
        if not part or len(part) > room:
            continue
        room -= len(part)
        parts.append(part)
    return "\n\n".join(parts)
