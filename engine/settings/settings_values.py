"""Values of settings: from TOML or a line of text to a checked value, and back to text."""

import json
import math
import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from engine.settings.setting import DEFAULT, MORE, Setting
from engine.web_addresses import web_parts

YES = frozenset(("true", "yes", "on", "1"))
NO = frozenset(("false", "no", "off", "0"))


def read_setting(setting: Setting, raw: Any) -> Any:
    """The value of a setting from what stands in the file, or from a line of text.

    Lists become tuples, paths are expanded. Empty text means "no value" where the default is none.
    Raises ValueError with a part of a sentence: "must be a whole number from 1 to 3".
    """
    if isinstance(raw, str) and not raw.strip() and setting.default is None:
        return None
    return _READERS[setting.kind](setting, raw)


def safe(setting: Setting, raw: Any) -> Any:
    """What holds while something wrong is written for a setting: off, less, local; `Setting.safer`
    says where that is not the safer choice.
    """
    if setting.kind == "names" and setting.choices:
        return _allowed_items(setting.choices, raw) or setting.safe
    if setting.safe is not None or setting.safer == DEFAULT:
        return setting.default if setting.safe is None else setting.safe
    if setting.kind == "bool":
        return setting.safer == MORE
    if setting.kind in ("int", "float"):
        return _safe_number(setting, raw)
    return setting.default


def _allowed_items(choices: Collection[str], raw: Any) -> tuple[str, ...]:
    return tuple(item for item in raw if item in choices) if isinstance(raw, list | tuple) else ()


def _safe_number(setting: Setting, raw: Any) -> Any:
    """The nearest that is allowed, or the default, whichever is safer."""
    low, high, more = setting.low, setting.high, setting.safer == MORE
    if low is None or high is None or (setting.default is None and not more):
        return setting.default
    try:
        number = float(raw)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if isinstance(raw, bool) or not math.isfinite(number):
        return high if more and setting.default is not None else setting.default
    nearest = min(max(number, low), high)
    choices = [nearest] if setting.default is None else [nearest, setting.default]
    safest = max(choices) if more else min(choices)
    return int(safest) if setting.kind == "int" else safest


HIDDEN = "••••"
_USER_IN_ADDRESS = r"(//[^\s/:@]{0,200}):[^\s/@]{1,500}@"


