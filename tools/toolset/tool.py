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
from tools.models.schema import schema_problems

READ, RESEARCH, HOST = "read", "research", "host"
_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}
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


def _check_names(tool: Tool, arguments: Mapping[str, Any]) -> None:
    """Raises Refused with one sentence for an argument that does not exist or is missing."""
    schema = tool.schema
    if unknown := sorted(set(arguments) - set(schema["properties"])):
        raise Refused(f"{tool.name} has no argument {unknown[0]!r}.")
    if missing := [name for name in schema["required"] if name not in arguments]:
        raise Refused(f"{tool.name} needs the argument {missing[0]!r}.")


def checked_arguments(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments as the tool's function takes them: an optional one that is null is left out.

    Raises Refused with one sentence for those that do not follow the tool's schema.
    """
    schema = tool.schema
    properties, required = schema["properties"], schema["required"]
    _check_names(tool, arguments)
    arguments = {
        name: value
        for name, value in arguments.items()
        if value is not None or name in required or "default" in properties[name]
    }
    if problems := schema_problems(schema, arguments, tool.name):
        raise Refused(f"{problems[0]}.")
    # JSON may write a whole number as 5.0
    whole = {name for name, kind in properties.items() if kind["type"] == "integer"}
    return {name: int(value) if name in whole else value for name, value in arguments.items()}
