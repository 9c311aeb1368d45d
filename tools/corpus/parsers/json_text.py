"""JSON, JSON lines and notebooks as readable text: "key: value" lines, long strings as paragraphs."""

import json
from collections.abc import Iterator
from typing import Any

from tools.corpus.detect import JSON
from tools.corpus.model import BlockKind, Extracted
from tools.corpus.parsers.blocks import ParsedBlock, compose
from tools.corpus.parsers.encoding import decode
from tools.corpus.parsers.markdown import blocks_of_markdown
from tools.corpus.parsers.request import Request
from tools.errors import ParseError

MAX_DEPTH = 100
_LONG = 200


def parse(request: Request) -> Extracted:
    """Objects in the order of the file; keys name their values, deeper keys carry the path to them."""
    value = _loaded(decode(request.data, request.media_type))
    blocks = _notebook(value) if _is_notebook(value) else (ParsedBlock(text) for text in _paragraphs(value, ()))
    composed = compose(blocks)
    if not composed.text:
        raise ParseError("This JSON file holds no text.")
    title = value.get("title") if isinstance(value, dict) else None
    named = title.strip()[:300] if isinstance(title, str) else ""
    return Extracted(composed.text, JSON, "zorora-json 1", named, composed.sections(named), blocks=composed.blocks)


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise ParseError("This JSON file is nested too deeply to read.") from None
    except json.JSONDecodeError as exc:
        lines = _lines(text)
        if lines:
            return lines
        where = f"line {exc.lineno}, column {exc.colno}"
        raise ParseError(f"This is not valid JSON: {exc.msg} at {where}.") from None
    except ValueError as exc:  # numbers of thousands of digits
        raise ParseError("This JSON file holds a number that is too long to read.") from exc


def _lines(text: str) -> list[Any]:
    """The values of a JSON-lines file; nothing when a line is not JSON."""
    rows = [line for line in text.split("\n") if line.strip()]
    if len(rows) < 2:
        return []
    try:
        return [json.loads(line) for line in rows]
    except (ValueError, RecursionError):
        return []


def _paragraphs(value: Any, path: tuple[str, ...]) -> Iterator[str]:
    """Paragraphs for a value: the short fields of an object in one, longer and nested ones after it."""
    if len(path) > MAX_DEPTH:
        raise ParseError("This JSON file is nested too deeply to read.")
    if isinstance(value, dict):
        yield from _object(value, path)
    elif isinstance(value, list):
        yield from _list(value, path)
    else:
        text = _scalar(value)
        if text:
            yield f"{' › '.join(path)}: {text}" if path else text


def _object(value: dict[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    short, rest = [], []
    for key, item in value.items():
        text = None if isinstance(item, dict | list) else _scalar(item)
        if text is None or len(text) > _LONG or "\n" in text:
            rest.append((key, item))
        elif text:
            short.append(f"{key}: {text}")
    if short:
        place = " › ".join(path)
        yield f"{place} — {'; '.join(short)}" if place else "; ".join(short)
    for key, item in rest:
        yield from _paragraphs(item, (*path, key))


def _list(value: list[Any], path: tuple[str, ...]) -> Iterator[str]:
    plain = [item for item in value if not isinstance(item, dict | list)]
    if len(plain) == len(value) and sum(len(_scalar(item)) for item in plain) <= 5 * _LONG:
        texts = [text for item in plain if (text := _scalar(item))]
        if texts:
            yield (f"{' › '.join(path)}: " if path else "") + ", ".join(texts)
        return
    for number, item in enumerate(value, 1):
        place = (*path[:-1], f"{path[-1]} {number}") if path and isinstance(item, dict | list) else path
        yield from _paragraphs(item, place)


def _scalar(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).strip()


def _is_notebook(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("cells"), list) and "nbformat" in value


def _notebook(value: dict[str, Any]) -> Iterator[ParsedBlock]:
    """The cells of a Jupyter notebook: prose as Markdown, code as code; outputs are left out."""
    for cell in value["cells"]:
        source = cell.get("source", "") if isinstance(cell, dict) else ""
        text = "".join(map(str, source)) if isinstance(source, list) else str(source)
        if isinstance(cell, dict) and cell.get("cell_type") == "markdown":
            yield from blocks_of_markdown(text)
        else:
            yield ParsedBlock(text, kind=BlockKind.CODE)
