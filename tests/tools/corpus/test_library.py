"""The library: files come in, are found as sources, and leave; broken and hostile files harm
nothing."""

import itertools
import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.unsound_indexes import unsound_indexes
from tools.database import Database
from tools.documents.model import Entry, Extracted, Page, Section
from tools.documents.parsers.versions import with_version
from tools.documents.snapshots import SnapshotFiles
from tools.errors import NotFound, ParseError, StorageError
from tools.library.file_reading import Parser
from tools.library.library import Library
from tools.schema import CORPUS
from tools.search.search import Corpus


class FakePool(Parser):
    """A parser that knows text, a bibliography in JSON and how to fail; `seen` are the names it was
    given."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.extractor = "fake/1"

    def parse(
        self, data: bytes, *, name: str = "", media_type: str | None = None, url: str = ""
    ) -> Extracted:
        self.seen.append(name)
        if b"\0" in data:
            raise ParseError("It is not a kind of document that can be read.")
        text = data.decode("utf-8", "replace")
        if name.endswith(".bib"):
            entries = tuple(
                Entry(e["title"], e.get("url", ""), e.get("fields", {})) for e in json.loads(text)
            )
            return Extracted(text, "application/x-bibtex", "fake/1", entries=entries)
        sections = (Section("s1", "All", 1, 0, len(text)),) if "sections" in name else ()
        return Extracted(
            text,
            "text/plain",
            self.extractor,
            text.split("\n")[0][:60],
            sections,
            (Page(1, 0),),
            metadata={"authors": ["A. B."]},
        )

    def close(self) -> None:
        pass


@pytest.fixture
def pool() -> FakePool:
    return FakePool()


@pytest.fixture
def library(tmp_path: Path, pool: FakePool) -> Library:
    """An empty library in a home of its own; its clock counts minutes."""
    snapshots = SnapshotFiles(tmp_path / "home" / "research" / "snapshots")
    corpus = Corpus(
        Database(tmp_path / "home" / "corpus.db", CORPUS, synchronous="NORMAL"), snapshots
    )
    minutes = itertools.count()
    return Library(
        corpus, lambda: pool, snapshots, lambda: f"2026-01-01T00:{next(minutes):02d}:00Z"
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with three documents, a hidden file and a broken one."""
    root = tmp_path / "papers"
    (root / "deep").mkdir(parents=True)
    (root / "tower.txt").write_text(
        "The Eiffel Tower\nThe Eiffel Tower in Paris is 330 metres high. It is made of iron."
    )
    (root / "cats.md").write_text("Cats\nCats sleep for most of the day. They hunt mice at night.")
    (root / "deep" / "tide.txt").write_text(
        "Tides\nThe tide is caused by the moon. It turns twice a day."
    )
    (root / ".hidden.txt").write_text("A secret about the moon.")
    (root / "broken.txt").write_bytes(b"\0\0")
    return root


def test_a_folder_becomes_documents_and_a_broken_file_is_reported(
    library: Library, folder: Path
) -> None:
    seen: list[tuple[str, int, int, str | None]] = []
    report = library.ingest([folder], progress=lambda *step: seen.append(step))
    assert (report.added, report.changed, report.unchanged, report.removed) == (3, 0, 0, 0)
    assert report.failed == (("broken.txt", "It is not a kind of document that can be read."),)
    assert [step[1:3] for step in seen] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert {d.name: d.folder for d in library.documents() if d.status == "indexed"} == {
        "tower.txt": "papers",
        "cats.md": "papers",
        "tide.txt": "papers/deep",
    }
    failed = next(d for d in library.documents() if d.status == "failed")
    assert failed.problem and failed.snapshot_id is None
    assert (
        library.documents([failed.document_id, "unknown"]) == [failed]
        and library.documents([]) == []
    )
    assert [library.count(name) for name in ("", "papers", "papers/deep", "pap", "pape_s")] == [
        4,
        4,
        1,
        0,
        0,
    ]


def test_a_file_is_read_again_where_todays_reader_is_a_newer_one(
    library: Library, pool: FakePool, tmp_path: Path
) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "mill.txt").write_text("The old mill grinds corn.")
    pool.extractor = "layout 4, zorora-csv 1"
    library.ingest([tmp_path / "own"])
    pool.extractor = with_version("zorora-csv")
    reports = [library.ingest([tmp_path / "own"]) for _ in range(2)]
    assert [(report.changed, report.unchanged) for report in reports] == [(1, 0), (0, 1)]
    assert pool.seen == ["mill.txt", "mill.txt"]
    assert len(library.documents()) == len(library.search_sources("corn", 3)) == 1


