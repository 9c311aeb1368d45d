"""What the user says about a research: star, tags, note, bin."""

from flask import Blueprint, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from ui.web import forms
from ui.web.context import engine
from ui.web.signin import own_path

bp = Blueprint("marks", __name__)

NOTE = 20_000


def back(research_id: str) -> ResponseReturnValue:
    """To where the form stood, else to the research."""
    return redirect(own_path(request.form.get("next") or url_for("research.show", research_id=research_id)), 303)


@bp.post("/research/<research_id>/star")
def star(research_id: str) -> ResponseReturnValue:
    engine().star(research_id, request.form.get("on") == "1")
    return back(research_id)


@bp.post("/research/<research_id>/marks")
def notes(research_id: str) -> ResponseReturnValue:
    """Tags and note, both from one form."""
    engine().tag(research_id, forms.tags(request.form.get("tags", "")))
    engine().note(research_id, request.form.get("note", "")[:NOTE].strip())
    flash("Saved.")
    return back(research_id)


@bp.post("/research/<research_id>/delete")
def delete(research_id: str) -> ResponseReturnValue:
    """Into the bin, or for good when it is there already and the form says so."""
    for_good = request.form.get("now") == "1"
    engine().delete(research_id, now=for_good)
    flash("Deleted for good." if for_good else "Moved to the bin. It stays there for 30 days.")
    return redirect(url_for("history.index", bin=1 if for_good else None), 303)


@bp.post("/research/<research_id>/undelete")
def undelete(research_id: str) -> ResponseReturnValue:
    engine().undelete(research_id)
    flash("Put back.")
    return redirect(url_for("research.show", research_id=research_id), 303)
