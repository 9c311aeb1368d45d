"""Folders that are watched: what comes is read once it is whole, what goes goes, and nothing stops
the watch."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.library.folder_watch import Watch, folder_contents
from engine.research_engine import ResearchEngine
from tests.engine.pretend import wait_for
from tools.errors import ParseError


def test_a_file_is_read_when_two_looks_saw_it_alike(tmp_path: Path) -> None:
    reads: list[Sequence[Path]] = []
    watch = Watch(lambda: [tmp_path], reads.append, lambda: "now")
    assert not watch.look() and watch.look() and not watch.look(), (
        "what is there at first is read once"
    )
    (tmp_path / "a.txt").write_text("half")
    assert not watch.look()
    (tmp_path / "a.txt").write_text("half and half")
    assert not watch.look() and watch.look() and not watch.look()
    (tmp_path / "a.txt").unlink()
    assert not watch.look() and watch.look()
    assert len(reads) == 3 == watch.state.reads and watch.state.looked_at == "now"


def test_a_read_that_fails_is_tried_again(tmp_path: Path) -> None:
    fails = [True]

    def read(folders: Sequence[Path]) -> None:
        if fails.pop() if fails else False:
            raise ParseError("This file is broken.")

    watch = Watch(lambda: [tmp_path], read, lambda: "now")
    watch.look()
    with pytest.raises(ParseError):
        watch.look()
    assert watch.look() and watch.state.reads == 1


def test_hidden_and_ignored_files_and_links_are_not_seen(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("a.txt", ".hidden", "b.tmp", "sub/c.txt"):
        (tmp_path / name).write_text("x")
    (tmp_path / "link").symlink_to(tmp_path)
    assert {path.name for path in folder_contents(tmp_path, ("*.tmp",))} == {"a.txt", "c.txt"}
    assert folder_contents(tmp_path / "gone") == {}


def test_of_a_home_of_zorora_only_its_documents_are_seen(tmp_path: Path) -> None:
    for name in ("home/corpus.db", "home/research/findings/r1.json", "home/documents/mine.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    assert {path.name for path in folder_contents(tmp_path)} == {"mine.txt"}


@pytest.mark.lab
def test_the_engine_reads_what_is_put_into_a_folder(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    with ResearchEngine(home=home, environ={}, overrides={"embeddings.enabled": False}) as engine:
        engine.add_root(folder)
        assert not engine.watching().on
        engine.watch_folders()
        engine._documents._watch._seconds = 0.05  # type: ignore[union-attr]
        (folder / "note.md").write_text("# A note\n\nBatteries lowered prices by 9%.\n")
        wait_for(engine.library)
        assert [document.name for document in engine.library()] == [
            "note.md"
        ] and engine.watching().on
        assert not engine.watch_folders(False).on
