"""Anthropic's Messages API. Format: https://docs.anthropic.com/en/api/messages.

A schema becomes a tool that the model has to call; its arguments are the answer.
"""

import json
from collections.abc import Mapping
from typing import Any

from tools.models.dialect import (
    Gathered,
    Without,
    checked,
    object_of,
    takes_schema,
    whole_number,
    with_instruction,
)
from tools.models.faults import Fault
from tools.models.model import Message, Request, Role

PATH = "/messages"
VERSION = "2023-06-01"
MAX_TOKENS = 4096  # the service wants a limit
_FINISH = {
    "end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length",
    "model_context_window_exceeded": "length", "tool_use": "tool", "refusal": "refused",
}  # fmt: skip


def headers(key: str | None) -> dict[str, str]:
    """What every request carries."""
    return {"anthropic-version": VERSION} | ({"x-api-key": key} if key else {})


def question(role: Role, request: Request, stream: bool, without: Without) -> dict[str, Any]:
    """The body of a POST to PATH."""
    messages = [m for m in with_instruction(request, without) if m.role != "system"]
    system = "\n\n".join(m.text for m in request.messages if m.role == "system")
    body: dict[str, Any] = {
        "model": role.model,
        "max_tokens": role.most_tokens(request) or MAX_TOKENS,
        "messages": [{"role": m.role, "content": _content(m)} for m in messages],
        "stream": stream,
    }
    if "no_temperature" not in without:
        body["temperature"] = role.temperature
    if system:
        body["system"] = system
    if takes_schema(request, without):
        tool = {
            "name": request.schema_name,
            "description": "Give the answer.",
            "input_schema": request.schema,
        }
        body |= {"tools": [tool], "tool_choice": {"type": "tool", "name": request.schema_name}}
    return body


def whole(payload: Any, into: Gathered) -> None:
    """An answer that came in one piece: text and tool blocks; thinking is left out."""
    answer = checked(payload)
    _start(answer, into)
    blocks = answer.get("content")
    if not isinstance(blocks, list):
        raise Fault("shape", "it has no content")
    for block in blocks:
        if not isinstance(block, dict):
            continue
        if block.get("type") == "text" and isinstance(block.get("text"), str):
            into.text.append(block["text"])
        elif block.get("type") == "tool_use":
            into.arguments.append(json.dumps(block.get("input")))
    _stop(answer, into)
    into.is_complete = True


def event(payload: Any, into: Gathered) -> str:
    """One event of a stream: message_start, content_block_delta, message_delta, message_stop,
    error, ping."""
    event = checked(payload)
    kind = event.get("type")
    if kind == "message_start":
        _start(object_of(event.get("message"), "the message"), into)
    elif kind == "message_delta":
        _stop(object_of(event.get("delta"), "the delta"), into)
        _usage(event.get("usage"), into)
    elif kind == "message_stop":
        into.is_complete = True
    elif kind == "content_block_delta":
        delta = object_of(event.get("delta"), "the delta")
        if isinstance(text := delta.get("text"), str) and delta.get("type") == "text_delta":
            into.text.append(text)
            return text
        if (
            isinstance(part := delta.get("partial_json"), str)
            and delta.get("type") == "input_json_delta"
        ):
            into.arguments.append(part)
    return ""


def _start(answer: Mapping[str, Any], into: Gathered) -> None:
    if isinstance(model := answer.get("model"), str):
        into.model = model
    _usage(answer.get("usage"), into)


def _stop(answer: Mapping[str, Any], into: Gathered) -> None:
    if isinstance(reason := answer.get("stop_reason"), str) and reason:
        into.finish = _FINISH.get(reason, "other")


def _usage(usage: Any, into: Gathered) -> None:
    """Tokens read from and written to the service's cache are input as well."""
    if not isinstance(usage, dict):
        return
    parts = [whole_number(usage.get(name)) for name in ("input_tokens", *_CACHED)]
    if parts[0] is not None:
        into.input_tokens = max(sum(part or 0 for part in parts), into.input_tokens or 0)
    if (count := whole_number(usage.get("output_tokens"))) is not None:
        into.output_tokens = max(count, into.output_tokens or 0)


_CACHED = ("cache_creation_input_tokens", "cache_read_input_tokens")


def _content(message: Message) -> Any:
    if not message.images:
        return message.text
    pictures = [
        {
            "type": "image",
            "source": {"type": "base64", "media_type": i.media_type, "data": i.base64},
        }
        for i in message.images
    ]
    return [*pictures, {"type": "text", "text": message.text}]
