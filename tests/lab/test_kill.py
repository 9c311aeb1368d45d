"""kill -9 at random moments of real researches, of their workers and of the server: nothing saved
is lost.

`pytest -m lab -k kill` kills at a few seeded moments; `KILLS=200 SEED=7 pytest -m lab -k kill` at
others: three in ten of them here, four in test_kill_writes.py, three in test_kill_asking.py, and
some more in test_kill_network.py. Each moment works on the same home, so that everything saved
before is at stake every time.
"""

import os
import random
import time
from collections.abc import Callable

import pytest

from tests.engine.pretend import wait_for
from tests.lab.faults import Faults
from tests.lab.places import LONGEST, QUESTION, Browser, Place, kill, kill_worker

pytestmark = pytest.mark.lab

KILLS = int(os.environ.get("KILLS", "30")) * 3 // 10  # noqa: TID251 - how long to work is the caller's choice
SEED = int(os.environ.get("SEED", "20250115"))  # noqa: TID251


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A home on which one undisturbed research has run."""
    place = Place(tmp_path_factory.mktemp("kill"))
    place.home.mkdir()
    (place.home / "config.toml").write_text("[embeddings]\nenabled = false\n")
    return place


def foreground(place: Place, rng: random.Random) -> None:
    """A research in the terminal is killed; `zorora resume` brings it to its end, killed once more
    now and then."""
    last = place.job()
    process = place.program(
        "research",
        QUESTION,
        "--docs",
        place.papers(),
        "--sources",
        "local",
        "--depth",
        "1",
        "--json",
    )
    if rng.random() < 0.8:  # otherwise while the program starts
        wait_for(lambda: process.poll() is not None or place.job() != last, LONGEST)
        time.sleep(rng.uniform(0.0, place.lasts()))
    else:
        time.sleep(rng.uniform(0.0, place.starts))
    kill(process)
    research_id = place.job()
    if research_id is None or research_id == last:
        place.counts["before the job was there"] += 1
        return
    before = place.snapshot(research_id)
    if rng.random() < 0.3:
        again = place.program("resume", research_id)
        wait_for(
            lambda: again.poll() is not None or place.status(research_id) == "running", LONGEST
        )
        time.sleep(rng.uniform(0.0, place.lasts()))
        kill(again)
        place.check_not_repeated(research_id, before)
        before = place.snapshot(research_id)
        place.counts["killed twice"] += 1
    if not place.is_complete(research_id):
        assert place.program("resume", research_id).wait(LONGEST) == 0
    place.check_not_repeated(research_id, before)
    place.check_ended(research_id)
    place.counts[f"terminal {before.where}"] += 1


def background(place: Place, rng: random.Random) -> None:
    """A detached worker is killed; whoever looks starts another."""
    last = place.job()
    words = (
        "research",
        QUESTION,
        "--docs",
        place.papers(),
        "--sources",
        "local",
        "--depth",
        "1",
        "--detach",
    )
    assert place.program(*words).wait(LONGEST) == 0
    research_id = place.job()
    assert research_id and research_id != last
    time.sleep(rng.uniform(0.0, place.lasts()))
    before = kill_worker(place, research_id)
    place.wait_over(research_id)
    place.check_not_repeated(research_id, before)
    place.check_ended(research_id)
    place.counts[f"worker {before.where}"] += 1


def server(place: Place, rng: random.Random) -> None:
    """The web server is killed while a research runs that it started, and now and then the worker
    with it."""
    browser = Browser(place)
    try:
        research_id = browser.ask(QUESTION)
        time.sleep(rng.uniform(0.0, place.lasts()))
    finally:
        kill(browser.process)
    both = rng.random() < 0.5
    before = kill_worker(place, research_id) if both else place.snapshot(research_id)
    place.wait_over(research_id)
    place.check_not_repeated(research_id, before)
    place.check_ended(research_id)
    place.counts[f"server{' and worker' if both else ''} {before.where}"] += 1


MOMENTS: tuple[Callable[[Place, random.Random], None], ...] = (foreground, background, server)


def test_kill_at_random_moments_loses_nothing(place: Place, faults: Faults) -> None:
    began = time.monotonic()
    words = (
        "research",
        QUESTION,
        "--docs",
        place.papers(),
        "--sources",
        "local",
        "--depth",
        "1",
        "--json",
    )
    assert place.program(*words).wait(LONGEST) == 0
    whole = time.monotonic() - began
    first = place.job()
    assert first
    place.starts = whole - place.lasts()
    place.check_ended(first)
    rng = random.Random(SEED)
    for number in range(KILLS):
        MOMENTS[number % len(MOMENTS)](place, rng)
        place.check_databases()
        place.check_saved()
    place.check_errors()
    assert not [path for path in place.home.rglob("*.json") if path.stat().st_size == 0]
    for what, times in place.counts.items():
        faults.count(f"kill -9, research: {what}", times)
