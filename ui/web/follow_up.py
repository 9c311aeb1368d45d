"""Asking a finished research further: plain forms, and for pages with scripts the answer as it is written."""

import json
import queue
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace

from flask import Blueprint, Response, redirect, render_template, request, stream_with_context, url_for
from flask.typing import ResponseReturnValue

from engine.models import Cancelled, Conflict, ResearchState, Turn, ZororaError
from engine.reader import answer_id
from ui.web import errors, forms
from ui.web.citing import Citing, Shown
from ui.web.context import engine

bp = Blueprint("follow_up", __name__)

BEAT = 0.5  # seconds between two signs of life, by which a closed page is noticed
STREAMS = threading.BoundedSemaphore(6)  # so that answers never hold all threads of the server


@dataclass(frozen=True, slots=True)
class Said:
    """A question and its answer. answered: whether the texts answer it. lines: of a model that searched nothing."""

    number: int
    time: str
    question: str
    sentences: list[Shown]
    answered: bool
    facts: str
    lines: tuple[str, ...] = ()


def said(state: ResearchState, citing: Citing) -> list[Said]:
    """The conversation of a research as the page shows it."""
    return [_said(number, turn, citing) for number, turn in enumerate(state.conversation, 1)]


def _said(number: int, turn: Turn, citing: Citing) -> Said:
    # Sentences are numbered anew in each answer; on the page their names must differ
    own = [replace(one, sentence_id=answer_id(number, one)) for one in turn.sentences]
    answered = bool(turn.text) or any(one.citations for one in turn.sentences)
    lines = tuple(line for line in turn.text.splitlines() if line.strip())
    return Said(number, turn.time, turn.question, citing.paragraph(own), answered, _facts(turn), lines)


def _facts(turn: Turn) -> str:
    """Who wrote an answer, and what was refused of it."""
    if turn.text:
        broken = f" {turn.problem}" if turn.problem else ""
        return f"{turn.model}, from what it knows; nothing was searched or checked.{broken}"
    if turn.model:
        refused = f"; {turn.refused} of its sentences did not pass and were left out" if turn.refused else ""
        return f"Written by {turn.model} and checked against the texts{refused}."
    return f"Quoted, because the model could not be used: {turn.problem}" if turn.problem else ""


@bp.post("/research/<research_id>/follow")
def ask(research_id: str) -> ResponseReturnValue:
    """Ask the texts (the default), search further on the same record, or take the question to the first page."""
    question, way = forms.question(request.form.get("q", "")), request.form.get("to", "")
    if way == "new":
        return redirect(url_for("home.index", q=question, depth=request.form.get("depth", "")), 303)
    if way == "further":
        engine().asking.follow_ups.further(research_id, question)
        return redirect(url_for("research.show", research_id=research_id), 303)
    if "text/event-stream" in request.headers.get("Accept", ""):
        return stream(research_id, question)
    made = engine().asking.follow_ups.ask(research_id, question)
    return redirect(url_for("research.show", research_id=research_id, _anchor=f"turn-{made.number}"), 303)


def stream(research_id: str, question: str) -> Response:
    """The answer as server-sent events: piece (a text), done (the turn as HTML), problem (a sentence)."""
    if not STREAMS.acquire(blocking=False):
        raise Conflict("Several questions are being answered already. Ask again in a moment.")
    work = _Work(research_id, question)
    work.start()
    answer = Response(stream_with_context(_events(work)), mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.call_on_close(work.gone.set)
    return answer


class _Work(threading.Thread):
    """One question being answered. pieces: its text as it comes, None at the end. gone: nobody listens any more."""

    def __init__(self, research_id: str, question: str) -> None:
        super().__init__(name="follow-up", daemon=True)
        self.research_id, self.question = research_id, question
        self.pieces: queue.Queue[str | None] = queue.Queue()
        self.gone = threading.Event()
        self.number = 0
        self.problem: ZororaError | None = None
        self._ask = engine().asking.follow_ups.ask

    def run(self) -> None:
        try:
            self.number = self._ask(self.research_id, self.question, self.pieces.put, self._check).number
        except ZororaError as problem:
            self.problem = problem
        finally:
            STREAMS.release()
            self.pieces.put(None)

    def _check(self) -> None:
        if self.gone.is_set():
            raise Cancelled("The page was closed.")


def _events(work: _Work) -> Iterator[str]:
    try:
        yield ": asked\n\n"
        while True:
            try:
                piece = work.pieces.get(timeout=BEAT)
            except queue.Empty:
                yield ": still there\n\n"
                continue
            if piece is None:
                break
            yield _event("piece", piece)
        yield _end(work)
    finally:
        work.gone.set()


def _end(work: _Work) -> str:
    state = engine().load_research(work.research_id) if work.number else None
    if state is None:
        fault = work.problem or RuntimeError("a follow-up question was not answered")
        return _event("problem", errors.describe(fault).sentence)
    turn = said(state, Citing(state))[work.number - 1]
    return _event("done", render_template("fragments/turn.html", turn=turn, rid=work.research_id))


def _event(name: str, data: str) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"
