"""Many questions on the workers of a cluster, each in a home of the worker's machine."""

import hashlib
import io
import tarfile
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.answers import RunOptions
from engine.cluster.cluster import Done, connected, scratch_folder
from engine.maintenance import store
from engine.research_engine import ResearchEngine
from engine.runs.batch import Answered, Batch, Journal, Notify
from engine.runs.run_options import run_config
from engine.schema import ZORORA
from engine.settings.config import Config
from engine.settings.settings_values import masked
from tools.database import Database
from tools.documents.snapshots import SnapshotFiles
from tools.errors import Refused, ZororaError
from tools.library.store import DocumentStore
from tools.net.store import NetStore
from tools.schema import CORPUS
from tools.sources.source import SourceKind
from workflows.research.kinds import RunStatus

MOST_SHELF = 2_000_000_000  # bytes of a library that is sent to workers
# Settings that a worker takes over; those of places and of this machine stay here
_SECTIONS = (
    "research", "credibility", "verification", "newsroom", "sources", "http", "privacy", "corpus",
    "embeddings", "models", "endpoints",
)  # fmt: skip
_OURS = ("corpus.roots", "embeddings.path", "verification.model")


class ClusterBatch(Batch):
    """A batch whose researches are done on a cluster."""

    def __init__(self, engine: ResearchEngine, address: str, journal: Journal) -> None:
        super().__init__(engine, journal)
        self._address = address

    def run(self, questions: Sequence[str], options: RunOptions, notify: Notify) -> list[Answered]:
        """Each record is kept here as soon as it is there."""
        results: list[Answered] = []
        with connected(self.engine.config, self._address) as cluster:
            options = self._with_documents(replace(options, clarify=False))
            shelf = cluster.spread(self._shelf(options))
            settings = _settings(self.engine.config)
            orders = ((query, options, settings, shelf) for query in questions)
            for question, result in cluster.each(research_task, orders):
                answer = self._keep(question, result)
                if answer.research_id:
                    self.journal.note(question, answer.research_id)
                results.append(answer)
                notify(answer)
        return results

    def _with_documents(self, options: RunOptions) -> RunOptions:
        """Documents named for this run are read here; workers get what was read."""
        if not options.docs:
            return options
        report = self.engine.ingest(options.docs)
        sources = run_config(options, self.engine.config).sources
        return replace(options, docs=(), documents=report.document_ids, sources=sources)

    def _keep(self, question: str, result: Any) -> Answered:
        if not isinstance(result, Done):
            return Answered(
                question, None, RunStatus.FAILED, f"Every worker that tried it crashed ({result})."
            )
        if not result.record:
            return Answered(question, None, result.status, result.problem)
        try:
            record = self.engine.import_record(result.record)
        except Refused as error:
            return Answered(question, None, RunStatus.FAILED, str(error))
        return Answered(question, record.research_id, result.status)

    def _shelf(self, options: RunOptions) -> bytes:
        """The library as workers get it: a copy of corpus.db without the cache, and the texts of
        the documents."""
        config = self.engine.config
        if (
            SourceKind.LOCAL not in run_config(options, config).sources
            or not self.engine.library_size()
        ):
            return b""
        files = SnapshotFiles(config.paths.snapshots)
        with tempfile.TemporaryDirectory(prefix="zorora-") as folder:
            copy = Path(folder) / "corpus.db"
            store.copy_into(config.paths.corpus_db, copy)
            with closing(Database(copy, CORPUS)) as database:
                NetStore(database).cache.clear()
                texts = [
                    files.path(snapshot_id) for snapshot_id, _, _ in DocumentStore(database).texts()
                ]
            return _packed(copy, [path for path in sorted(set(texts)) if path.exists()])


def research_task(
    question: str, options: RunOptions, settings: dict[str, Any], shelf: bytes
) -> Done:
    """A whole research in a home of the worker's machine, of which only the cache stays; the record
    as exported. Never raises what the next worker would raise as well."""
    scratch = scratch_folder()
    home = _unpacked(shelf, scratch)
    # The cache, the politeness towards hosts and the library are shared; the queue is this
    # research's own, so that nobody here takes up what a killed worker left
    with tempfile.TemporaryDirectory(prefix="zorora-", dir=scratch) as own_home:
        database = Path(own_home) / "zorora.db"
        # One that is missing would be rebuilt from a copy in the shared home, with jobs of another
        # research
        with closing(Database(database, ZORORA)) as queue:
            queue.read()
        with ResearchEngine(database, home, overrides=settings) as engine:
            try:
                return _ran(engine, question, options)
            except ZororaError as error:
                return Done(RunStatus.FAILED, problem=str(error))


def _ran(engine: ResearchEngine, question: str, options: RunOptions) -> Done:
    state = engine.run(question, options)
    if engine.load_research(state.research_id) is None:
        return Done(state.status, problem="Nothing was found; nothing was saved.")
    record = engine.export(state.research_id, "json", with_snapshots=True).data
    # Its texts stay: another research of this machine may be reading them, and the next need not
    # fetch them
    engine.record_path(state.research_id).unlink(missing_ok=True)
    return Done(state.status, record)


def _settings(config: Config) -> dict[str, Any]:
    """What was set here and concerns a research; no password of a proxy leaves with it."""
    return {
        name: value
        for name, (value, _) in config.values.items()
        if name.partition(".")[0] in _SECTIONS
        and name not in _OURS
        and masked(str(value)) == str(value)
    }


def _packed(database: Path, texts: Sequence[Path]) -> bytes:
    size = database.stat().st_size + sum(path.stat().st_size for path in texts)
    if size > MOST_SHELF:
        raise Refused(
            f"The library has {size / 1e9:.1f} GB, too large to send to every worker. Put the "
            "index into PostgreSQL"
            " (docs/scaling.md), or leave local sources out with --sources."
        )
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        archive.add(database, "corpus.db", filter=_plain)
        for path in texts:
            archive.add(path, f"research/snapshots/{path.parent.name}/{path.name}", filter=_plain)
    return buffer.getvalue()


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Nothing of this machine: no owner, no time."""
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    return entry


def _unpacked(shelf: bytes, scratch: Path) -> Path:
    """The home of a library on this machine, made by the first who needs it."""
    home = scratch / f"zorora-{hashlib.sha256(shelf).hexdigest()[:16]}"
    if not home.exists():
        folder = Path(tempfile.mkdtemp(prefix="zorora-", dir=scratch))
        if shelf:
            with tarfile.open(fileobj=io.BytesIO(shelf)) as archive:
                archive.extractall(folder, filter="data")
        try:
            folder.rename(home)
        except OSError:
            if not home.exists():  # another worker of this machine was first
                raise
    return home
