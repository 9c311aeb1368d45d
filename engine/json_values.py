"""What the engine answers, as JSON for other programs: the terminal and the interface write it
alike."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any


def json_values(value: Any, clean: Callable[[str], str] = str) -> Any:
    """Dataclasses and mappings as objects, sequences and sets as lists; what JSON has no form for
    as text. clean: makes a text one that may be written."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, bool | int | float | None):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): json_values(item, clean) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [json_values(item, clean) for item in value]
    return clean(str(value))
