"""Whole researches against stand-in services, one server each: pauses kept, nothing asked twice,
nothing leaked.

Every service has a server and a key of its own. The researches run in processes that are started
anew every few runs; the last ones run in two processes at once. Counted over all of them: requests
that came earlier after the one before than the service's interval; requests asked a second time;
keys that reached a server they were not entered for; words of the user's own documents that reached
any. Intervals longer than half a second are cut to that, so that fifty runs take minutes. On a busy
machine the servers themselves notice a request late, which makes the next seem early: how late they
are is watched, and taken off. Two processes that ask for one page within half a second ask it once
each.
"""

import bisect
import itertools
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.options import ROOT, Options, Row, at_most, shown
from benchmarks.standin import Asked, Standin, serve
from benchmarks.standin_services import mount
from engine import ResearchEngine
from engine.answers import RunOptions
from engine.settings.settings_table import KEYS
from tools.sources.registry import SOURCES

RUNS, QUICK = 50, 6
PER_PROCESS = 5
LONGEST = 0.5  # seconds
CANARY = "qanzuvex"
AT_ONCE = 0.5  # seconds within which two processes cannot know of each other's answer
BEAT, AROUND = 0.005, 0.25  # seconds
_DRINKS = "coffee tea cocoa cola mate guarana chocolate espresso matcha decaf".split()
_THINGS = "sleep memory mood reaction attention".split()
QUESTIONS = [f"How does {drink} affect {thing}?" for drink in _DRINKS for thing in _THINGS]


@dataclass
class Town:
    """The running servers. fronts: one a service. settings: what points the clients at them."""

    world: Standin
    fronts: dict[str, Standin] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)


class Lateness:
    """How late this process gets to its work, watched all the time."""

    def __init__(self) -> None:
        self._seen: list[tuple[float, float]] = []
        self._stop = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        due = time.monotonic() + BEAT
        while not self._stop.wait(max(0.0, due - time.monotonic())):
            now = time.monotonic()
            self._seen.append((now, now - due))
            due = now + BEAT

    def at(self, moment: float) -> float:
        """The longest delay around this moment, in seconds: a request passes through several
        threads."""
        first, last = (
            bisect.bisect_left(self._seen, (moment + side * AROUND, 0.0)) for side in (-1, 1)
        )
        return max((late for _, late in self._seen[first:last]), default=0.0)

    @property
    def longest(self) -> float:
        return max((late for _, late in self._seen), default=0.0)

    def close(self) -> None:
        self._stop.set()


@contextmanager
def town() -> Iterator[Town]:
    """A server for each service, in front of one world that answers for all."""
    with ExitStack() as stack:
        world = stack.enter_context(serve())
        town = Town(
            world, settings={**mount(world, characters=2000).settings, "embeddings.enabled": False}
        )
        for client in SOURCES:
            name = f"sources.{client.name}.base_url"
            if name in town.settings:
                front = town.fronts[client.name] = stack.enter_context(serve())
                front.on("/", world.reply_to)
                town.settings[name] = town.settings[name].replace(world.url, front.url)
                town.settings[f"sources.{client.name}.min_interval"] = min(
                    client.min_interval, LONGEST
                )
                town.settings[f"sources.{client.name}.enabled"] = True
        town.settings["newsroom.url"] = town.settings["sources.newsroom.base_url"]
        town.settings |= {"http.contact": "me@example.org", "storage.keyring": False}
        town.keys = {
            key.name: f"key-of-{key.name.lower()}"
            for key in KEYS
            if set(key.used_by) & set(town.fronts)
        }
        yield town