def test_what_todays_reader_cannot_read_stays_as_it_was_read(
    library: Library, pool: FakePool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "mill.txt").write_text("The old mill grinds corn.")
    pool.extractor = "zorora-csv 1"
    library.ingest([tmp_path / "own"])
    parse = pool.parse
    monkeypatch.setattr(pool, "parse", lambda data, **kwargs: parse(b"\0", **kwargs))
    report = library.ingest([tmp_path / "own"])
    assert "The library keeps the version read on 2026-01-01." in report.failed[0][1]
    assert [d.status for d in library.documents()] == ["indexed"]
    assert library.search_sources("corn", 3)


def test_a_file_that_is_called_like_many_others_is_named_with_its_folder(
    library: Library, tmp_path: Path
) -> None:
    for name in ("mills/index.txt", "mills/corn.txt", "readme.txt"):
        (path := tmp_path / "own" / name).parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"About the {name} of the town.")
    library.ingest([tmp_path / "own"])
    names = {text.name for text in library.named_texts()}
    assert names == {"mills/index.txt", "corn.txt", "own/readme.txt"}
    urls = {source.url.rpartition("/")[2] for source in library.search_sources("town", 5)}
    assert urls == {"mills%2Findex.txt", "corn.txt", "own%2Freadme.txt"}


def test_search_gives_documents_as_sources_with_their_best_passage(
    library: Library, folder: Path
) -> None:
    library.ingest([folder])
    sources = library.search_sources("How high is the Eiffel tower in Paris?", 5)
    assert sources[0].title == "The Eiffel Tower"
    assert sources[0].source_type == "local" and sources[0].authors == ("A. B.",)
    assert sources[0].url == f"local://{sources[0].document_id}/tower.txt"
    assert "330 metres" in sources[0].snippet
    snapshot = library.record_of(sources[0])
    assert (
        snapshot
        and snapshot.snapshot_id == sources[0].snapshot_id
        and snapshot.source_id == sources[0].source_id
    )
    assert snapshot.completeness == "full" and snapshot.pages == (Page(1, 0),)


