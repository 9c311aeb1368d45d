"""The table of faults, printed at the end of `pytest -m lab`: what was done to Zorora, and what it
lost by it.

A test counts what was survived; one that fails is counted by the hook in tests/conftest.py, under
what it proved wrong. No number stands here: each comes from the run.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

# The promises, each with how the names of its faults begin
PROMISES: Mapping[str, tuple[str, ...]] = {
    "killed (kill -9) at any moment": ("kill -9",),
    "the power fails after any write": ("power cut",),
    "four processes on one home, other programs beside a server": (
        "four processes",
        "beside others",
    ),
    "disk full, nothing may grow, nothing may be written, home gone": (
        "full disk",
        "limit on",
        "read-only",
        "home",
    ),
    "pages, logs, records, texts, settings damaged": ("damage",),
    "clocks jump, workers sleep past their lease": ("jumping clock", "slept", "replaced"),
    "source clients fail": ("client",),
    "model endpoints fail": ("model",),
    "documents malformed": ("document",),
    "kept, checked, brought back: copies, bin, import, older versions": ("upkeep",),
}
WIDTH = 76


class Lost(AssertionError):
    """Something that was promised to be kept is gone."""


class Corrupt(AssertionError):
    """Something that is there is not what it was, or is half of it."""


@contextmanager
def proven(kind: type[AssertionError]) -> Iterator[None]:
    """What is asserted inside is a proof against this: Lost or Corrupt."""
    try:
        yield
    except AssertionError as error:
        raise kind(str(error)) from error


@dataclass
class Faults:
    """Counts of faults that were survived, and tests that found otherwise: lost, corrupt, another
    promise broken."""

    counts: dict[str, int] = field(default_factory=dict)
    broken: list[tuple[str, str]] = field(default_factory=list)  # name of the test, what it found

    def count(self, what: str, times: int = 1) -> None:
        """So many faults of this kind were survived."""
        self.counts[what] = self.counts.get(what, 0) + times

    def add(self, counts: Mapping[str, int], broken: Sequence[tuple[str, str]]) -> None:
        """What another test counted and found."""
        for what, times in counts.items():
            self.count(what, times)
        self.broken += [(test, kind) for test, kind in broken]

    def fail(self, test: str, error: BaseException | None) -> None:
        """A test found that a promise does not hold."""
        kind = (
            "lost"
            if isinstance(error, Lost)
            else "corrupt"
            if isinstance(error, Corrupt)
            else "otherwise broken"
        )
        self.broken.append((test, kind))

    def lines(self) -> list[str]:
        """Every fault, then the promises, then what was found broken."""
        rows = [f"{what:<{WIDTH}}  {times:>6}" for what, times in sorted(self.counts.items())]
        by_promise = Counter(dict.fromkeys(PROMISES, 0))
        for what, times in self.counts.items():
            by_promise[promise_of(what)] += times
        counts = Counter(kind for _, kind in self.broken)
        total = sum(self.counts.values()) + len(self.broken)
        return [
            *rows,
            "",
            f"{'promise':<{WIDTH}}   tried",
            *(f"{promise:<{WIDTH}}  {times:>6}" for promise, times in by_promise.items()),
            "",
            *(f"{kind}: {test}" for test, kind in self.broken),
            f"faults: {total} tried, {counts['lost']} lost, {counts['corrupt']} corrupt, "
            f"{counts['otherwise broken']} otherwise broken",
        ]


def promise_of(what: str) -> str:
    """The promise that a fault is tried for; its own name where it belongs to none."""
    return next((promise for promise, heads in PROMISES.items() if what.startswith(heads)), what)
