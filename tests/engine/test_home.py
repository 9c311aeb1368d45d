"""The home directory: layout, permissions, places that are refused."""

import os
import stat
import threading
from pathlib import Path

import pytest

from engine import home as homes
from engine.home import file_system, layout, prepare, secret_key
from engine.research_engine import ResearchEngine
from tools.errors import StorageError


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_everything_is_made_and_belongs_to_the_owner_alone(tmp_path: Path) -> None:
    paths = layout(tmp_path / "a" / "b")
    prepare(paths)
    prepare(paths)
    assert all(mode(folder) == 0o700 for folder in (*paths.folders(), tmp_path / "a"))
    assert paths.findings == tmp_path / "a" / "b" / "research" / "findings"


def test_what_cannot_be_made_again_is_synced_at_every_write_and_nobody_gives_up_at_a_busy_moment(
    home: Path,
) -> None:
    with ResearchEngine(home=home, environ={}) as engine:
        main, corpus = engine._opened.storage.database.read(), engine._opened.tools.database.read()

        def pragma(name: str) -> tuple[object, object]:
            return main.execute(f"PRAGMA {name}").fetchone()[0], corpus.execute(
                f"PRAGMA {name}"
            ).fetchone()[0]

        assert pragma("journal_mode") == ("wal", "wal")
        assert pragma("synchronous") == (
            2,
            1,
        )  # FULL; NORMAL for what snapshots and documents bring back
        assert pragma("foreign_keys") == (1, 1)
        assert pragma("busy_timeout") == (10_000, 10_000)


def test_a_file_in_the_way_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(StorageError, match="a file of that name is in the way"):
        prepare(layout(tmp_path / "home"))
    with pytest.raises(StorageError, match="in the way"):
        prepare(layout(tmp_path / "home" / "below"))


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no /proc")
@pytest.mark.lab
def test_a_place_where_nothing_can_be_made_is_a_sentence() -> None:
    with pytest.raises(StorageError, match=r"cannot be created .* ZORORA_HOME"):
        prepare(layout(Path("/proc/zorora")))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_home_is_a_sentence(tmp_path: Path) -> None:
    paths = layout(tmp_path / "home")
    prepare(paths)
    paths.home.chmod(0o500)
    try:
        with pytest.raises(StorageError, match="cannot be written"):
            prepare(paths)
    finally:
        paths.home.chmod(0o700)


def test_a_network_file_system_is_refused(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"/dev/sda / ext4 rw 0 0\nserver:/x {tmp_path}/my\\040net nfs4 rw 0 0\nbroken\n"
    )
    assert file_system(tmp_path / "home", mounts) == "ext4"
    assert file_system(tmp_path / "my net" / "deep" / "er", mounts) == "nfs4"
    prepare(layout(tmp_path / "home"), mounts=mounts)
    with pytest.raises(StorageError, match=r"network file system .nfs4."):
        prepare(layout(tmp_path / "my net" / "home"), mounts=mounts)
    with pytest.raises(StorageError, match="network"):
        prepare(layout(tmp_path / "home", db=tmp_path / "my net" / "z.db"), mounts=mounts)
    assert file_system(tmp_path, tmp_path / "absent") is None


def test_the_secret_key_is_made_once_even_by_many_at_once(tmp_path: Path) -> None:
    paths = layout(tmp_path)
    contents: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: contents.append(secret_key(paths))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(contents)) == 1
    assert len(contents[0]) == 32
    assert mode(paths.secret_key) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


def test_a_damaged_secret_key_is_a_sentence(tmp_path: Path) -> None:
    paths = layout(tmp_path)
    paths.secret_key.write_bytes(b"short")
    with pytest.raises(StorageError, match="too short"):
        secret_key(paths)
    with pytest.raises(StorageError, match="cannot be used"):
        secret_key(layout(tmp_path / "absent"))


def test_a_new_folder_is_synced_in_the_one_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Path] = []
    monkeypatch.setattr(homes, "sync", synced.append)
    homes.make_folder(tmp_path / "a" / "b")
    homes.make_folder(tmp_path / "a" / "b")
    assert synced == [tmp_path, tmp_path / "a"]
