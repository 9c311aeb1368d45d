"""What became of each file of an ingest."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tools.documents.passage import shown_name

if TYPE_CHECKING:
    from tools.library.folder_walk import FoundFile
    from tools.library.store import DocumentRow

ADDED, CHANGED, UNCHANGED, REFUSED = "added", "changed", "unchanged", "refused"


@dataclass(frozen=True, slots=True)
class IngestedFile:
    """One file. status: added, changed, unchanged, or refused with its reason. unread: what of it
    was left out."""

    name: str
    status: str
    folder: str = ""
    document_id: str = ""
    title: str = ""
    published: str | None = None
    published_from: str = ""
    reason: str | None = None
    unread: tuple[str, ...] = ()

    @property
    def shown_name(self) -> str:
        """The name, after that of its folder where many files are called so."""
        return shown_name(self.name, self.folder)


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did: counts, every file with its title, date or reason, and (name, reason) of
    those not read.

    removed: documents whose files are gone. document_ids: of the files that were read, in order,
    each once.
    """

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    failed: tuple[tuple[str, str], ...] = ()
    document_ids: tuple[str, ...] = ()
    files: tuple[IngestedFile, ...] = ()


@dataclass
class Tally:
    """An ingest under way."""

    files: list[IngestedFile] = field(default_factory=list)
    dropped: int = 0

    def refuse(self, problems: Iterable[tuple[str, str]]) -> None:
        """Note what was not even opened."""
        self.files.extend(IngestedFile(name, REFUSED, reason=reason) for name, reason in problems)

    def report(self) -> IngestReport:
        """What the ingest did."""
        counts = Counter(file.status for file in self.files)
        read_files = [file for file in self.files if file.document_id and not file.reason]
        return IngestReport(
            added=counts[ADDED],
            changed=counts[CHANGED],
            unchanged=counts[UNCHANGED],
            removed=self.dropped,
            failed=tuple((file.name, file.reason) for file in self.files if file.reason),
            document_ids=tuple(dict.fromkeys(file.document_id for file in read_files)),
            files=tuple(self.files),
        )

    def note(
        self, file: "FoundFile", status: str, row: "DocumentRow | None", problem: str | None
    ) -> str | None:
        """Note what became of one file, and hand on why it could not be read."""
        if problem or row is None:
            reason = problem or "It could not be read."
            document_id = row.document.document_id if row else ""
            self.files.append(
                IngestedFile(file.name, REFUSED, file.folder, document_id, reason=reason)
            )
            return reason
        document = row.document
        self.files.append(
            IngestedFile(
                file.name,
                status,
                file.folder,
                document.document_id,
                document.title,
                document.published,
                document.published_from,
                unread=_sentences(row.metadata),
            )
        )
        return None


def _sentences(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    unread = metadata.get("unread")
    return tuple(map(str, unread)) if isinstance(unread, list) else ()
