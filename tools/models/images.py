"""Pictures: made from words, and described in words, through the same endpoints and with the same
faults."""

import base64
import binascii
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tools.errors import Check, ModelError, ParseError
from tools.models.calling import DIALECTS, fetch_json
from tools.models.faults import Fault, sentence
from tools.models.model import Image, Message, Reply, Request, Role
from tools.models.roles import Models
from tools.models.wire import Sent, Wire

LARGEST_INPUT = 20_000_000  # bytes of a picture that is sent
DESCRIBE = "Describe this image. Read out any text in it. Say only what can be seen."
SIZES = ("256x256", "512x512", "1024x1024", "1536x1024", "1024x1536", "auto")
_KINDS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)

Fetch = Callable[[str], bytes]  # reads an address through the guarded door of tools/http.py


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that was made. revised: the words the service made of the prompt, when it says
    so."""

    data: bytes = field(repr=False)
    media_type: str
    model: str
    revised: str = ""


def generate_image(
    wire: Wire,
    role: Role,
    prompt: str,
    size: str = "1024x1024",
    *,
    fetch: Fetch | None = None,
    check_cancelled: Check | None = None,
) -> Picture:
    """A picture of what the prompt says. Raises ModelError, Cancelled.

    fetch: reads the picture where the service answers with an address; without it such an answer is
    refused.
    """
    if not prompt.strip():
        raise ModelError("Say what the picture should show.", "refused")
    body = {"model": role.model, "prompt": prompt, "n": 1, "size": size}
    entry = _first(_posted(wire, role, body, check_cancelled), role)
    data = _data(entry, role, fetch)
    revised = entry.get("revised_prompt")
    if (kind := media_type(data)) is None:
        raise sentence(Fault("shape", "what it contains is not a picture"), role)
    return Picture(data, kind, role.model, revised if isinstance(revised, str) else "")


def analyze_image(
    models: Models,
    image: bytes,
    question: str = "",
    *,
    on_text: Callable[[str], object] | None = None,
    check_cancelled: Check | None = None,
) -> Reply:
    """What a picture shows, asked of the vision role. Raises ParseError for what is no picture,
    ModelError."""
    if len(image) > LARGEST_INPUT:
        raise ParseError(
            f"The picture has {len(image) / 1e6:.0f} MB; at most "
            f"{LARGEST_INPUT / 1e6:.0f} can be sent."
        )
    kind = media_type(image)
    if kind is None:
        raise ParseError("This is not a PNG, JPEG, GIF or WebP picture.")
    message = Message("user", question.strip() or DESCRIBE, (Image(image, kind),))
    request = Request((message,), prompt="vision@1")
    return models.ask("vision", request, on_text=on_text, check_cancelled=check_cancelled)


def media_type(data: bytes) -> str | None:
    """What kind of picture the bytes are, from their first ones; None for anything else."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for start, kind in _KINDS if data.startswith(start)), None)


def _posted(wire: Wire, role: Role, body: dict[str, Any], check_cancelled: Check | None) -> Any:
    headers = {
        "Content-Type": "application/json",
        **DIALECTS["openai"].headers(role.endpoint.key),
    }
    url = role.endpoint.url.rstrip("/") + "/images/generations"
    # A picture comes in one piece at the end
    message = Sent(
        url, headers, json.dumps(body).encode(), replace(role.timing, first=role.timing.total)
    )
    return fetch_json(wire, role, message, check_cancelled, "it is not JSON")


def _first(payload: Any, role: Role) -> Mapping[str, Any]:
    entries = payload.get("data") if isinstance(payload, dict) else None
    if not isinstance(entries, list) or not entries or not isinstance(entries[0], dict):
        raise sentence(Fault("shape", "it contains no picture"), role)
    return entries[0]


def _data(entry: Mapping[str, Any], role: Role, fetch: Fetch | None) -> bytes:
    """The bytes of a picture: inside the answer, or at an address of the service."""
    if isinstance(encoded := entry.get("b64_json"), str):
        try:
            return base64.b64decode(encoded, validate=True)
        except (binascii.Error, ValueError):
            raise sentence(Fault("shape", "its picture is damaged"), role) from None
    address = entry.get("url")
    if not isinstance(address, str) or not address.startswith("https://") or fetch is None:
        raise sentence(Fault("shape", "it contains no readable picture"), role)
    return fetch(address)