def show(value: Any) -> str:
    """A value as one line of text that `read` understands."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping) or (
        isinstance(value, tuple) and value and isinstance(value[0], Mapping)
    ):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple):
        return ", ".join(show(item) for item in value)
    return str(value)


def masked(text: str) -> str:
    """A text as it may be shown: the password in an address (of a proxy) is hidden."""
    return re.sub(_USER_IN_ADDRESS, rf"\1:{HIDDEN}@", text)


def allowed(setting: Setting) -> str:
    """What a setting accepts, in words: "1 to 3", "weighted, rrf", "" when anything."""
    if setting.choices:
        return ", ".join(setting.choices)
    if setting.low is not None and setting.kind not in ("table", "tables"):
        return f"{setting.low:,g} to {setting.high:,g}".replace(",", " ")
    return ""


def _bool(setting: Setting, raw: Any) -> bool:
    if isinstance(raw, bool):
        return raw
    word = str(raw).strip().casefold()
    if word in YES | NO:
        return word in YES
    raise ValueError("must be true or false")


def _int(setting: Setting, raw: Any) -> int:
    value = _float(setting, raw)
    if value != int(value):
        raise ValueError(_number_wanted(setting))
    return int(value)


def _float(setting: Setting, raw: Any) -> float:
    if isinstance(raw, bool) or not isinstance(raw, int | float | str):
        raise ValueError(_number_wanted(setting))
    try:
        value = float(raw)
    except (ValueError, OverflowError):
        raise ValueError(_number_wanted(setting)) from None
    low, high = setting.low, setting.high
    # written so that NaN fails
    if (low is not None and not value >= low) or (high is not None and not value <= high):
        raise ValueError(_number_wanted(setting))
    return value


def _number_wanted(setting: Setting) -> str:
    kind = "a number" if setting.kind in ("float", "table") else "a whole number"
    bounds = allowed(setting)
    return f"must be {kind} from {bounds}" if bounds else f"must be {kind}"


def _text(setting: Setting, raw: Any) -> str:
    if not isinstance(raw, str | int | float) or isinstance(raw, bool):
        raise ValueError("must be text")
    value = str(raw).strip()
    if any(ord(c) < 32 for c in value):
        raise ValueError("must be one line of text")
    return value


def _choice(setting: Setting, raw: Any) -> str:
    value = _text(setting, raw)
    if value not in setting.choices:
        raise ValueError(f"must be one of {', '.join(setting.choices)}")
    return value


def _url(setting: Setting, raw: Any) -> str:
    value = _text(setting, raw)
    parts = web_parts(value)
    if parts is None:
        raise ValueError("must be an address that begins with http:// or https://")
    if "@" in parts.netloc and (setting.name != "http.proxy" or HIDDEN in parts.netloc):
        raise ValueError(
            "must be an address without a user and password; keys are stored with `zorora keys set`"
        )
    return value


def _path(setting: Setting, raw: Any) -> str:
    value = _text(setting, raw)
    if not isinstance(raw, str) or "\0" in value:
        raise ValueError("must be a path")
    return str(Path(value).expanduser()) if value else value


def _items(raw: Any) -> list[Any]:
    if isinstance(raw, str):
        return [item.strip() for item in raw.replace("\n", ",").split(",") if item.strip()]
    if isinstance(raw, list | tuple):
        return list(raw)
    raise ValueError("must be a list")


def _numbers(setting: Setting, raw: Any) -> tuple[int, ...]:
    values = tuple(_int(setting, item) for item in _items(raw))
    if setting.size and len(values) != setting.size:
        raise ValueError(f"must be {setting.size} numbers, one for each depth")
    return values


def _names(setting: Setting, raw: Any) -> tuple[str, ...]:
    check: Callable[[Setting, Any], str] = _choice if setting.choices else _text
    return tuple(dict.fromkeys(check(setting, item) for item in _items(raw)))


def _paths(setting: Setting, raw: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_path(setting, item) for item in _items(raw)))


def _table(setting: Setting, raw: Any) -> dict[str, Any]:
    value = _structure(raw)
    if not isinstance(value, Mapping):
        raise ValueError("must be a table")
    if setting.low is not None:
        return {str(key): _float(setting, item) for key, item in value.items()}
    return {str(key): tuple(str(part) for part in _items(item)) for key, item in value.items()}


def _tables(setting: Setting, raw: Any) -> tuple[Mapping[str, Any], ...]:
    value = _structure(raw)
    if not isinstance(value, list | tuple) or not all(isinstance(item, Mapping) for item in value):
        raise ValueError("must be a list of tables")
    tables = []
    for item in value:
        if not (item.get("host") or item.get("venue")):
            raise ValueError("must name a host or a venue in each table")
        try:
            tables.append({**item, "base": _float(setting, item.get("base"))})
        except ValueError:
            raise ValueError(
                f"must have a base from {setting.low:g} to {setting.high:g} in each table"
            ) from None
    return tuple(tables)


def _structure(raw: Any) -> Any:
    """A table given as text stands there as JSON."""
    if not isinstance(raw, str):
        return raw
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        raise ValueError("must be JSON when given as text") from None


_READERS: Mapping[str, Callable[[Setting, Any], Any]] = {
    "bool": _bool,
    "int": _int,
    "float": _float,
    "text": _text,
    "choice": _choice,
    "url": _url,
    "path": _path,
    "numbers": _numbers,
    "names": _names,
    "paths": _paths,
    "table": _table,
    "tables": _tables,
}
