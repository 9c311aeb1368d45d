"""Views of the JSON interface for the user's documents and folders."""

import contextlib
from dataclasses import dataclass
from typing import Annotated

from werkzeug.exceptions import BadRequest

from engine.answers import LibraryHit
from engine.library.folder_watch import WatchState
from engine.models import Conflict, Document, Section, ZororaError
from ui.web.api.model import Done, Field, Files, Indexed, progress_of
from ui.web.background.work import READING, background
from ui.web.context import engine
from ui.web.pages import library
from ui.web.pages.library import FILE_MB, FILES, plain_name
from ui.web.security import check_served_here

DocumentId = Annotated[str, Field("The name of a document.", length=200)]


@dataclass(frozen=True, slots=True)
class FailedFile:
    """A file that was not added, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Uploaded:
    """What became of files that were sent."""

    documents: tuple[Document, ...]
    failed: tuple[FailedFile, ...]


@dataclass(frozen=True, slots=True)
class Prepared:
    """How many passages of documents search by meaning knows already, of how many."""

    ready: int
    total: int


@dataclass(frozen=True, slots=True)
class DocumentText:
    document: Document
    text: str
    sections: tuple[Section, ...]


def documents() -> list[Document]:
    """The user's documents."""
    return engine().library()


def upload(files: Files) -> Uploaded:
    """Add files."""
    if len(files) > FILES:
        raise BadRequest(f"Up to {FILES} files at once.")
    added, failed = [], []
    for item in files:
        name, data = plain_name(item.filename or ""), item.stream.read(FILE_MB * 1024 * 1024 + 1)
        if len(data) > FILE_MB * 1024 * 1024:
            failed.append(FailedFile(name, f"larger than {FILE_MB} MB"))
            continue
        try:
            added.append(engine().upload(name, data))
        except ZororaError as problem:
            failed.append(FailedFile(name, str(problem)))
    return Uploaded(tuple(added), tuple(failed))


def document(document_id: DocumentId) -> DocumentText:
    """A document, its text and its sections."""
    document = library.find_document(document_id)
    text = engine().snapshot_text(document.snapshot_id) if document.snapshot_id else ""
    return DocumentText(document, text, tuple(engine().document_sections(document.document_id)))


def remove_document(document_id: DocumentId) -> Done:
    """Remove a document; its file stays."""
    engine().remove_document(document_id)
    return Done()


def search_documents(
    q: Annotated[str, Field("Words to look for.")],
    limit: Annotated[int, Field("The maximum number of passages.", low=1, high=100)] = 20,
) -> list[LibraryHit]:
    """Search inside the documents."""
    return engine().search_library(q, limit=limit)


def folders() -> list[str]:
    """The document folders."""
    return engine().roots()


def add_folder(
    path: Annotated[str, Field("A folder of the computer the server runs on.", length=4000)],
) -> Indexed:
    """Add a folder and start reading it."""
    check_served_here("Folders can be added")
    engine().add_root(path)
    return _read_folders([path])


def remove_folder(
    path: Annotated[str, Field("A folder of /library/folders.", length=4000)],
) -> list[str]:
    """Stop reading a folder; its documents stay. Returns the remaining folders."""
    return library.forget_folder(path)


def refresh() -> Indexed:
    """Read all folders again."""
    return _read_folders(engine().roots())


def _read_folders(folders: list[str]) -> Indexed:
    """Read folders in the background. One that begins while another goes on waits for a refresh."""
    with contextlib.suppress(Conflict):
        library.read_folders(folders, wait=0.0)
    return reading()


def meaning() -> Prepared:
    """How many passages are prepared for search by meaning."""
    return Prepared(*engine().preparing())


def reading() -> Indexed:
    """The progress of the reading."""
    return progress_of(READING)


def stop_reading() -> Indexed:
    """Stop after the current file; what was read is kept."""
    background(READING).stop()
    return reading()


def watching() -> WatchState:
    """Whether the folders are watched."""
    return engine().watching()


def watch(on: bool) -> WatchState:
    """Watch the folders, or stop."""
    check_served_here("Folders can be watched")
    return library.set_watching(on)
