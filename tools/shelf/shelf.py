"""Shelf: what tools may open. A web address is fetched and kept; a handle names a text that is kept
already."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tools.documents.model import Link, Passage, Section
from tools.documents.sections import find_section, whole_span
from tools.documents.snapshots import SnapshotFiles
from tools.errors import NotFound, Refused, SourceError
from tools.library.library import Library
from tools.net.store import FetchStore
from tools.search.search import Corpus
from tools.shelf.handles import Handle, check_address, handle_of, is_handle, parse_handle
from tools.sources.source import FetchedPage, Source, make_source

SMALLEST_FOLDERS = 2  # digits of an id that name the folder of its file


@dataclass(frozen=True, slots=True)
class Opened:
    """A text with what is known about it. is_private: of the user's documents; such a text stays on
    this computer. section: the one that was asked for."""

    snapshot_id: str
    title: str
    text: str
    sections: tuple[Section, ...] = ()
    links: tuple[Link, ...] = ()
    url: str = ""
    is_private: bool = False
    section: Section | None = None

    @property
    def handle(self) -> Handle:
        return handle_of(self.snapshot_id, self.section.section_id if self.section else None)

    @property
    def span(self) -> tuple[int, int]:
        """Where what was asked for stands: a section with its subsections, else the whole text."""
        return whole_span(self.sections, self.section) if self.section else (0, len(self.text))

    @property
    def part(self) -> str:
        """The text that was asked for."""
        return self.text[slice(*self.span)]


@dataclass(frozen=True, slots=True)
class Shelf:
    """The stored texts, and the way to new ones. read: fetches a page and keeps its text; None
    where that is off."""

    corpus: Corpus
    snapshots: SnapshotFiles
    library: Library
    fetches: FetchStore
    read: Callable[[Source], FetchedPage] | None = None

    def open(
        self, target: str, section_id: str | None = None, section_ref: str | None = None
    ) -> Opened:
        """A handle or an address, and a section of it. section_ref, a handle of a section, wins
        over section_id.

        Raises NotFound, Refused (what is on this machine or in its network), SourceError (a page
        that cannot be read).
        """
        if section_ref:
            reference = parse_handle(section_ref)
            return _with_section(self._stored(reference), reference.section or section_id or "")
        if is_handle(target):
            handle = parse_handle(target)
            return _with_section(self._stored(handle), section_id or handle.section)
        return _with_section(self._fetched(check_address(target)), section_id or "")

    def own_passages(self, query: str, limit: int) -> tuple[list[Passage], dict[str, str]]:
        """The best passages in the user's documents, and a title for each text there is; "" for one
        not found."""
        texts = self.library.quotable()
        passages = self.corpus.search(query, limit, snapshot_ids=texts) if texts else []
        owners = self.library.owners({passage.snapshot_id for passage in passages})
        return passages, {
            **dict.fromkeys(texts, ""),
            **{name: document.title for name, document in owners.items()},
        }

    def passages(self, query: str, limit: int, opened: Sequence[Opened]) -> list[Passage]:
        """The best passages for a query in texts that were opened, each within the part that was
        asked for."""
        parts: dict[str, list[tuple[int, int]]] = {}
        for part in opened:
            self.corpus.add(part.snapshot_id, part.text, part.sections, title=part.title)
            parts.setdefault(part.snapshot_id, []).append(part.span)
        narrow = any(entry.section for entry in opened)
        passages = self.corpus.search(
            query, limit * 10 if narrow else limit, snapshot_ids=set(parts)
        )
        within = [
            p for p in passages if any(a <= p.start and p.end <= b for a, b in parts[p.snapshot_id])
        ]
        return within[:limit]

    def _fetched(self, url: str) -> Opened:
        if self.read is None:
            raise SourceError("No page is fetched now: this run is offline.")
        page = self.read(make_source(url, ""))
        if page.snapshot is None:
            why = f"{url} could not be read. {page.problem or ''}".strip()
            raise Refused(why) if page.closed else SourceError(why)
        snapshot = page.snapshot
        text = self.snapshots.get(snapshot.snapshot_id)
        return Opened(
            snapshot.snapshot_id, page.title or url, text, snapshot.sections, page.links, page.url
        )

    def _stored(self, handle: Handle) -> Opened:
        snapshot_id = self._snapshot_id(handle.id)
        owner = self.library.owners([snapshot_id]).get(snapshot_id)
        text = self.snapshots.get(snapshot_id)
        if owner is not None:
            record = self.library.record(self.library.document(owner.document_id))
            return Opened(snapshot_id, owner.title, text, record.sections, is_private=True)
        fetched = self.fetches.of_snapshot(snapshot_id)
        if fetched is None:
            return Opened(snapshot_id, "", text)
        about = fetched.metadata
        sections = tuple(Section(*fields) for fields in about.get("sections", ()))
        links = tuple(Link(*fields) for fields in about.get("links", ()))
        return Opened(snapshot_id, about.get("title", ""), text, sections, links, fetched.url)

    def _snapshot_id(self, beginning: str) -> str:
        """The whole id of a stored text from its beginning, or from the id of a document."""
        folder = self.snapshots.root / beginning[:SMALLEST_FOLDERS]
        names = (path.name.removesuffix(".txt.gz") for path in folder.glob(f"{beginning}*.txt.gz"))
        snapshots = sorted(name for name in names if self.snapshots.has(name))
        if len(snapshots) == 1:
            return snapshots[0]
        if snapshots:
            raise NotFound(
                f"{len(snapshots)} stored texts begin with {beginning!r}; give more of the handle."
            )
        for document in self.library.documents():
            if document.document_id == beginning and document.snapshot_id:
                return document.snapshot_id
        raise NotFound(f"There is no stored text {Handle(beginning)}; it may have been removed.")


def _with_section(opened: Opened, name: str) -> Opened:
    return replace(opened, section=find_section(opened.sections, name)) if name else opened
