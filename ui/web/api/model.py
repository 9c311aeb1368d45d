"""What a route of the JSON interface is, and how its input is read."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from flask import request
from werkzeug.exceptions import BadRequest, NotFound, UnsupportedMediaType

MOST_ITEMS = 1000  # of a list
TYPES = {"string": str, "integer": int, "number": float, "boolean": bool, "strings": list, "object": dict}


@dataclass(frozen=True, slots=True)
class Param:
    """One input. where: path, query or body. kind: a key of TYPES. length: most characters, of each for strings."""

    name: str
    where: str
    kind: str = "string"
    help: str = ""
    required: bool = False
    default: Any = None
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    length: int = 500


@dataclass(frozen=True, slots=True)
class Answer:
    """A value with a status other than the route's own."""

    value: Any
    status: int


@dataclass(frozen=True, slots=True)
class Route:
    """answers: status -> type of the body (a type with annotations, a schema as a mapping, or None for a file).

    events: it also answers with server-sent events, where they are accepted.
    """

    method: str
    path: str
    name: str
    help: str
    view: Callable[[dict[str, Any]], Any]
    answers: Mapping[int, Any]
    params: tuple[Param, ...] = ()
    upload: bool = False
    events: bool = False

    @property
    def status(self) -> int:
        return int(next(iter(self.answers)))


def plain(value: Any) -> Any:
    """Dataclasses, tuples and mappings as JSON values; byte strings and others as text."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return str(value)


def read_input(route: Route, path: Mapping[str, Any]) -> dict[str, Any]:
    """The checked input of a request by name; raises BadRequest with the name of what is wrong."""
    body = read_body(route) if any(param.where == "body" for param in route.params) else {}
    values: dict[str, Any] = {}
    for param in route.params:
        raw = raw_value(param, path, body)
        if param.where == "path" and len(str(raw)) > param.length:
            raise NotFound("Nothing has this name.")
        if raw is None:
            if param.required:
                raise BadRequest(f"{param.name} is missing.")
            values[param.name] = param.default
        else:
            values[param.name] = checked(param, raw)
    return values


def read_body(route: Route) -> Mapping[str, Any]:
    """The JSON object of a request; unknown names in it are refused, since they would be overlooked otherwise."""
    if not request.get_data(cache=True) and not any(p.required for p in route.params if p.where == "body"):
        return {}
    if request.mimetype != "application/json":
        raise UnsupportedMediaType()
    try:
        body = json.loads(request.get_data(cache=True))
    except (ValueError, RecursionError):
        raise BadRequest("The body is not JSON.") from None
    if not isinstance(body, dict):
        raise BadRequest("The body must be a JSON object.")
    names = {param.name for param in route.params if param.where == "body"}
    unknown = sorted(set(body) - names)
    if unknown:
        raise BadRequest(
            f"Unknown name {unknown[0][:60]}. Known names: {', '.join(sorted(names))}.".encode(
                "utf-8", "replace"
            ).decode()
        )
    return body


def raw_value(param: Param, path: Mapping[str, Any], body: Mapping[str, Any]) -> Any:
    if param.where == "path":
        return path.get(param.name)
    if param.where == "body":
        return body.get(param.name)
    if param.kind == "strings":
        return request.args.getlist(param.name) or None
    return request.args.get(param.name)


def checked(param: Param, raw: Any) -> Any:
    """The value in its type and range."""
    value = from_text(param, raw) if param.where != "body" else raw
    expected = TYPES[param.kind]
    if expected is float and type(value) is int:
        value = float(value)
    if type(value) is not expected:
        raise BadRequest(f"{param.name} must be {param.kind}.")
    if isinstance(value, list) and len(value) > MOST_ITEMS:
        raise BadRequest(f"{param.name} has more than {MOST_ITEMS} values.")
    for text in value if isinstance(value, list) else [value]:
        check_text(param, text)
    if isinstance(value, int | float) and not isinstance(value, bool):
        check_range(param, value)
    return value


def from_text(param: Param, raw: Any) -> Any:
    if param.kind == "boolean":
        return {"true": True, "1": True, "false": False, "0": False}.get(str(raw).lower(), raw)
    if param.kind in ("integer", "number"):
        try:
            return TYPES[param.kind](raw)
        except ValueError:
            return raw
    return raw


def check_text(param: Param, value: Any) -> None:
    if param.kind not in ("string", "strings"):
        return
    if not isinstance(value, str):
        raise BadRequest(f"{param.name} must be a list of strings.")
    if len(value) > param.length:
        raise BadRequest(f"{param.name} is longer than {param.length} characters.")
    if any("\ud800" <= sign <= "\udfff" for sign in value):
        raise BadRequest(f"{param.name} contains half a character (a lone surrogate).")
    if param.choices and value not in param.choices:
        raise BadRequest(f"{param.name} is one of: {', '.join(param.choices)}.")


def check_range(param: Param, value: float) -> None:
    low, high = param.low, param.high
    if value != value or (low is not None and value < low) or (high is not None and value > high):
        raise BadRequest(f"{param.name} must be between {low} and {high}.")
