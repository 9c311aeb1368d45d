"""Chat completions as OpenAI defined them and nearly everybody serves them: LM Studio, llama.cpp,
vLLM, Ollama's /v1, OpenRouter, Hugging Face and OpenAI.

Format: https://platform.openai.com/docs/api-reference/chat. Known servers differ in what they leave
out, so every field but the text may be missing.
"""

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
from tools.models.faults import Fault, of_payload
from tools.models.model import Message, Request, Role
from tools.models.schema import closed

PATH = "/chat/completions"
_FINISH = {
    "stop": "stop", "eos": "stop", "eos_token": "stop", "stop_sequence": "stop", "end_turn": "stop",
    "length": "length", "max_tokens": "length", "tool_calls": "tool", "function_call": "tool",
    "content_filter": "refused",
}  # fmt: skip


def headers(key: str | None) -> dict[str, str]:
    """What every request to such an endpoint carries."""
    return {"Authorization": f"Bearer {key}"} if key else {}


def question(role: Role, request: Request, stream: bool, without: Without) -> dict[str, Any]:
    """The body of a POST to PATH."""
    messages = with_instruction(request, without)
    if "no_system" in without:
        messages = folded_system(messages)
    body: dict[str, Any] = {
        "model": role.model,
        "messages": [{"role": m.role, "content": _content(m)} for m in messages],
    }
    if (limit := role.most_tokens(request)) is not None:
        body["max_completion_tokens" if "completion_tokens" in without else "max_tokens"] = limit
    if "no_temperature" not in without:
        body["temperature"] = role.temperature
    if takes_schema(request, without):
        body["response_format"] = _format(request)
    body["stream"] = stream
    if stream and "no_stream_usage" not in without:
        body["stream_options"] = {"include_usage": True}
    return body


def whole(payload: Any, into: Gathered) -> None:
    """An answer that came in one piece."""
    answer = checked(payload)
    _common(answer, into)
    choice = _choice(answer)
    if choice is None:
        raise Fault("shape", "it has no choices")
    _take(choice, object_of(choice.get("message"), "the message"), into)
    into.is_complete = True


def event(payload: Any, into: Gathered) -> str:
    """One event of a stream. Usage may come with any of them, with the last, or never."""
    answer = checked(payload)
    _common(answer, into)
    choice = _choice(answer)
    if choice is None:
        return ""
    delta = choice.get("delta")
    piece = _take(choice, delta if isinstance(delta, dict) else {}, into)
    into.is_complete = into.is_complete or bool(into.finish)
    return piece


def _choice(answer: Mapping[str, Any]) -> Mapping[str, Any] | None:
    choices = answer.get("choices")
    if not isinstance(choices, list) or not choices:
        return None
    choice = object_of(choices[0], "the first choice")
    if choice.get("error"):
        raise of_payload(choice)
    return choice


def _common(answer: Mapping[str, Any], into: Gathered) -> None:
    model = answer.get("model")
    if isinstance(model, str) and model:
        into.model = model
    usage = answer.get("usage")
    if isinstance(usage, dict):
        if (count := whole_number(usage.get("prompt_tokens"))) is not None:
            into.input_tokens = count
        if (count := whole_number(usage.get("completion_tokens"))) is not None:
            into.output_tokens = count
        cost = usage.get("cost")
        if isinstance(cost, int | float) and not isinstance(cost, bool):
            into.cost = float(cost)


def _take(choice: Mapping[str, Any], message: Mapping[str, Any], into: Gathered) -> str:
    """Text, refusal, tool arguments and the reason for ending; the new text."""
    piece = _text(message.get("content"))
    if piece:
        into.text.append(piece)
    if isinstance(refusal := message.get("refusal"), str):
        into.refusal += refusal
    into.arguments += _arguments(message.get("tool_calls"))
    if isinstance(finish := choice.get("finish_reason"), str) and finish:
        into.finish = _FINISH.get(finish, "other")
        if finish == "error":
            raise of_payload(choice)
    return piece


def _arguments(calls: Any) -> list[str]:
    """What the tools of an answer are called with, as far as it has the usual form."""
    rows = calls if isinstance(calls, list) else []
    functions = [call.get("function") for call in rows if isinstance(call, dict)]
    arguments = [function.get("arguments") for function in functions if isinstance(function, dict)]
    return [text for text in arguments if isinstance(text, str)]


def _text(content: Any) -> str:
    """Content as text: some servers send a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [
            part.get("text")
            for part in content
            if isinstance(part, dict) and part.get("type") != "thinking"
        ]
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _format(request: Request) -> dict[str, Any]:
    schema = dict(request.schema or {})
    schema_format = {"name": request.schema_name, "schema": schema, "strict": closed(schema)}
    return {"type": "json_schema", "json_schema": schema_format}


def folded_system(messages: list[Message]) -> list[Message]:
    """The same without system messages: their text goes before the first of the user's."""
    system = "\n\n".join(m.text for m in messages if m.role == "system")
    rest = [m for m in messages if m.role != "system"]
    if not system or not rest:
        return rest or [Message("user", system)]
    first = rest[0]
    return [Message(first.role, f"{system}\n\n{first.text}", first.images), *rest[1:]]


def _content(message: Message) -> Any:
    if not message.images:
        return message.text
    pictures = [
        {
            "type": "image_url",
            "image_url": {"url": f"data:{i.media_type};base64,{i.base64}"},
        }
        for i in message.images
    ]
    return [{"type": "text", "text": message.text}, *pictures]
