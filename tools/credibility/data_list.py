"""Lists that credibility rests on, and what loading one of them did."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DataList:
    """A list of works or publishers. kind: retractions, journals, predatory. loaded_at: empty when
    it is not there.

    origin: where it came from, or would come from. dated: ISO date that it speaks of.
    """

    name: str
    kind: str
    origin: str
    dated: str = ""
    loaded_at: str = ""
    rows: int = 0
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class ListUpdate(DataList):
    """What an update did to one list. was: rows before. notes: the first rows that could not be
    used, and why.

    problem: a sentence when it was not updated; the old list is in use then.
    """

    was: int = 0
    notes: tuple[str, ...] = ()
    problem: str | None = None

    def sentences(self) -> tuple[str, ...]:
        """What was done, for people."""
        if self.problem:
            return (self.problem,)
        was = f", {self.was} before" if self.was else ""
        in_use = f"{self.name}: {self.rows} rows of {self.dated} are in use{was}."
        if not self.skipped:
            return (in_use,)
        return (
            in_use,
            f"{self.name}: {self.skipped} rows could not be used ({'; '.join(self.notes[:3])}).",
        )
