"""Views of the JSON interface for what is asked beside reports: texts, a model, quickly, documents,
pictures.

What takes seconds may be asked with `Accept: text/event-stream`: the answer then comes as it is
written (sse.py).
"""

import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from flask import Response
from werkzeug.exceptions import BadRequest

from engine.models import ResearchState, Turn
from engine.reports.about_reports import FollowUp, FoundSources, Policy
from ui.web import forms
from ui.web.api.model import Field, Files, Limit, Question, ReportId, plain
from ui.web.background import sse
from ui.web.background.sse import Check, Do, Say
from ui.web.context import attachment, engine

PICTURE = 20_000_001  # bytes read of a picture: one more than may be described
T = TypeVar("T")

Size = Literal["256x256", "512x512", "1024x1024", "1536x1024", "1024x1536", "auto"]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One exchange with the model. conversation_id: of the record that keeps it. Nothing in it was
    checked."""

    conversation_id: str
    turn: Turn


@dataclass(frozen=True, slots=True)
class Description:
    text: str
    model: str


def _answer(name: str, do: Do[T]) -> T | Response:
    """As events for those who read them, else the result when it is there."""
    if sse.wants_events():
        return sse.stream(name, do, plain)
    with sse.place():
        return do(lambda kind, text: None, lambda: None)


def follow(research_id: ReportId, question: Question) -> FollowUp | Response:
    """Ask about a finished report; answered from its stored texts and kept in its record."""
    text, ask = forms.question(question), engine().asking.follow_ups.ask

    def do(say: Say, check: Check) -> FollowUp:
        return ask(research_id, text, partial(say, "piece"), check, partial(say, "step"))

    return _answer("follow-up", do)


def ask(
    question: Question,
    conversation_id: Annotated[
        str, Field("The conversation to continue; if omitted, a new one.", length=200)
    ] = "",
) -> Conversation | Response:
    """Ask the reasoning model without a search; nothing is checked. The conversation is kept."""
    text, ask = forms.question(question), engine().asking.conversations.ask

    def do(say: Say, check: Check) -> Conversation:
        return Conversation(*ask(text, conversation_id or None, partial(say, "piece"), check))

    return _answer("conversation", do)


def quick_search(query: Question) -> ResearchState | Response:
    """A quick search: the news, a few web pages and the user's documents, finished in seconds.
    Returns its record."""
    text, search = forms.question(query), engine().asking.quick.search

    def do(say: Say, check: Check) -> ResearchState:
        return search(text, lambda event: say("step", event.message), check)

    return _answer("quick search", do)


def works(
    query: Annotated[str, Field("Their subject.", length=forms.QUESTION)], limit: Limit = 20
) -> FoundSources:
    """Scholarly works that fit a query, best first; nothing is read or kept."""
    with sse.place():
        return engine().asking.quick.academic(forms.question(query), limit)


def ask_documents(question: Question) -> Policy | Response:
    """Ask policy documents: a configured endpoint, otherwise the library, which answers with
    quotations. Nothing is kept."""
    text, policy = forms.question(question), engine().asking.quick.policy

    def do(say: Say, check: Check) -> Policy:
        return policy(text, partial(say, "piece"), check)

    return _answer("documents", do)


def make_image(
    prompt: Annotated[str, Field("The description.", length=forms.QUESTION)],
    size: Annotated[Size, Field("Width and height in pixels.")] = "1024x1024",
) -> Response:
    """Make a picture from a description, with the model of the role image_generation."""
    with sse.place():
        picture = engine().asking.pictures.make(forms.question(prompt), size)
    kind = picture.media_type.rpartition("/")[2]
    return attachment(picture.data, picture.media_type, f"picture.{kind}")


def describe_image(
    files: Files,
    task: Annotated[
        str, Field("What to look for; if omitted, describe all of it.", length=2000, query=True)
    ] = "",
) -> Description:
    """Describe a picture, with the model of the role vision."""
    if len(files) != 1:
        raise BadRequest("Send one picture at a time.")
    with sse.place(), tempfile.TemporaryDirectory(prefix="zorora-picture-") as folder:
        path = Path(folder) / "picture"  # the name a browser sends never becomes a path
        path.write_bytes(files[0].stream.read(PICTURE))
        reply = engine().asking.pictures.describe(path, task.strip())
    return Description(reply.text.strip(), reply.model)
