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


def follow(params: dict[str, Any]) -> Any:
    """Ask the texts of a research, or go on with a conversation."""
    question, ask = forms.question(params["question"]), engine().asking.follow_ups.ask

    def do(say: Say, check: Check) -> Any:
        return ask(params["research_id"], question, partial(say, "piece"), check, partial(say, "step"))

    return answered("follow-up", do)


def ask(params: dict[str, Any]) -> Any:
    """The reasoning model, without a search."""
    question, talk = forms.question(params["question"]), engine().asking.conversations

    def do(say: Say, check: Check) -> Conversation:
        return Conversation(*talk.ask(question, params["conversation_id"] or None, partial(say, "piece"), check))

    return answered("conversation", do)


def search(params: dict[str, Any]) -> Any:
    """Newsroom, web and documents, over in seconds; answers with the record that keeps it."""
    question, quick = forms.question(params["query"]), engine().asking.quick

    def do(say: Say, check: Check) -> ResearchState:
        return quick.search(question, lambda event: say("step", event.message), check)

    return answered("quick search", do, ResearchState.to_dict)


def works(params: dict[str, Any]) -> Works:
    with sse.held():
        works = engine().asking.quick.academic(forms.question(params["query"]), params["limit"])
    return Works(works.query, works.sources, works.problems)


def documents(params: dict[str, Any]) -> Any:
    """Policy documents: a configured endpoint, else the library, by quotation."""
    question, quick = forms.question(params["question"]), engine().asking.quick

    def do(say: Say, check: Check) -> PolicyAnswer:
        policy = quick.policy(question, partial(say, "piece"), check)
        return PolicyAnswer(policy.text, policy.model, policy.answer, policy.documents, policy.found, policy.note)

    return answered("documents", do)


def picture(params: dict[str, Any]) -> Response:
    """A picture as a file."""
    with sse.held():
        picture = engine().asking.pictures.make(forms.question(params["prompt"]), params["size"])
    answer = make_response(picture.data)
    answer.headers["Content-Type"] = picture.media_type
    answer.headers.set("Content-Disposition", "attachment", filename=f"picture.{picture.media_type.rpartition('/')[2]}")
    answer.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return answer


def describe(params: dict[str, Any]) -> Description:
    """What a picture shows: one file of a multipart form, field "files"."""
    files = [item for item in request.files.getlist("files") if item.filename]
    if len(files) != 1:
        raise BadRequest('Send one picture as multipart/form-data in the field "files".')
    with sse.held(), tempfile.TemporaryDirectory(prefix="zorora-picture-") as folder:
        path = Path(folder) / "picture"  # the name a browser sends never becomes a path
        path.write_bytes(files[0].stream.read(PICTURE))
        reply = engine().asking.pictures.describe(path, (params["task"] or "").strip())
    return Description(reply.text.strip(), reply.model)
