"""What the engine answers to its two interfaces: plain frozen values, ready to be shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field

# What searches of the documents load stands apart: half of the time of such a command was spent on
# the rest
from engine.jobs.model import JobFacts
from engine.library.document_answers import LibraryHit as LibraryHit
from engine.runs.queries import HistoryQuery as HistoryQuery, RunOptions as RunOptions
from tools.credibility.data_list import DataList as DataList, ListUpdate as ListUpdate
from tools.documents.model import Snapshot
from tools.library.ingest_outcome import IngestReport as IngestReport
from tools.sources.source import Source
from workflows.research.events import Event


@dataclass(frozen=True, slots=True)
class JobStatus(JobFacts):
    """Where a research is.

    sources: the kinds that it searches. expected: seconds such researches took here (the median of
    at least three); only where one status is asked for. stopping: somebody asked it to end, and it
    is not over yet.
    """

    sources: tuple[str, ...] = ()
    over: bool = False
    expected: float | None = None
    stopping: bool = False


@dataclass(frozen=True, slots=True)
class LoggedEvent(Event):
    """A stored progress event. seq: its number in the run, from 1."""

    seq: int = 0


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One research in a list. snippet: plain text with matches between U+0002 and U+0003; title
    likewise."""

    research_id: str
    query: str
    status: str
    created_at: str
    completed_at: str | None
    depth: int
    total_sources: int
    confidence: float
    starred: bool
    tags: tuple[str, ...]
    note: str
    title: str = ""
    snippet: str = ""
    ended_by: str | None = None
    deleted_at: str | None = None
    kind: str = "research"


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """entries, the cursor of the next page (None at the end), the total that matches, and counts
    for the filters."""

    entries: tuple[HistoryEntry, ...]
    next: str | None
    total: int
    statuses: Mapping[str, int] = field(default_factory=dict)
    tags: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of reader text. kind: text, heading or passage; passages have a number, their
    evidence and sentences.

    paragraph: index of the paragraph it belongs to; level: of a heading.
    """

    kind: str
    text: str
    paragraph: int
    level: int = 0
    number: int = 0
    evidence_ids: tuple[str, ...] = ()
    used_by: tuple[tuple[str, str, str], ...] = ()  # (sentence_id, part of the report, sentence)


@dataclass(frozen=True, slots=True)
class ReaderPage:
    """The stored text of one source of a research, cut where passages were used.

    problem: a sentence when the text is not there, or a quote does not stand in it as it should.
    """

    research_id: str
    query: str
    source: Source
    snapshot: Snapshot | None
    segments: tuple[Segment, ...]
    passages: int
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Exported:
    data: bytes
    media_type: str
    file_name: str


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a record that was brought in. new: False when the same research was here
    already.

    notes: sentences for the user. texts, missing: how many stored texts are here now, and how many
    are not.
    """

    research_id: str
    new: bool
    notes: tuple[str, ...] = ()
    texts: int = 0
    missing: int = 0


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One row of the configuration table. origin: default, file, environment, command line.

    next_start: a program that runs does not take a change into use.
    """

    name: str
    section: str
    type: str
    value: str
    default: str
    help: str
    choices: tuple[str, ...] = ()
    origin: str = "default"
    environment: str = ""
    problem: str | None = None
    next_start: bool = False


@dataclass(frozen=True, slots=True)
class KeyStatus:
    """A secret: its name, what it is for, where it comes from (environment, keyring, file, none),
    masked value."""

    name: str
    purpose: str
    origin: str
    masked: str
    where_to_get: str = ""


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """An installed model. licence: "" where nobody said. size: bytes. sha256: "" where it was not
    computed."""

    role: str
    title: str
    licence: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ClientStatus:
    """A source client: enabled, whether it needs a key and has one, last success and last problem.

    key: no, optional or needed; key_names: the secrets that serve. host: where it asks.
    min_interval: seconds between two requests. deadline: seconds of a round. budget: requests of a
    research at depth 1, 2, 3. failures: in a row. resting_until: it failed so often that it is left
    alone until then. checked: what a live check said.
    """

    name: str
    label: str
    kind: str
    enabled: bool
    needs_key: bool
    has_key: bool
    last_success: str | None = None
    last_problem: str | None = None
    key: str = "no"
    key_names: tuple[str, ...] = ()
    host: str = ""
    min_interval: float = 0.0
    deadline: float = 0.0
    budget: tuple[int, int, int] = (0, 0, 0)
    failures: int = 0
    resting_until: str | None = None
    checked: "SourceCheck | None" = None


@dataclass(frozen=True, slots=True)
class SourceCheck:
    """One live question to a source client. state: ok, failed, or off (not asked). message: a
    sentence."""

    state: str
    message: str
    hits: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """A kept answer. body: only where one entry is asked for. stored_at, expires_at: ISO times."""

    cache_id: str
    url: str
    status: int
    size: int
    stored_at: str
    expires_at: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""


OK, WARNING, PROBLEM = "ok", "warning", "problem"  # states of a check


@dataclass(frozen=True, slots=True)
class Check:
    """One line of `zorora doctor`. state: ok, warning or problem; remedy says what to do."""

    name: str
    state: str
    message: str
    remedy: str = ""
