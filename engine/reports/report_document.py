"""The report document for both interfaces: the blocks in reading order that every format and page
is made of."""

from workflows.research.answer.model import Answer, AnswerCard, AnswerPassage, shown_passages
from workflows.research.answer.strength import cited_sources
from workflows.research.report.blocks import (
    CLOSEST,
    NO_DIFFERENCE,
    Block,
    Bullets,
    Card,
    Closest,
    Facing,
    Grid,
    Heading,
    ItemList,
    Paragraph,
    Part,
    PartKind,
    Piece,
    Quotation,
    Remark,
    Reply,
    card_facts,
    linear,
    table_header,
)
from workflows.research.report.document import PASSAGE, Document, document, reply_of, turn_prose
from workflows.research.report.quality import used_sources
from workflows.research.report.tags import shown_tag
from workflows.research.state import ResearchState, Turn

__all__ = [
    "CLOSEST", "NO_DIFFERENCE", "PASSAGE", "Answer", "AnswerCard", "AnswerPassage", "Block",
    "Bullets", "Card", "Closest", "Document", "Facing", "Grid", "Heading", "ItemList", "Paragraph",
    "Part", "PartKind", "Piece", "Quotation", "Remark", "Reply", "answer_card", "card_facts",
    "cited_sources", "document", "linear", "reply_of", "shown_passages", "shown_tag",
    "table_header", "turn_prose", "used_by_turn", "used_sources",
]  # fmt: skip


def answer_card(state: ResearchState) -> dict[str, object]:
    """The answer of a report for programs: JSON values, with the sources that it cites."""
    record = state.to_dict()
    names = ("source_id", "tag", "title", "url", "source_type", "published")
    source_ids = cited_sources(state.answer)
    return {
        **{name: record[name] for name in ("research_id", "original_query", "status", "answer")},
        "sources": [
            {name: source[name] for name in names}
            for source in record["sources"]
            if source["source_id"] in source_ids
        ],
    }


def used_by_turn(turn: Turn) -> set[str]:
    """Ids of the sources that the answer to a follow-up question cites."""
    return cited_sources(turn.answer) | {
        c.source_id for sentence in turn.sentences for c in sentence.citations
    }
