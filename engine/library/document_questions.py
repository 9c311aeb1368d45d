"""Documents against questions: the best passage of each document for each question, as a table to
read across."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine.resources import Opened
from tools.documents.model import RELEVANT, Document, Passage
from tools.text.spreadsheet import to_csv


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document with one passage a question, None where it has nothing to do with it."""

    document: Document
    passages: tuple[Passage | None, ...]

    @property
    def filled(self) -> int:
        return sum(passage is not None for passage in self.passages)


def table(
    opened: Opened, questions: Sequence[str], document_ids: Collection[str] | None
) -> tuple[DocumentRow, ...]:
    """A row for each document that has a text, in the order of the library. document_ids: only of
    these."""
    documents = [
        document
        for document in opened.tools.library.documents(document_ids)
        if document.snapshot_id
    ]
    texts = {document.snapshot_id for document in documents if document.snapshot_id}
    columns = [_best(opened, question, texts) for question in questions]
    return tuple(
        DocumentRow(document, tuple(column.get(document.snapshot_id or "") for column in columns))
        for document in documents
    )


def _best(opened: Opened, question: str, snapshot_ids: Collection[str]) -> dict[str, Passage]:
    if not snapshot_ids or not question.strip():
        return {}
    passages = opened.tools.corpus.search(
        question, len(snapshot_ids), snapshot_ids=snapshot_ids, per_snapshot=1
    )
    near = (
        passage for passage in passages if passage.lexical or (passage.semantic or 0.0) >= RELEVANT
    )
    return {passage.snapshot_id: passage for passage in near}


def filter_rows(rows: Sequence[DocumentRow], sort: str = "", text: str = "") -> list[DocumentRow]:
    """Rows with every word of the text; sort: date (newest first) or filled (most first), else as
    they are."""
    words = text.casefold().split()
    matching = [row for row in rows if all(word in _text(row) for word in words)]
    if sort == "date":
        matching.sort(key=lambda row: row.document.published or "", reverse=True)
    elif sort == "filled":
        matching.sort(key=lambda row: -row.filled)
    return matching


def table_csv(questions: Sequence[str], rows: Sequence[DocumentRow]) -> str:
    """The whole passages as CSV."""
    head = ("document", "file", "date", *questions)
    facts = ((row.document.title, row.document.name, row.document.published) for row in rows)
    cells = ((passage.text if passage else "" for passage in row.passages) for row in rows)
    return to_csv([head, *((*fact, *texts) for fact, texts in zip(facts, cells, strict=True))])


def _text(row: DocumentRow) -> str:
    cells = (passage.text for passage in row.passages if passage)
    return " ".join([row.document.title or "", row.document.name, *cells]).casefold()
