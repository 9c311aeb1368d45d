"""Lists of retractions and journals: loaded from addresses and files, whole or not at all."""

import gzip
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.standin import Reply, Standin, serve
from engine.answers import RunOptions
from engine.maintenance import data_update, doctor
from engine.maintenance.data_update import Wanted
from engine.research_engine import ResearchEngine
from tools.credibility.data_list import DataList
from tools.credibility.store import JournalStore
from tools.database import Database
from tools.errors import NotFound
from tools.schema import CORPUS

CSV = "text/csv; charset=utf-8"
HEADER = (
    "Record ID,Title,Subject,Institution,Journal,Publisher,Country,Author,URLS,ArticleType,"
    "RetractionDate,RetractionDOI,RetractionPubMedID,OriginalPaperDate,OriginalPaperDOI,OriginalPaperPubMedID,"
    "RetractionNature,Reason,Paywalled,Notes,"
)
JOURNALS = (
    "Journal title,Journal ISSN (print version),Journal EISSN (online version),Publisher\n"
    "A,1677-5449,,P\n"
)
PUBLISHERS = "url,name,abbr,\nhttp://5thpublisher.example/,The Fifth Publisher,,\n"


def retractions(count: int, ending: str = "\r\n") -> bytes:
    rows = [f"{n},A work,,,,,,,,,9/27/2023 "
            f"0:00,10.9/N,0,1/1/2020,10.1234/{n},0,Retraction,+Fake;,No,,"
            for n in range(count)]  # fmt: skip
    return ("\r\n".join([HEADER, *rows]) + ending).encode()


@pytest.fixture
def server() -> Iterator[Standin]:
    with serve() as running:
        yield running


def test_lists_come_from_files_and_addresses_with_their_date(
    engine: ResearchEngine, server: Standin, tmp_path: Path
) -> None:
    assert all(not data_list.rows for data_list in engine.upkeep.data_lists()) and len(
        engine.upkeep.data_lists()
    ) == len(data_update.LISTS)
    url = server.on(
        "/r.csv",
        Reply(
            retractions(5),
            media_type=CSV,
            headers={"Last-Modified": "Sun, 04 Oct 2026 10:00:00 GMT"},
        ),
    )
    file = tmp_path / "publishers.csv"
    file.write_text(PUBLISHERS)
    calls: list[tuple[str, int, int, str | None]] = []
    done = engine.upkeep.update_data(
        url, predatory=[str(file)], progress=lambda *progress: calls.append(progress)
    )
    assert [(update.name, update.rows, update.problem) for update in done] == [
        ("Retraction Watch", 5, None),
        ("Predatory list publishers.csv", 1, None),
    ]
    assert done[0].dated == "2026-10-04" and done[0].origin == url
    assert calls[0][1:3] == (0, 2) and calls[-1][1:3] == (2, 2)
    loaded = {data_list.name: data_list for data_list in engine.upkeep.data_lists()}
    assert loaded["Retraction Watch"].rows == 5 and loaded["DOAJ"].rows == 0
    assert done[0].sentences() == ("Retraction Watch: 5 rows of 2026-10-04 are in use.",)
    (check,) = [check for check in doctor.checks(engine.config) if check.name == "data lists"]
    assert "Retraction Watch of 2026-10-04, 5 rows" in check.message
    engine.upkeep.remove_data("Retraction Watch")
    with pytest.raises(NotFound):
        engine.upkeep.remove_data("Retraction Watch")


