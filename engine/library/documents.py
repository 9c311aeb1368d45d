"""The user's own documents: read, listed, searched, removed; and the folders that may be read."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from engine.library.document_answers import LibraryHit
from engine.maintenance import lost_index
from engine.resources import Opened, launch
from engine.settings import config as configuration
from tools.documents.passage import RELEVANT
from tools.errors import NotFound, Refused
from tools.text.tokens import stem, stems, words

# A search watches nothing
if TYPE_CHECKING:
    from engine.library.folder_watch import Watch, WatchState
    from engine.library.machines import Machines
    from tools.documents.model import Document, Section
    from tools.library.ingest_outcome import IngestReport

Progress = Callable[[str, int, int, str | None], object]
LEFT, RIGHT = "\x02", "\x03"
_WORD = re.compile(r"(\w+)")
_FEW = 6  # words of a text that is no more than a note below a heading


class Documents:
    """The library side of the engine."""

    def __init__(self, opened: Opened) -> None:
        self._open = opened
        self._watch: Watch | None = None

    def ingest(
        self,
        paths: Sequence[str | Path],
        progress: Progress | None,
        machines: Machines | None = None,
    ) -> IngestReport:
        """Read files and folders, on other machines if there are some. NotFound names a missing
        path."""
        absolute = [Path(path).expanduser().absolute() for path in paths]
        for path in absolute:
            if not os.path.exists(path):  # noqa: PTH110  (one that may not be looked up is not there)
                raise NotFound(f"There is no file or folder {path}.")
        if machines:
            return self._ingest_there(absolute, progress, machines)
        fills = self._fill_lost_index(absolute)
        try:
            report = self._open.tools.ingest(absolute, progress)
            if fills:
                lost_index.forget_loss(self._open.config.paths)
            return report
        finally:
            self._open.tools.vectors.start()  # also for what was read before somebody stopped it

    def _fill_lost_index(self, paths: Sequence[Path]) -> bool:
        """Index the stored texts of the researches, where the index was lost; whether reading these
        paths fills it."""
        home = self._open.config.paths
        if not lost_index.is_lost(home):
            return False
        from engine.maintenance.repair import refill  # half of the program

        tools = self._open.tools
        refill(self._open.storage, tools.corpus, tools.snapshots)
        folders = {Path(root).absolute() for root in self.roots() if Path(root).is_dir()}
        return folders <= set(paths)

    def _ingest_there(
        self, paths: Sequence[Path], progress: Progress | None, machines: Machines
    ) -> IngestReport:
        """They parse and make vectors, and everything is done when this returns; what is stored is
        stored here."""
        tools, get = self._open.tools, self._open.config.get
        report = tools.ingest(paths, progress, tools.library.read_by(machines, machines.width))
        if get("embeddings.enabled"):
            path = get("embeddings.path")
            model = Path(path) if path else None
            machines.embed(tools.corpus.store, model, lambda count: None, get("embeddings.model"))
        return report

    def upload(self, name: str, data: bytes) -> Document:
        """Keep and read one file that came from a browser. Refused when it is empty or too
        large."""
        limit = self._open.config.get("corpus.max_file_mb")
        if not data:
            raise Refused("The file is empty.")
        if len(data) > limit * 1_000_000:
            raise Refused(f"The file is larger than {limit} MB.")
        document = self._open.tools.library.add_bytes(name, data)
        self._open.tools.vectors.start()
        return document

    def preparing(self, begin: bool = False) -> tuple[int, int]:
        """(ready, all) vectors of the passages of documents. begin: make those that are missing, in
        the background."""
        ready, total = self._open.tools.corpus.preparing()
        if begin and ready < total:
            self._open.tools.vectors.start()
        return ready, total

    def only_words(self) -> str:
        """Why documents are searched by words alone; "" where they are not, or meaning is switched
        off."""
        tools = self._open.tools
        if tools.embedder:
            return tools.corpus.problem
        missing = tools.find_embedder()
        return (missing.problem or "") if missing else ""

    def prepare_after_exit(self) -> None:
        """Before this program ends: let a process of its own make the vectors that are missing, if
        none does."""
        from engine.jobs.spawn import start_worker

        vectors = self._open.tools.vectors
        vectors.close()
        if vectors.is_left():
            start_worker(launch(self._open.config, self._open.environ), "ingest", "--wait")

    def all(self, document_ids: Collection[str] | None = None) -> list[Document]:
        """The user's documents by title, or those of them that are named."""
        return self._open.tools.library.documents(document_ids)

    def titles(self, limit: int) -> list[tuple[str, str]]:
        """(id, title) of the first documents by title that have a text."""
        return self._open.tools.library.titles(limit)

    def sections(self, document_id: str) -> tuple[Section, ...]:
        """The sections of a document in order; none when it has no text."""
        library = self._open.tools.library
        document = library.document(document_id)
        return library.record(document).sections if document.snapshot_id else ()

    def remove(self, document_id: str) -> None:
        """Take a document out of the library; the file itself stays where it is."""
        self._open.tools.library.remove(document_id)

    def search(self, query: str, limit: int = 20) -> list[LibraryHit]:
        """The best passages of the user's documents, with the words of the query marked."""
        library = self._open.tools.library
        texts = library.quotable() if query.strip() else ()
        if not texts:
            return []
        passages = self._open.tools.corpus.search(query, limit, snapshot_ids=texts)
        documents = library.owners({passage.snapshot_id for passage in passages})
        terms = set(stems(query)) or set(words(query))

        @cache  # the passages of a search share most of their words
        def is_hit(word: str) -> bool:
            return any(stem(part) in terms for part in words(word))

        hits = []
        # The nearest of what has nothing to do with the query is near as well
        near = [
            passage
            for passage in passages
            if passage.lexical or passage.semantic is None or passage.semantic >= RELEVANT
        ]
        for passage in sorted(near, key=lambda passage: _titled_only(passage.text, terms)):
            document = documents.get(passage.snapshot_id)
            if document is not None:  # not removed since by another program
                text = marked(passage.text, is_hit)
                hits.append(LibraryHit(*document, passage, text))
        return hits

    def watch(self, on: bool = True, progress: Progress | None = None) -> WatchState:
        """Read what is new or changed in the user's folders as it comes, until told otherwise or
        closed."""
        from engine.library.folder_watch import Watch

        self.close()
        if on:
            self._watch = Watch(
                lambda: [Path(root) for root in self.roots()],
                lambda folders: self.ingest(
                    [folder for folder in folders if folder.exists()], progress
                ),
                self._open.now,
                self._open.config.get("corpus.ignore"),
            )
            self._watch.start()
        return self.watching()

    def close(self) -> None:
        """End the watching."""
        if self._watch:
            self._watch.stop()

    def watching(self) -> WatchState:
        """Whether the folders are watched."""
        from engine.library.folder_watch import WatchState

        return self._watch.state if self._watch else WatchState()

    def roots(self) -> list[str]:
        """The folders with the user's documents, the one in the home first."""
        config = self._open.config
        return [str(config.paths.documents), *(str(path) for path in config.get("corpus.roots"))]

    def add_root(self, path: str | Path) -> None:
        """Add a folder to the roots, in config.toml. Refused for one of the system's or of Zorora's
        own."""
        from tools.library.excluded_folders import refusal

        folder = Path(path).expanduser().absolute()
        if not os.path.isdir(folder):  # noqa: PTH112
            raise NotFound(f"There is no folder {folder}.")
        if refused := refusal(
            Path(os.path.realpath(folder)), (self._open.config.paths.findings.resolve(),)
        ):
            raise Refused(f"{folder} {refused}")
        roots = self.roots()[1:]
        if str(folder) not in roots:
            configuration.save_value(
                self._open.config, "corpus.roots", ", ".join([*roots, str(folder)])
            )
            self._open.reload()


def marked(text: str, is_hit: Callable[[str], bool]) -> str:
    """The text with each word of the query between U+0002 and U+0003."""
    pieces = _WORD.split(text.replace(LEFT, " ").replace(RIGHT, " "))  # every second one is a word
    hits = {word for word in {*pieces[1::2]} if is_hit(word)}
    return "".join([f"{LEFT}{piece}{RIGHT}" if piece in hits else piece for piece in pieces])


def _titled_only(text: str, terms: set[str]) -> bool:
    """Whether a passage was found by its heading alone and says next to nothing itself."""
    return len(text.split()) <= _FEW and terms.isdisjoint({*stems(text), *words(text)})
