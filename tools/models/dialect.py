"""What differs between kinds of endpoints: how a question is put, how an answer reads."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from tools.models.faults import Fault, of_payload
from tools.models.model import Message, Request, Role


@dataclass(slots=True)
class Gathered:
    """An answer being put together. input_tokens / output_tokens: None until the endpoint tells.

    finish: stop, length, tool, refused, or other as the endpoint names it; empty while the answer
    goes on. is_complete: whether the endpoint said that this is all.
    """

    text: list[str] = field(default_factory=list)
    # JSON given to the one tool that stands for the schema
    arguments: list[str] = field(default_factory=list)
    model: str = ""
    finish: str = ""
    refusal: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    is_complete: bool = False


# What an endpoint or model was found not to take: no_schema, no_temperature, no_stream,
# no_stream_usage, no_system, completion_tokens (the newer name of max_tokens)
Without = frozenset[str]


class Dialect(Protocol):
    """One kind of endpoint, as its module has it. PATH: below the endpoint's address. `question`
    gives the body to be sent as JSON; `whole` and `event` add to what was gathered.

    Both raise Fault. `event` returns the new piece of the answer's text.
    """

    PATH: str

    def headers(self, key: str | None) -> dict[str, str]: ...
    def question(
        self, role: Role, request: Request, stream: bool, without: Without
    ) -> dict[str, Any]: ...
    def whole(self, payload: Any, into: Gathered) -> None: ...
    def event(self, payload: Any, into: Gathered) -> str: ...


def takes_schema(request: Request, without: Without) -> bool:
    """Whether the endpoint itself holds the answer to the schema of a question."""
    return request.schema is not None and "no_schema" not in without


def with_instruction(request: Request, without: Without) -> list[Message]:
    """The messages of a question; where the endpoint cannot be held to its schema by itself, the
    last of the user's names it."""
    import json

    if request.schema is None or takes_schema(request, without):
        return list(request.messages)
    schema = json.dumps(request.schema, ensure_ascii=False, separators=(",", ":"))
    added = (
        "\n\nAnswer with JSON alone, without other words. It must follow this JSON schema:\n"
        f"{schema}"
    )
    last = max((i for i, m in enumerate(request.messages) if m.role == "user"), default=-1)
    return [
        replace(message, text=message.text + added) if number == last else message
        for number, message in enumerate(request.messages)
    ]


def whole_number(value: Any) -> int | None:
    """A count of tokens, or None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def object_of(value: Any, what: str) -> Mapping[str, Any]:
    """The value as an object. Raises Fault."""
    if not isinstance(value, dict):
        raise Fault("shape", f"{what} is missing or no object")
    return value


def checked(payload: Any) -> Mapping[str, Any]:
    """An answer, or an event of one, as an object. Raises Fault, also where it reports an error
    although its status was 200."""
    answer = object_of(payload, "the answer")
    if answer.get("error") or answer.get("type") == "error":
        raise of_payload(answer)
    return answer
