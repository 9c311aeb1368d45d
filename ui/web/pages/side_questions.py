"""Quick searches and conversations begun on the first page: made in the background, watched until
they are there."""

import secrets
from collections.abc import Callable

from flask import Blueprint, Response, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from engine.models import NotFound
from ui.web.background.work import QUESTIONS, Reporter, Work, background
from ui.web.context import engine, live_part

bp = Blueprint("asked", __name__, url_prefix="/asked")

SOON = 1.0  # seconds within which an answer needs no page to be watched on


# How a question is answered besides a research, in words
WAYS = {
    "search": {
        "heading": "Searching the news, the web and your documents",
        "hint": "A few pages are read. The answer is kept in the history.",
        "failed": "The quick search failed",
    },
    "ask": {
        "heading": "Asking the model",
        "hint": "Nothing is searched, and nothing the model says is checked. "
        "The conversation is kept in the history.",
        "failed": "The model did not answer",
    },
}


def begun(way: str, question: str) -> ResponseReturnValue:
    """Begin to answer. What is there within a second leads straight to it."""
    key = secrets.token_hex(8)
    background(QUESTIONS).start(answering(way, question), key, Work(way, question), SOON)
    return redirect(url_for("asked.show", key=key), 303)


def answering(way: str, question: str) -> Callable[[Reporter], str]:
    """The work itself, which runs outside of the request: the id of what it kept."""
    asking = engine().asking

    def search(reporter: Reporter) -> str:
        return asking.quick.search(question, reporter.event, reporter.check).research_id

    def ask(reporter: Reporter) -> str:
        return asking.conversations.ask(question, None, reporter.text, reporter.check)[0]

    return {"search": search, "ask": ask}[way]


@bp.get("/<key>")
def show(key: str) -> ResponseReturnValue:
    """How far the answer is; when it is there, what was kept of it."""
    work = find_work(key)
    if work.result:
        return redirect(url_for("research.show", research_id=work.result), 303)
    return render_template("asked.html", key=key, work=work, way=WAYS[work.action])


def find_work(key: str) -> Work:
    work = background(QUESTIONS).of(key)
    if work is None:
        raise NotFound(
            "This answer is no longer being prepared. Finished answers are in the history."
        )
    return work


@bp.get("/<key>/progress")
def progress(key: str) -> Response:
    """The part of the page that changes, for HTMX; at its end the page is loaded again."""
    work = background(QUESTIONS).of(key)
    running = work is not None and work.running
    return live_part("fragments/asked.html", running, key=key, work=work)


@bp.post("/<key>/stop")
def stop(key: str) -> ResponseReturnValue:
    find_work(key)
    background(QUESTIONS).stop(key)
    return redirect(url_for("asked.show", key=key), 303)
