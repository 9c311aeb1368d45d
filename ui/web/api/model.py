"""What a route of the JSON interface is: a function whose signature says what it reads and what it
answers with; and the inputs and answers that several routes share."""

import inspect
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Literal, get_args, get_origin

from flask import Response, request
from werkzeug.datastructures import FileStorage
from werkzeug.exceptions import BadRequest, NotFound, UnsupportedMediaType

from engine.answers import JobStatus
from engine.json_values import json_values
from engine.models import IngestedFile, ResearchState, schema_problems
from ui.web import forms
from ui.web.api.schema import Schema, schema_of, without_none
from ui.web.background.work import READING, Group, Position, background

MOST_ITEMS = 1000  # of a list
NUMBERS = {"integer": int, "number": float}
FLAGS = {"true": True, "1": True, "false": False, "0": False}
Files = list[FileStorage]


@dataclass(frozen=True, slots=True)
class Field:
    """What a signature says of an input beside its type. length: most characters, of each text in a
    list.

    query: it is read from the query although the request has a body.
    """

    help: str = ""
    low: float | None = None
    high: float | None = None
    length: int = 500
    query: bool = False


@dataclass(frozen=True, slots=True)
class Param:
    """One input. where: path, query or body. schema: what its value must follow. kind: its type."""

    name: str
    where: str
    kind: Any
    schema: Schema
    help: str
    required: bool

    def read(self, raw: Any) -> Any:
        """The value in its type. Raises BadRequest, or NotFound for a name in the path that nothing
        can have."""
        value = raw if self.where == "body" else self._from_text(raw)
        if problems := schema_problems(self.schema, value, self.name):
            raise (
                NotFound("Nothing has this name.")
                if self.where == "path"
                else BadRequest(f"{problems[0]}.")
            )
        convert = tuple if get_origin(self.kind) is tuple else NUMBERS.get(self.schema["type"])
        return convert(value) if convert else value

    def _from_text(self, text: Any) -> Any:
        if self.schema["type"] == "boolean":
            return FLAGS.get(text.lower(), text)
        if self.schema["type"] not in NUMBERS:
            return text
        try:
            number = NUMBERS[self.schema["type"]](text)
        except ValueError:
            return text
        return number if math.isfinite(number) else text


@dataclass(frozen=True, slots=True)
class Route:
    """One address. answers: status -> type of the body, Response for a file. upload: the name of
    the input that takes the files of a form, "" for none. events: it also answers with server-sent
    events, where they are accepted."""

    method: str
    path: str
    view: Callable[..., Any]
    name: str
    help: str
    params: tuple[Param, ...]
    answers: dict[int, Any]
    upload: str
    events: bool

    @property
    def status(self) -> int:
        status: int = next(iter(self.answers))
        return status

    @property
    def body(self) -> tuple[Param, ...]:
        """What the JSON object of a request may contain."""
        return tuple(param for param in self.params if param.where == "body")


def route(method: str, path: str, view: Callable[..., Any], status: int = 200) -> Route:
    """The route of a function: its name, docstring, parameters and annotations."""
    signature = inspect.signature(view)
    inputs = signature.parameters.values()
    uploads = [part.name for part in inputs if part.annotation == Files]
    result = signature.return_annotation
    return Route(
        method,
        path,
        view,
        view.__name__.rstrip("_"),
        " ".join((inspect.getdoc(view) or "").split()),
        tuple(_param(method, path, part) for part in inputs if part.name not in uploads),
        _answers(result, status),
        "".join(uploads),
        result != Response and Response in get_args(result),
    )


def _answers(result: Any, status: int) -> dict[int, Any]:
    """Status -> type. Where a result may take time, its progress comes with a status of its own."""
    if not isinstance(result, UnionType):
        return {status: result}
    kinds = [kind for kind in get_args(result) if kind is not Response]
    return {202 if kind is JobStatus and len(kinds) > 1 else status: kind for kind in kinds}


