"""Unified diffs read and applied, strictly: every line of a hunk's context must be there as the
patch has it (no fuzz).

Forms: GNU unified diff
(https://www.gnu.org/software/diffutils/manual/html_node/Detailed-Unified.html) and what git adds to
it (new files, renames, copies, modes, quoted names). Pure functions over texts; patching.py does
the files.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tools.errors import EditError
from tools.host.diff import lines_of

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@.*")
_MODE = re.compile(r"(?:new file |new )mode (\d{6})")
_NOTHING = "/dev/null"
_NO_NEWLINE = "\\"
_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    '"': '"',
    "\\": "\\",
}


@dataclass(frozen=True, slots=True)
class Hunk:
    """start: line in the old text, counted from 1 (of an empty range: the line before). old, new:
    lines with ends."""

    start: int
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FilePatch:
    """What a patch does to one file. kind: change, create, rename, copy. executable: None where
    nothing is said."""

    kind: str
    old_path: str
    new_path: str
    hunks: tuple[Hunk, ...] = ()
    executable: bool | None = None


@dataclass(slots=True)
class _Header:
    """The lines before the hunks of one file."""

    old: str = ""
    new: str = ""
    names: dict[str, str] = field(default_factory=dict)
    created: bool = False
    mode: str = ""


def parse(text: str) -> list[FilePatch]:
    """The files of a patch, in order. Raises EditError for what is no patch, and for what is
    refused: deletions, links, binary files."""
    lines = _own_ends(text)
    patches: list[FilePatch] = []
    at = 0
    while at < len(lines):
        header, at = _header(lines, at)
        hunks: list[Hunk] = []
        while at < len(lines) and (match := _HUNK.fullmatch(lines[at].rstrip("\r\n"))):
            hunk, at = _hunk(lines, at + 1, match, len(hunks) + 1)
            hunks.append(hunk)
        if header.old or header.names:
            patches.append(_file_patch(header, tuple(hunks)))
        elif hunks:
            raise EditError(
                "The patch has a hunk before any file name (`--- a/name` and `+++ b/name`)."
            )
    if not patches:
        raise EditError(
            "This is not a unified diff: it has no `--- a/name`, "
            "`+++ b/name` and `@@ -1,2 +1,3 @@` lines."
        )
    _check_names(patches)
    return patches


def _own_ends(text: str) -> list[str]:
    """The lines of a patch; one written with "\\r\\n" throughout, headers too, is read as if with
    "\\n"."""
    lines = lines_of(text)
    heads = [line for line in lines if line.startswith(("--- ", "+++ ", "@@ "))]
    if heads and all(line.endswith("\r\n") for line in lines if line.endswith("\n")):
        return [line.replace("\r\n", "\n") for line in lines]
    return lines


def _header(lines: Sequence[str], at: int) -> tuple[_Header, int]:
    """Everything up to the first hunk of a file, or to the next file when there is none."""
    header = _Header()
    while at < len(lines):
        line = lines[at].rstrip("\r\n")
        if _HUNK.fullmatch(line):
            break
        if line.startswith("diff --git ") and (header.old or header.names):
            break
        if line.startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ "):
            if header.old:
                break
            header.old, header.new = _name(line[4:]), _name(lines[at + 1].rstrip("\r\n")[4:])
            at += 2
            continue
        _extended(header, line)
        at += 1
    return header, at


def _extended(header: _Header, line: str) -> None:
    """One of git's own header lines."""
    if line.startswith("deleted file mode"):
        raise EditError(
            "The patch deletes a file. Files are never deleted here; leave that part out."
        )
    if line.startswith(("GIT binary patch", "Binary files ")):
        raise EditError("The patch changes a binary file; only text can be patched.")
    for start in ("rename from ", "rename to ", "copy from ", "copy to "):
        if line.startswith(start):
            header.names[start.strip()] = _name(line[len(start) :])
    if mode := _MODE.fullmatch(line):
        if mode[1] not in ("100644", "100755"):
            raise EditError(
                f"The patch creates something of mode {mode[1]}; only plain files can be made."
            )
        header.mode = mode[1]
        header.created = header.created or line.startswith("new file mode")
    if line.startswith("diff --git ") and (names := _git_names(line[11:])):
        header.names.update({"git from": names[0], "git to": names[1]})


