"""The part of JSON Schema that data from outside is checked by: types, required, enum, bounds,
items."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

MOST_PROBLEMS = 8
ANSWER = "the answer"
_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "number": lambda v: isinstance(v, int | float) and not isinstance(v, bool),
    "integer": lambda v: (
        (isinstance(v, int) and not isinstance(v, bool))
        or (isinstance(v, float) and v.is_integer())
    ),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
}


def schema_problems(schema: Mapping[str, Any], data: Any, name: str = ANSWER) -> list[str]:
    """What is wrong with the data, a phrase each ("items[2].kind must be one of ..."); empty when
    it follows.

    name: what the data is called in the phrases.
    """
    return list(islice(_problems(schema, data, name), MOST_PROBLEMS))


def closed(schema: Mapping[str, Any]) -> bool:
    """Whether every object of a schema requires all of its properties and allows no others
    (OpenAI's strict mode)."""
    if schema.get("type") == "object":
        properties = schema.get("properties", {})
        if schema.get("additionalProperties") is not False or set(
            schema.get("required", ())
        ) != set(properties):
            return False
        return all(closed(part) for part in properties.values())
    return "items" not in schema or closed(schema["items"])


def _problems(schema: Mapping[str, Any], data: Any, at: str) -> Iterator[str]:
    kind = schema.get("type")
    names = (kind,) if isinstance(kind, str) else tuple(kind or ())
    if names and not any(_TYPES[name](data) for name in names):
        yield f"{at} must be {' or '.join(names)}"
        return
    if "enum" in schema and data not in schema["enum"]:
        yield f"{at} must be one of {', '.join(map(str, schema['enum']))}"
    yield from _bounds(schema, data, at)


def _bounds(schema: Mapping[str, Any], data: Any, at: str) -> Iterator[str]:
    if isinstance(data, dict):
        yield from _object(schema, data, at)
    elif isinstance(data, list):
        yield from _array(schema, data, at)
    elif isinstance(data, str):
        yield from _string(schema, data, at)
    elif isinstance(data, int | float) and not isinstance(data, bool):
        yield from _number(schema, data, at)


def _object(schema: Mapping[str, Any], data: dict[str, Any], at: str) -> Iterator[str]:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in data:
            yield f"{at} lacks {name}"
    for name, value in data.items():
        if name in properties:
            yield from _problems(properties[name], value, name if at == ANSWER else f"{at}.{name}")
        elif schema.get("additionalProperties") is False:
            yield f"{at} must not have {name[:40]}"


def _array(schema: Mapping[str, Any], data: list[Any], at: str) -> Iterator[str]:
    low, high = schema.get("minItems", 0), schema.get("maxItems")
    if len(data) < low:
        yield f"{at} must have at least {low} entries"
    if high is not None and len(data) > high:
        yield f"{at} must have at most {high} entries"
    if "items" in schema:
        for index, value in enumerate(data):
            yield from _problems(schema["items"], value, f"{at}[{index}]")


def _string(schema: Mapping[str, Any], data: str, at: str) -> Iterator[str]:
    low, high = schema.get("minLength", 0), schema.get("maxLength")
    if len(data.strip()) < low:
        yield f"{at} must not be empty" if low == 1 else f"{at} must have at least {low} characters"
    if high is not None and len(data) > high:
        yield f"{at} must have at most {high} characters"


def _number(schema: Mapping[str, Any], data: float, at: str) -> Iterator[str]:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and data < low:
        yield f"{at} must be at least {low}"
    if high is not None and data > high:
        yield f"{at} must be at most {high}"