def _param(method: str, path: str, parameter: inspect.Parameter) -> Param:
    kind, field = parameter.annotation, Field()
    if get_origin(kind) is Annotated:
        kind, field = get_args(kind)
    kind = without_none(kind)
    if f"<{parameter.name}>" in path:
        where = "path"
    else:
        where = "query" if field.query or method in ("GET", "DELETE") else "body"
    required = parameter.default is parameter.empty
    schema = _bounded(schema_of(kind, {}), field)
    if not required and parameter.default not in (None, (), ""):
        schema["default"] = parameter.default
    return Param(parameter.name, where, kind, schema, field.help, required)


def _bounded(schema: Schema, field: Field) -> Schema:
    if schema["type"] == "string":
        return schema | {"maxLength": field.length}
    if schema["type"] == "array":
        return schema | {"items": _bounded(schema["items"], field), "maxItems": MOST_ITEMS}
    bounds = {"minimum": field.low, "maximum": field.high}
    return schema | {key: value for key, value in bounds.items() if value is not None}


def read_input(route: Route, path: Mapping[str, Any]) -> dict[str, Any]:
    """The checked arguments of a request; raises BadRequest with the name of what is wrong."""
    body = read_body(route) if route.body else {}
    inputs = {**body, **path}
    values: dict[str, Any] = {}
    if route.upload:
        values[route.upload] = [item for item in request.files.getlist("files") if item.filename]
        if not values[route.upload]:
            raise BadRequest('Send files as multipart/form-data in the field "files".')
    for param in route.params:
        raw = _from_query(param) if param.where == "query" else inputs.get(param.name)
        if raw is not None:
            values[param.name] = param.read(raw)
        elif param.required:
            raise BadRequest(f"{param.name} is missing.")
    return values


def _from_query(param: Param) -> Any:
    if param.schema["type"] == "array":
        return request.args.getlist(param.name) or None
    return request.args.get(param.name)


def read_body(route: Route) -> Mapping[str, Any]:
    """The JSON object of a request; unknown names in it are refused, since they would be overlooked
    otherwise."""
    data = request.get_data(cache=True)
    if not data and not any(param.required for param in route.body):
        return {}
    if request.mimetype != "application/json":
        raise UnsupportedMediaType()
    try:
        body = json.loads(data)
        json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise BadRequest("The body contains half a character (a lone surrogate).") from None
    except (ValueError, RecursionError):
        raise BadRequest("The body is not JSON.") from None
    if not isinstance(body, dict):
        raise BadRequest("The body must be a JSON object.")
    names = {param.name for param in route.body}
    if unknown := sorted(set(body) - names):
        raise BadRequest(
            f"Unknown name {unknown[0][:60]}. Known names: {', '.join(sorted(names))}."
        )
    return body


def plain(value: Any) -> Any:
    """What a view returns as JSON values; a record as docs/record.md describes it."""
    return json_values(value.to_dict() if isinstance(value, ResearchState) else value)


BIG = 2**53 - 1  # the largest integer that every program reads as it is

SourceKind = Literal["academic", "web", "newsroom", "local"]
ReportId = Annotated[str, Field("The name of a report.", length=200)]
Question = Annotated[str, Field("The question.", length=forms.QUESTION)]
Limit = Annotated[int, Field("The maximum number of entries.", low=1, high=100)]
Revision = Annotated[
    int | None, Field("Of this revision; if omitted, of the current one.", low=1, high=BIG)
]
Wait = Annotated[float, Field("Seconds to wait for the end.", low=0, high=300, query=True)]


@dataclass(frozen=True, slots=True)
class Done:
    """A request that was carried out."""

    done: bool = True


@dataclass(frozen=True, slots=True)
class Indexed(Position):
    """How far it is. stopping: it ends after the file at hand.

    failed: (name, reason) of the last files that could not be read. files: at the end, what became
    of each.
    """

    files: tuple[IngestedFile, ...]


def progress_of(group: Group) -> Indexed:
    """How far the work of a group is."""
    work = background(group).state
    return Indexed(
        running=work.running,
        name=work.name,
        done=work.done,
        total=work.total,
        failed=work.failed,
        problem=work.problem,
        stopping=work.stopping,
        files=(work.result or ()) if group is READING else (),
    )
