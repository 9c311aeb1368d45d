"""JSON and JSON lines as readable text: "key: value" lines, long strings as paragraphs.

Jupyter notebooks (IPYNB) are JSON too: prose as Markdown, code as code, results that are text.
"""

import json
from collections.abc import Iterator
from typing import Any

from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.authors_and_dates import clean_authors, iso_date
from tools.documents.parsers.blocks import ParsedBlock, compose
from tools.documents.parsers.encoding import decode
from tools.documents.parsers.text.markdown import blocks_of_markdown
from tools.documents.parsers.versions import with_version
from tools.errors import ParseError

MAX_DEPTH = 100
_LONG = 200
_LONG_RESULT = 2000  # characters of a result of a notebook that are kept
_DATES = (
    "published",
    "date_published",
    "datePublished",
    "publication_date",
    "date",
    "issued",
    "created",
)


def parse(request: Request) -> Extracted:
    """Objects in the order of the file; keys name their values, deeper keys carry the path to
    them."""
    value = _loaded(decode(request.data, request.media_type))
    is_object = isinstance(value, dict)
    if is_object and isinstance(value.get("cells"), list) and "nbformat" in value:
        return _notebook(value)
    title = value.get("title") if is_object else None
    metadata: dict[str, object] = (
        {"title": title.strip()[:300]} if isinstance(title, str) and title.strip() else {}
    )
    if is_object:
        dates = (value[name] for name in _DATES if isinstance(value.get(name), str))
        metadata["published"] = iso_date(next(dates, None))
    composed = compose(_paragraphs(value, ()))
    return composed.extracted(
        with_version("zorora-json"), metadata, empty="This JSON file contains no text."
    )


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
        raise ParseError("This JSON file contains a number that is too long to read.") from exc


def _lines(text: str) -> list[Any]:
    """The values of a JSON-lines file; nothing when a line is not JSON."""
    rows = [line for line in text.split("\n") if line.strip()]
    if len(rows) < 2:
        return []
    try:
        return [json.loads(line) for line in rows]
    except (ValueError, RecursionError):
        return []


def _paragraphs(value: Any, path: tuple[str, ...]) -> Iterator[ParsedBlock]:
    """Blocks for a value: the short fields of an object in one, longer and nested ones after it."""
    if len(path) > MAX_DEPTH:
        raise ParseError("This JSON file is nested too deeply to read.")
    if isinstance(value, dict):
        yield from _object(value, path)
    elif isinstance(value, list):
        yield from _list(value, path)
    else:
        text = _scalar(value)
        if text:
            yield ParsedBlock(f"{' › '.join(path)}: {text}" if path else text)


def _object(value: dict[str, Any], path: tuple[str, ...]) -> Iterator[ParsedBlock]:
    short, rest = [], []
    for key, item in value.items():
        text = None if isinstance(item, dict | list) else _scalar(item)
        if text is None or len(text) > _LONG or "\n" in text:
            rest.append((key, item))
        elif text:
            short.append(f"{key}: {text}")
    if short:
        place = " › ".join(path)
        kind = BlockKind.PARAGRAPH if rest else BlockKind.TABLE_ROW
        yield ParsedBlock(f"{place} — {'; '.join(short)}" if place else "; ".join(short), kind=kind)
    for key, item in rest:
        yield from _paragraphs(item, (*path, key))


def _list(value: list[Any], path: tuple[str, ...]) -> Iterator[ParsedBlock]:
    plain = [item for item in value if not isinstance(item, dict | list)]
    if len(plain) == len(value) and sum(len(_scalar(item)) for item in plain) <= 5 * _LONG:
        texts = [text for item in plain if (text := _scalar(item))]
        if texts:
            yield ParsedBlock((f"{' › '.join(path)}: " if path else "") + ", ".join(texts))
        return
    for number, item in enumerate(value, 1):
        place = (
            (*path[:-1], f"{path[-1]} {number}") if path and isinstance(item, dict | list) else path
        )
        yield from _paragraphs(item, place)


def _scalar(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).strip()


def _notebook(value: Any) -> Extracted:
    """The extraction of a notebook that was loaded."""
    about = value.get("metadata")
    about = about if isinstance(about, dict) else {}
    title, authors = about.get("title"), about.get("authors")
    people = authors if isinstance(authors, list) else []
    names = [str(author.get("name", "")) for author in people if isinstance(author, dict)]
    metadata = {
        "title": title.strip()[:300] if isinstance(title, str) else "",
        "authors": clean_authors(names),
    }
    no_text = "This notebook contains no text."
    return compose(_cells(value)).extracted(
        with_version("zorora-notebook"), metadata, empty=no_text
    )


def _cells(value: dict[str, Any]) -> Iterator[ParsedBlock]:
    for cell in value["cells"]:
        if not isinstance(cell, dict):
            continue
        text = _joined(cell.get("source"))
        if cell.get("cell_type") == "markdown":
            yield from blocks_of_markdown(text)
        elif cell.get("cell_type") == "code":
            yield ParsedBlock(text, kind=BlockKind.CODE)
            yield from _results(cell.get("outputs"))
        else:
            yield ParsedBlock(text)


def _results(outputs: object) -> Iterator[ParsedBlock]:
    """What code printed or gave, where it is text; pictures and widgets are left out."""
    for output in outputs if isinstance(outputs, list) else ():
        if not isinstance(output, dict):
            continue
        data = output.get("data")
        text = _joined(data.get("text/plain") if isinstance(data, dict) else output.get("text"))
        if text.strip() and not text.lstrip().startswith("<"):
            yield ParsedBlock(text[:_LONG_RESULT], kind=BlockKind.CODE)


def _joined(source: object) -> str:
    return "".join(map(str, source)) if isinstance(source, list) else str(source or "")
