"""The report as Markdown: the `synthesis` of the record. Everything from outside is escaped."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import singledispatch

from tools.documents.model import BlockKind
from workflows.research.report.blocks import (
    CLOSEST,
    Block,
    Bullets,
    Card,
    Closest,
    Facing,
    Grid,
    Heading,
    ItemList,
    Paragraph,
    Quotation,
    Remark,
    Reply,
    card_facts,
)
from workflows.research.report.document import Document, document
from workflows.research.report.sentences import Citation, Sentence
from workflows.research.report.tags import shown_tag
from workflows.research.state import ResearchState

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~])")
_LINE_START = re.compile(r"^(\s*)([-+]|\d+[.)])(\s)")


def escape(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    plain = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    return _LINE_START.sub(r"\1\\\2\3", plain)


def to_markdown(state: ResearchState) -> str:
    """The report, part by part; a part without content is left out."""
    if state.report is None:
        return ""
    parts = [
        f"# {escape(state.report.title)}",
        *map(block_markdown, document(replace(state, conversation=()))),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


@singledispatch
def block_markdown(block: Block) -> str:
    """One block of a report."""
    raise TypeError(f"no Markdown for {type(block).__name__}")


@block_markdown.register
def _heading(block: Heading) -> str:
    return f"## {escape(block.text)}"


@block_markdown.register
def _remark(block: Remark) -> str:
    return "\n".join(f"*{escape(line)}*" for line in block.text.splitlines() if line.strip())


@block_markdown.register
def _reply(block: Reply) -> str:
    return f"**{escape(block.text)}**{_tags(block.citations)}"


@block_markdown.register
def _paragraph(block: Paragraph) -> str:
    return paragraph(block.sentences)


@block_markdown.register
def _card(block: Card) -> str:
    facts = f"\n\n*{escape(card_facts(block.card))}*" if card_facts(block.card) else ""
    return "\n\n".join([f"### {escape(block.card.title)}{facts}", *map(quotation, block.passages)])


@block_markdown.register
def _closest(block: Closest) -> str:
    return "\n\n".join([f"## {CLOSEST}", *map(quotation, block.passages)])


@block_markdown.register
def _items(block: ItemList) -> str:
    return "\n".join(f"- {escape(item.text)} [{shown_tag(item.tag)}]" for item in block.items)


@block_markdown.register
def _facing(block: Facing) -> str:
    sides = [f"- {_line(sentence)}" for sentence in block.sides]
    return "\n".join([*sides, f"- {escape(block.why)}"] if block.why else sides)


@block_markdown.register
def _bullets(block: Bullets) -> str:
    return "\n".join(f"- {paragraph(item)}" for item in block.items)


@block_markdown.register
def quotation(block: Quotation) -> str:
    """A passage as a block quotation, with the headings above it and where it stands."""
    passage = block.passage
    path = " › ".join(block.path)
    lines = [f"*{escape(path)}*"] if path else []
    for piece in block.pieces:
        if piece.kind == BlockKind.CODE:
            lines.append("\n".join(["~~~", *piece.text.splitlines(), "~~~"]).replace("\n", "\n> "))
        else:
            mark = (
                f"{'   ' * piece.level}{piece.marker} " if piece.kind == BlockKind.LIST_ITEM else ""
            )
            lines.append(mark + "\\\n> ".join(map(escape, piece.text.splitlines())) + piece.end)
    source = f"[{shown_tag(passage.tag)}]" + (
        f" {escape(passage.strength)}" if passage.strength else ""
    )
    return "\n>\n".join(f"> {line}" for line in (*lines, source))


def paragraph(sentences: Sequence[Sentence]) -> str:
    return " ".join(_line(sentence) for sentence in sentences)


def conversation(state: ResearchState) -> str:
    """What was asked after the report, with the answers; empty when nothing was."""
    return "\n\n".join(block_markdown(block) for block in Document(state).conversation())


@block_markdown.register
def table(block: Grid) -> str:
    lines = [
        "| " + " | ".join(escape(column) for column in block.columns) + " |",
        "|" + " --- |" * len(block.columns),
    ]
    lines += [
        "| " + " | ".join(paragraph(cell) or "–" for cell in row) + " |" for row in block.rows
    ]
    return "\n".join(lines)


def _line(sentence: Sentence) -> str:
    mark = f" {sentence.indicator}" if sentence.indicator and sentence.citations else ""
    return f"{escape(sentence.text)}{_tags(sentence.citations)}{mark}"


def _tags(citations: Sequence[Citation]) -> str:
    tags = dict.fromkeys(shown_tag(citation.tag) for citation in citations)
    return f" [{', '.join(tags)}]" if tags else ""
