"""corpus.db that is gone: said until the documents and the texts of the researches have been read
again.

An empty one is made by the first who needs it, and looks like that of somebody who has read nothing
yet. So a mark beside it remembers the loss.
"""

from pathlib import Path

from engine.home import Paths

MARK = ".corpus_lost"
SENTENCE = "The index of your documents (corpus.db) was gone, so searches do not find them."
REMEDY = "`zorora repair-db` reads them again; so does “Read again” on the library page."


def is_lost(paths: Paths) -> bool:
    """Whether the index is gone, or was and has not been filled again, while there is something to
    fill it with."""
    database = paths.corpus_db
    is_gone = not database.exists() or (database.is_file() and not database.stat().st_size)
    return _mark(paths).exists() or (is_gone and _has_texts(paths))


def remember_loss(paths: Paths) -> None:
    """Before a new index is made: remember that there was one."""
    if is_lost(paths):
        _mark(paths).touch(mode=0o600)


def forget_loss(paths: Paths) -> None:
    """After everything was read again."""
    _mark(paths).unlink(missing_ok=True)


def _mark(paths: Paths) -> Path:
    return paths.home / MARK


def _has_texts(paths: Paths) -> bool:
    """Whether texts were stored or documents uploaded: an index held them."""
    return any(True for _ in paths.snapshots.glob("??/*.txt.gz")) or any(
        True for _ in paths.uploads.glob("*")
    )
