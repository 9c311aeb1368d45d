"""Rebuilding what can be rebuilt: zorora.db from the records, corpus.db from the stored texts and
documents.

A damaged database is moved aside, never deleted. Jobs, events and memory notes stand in zorora.db
alone: they return from the last sound backup, or not at all, and the sentences say which.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from engine.clock import present
from engine.files import fault
from engine.home import prepare
from engine.maintenance import backup, lost_index, store
from engine.maintenance.database_recovery import bring_back, replace_damaged
from engine.records.storage import LocalStorage
from engine.records.sweeping import sweep
from engine.schema import ZORORA
from engine.settings.config import Config
from engine.wiring.toolbox import Toolbox
from tools.documents.model import Completeness
from tools.documents.snapshots import SnapshotFiles
from tools.errors import NotFound, StorageError
from tools.schema import CORPUS
from tools.search.search import Corpus
from tools.text.phrases import counted

_ELSEWHERE = "Read documents outside the folders of the library again with: zorora ingest PATH."
# What the check says, and what mends it: indexes are made from their tables, the number of the
# format is shown by them
Mend = Callable[[Path, Sequence[str]], None]
MENDS: tuple[tuple[str, Mend], ...] = (
    (" index ", lambda database, _: store.mend_indexes(database)),
    ("its header says", store.mend_version),
    (store.REFERENCES, lambda database, _: store.mend_references(database)),
)
Rebuild = Callable[[Config, LocalStorage], list[str]]


def repair(config: Config, rebuild: Rebuild | None = None) -> list[str]:
    """Repair both databases of a home; what was done, one sentence each.

    rebuild: fills corpus.db again (None: from the snapshots of the records and the document
    folders). What another program writes meanwhile goes into the new files (tools/database.py).
    Raises StorageError when the disk refuses.
    """
    config.check_placed()
    actions = _database(config)
    with closing(LocalStorage(config=config)) as storage:
        actions += _researches(storage)
        is_lost = lost_index.is_lost(config.paths)
        actions += [lost_index.SENTENCE] if is_lost else []
        actions += _mended(config.paths.corpus_db, CORPUS)
        aside = _set_aside(config.paths.corpus_db, config)
        actions += aside
        actions += _texts(config)
        actions += (rebuild or rebuild_corpus)(config, storage)
        actions += [_ELSEWHERE] if aside or is_lost else []
    return actions


def rebuild_corpus(config: Config, storage: LocalStorage) -> list[str]:
    """Index every stored text of every record, and the documents, as far as they are not
    indexed."""
    with closing(Toolbox(config)) as toolbox:
        texts, unreadable = refill(storage, toolbox.corpus, toolbox.snapshots)
        folders = [
            Path(root)
            for root in (*config.get("corpus.roots"), config.paths.documents)
            if Path(root).is_dir()
        ]
        report = toolbox.ingest(folders, None) if folders else None
        lost_index.forget_loss(config.paths)
    count = counted(texts, "stored text")
    actions = [f"Indexed again: {count} of reports." if texts else "All stored texts are indexed."]
    if unreadable:
        count = counted(unreadable, "stored text")
        actions.append(f"Gone or damaged: {count} that reports quote; put research/snapshots back.")
    if report and (report.added or report.changed):
        actions.append(f"Indexed again: {counted(report.added + report.changed, 'document')}.")
    return actions


def refill(storage: LocalStorage, corpus: Corpus, snapshots: SnapshotFiles) -> tuple[int, int]:
    """Index the texts of all records: how many were new to the corpus, how many could not be
    read."""
    new = unreadable = 0
    for research_id in storage.ids():
        state = storage.load_research(research_id)
        titles = {source.source_id: source.title for source in state.sources} if state else {}
        for snapshot in state.snapshots if state else ():
            kind = "abstract" if snapshot.completeness == Completeness.ABSTRACT else "page"
            title = titles.get(snapshot.source_id, "")
            try:
                text = snapshots.get(snapshot.snapshot_id)
            except (NotFound, StorageError):
                unreadable += 1
                continue
            new += corpus.store.has(snapshot.snapshot_id) is None
            corpus.add(snapshot.snapshot_id, text, snapshot.sections, title=title, kind=kind)
    return new, unreadable


def _database(config: Config) -> list[str]:
    """Mend zorora.db, or make it anew where it is gone or cannot be mended."""
    paths = config.paths
    prepare(paths)
    return bring_back(paths) or _mended(paths.db, ZORORA) or replace_damaged(paths)


def _mended(database: Path, migrations: Sequence[str]) -> list[str]:
    """Mend a database in place, where that is enough; nothing where it is sound, or too damaged for
    that."""
    sentences: list[str] = []
    for _ in MENDS:  # what one of them mends may show what is left for another
        wrong = store.findings(database, migrations)
        mend = next(
            (mend for sign, mend in MENDS if wrong and all(sign in line for line in wrong)), None
        )
        if mend is None:
            break
        try:
            mend(database, migrations)
        except StorageError:
            return []
        sentences.append(f"{database.name} was mended ({wrong[0]}).")
    return [] if store.findings(database, migrations) else sentences


def _researches(storage: LocalStorage) -> list[str]:
    swept = sweep(storage.database, storage.files, storage.paths.path_in_database, thorough=True)
    count = counted(len(swept.indexed), "report")
    actions = [f"Read from the records, with stars, tags and notes: {count}."]
    actions += [f"{sentence} It was left as it is." for sentence in swept.damaged]
    if swept.missing:
        names = ", ".join(swept.missing[:3]) + (" …" if len(swept.missing) > 3 else "")
        missing = counted(len(swept.missing), "report")
        actions.append(
            f"{missing} without a record file ({names}); the database keeps what it has."
        )
    return actions


def _texts(config: Config) -> list[str]:
    """Move damaged texts aside: whoever reads their document or page again stores them anew."""
    files = SnapshotFiles(config.paths.snapshots)
    snapshot_ids = list(files.damaged())
    for snapshot_id in snapshot_ids:
        path = files.path(snapshot_id)
        try:
            path.replace(config.paths.backups / f"damaged-{path.name}")
        except OSError as error:
            raise fault(path, error) from error
    if snapshot_ids:
        return [f"{counted(len(snapshot_ids), 'damaged text')} moved to {config.paths.backups}."]
    return []


def _set_aside(database: Path, config: Config) -> list[str]:
    wrong = store.findings(database, CORPUS)
    if not wrong:
        return []
    with store.write_lock(database):
        aside = backup.set_aside(database, config.paths.backups, present())
    return [f"{database.name} was damaged ({wrong[0]}) and was moved to {aside}."]
