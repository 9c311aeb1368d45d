"""What the user says about a research: star, tags, note, bin."""

from collections.abc import Mapping

from flask import Blueprint, flash, g, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from engine.models import Refused, UserMarks
from ui.web import forms
from ui.web.context import engine, own_path, see_other
from ui.web.pages import research

bp = Blueprint("marks", __name__)

BOTH = "Saved. The note had also been changed in another window; both texts are kept."


def back(research_id: str) -> ResponseReturnValue:
    """To where the form stood, else to the research."""
    return redirect(
        own_path(request.form.get("next") or url_for("research.show", research_id=research_id)), 303
    )


@bp.post("/research/<research_id>/star")
def star(research_id: str) -> ResponseReturnValue:
    engine().star(research_id, request.form.get("on") == "1")
    return back(research_id)


@bp.post("/research/<research_id>/marks")
def notes(research_id: str) -> ResponseReturnValue:
    """Tags and note, both from one form. What cannot be kept comes back in the form, with the
    reason."""
    state = engine().load_research(research_id)
    tags, note, both = merged(state.user if state else None, request.form)
    try:
        engine().note(research_id, note)
        engine().tag(research_id, tags)
    except Refused as problem:
        g.refused_marks = {
            "problem": str(problem),
            "tags": request.form.get("tags", ""),
            "note": note,
        }
        return make_response(research.show(research_id), 400)
    flash(BOTH if both else "Saved.")
    return back(research_id)


@bp.post("/research/<research_id>/source/<source_id>/check")
def check(research_id: str, source_id: str) -> ResponseReturnValue:
    """Whether the source says what a sentence cites it for; the mark that stands already is taken
    back."""
    mark = (
        "" if request.form.get("mark") == request.form.get("was") else request.form.get("mark", "")
    )
    engine().steering.check(research_id, source_id, request.form.get("use", ""), mark)
    anchor = request.form.get("at", "")[:200]
    return redirect(
        url_for("research.reader", research_id=research_id, source_id=source_id, _anchor=anchor),
        303,
    )


def merged(now: UserMarks | None, form: Mapping[str, str]) -> tuple[tuple[str, ...], str, bool]:
    """Tags and note to keep; whether the note holds two texts, because another tab had changed it
    since.

    The form brings what it was filled with (had_tags, had_note): what was saved elsewhere meanwhile
    is not undone.
    """
    tags, note = forms.tags(form.get("tags", "")), lines(form.get("note", ""))
    if now is None or "had_note" not in form:
        return tags, note, False
    had_tags, had_note = forms.tags(form.get("had_tags", "")), lines(form["had_note"])
    removed_tags = set(had_tags) - set(now.tags)
    come = [tag for tag in now.tags if tag not in had_tags]
    tags = tuple(dict.fromkeys([*(tag for tag in tags if tag not in removed_tags), *come]))
    if now.note in (had_note, note):
        return tags, note, False
    if note == had_note:
        return tags, now.note, False
    return tags, f"{note}\n\n{now.note}".strip(), bool(note and now.note)


def lines(text: str) -> str:
    """Text of a form with plain line ends."""
    return text.replace("\r\n", "\n").strip()


@bp.post("/research/<research_id>/delete")
def delete(research_id: str) -> ResponseReturnValue:
    """Into the bin, or for good when it is there already and the form says so."""
    for_good = request.form.get("now") == "1"
    engine().delete(research_id, now=for_good)
    if for_good:
        return see_other(url_for("history.index", bin=1), "Deleted for good.")
    return see_other(
        url_for("history.index"),
        "Moved to the bin. It stays there for 30 days.",
        f"bin {research_id}",
    )


@bp.post("/research/<research_id>/undelete")
def undelete(research_id: str) -> ResponseReturnValue:
    engine().undelete(research_id)
    return see_other(url_for("research.show", research_id=research_id), "Put back.")
