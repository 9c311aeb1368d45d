"""One of several programs that use one home at once: does what comes by chance, and says what it
was promised.

    python -m tests.lab.busy HOME NAME SECONDS

prints one line for everything that was saved ("saved ID", "noted TEXT", "tagged TAG", "document
ID", "removed ID", "job ID EVENTS", "list ROWS"), once it was.
"""

import random
import sys
import time
from dataclasses import replace

from engine.answers import HistoryQuery
from engine.clock import now
from engine.jobs import owner as owners
from engine.jobs.model import Checkpoint, Ending, Job, RunProgress
from engine.jobs.storage import Trail, pack
from engine.research_engine import ResearchEngine
from tools.sources.source import Source
from workflows.research.events import Event
from workflows.research.state import STATE_VERSION, ResearchState

SHARED = "shared"


class Busy:
    """What one program does."""

    def __init__(self, engine: ResearchEngine, name: str) -> None:
        self.engine, self.name = engine, name
        self.storage, self.jobs = engine._opened.storage, engine._opened.jobs
        self.rng = random.Random(name)
        self.count = 0
        self.documents: list[str] = []

    def work(self, seconds: float) -> None:
        """Do one thing after the other until the time is over."""
        things = (
            self.save,
            self.save,
            self.tag,
            self.note,
            self.look,
            self.job,
            self.upload,
            self.remove,
            self.find,
        )
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            self.count += 1
            self.rng.choice(things)()

    def save(self) -> None:
        name = f"{self.name}_{self.count}"
        sources = tuple(Source(f"s{n}", f"https://example.org/{n}", f"Title {n}") for n in range(8))
        state = ResearchState(
            f"A question of {self.name}", name, status="complete", sources=sources
        )
        self.storage.save_research(replace(state, synthesis="text " * 300))
        self.storage.star(name)
        report("saved", name)

    def tag(self) -> None:
        """Everybody marks the same research; a mark on one's own is there to stay."""
        self.storage.star(SHARED, self.rng.random() < 0.5)
        self.storage.note(SHARED, f"{self.name} {self.count}")

    def note(self) -> None:
        text = f"thought {self.count} of {self.name}"
        self.engine.memory.remember(text)
        report("noted", text)

    def look(self) -> None:
        assert self.storage.history(HistoryQuery(text="question", limit=20)).entries is not None
        assert self.storage.load_research(SHARED) is not None
        self.engine.jobs(over=True)

    def job(self) -> None:
        """A job from its start to its end, with events and a checkpoint."""
        name = f"job_{self.name}_{self.count}"
        me = owners.current()
        # Waited for by this process, so that nobody starts a worker for it
        self.jobs.add(Job(name, "A question", "queued", 1, now(), options={}), waiter=me)
        claim = self.jobs.claim(name, me)
        if claim is None:
            self.jobs.cancel(name)
            self.jobs.mark_saved(name)
            return
        trail = Trail(self.jobs)
        for number in range(5):
            with self.jobs.holding(claim):
                trail.append(
                    claim,
                    [Event("note", "plan", f"event {number}", time=now())] * 3,
                    RunProgress(),
                    1.0,
                )
                trail.checkpoint(
                    claim, Checkpoint(STATE_VERSION, "plan", 1, pack({"n": number})), now()
                )
        self.jobs.end(claim, Ending("complete", None, None), saved=True)
        report("job", name, "15")

    def upload(self) -> None:
        text = (
            f"Note {self.count} of {self.name}.\n\n"
            + f"It says that {self.name} saw {self.count} shrews. " * 20
        )
        document = self.engine.upload(f"{self.name} {self.count}.txt", text.encode())
        self.documents.append(document.document_id)
        report("document", document.document_id)

    def remove(self) -> None:
        if len(self.documents) > 3:
            document_id = self.documents.pop(0)
            self.engine.remove_document(document_id)
            report("removed", document_id)

    def find(self) -> None:
        self.engine.search_library(f"shrews {self.name}", 5)


def report(*words: str) -> None:
    sys.stdout.write("\t".join(words) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    settings = {"embeddings.enabled": False, "jobs.parallel": 16}
    with ResearchEngine(home=sys.argv[1], environ={}, overrides=settings) as engine:
        Busy(engine, sys.argv[2]).work(float(sys.argv[3]))