def _git_names(rest: str) -> tuple[str, str] | None:
    """Both names of a `diff --git` line, where they are the same but for a/ and b/ (else others
    lines tell)."""
    half = len(rest) // 2
    old, new = _name(rest[:half].strip()), _name(rest[half:].strip())
    return (
        (old, new) if old[2:] == new[2:] and old.startswith("a/") and new.startswith("b/") else None
    )


def _name(text: str) -> str:
    """A file name as it stands in a header: quoted like C, or plain up to a tab (behind it is a
    date)."""
    text = text.split("\t", 1)[0] if not text.startswith('"') else text
    if not (text.startswith('"') and text.rstrip().endswith('"') and len(text) > 1):
        return text.strip()
    data = re.sub(
        r"\\([0-7]{3}|.)",
        lambda m: chr(int(m[1], 8)) if m[1].isdigit() else _ESCAPES.get(m[1], m[1]),
        text.rstrip()[1:-1],
    )
    try:
        return data.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return data


def _file_patch(header: _Header, hunks: tuple[Hunk, ...]) -> FilePatch:
    executable = {"100755": True, "100644": False}.get(header.mode)
    if header.new == _NOTHING:
        raise EditError(
            f"The patch deletes {header.old!r}. Files are never deleted here; leave that part out."
        )
    for kind in ("rename", "copy"):
        if f"{kind} to" in header.names:
            source, target = header.names.get(f"{kind} from", ""), header.names[f"{kind} to"]
            return FilePatch(kind, source, target, hunks, executable)
    old = header.old or header.names.get("git from", "")
    new = header.new or header.names.get("git to", "")
    if not old or not new:
        raise EditError(
            "The patch names no file: the lines that begin "
            "with --- and +++ must each contain a name."
        )
    if old == _NOTHING or header.created:
        name = _stripped(new, new)
        return FilePatch("create", name, name, hunks, executable)
    source, name = _stripped(old, new), _stripped(new, old)
    if name not in (source, source.removesuffix(".orig")):
        raise EditError(
            f"The patch goes from {source!r} to {name!r} without saying that it renames; name one "
            "file."
        )
    return FilePatch("change", name, name, hunks, executable)


def _stripped(name: str, other: str) -> str:
    """A name without git's a/ or b/, where both names have one."""
    prefixed = all(path == _NOTHING or path.startswith(("a/", "b/")) for path in (name, other))
    return name[2:] if prefixed and name != _NOTHING else name


def _check_names(patches: Sequence[FilePatch]) -> None:
    names = Counter(patch.new_path for patch in patches)
    names.update({patch.old_path for patch in patches if patch.kind == "rename"})
    twice = sorted(name for name, count in names.items() if count > 1)
    if twice:
        raise EditError(f"The patch names {twice[0]!r} twice; put all its hunks under one name.")
    for patch in patches:
        if not patch.new_path or not patch.old_path:
            raise EditError("The patch has a file without a name.")
        if patch.kind == "change" and not patch.hunks and patch.executable is None:
            raise EditError(f"The patch changes nothing in {patch.new_path!r}.")


def _hunk(lines: Sequence[str], at: int, match: re.Match[str], number: int) -> tuple[Hunk, int]:
    """The hunk whose body begins at line `at`; the line behind it."""
    start, old_count, _, new_count = map(int, match.groups("1"))
    old: list[str] = []
    new: list[str] = []
    sides = {" ": (old, new), "-": (old,), "+": (new,)}
    while at < len(lines) and (
        len(old) < old_count or len(new) < new_count or lines[at].startswith(_NO_NEWLINE)
    ):
        mark, line = _body_line(lines[at])
        if mark == _NO_NEWLINE:
            _without_end(old, new, lines[at - 1])
        elif mark in sides:
            for side in sides[mark]:
                side.append(line)
        else:
            break
        at += 1
    if (len(old), len(new)) != (old_count, new_count):
        raise EditError(
            f"Hunk {number} says {old_count} old and {new_count} new lines but has {len(old)} and "
            f"{len(new)}; correct the numbers behind @@ or the lines."
        )
    return Hunk(start, tuple(old), tuple(new)), at