def run(options: Options) -> list[Row]:
    """The counts, each of which must be nought."""
    runs = QUICK if options.quick else RUNS
    with town() as place, tempfile.TemporaryDirectory() as home:
        with ResearchEngine(home=home, environ={}, overrides=place.settings) as engine:
            for name, value in place.keys.items():
                engine.set_key(name, value)
            note = Path(home) / "note.md"
            note.write_text(
                f"# Coffee and {CANARY}\n\nThe {CANARY} of coffee affects sleep in 2024.\n", "utf-8"
            )
            engine.ingest([note])
        late = Lateness()
        ended = _research_all(home, place.settings, runs)
        late.close()
        return _rows(place, runs, ended, late)


def _research_all(home: str, settings: Mapping[str, Any], runs: int) -> int:
    """Every question in processes of a few; the last two at once. The number of runs that ended
    complete."""
    parts = [QUESTIONS[at : min(at + PER_PROCESS, runs)] for at in range(0, runs, PER_PROCESS)]
    alone, together = parts[:-2], parts[-2:]
    ended = sum(_finish(_started(home, settings, part)) for part in alone)
    return ended + sum(map(_finish, [_started(home, settings, part) for part in together]))


def _started(
    home: str, settings: Mapping[str, Any], questions: list[str]
) -> "subprocess.Popen[str]":
    command = [
        sys.executable,
        "-m",
        "benchmarks.politeness",
        home,
        json.dumps(dict(settings)),
        *questions,
    ]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def _finish(process: "subprocess.Popen[str]") -> int:
    output, _ = process.communicate()
    return output.split().count("complete")


def _rows(town: Town, runs: int, ended: int, late: Lateness) -> list[Row]:
    requests = {name: list(front.requests) for name, front in town.fronts.items()}
    total = sum(map(len, requests.values()))
    intervals = {name: town.settings[f"sources.{name}.min_interval"] for name in requests}
    early = {name: _too_early(sent, intervals[name], late) for name, sent in requests.items()}
    return [
        shown("researches; those that ended complete", f"{runs}; {ended}"),
        shown("requests to services; all requests", f"{total}; {len(town.world.requests)}"),
        shown("the servers themselves were late by at most", round(late.longest, 3), "s"),
        at_most("requests asked a second time", _twice(town.world.requests), "", 0),
        at_most(f"requests under the interval{_early_names(early)}", sum(early.values()), "", 0),
        at_most("keys outside their origin", _strays(town, requests), "", 0),
        at_most(
            "words of own documents in a request",
            sum(CANARY in _all(request) for request in town.world.requests),
            "",
            0,
        ),
    ]


def _too_early(requests: list[Asked], interval: float, late: Lateness) -> int:
    moments = sorted(request.at for request in requests)
    return sum(
        after - before + late.at(before) < interval for before, after in itertools.pairwise(moments)
    )


def _twice(requests: list[Asked]) -> int:
    first: dict[tuple[str, bytes], float] = {}
    return sum(
        request.at - first.setdefault((request.target, request.body), request.at) > AT_ONCE
        for request in requests
    )


def _early_names(early: Mapping[str, int]) -> str:
    bad = [f"{name} {count}" for name, count in early.items() if count]
    return f" ({', '.join(bad)})" if bad else ""


def _strays(town: Town, requests: Mapping[str, list[Asked]]) -> int:
    """Requests at a server that hold a key of a service of another origin, or any key at a page."""
    owner = {key.name: key.used_by[0] for key in KEYS if key.name in town.keys}
    strays = 0
    for name, value in town.keys.items():
        home = owner[name]
        strays += sum(
            value in _all(request)
            for place, sent in requests.items()
            if place != home
            for request in sent
        )
        strays += sum(
            value in _all(request)
            for request in town.world.requests
            if request.path.startswith("/page")
        )
    return strays


def _all(request: Asked) -> str:
    return f"{request.target} {dict(request.headers)} {request.body.decode('utf-8', 'replace')}"


def main(home: str, settings: str, questions: list[str]) -> None:
    """One process of researches; prints how each ended."""
    with ResearchEngine(home=home, environ={}, overrides=json.loads(settings)) as engine:
        for question in questions:
            print(engine.run(question, RunOptions(depth=2, clarify=False)).status, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
