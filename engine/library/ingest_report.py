"""What the engine answers about an ingest (engine.answers hands it on)."""

from dataclasses import dataclass

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
