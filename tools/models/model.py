"""What is asked of a model and what comes back: plain values, the same for every endpoint."""

import ipaddress
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Literal
from urllib.parse import urlsplit

Schema = Mapping[str, Any]  # JSON schema; the part of it that tools/models/schema.py checks
OnText = Callable[[str], object]  # is told pieces of an answer as they come
Provider = Literal["openai", "anthropic", "ollama", "local"]

CHARACTERS_PER_TOKEN = 4
RENEWED = 10  # times the total that a stream may take
DEFAULT_WINDOW = 8192  # tokens, where nobody says: what small local models are usually started with


@dataclass(frozen=True, slots=True)
class Image:
    """A picture that goes with a message. media_type: image/png, image/jpeg, image/webp or
    image/gif."""

    data: bytes = field(repr=False)
    media_type: str = "image/png"

    @property
    def base64(self) -> str:
        """The picture as text, as endpoints take it."""
        return b64encode(self.data).decode()


@dataclass(frozen=True, slots=True)
class Message:
    """role: system, user or assistant."""

    role: Literal["system", "user", "assistant"]
    text: str
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model.

    schema: the answer must be JSON that follows it. schema_name: letters, digits, _ and -.
    max_tokens: longest answer; None: the role's setting. prompt: name and version of the prompt
    file ("claims@2"); part of the key under which an answer is reused. sample: number of this
    passing of the same question; passes of other numbers are asked anew. private: holds text of the
    user's own documents, which stay on this computer unless he allows otherwise.
    """

    messages: tuple[Message, ...]
    schema: Schema | None = None
    schema_name: str = "answer"
    max_tokens: int | None = None
    prompt: str = ""
    sample: int = 0
    private: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """What calls took. Tokens are estimated from characters where the endpoint does not tell them.
    cost: in the currency of the configured prices, None where no price is known."""

    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = None
    calls: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        costs = [cost for cost in (self.cost, other.cost) if cost is not None]
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.seconds + other.seconds,
            round(sum(costs), 9) if costs else None,
            self.calls + other.calls,
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer. data: the parsed JSON when a schema was asked for and the text holds some, else
    None.

    text: without the model's thinking. model: as the endpoint names it. finish: stop, length or
    other.
    """

    text: str
    data: Any | None = None
    model: str = ""
    endpoint: str = ""
    finish: str = "stop"
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server that answers. url: up to the version part (http://localhost:11434/v1). key: sent
    only there.

    key_name: under which name the key is kept, for the user to find it.
    """

    name: str
    url: str = ""
    provider: Provider = "openai"
    key: str | None = field(default=None, repr=False)
    key_name: str = ""

    @property
    def local(self) -> bool:
        """Whether what is sent stays on this computer."""
        if self.provider == "local":
            return True
        try:
            return is_loopback(urlsplit(self.url).hostname or "")
        except ValueError:
            return False

    def __str__(self) -> str:
        return f"{self.name} ({self.url})" if self.url and self.url != self.name else self.name


@dataclass(frozen=True, slots=True)
class FoundServer:
    """A local server that runs. label: its product. models: names that can answer questions. best:
    the one to offer."""

    name: str
    label: str
    url: str
    provider: str
    models: tuple[str, ...]

    @property
    def best(self) -> str:
        return self.models[0] if self.models else ""


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds: until the connection stands, until the first piece of the answer (and between
    pieces), in all.

    A slow model that streams is alive: each piece renews the total, up to `longest`.
    """

    connect: float = 5.0
    first: float = 60.0
    total: float = 300.0

    @property
    def longest(self) -> float:
        """Seconds that an answer may take however steadily it comes."""
        return RENEWED * self.total


@dataclass(frozen=True, slots=True)
class Role:
    """Who does a kind of work. window: tokens of input and answer together, None when nobody said.

    price_in, price_out: cost of a million tokens, None when not configured. parallel: calls at the
    same time.
    """

    name: str
    endpoint: Endpoint
    model: str
    max_tokens: int | None = None
    temperature: float = 0.0
    timing: Timing = Timing()
    parallel: int = 2
    window: int | None = None
    price_in: float | None = None
    price_out: float | None = None

    def most_tokens(self, request: Request) -> int | None:
        """The tokens of an answer at most; None where neither the request nor the role limits
        them."""
        return request.max_tokens or self.max_tokens

    @property
    def label(self) -> str:
        """The model as it may be shown and recorded: of a file of this computer only its name."""
        return PurePath(self.model).stem if self.endpoint.provider == "local" else self.model


def is_loopback(host: str) -> bool:
    """Whether a host is this computer: localhost, or a loopback address (not a name that begins
    like one)."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def estimate(text: str) -> int:
    """Tokens of a text, estimated: characters / 4, rounded up."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def estimate_request(request: Request) -> int:
    """Tokens of all messages together, a thousand for each picture, a few for each message's
    frame."""
    return sum(estimate(m.text) + 4 + 1000 * len(m.images) for m in request.messages)
