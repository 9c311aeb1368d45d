"""Many questions out of a file, in the queue of this home."""

import io
import tarfile
from pathlib import Path

import pytest

from engine.answers import Imported, JobStatus, RunOptions
from engine.batch import MOST_QUESTIONS, Answered, Batch, _packed, _settings, _unpacked, questions
from engine.cluster import Done
from engine.research_engine import ResearchEngine
from tools.errors import Refused


def test_a_file_of_questions_is_read_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "questions.txt"
    file.write_text("\ufeffWhy is the sky blue?\r\n\n# not this\n  How old is it?  \nWhy is the sky blue?\n", "utf-8")
    assert questions(file) == ["Why is the sky blue?", "How old is it?"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\n# only a comment\n", "no question"),
        (b"\xff\xfe\x00", "cannot be read"),
        (b"a\n" + b"".join(b"%d\n" % n for n in range(MOST_QUESTIONS)), "at most"),
        (b"x" * 30_000, "characters"),
    ],
)
def test_a_file_without_questions_is_refused_with_its_reason(tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "questions.txt"
    file.write_bytes(content)
    with pytest.raises(Refused, match=said):
        questions(file)
    with pytest.raises(Refused, match="cannot be read"):
        questions(tmp_path / "absent.txt")


class Queue:
    """An engine whose researches end, the second one first and without a record."""

    def __init__(self) -> None:
        self.asked: dict[str, RunOptions] = {}
        self.looks = 0

    def start(self, question: str, options: RunOptions) -> str:
        self.asked[question] = options
        return f"id of {question}"

    def status(self, research_id: str) -> JobStatus:
        self.looks += 1
        failed = research_id.endswith("two")
        over = failed or self.looks > 3
        state = "failed" if failed else "complete" if over else "running"
        return JobStatus(research_id, "", state, 1, "", over=over, problem="The disk is full." if failed else None)

    def load_research(self, research_id: str) -> str | None:
        return None if research_id.endswith("two") else research_id

    def import_record(self, data: bytes) -> Imported:
        if data == b"odd":
            raise Refused("It is odd.")
        return Imported("kept", True)


def test_each_question_is_told_as_it_is_over_and_listed_as_it_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.batch.POLL_SECONDS", 0)
    queue, told = Queue(), []
    found = Batch(queue).here(["one", "two"], RunOptions(depth=3), told.append)  # type: ignore[arg-type]
    two = Answered("two", None, "failed", "The disk is full.")
    assert found == [Answered("one", "id of one", "complete"), two]
    assert told == [two, found[0]]
    assert {(one.depth, one.clarify) for one in queue.asked.values()} == {(3, False)}


def test_what_a_worker_says_becomes_a_research_or_a_sentence() -> None:
    batch = Batch(Queue())  # type: ignore[arg-type]
    assert batch._keep("q", Done("partial", b"record")) == Answered("q", "kept", "partial")
    assert batch._keep("q", Done("failed", problem="No.")) == Answered("q", None, "failed", "No.")
    assert batch._keep("q", Done("complete", b"odd")) == Answered("q", None, "failed", "It is odd.")
    assert "every worker" in (batch._keep("q", RuntimeError("gone")).problem or "")


def test_workers_get_the_settings_of_researches_and_none_of_places(home: Path) -> None:
    chosen = {"research.rounds": "1,1,1", "corpus.index": "postgresql:///x?host=/run", "embeddings.path": "/model"}
    with ResearchEngine(home=home, environ={}, overrides={**chosen, "jobs.parallel": "3"}) as engine:
        assert _settings(engine.config) == {"research.rounds": (1, 1, 1), "corpus.index": "postgresql:///x?host=/run"}


def test_a_library_travels_without_names_of_this_machine_and_is_unpacked_once(tmp_path: Path) -> None:
    database, text = tmp_path / "corpus.db", tmp_path / "aa" / "aa.txt.gz"
    text.parent.mkdir()
    database.write_bytes(b"rows")
    text.write_bytes(b"text")
    shelf = _packed(database, [text])
    with tarfile.open(fileobj=io.BytesIO(shelf)) as archive:
        assert {(one.uid, one.uname, one.mtime) for one in archive.getmembers()} == {(0, "", 0)}
    home = _unpacked(shelf, tmp_path)
    assert (home / "research" / "snapshots" / "aa" / "aa.txt.gz").read_bytes() == b"text"
    assert _unpacked(shelf, tmp_path) == home and _unpacked(b"", tmp_path) != home
