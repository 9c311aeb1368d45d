"""The user's own documents: add, search inside, read, remove."""

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from posixpath import commonprefix

from flask import (
    Blueprint,
    Response,
    flash,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import FileStorage

from engine import ResearchEngine
from engine.library.folder_suggestions import suggest
from engine.library.folder_watch import WatchState
from engine.maintenance import lost_index
from engine.maintenance.leftovers import clear_folder
from engine.models import (
    ConfigError,
    Conflict,
    Document,
    IngestedFile,
    NotFound,
    Refused,
    ZororaError,
)
from ui.web.background.work import READING, Reporter, background
from ui.web.context import engine, find_folder, live_part, see_other
from ui.web.security import check_served_here, served_here
from ui.web.views.labels import many

bp = Blueprint("library", __name__)

PER_PAGE = 50
MOST_FILES = 100  # of a reading, listed one by one
FILES, FILE_MB, UPLOAD_MB = 50, 50, 200  # files at once, MB of one, MB of all
UPLOADS = "zorora-upload-"  # how the names of the folders begin in which uploads wait to be read
AROUND = 12  # paragraphs before and after a passage


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Paragraphs as (before, marked, after); how many were left out; whether a passage is
    marked."""

    paragraphs: tuple[tuple[str, str, str], ...]
    hidden: int
    is_marked: bool


@bp.get("/library")
def index() -> str:
    """The documents, or the passages that a search finds in them."""
    return page()


def page(problem: str | None = None, typed: str = "") -> str:
    """problem: why the folder `given` was not added."""
    text = request.args.get("q", "").strip()[:500]
    folder = request.args.get("folder", "")
    documents = engine().library()
    folders = Counter(document.folder for document in documents)
    folder_documents = [document for document in documents if _lies_in(document, folder)]
    start = max(0, request.args.get("from", 0, type=int))
    return render_template(
        "library.html", text=text, folder=folder, folders=sorted(folders.items()),
        folder_links=folder_links(folder, folders),
        documents=documents,
        shown=folder_documents[start : start + PER_PAGE], count=len(folder_documents), start=start,
        per_page=PER_PAGE,
        hits=engine().search_library(text) if text else [], indexing=background(READING).state,
        roots=engine().roots(),
        watching=engine().watching(),
        may_add_folder=served_here(), limits=(FILES, FILE_MB, UPLOAD_MB),
        lost=lost_index.is_lost(engine().config.paths),
        passages=engine().get_stats().get("passages"), preparing=engine().preparing(begin=True),
        only_words=engine().only_words(),
        problem=problem, given=typed, most=MOST_FILES,
        suggested=suggest("", engine().roots()) if served_here() else [],
    )  # fmt: skip


def _lies_in(document: Document, folder: str) -> bool:
    """Whether a document lies in a folder or below it; in "" all do."""
    return f"{document.folder}/".startswith(f"{folder}/") or not folder


def folder_links(folder: str, folders: Iterable[str]) -> list[tuple[str, str]]:
    """Path and name of the folders above one and of those in it, or beside it where it has none."""
    every = [tuple(name.split("/")) for name in folders if name]
    root = tuple(commonprefix(every))
    open_folder = tuple(folder.split("/")) if folder else root

    def inside(path: tuple[str, ...]) -> list[tuple[str, ...]]:
        size = len(path) + 1
        return sorted(
            {other[:size] for other in every if other[: size - 1] == path and other[size - 1 :]}
        )

    level = open_folder if inside(open_folder) else open_folder[:-1]
    above = [level[:size] for size in range(len(root) + 1, len(level) + 1)]
    return [("/".join(path), path[-1]) for path in (*above, *inside(level))]


@bp.get("/library/indexing")
def progress() -> Response:
    """How far the reading is, for HTMX; at its end the page is loaded again."""
    state = background(READING).state
    return live_part("fragments/indexing.html", state.running, indexing=state, most=MOST_FILES)


@bp.get("/library/meaning")
def meaning() -> str:
    """How many vectors of documents are ready, for HTMX; nothing when all are."""
    return render_template("fragments/meaning.html", preparing=engine().preparing())


@bp.get("/library/folders")
def folders() -> Response:
    """Folders that begin like what is typed, one a line; only where the page is reached from this
    computer alone."""
    check_served_here("Folders can be listed")
    paths = suggest(request.args.get("path", "")[:1000], engine().roots())
    return Response("\n".join(paths), content_type="text/plain; charset=utf-8")


@bp.get("/library/<document_id>")
def document(document_id: str) -> str:
    """The text of a document, around a passage when the address names one."""
    document = find_document(document_id)
    text = engine().snapshot_text(document.snapshot_id) if document.snapshot_id else ""
    start, end = request.args.get("start", 0, type=int), request.args.get("end", 0, type=int)
    whole, at = request.args.get("show") == "all", request.args.get("at", 0, type=int)
    sections = [part for part in engine().document_sections(document_id) if part.title.strip()]
    return render_template(
        "document.html",
        document=document,
        view=around(text, start, end, whole, at),
        whole=whole,
        sections=sections,
        at=at,
    )


def find_document(document_id: str) -> Document:
    """A document of the library, or NotFound."""
    documents = engine().library([document_id])
    if not documents:
        raise NotFound("This document is not in the library. It may have been removed.")
    return documents[0]


def around(text: str, start: int, end: int, whole: bool, opened: int = 0) -> Excerpt:
    """The paragraphs around a passage (code points start..end); without one, those from `opened`
    on."""
    if not 0 <= start < end <= len(text):
        start = end = -1
    lines: list[tuple[str, str, str]] = []
    hits: list[int] = []
    first_shown = at = 0
    for line in text.split("\n"):
        if line.strip():
            first, last = (max(0, min(len(line), place - at)) for place in (start, end))
            if first < last:
                hits.append(len(lines))
            first_shown = len(lines) if at <= opened else first_shown
            lines.append((line[:first], line[first:last], line[last:]))
        at += len(line) + 1
    begin = max(0, hits[0] - AROUND) if hits else first_shown
    stop = hits[-1] + AROUND + 1 if hits else begin + 4 * AROUND
    excerpt_lines = lines if whole else lines[begin:stop]
    return Excerpt(tuple(excerpt_lines), len(lines) - len(excerpt_lines), bool(hits))


@bp.post("/library/upload")
def upload() -> ResponseReturnValue:
    """Take files; they are kept in a temporary folder until they have been read."""
    files = [item for item in request.files.getlist("files") if item.filename]
    if not files:
        return see_other(url_for("library.index"), "Choose at least one file first.")
    if len(files) > FILES:
        raise Refused(
            f"{len(files)} files are too many for one upload. "
            f"Send up to {FILES}, or add their folder."
        )
    clear_folder(Path(tempfile.gettempdir()), f"{UPLOADS}*")
    folder = Path(tempfile.mkdtemp(prefix=UPLOADS))
    saved, failed = keep(files, folder)
    front = engine()

    def read_files(reporter: Reporter) -> tuple[IngestedFile, ...]:
        files = [IngestedFile(name, "refused", reason=reason) for name, reason in failed]
        try:
            for name, reason in failed:
                reporter.count(name, 0, len(saved), reason)
            for number, (name, path) in enumerate(saved, 1):
                reporter.count(name, number - 1, len(saved), None)
                files.append(read_one(front, name, path))
                reporter.count(name, number, len(saved), files[-1].reason)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return tuple(files)

    try:
        background(READING).start(read_files)
    except Conflict:
        shutil.rmtree(folder, ignore_errors=True)
        flash("Other documents are being read now. Upload these again when that is finished.")
    return redirect(url_for("library.index"), 303)


def keep(
    files: Sequence[FileStorage], folder: Path
) -> tuple[list[tuple[str, Path]], list[tuple[str, str]]]:
    """(name, temporary path) of the files that are small enough, and (name, reason) of the others.

    The name a browser sends is a title only; it never becomes a path.
    """
    saved, failed = [], []
    for number, item in enumerate(files):
        name = plain_name(item.filename or "")
        path = folder / f"{number}"
        item.save(path)
        if path.stat().st_size > FILE_MB * 1024 * 1024:
            path.unlink()
            failed.append((name, f"larger than {FILE_MB} MB; add its folder instead"))
        else:
            saved.append((name, path))
    return saved, failed


def plain_name(name: str) -> str:
    """The last part of a file name, printable, at most 200 characters."""
    last = PurePosixPath(name.replace("\\", "/")).name
    return "".join(sign for sign in last if sign.isprintable())[-200:] or "document"


def read_one(front: ResearchEngine, name: str, path: Path) -> IngestedFile:
    """Index one upload, and say what became of it."""
    try:
        document = front.upload(name, path.read_bytes())
    except ZororaError as problem:
        return IngestedFile(name, "refused", reason=str(problem))
    if document.status == "failed":
        return IngestedFile(name, "refused", reason=document.problem or "It could not be read.")
    date = document.published, document.published_from
    return IngestedFile(name, "added", document.folder, document.document_id, document.title, *date)


@bp.post("/library/folder")
def folder() -> ResponseReturnValue:
    """Add a folder of this computer; only where the page is reached from this computer alone."""
    check_served_here("Folders can be added")
    path = request.form.get("folder", "").strip()
    if not path:
        return see_other(url_for("library.index"), "Enter the path of a folder first.")
    try:
        engine().add_root(path)
    except (ConfigError, NotFound, Refused) as problem:
        return page(str(problem), path), 400
    busy = (
        "The folder was added. Other documents are being read "
        "now; choose Read again when they are done."
    )
    return _ingest([path], busy)


@bp.post("/library/examples")
def examples() -> ResponseReturnValue:
    """Read the documents that come with Zorora, for somebody who wants to try it first."""
    return _ingest(
        [str(find_folder("examples"))],
        "Other documents are being read now. Add the examples when that is finished.",
    )


@bp.post("/library/refresh")
def refresh() -> ResponseReturnValue:
    """Read all folders again."""
    return _ingest(engine().roots(), READING.again)


def _ingest(paths: list[str], busy: str) -> ResponseReturnValue:
    """busy: what is said while other documents are being read."""
    try:
        read_folders(paths)
    except Conflict:
        flash(busy)
    return redirect(url_for("library.index"), 303)


def read_folders(paths: list[str], wait: float | None = None) -> None:
    """Begin to read folders. Conflict while documents are being read."""
    ingest = engine().ingest
    background(READING).start(
        lambda reporter: ingest(paths, progress=reporter.count).files, wait=wait
    )


@bp.post("/library/stop")
def stop() -> ResponseReturnValue:
    """End a reading that is under way."""
    background(READING).stop()
    return redirect(url_for("library.index"), 303)


@bp.post("/library/watch")
def watch() -> ResponseReturnValue:
    """Watch the folders, or stop watching them."""
    check_served_here("Folders can be watched")
    on = request.form.get("on") == "1"
    set_watching(on)
    return see_other(
        url_for("library.index"),
        "The folders are watched whenever Zorora runs."
        if on
        else "The folders are no longer watched.",
    )


def set_watching(on: bool) -> WatchState:
    """Begin or end, now and for every later start of the server."""
    engine().set_setting("corpus.watch", "true" if on else "false")
    return engine().watch_folders(on)


@bp.post("/library/<document_id>/remove")
def remove(document_id: str) -> ResponseReturnValue:
    """After the page that asks once more: the copy of an upload goes with its document."""
    if request.form.get("sure") != "1":
        return render_template("remove.html", document=find_document(document_id))
    engine().remove_document(document_id)
    return see_other(url_for("library.index"), "Removed from the library.")


@bp.post("/library/clear")
def clear() -> ResponseReturnValue:
    """Remove all documents of one folder, after the page that asks once more."""
    name = request.form.get("folder", "")
    ids = [
        document.document_id for document in engine().library() if name and _lies_in(document, name)
    ]
    if not ids:
        raise NotFound("The library has no documents from this folder; they may have been removed.")
    if request.form.get("sure") != "1":
        return render_template("remove.html", folder=name, count=len(ids))
    for document_id in ids:
        engine().remove_document(document_id)
    return see_other(
        url_for("library.index"), f"{many(len(ids), 'document')} removed from the library."
    )


@bp.post("/library/folder/remove")
def remove_folder() -> ResponseReturnValue:
    """Read a folder no longer."""
    forget_folder(request.form.get("folder", ""))
    return see_other(
        url_for("library.index"),
        "The folder will not be read again. Its documents "
        "stay in the library until you remove them.",
    )


def forget_folder(path: str) -> list[str]:
    """Take a folder out of those that are read; the ones that are left. The folder in the home
    always is."""
    check_served_here("Folders can be changed")
    first, *added = engine().roots()
    if path == first:
        raise Refused("This folder belongs to Zorora itself and is always read.")
    if path not in added:
        raise NotFound("This folder is not among those that are read.")
    engine().set_setting("corpus.roots", ", ".join(folder for folder in added if folder != path))
    return engine().roots()
