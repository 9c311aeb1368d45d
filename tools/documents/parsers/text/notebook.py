"""Jupyter notebooks (IPYNB): prose as Markdown, code as code, results that are text."""

from collections.abc import Iterator
from typing import Any

from tools.documents.model import BlockKind, Extracted
from tools.documents.parsers.blocks import ParsedBlock, compose
from tools.documents.parsers.html.metadata import clean_authors
from tools.documents.parsers.text.markdown import blocks_of_markdown

_LONG_RESULT = 2000  # characters of a result that are kept


def is_notebook(value: object) -> bool:
    """Whether a JSON value is a notebook."""
    return isinstance(value, dict) and isinstance(value.get("cells"), list) and "nbformat" in value


def extracted(value: Any) -> Extracted:
    """The extraction of a notebook that was loaded."""
    about = value.get("metadata")
    about = about if isinstance(about, dict) else {}
    title = about.get("title")
    authors = about.get("authors")
    if isinstance(authors, list):
        names = [str(author.get("name", "")) for author in authors if isinstance(author, dict)]
    else:
        names = []
    metadata = {
        "title": title.strip()[:300] if isinstance(title, str) else "",
        "authors": clean_authors(names),
    }
    no_text = "This notebook contains no text."
    return compose(_blocks(value)).extracted("zorora-notebook 1", metadata, empty=no_text)


def _blocks(value: dict[str, Any]) -> Iterator[ParsedBlock]:
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
        if isinstance(data, dict):
            text = _joined(data.get("text/plain"))
        else:
            text = _joined(output.get("text"))
        if text.strip() and not text.lstrip().startswith("<"):
            yield ParsedBlock(text[:_LONG_RESULT], kind=BlockKind.CODE)


def _joined(source: object) -> str:
    return "".join(map(str, source)) if isinstance(source, list) else str(source or "")
