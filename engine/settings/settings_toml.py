"""config.toml: its settings with their line numbers, and changing one of them without touching the
rest."""

import re
import tomllib
from collections.abc import Callable, Container, Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.settings.settings_reading import RawSetting
from engine.settings.settings_table import find
from tools.errors import ConfigError

_HEADING = re.compile(r"\s*+\[\[?\s*+([^\]]*[^\]\s])\s*+\]\]?\s*+(?:#.*)?$")
_LOOSE_HEADING = re.compile(r"\s*+\[\[?\s*+([^\]\s#=]+)")  # also one without its end
_PLACE = re.compile(r"\(at line (\d{1,9}), column \d{1,9}\)")  # how tomllib ends its messages
_ASSIGNMENT = re.compile(r"\s*+([A-Za-z0-9_.\-\"' ]*[A-Za-z0-9_.\-\"'])\s*+=")
Match = Callable[[str], re.Match[str] | None]


def entries(text: str, path: Path) -> list[RawSetting]:
    """The settings of a TOML text. Raises ConfigError with a sentence."""
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise _not_toml(text, path, str(error) or "nested too deeply") from error
    lines = dict(_lines(text))
    return [
        RawSetting(_where(path, lines.get(name, 0)), name, value) for name, value in _flat(data, "")
    ]


def readable_lines(text: str, path: Path, names: Container[str]) -> Iterator[RawSetting]:
    """Those of the named settings of a text that is not TOML whose own line is; a value of None:
    that line is not."""
    for name, number in _lines(text, _LOOSE_HEADING.match):
        if name in names:
            value = text.splitlines()[number - 1].partition("=")[2]
            try:
                data = tomllib.loads(f"value = {value}")
            except (tomllib.TOMLDecodeError, RecursionError, ValueError):
                data = {"value": None}
            yield RawSetting(_where(path, number), name, data["value"])


def _not_toml(text: str, path: Path, message: str) -> ConfigError:
    place = _PLACE.search(message)
    line = int(place[1]) if place else 0
    names = {number: f", {name}" for name, number in _lines(text, _LOOSE_HEADING.match)}
    problem = _PLACE.sub("", message).strip().rstrip(".")
    return ConfigError(
        f"{_where(path, line)}{names.get(line, '')}: this is not TOML ({problem}), so none of the "
        "file is used."
    )


def _where(path: Path, line: int) -> str:
    """line: 1-based, 0 where a setting stands in an unusual form."""
    return f"{path}, line {line}" if line else str(path)


def with_value(text: str, name: str, value: Any, path: Path) -> str:
    """The TOML text with one setting changed; a value of None removes it. Raises ConfigError for a
    broken text."""
    import tomlkit  # 40 ms, and only wanted when something is saved
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
        *sections, key = name.split(".")
        table: Any = document
        for section in sections:
            if section not in table:
                if value is None:
                    return text
                table[section] = tomlkit.table(is_super_table=section != sections[-1])
            table = table[section]
        if value is None:
            table.pop(key, None)
        else:
            table[key] = _plain(value)
        return tomlkit.dumps(document)
    except (TOMLKitError, TypeError, AttributeError, RecursionError) as error:
        raise ConfigError(
            f"{path} cannot be changed because it is not valid TOML: {error}. Correct it first."
        ) from error


def _flat(data: Mapping[str, Any], before: str) -> Iterator[tuple[str, Any]]:
    """Tables of settings opened up; a setting whose value is a table is left whole."""
    for key, value in data.items():
        name = f"{before}{key}"
        if isinstance(value, dict) and find(name) is None:
            yield from _flat(value, name + ".")
        else:
            yield name, value


def _lines(text: str, heading_of: Match = _HEADING.match) -> Iterator[tuple[str, int]]:
    """Where each name stands, as far as one can tell line by line."""
    section = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if heading := heading_of(line):
            section = _bare(heading[1])
            yield section, number
        elif assignment := _ASSIGNMENT.match(line):
            name = _bare(assignment[1])
            yield (f"{section}.{name}" if section else name), number


def _bare(name: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in name.split("."))


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return value
