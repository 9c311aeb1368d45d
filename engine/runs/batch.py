"""Many questions, one after the other. Each becomes a research of its own in this home.

Which research answers which question is kept, so that the same command goes on where it was: one
small file a batch in the home, `batches/KEY.jsonl`, a line for each research that was started or
kept. The key stands for the place of the file of questions and for the options; other options are
another batch.
"""

import hashlib
import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine.answers import JobStatus, RunOptions
from engine.files import fault, write_all
from engine.home import make_folder
from engine.research_engine import ResearchEngine
from engine.runs.run_options import searchable
from tools.errors import NotFound, Refused
from tools.open_databases import read_file, refuse_open
from workflows.research.kinds import RunStatus

POLL_SECONDS = 0.3
MOST_QUESTIONS = 10_000
FOLDER = "batches"


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of one question. research_id: None when nothing was saved; problem: a sentence
    then.

    before: an earlier run of the same batch answered it.
    """

    question: str
    research_id: str | None
    status: str
    problem: str | None = None
    before: bool = False


Notify = Callable[[Answered], object]


def questions(path: Path) -> list[str]:
    """The questions of a file: one a line, each once; empty lines and lines that begin with # are
    left out.

    Raises Refused with a sentence.
    """
    try:
        text = read_file(path).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(f"{path.name} cannot be read as a list of questions ({error}).") from error
    lines = [
        line.strip()
        for line in text.splitlines()
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise Refused(f"{path.name} contains no questions. Write one per line.")
    if len(lines) > MOST_QUESTIONS:
        raise Refused(
            f"{path.name} contains {len(lines)} questions; at "
            f"most {MOST_QUESTIONS} can be run at once."
        )
    return [searchable(line) for line in dict.fromkeys(lines)]


class Journal:
    """What became of the questions of one file with these options. again: take every question as
    new, and note anew."""

    def __init__(self, home: Path, file: Path, options: RunOptions, again: bool = False) -> None:
        key = hashlib.sha256(
            f"{file.expanduser().resolve()}\n{options!r}".encode("utf-8", "replace")
        ).hexdigest()[:16]
        self._path = home / FOLDER / f"{key}.jsonl"
        self._ids = {} if again else _read_lines(self._path)

    def get(self, question: str) -> str | None:
        """The id of the research that was last started for a question."""
        return self._ids.get(question)

    def note(self, question: str, research_id: str) -> None:
        """Keep the research of a question. Raises StorageError with a sentence."""
        self._ids[question] = research_id
        # A line that a crash cut off ends where the next one begins
        line = "\n" + json.dumps(
            {"question": question, "research_id": research_id}, ensure_ascii=False
        )
        make_folder(self._path.parent)
        refuse_open(self._path)
        try:
            handle = os.open(self._path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
            try:
                write_all(handle, line.encode("utf-8", "replace"))
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise fault(self._path, error) from error


def _read_lines(path: Path) -> dict[str, str]:
    """The last research of each question; a line that is not whole is left out."""
    try:
        lines = read_file(path).decode("utf-8", "replace").split("\n")
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise fault(path, error) from error
    results = {}
    for line in lines:
        try:
            entry = json.loads(line)
            results[str(entry["question"])] = str(entry["research_id"])
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
    return results


class Batch:
    """Researches of many questions through one engine. told: called with each as it is over.

    journal: what earlier runs of the batch answered and started; those questions are not asked
    again.
    """

    def __init__(self, engine: ResearchEngine, journal: Journal) -> None:
        self.engine, self.journal = engine, journal

    def before(self, questions: Sequence[str]) -> list[Answered]:
        """The questions that an earlier run answered completely; with anything less they are asked
        again."""
        earlier = ((question, self._earlier(question)) for question in questions)
        return [
            Answered(question, status.research_id, status.status, before=True)
            for question, status in earlier
            if status and status.over
        ]

    def queue(self, questions: Sequence[str], options: RunOptions) -> list[tuple[str, str]]:
        """Ids and questions of researches in the queue of this home; what an earlier run started
        there stays."""
        options = replace(options, clarify=False)
        return [(self._queued(question, options), question) for question in questions]

    def run(self, questions: Sequence[str], options: RunOptions, notify: Notify) -> list[Answered]:
        """In the queue of this home, as many at once as jobs.parallel says. Interrupted, the rest
        goes on there."""
        started = dict(self.queue(questions, options))
        answers: dict[str, Answered] = {}
        while len(answers) < len(started):
            for research_id in [key for key in started if key not in answers]:
                status = self.engine.status(research_id)
                if status.over:
                    saved = research_id if self.engine.load_research(research_id) else None
                    answers[research_id] = Answered(
                        started[research_id], saved, status.status, status.problem
                    )
                    notify(answers[research_id])
            time.sleep(POLL_SECONDS)
        return [answers[research_id] for research_id in started]

    def _queued(self, question: str, options: RunOptions) -> str:
        if earlier := self._earlier(question):
            return earlier.research_id
        research_id = self.engine.start(question, options)
        self.journal.note(question, research_id)
        return research_id

    def _earlier(self, question: str) -> JobStatus | None:
        """The research an earlier run started, if it is complete or on its way."""
        research_id = self.journal.get(question)
        if research_id is None:
            return None
        try:
            status = self.engine.status(research_id)
        except NotFound:
            return None  # deleted since
        return status if status.status == RunStatus.COMPLETE or not status.over else None
