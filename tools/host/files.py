"""The file tools: read, write, edit, list, patch. Each gives text for a reader, and changes all or
nothing."""

import difflib
import fnmatch
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tools.errors import Conflict, EditError, NotFound, Refused, StorageError, ZororaError
from tools.host.diff import lines_of, unified
from tools.host.edits import Edit, apply_edits
from tools.host.patch import FilePatch, apply_hunks, parse
from tools.host.place import Contents, Workplace, file_errors
from tools.host.writing import Change, make_folder, write_all

LINES = 2000
_LINE = 2000  # characters of one line that are shown
_SHOWN = 200_000  # characters of one answer
_LISTED = 500
_VISITED = 50_000
_LOOKED_AT = 5000  # for a name that is like one that is not there
_PASSED_OVER = frozenset(
    ".git .hg .svn .jj node_modules __pycache__ .venv venv .tox .mypy_cache .ruff_cache "
    ".pytest_cache target".split()
)


@dataclass(frozen=True, slots=True)
class FileChange:
    """What is to become of one file. before: None for a new one. diff: unified, to be shown before
    it is made."""

    path: str
    before: str | None
    after: str
    diff: str
    change: Change


def read_file(place: Workplace, path: str, start: int = 1, lines: int = LINES) -> str:
    """A text file with line numbers, from line `start` on; what is left out is said at the end."""
    all_lines = lines_of(open_text(place, path).removeprefix("\ufeff"))
    name = place.name(path)
    if not all_lines:
        return f"{name} is empty."
    first = max(1, start)
    if first > len(all_lines):
        raise NotFound(f"{name!r} has {len(all_lines)} lines; there is no line {first}.")
    numbered_lines = list(_numbered(all_lines, first, max(1, min(lines, LINES))))
    last = first + len(numbered_lines) - 1
    total = len(all_lines)
    which = f"{total} lines" if len(numbered_lines) == total else f"lines {first}-{last} of {total}"
    more = [] if last == total else [f"{total - last} more lines; go on with start={last + 1}."]
    return "\n".join([f"{name}, {which}", *numbered_lines, *more])


def _numbered(lines: Sequence[str], first: int, most: int) -> Iterator[str]:
    room = _SHOWN
    for number, line in enumerate(lines[first - 1 : first - 1 + most], first):
        bare = line.rstrip("\r\n")
        if len(bare) > _LINE:
            bare = f"{bare[:_LINE]} ... ({len(bare) - _LINE} more characters)"
        room -= len(bare) + 8
        if room < 0 and number > first:
            return
        yield f"{number:>6}\t{bare}"


def open_text(place: Workplace, path: str) -> str:
    """A text file, and the note that it was read. Refused for what is no UTF-8 text, and for
    secrets."""
    place.check_secret(path, "Read")
    contents = place.read(path)
    text = _decoded(contents, place.name(path))
    place.read_digests[place.name(path)] = contents.digest
    return text


def text_if_readable(place: Workplace, path: str) -> str:
    """A text file as by `open_text`; empty for one that is not there or stays closed."""
    try:
        return open_text(place, path)
    except ZororaError:
        return ""


def _decoded(contents: Contents, name: str) -> str:
    try:
        text = contents.data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(
            f"{name!r} is not UTF-8 text (byte {error.start}); only text files are opened."
        ) from error
    if "\x00" in text:
        raise Refused(f"{name!r} is a binary file; only text files are opened.")
    return text


