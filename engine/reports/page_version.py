"""When what is shown of a finished research may have changed, without reading its record."""

import hashlib

from engine.files import stamp
from engine.records import store
from engine.records.storage import LocalStorage
from tools.documents.snapshots import SnapshotFiles
from tools.errors import NotFound


def page_version(storage: LocalStorage, research_id: str) -> str:
    """A digest that differs whenever the report, a source or an export of a research would look
    different.

    It covers the record with the user's marks and the stored texts that quotations are held
    against. "" where nothing may be kept: there is no report yet, or the record is gone or was
    changed by hand since it was indexed.
    """
    row = storage.row_of(research_id)
    if row is None or not row.has_report:
        return ""
    if stamp(storage.record_path(research_id))[:2] != (
        row.fingerprint.size,
        row.fingerprint.mtime,
    ):
        return ""
    snapshots = SnapshotFiles(storage.paths.snapshots)
    texts = [
        (name, _stamp_of_text(snapshots, name))
        for name in store.snapshots_of(storage.database.read(), research_id)
    ]
    return hashlib.sha256(repr((row, texts)).encode()).hexdigest()


def _stamp_of_text(snapshots: SnapshotFiles, snapshot_id: str) -> tuple[int, ...]:
    try:
        return stamp(snapshots.path(snapshot_id))
    except NotFound:  # a record may name anything
        return ()
