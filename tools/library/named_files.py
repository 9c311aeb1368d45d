"""Files that a question names: a path, file:// or local://, taken where it lies in a folder of the
user's documents."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from tools.errors import Refused
from tools.text.asking import DOCUMENT_SUFFIXES as _SUFFIXES

MOST = 20  # files and folders that one question may name
LONGEST = 1000  # characters of one of them
_LEAD = r"(?:file://|local://|~/|\.{1,2}/|/|[A-Za-z]:\\)"
_TOKEN = re.compile(
    rf"\"(?P<quoted>{_LEAD}[^\"\n]{{1,{LONGEST}}})\""
    rf"|(?<![^\s(\[\"'“])(?P<bare>{_LEAD}[^\s\"'“”<>]{{1,{LONGEST}}}|[\w][\w./-]{{0,200}}\.(?:{_SUFFIXES})\b)",
    re.I,
)
_SCHEME = re.compile(r"(?:file|local)://(?:localhost(?=/))?", re.I)
_DOCUMENT = re.compile(rf".+\.(?:{_SUFFIXES})", re.I | re.S)
# Folders of a machine whose files are no subject; /dev/null and the paths of addresses are talked
# about
_SYSTEM = re.compile(
    r"/(?:etc|home|root|var|usr|opt|srv|proc|sys|tmp|mnt|media|boot|run|private|Users|Volumes)/[^/]"
    r"|~/(?:[^./]|\.[^/]+/.)|[A-Za-z]:\\\S"
)
_AFTER = ".,;:!?)]'"


@dataclass(frozen=True, slots=True)
class Named:
    """Where a question names a file or folder (start, end), and which: a path inside a root, or a
    document's id."""

    start: int
    end: int
    path: Path | None
    document_id: str | None = None


def may_name(question: str) -> bool:
    """Whether it is worth looking for files in a question at all."""
    return _TOKEN.search(question) is not None


def find_named(
    question: str,
    roots: Sequence[Path],
    home: str,
    document: Callable[[str], str | None] = lambda _: None,
) -> list[Named]:
    """The files and folders a question names, in order.

    roots: the folders of documents. home: the person's own folder, whose paths stay on this
    machine. document: the id of a document of the library by its id, name or title. Whether a file
    outside the roots exists is never looked at. Raises Refused for a target that lies in none of
    them; a path that is only talked about ("/dev/null") is none.
    """
    matches: list[Named] = []
    for match in _TOKEN.finditer(question):
        start, end = match.span(match.lastgroup or 0)
        typed = match.group(match.lastgroup or 0)
        if match.lastgroup == "bare":
            typed = typed.rstrip(_AFTER)
            end = start + len(typed)
        resolved = _resolved(typed, roots, document)
        if resolved is not None:
            # The quotation marks were there for the path's own spaces
            start, end = match.span() if match.lastgroup == "quoted" else (start, end)
            matches.append(Named(start, end, *resolved))
        elif _is_target(typed, home):
            raise Refused(
                f"{typed[:200]!r} is in none of your document folders (`zorora "
                "library --folders` lists them, `--add DIR` adds one); at the "
                "terminal, --docs reads a file for one report."
            )
    if len(matches) > MOST:
        raise Refused(
            f"The question names {len(matches)} files; at most {MOST} can be. A folder counts once."
        )
    return matches


def _resolved(
    typed: str, roots: Sequence[Path], document: Callable[[str], str | None]
) -> tuple[Path | None, str | None] | None:
    scheme = _SCHEME.match(typed)
    name = unquote(typed[scheme.end() :]) if scheme else typed
    if not name or "\x00" in name:
        return None
    if scheme and typed[:5].lower() == "local":
        trimmed = name.strip("/")
        if (first_match := document(trimmed) or document(trimmed.partition("/")[0])) is not None:
            return None, first_match
    path = inside(name, roots)
    return None if path is None else (path, None)


def inside(name: str, roots: Sequence[Path]) -> Path | None:
    """A path as it is, then below each root, with links and ".." resolved; None where it lies in no
    root.

    Hidden files and folders below a root are none of the user's documents.
    """
    real = [Path(os.path.realpath(root)) for root in roots]
    for path in _candidates(name, real):
        resolved = Path(os.path.realpath(path))
        root = next((root for root in real if resolved.is_relative_to(root)), None)
        if root is None or any(part.startswith(".") for part in resolved.relative_to(root).parts):
            continue
        if os.path.exists(resolved):  # noqa: PTH110  (a name that is too long is only not there)
            return resolved
    return None


def _candidates(name: str, roots: Sequence[Path]) -> Iterator[Path]:
    """Where a file of a name may lie: at the path as it is, then below each root."""
    whole = Path(os.path.expanduser(name) if name.startswith("~/") else name)  # noqa: PTH111  (never raises)
    if whole.is_absolute():
        yield whole
    if not name.startswith("~/"):
        yield from (root / name.lstrip("/") for root in roots)


def _is_target(typed: str, home: str) -> bool:
    """Whether somebody means a file of this machine, not a path that is talked about."""
    if _SCHEME.match(typed):
        return True
    document = _DOCUMENT.fullmatch(typed) is not None
    if len(home) > 1 and Path(typed).is_relative_to(home):
        return document or not Path(typed).name.startswith(".")
    if typed.startswith("../") or _SYSTEM.match(os.path.normpath(typed)):
        return True
    # "/notes.md" alone may be the path of an address that is talked about
    return (
        document
        and typed.startswith(("~/", "/", "./", "../"))
        and typed.count("/") > typed.startswith("/")
    )
