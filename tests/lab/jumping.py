"""`zorora` on a machine whose clock jumps: back and forth by hours and years, at every look.

    python -m tests.lab.jumping SEED WORDS...

The monotonic clock goes on as always, as it does on a real machine.
"""

import random
import sys
import time
from datetime import UTC, datetime

# Seconds
STEPS = (
    0,
    0,
    1,
    -1,
    61,
    -61,
    3700,
    -3700,
    90_000,
    -90_000,
    40_000_000,
    -40_000_000,
    300_000_000,
)
real = time.time


class Jumping:
    """A clock of the wall that cannot be trusted."""

    def __init__(self, seed: str) -> None:
        self._rng = random.Random(seed)

    def time(self) -> float:
        return real() + self._rng.choice(STEPS)

    def present(self) -> datetime:
        return datetime.fromtimestamp(self.time(), UTC)


def main(seed: str, words: list[str]) -> int:
    """Run the program with such a clock wherever it asks for the time."""
    clock = Jumping(seed)
    time.time = clock.time
    import engine.clock
    import engine.runs.run_control

    for module in (engine.clock, engine.runs.run_control):
        vars(module)["datetime"] = _datetime(clock)
    from ui.terminal.main import main as run

    return run(words)


def _datetime(clock: Jumping) -> type[datetime]:
    class Moment(datetime):
        @classmethod
        def now(cls, tz: object = None) -> "Moment":
            now = clock.present()
            return cls(
                now.year, now.month, now.day, now.hour, now.minute, now.second, now.microsecond, UTC
            )

    return Moment


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
