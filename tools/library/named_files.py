"""Files that a question names: a path, file:// or local://, taken where it lies in a folder of the
user's documents; and documents of the library by the names of their files."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from tools.documents.model import Document
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
_LEADS = re.compile(_LEAD, re.I)
_SCHEME = re.compile(r"(?:file|local)://(?:localhost(?=/))?", re.I)
_DOCUMENT = re.compile(rf".+\.(?:{_SUFFIXES})", re.I | re.S)
# Folders of a machine whose files are no subject; /dev/null and the paths of addresses are talked
# about
_SYSTEM = re.compile(
    r"/(?:etc|home|root|var|usr|opt|srv|proc|sys|tmp|mnt|media|boot|run|private|Users|Volumes)/[^/]"
    r"|~/(?:[^./]|\.[^/]+/.)|[A-Za-z]:\\\S"
)
# Those that texts speak of; what lies in the others is somebody's own
_SHARED = re.compile(r"/(?:boot|etc|mnt|opt|proc|run|sys|tmp|usr|var)/")
_AFTER = ".,;:!?)]'"
# "What belongs into a README.md?" asks about any
_ANY = frozenset("a an any another each every some".split())
_BEFORE = " \"'“(["
_MOST_WORDS = 12  # of the name of a file with spaces


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
    by_name: Callable[[str], str | None] = lambda _: None,
    is_written: Callable[[str], bool] = lambda _: False,
) -> list[Named]:
    """The files and folders a question names, in order.

    roots: the folders of documents. home: the person's own folder, whose paths stay on this
    machine. document: the id of a document of the library by its id, name or title; by_name: by the
    name of its file alone, for names that lie below no root. is_written: whether a text of the
    library speaks of a path. Whether a file outside the roots exists is never looked at. Raises
    Refused for a target that lies in none of them; a path that is only talked about ("/dev/null")
    is none.
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
        elif library_match := _in_library(question, typed, end, matches, by_name):
            matches.append(library_match)
        elif _is_target(typed, home, is_written):
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


def _in_library(
    question: str,
    typed: str,
    end: int,
    before: Sequence[Named],
    by_name: Callable[[str], str | None],
) -> Named | None:
    """The document of the library whose name ends with what is typed up to a place of a question.

    before: what the question names before, of which no word belongs to the name. Other words may
    ("Annual report 2024.pdf"): the longest name is taken.
    """
    starts = [end - len(typed)]
    is_any = question[: starts[0]].rstrip(_BEFORE).rpartition(" ")[2].lower() in _ANY
    if is_any or _LEADS.match(typed) or not _DOCUMENT.fullmatch(typed):
        return None
    first = before[-1].end if before else 0
    while len(starts) < _MOST_WORDS and question[first : starts[-1]].endswith(" "):
        starts.append(question.rfind(" ", first, starts[-1] - 1) + 1 or first)
    for word in reversed(starts):
        begin = end - len(question[word:end].lstrip(_BEFORE))
        if (document_id := by_name(question[begin:end])) is not None:
            return Named(begin, end, None, document_id)
    return None


def documents_by_name(name: str, documents: Sequence[Document]) -> list[Document]:
    """The documents with a text whose file has a name, which may begin with its folders
    ("minutes/may.md"); where none is written so, in any case of letters.

    Where a name gives the whole path below what was added, only that one.
    """
    readable = [(f"/{d.folder}/{d.name}".replace("//", "/"), d) for d in documents if d.snapshot_id]
    if "/" in name and (exact := [d for path, d in readable if path == f"/{name}"]):
        return exact
    folded = [(path.casefold(), d) for path, d in readable]
    return _ending_in(f"/{name}", readable) or _ending_in(f"/{name}".casefold(), folded)


def _ending_in(end: str, documents: Sequence[tuple[str, Document]]) -> list[Document]:
    return [document for path, document in documents if path.endswith(end)]


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


def _is_target(typed: str, home: str, is_written: Callable[[str], bool]) -> bool:
    """Whether somebody means a file of this machine, not a path that is talked about."""
    if _SCHEME.match(typed):
        return True
    document = _DOCUMENT.fullmatch(typed) is not None
    if len(home) > 1 and Path(typed).is_relative_to(home):
        return document or not Path(typed).name.startswith(".")
    if typed.startswith("../"):
        return True
    path = os.path.normpath(typed)
    if _SYSTEM.match(path):
        return not (_SHARED.match(path) and is_written(typed))
    # "/notes.md" alone may be the path of an address that is talked about
    return (
        document
        and typed.startswith(("~/", "/", "./", "../"))
        and typed.count("/") > typed.startswith("/")
    )