def test_nothing_handed_out_holds_a_path_of_this_machine(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    report = library.ingest([folder, tmp_path / "absent"])
    sources = library.search_sources("eiffel moon cats", 10)
    shown = repr((report, library.documents(), sources, [library.record_of(s) for s in sources]))
    assert str(tmp_path) not in shown
    assert ("absent", "There is no such file or folder.") in report.failed


def test_a_pipe_is_told_from_a_file_that_is_not_there(library: Library, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    assert library.ingest([tmp_path / "pipe.txt"]).failed == (
        ("pipe.txt", "It is a pipe or a device, no file."),
    )


def test_unchanged_files_are_not_read_again(library: Library, folder: Path, pool: FakePool) -> None:
    library.ingest([folder])
    pool.seen.clear()
    report = library.ingest([folder])
    assert (report.added, report.unchanged, pool.seen) == (0, 3, [])
    assert report.failed and len(report.document_ids) == 3


@pytest.mark.parametrize("how", ["noise", "empty", "gone"])
def test_a_document_whose_stored_text_is_lost_is_read_again(
    library: Library, folder: Path, pool: FakePool, tmp_path: Path, how: str
) -> None:
    library.ingest([folder])
    document = next(document for document in library.documents() if document.title == "Cats")
    files = SnapshotFiles(tmp_path / "home" / "research" / "snapshots")
    path = files.path(str(document.snapshot_id))
    path.write_bytes(b"noise" * 50 if how == "noise" else b"")
    if how == "gone":
        path.unlink()
    pool.seen.clear()
    report = library.ingest([folder])
    assert pool.seen == ["cats.md"] and len(report.document_ids) == 3
    assert files.get(str(document.snapshot_id)).startswith("Cats\nCats sleep")
    assert library.search_sources("hunt mice", 5)
    path.write_bytes(b"noise")
    assert library.add_bytes("cats.md", (folder / "cats.md").read_bytes()).status == "indexed"
    assert files.get(str(document.snapshot_id)).startswith("Cats")


def test_a_title_keeps_the_joined_signs_of_its_heading(library: Library) -> None:
    heading = "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{SCHOOL} Teaching"
    document = library.add_bytes("a.md", f"{heading}\nHow we teach.".encode())
    assert document.title == library.source(document.document_id).title == heading


def test_a_changed_file_replaces_its_document(library: Library, folder: Path) -> None:
    library.ingest([folder])
    (folder / "cats.md").write_text("Dogs\nDogs bark at cats.")
    report = library.ingest([folder])
    assert (report.added, report.changed, report.unchanged) == (0, 1, 2)
    assert "Cats" not in {d.title for d in library.documents()}
    assert not library.search_sources("hunt mice", 5)
    assert [s.title for s in library.search_sources("bark", 5)] == ["Dogs"]


def test_a_moved_file_keeps_its_document(library: Library, folder: Path, pool: FakePool) -> None:
    library.ingest([folder])
    before = {d.name: d.document_id for d in library.documents()}
    (folder / "cats.md").rename(folder / "deep" / "felines.md")
    pool.seen.clear()
    report = library.ingest([folder])
    assert (report.added, report.removed, pool.seen) == (0, 0, [])
    assert library.document(before["cats.md"]).status == "indexed"


def test_a_vanished_file_is_dropped_and_its_copy_elsewhere_keeps_the_document(
    library: Library, folder: Path
) -> None:
    (folder / "deep" / "copy.md").write_bytes((folder / "cats.md").read_bytes())
    assert library.ingest([folder]).added == 3
    (folder / "cats.md").unlink()
    assert library.ingest([folder]).removed == 0
    assert library.search_sources("hunt mice", 5)
    (folder / "deep" / "copy.md").unlink()
    assert library.ingest([folder]).removed == 1
    assert not library.search_sources("hunt mice", 5)


def test_a_file_gone_from_one_folder_leaves_the_others_alone(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    other = tmp_path / "papers2"
    other.mkdir()
    (other / "x.txt").write_text("X\nA text about xylophones.")
    library.ingest([folder, other])
    (other / "x.txt").unlink()
    assert library.ingest([folder]).removed == 0
    assert library.ingest([other]).removed == 1


def test_links_are_not_followed_out_of_the_folder(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("Secret\nThe password is swordfish.")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "more.txt").write_text("More\nAnother secret: swordfish.")
    (folder / "link.txt").symlink_to(secret)
    (folder / "way").symlink_to(tmp_path / "outside")
    (folder / "circle").symlink_to(folder)
    (folder / "itself").symlink_to(folder / "itself")
    report = library.ingest([folder])
    assert not library.search_sources("swordfish", 5)
    assert {name for name, _ in report.failed} >= {"link.txt", "way"}
    assert report.added == 3


def test_of_a_home_of_zorora_only_its_documents_are_read(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    (home / "research" / "findings").mkdir(parents=True)
    (home / "research" / "findings" / "r1.json").write_text(
        '{"report": "The moon causes the tide, says a report."}'
    )
    (home / "keys.json").write_text('{"brave": "a secret"}')
    (home / "documents").mkdir()
    (home / "documents" / "mine.txt").write_text("Mine\nA note of my own about the moon.")
    report = library.ingest([tmp_path])
    assert {d.name for d in library.documents()} >= {"mine.txt", "tower.txt"} and report.added == 4
    assert not {"r1.json", "keys.json"} & {d.name for d in library.documents()}, (
        "a report would cite itself"
    )
    for path in (home, home / "research", home / "research" / "findings"):
        failed = library.ingest([path]).failed
        assert len(failed) == 1 and "belongs to Zorora itself" in failed[0][1]
    assert library.ingest([home / "documents"]).unchanged == 1


@pytest.mark.parametrize("folder", ["/", "/etc", "/proc/self", "/sys", "/dev"])
def test_folders_of_the_system_are_not_read(library: Library, folder: str) -> None:
    report = library.ingest([Path(folder)])
    assert (
        len(report.failed) == 1
        and "belongs to the system" in report.failed[0][1]
        and not report.added
    )


def test_a_link_that_may_not_be_looked_up_is_a_problem_of_its_own(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "exe").symlink_to("/proc/1/exe")
    real = os.path.realpath

    def barred(path: str | Path) -> str:
        if str(path).endswith("exe"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os.path, "realpath", barred)
    report = library.ingest([folder])
    assert report.added == 3 and ("exe", "It is a link that cannot be read.") in report.failed


def test_ignored_patterns_large_files_and_odd_names(library: Library, tmp_path: Path) -> None:
    root = tmp_path / "odd"
    (root / "drafts").mkdir(parents=True)
    (root / "drafts" / "a.txt").write_text("Draft\nA draft about moles.")
    (root / "b.bak").write_text("Backup\nA backup about moles.")
    (root / "big.txt").write_text("Big\n" + "mole " * 1000)
    (root / "photo.png").write_bytes(b"\0")
    (root / "new\nline.txt").write_text("Line\nA text about voles.")
    with Path(os.fsdecode(os.fsencode(root) + b"/bad\xff.txt")).open("w") as file:
        file.write("Bytes\nA text about shrews.")
    report = library.ingest([root], ignore=("drafts/*", "*.bak"), max_file_mb=0.003)
    assert report.added == 2
    assert report.failed == (
        ("*.png (1)", "Files of this kind are not read."),
        ("big.txt", "The file is larger than 0.003 MB."),
    )
    assert {d.name for d in library.documents()} == {"new line.txt", "bad\ufffd.txt"}
    assert library.ingest([root], ignore=("drafts/*", "*.bak"), max_file_mb=0.003).unchanged == 2


def test_an_upload_is_kept_by_its_content_whatever_its_name(
    library: Library, tmp_path: Path
) -> None:
    uploads = tmp_path / "home" / "documents" / "uploads"
    document = library.add_bytes("../../etc/pass\x00wd.TXT", b"Upload\nA note about badgers.")
    assert document.name == "pass wd.TXT" and document.status == "indexed"
    assert [path.suffix for path in uploads.glob("[!.]*")] == [".txt"]
    assert library.add_bytes("other.txt", b"Upload\nA note about badgers.") == document
    assert library.ingest([uploads]).unchanged == 1
    assert library.document(document.document_id).name == document.name
    library.remove(document.document_id)
    assert not list(uploads.iterdir()) and not library.documents()
    assert not library.search_sources("badgers", 5)


def test_a_broken_upload_comes_back_as_failed_and_is_not_kept(
    library: Library, tmp_path: Path
) -> None:
    document = library.add_bytes("x.pdf", b"\0broken")
    assert document.status == "failed" and "not a kind" in (document.problem or "")
    assert not (tmp_path / "home" / "documents" / "uploads").exists()


def test_removing_leaves_the_files_of_the_user(library: Library, folder: Path) -> None:
    library.ingest([folder])
    for document in library.documents():
        library.remove(document.document_id)
    assert (folder / "cats.md").exists() and not library.documents()
    with pytest.raises(NotFound):
        library.remove("0" * 16)


def test_entries_of_a_bibliography_become_sources(library: Library, tmp_path: Path) -> None:
    entries = [
        {
            "title": "Iron towers",
            "fields": {
                "doi": "10.1234/iron",
                "authors": ["E. Sauvestre"],
                "abstract": "Iron bends.",
            },
        },
        {
            "title": "Brick towers",
            "url": "https://example.org/brick",
            "fields": {"published": "1990", "odd": 1},
        },
    ]
    document = library.add_bytes("refs.bib", json.dumps(entries).encode())
    iron, brick = (
        library.search_sources("iron bends", 5)[0],
        library.search_sources("brick towers", 5)[0],
    )
    assert (iron.doi, iron.authors, iron.source_type, iron.document_id) == (
        "10.1234/iron",
        ("E. Sauvestre",),
        "academic",
        None,
    )
    assert brick.url == "https://example.org/brick" and brick.snapshot_id is None
    assert library.quotable() == {document.snapshot_id, iron.snapshot_id}
    owners = library.owners([document.snapshot_id or "", iron.snapshot_id or "", "unknown"])
    assert {snapshot_id: owner.document_id for snapshot_id, owner in owners.items()} == {
        document.snapshot_id: document.document_id,
        iron.snapshot_id: document.document_id,
    }
    record = library.record_of(iron)
    assert record and record.completeness == "abstract" and record.source_id == iron.source_id
    assert library.record_of(brick) is None
    library.remove(document.document_id)
    assert not library.search_sources("iron", 5)


def test_a_search_can_be_limited_to_documents(library: Library, folder: Path) -> None:
    library.ingest([folder])
    tide = next(d for d in library.documents() if d.name == "tide.txt")
    assert [
        s.document_id for s in library.search_sources("moon cats eiffel", 5, [tide.document_id])
    ] == [tide.document_id]
    assert library.search_sources("moon", 5, []) == []


def test_a_text_that_a_research_uses_stays_in_the_index(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    library.ingest([folder])
    used = next(d for d in library.documents() if d.name == "cats.md")
    library._holdings._in_use = lambda snapshot_id: snapshot_id == used.snapshot_id
    before = library.passages()
    library.remove(used.document_id)
    assert library._corpus.search("mice", snapshot_ids=[used.snapshot_id or ""])
    assert library.passages() == before - 1, "its passages are none of the library's any more"


def test_an_ingest_that_is_stopped_keeps_what_it_had(library: Library, folder: Path) -> None:
    class Stop(Exception):
        pass

    def stop(name: str, done: int, total: int, problem: str | None) -> None:
        if done == 2:
            raise Stop

    with pytest.raises(Stop):
        library.ingest([folder], progress=stop)
    count = len(library.documents())
    assert count >= 2  # and those that were stored together with them
    assert library.ingest([folder]).added == 4 - count
    assert unsound_indexes(library._corpus.store) == []


@pytest.mark.lab
def test_many_small_files_are_stored_together_and_wait_for_no_slow_one(
    library: Library, pool: FakePool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.library.file_reading._PATIENCE", 0.3)
    root = tmp_path / "many"
    root.mkdir()
    for number in range(150):
        (root / f"{number:03d}.txt").write_text(f"The number of this note is {number}.")
    go_on = threading.Event()

    class Slow(Parser):
        def parse(
            self, data: bytes, *, name: str = "", media_type: str | None = None, url: str = ""
        ) -> Extracted:
            assert name != "100.txt" or go_on.wait(30)
            return pool.parse(data, name=name)

    slow = library.read_by(Slow(), 2)
    stored: list[tuple[int, int]] = []

    def progress(name: str, done: int, total: int, problem: str | None) -> None:
        stored.append((done, len(library.documents())))
        if done == 96:
            go_on.set()  # what came before it is told while it is still being read

    assert slow.ingest([root], progress=progress).added == 150 and go_on.is_set()
    assert all(documents >= done for done, documents in stored), "what is told is stored"
    assert 2 <= len({documents for _, documents in stored}) <= 6


def test_a_group_that_cannot_be_stored_is_read_again(library: Library, tmp_path: Path) -> None:
    root = tmp_path / "many"
    root.mkdir()
    for number in range(5):
        (root / f"{number}.txt").write_text(f"The number of this note is {number}.")
    put, left = library._store.put, iter(range(3))

    def full(*args: Any) -> None:
        if next(left, None) is None:
            raise StorageError("The disk is full.")
        put(*args)

    library._store.put = full  # type: ignore[method-assign]
    with pytest.raises(StorageError):
        library.ingest([root])
    library._store.put = put  # type: ignore[method-assign]
    assert library.documents() == [] and library._corpus.counts()["texts"] == 0
    assert library.ingest([root]).added == 5 and unsound_indexes(library._corpus.store) == []


def test_a_large_bibliography_and_many_files_stay_consistent(
    library: Library, tmp_path: Path
) -> None:
    root = tmp_path / "many"
    root.mkdir()
    for number in range(60):
        (root / f"{number:03d}.txt").write_text(
            f"Note {number}\nThe number of this note is {number}. It is short."
        )
    report = library.ingest([root])
    assert report.added == 60 and len(set(report.document_ids)) == 60
    assert library._corpus.counts()["texts"] == 60
    assert unsound_indexes(library._corpus.store) == []


def test_an_upload_keeps_its_name_when_the_index_is_lost(
    library: Library, pool: FakePool, tmp_path: Path
) -> None:
    document = library.add_bytes("Röntgen report (final).txt", b"What the picture shows.")
    uploads = tmp_path / "home" / "documents" / "uploads"
    corpus = Corpus(Database(tmp_path / "new.db", CORPUS, synchronous="NORMAL"), library._snapshots)
    again = Library(corpus, lambda: pool, library._snapshots, lambda: "2026-02-01T00:00:00Z")
    for _ in range(2):
        again.ingest([uploads.parent])
        (remaining_document,) = again.documents()
        assert (remaining_document.name, remaining_document.title, remaining_document.folder) == (
            document.name,
            document.title,
            document.folder,
        )
    again.remove(document.document_id)
    assert list(uploads.iterdir()) == []
    corpus.store.db.close()
