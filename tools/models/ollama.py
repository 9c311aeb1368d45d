"""Ollama's own API. Format: https://github.com/ollama/ollama/blob/main/docs/api.md.

Unlike its /v1 it takes the size of the context window, without which long questions are cut in
silence.
"""

from typing import Any

from tools.models import openai_compat
from tools.models.dialect import (
    Gathered,
    Without,
    checked,
    object_of,
    takes_schema,
    whole_number,
    with_instruction,
)
from tools.models.model import Message, Request, Role

PATH = "/api/chat"
headers = openai_compat.headers  # it asks for a key only in its cloud


def question(role: Role, request: Request, stream: bool, without: Without) -> dict[str, Any]:
    """The body of a POST to PATH."""
    options: dict[str, Any] = {"temperature": role.temperature}
    if (limit := role.most_tokens(request)) is not None:
        options["num_predict"] = limit
    if role.window:
        options["num_ctx"] = role.window
    body: dict[str, Any] = {
        "model": role.model,
        "messages": list(map(_message, with_instruction(request, without))),
        "stream": stream,
        "options": options,
    }
    if takes_schema(request, without):
        body["format"] = request.schema
    return body


def whole(payload: Any, into: Gathered) -> None:
    """An answer that came in one piece."""
    event(payload, into)
    into.is_complete = True


def event(payload: Any, into: Gathered) -> str:
    """One line of a stream; `thinking` is left out."""
    line = checked(payload)
    if isinstance(model := line.get("model"), str):
        into.model = model
    piece = object_of(line.get("message"), "the message").get("content")
    piece = piece if isinstance(piece, str) else ""
    if piece:
        into.text.append(piece)
    if line.get("done") is True:
        into.is_complete = True
        into.finish = {"stop": "stop", "length": "length"}.get(
            str(line.get("done_reason", "stop")), "other"
        )
        into.input_tokens = whole_number(line.get("prompt_eval_count"))
        into.output_tokens = whole_number(line.get("eval_count"))
    return piece


def _message(message: Message) -> dict[str, Any]:
    pictures = {"images": [image.base64 for image in message.images]} if message.images else {}
    return {"role": message.role, "content": message.text, **pictures}
