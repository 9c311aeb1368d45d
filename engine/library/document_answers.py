"""What the engine answers about the user's documents (engine.answers hands them on)."""

from dataclasses import dataclass

from tools.documents.passage import Passage


@dataclass(frozen=True, slots=True)
class LibraryHit:
    """A passage in one of the user's documents; text marks matches as HistoryEntry.snippet does."""

    document_id: str
    name: str
    title: str
    passage: Passage
    text: str

    @property
    def worded(self) -> bool:
        """Whether a word of the query stands in it or above it; otherwise it is near in meaning
        alone."""
        return self.passage.lexical > 0 or "\x02" in self.text
