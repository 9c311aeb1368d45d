"""Bring in records that another Zorora exported."""

from collections import Counter
from collections.abc import Sequence

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import FileStorage

from engine.answers import Imported
from engine.models import Refused
from ui.web.context import engine
from ui.web.pages.library import UPLOAD_MB, plain_name
from ui.web.views.labels import many

bp = Blueprint("bring_in", __name__)

MOST = 100_000_000  # bytes of one file
FILES = 20
TOO_MANY = f"up to {FILES} files are read at once; send it again"


@bp.get("/import")
def form() -> str:
    return page()


def page(failed: Sequence[tuple[str, str]] = (), imported_ids: Sequence[str] = ()) -> str:
    """failed: (name, reason) of files that were refused; taken: ids of researches that were brought
    in."""
    return render_template(
        "import.html", failed=failed, taken=imported_ids, limits=(FILES, UPLOAD_MB)
    )


@bp.post("/import")
def upload() -> ResponseReturnValue:
    """Take the files; one is opened, several lead to the history, refused ones are named with
    reasons."""
    files = [item for item in request.files.getlist("files") if item.filename]
    imported, failed = _import(files)
    _flash(imported)
    research_ids = [record.research_id for record in imported]
    if failed or not files:
        return page(failed or [("No file", "Choose a file first.")], research_ids), 400
    if len(research_ids) == 1:
        return redirect(url_for("research.show", research_id=research_ids[0]), 303)
    return redirect(url_for("history.index"), 303)


def _import(files: Sequence[FileStorage]) -> tuple[list[Imported], list[tuple[str, str]]]:
    """The records that were imported; names and reasons of the files that were refused."""
    imported, failed = [], [(plain_name(item.filename or ""), TOO_MANY) for item in files[FILES:]]
    for item in files[:FILES]:
        try:
            imported.append(engine().import_record(item.stream.read(MOST + 1)))
        except Refused as problem:
            failed.append((plain_name(item.filename or ""), str(problem)))
    return imported, failed


def _flash(imported: Sequence[Imported]) -> None:
    if new := sum(record.new for record in imported):
        flash(
            "Imported."
            if len(imported) == 1
            else f"{many(new, 'report was', 'reports were')} imported."
        )
    notes = Counter(note for record in imported for note in record.notes)
    for note, times in notes.items():
        flash(note if times == 1 else f"{times} times: {note}")
