"""One tool: its function, its safety class, and the JSON schema that its arguments have to follow.

Safety classes: `read` looks (search, documents, memory), `research` works for minutes, `host`
touches the machine of the user or spends on his models, and exists only with a person at the
terminal.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import NoneType, UnionType
from typing import Any, get_args, get_origin

from tools.errors import Refused

READ, RESEARCH, HOST = "read", "research", "host"
_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}
_ACCEPTED = {"string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,)}
# Formats of a report that are text, as a model can read it
TEXT_FORMATS = ("md", "html", "json", "bibtex", "ris", "csl", "matrix", "graphml", "dot")
CHOICES = {"search_type": ("general", "news", "academic", "images"), "format": TEXT_FORMATS}


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. about: what each parameter means. guideline: a line for prompts. specialist: it
    asks a model."""

    function: Callable[..., str]
    description: str
    safety: str
    about: Mapping[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    guideline: str = ""
    specialist: bool = False

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the arguments, made from the function's signature."""
        parameters = inspect.signature(self.function).parameters
        return {
            "type": "object",
            "properties": {
                name: self._property(name, parameter) for name, parameter in parameters.items()
            },
            "required": [
                name
                for name, parameter in parameters.items()
                if parameter.default is parameter.empty
            ],
            "additionalProperties": False,
        }

    def _property(self, name: str, parameter: inspect.Parameter) -> dict[str, Any]:
        kind = {
            **_type(parameter.annotation),
            **({"enum": list(CHOICES[name])} if name in CHOICES else {}),
        }
        kind |= {"description": self.about[name]} if name in self.about else {}
        return kind | (
            {} if parameter.default in (parameter.empty, None) else {"default": parameter.default}
        )


def _type(annotation: Any) -> dict[str, Any]:
    if get_origin(annotation) is UnionType:
        annotation = next(arg for arg in get_args(annotation) if arg is not NoneType)
    if get_origin(annotation) is list:
        return {"type": "array", "items": _type(get_args(annotation)[0])}
    # Each whole number counts something
    return {
        "type": _TYPES[annotation],
        **({"minimum": 1} if annotation is int else {}),
    }


def check_arguments(tool: Tool, arguments: Mapping[str, Any]) -> None:
    """Raises Refused with one sentence for arguments that do not follow the tool's schema."""
    schema = tool.schema
    unknown = sorted(set(arguments) - set(schema["properties"]))
    missing = [name for name in schema["required"] if name not in arguments]
    if unknown:
        raise Refused(f"{tool.name} has no argument {unknown[0]!r}.")
    if missing:
        raise Refused(f"{tool.name} needs the argument {missing[0]!r}.")
    for name, value in arguments.items():
        expected = schema["properties"][name]
        if not _fits(value, expected, name not in schema["required"]):
            choices = f", one of {', '.join(expected['enum'])}" if "enum" in expected else ""
            choices += f", at least {expected['minimum']}" if "minimum" in expected else ""
            raise Refused(f"{tool.name}: {name} should be of type {expected['type']}{choices}.")


def _fits(value: Any, schema: Mapping[str, Any], optional: bool) -> bool:
    if value is None:
        return optional and "default" not in schema
    if schema["type"] == "array":
        return isinstance(value, list) and all(
            _fits(item, schema["items"], False) for item in value
        )
    if type(value) not in _ACCEPTED[schema["type"]]:
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    return "minimum" not in schema or bool(value >= schema["minimum"])
