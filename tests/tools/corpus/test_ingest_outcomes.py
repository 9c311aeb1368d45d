"""Adding a folder says, file by file, what was read, refused and why, with titles and dates."""

import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tools.parsing.making import lines, packed, pdf
from tools.database import Database
from tools.documents.model import Request
from tools.documents.parse_pool import ParsePool
from tools.documents.parsers.formats import parse
from tools.documents.snapshots import SnapshotFiles
from tools.library.file_reading import Parser
from tools.library.library import Library
from tools.schema import CORPUS
from tools.search.search import Corpus

TEXT = "The members met and spoke about the trees for two hours, and then they went home again."


class Inside(Parser):
    """The parsers without their processes."""

    def parse(
        self, data: bytes, *, name: str = "", media_type: str | None = None, url: str = ""
    ) -> object:
        return parse(Request(data, name, media_type, url))


@pytest.fixture
def library(tmp_path: Path) -> Library:
    snapshots = SnapshotFiles(tmp_path / "home" / "research" / "snapshots")
    corpus = Corpus(
        Database(tmp_path / "home" / "corpus.db", CORPUS, synchronous="NORMAL"), snapshots
    )
    minutes = itertools.count()
    return Library(corpus, Inside, snapshots, lambda: f"2026-01-01T00:{next(minutes) % 60:02d}:00Z")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "club"
    root.mkdir()
    (root / "2022-03-01.md").write_text(f"# Meeting of the members\n\n{TEXT}")
    (root / "broken.pdf").write_text("not a pdf")
    (root / "old.zip").write_bytes(
        packed({"rules.txt": f"{TEXT} Rules.", "logo.png": b"\x89PNG\r\n\x1a\n"})
    )
    (root / "plan.pdf").write_bytes(pdf([lines(72, 700, [TEXT])], "/CreationDate (D:20240102)"))
    (root / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    return root


def test_every_file_has_its_outcome_with_title_and_date(library: Library, folder: Path) -> None:
    done = library.ingest([folder])
    files = {file.name: file for file in done.files}
    assert {name: file.status for name, file in files.items()} == {
        "*.png (1)": "refused", "2022-03-01.md": "added", "broken.pdf": "refused",
        "old.zip": "added",
        "plan.pdf": "added",
    }  # fmt: skip
    assert (
        "is not in the PDF format" in str(files["broken.pdf"].reason)
        and files["*.png (1)"].reason == "Files of this kind are not read."
    )
    minutes, archive, plan = files["2022-03-01.md"], files["old.zip"], files["plan.pdf"]
    assert (minutes.title, minutes.published, minutes.published_from) == (
        "Meeting of the members",
        "2022-03-01",
        "file_name",
    )
    assert (plan.title, plan.published, plan.published_from) == ("plan", "2024-01-02", "created")
    assert archive.unread and archive.unread[0].startswith("logo.png: This file is an image")
    assert (done.added, done.changed, done.unchanged, len(done.failed)) == (3, 0, 0, 2)
    again = library.ingest([folder])
    assert (again.added, again.unchanged) == (0, 3) and dict(again.failed)["broken.pdf"] == files[
        "broken.pdf"
    ].reason
    assert {file.name: file.title for file in again.files}[
        "2022-03-01.md"
    ] == "Meeting of the members"


def test_lists_and_sources_know_the_date_of_a_document(library: Library, folder: Path) -> None:
    library.ingest([folder])
    documents = {document.name: document for document in library.documents()}
    minutes, plan = documents["2022-03-01.md"], documents["plan.pdf"]
    assert (minutes.published, minutes.published_from, minutes.title_from) == (
        "2022-03-01",
        "file_name",
        "heading",
    )
    assert library.document(minutes.document_id) == minutes
    assert library.source(minutes.document_id).published == "2022-03-01"
    assert plan.published == "2024-01-02" and library.source(plan.document_id).published is None


def test_a_file_that_changes_while_it_is_read_is_read_again(library: Library, folder: Path) -> None:
    path = folder / "2022-03-01.md"
    reader = library._reader

    class Changing(Parser):
        def parse(
            self, data: bytes, *, name: str = "", media_type: str | None = None, url: str = ""
        ) -> object:
            if name == path.name and b"Later" not in data:
                path.write_text(f"# Later\n\n{TEXT} And more.")
            return parse(Request(data, name, media_type, url))

    library._reader = type(reader)(Changing(), reader.snapshots, reader.prepare, reader.indexed)  # type: ignore[arg-type]
    library.ingest([folder])
    assert library.ingest([folder]).changed == 1
    assert {document.title for document in library.documents()} >= {"Later"}


def test_a_file_that_breaks_keeps_its_last_good_version_until_it_is_read_again(
    library: Library, folder: Path
) -> None:
    path, later = (
        folder / "plan.pdf",
        pdf([lines(72, 700, [f"{TEXT} And more."])], "/CreationDate (D:20250102)"),
    )
    good = path.read_bytes()
    library.ingest([folder])
    document = next(document for document in library.documents() if document.name == path.name)
    for _ in range(2):  # told again as long as it is broken
        path.write_bytes(b"not a pdf any more")
        reason = dict(library.ingest([folder]).failed)[path.name]
        assert "is damaged" in reason and reason.endswith(
            "The library keeps the version read on 2026-01-01."
        )
    stored = library.document(document.document_id)
    assert (stored.status, stored.snapshot_id, stored.problem) == (
        "indexed",
        document.snapshot_id,
        reason,
    )
    path.write_bytes(good)
    assert path.name not in dict(library.ingest([folder]).failed)
    assert library.document(document.document_id).problem is None
    path.write_bytes(later)
    library.ingest([folder])
    assert [
        document.published for document in library.documents() if document.name == path.name
    ] == ["2025-01-02"]
    path.write_bytes(b"not a pdf again")
    library.ingest([folder])
    path.unlink()
    assert library.ingest([folder]).removed == 1


def test_names_that_are_no_unicode_are_read_and_shown(library: Library, tmp_path: Path) -> None:
    root = tmp_path / "odd"
    root.mkdir()
    with open(os.fsencode(root) + b"/caf\xe9_\xff notes.txt", "w") as file:  # noqa: PTH123
        file.write(TEXT)
    (shown,) = library.ingest([root]).files
    assert (
        shown.status == "added"
        and shown.name == "caf\ufffd_\ufffd notes.txt"
        and shown.title.encode()
    )


@pytest.fixture(scope="module")
def pool() -> Iterator[ParsePool]:
    with ParsePool() as pool:
        yield pool


def test_the_reasons_come_out_of_the_processes_as_they_are(
    library: Library, folder: Path, pool: ParsePool
) -> None:
    done = library.read_by(pool, 2).ingest([folder])
    assert dict(done.failed)["broken.pdf"].startswith(
        "This file is named .pdf but is not in the PDF format"
    )
    assert {file.title for file in done.files} >= {"Meeting of the members", "plan"}


@pytest.mark.lab
def test_twenty_thousand_files_are_told_one_by_one(library: Library, tmp_path: Path) -> None:
    root = tmp_path / "many"
    for number in range(20_000):
        place = root / f"{number % 100:02d}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"note-{number}.txt").write_text(
            f"Note {number}\n\nThe note with the number {number} says little."
        )
    (root / "00" / "round").symlink_to(root)
    done = library.ingest([root])
    assert (done.added, len(done.files), len(library.documents())) == (20_000, 20_000, 20_000)
    assert library.ingest([root]).unchanged == 20_000


