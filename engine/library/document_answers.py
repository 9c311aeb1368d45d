"""What the engine answers about the user's documents (engine.answers hands them on)."""

from dataclasses import dataclass

from tools.documents.model import Passage
from tools.library.ingest_outcome import IngestedFile


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did: counts, every file with its title, date or reason, and (name, reason) of
    those not read."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    failed: tuple[tuple[str, str], ...] = ()
    document_ids: tuple[str, ...] = ()
    files: tuple[IngestedFile, ...] = ()


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
