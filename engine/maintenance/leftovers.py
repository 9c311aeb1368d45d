"""What interrupted programs leave behind in a home: unfinished files, answers of models for runs
that nobody goes on with, older revisions of researches that are gone. None of it belongs to
anything that is kept.

Everything is left alone until it is old enough that no living program can still be at it.
"""

import logging
import os
import shutil
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path

from engine.files import TEMPORARY
from engine.home import Paths
from engine.ids import record_name

STALE = 3600.0  # seconds until an unfinished file belongs to a program that is gone
ABANDONED = 86_400.0 * 30  # seconds that what only a resumed run could use is kept
REVISIONS = "revisions"
log = logging.getLogger("zorora.engine")


def unfinished(paths: Paths) -> list[Path]:
    """Files that a program began to write and never put in their place."""
    return sorted({path for path in _candidates(paths) if _age(path) > STALE})


def clear(paths: Paths, is_known: Callable[[str], bool], open_jobs: Collection[str]) -> list[Path]:
    """Remove what is left behind; what was removed.

    is_known: whether a research is kept. open_jobs: ids of researches that are not over.
    """
    leftovers = [
        *unfinished(paths),
        *(path for path in answers(paths) if _is_abandoned(path, open_jobs)),
        *(path for path in revisions(paths) if _orphaned(paths, path, is_known)),
    ]
    return list(filter(_removed, leftovers))


def _is_abandoned(path: Path, open_jobs: Collection[str]) -> bool:
    """Whether a file of answers is old and its research is over."""
    run_id = path.stem.removeprefix("answers-")
    return run_id not in open_jobs and _age(path) > ABANDONED


def clear_folder(folder: Path, pattern: str) -> None:
    """Remove what interrupted programs left in a folder outside the home, under names only we
    give."""
    for path in sorted(folder.glob(pattern)):
        with suppress(OSError):
            if path.stat().st_uid == os.getuid() and _age(path) > STALE:
                _removed(path)


def forget(paths: Paths, research_id: str) -> None:
    """Remove what stands beside the record of a research: its older revisions, and answers of
    models."""
    _removed(folder_of_revisions(paths, research_id))
    _removed(answers_of(paths, research_id))


def folder_of_revisions(paths: Paths, research_id: str) -> Path:
    """Where the older revisions of a research stand."""
    return paths.findings.parent / REVISIONS / research_id


def revisions(paths: Paths) -> list[Path]:
    """The folders of all researches that have older revisions."""
    return sorted(path for path in (paths.findings.parent / REVISIONS).glob("*") if path.is_dir())


def answers_of(paths: Paths, run_id: str) -> Path:
    """Where the answers of models stand that a run which has not ended can come back to."""
    return paths.snapshots.parent / f"answers-{run_id}.jsonl"


def answers(paths: Paths) -> list[Path]:
    """Those files of all runs."""
    return sorted(paths.snapshots.parent.glob("answers-*.jsonl"))


def _candidates(paths: Paths) -> Iterator[Path]:
    research = paths.findings.parent
    for folder in (paths.home, paths.config.parent, paths.findings, research, *revisions(paths)):
        yield from folder.glob(f"{TEMPORARY}*")
    yield from paths.models.glob(f"{TEMPORARY}*")
    for folder in (paths.uploads, *paths.snapshots.glob("[0-9a-f][0-9a-f]")):
        yield from folder.glob(".*.tmp")
    yield from paths.backups.glob(".*.tmp*")  # with the journal of a copy that was cut off


def _orphaned(paths: Paths, folder: Path, is_known: Callable[[str], bool]) -> bool:
    """Whether nothing is left of the research; a record that cannot be read may still need its
    older revisions."""
    if _age(folder) < STALE or is_known(folder.name):
        return False
    return not (paths.findings / record_name(folder.name)).exists()


def _age(path: Path) -> float:
    """Seconds since a file was written; 0 for one that is gone or comes from the future."""
    with suppress(OSError):
        return max(0.0, time.time() - path.stat().st_mtime)
    return 0.0


def _removed(path: Path) -> bool:
    try:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        log.warning("%s could not be removed: %s", path, error)
        return False
    return True
