"""Views of the JSON interface for what is asked beside researches: texts, a model, quickly, documents, pictures.

What takes seconds may be asked with `Accept: text/event-stream`: the answer then comes as it is written (sse.py).
"""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from flask import Response, make_response, request
from werkzeug.exceptions import BadRequest

from engine.models import ResearchState, Source, Turn
from engine.reports.report_document import Answer
from ui.web import forms
from ui.web.api.model import plain
from ui.web.background import sse
from ui.web.background.sse import Check, Do, Say
from ui.web.context import engine

SIZES = ("256x256", "512x512", "1024x1024", "1536x1024", "1024x1536", "auto")
PICTURE = 20_000_001  # bytes read of a picture: one more than may be described


@dataclass(frozen=True, slots=True)
class Conversation:
    """One exchange with the model. conversation_id: of the record that keeps it. Nothing in it was checked."""

    conversation_id: str
    turn: Turn


@dataclass(frozen=True, slots=True)
class Works:
    """Scholarly works, best first. problems: one sentence per service that gave none."""

    query: str
    sources: tuple[Source, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PolicyAnswer:
    """text: of a configured endpoint, not checked; else an answer from documents of the library."""

    text: str
    model: str
    answer: Answer | None
    documents: tuple[Source, ...]
    found: bool
    note: str


@dataclass(frozen=True, slots=True)
class Description:
    text: str
    model: str


def answered(name: str, do: Do, end: Callable[[Any], Any] = plain) -> Any:
    """As events for those who read them, else the result when it is there."""
    if sse.wants_events():
        return sse.stream(name, do, end)
    with sse.held():
        return end(do(_unheard, _uncancelled))


def _unheard(kind: str, text: str) -> None:
    """Nobody reads along."""


def _uncancelled() -> None:
    """A request that is waited for ends by itself."""


def follow(given: dict[str, Any]) -> Any:
    """Ask the texts of a research, or go on with a conversation."""
    asked, ask = forms.question(given["question"]), engine().asking.follow_ups.ask

    def do(say: Say, check: Check) -> Any:
        return ask(given["research_id"], asked, partial(say, "piece"), check, partial(say, "step"))

    return answered("follow-up", do)


def ask(given: dict[str, Any]) -> Any:
    """The reasoning model, without a search."""
    asked, talk = forms.question(given["question"]), engine().asking.conversations

    def do(say: Say, check: Check) -> Conversation:
        return Conversation(*talk.ask(asked, given["conversation_id"] or None, partial(say, "piece"), check))

    return answered("conversation", do)


def search(given: dict[str, Any]) -> Any:
    """Newsroom, web and documents, over in seconds; answers with the record that keeps it."""
    asked, quick = forms.question(given["query"]), engine().asking.quick

    def do(say: Say, check: Check) -> ResearchState:
        return quick.search(asked, lambda event: say("step", event.message), check)

    return answered("quick search", do, ResearchState.to_dict)


def works(given: dict[str, Any]) -> Works:
    with sse.held():
        found = engine().asking.quick.academic(forms.question(given["query"]), given["limit"])
    return Works(found.query, found.sources, found.problems)


def documents(given: dict[str, Any]) -> Any:
    """Policy documents: a configured endpoint, else the library, by quotation."""
    asked, quick = forms.question(given["question"]), engine().asking.quick

    def do(say: Say, check: Check) -> PolicyAnswer:
        made = quick.policy(asked, partial(say, "piece"), check)
        return PolicyAnswer(made.text, made.model, made.answer, made.documents, made.found, made.note)

    return answered("documents", do)


def picture(given: dict[str, Any]) -> Response:
    """A picture as a file."""
    with sse.held():
        made = engine().asking.pictures.make(forms.question(given["prompt"]), given["size"])
    answer = make_response(made.data)
    answer.headers["Content-Type"] = made.media_type
    answer.headers.set("Content-Disposition", "attachment", filename=f"picture.{made.media_type.rpartition('/')[2]}")
    answer.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return answer


def describe(given: dict[str, Any]) -> Description:
    """What a picture shows: one file of a multipart form, field "files"."""
    files = [item for item in request.files.getlist("files") if item.filename]
    if len(files) != 1:
        raise BadRequest('Send one picture as multipart/form-data in the field "files".')
    with sse.held(), tempfile.TemporaryDirectory(prefix="zorora-picture-") as folder:
        path = Path(folder) / "picture"  # the name a browser sends never becomes a path
        path.write_bytes(files[0].stream.read(PICTURE))
        reply = engine().asking.pictures.describe(path, (given["task"] or "").strip())
    return Description(reply.text.strip(), reply.model)
