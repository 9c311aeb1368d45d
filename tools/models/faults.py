"""Answers that are errors, read: what kind, whether another attempt may help, what the user can do.

Endpoints agree on little: the message may stand in error.message, error, detail or message, an
unknown model may be a 400 or a 404, a wrong key a 400. So the words count as much as the status.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tools.errors import ModelError
from tools.models.model import Role
from tools.net.pacing import retry_after

BUSY = frozenset((408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529))
_QUOTED = 200  # characters of a message that are repeated

# First match counts; matched against codes and message in lower case
_WORDS = (
    ("context", r"context.?(?:length|window|size)|too_many_prompt_tokens|prompt (?:is )?too "
                r"long|input token count"
                r"|maximum (?:context|number of tokens)|too many (?:input )?tokens"
                r"|messages is too long"),
    ("limit", r"insufficient_quota|quota|billing|credit|payment"),
    ("key", r"invalid_api_key|incorrect api key|invalid api key|authentication|invalid "
            r"x-api-key|unauthorized|api key"),
    ("model", r"model_not_found|model .{0,80}(?:not found|does not exist)|no such model|unknown "
              r"model|invalid model"
              r"|model_not_supported|not a valid model|model .{0,80}not loaded"),
    ("refused", r"content_filter|content management policy|content policy|safety"),
    ("shape", r"tool_use_failed|json_validate_failed"),
)  # fmt: skip
_BY_STATUS = {401: "key", 403: "key", 402: "limit", 413: "context", 429: "limit"}
# What the endpoint does not take, so that the question is put again without it
_WITHOUT = (
    ("completion_tokens", r"max_completion_tokens"),
    ("no_stream_usage", r"stream_options|include_usage"),
    ("no_temperature", r"temperature"),
    (
        "no_schema",
        r"response_format|json_schema|structured.output|grammar|guided|tool_choice|\btools?\b|json.?mode",
    ),
    ("no_stream", r"\bstream(?:ing)?\b"),
    ("no_system", r"system role|role.{0,20}system|developer"),
)

_PHRASES = {
    "absent": "cannot be reached: {detail}",
    "key": "refuses the key{said}",
    "model": "does not serve the model {model}{said}",
    "context": "finds the text too long for {model}{said}",
    "cut": "broke off its answer: {detail}",
    "shape": "gave an answer that cannot be read: {detail}",
    "refused": "refused to answer{said}",
    "silent": "stayed silent: {detail}",
    "limit": "takes no more requests now{detail}{said}",
    "server": "failed{detail}{said}",
}
_HINTS = {
    "absent": "Start it or check its address; `zorora models` lists and tests them.",
    "key": "Enter it with `zorora keys set {key}`.",
    "model": "`zorora models list` shows what it serves.",
    "context": "Give the model a larger window, or choose another one.",
    "limit": "Try again later, or choose another endpoint with `zorora models`.",
    "silent": "A slow model needs a higher timeout (models.{role}.timeout), or choose a smaller "
    "one.",
}


@dataclass(eq=False)
class Fault(Exception):
    """One attempt failed. kind: as in ModelError. detail / endpoint_words: our words, and those of
    the endpoint.

    again: another attempt may help, after `wait` seconds if given. without: what to leave out of
    the question.
    """

    kind: str
    detail: str = ""
    endpoint_words: str = ""
    again: bool = False
    wait: float | None = None
    without: tuple[str, ...] = ()


def of_answer(status: int, headers: Mapping[str, str], body: bytes, now: float) -> Fault:
    """An answer whose status is not 200. now: seconds since 1970."""
    if 300 <= status < 400:
        return Fault(
            "absent", f"it answers with a redirect to {headers.get('location', 'nowhere')[:120]}"
        )
    try:
        payload = json.loads(body)
    except (ValueError, RecursionError):
        payload = None
    if payload is None:
        page = body.lstrip()[:1] == b"<"
        text = "" if page else body.decode("utf-8", "replace")
        if status == 404:
            what = "a web page" if page else "no endpoint"
            return Fault(
                "absent", f"there is {what} at this address (status 404; most addresses end in /v1)"
            )
        return _fault(status, text, text, headers, None, now)
    text = message(payload)
    return _fault(status, text, f"{_codes(payload)} {text}", headers, payload, now)


def of_payload(payload: Any) -> Fault:
    """An error inside an answer with status 200, or inside a stream."""
    error = payload.get("error") if isinstance(payload, dict) else None
    code = error.get("code") if isinstance(error, dict) else None
    kind = {"overloaded_error": 529, "api_error": 500, "rate_limit_error": 429}
    kind_by_type = kind.get(str(error.get("type"))) if isinstance(error, dict) else None
    text = message(payload)
    words = f"{_codes(payload)} {text}"
    # Without a number the words decide whether it is ours (400) or theirs (500)
    guess = 400 if any(re.search(pattern, words.lower()) for _, pattern in _WORDS) else 500
    status = code if isinstance(code, int) and 400 <= code < 600 else kind_by_type or guess
    return _fault(status, text, words, {}, payload, 0.0)


def sentence(fault: Fault, role: Role) -> ModelError:
    """The error that people see: which endpoint, for which role, what happened, what to do. Never
    with a key in it."""
    reason = _quoted(fault.endpoint_words, role.endpoint.key)
    reason = f' ("{reason}")' if reason else ""
    detail = _quoted(fault.detail, role.endpoint.key)
    phrase = _PHRASES[fault.kind].format(detail=detail, said=reason, model=role.label)
    hint = _HINTS.get(fault.kind, "").format(key=role.endpoint.key_name or "NAME", role=role.name)
    text = f"{role.endpoint}, asked for {role.name}, {phrase}. {hint}".strip()
    return ModelError(text, fault.kind)


def message(payload: Any) -> str:
    """What an error says in words."""
    value = payload
    for _ in range(4):
        if isinstance(value, list) and value:
            value = value[0]
        elif isinstance(value, dict):
            value = next(
                (value[name] for name in ("error", "message", "detail", "msg") if value.get(name)),
                "",
            )
        else:
            break
    return value if isinstance(value, str) else ""


def _codes(payload: Any) -> str:
    error = payload.get("error") if isinstance(payload, dict) else None
    places = [place for place in (payload, error) if isinstance(place, dict)]
    codes = [place.get(name) for place in places for name in ("code", "type", "status", "param")]
    return " ".join(str(value) for value in codes if value)


def _fault(
    status: int, text: str, words: str, headers: Mapping[str, str], payload: Any, now: float
) -> Fault:
    kind = _kind(status, words.lower())
    without = _without(status, words.lower(), kind)
    again = (
        status in BUSY
        and kind in ("limit", "server")
        and not re.search(_WORDS[1][1], words.lower())
    )
    wait = retry_after(headers.get("retry-after"), now)
    if (
        wait is None
        and isinstance(payload, dict)
        and isinstance(payload.get("estimated_time"), int | float)
    ):
        wait = float(payload["estimated_time"])
    detail = f" (status {status})" if kind == "server" else ""
    if kind in ("limit", "server") and wait is not None:
        detail += f" and asks to wait {wait:.0f} s"
    return Fault(kind, detail, text, again, wait, without)


def _kind(status: int, words: str) -> str:
    if status in (401, 403):
        return "key"
    if status < 500 and status != 429:
        for kind, pattern in _WORDS:
            if re.search(pattern, words):
                return kind
    if status == 404:
        return "model"
    return _BY_STATUS.get(status, "server")


def _without(status: int, words: str, kind: str) -> tuple[str, ...]:
    if status == 404:  # a router that finds nobody who takes it
        return ("no_schema",) if re.search(r"response_format|json_schema|structured", words) else ()
    if status not in (400, 422, 501) or kind not in ("server", "shape"):
        return ()
    return tuple(name for name, pattern in _WITHOUT if re.search(pattern, words))


def _quoted(text: str, key: str | None) -> str:
    """Foreign words, short, on one line, and without the key that some endpoints repeat."""
    if key:
        text = text.replace(key, "•••")
    printable = "".join(c if c.isprintable() else " " for c in text[: 4 * _QUOTED])
    lead = " " if text.startswith(" ") else ""
    printable = re.sub(
        r"\b(?:sk|hf|key|pk)[-_][A-Za-z0-9_-]{8,}", "•••", " ".join(printable.split())
    )
    return lead + (printable if len(printable) <= _QUOTED else printable[: _QUOTED - 1] + "…")
