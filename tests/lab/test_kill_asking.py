"""kill -9 while a model is asked, while an answer streams, and while a research is changed, taken
out or put back.

A scripted endpoint (tests/model_endpoint.py) answers as a willing small model would, and slowly, so
that kills fall into calls and streams. Every moment works on the same home; afterwards there is the
old or the new, and no answer that was stored is asked for again.
"""

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.obliging import answer
from benchmarks.standin import Standin, serve
from benchmarks.standin_services import mount
from engine.answers import HistoryQuery
from engine.maintenance import leftovers, store
from tests.engine.pretend import wait_for
from tests.lab.faults import Faults
from tests.lab.places import LONGEST, QUESTION, kill, kill_worker
from tests.lab.strikes import Home, filled, strike
from tests.model_endpoint import Answer, Asked, ModelEndpoint
from workflows.research.state import ResearchState

pytestmark = pytest.mark.lab

KILLS = int(os.environ.get("KILLS", "30")) * 3 // 10  # noqa: TID251 - how long to work is the caller's choice
SEED = int(os.environ.get("SEED", "20250115"))  # noqa: TID251
SAID = "A mill grinds."  # to what wants no data
AT_ONCE = 4  # calls of models that a run makes at the same time


class Asking(Home):
    """A home whose models and services are stand-ins. copy: a copy of its database, made at the
    beginning."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder, seed)
        self.endpoint: ModelEndpoint
        self.services: Standin
        self.copy = Path()
        self.settings = ""

    @contextmanager
    def modelled(self) -> Iterator[None]:
        """With a model for the time being."""
        config = self.home / "config.toml"
        role = (
            f'models.reasoning.endpoint = "{self.endpoint.url}"\nmodels.reasoning.model = '
            '"small-4b"\n'
        )
        config.write_text(self.settings + role)
        try:
            yield
        finally:
            config.write_text(self.settings)

    def state(self, research_id: str = "") -> ResearchState:
        with self.engine() as engine:
            state = engine.load_research(research_id or self.research_id())
        assert state is not None
        return state

    def alive(self) -> set[str]:
        """Every research outside the bin."""
        with self.engine() as engine:
            return {entry.research_id for entry in engine.history(HistoryQuery(limit=500)).entries}


@pytest.fixture(scope="module")
def home(researched: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    """A home with one finished research, a model endpoint and the services."""
    home = filled(researched, tmp_path_factory.mktemp("asking"), SEED, Asking)
    assert isinstance(home, Asking)
    with serve() as home.services, ModelEndpoint(slowly) as home.endpoint, home.engine() as engine:
        world = mount(home.services, {"page": 0.2, "duckduckgo": 0.2}, characters=3_000)
        rows = [f"{name} = {json.dumps(value)}\n" for name, value in world.settings.items()]
        home.settings = "embeddings.enabled = false\n" + "".join(rows)
        home.copy = engine.upkeep.backup()
        (home.home / "config.toml").write_text(home.settings)
        yield home


def slowly(request: Asked) -> Answer:
    """What a willing model says, a few pieces at a time."""
    reply = answer(request.schema_name, request.text) if request.schema_name else SAID
    return Answer(reply if isinstance(reply, str) else json.dumps(reply), delay=0.02, pause=0.002)


# --- the moments: each kills once and says whether the program was at work ------------------------


def model_calls(home: Asking) -> bool:
    """A research with a model goes on after the kill, and asks nothing again that was answered and
    stored."""
    with home.modelled():
        last, before = home.job(), len(home.endpoint.calls)
        words = (
            "research",
            QUESTION,
            "--docs",
            home.papers(),
            "--sources",
            "local",
            "--depth",
            "1",
            "--json",
        )
        process = home.program(*words)
        wait_for(lambda: process.poll() is not None or len(home.endpoint.calls) > before, LONGEST)
        time.sleep(home.rng.uniform(0.0, 2.0))
        alive = process.poll() is None
        kill(process)
        research_id = home.job()
        assert research_id and research_id != last
        seen = home.snapshot(research_id)
        paths = home.engine().config.paths
        answers = leftovers.answers_of(paths, research_id)
        stored = len(answers.read_bytes().splitlines()) if answers.exists() else 0
        counts = Counter(call.text for call in home.endpoint.calls[before:])
        killed = len(home.endpoint.calls)
        if not home.is_complete(research_id):
            assert home.program("resume", research_id).wait(LONGEST) == 0
            again = Counter(call.text for call in home.endpoint.calls[killed:])
            assert (
                sum((counts & again).values()) <= max(0, counts.total() - stored) <= counts.total()
            )
            assert counts.total() - stored <= AT_ONCE, "answers that were given are stored at once"
        assert not answers.exists()
    home.check_not_repeated(research_id, seen)
    home.check_ended(research_id)
    return alive


def follow_up_stream(home: Asking) -> bool:
    """The question with its whole answer is in the record, or neither."""
    before, question = (
        home.state().conversation,
        f"What do batteries change in year {2000 + home.number}?",
    )
    with home.modelled():
        alive = _killed_while_asked(home, "follow", home.research_id(), question)
        now = home.state().conversation
        assert now[: len(before)] == before and len(now) <= len(before) + 1
        assert all(
            (turn.sentences or turn.answer) and turn.question == question
            for turn in now[len(before) :]
        )
        assert home.program("follow", home.research_id(), question).wait(LONGEST) in (0, 1)
        assert home.state().conversation[: len(now)] == now
    return alive


def conversation_stream(home: Asking) -> bool:
    """A conversation begins with a whole answer, or not at all."""
    before, question = home.alive(), f"What is a mill of kind {home.number}?"
    with home.modelled():
        alive = _killed_while_asked(home, "ask", question)
    for name in home.alive() - before:
        (turn,) = home.state(name).conversation
        assert (turn.question, turn.text) == (question, SAID)
    return alive


def quick_search(home: Asking) -> bool:
    """A quick search is kept whole, or not at all; nothing of it is asked for again that was
    answered."""
    before, request_count = home.alive(), len(home.services.requests)
    question = f"How does caffeine affect sleep of {home.number} people?"
    process = home.program("search", question)
    wait_for(
        lambda: process.poll() is not None or len(home.services.requests) > request_count, LONGEST
    )
    time.sleep(home.rng.uniform(0.0, 1.2))
    alive = process.poll() is None
    kill(process)
    for name in home.alive() - before:
        assert home.state(name).report is not None
    rows = home.sql("SELECT url FROM http_cache UNION SELECT url FROM fetches", file="corpus.db")
    urls, killed = {row["url"] for row in rows}, len(home.services.requests)
    assert home.program("search", question).wait(LONGEST) in (0, 1)
    assert [
        request.target
        for request in home.services.requests[killed:]
        if home.services.url + request.target in urls
    ] == []
    assert len(home.alive() - before) <= 2
    return alive


def batch(home: Asking) -> bool:
    """Every question of a list is a job that comes to its end, or was never begun; some lose their
    worker too."""
    home.papers()
    questions = home.folder / "questions.txt"
    questions.write_text(
        f"How do batteries change prices in {home.number} towns?\nDo street trees cool towns?\n"
    )
    before = {row["research_id"] for row in home.sql("SELECT research_id FROM jobs")}
    sql = "SELECT research_id FROM jobs ORDER BY created_at, rowid"
    process = home.program(
        "research", "--batch", str(questions), "--sources", "local", "--depth", "1"
    )
    wait_for(lambda: process.poll() is not None or len(home.sql(sql)) > len(before), LONGEST)
    time.sleep(home.rng.uniform(0.0, 1.5))
    alive = process.poll() is None
    kill(process)
    begun = [row["research_id"] for row in home.sql(sql) if row["research_id"] not in before]
    seen = {name: home.snapshot(name) for name in begun}
    if home.rng.random() < 0.5:
        seen[begun[0]] = kill_worker(home, begun[0])
    for name in begun:
        home.wait_over(name)
        home.check_ended(name)
        home.check_not_repeated(name, seen[name])
    return alive


def restore(home: Asking) -> bool:
    """The old database or the copy; every research is there in either case."""
    alive = home.strike(home.program("restore", str(home.copy)))
    assert store.findings(home.home / "zorora.db") == []
    with home.engine() as engine:
        engine._opened.storage.sweep()
    assert set(home.saved) <= home.alive()
    for path in sorted((home.home / "backups").glob("zorora-*before-restore*.db"))[:-1]:
        assert store.findings(path) == []
        path.unlink()
    return alive


def repair(home: Asking) -> bool:
    """Repairing a damaged database may be cut off, and begins again; the damaged file is kept."""
    database = home.home / "zorora.db"
    with home.engine() as engine:
        engine.upkeep.backup()
    data = bytearray(database.read_bytes())
    data[4096:8192] = bytes(4096)
    database.write_bytes(data)
    alive = home.strike(home.program("repair-db"))
    assert home.program("repair-db").wait(LONGEST) == 0
    assert list((home.home / "backups").glob("damaged-*-zorora.db"))
    assert set(home.saved) <= home.alive()
    for path in (home.home / "backups").glob("*"):
        if path != home.copy:
            path.unlink()
    return alive


def removal(home: Asking) -> bool:
    """A research that is deleted for good is gone, or lies whole in the bin; the texts of others
    stay."""
    name = f"to_be_removed_{home.number}_20250101_000000"
    with home.engine() as engine:
        record = json.loads(engine.export(home.research_id(), "json", with_snapshots=True).data)
        engine.import_record(json.dumps({**record, "research_id": name}).encode())
    alive = home.strike(home.program("delete", name, "--now", "--yes"))
    with home.engine() as engine:
        engine._opened.storage.sweep()
        left = engine.load_research(name)
        assert left is None or left.evidence == home.state().evidence
        for item in home.state().evidence:
            assert engine.snapshot_text(item.snapshot_id)[item.start : item.end] == item.quote
        if left is not None:
            engine.delete(name, now=True)
        assert engine.load_research(name) is None
    return alive


def revision(home: Asking) -> bool:
    """A research without one of its sources is a whole new revision, or the old one still
    stands."""
    before = home.state()
    source = (
        next(source for source in before.sources if not source.rejected)
        if home.number % 2
        else before.sources[0]
    )
    words = ("include", "exclude") if source.rejected else ("exclude", "include")
    alive = home.strike(home.program(words[0], before.research_id, source.source_id))
    now = home.state()
    assert now.revision in (before.revision, before.revision + 1) and now.report is not None
    with home.engine() as engine:
        numbers = engine.steering.revisions(before.research_id)
        assert set(range(1, now.revision + 1)) == set(numbers)
        for number in numbers:
            assert engine.steering.revision(before.research_id, number).report is not None
    if now.revision > before.revision:
        assert home.program(words[1], before.research_id, source.source_id).wait(LONGEST) == 0
    return alive


MOMENTS: tuple[Callable[[Asking], bool], ...] = (
    model_calls, follow_up_stream, quick_search, batch, restore, removal, revision,
    conversation_stream, repair,
)  # fmt: skip


def test_kill_while_anything_is_asked_or_changed_leaves_the_old_or_the_new(
    home: Asking, faults: Faults
) -> None:
    strike(home, MOMENTS, KILLS, faults)


def _killed_while_asked(home: Asking, *words: str) -> bool:
    """Kill a program while the endpoint is answering it, or a little later."""
    process = home.program(*words)
    before = len(home.endpoint.calls)
    wait_for(lambda: process.poll() is not None or len(home.endpoint.calls) > before, LONGEST)
    time.sleep(home.rng.uniform(0.0, 0.4))
    alive = process.poll() is None
    kill(process)
    return alive
