"""The one place where tools are built from the configuration and handed to workflows.

A Toolbox lives as long as its engine; everything in it is made on first use, so that listing the
history starts no parser. `deps` is one run's view with its own network door: a cancel reaches its
waits, its requests are counted apart.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from engine.clock import now
from engine.extensions import NO_EXTENSIONS, Extensions
from engine.maintenance import lost_index
from engine.settings import config as configuration
from engine.settings.config import Config
from engine.settings.settings_table import KEYS
from tools.database import Database
from tools.documents.passage import CHARACTERS_PER_TOKEN, Cut
from tools.documents.snapshots import SnapshotFiles
from tools.errors import ModelError
from tools.library.library import Library, Progress
from tools.schema import CORPUS
from tools.search.search import Corpus

# A search of the documents needs none of these
if TYPE_CHECKING:
    from engine.library.document_vectors import Vectors
    from engine.runs.worker_context import Order
    from tools.credibility.store import JournalStore
    from tools.credibility.user_rules import Rules
    from tools.documents.parse_pool import ParsePool
    from tools.index.index import ChunkIndex
    from tools.index.vectors import embeddings
    from tools.judging.judge import Judge
    from tools.library.ingest_outcome import IngestReport
    from tools.models.calling import Caller
    from tools.models.model import Reply
    from tools.models.roles import Models
    from tools.net.store import NetStore
    from tools.reading.reading_model import ReadingModel
    from workflows.research.deps import Deps
    from workflows.research.model import RunConfig

TEXTS = 40_000_000  # characters of snapshot texts kept in memory
# Parts that hold files, processes or much memory, each with the settings it is made from. New
# settings leave a part alone that does not depend on what changed.
PARTS: Mapping[str, tuple[str, ...]] = {
    "database": (),
    "snapshots": (),
    "net": (),
    "journals": (),
    "pool": (),
    "library_pool": ("corpus.parse_seconds",),
    "embedder": ("embeddings",),
    "index": ("corpus.index",),
    "corpus": ("corpus", "embeddings"),
    "library": ("corpus", "embeddings"),
    "vectors": ("corpus", "embeddings"),
    "models": ("http.proxy",),
}
ON_THE_INDEX = ("index", "corpus", "library", "vectors")


class Toolbox:
    """The tools of one engine. Safe to use from several threads.

    in_use: whether a research refers to a snapshot. before: the tools that these replace, under
    other settings. Work that began with them goes on with them; what both use alike is shared, and
    ends with whoever is closed last.
    """

    def __init__(
        self,
        config: Config,
        in_use: Callable[[str], bool] = lambda snapshot_id: True,
        before: Toolbox | None = None,
        extensions: Extensions = NO_EXTENSIONS,
    ) -> None:
        self.config = config
        self.extensions = extensions
        self._in_use = in_use
        self._lock = threading.RLock()
        self._texts: OrderedDict[str, str] = OrderedDict()
        self.http_requests = self.bytes = 0  # of the runs so far
        if before is not None:
            self._share(before)

    # --- parts -----------------------------------------------------------------------------------

    @cached_property
    def database(self) -> Database:
        lost_index.remember_loss(self.config.paths)
        return Database(self.config.paths.corpus_db, CORPUS, synchronous="NORMAL")

    @cached_property
    def snapshots(self) -> SnapshotFiles:
        # Made before the first text is stored: texts without an index are those of a lost one
        _ = self.database
        return SnapshotFiles(self.config.paths.snapshots)

    @cached_property
    def net(self) -> NetStore:
        from tools.net.store import NetStore

        return NetStore(self.database)

    @cached_property
    def journals(self) -> JournalStore:
        from tools.credibility.store import JournalStore

        return JournalStore(self.database)

    @cached_property
    def pool(self) -> ParsePool:
        """Readers for what comes from the network."""
        from tools.documents.parse_pool import ParsePool

        return ParsePool(seconds=20.0)

    @cached_property
    def library_pool(self) -> ParsePool:
        """Readers for the user's documents, which may take longer."""
        from tools.documents.parse_pool import ParsePool

        return ParsePool(seconds=self.config.get("corpus.parse_seconds"))

    @cached_property
    def library(self) -> Library:
        return Library(
            self.corpus,
            lambda: self.library_pool,
            self.snapshots,
            now,
            uploads=self.config.paths.uploads,
            in_use=self._in_use,
        )

    @cached_property
    def embedder(self) -> embeddings.Embedder | None:
        """What makes vectors of texts; None without the extra, or where it is switched off."""
        choice = self.find_embedder()
        return choice.embedder if choice else None

    def find_embedder(self) -> embeddings.Found | None:
        """An embedder, or why there is none; None where it is switched off. Loads nothing."""
        get = self.config.get
        if not get("embeddings.enabled"):
            return None
        from tools.index.vectors import embeddings

        path, name = get("embeddings.path"), get("embeddings.model")
        batch, device = get("embeddings.batch"), get("embeddings.device")
        return embeddings.find(Path(path) if path else None, name, batch=batch, device=device)

    @cached_property
    def reading_model(self) -> ReadingModel | None:
        """What reads passages with a question in mind: an installed model, else the program's own
        beside vectors."""
        from tools.reading.onnx_reader import find_model

        return find_model(self.config.paths.models, shipped=self.config.get("embeddings.enabled"))

    @cached_property
    def index(self) -> ChunkIndex | None:
        """The chunk index, where it is not in corpus.db."""
        if not self.config.get("corpus.index"):
            return None
        from engine.wiring import chunk_index

        return chunk_index.opened(self.config, self.database)

    @cached_property
    def corpus(self) -> Corpus:
        get = self.config.get
        weight = get("corpus.dense_weight")
        corpus = Corpus(
            self.database,
            self.snapshots,
            embedder=self.embedder,
            fusion=get("corpus.fusion"),
            index=self.index,
        )
        corpus.cut = Cut(
            get("corpus.chunk_tokens") * CHARACTERS_PER_TOKEN, get("corpus.overlap_sentences")
        )
        if weight is not None:
            corpus.dense_weight = weight
        return corpus

    @cached_property
    def vectors(self) -> Vectors:
        """Makes the vectors of documents in the background."""
        from engine.library.document_vectors import Vectors

        return Vectors(self.corpus, self.config.paths.home / "vectors.lock")

    @cached_property
    def rules(self) -> Rules:
        from engine.wiring import source_settings

        return source_settings.rules(self.config)

    @cached_property
    def judge(self) -> Judge:
        """What judges support and contradiction: the program's own, an entailment model, else the
        checks alone."""
        from engine.llm.model_kinds import path_of
        from tools.judging.checks import Checks
        from tools.judging.nli import Nli

        if self.extensions.judge is not None:
            return self.extensions.judge
        sure_from = self.config.get("verification.span_threshold")
        if folder := self.config.get("verification.model"):
            return Nli(Path(folder).expanduser(), sure_from=sure_from)
        placed = path_of(self.config.paths.models, "judge")
        try:
            return Nli(placed, sure_from=sure_from) if placed else Checks()
        except ModelError as error:  # damaged since it was fetched; `zorora doctor` says so too
            from engine import logs

            logs.log.warning("The judge is not used: %s", error)
            return Checks()

    @cached_property
    def models(self) -> Caller:
        """What calls the endpoints of models. One for all runs: it learns what each does not
        take."""
        from engine.llm import model_roles
        from tools.models.calling import Caller

        return Caller(model_roles.wire(self.config))

    # --- for a run -------------------------------------------------------------------------------

    def models_of_run(
        self, *, offline: bool = False, replies: MutableMapping[str, Reply] | None = None
    ) -> Models | None:
        """The models of one run; see `model_roles.models_for_run`."""
        from engine.llm import model_roles

        return model_roles.models_for_run(
            self.config, self.models, offline=offline, replies=replies
        )

    def prepare(self, order: Order) -> RunConfig:
        """Read the documents that were named for this run into the library; the run may use these
        alone."""
        from workflows.research.events import Event, EventKind

        def tell_progress(name: str, done: int, total: int, problem: str | None = None) -> None:
            order.check_cancelled()
            if problem:
                message = f"Could not read {name}: {problem}"
            else:
                message = f"Read document {done} of {total}: {name}."
            order.emit(
                Event(EventKind.NOTE, "understand", message, {"document": name, "problem": problem})
            )

        report = self.ingest([Path(path) for path in order.docs], tell_progress)
        return replace(order.config, documents=report.document_ids)

    @contextmanager
    def deps(self, order: Order) -> Iterator[Deps]:
        """All that the phases of one run may touch."""
        from engine.maintenance import leftovers
        from engine.runs.model_answers import KeptAnswers
        from engine.wiring import run_deps, sources

        run = sources.Run(self, order)
        replies = KeptAnswers(leftovers.answers_of(self.config.paths, order.research_id))
        try:
            yield run_deps.deps_of(self, run, order, replies)
            replies.forget()  # a run that was killed or stopped comes back to them
        finally:
            self.http_requests += run.http.requests
            self.bytes += run.http.bytes
            run.close()

    def text(self, snapshot_id: str) -> str:
        """The text of a snapshot; those used last are kept in memory."""
        with self._lock:
            if snapshot_id in self._texts:
                self._texts.move_to_end(snapshot_id)
                return self._texts[snapshot_id]
        text = self.snapshots.get(snapshot_id)
        with self._lock:
            self._texts[snapshot_id] = text
            while len(self._texts) > 1 and sum(map(len, self._texts.values())) > TEXTS:
                self._texts.popitem(last=False)
        return text

    # --- clients ---------------------------------------------------------------------------------

    def address_of_key(self, name: str) -> str:
        """The address of the service that uses a key."""
        from engine.llm import model_endpoints
        from engine.wiring import source_settings

        if setting := next((key.address for key in KEYS if key.name == name), ""):
            return str(self.config.get(setting) or "")
        return source_settings.address_of_key(name, self.config) or model_endpoints.address_of_key(
            self.config, name
        )

    # --- documents -------------------------------------------------------------------------------

    def ingest(
        self,
        paths: Sequence[Path],
        progress: Progress | None,
        library: Library | None = None,
    ) -> IngestReport:
        """Files and folders into the library."""
        get = self.config.get
        return (library or self.library).ingest(
            paths,
            progress=progress,
            ignore=get("corpus.ignore"),
            max_file_mb=get("corpus.max_file_mb"),
            home_folders=(self.config.paths.findings.resolve(),),
        )

    def forget_texts(self, snapshot_ids: Collection[str]) -> None:
        """Remove texts that no research refers to, where no document and no kept page needs them
        either."""
        if lost_index.is_lost(self.config.paths):
            return  # nobody knows which texts the documents need
        in_use = (
            self.library.quotable() | self.net.fetches.snapshot_ids() if snapshot_ids else set()
        )
        for snapshot_id in set(snapshot_ids) - in_use:
            self.corpus.remove(snapshot_id)
            self.snapshots.remove(snapshot_id)

    def _share(self, before: Toolbox) -> None:
        """Take over the parts of other tools that these settings would make alike.

        What is not taken over ends with the work that still uses it; connections to another index
        end at once here.
        """
        from engine.wiring import chunk_index

        parts = dict(before.__dict__)
        index: ChunkIndex | None = parts.get("index")
        moved = index is not None and not chunk_index.is_at(index, self.config)
        for part, prefixes in PARTS.items():
            changed = configuration.differ(self.config, before.config, prefixes) or (
                moved and part in ON_THE_INDEX
            )
            if part in parts and not changed:
                self.__dict__[part] = parts[part]
        if index is not None and "index" not in self.__dict__:
            index.close()

    def close(self) -> None:
        """End the parsers and close the database."""
        for name in ("vectors", "pool", "library_pool", "index", "database"):
            part = self.__dict__.get(name)  # only what was made
            if part is not None:
                part.close()
