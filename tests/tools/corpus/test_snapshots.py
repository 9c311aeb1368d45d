"""Snapshot files: written whole or not at all, never changed, checked when read."""

import gzip
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tools.documents import snapshots
from tools.documents.model import snapshot_id_of
from tools.documents.snapshots import SnapshotFiles
from tools.errors import NotFound, ParseError, StorageError


@pytest.fixture
def files(tmp_path: Path) -> SnapshotFiles:
    """An empty folder of snapshots."""
    return SnapshotFiles(tmp_path / "snapshots")


@pytest.mark.parametrize("text", ["", "plain", "Zwölf Boxkämpfer\n東京 👩‍🔬\t", "x" * 300_000])
def test_a_text_comes_back_as_it_was(files: SnapshotFiles, text: str) -> None:
    snapshot_id = files.put(text)
    assert snapshot_id == snapshot_id_of(text)
    assert files.get(snapshot_id) == text
    assert files.has(snapshot_id) and list(files.ids()) == [snapshot_id]


def test_a_new_folder_is_synced_in_the_one_above(
    files: SnapshotFiles, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    synced: list[str] = []
    monkeypatch.setattr(snapshots, "sync", synced.append)
    path = files.path(files.put("A text."))
    assert [*map(Path, synced[1:])] == [tmp_path, files.root, path.parent]


def test_texts_put_together_get_their_names_when_all_are_synced(
    files: SnapshotFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    named: list[int] = []
    sync = snapshots.sync

    def noted(path: str) -> None:
        named.append(len(list(files.ids())))
        sync(path)

    monkeypatch.setattr(snapshots, "sync", noted)
    with files.together() as put:
        ids = {put(f"text {number}") for number in [*range(9), 0]}
        assert not list(files.ids())
    assert set(files.ids()) == ids and not list(files.root.rglob(".*.tmp"))
    assert named[:10] == [0] * 9 + [9]


def test_the_file_lies_where_the_layout_says_and_is_the_same_every_time(
    files: SnapshotFiles, tmp_path: Path
) -> None:
    snapshot_id = files.put("The same text.")
    path = files.root / snapshot_id[:2] / f"{snapshot_id}.txt.gz"
    first = path.read_bytes()
    assert gzip.decompress(first) == b"The same text."
    assert path.stat().st_mode & 0o777 == 0o600
    other = SnapshotFiles(tmp_path / "other")
    other.put("The same text.")
    assert other.path(snapshot_id).read_bytes() == first


@pytest.mark.parametrize("bad", [b"", b"noise" * 99, gzip.compress(b"Another text.", mtime=0)])
def test_a_damaged_text_is_named_and_written_again(files: SnapshotFiles, bad: bytes) -> None:
    files.put("Whole.")
    path = files.path(files.put("The right text."))
    path.write_bytes(bad)
    assert list(files.damaged()) == [snapshot_id_of("The right text.")]
    assert files.get(files.put("The right text.")) == "The right text."
    assert list(files.damaged()) == []


def test_a_text_that_is_there_is_not_written_again(files: SnapshotFiles) -> None:
    path = files.path(files.put("Once."))
    before = path.stat().st_mtime_ns
    files.put("Once.")
    assert path.stat().st_mtime_ns == before


@pytest.mark.parametrize(
    "broken", ["../../../etc/passwd", "", "ab", "A" * 64, "0" * 63 + "/", "0" * 64 + "\n"]
)
def test_what_is_not_an_id_is_refused(files: SnapshotFiles, broken: str) -> None:
    assert not files.has(broken)
    with pytest.raises(NotFound):
        files.get(broken)


def test_an_unknown_id_is_not_found(files: SnapshotFiles) -> None:
    with pytest.raises(NotFound):
        files.get("0" * 64)
    assert not files.remove("0" * 64)


@pytest.mark.parametrize(
    "damage", [lambda data: data[:20], lambda data: b"junk", lambda data: gzip.compress(b"other")]
)
def test_a_damaged_file_is_said_to_be_damaged(files: SnapshotFiles, damage: object) -> None:
    snapshot_id = files.put("A text that will be damaged. " * 50)
    path = files.path(snapshot_id)
    path.write_bytes(damage(path.read_bytes()))  # type: ignore[operator]
    with pytest.raises(StorageError, match="damaged"):
        files.get(snapshot_id)


def test_text_that_no_file_can_hold_is_refused(files: SnapshotFiles) -> None:
    with pytest.raises(ParseError):
        files.put("half a pair: \ud800")
    assert list(files.ids()) == []


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError, match="could not be stored"):
        SnapshotFiles(tmp_path / "file").put("text")


def test_many_writers_of_one_text_leave_one_whole_file(files: SnapshotFiles) -> None:
    with ThreadPoolExecutor(8) as threads:
        ids = set(threads.map(lambda number: files.put(f"text {number % 3}" * 2000), range(48)))
    assert len(ids) == 3 and set(files.ids()) == ids
    assert not [path for path in files.root.rglob("*") if path.name.endswith(".tmp")]
