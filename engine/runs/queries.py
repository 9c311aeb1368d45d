"""What the engine is asked for: the options of a run, and a look into the history."""

from dataclasses import dataclass

from workflows.research.model import RunChoices


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions(RunChoices):
    """What a user may choose for one run; None: as the settings say. docs: paths given on the
    user's own command line, ingested for this run.
    """

    depth: int | None = None
    sources: tuple[str, ...] | None = None
    docs: tuple[str, ...] = ()
    clarify: bool | None = None
    workers: int | None = None


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """status: any of the job's; kept empty for all. before: keyset cursor from the page before.
    bin: deleted ones.

    kind: research, search or ask; None = all.
    """

    text: str | None = None
    status: tuple[str, ...] = ()
    starred: bool = False
    tag: str | None = None
    source_type: str | None = None
    min_confidence: float | None = None
    since: str | None = None
    until: str | None = None
    sort: str = "newest"
    bin: bool = False
    kind: str | None = None
    limit: int = 20
    before: str | None = None
