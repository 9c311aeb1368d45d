"""Asking a finished research further: plain forms, and for pages with scripts the answer as it is
written."""

from dataclasses import dataclass, replace
from functools import partial

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.models import ResearchState, Turn
from engine.reports.figures import origin_of
from engine.reports.reader_page import answer_id
from engine.reports.report_document import Block, Document, turn_prose
from ui.web import forms
from ui.web.background import sse
from ui.web.background.sse import Check, Say
from ui.web.context import engine, loaded, see_other
from ui.web.views.citations import Citing, short

bp = Blueprint("follow_up", __name__)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its answer. prose: what a model wrote, or of older records quotations; blocks:
    of the answer."""

    number: int
    turn: Turn
    facts: str
    prose: list[Block]
    blocks: list[Block]


def turns_of(state: ResearchState) -> list[Exchange]:
    """The conversation of a research as the page shows it."""
    document = Document(state)
    return [_turn(number, turn, document) for number, turn in enumerate(state.conversation, 1)]


def _turn(number: int, turn: Turn, document: Document) -> Exchange:
    # Sentences are numbered anew in each answer; on the page their names must differ
    sentences = tuple(
        replace(sentence, sentence_id=answer_id(number, sentence)) for sentence in turn.sentences
    )
    return Exchange(
        number,
        turn,
        origin_of(turn),
        turn_prose(replace(turn, sentences=sentences)),
        document.answer(turn.answer, f"t{number}-"),
    )


@bp.post("/research/<research_id>/follow")
def ask(research_id: str) -> ResponseReturnValue:
    """Ask the texts (the default), search further on the same record, or take the question to the
    first page."""
    question, way = forms.question(request.form.get("q", "")), request.form.get("to", "")
    if way == "new":
        return redirect(url_for("home.index", q=question, depth=request.form.get("depth", "")), 303)
    if way == "further":
        engine().asking.follow_ups.further(research_id, question)
        return see_other(
            url_for("research.show", research_id=research_id),
            f"Searching further for “{short(question, 160)}”. "
            "The answer will appear below the report.",
        )
    if sse.wants_events():
        return stream(research_id, question)
    answered = engine().asking.follow_ups.ask(research_id, question)
    return redirect(
        url_for("research.show", research_id=research_id, _anchor=f"turn-{answered.number}"), 303
    )


def stream(research_id: str, question: str) -> Response:
    """The answer as server-sent events: step (what is being done), piece (a sentence of a model
    that passed, or the whole answer), done (the turn as HTML), problem (a sentence)."""
    ask = engine().asking.follow_ups.ask

    def work(say: Say, check: Check) -> int:
        return ask(research_id, question, partial(say, "piece"), check, partial(say, "step")).number

    return sse.stream("follow-up", work, partial(turn_html, research_id))


def turn_html(research_id: str, number: int) -> str:
    """An answer as the page shows it."""
    state = loaded(research_id)
    return render_template(
        "fragments/turn.html",
        exchange=turns_of(state)[number - 1],
        rid=research_id,
        state=state,
        citing=Citing(state),
    )