def _encoded(text: str, name: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise EditError(
            f"The new text of {name!r} contains a character that cannot be stored ({error.start})."
        ) from error


def write_file(place: Workplace, path: str, content: str) -> str:
    """A file with this content: a new one, or one that was read before. Missing folders are
    made."""
    planned = plan_write(place, path, content)
    write_all(place, [planned.change])
    if planned.before is None:
        return f"Made {planned.path} ({len(lines_of(content))} lines)."
    if planned.diff:
        return f"Wrote {planned.path}.\n{planned.diff}"
    return f"{planned.path} was already like that."


def plan_write(place: Workplace, path: str, content: str) -> FileChange:
    """What `write_file` would do."""
    place.check_writable(path)
    name = place.name(path)
    before = _read_before(place, path) if place.exists(path) else None
    digest = place.read_digests[name] if before is not None else None
    return FileChange(
        name,
        before,
        content,
        unified(before, content, name),
        Change(name, _encoded(content, name), digest),
    )


def edit_file(place: Workplace, path: str, old: str, new: str, replace_all: bool = False) -> str:
    """Replace a text that stands in a file exactly once (or every one of them); the diff of what
    was done."""
    planned = plan_edits(place, path, [Edit(old, new)], replace_all)
    write_all(place, [planned.change])
    return f"Edited {planned.path}.\n{planned.diff}"


def plan_edits(
    place: Workplace, path: str, edits: Sequence[Edit], replace_all: bool = False
) -> FileChange:
    """What edits would make of a file, for a look at the diff before `write_all(place,
    [it.change])`.

    Raises EditError when one does not fit, Refused for a file that was not read, Conflict for one
    changed since.
    """
    place.check_writable(path)
    name = place.name(path)
    if not place.exists(path) and edits and all(not edit.old for edit in edits):
        return plan_write(place, path, edits[0].new)
    before = _read_before(place, path)
    after = apply_edits(before, edits, replace_all)
    return FileChange(
        name,
        before,
        after,
        unified(before, after, name),
        Change(name, _encoded(after, name), place.read_digests[name]),
    )


def _read_before(place: Workplace, path: str) -> str:
    """The text of a file that was read earlier and has not changed since."""
    name = place.name(path)
    contents = place.read(path)
    version_read = place.read_digests.get(name)
    if version_read is None:
        raise Refused(f"{name!r} has not been read yet; read it before changing it.")
    if version_read != contents.digest:
        raise Conflict(f"{name!r} has changed since it was read; read it again.")
    return _decoded(contents, name)


def make_directory(place: Workplace, path: str) -> str:
    """Make a folder, with those above it."""
    if make_folder(place, path):
        return f"Made the folder {place.name(path)}."
    return f"The folder {place.name(path)} already exists."


def list_files(
    place: Workplace, path: str = ".", pattern: str = "", recursive: bool = False
) -> str:
    """Names below a folder, folders with a slash; pattern: like *.py, for names or whole relative
    paths."""
    parts = place.parts(path)
    with file_errors("/".join(parts) or "."):
        names, passed = _listed(place, parts, recursive)
    matching = [name for name in names if not pattern or _fits(name, pattern)]
    if not matching:
        what = f"matches {pattern!r}" if pattern else "is there"
        return f"Nothing in {place.name(path)} {what}."
    lines = matching[:_LISTED]
    if len(matching) > _LISTED:
        lines.append(f"... and {len(matching) - _LISTED} more; name a folder or a pattern.")
    if passed:
        lines.append(f"Not looked into: {', '.join(sorted(passed))}.")
    return "\n".join(lines)


def _fits(name: str, pattern: str) -> bool:
    bare = name.rstrip("/")
    return fnmatch.fnmatchcase(bare, pattern) or fnmatch.fnmatchcase(
        bare.rsplit("/", 1)[-1], pattern
    )


def _listed(
    place: Workplace, parts: tuple[str, ...], recursive: bool
) -> tuple[list[str], set[str]]:
    """(names relative to the folder in order, names of folders that were not looked into)."""
    names: list[str] = []
    passed: set[str] = set()
    with place.folder(parts) as handle:
        for top, folders, files, _ in os.fwalk(".", dir_fd=handle, follow_symlinks=False):
            here = "/".join((*parts, *(() if top == "." else (top[2:],))))
            prefix = f"{here}/" if here else ""
            names += [f"{prefix}{name}/" for name in folders] + [
                f"{prefix}{name}" for name in files
            ]
            if recursive:
                passed |= _PASSED_OVER.intersection(folders)
            folders[:] = sorted(set(folders) - _PASSED_OVER) if recursive else []
            if len(names) > _VISITED:
                raise StorageError(
                    f"There are more than {_VISITED} files "
                    f"below {here or '.'}; name a folder in it."
                )
    return sorted(names), passed


def files_below(place: Workplace, most: int) -> tuple[list[str], bool]:
    """The files of the working directory, those of outer folders first, and whether there are more
    than `most`."""
    names: list[str] = []
    waiting: list[tuple[str, ...]] = [()]
    for parts in waiting:
        try:
            with place.folder(parts) as handle, os.scandir(handle) as entries:
                rows = sorted(
                    (entry.name, entry.is_dir(follow_symlinks=False), entry.is_file())
                    for entry in entries
                )
        except OSError:
            continue  # a folder that cannot be opened holds nothing to work on
        names += ["/".join((*parts, name)) for name, _, file in rows if file]
        waiting += [
            (*parts, name) for name, folder, _ in rows if folder and name not in _PASSED_OVER
        ]
        if len(names) > most:
            return names[:most], True
    return names, False


def apply_patch(place: Workplace, patch: str) -> str:
    """Apply a unified diff to several files: all of it, or nothing when one hunk does not fit."""
    planned = plan_patch(place, patch)
    write_all(place, [edit.change for edit in planned])
    return "\n".join(["Applied the patch:", *(_change_line(edit) for edit in planned)])


def _change_line(planned: FileChange) -> str:
    if planned.change.move_from:
        return f"  {planned.change.move_from} -> {planned.path}"
    return f"  {'made' if planned.before is None else 'changed'} {planned.path}"


def plan_patch(place: Workplace, patch: str) -> list[FileChange]:
    """What `apply_patch` would do. Raises EditError with every file and hunk that does not fit."""
    planned: list[FileChange] = []
    problems: list[str] = []
    for file_patch in parse(patch):
        try:
            planned.append(_planned(place, file_patch))
        except (EditError, NotFound) as error:
            problems.append(str(error))
    if problems:
        raise EditError("Nothing was changed. " + "\n".join(problems))
    return planned


def _planned(place: Workplace, patch: FilePatch) -> FileChange:
    place.check_writable(patch.new_path)
    name = place.name(patch.new_path)
    before, start, digest = None, "", None
    if patch.kind != "create":
        source = _name_for(place, patch)
        start = _read_before(place, source)
    if patch.kind == "change":
        before, digest = start, place.read_digests[source]
    elif place.exists(name):
        raise EditError(f"The patch makes {name!r}, which exists already.")
    after = apply_hunks(start, patch.hunks, name)
    origin = place.name(patch.old_path) if patch.kind == "rename" else None
    change = Change(name, _encoded(after, name), digest, origin, patch.executable)
    return FileChange(name, before, after, unified(before, after, name), change)


def _name_for(place: Workplace, patch: FilePatch) -> str:
    """The file a patch begins from. NotFound names one that looks like it."""
    name = place.name(patch.old_path)
    if place.exists(name):
        return name
    names, _ = files_below(place, _LOOKED_AT)
    near = difflib.get_close_matches(name, names, n=1)
    raise NotFound(f"There is no {name!r} to patch.{f' Did you mean {near[0]!r}?' if near else ''}")