class _GrowingFile:
    """A file that another program writes to while it is read, so many times."""

    def __init__(self, path: Path, times: list[int]) -> None:
        self._file, self._path, self._times = path.open("rb"), path, times

    def __enter__(self) -> "_GrowingFile":
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def read(self) -> bytes:
        first = self._file.read(9)
        if self._times[0]:
            self._times[0] -= 1
            self._path.write_text(self._path.read_text().upper() + "!")
        return first + self._file.read()


@pytest.mark.parametrize(("times", "outcome"), [(1, "changed"), (9, "refused")])
def test_a_file_that_is_being_written_gives_no_mixture_and_leaves_what_was_there(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int, outcome: str
) -> None:
    path = tmp_path / "minutes.txt"
    path.write_text(f"the start. {TEXT} {TEXT}")
    library.ingest([path])
    path.write_text(f"another start. {TEXT} {TEXT}")
    left = [times]

    class Growing(type(path)):  # type: ignore[misc]
        def open(self, *args: Any, **kwargs: Any) -> Any:
            return _GrowingFile(Path(self), left)

    monkeypatch.setattr("tools.library.folder_walk.Path", Growing)
    (shown,) = library.ingest([path]).files
    (document,) = library.documents()
    text = library._snapshots.get(str(document.snapshot_id))
    assert shown.status == outcome and ("kept changing" in str(shown.reason)) == (
        outcome == "refused"
    )
    assert text.startswith("ANOTHER START. THE" if outcome == "changed" else "the start. The")


def test_links_in_circles_end_and_are_told(library: Library, folder: Path) -> None:
    (folder / "round").symlink_to(folder)
    (folder / "self").symlink_to("self")
    (folder / "a").symlink_to("b")
    (folder / "b").symlink_to("a")
    files = library.ingest([folder]).files
    assert [file.name for file in files].count("2022-03-01.md") == 1
    nowhere = "It is a link that leads nowhere."
    assert [file.name for file in files if file.reason == nowhere] == ["a", "b", "self"]
