"""The table of faults: what was done to Zorora how often, and what it lost. Printed at the end of `pytest -m lab`."""

from dataclasses import dataclass, field


@dataclass
class Faults:
    """Counts of faults that were survived. A test that fails counts nothing: its own report says what was lost."""

    counts: dict[str, int] = field(default_factory=dict)

    def count(self, what: str, times: int = 1) -> None:
        """So many faults of this kind were survived."""
        self.counts[what] = self.counts.get(what, 0) + times

    def lines(self) -> list[str]:
        """The table."""
        width = max(map(len, self.counts), default=0)
        rows = [f"{what:<{width}}  {times:>6}" for what, times in sorted(self.counts.items())]
        return [
            *rows,
            f"{'all of them, with nothing lost and nothing corrupt':<{width}}  {sum(self.counts.values()):>6}",
        ]
