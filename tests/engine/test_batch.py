"""Many questions out of a file, in the queue of this home."""

from pathlib import Path

import pytest

from engine.answers import JobStatus, RunOptions
from engine.runs.batch import MOST_QUESTIONS, Answered, Batch, Journal, questions
from tools.errors import NotFound, Refused, StorageError


def test_a_file_of_questions_is_read_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "questions.txt"
    file.write_text(
        "\ufeffWhy is the sky blue?\r\n\n# not this\n  How old is it?  \nWhy is the sky blue?\n",
        "utf-8",
    )
    assert questions(file) == ["Why is the sky blue?", "How old is it?"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\n# only a comment\n", "no question"),
        (b"\xff\xfe\x00", "cannot be read"),
        (b"a\n" + b"".join(b"%d\n" % n for n in range(MOST_QUESTIONS)), "at most"),
        (b"x" * 30_000, "characters"),
    ],
)
def test_a_file_without_questions_is_refused_with_its_reason(
    tmp_path: Path, content: bytes, message: str
) -> None:
    file = tmp_path / "questions.txt"
    file.write_bytes(content)
    with pytest.raises(Refused, match=message):
        questions(file)
    with pytest.raises(Refused, match="cannot be read"):
        questions(tmp_path / "absent.txt")


class Queue:
    """An engine whose researches end, the second one first and without a record."""

    def __init__(self) -> None:
        self.questions: dict[str, RunOptions] = {}
        self.looks = 0

    def start(self, question: str, options: RunOptions) -> str:
        self.questions[question] = options
        return f"id of {question}"

    def status(self, research_id: str) -> JobStatus:
        self.looks += 1
        failed = research_id.endswith("two")
        over = failed or self.looks > 3
        state = "failed" if failed else "complete" if over else "running"
        return JobStatus(
            research_id,
            "",
            state,
            1,
            "",
            over=over,
            problem="The disk is full." if failed else None,
        )

    def load_research(self, research_id: str) -> str | None:
        return None if research_id.endswith("two") else research_id


def test_each_question_is_told_as_it_is_over_and_listed_as_it_was_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.runs.batch.POLL_SECONDS", 0)
    queue, notifications = Queue(), []
    options = RunOptions(depth=3)
    journal = Journal(tmp_path, tmp_path / "questions.txt", options)
    results = Batch(queue, journal).run(["one", "two"], options, notifications.append)  # type: ignore[arg-type]
    two = Answered("two", None, "failed", "The disk is full.")
    assert results == [Answered("one", "id of one", "complete"), two]
    assert notifications == [two, results[0]]
    assert {(options.depth, options.clarify) for options in queue.questions.values()} == {
        (3, False)
    }


class Kept:
    """An engine that knows how researches of earlier runs ended."""

    def __init__(self, **ended: str) -> None:
        self.ended, self.questions = ended, list[str]()

    def start(self, question: str, options: RunOptions) -> str:
        self.questions.append(question)
        self.ended[question] = "complete"
        return question

    def status(self, research_id: str) -> JobStatus:
        if research_id not in self.ended:
            raise NotFound("There is none.")
        state = self.ended[research_id]
        self.ended[research_id] = "complete"
        return JobStatus(research_id, "", state, 1, "", over=state not in ("running", "queued"))

    def load_research(self, research_id: str) -> str:
        return research_id


def test_a_repeated_batch_asks_only_what_has_no_complete_answer(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.runs.batch.POLL_SECONDS", 0)
    file, options = tmp_path / "questions.txt", RunOptions(depth=2)
    questions = ["full", "half", "gone", "late", "new"]
    for question in questions[:-1]:
        Journal(home, file, options).note(question, question)
    engine = Kept(full="complete", half="partial", late="running")
    batch = Batch(engine, Journal(home, file, options))  # type: ignore[arg-type]
    assert batch.before(["full", "gone"]) == [Answered("full", "full", "complete", before=True)]
    engine.ended["late"] = "running"
    results = batch.run(questions, options, lambda result: None)
    assert (
        engine.questions == ["half", "gone", "new"]
        and [result.question for result in results] == questions
    )
    assert {result.status for result in results} == {"complete"}
    assert Journal(home, file, options).get("new") == "new"
    assert Journal(home, file, options, again=True).get("new") is None
    assert Journal(home, file, RunOptions(depth=3)).get("new") is None
    assert Journal(home, tmp_path / "other.txt", options).get("new") is None


def test_a_journal_that_a_crash_cut_off_or_somebody_damaged_loses_no_other_line(
    home: Path, tmp_path: Path
) -> None:
    file, options = tmp_path / "questions.txt", RunOptions()
    Journal(home, file, options).note("Wörter?\u2028", "r1")
    (path,) = (home / "batches").iterdir()
    assert path.stat().st_mode & 0o077 == 0
    with path.open("ab") as damaged:
        damaged.write(b'\n[1]\n{"question": 1}\n\xff\n' + b"[" * 100_000 + b'\n{"question": "cut o')
    journal = Journal(home, file, options)
    journal.note("two", "r2")
    journal.note("two", "r3")
    again = Journal(home, file, options)
    assert (again.get("Wörter?\u2028"), again.get("two"), again.get("cut o")) == ("r1", "r3", None)
    path.unlink()
    path.mkdir()
    with pytest.raises(StorageError):
        Journal(home, file, options)
