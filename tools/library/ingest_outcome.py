"""What became of each file of an ingest."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

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


class Ingested(NamedTuple):
    """What an ingest did, file by file. removed: documents whose files are gone."""

    files: tuple[IngestedFile, ...] = ()
    removed: int = 0

    @property
    def added(self) -> int:
        return self._count(ADDED)

    @property
    def changed(self) -> int:
        return self._count(CHANGED)

    @property
    def unchanged(self) -> int:
        return self._count(UNCHANGED)

    @property
    def failed(self) -> tuple[tuple[str, str], ...]:
        """(name, reason) of what could not be read."""
        return tuple((file.name, file.reason) for file in self.files if file.reason)

    @property
    def document_ids(self) -> tuple[str, ...]:
        """The documents of the files that were read, in order, each once."""
        return tuple(
            dict.fromkeys(
                file.document_id for file in self.files if file.document_id and not file.reason
            )
        )

    def _count(self, status: str) -> int:
        return sum(1 for file in self.files if file.status == status)


@dataclass
class Tally:
    """An ingest under way."""

    files: list[IngestedFile] = field(default_factory=list)
    dropped: int = 0

    def refuse(self, problems: Iterable[tuple[str, str]]) -> None:
        """Note what was not even opened."""
        self.files.extend(IngestedFile(name, REFUSED, reason=reason) for name, reason in problems)

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
