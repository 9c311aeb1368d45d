"""What asking a source and reading a page give back. A failure is data here: problem is a sentence,
reason a kind."""

from dataclasses import dataclass

from tools.documents.model import Link, Snapshot
from tools.sources.source import Source


@dataclass(frozen=True, slots=True)
class ClientInfo:
    """A source client as the workflow sees it. kind: academic, web, newsroom, local.

    budget: searches per run; each: requests that one of them takes. What questions about works may
    cost is taken off.
    """

    name: str
    label: str
    kind: str
    budget: int
    deadline: float
    max_results: int
    each: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one request to one client gave. reason: a dead-end reason (no_results, error, budget,
    paywall ...).

    requests: what the client asked its service for this. parts: the outcomes of which this one was
    put together. A problem beside sources says what was missing although there is an answer. note:
    a sentence worth telling that is no problem. label: the client's name for people, where there is
    a problem.
    """

    client: str
    query: str
    sources: tuple[Source, ...] = ()
    problem: str | None = None
    reason: str | None = None
    seconds: float = 0.0
    cached: bool = False
    note: str = ""
    requests: int = 1
    parts: tuple["Outcome", ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """What fetching one source gave: a snapshot and what the page says about itself, or a problem
    with its reason.

    references: keys of the works that its reference list identifies ("doi:10.1/x", "pmid:1"), where
    the text has one. raw_sha256: of the bytes that came. exhausted: open copies were tried, and
    this is one unless it is a problem. closed: the problem is the address itself, which is not
    asked.
    """

    source_id: str
    url: str
    snapshot: Snapshot | None = None
    title: str = ""
    authors: tuple[str, ...] = ()
    published: str | None = None
    language: str | None = None
    doi: str | None = None
    problem: str | None = None
    reason: str | None = None
    seconds: float = 0.0
    cached: bool = False
    links: tuple[Link, ...] = ()
    references: tuple[str, ...] = ()
    raw_sha256: str | None = None
    exhausted: bool = False
    closed: bool = False
