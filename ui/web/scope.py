"""The documents that a question is limited to: chosen in the library, carried by the form that
asks."""

from collections.abc import Sequence
from dataclasses import dataclass

from werkzeug.datastructures import MultiDict

from engine.models import ConfigError, Document
from ui.web.context import engine
from ui.web.views.labels import many

MOST = 200  # documents that one address may name
SHOWN = 5  # titles


@dataclass(frozen=True, slots=True)
class Scope:
    """folder: all documents of one folder, those that come later included until the question is
    asked."""

    documents: tuple[Document, ...]
    folder: str = ""

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(document.document_id for document in self.documents)

    @property
    def words(self) -> str:
        """What is searched, in one line."""
        if self.folder:
            return f"{self.folder} ({many(len(self.documents), 'document')})"
        titles = [document.title or document.name for document in self.documents[:SHOWN]]
        more = len(self.documents) - len(titles)
        return "; ".join([*titles, *([f"and {more} more"] if more else [])])


def scope(values: MultiDict[str, str]) -> Scope | None:
    """What ?doc= (several) or ?folder= names; None where neither does. Raises ConfigError when
    nothing is left."""
    folder, ids = values.get("folder", "")[:1000], set(values.getlist("doc")[:MOST])
    if not folder and not ids:
        return None
    documents: Sequence[Document] = engine().library(None if folder else ids)
    members = tuple(
        document
        for document in documents
        if document.snapshot_id and (not folder or document.folder == folder)
    )
    if not members:
        raise ConfigError(
            "The documents you chose are no longer in the library. Choose others there."
        )
    return Scope(members, folder)