def test_the_lists_of_the_default_addresses_are_all_asked_for(
    engine: ResearchEngine, server: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    bodies = {
        "retractions": retractions(3),
        "journals": JOURNALS.encode(),
        "predatory": PUBLISHERS.encode(),
    }
    for number, data_list in enumerate(data_update.LISTS):
        server.on(f"/{number}", Reply(bodies[data_list.kind], media_type=CSV))
    local = tuple(
        Wanted(
            data_list.name,
            data_list.kind,
            f"{server.url}/{number}",
            data_list.listed,
            allow_private=True,
        )
        for number, data_list in enumerate(data_update.LISTS)
    )
    monkeypatch.setattr(data_update, "LISTS", local)
    done = engine.upkeep.update_data()
    assert [update.problem for update in done] == [None] * 5
    assert {data_list.name for data_list in engine.upkeep.data_lists()} == {
        data_list.name for data_list in local
    }


FAULTS = {
    "cut": (lambda: Reply(retractions(40), cut=2000, media_type=CSV), "cut off|broke off|closed"),
    "page": (lambda: Reply(b"<html>Sign in</html>"), "lacks the columns"),
    "gone": (lambda: Reply(b"no", 404), "status 404"),
    "down": (lambda: Reply(b"no", 503), "Unavailable"),
    "columns": (
        lambda: Reply(retractions(40).replace(b"OriginalPaperDOI", b"PaperDOI")),
        "lacks the columns OriginalPaperDOI",
    ),
    "short": (lambda: Reply(retractions(3)), "only 3 usable rows"),
    "bomb": (
        lambda: Reply(gzip.compress(bytes(215_000_000), 1), headers={"Content-Encoding": "gzip"}),
        "larger than 200 MB",
    ),
    "binary": (lambda: Reply(bytes(range(256)) * 50), "Retraction Watch"),
    "inside": (lambda: Reply(status=302, headers={"Location": "http://10.0.0.1/x"}), "private"),
}


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.lab
def test_whatever_arrives_the_list_in_use_stays_until_a_whole_one_is_there(
    name: str,
    engine: ResearchEngine,
    server: Standin,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tools.http.backoff", lambda *args: 0.01)
    file = tmp_path / "r.csv"
    file.write_bytes(retractions(40))
    engine.upkeep.update_data(str(file))
    reply, message = FAULTS[name]
    (update,) = engine.upkeep.update_data(server.on("/r.csv", reply()))
    assert update.problem is not None and update.problem.startswith(
        "Retraction Watch was not updated. "
    )

    assert re.search(message, update.problem), update.problem
    assert update.problem.endswith("with 40 rows stays in use.")
    assert update.problem.count("..") == 0
    (data_list,) = [data_list for data_list in engine.upkeep.data_lists() if data_list.rows]
    assert data_list.rows == 40


def test_a_file_that_ends_in_the_middle_loses_only_its_last_row(
    engine: ResearchEngine, tmp_path: Path
) -> None:
    file = tmp_path / "r.csv"
    whole = retractions(10, "")
    file.write_bytes(whole[: whole.rindex(b"10.1234/9") + 8])
    (update,) = engine.upkeep.update_data(str(file))
    assert (update.rows, update.skipped) == (9, 1)
    assert "ends in the middle" in update.sentences()[1]


def test_a_much_shorter_file_is_taken_when_the_user_insists(
    engine: ResearchEngine, tmp_path: Path
) -> None:
    file = tmp_path / "r.csv"
    for count, force, rows in ((40, False, 40), (3, False, 0), (3, True, 3), (2, False, 2)):
        file.write_bytes(retractions(count))
        assert [update.rows for update in engine.upkeep.update_data(str(file), force=force)] == [
            rows
        ]


@pytest.mark.parametrize("place", ["", "missing.csv", "nul\x00.csv", "http://", "http://[::1", "/"])
def test_places_that_do_not_exist_give_a_sentence(
    place: str, engine: ResearchEngine, tmp_path: Path
) -> None:
    target = (
        str(tmp_path / place) if place and not place.startswith("http") else place or str(tmp_path)
    )
    (update,) = engine.upkeep.update_data(journals=target)
    assert update.problem is not None and update.problem.startswith("DOAJ was not updated. ")


KILLED = """
import os, signal, sys
from pathlib import Path
from tools.database import Database
from tools.credibility.data_list import DataList
from tools.credibility.store import JournalStore
from tools.schema import CORPUS

class Rows(list):
    def __iter__(self):
        for number in range(60_000):
            if number == 30_000:
                os.kill(os.getpid(), signal.SIGKILL)
            yield (f"10.1234/new{number}", None, "t", "retracted", None, None, None)

store = JournalStore(Database(Path(sys.argv[1]), CORPUS, synchronous="NORMAL"))
store._replace(DataList("Retraction Watch", "retractions", "x", "2027-01-01", "now", 60_000), Rows())
"""  # noqa: E501


@pytest.mark.lab
def test_a_kill_in_the_middle_of_loading_leaves_the_old_list(tmp_path: Path) -> None:
    path = tmp_path / "corpus.db"
    database = Database(path, CORPUS, synchronous="NORMAL")
    store = JournalStore(database)
    info = DataList("Retraction Watch", "retractions", "x", "2026-01-01", "now")
    store.load(retractions(500), info)
    root = Path(__file__).resolve().parents[2]
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(path)], cwd=root, capture_output=True, check=False
    )
    assert killed.returncode == -9, killed.stderr
    assert [(listed.dated, listed.rows) for listed in store.lists()] == [("2026-01-01", 500)]
    assert (
        len(store.notices(["10.1234/499"], None)) == 1
        and store.notices(["10.1234/new1"], None) == []
    )
    database.close()


def test_researches_look_works_up_while_a_list_is_loaded(
    engine: ResearchEngine, tmp_path: Path
) -> None:
    file = tmp_path / "r.csv"
    file.write_bytes(retractions(1000))
    engine.upkeep.update_data(str(file))
    store, looks, done = engine._opened.tools.journals, 0, threading.Event()

    def load() -> None:
        for _ in range(2):
            engine.upkeep.update_data(str(file))
        done.set()

    thread = threading.Thread(target=load)
    thread.start()
    while not done.is_set():
        assert len(store.notices(["10.1234/7"], None)) == 1
        looks += 1
    thread.join()
    assert looks


@pytest.mark.shared
def test_the_recorded_lists_are_loaded(engine: ResearchEngine, shared: Path) -> None:
    folder = shared / "recorded"
    predatory = [
        str(folder / "predatory_lists" / name)
        for name in ("spj_publishers.csv", "spj_hijacked.csv")
    ]
    done = engine.upkeep.update_data(
        str(folder / "retraction_watch/rw_rows_even.csv"), str(folder / "doaj_journals/"
                                                                        "doaj_sample_rows_5000.csv"),
        predatory,
    )  # fmt: skip
    assert [update.problem for update in done] == [None] * 4
    assert all(update.rows > 20 for update in done)
    (empty,) = engine.upkeep.update_data(
        journals=str(folder / "doaj_journals/doaj_full_header_only.csv")
    )
    assert empty.problem is not None and "no usable row" in empty.problem


def test_a_record_names_the_lists_it_was_scored_with(
    engine: ResearchEngine, tmp_path: Path
) -> None:
    file = tmp_path / "r.csv"
    file.write_bytes(retractions(3))
    (update,) = engine.upkeep.update_data(str(file))
    state = engine.run("What is tea?", RunOptions(depth=1, sources=("local",), clarify=False))
    assert (
        f"Retraction Watch {update.dated}" in state.versions["data"]
        and "built-in 20" in state.versions["data"]
    )
