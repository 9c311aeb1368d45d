"""Answers that must follow a schema: found in the text, validated, repaired once, else given up
with a reason.

Whoever asks has a deterministic way of doing the same work, and takes it when `data` is None.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from tools.errors import ModelError
from tools.models.model import Message, Reply, Request, Schema
from tools.models.schema import schema_problems
from tools.models.thinking import refuses

Outcome = Literal["used", "repaired", "fell_back"]
# What is wrong with data that follows the schema, a phrase each
Validate = Callable[[Any], Sequence[str]]
# (data, text of the answer, schema) -> data that can be used
Salvage = Callable[[Any, str, Schema], Any | None]
_FENCE = re.compile(r"```[a-zA-Z0-9_-]*[ \t]*\n(.*?)(?:```|\Z)", re.S)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_START = re.compile(r"[{\[]")
_DATA = re.compile(r"""\{\s*["']|\[\s*[{\["']""")
_ITEM = re.compile(r"[ \t\r\n,]*(?=\{)")  # where the next item of a list begins
_STARTS = 40  # places in a text at which JSON may begin that are tried
_SHOWN = 4000  # characters of a wrong answer that are shown again
_LARGEST = 1_000_000  # characters


@dataclass(frozen=True, slots=True)
class Structured:
    """What became of a question. data: follows the schema and passed validation, or None when the
    step fell back.

    problem: why the first answer could not be used (repaired) or why nothing could (fell_back), a
    sentence. model: who answered, empty when nobody did.
    """

    data: Any | None
    outcome: Outcome
    problem: str | None = None
    model: str = ""


class Asked(Protocol):
    """tools.models.roles.Models, or a fake."""

    def ask(
        self,
        role: str,
        request: Request,
        *,
        on_text: Callable[[str], object] | None = None,
        check_cancelled: Callable[[], None] | None = None,
    ) -> Reply: ...


def ask_structured(
    models: Asked,
    role: str,
    request: Request,
    validate: Validate | None = None,
    *,
    check_cancelled: Callable[[], None] | None = None,
    salvage: Salvage | None = None,
) -> Structured:
    """Ask for an answer that follows request.schema, with exactly one repair that shows what was
    wrong.

    salvage: makes what can be used of an answer that breaks off or has wrong items (`salvaged`);
    then no repair is asked for. Never raises for what a model or an endpoint does; Cancelled passes
    through. request.schema must be set.
    """
    schema = request.schema
    assert schema is not None, "a structured question needs a schema"
    model, problem = "", ""
    attempts: dict[Outcome, str] = {"used": "The answer", "repaired": "The repaired answer"}
    for outcome, subject in attempts.items():
        try:
            reply = models.ask(role, request, check_cancelled=check_cancelled)
        except ModelError as error:
            return Structured(None, "fell_back", f"{problem}{error}", model)
        model = reply.model
        data, wrong = read(reply, schema, validate)
        if not wrong:
            return Structured(data, outcome, problem.strip() or None, model)
        usable = salvage(data, reply.text, schema) if salvage else None
        if usable is not None and (validate is None or not validate(usable)):
            return Structured(
                usable, outcome, f"Only a part of the answer could be used: {wrong}.", model
            )
        problem += f"{subject} could not be used: {wrong}. "
        if data is None and refuses(reply.text):
            break
        request = repair(request, reply.text, wrong)
    return Structured(None, "fell_back", problem.strip(), model)


def read(reply: Reply, schema: Schema, validate: Validate | None = None) -> tuple[Any | None, str]:
    """The data of an answer and what is wrong with it in words; an empty string when it can be
    used."""
    data = reply.data if reply.data is not None else parse_json(reply.text)
    if data is None:
        if refuses(reply.text):
            return None, "the model refused to answer"
        is_cut = reply.finish == "length"
        return None, "it broke off before its end" if is_cut else "it contains no JSON"
    data = _wrapped(data, schema)
    problems = schema_problems(schema, data) or list(validate(data) if validate else ())
    return data, "; ".join(problems)


class Listening:
    """Models whose structured answers are heard while they come: on_item is handed each item that
    follows the schema.

    An item may come again (another attempt), and the answer may be refused afterwards.
    """

    def __init__(self, models: Asked, on_item: Callable[[Any], object]) -> None:
        self._models, self._on_item = models, on_item

    def ask(
        self,
        role: str,
        request: Request,
        *,
        on_text: Callable[[str], object] | None = None,
        check_cancelled: Callable[[], None] | None = None,
    ) -> Reply:
        """Like `ask` of the models."""
        items = _Items(request.schema or {}, self._on_item)
        return self._models.ask(role, request, on_text=items.feed, check_cancelled=check_cancelled)


class _Items:
    """Finds the whole items in an answer that is still coming."""

    def __init__(self, schema: Schema, on_item: Callable[[Any], object]) -> None:
        self._name, self._item = _list_of(schema) or ("", {})
        self._on_item = on_item
        self._text, self._row_count = "", 0

    def feed(self, piece: str) -> None:
        """Take one more piece of the answer."""
        self._text += piece
        if "}" not in piece or not self._name or len(self._text) > _LARGEST:
            return
        rows = list(_complete_items(self._text, self._name))
        for row in rows[self._row_count :]:
            if not schema_problems(self._item, row):
                self._on_item(without_halves(row))
        self._row_count = len(rows)


def _list_of(schema: Schema) -> tuple[str, Schema] | None:
    """The name of the only list of a schema, and the schema of its items."""
    lists = [
        (name, part)
        for name, part in schema.get("properties", {}).items()
        if part.get("type") == "array"
    ]
    return (lists[0][0], lists[0][1].get("items", {})) if len(lists) == 1 else None


def salvaged(data: Any, text: str, schema: Schema) -> Any | None:
    """The items that follow the schema, of an answer that is an object with one list; None when
    there is none."""
    if (list_schema := _list_of(schema)) is None:
        return None
    name, item = list_schema
    rows = (
        data.get(name)
        if isinstance(data, dict)
        else list(_complete_items(text, name))
        if data is None
        else None
    )
    if not isinstance(rows, list):
        return None
    valid = [without_halves(row) for row in rows if not schema_problems(item, row)]
    return {name: valid} if valid else None


def _complete_items(text: str, name: str) -> Iterator[Any]:
    """The whole items of a list of objects that may break off; of a list without a name where there
    is none of it."""
    begun = re.search(rf'"{re.escape(name)}"\s*:\s*\[', text[:_LARGEST]) or re.search(
        r"\[(?=\s*\{)", text[:_LARGEST]
    )
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    at = begun.end() if begun else len(text)
    while item := _ITEM.match(text, at):
        try:
            row, at = decoder.raw_decode(text, item.end())
        except (ValueError, RecursionError):
            return
        yield row


def repair(request: Request, answer: str, wrong: str) -> Request:
    """The question again, with the answer that could not be used and the reason."""
    request_text = (
        f"That answer cannot be used: {wrong}. Answer again, corrected, with the JSON alone."
    )
    before = Message("assistant", answer[:_SHOWN] or "(nothing)")
    return replace(request, messages=(*request.messages, before, Message("user", request_text)))


def parse_json(text: str) -> Any | None:
    """The JSON object or array in a text: alone, in a fence, or between words. None when there is
    none.

    Of several the longest counts. A comma before a closing bracket is forgiven; an answer that
    breaks off is not.
    """
    text = text[:_LARGEST].strip().lstrip("\ufeff")
    for candidate in (text, *(match[1].strip() for match in _FENCE.finditer(text))):
        value = _loaded(candidate)
        if isinstance(value, dict | list):
            return without_halves(value)
    for candidate in (text, _TRAILING_COMMA.sub(r"\1", text)):
        if best := max(_within(candidate), key=lambda pair: pair[0], default=None):
            return without_halves(best[1])
    return None


def _within(text: str) -> Iterator[tuple[int, Any]]:
    """Objects and arrays that stand between other words, with their lengths.

    Where something begins as data and breaks off, nothing after it is taken: it would be a part for
    the whole.
    """
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    at, tried = 0, 0
    while tried < _STARTS and (match := _START.search(text, at)):
        at, tried = match.start() + 1, tried + 1
        try:
            value, end = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            if _DATA.match(text, match.start()):
                return
            continue
        if isinstance(value, dict) or (value and isinstance(value[0], dict | list | str)):
            yield end - match.start(), value  # [3] in a sentence is a citation, no answer
        at = end


def _loaded(text: str) -> Any | None:
    for candidate in (text, _TRAILING_COMMA.sub(r"\1", text)):
        try:
            return json.loads(candidate, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            continue
    return None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def without_halves(data: Any) -> Any:
    """Without half characters (a lone \\ud800), which no file or database takes."""
    if isinstance(data, str):
        return data.encode("utf-8", "replace").decode("utf-8")
    if isinstance(data, list):
        return [without_halves(item) for item in data]
    if isinstance(data, dict):
        return {without_halves(key): without_halves(value) for key, value in data.items()}
    return data


def _wrapped(data: Any, schema: Schema) -> Any:
    """Small models leave the outermost object out: a bare list is put into the only place that
    takes one."""
    properties = schema.get("properties", {})
    if isinstance(data, list) and schema.get("type") == "object" and len(properties) == 1:
        (name, part), *_ = properties.items()
        if part.get("type") == "array":
            return {name: data}
    return data