def _body_line(line: str) -> tuple[str, str]:
    """(mark, text). An empty line stands for an empty line of context: editors cut the space
    off."""
    if line in ("\n", "\r\n"):
        return (" ", line)
    return (line[:1], line[1:] if line.endswith("\n") else line[1:] + "\n")


def _without_end(old: list[str], new: list[str], before: str) -> None:
    """The line above the mark "No newline at end of file" has none."""
    for lines, marks in ((old, " -"), (new, " +")):
        if before[:1] in marks and lines:
            lines[-1] = lines[-1].removesuffix("\n")


def apply_hunks(text: str, hunks: Sequence[Hunk], name: str) -> str:
    """The text after the hunks. Each stands where it says, or elsewhere when its old lines are
    there exactly once.

    A patch without "\r" fits a text with "\r\n" throughout. Raises EditError that names every hunk
    that does not fit, and why.
    """
    bare = not any("\r" in line for hunk in hunks for line in (*hunk.old, *hunk.new))
    if bare and "\r\n" in text and text.count("\n") == text.count("\r\n"):
        return _applied(text.replace("\r\n", "\n"), hunks, name).replace("\n", "\r\n")
    return _applied(text, hunks, name)


def _applied(text: str, hunks: Sequence[Hunk], name: str) -> str:
    lines = lines_of(text)
    places: list[int] = []
    rejected: list[str] = []
    floor = shift = 0
    for number, hunk in enumerate(hunks, 1):
        try:
            at = _place(lines, hunk, floor, shift)
        except EditError as error:
            rejected.append(f"hunk {number} (line {hunk.start}): {error}")
            continue
        places.append(at)
        floor, shift = at + len(hunk.old), at - _stated(hunk)
    if rejected:
        raise EditError(f"The patch does not fit {name!r}: {'; '.join(rejected)}")
    return "".join(_rebuilt(lines, list(zip(places, hunks, strict=True))))


def _stated(hunk: Hunk) -> int:
    """The place a hunk names, counted from 0."""
    return hunk.start - 1 if hunk.old else hunk.start


def _place(lines: Sequence[str], hunk: Hunk, floor: int, shift: int) -> int:
    old = list(hunk.old)
    for at in (_stated(hunk) + shift, _stated(hunk)):
        if floor <= at <= len(lines) and lines[at : at + len(old)] == old:
            return at
    if not old:
        raise EditError(f"it adds lines after line {hunk.start}, but the file has {len(lines)}.")
    places = [
        at for at in range(floor, len(lines) - len(old) + 1) if lines[at : at + len(old)] == old
    ]
    if len(places) == 1:
        return places[0]
    if places:
        raise EditError(f"its lines occur in {len(places)} places, but not at the one it names.")
    raise EditError(_mismatch(lines, hunk, max(floor, _stated(hunk))))


def _mismatch(lines: Sequence[str], hunk: Hunk, at: int) -> str:
    for offset, expected in enumerate(hunk.old):
        if at + offset >= len(lines):
            return f"the file ends at line {len(lines)}."
        if lines[at + offset] != expected:
            return (
                f"line {at + offset + 1} is {lines[at + offset][:60]!r} and not {expected[:60]!r}."
            )
    return "its lines overlap those of the hunk before."


def _rebuilt(lines: Sequence[str], hunks: Sequence[tuple[int, Hunk]]) -> Iterator[str]:
    at = 0
    for start, hunk in hunks:
        yield from lines[at:start]
        yield from hunk.new
        at = start + len(hunk.old)
    yield from lines[at:]
