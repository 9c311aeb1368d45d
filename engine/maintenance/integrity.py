"""Whether what is stored is sound and fits together: both databases, the search index, the records
and the texts that they quote.

The part of `zorora doctor` that reads the stored files themselves.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from engine.answers import OK, PROBLEM, WARNING, Check
from engine.maintenance import lost_index, store
from engine.maintenance.database_recovery import is_lost
from engine.records.files import RecordFiles
from engine.records.quotations import shortened
from engine.records.verifying import Progress, Verification, Verifier
from engine.schema import ZORORA
from engine.settings.config import Config
from engine.wiring import chunk_index
from tools.documents.snapshots import SnapshotFiles
from tools.errors import ConfigError, StorageError
from tools.schema import CORPUS
from tools.text.phrases import counted, listed

SHOWN = 3  # examples in a sentence


@dataclass(frozen=True)
class Examination:
    """One look at an installation. quick: a sample of records and texts, and the structure of the
    databases alone."""

    config: Config
    quick: bool = False
    progress: Progress | None = None

    @cached_property
    def verified(self) -> Verification:
        """The records, held against the texts they quote."""
        paths = self.config.paths
        return Verifier(
            paths.findings, paths.snapshots, quick=self.quick, progress=self.progress
        ).verify()


def examples(names: list[str]) -> str:
    """The first names, and how many others there are."""
    return listed(names, SHOWN)


def databases(look: Examination) -> Iterator[Check]:
    """Both databases: readable, sound, not of a newer version."""
    config = look.config
    if is_lost(config.paths):
        message = f"{config.paths.db} is gone or empty, though records or copies of it are there."
        yield Check(
            "database", PROBLEM, message, "`zorora repair-db` rebuilds it; so does the next start."
        )
    else:
        yield _database(
            "database",
            config.paths.db,
            ZORORA,
            "`zorora repair-db` rebuilds it from the records.",
            look.quick,
        )
    if lost_index.is_lost(config.paths):
        yield Check("corpus", PROBLEM, lost_index.SENTENCE, lost_index.REMEDY)
        return
    remedy = "`zorora repair-db` rebuilds it from the stored texts."
    yield _database("corpus", config.paths.corpus_db, CORPUS, remedy, look.quick)


def search_index(config: Config) -> Iterator[Check]:
    """The index, where it is not in corpus.db: it can be reached and used."""
    if not config.get("corpus.index"):
        return
    try:
        yield Check("search index", OK, chunk_index.described(config))
    except (StorageError, ConfigError) as error:
        yield Check(
            "search index", PROBLEM, str(error), "Start the server, or see docs/scaling.md."
        )


def records(look: Examination) -> Iterator[Check]:
    """Records against the database and the texts they quote: every row has its file, every file its
    row."""
    verified, paths = look.verified, look.config.paths
    on_disk = {path.name for path, _, _ in RecordFiles(paths.findings).scan()}
    indexed = {Path(path).name for path in store.record_paths(paths.db)}
    missing, unknown = (
        sorted(indexed - on_disk),
        sorted(on_disk - indexed - set(verified.damaged_records)),
    )
    restore = "Restore them from one of your backups"
    if verified.damaged_records:
        yield Check(
            "records",
            PROBLEM,
            f"{examples(verified.damaged_records)} cannot be read.",
            f"{restore}.",
        )
    if verified.changed_records:
        several = counted(
            len(verified.changed_records), "record shows sentences", "records show sentences"
        )
        name, sentence = verified.changed_records[0]
        message = f"{several} that are not in the stored texts: {name} (“{shortened(sentence)}”)."
        others = examples([name for name, _ in verified.changed_records[1:]])
        message += f" Also {others}." if others else ""
        yield Check("records", PROBLEM, message, f"{restore}; opening one names all its sentences.")
    if missing:
        sentence = f"{counted(len(missing), 'report')} without a record file: {examples(missing)}."
        yield Check("records", PROBLEM, sentence, f"{restore}, or delete the reports.")
    if unknown:
        sentence = f"{counted(len(unknown), 'record')} not in the database: {examples(unknown)}."
        yield Check(
            "records",
            WARNING,
            sentence,
            "They are read at the next start, or by `zorora repair-db`.",
        )
    if not (verified.damaged_records or verified.changed_records or missing or unknown):
        yield Check(
            "records", OK, _extent(verified.records, "record", "every quotation stands in its text")
        )


def texts(look: Examination) -> Iterator[Check]:
    """Stored texts: what a research needs is there, and what is there is what it was."""
    verified, paths = look.verified, look.config.paths
    there = set(SnapshotFiles(paths.snapshots).ids())
    missing = sorted((store.snapshots_needed(paths.db) | verified.missing_texts) - there)
    if missing:
        names = examples([name[:12] for name in missing])
        sentence = (
            f"{counted(len(missing), 'stored text')} that reports quote cannot be found: {names}."
        )
        yield Check(
            "texts", PROBLEM, sentence, "Restore research/snapshots from one of your backups."
        )
    if bad_texts := sorted(verified.damaged_texts):
        sentence = (
            f"{counted(len(bad_texts), 'stored text')} damaged: "
            f"{examples([text[:12] for text in bad_texts])}."
        )
        remedy = (
            "`zorora repair-db` reads those of documents again; for others put "
            "research/snapshots back."
        )
        yield Check("texts", PROBLEM, sentence, remedy)
    if undeleted := sorted(
        there & store.texts_to_forget(paths.db) - store.texts_kept(paths.corpus_db)
    ):
        names = examples([name[:12] for name in undeleted])
        sentence = f"{counted(len(undeleted), 'text')} of deleted reports still there: {names}."
        yield Check("texts", WARNING, sentence, "The next daily tidying removes them.")
    if not (missing or bad_texts or undeleted):
        yield Check("texts", OK, _extent(verified.texts, "stored text", "each is what it was"))


def _extent(looked_at: tuple[int, int], what: str, sound: str) -> str:
    """How many were looked at, and that they are sound."""
    count, total = looked_at
    if not total:
        return f"No {what} yet."
    extent = (
        counted(total, what) if count >= total else f"{count} of {counted(total, what)} looked at"
    )
    return f"{extent}; {sound}."


def _database(name: str, path: Path, migrations: Sequence[str], remedy: str, quick: bool) -> Check:
    if not path.exists():
        return Check(name, OK, f"{path.name} is not there yet.")
    if wrong := store.findings(path, migrations, quick=quick):
        return Check(name, PROBLEM, f"{path} is damaged: {wrong[0]}.", remedy)
    version = store.version(path)
    if version > len(migrations):
        return Check(
            name,
            PROBLEM,
            f"{path.name} was written by a newer Zorora (format {version}).",
            "Update Zorora.",
        )
    return Check(name, OK, f"{path.name}, {path.stat().st_size / 1e6:.1f} MB, sound.")
