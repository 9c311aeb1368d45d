"""Nouns of a run: what was asked, understood, planned, found, claimed and logged. All frozen."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tools.sources.source import Filters as Filters


@dataclass(frozen=True, slots=True, kw_only=True)
class RunChoices:
    """What a user may choose for one run. documents: ids of those the run may use; None means all
    of the library."""

    documents: tuple[str, ...] | None = None
    filters: Filters = Filters()
    offline: bool = False
    lean: bool = False
    follow: bool = True
    cross_reference: bool = True
    max_sources: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig(RunChoices):
    """What the user asked for, with what the settings say to the rest."""

    depth: int = 2
    sources: tuple[str, ...] = ("academic", "web", "newsroom", "local")
    clarify: bool = False
    models: Mapping[str, str] = field(default_factory=dict)
    workers: int = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """One entity a name may mean."""

    name: str
    description: str
    identifiers: tuple[str, ...] = ()
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class Clarification:
    """A question the run asks its user, and the answer once there is one."""

    question: str
    choices: tuple[str, ...] = ()
    answer: str | None = None


@dataclass(frozen=True, slots=True)
class Understanding:
    """query_type: person, organisation, concept, comparison, technical, claim_check, general.

    intent: what form the answer takes, of which query_type is an older reading. primary_anchor:
    what the question is about. subjects: what is compared. entity: the candidate that was chosen.
    """

    query_type: str = "general"
    primary_anchor: str = ""
    anchor_terms: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    entity: str | None = None
    confidence: float = 0.0
    clarification: Clarification | None = None
    intent: str = ""


@dataclass(frozen=True, slots=True)
class Perspective:
    """A viewpoint with its focus and questions."""

    name: str
    focus: str
    questions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A node of the research tree. tier: primary, secondary, tertiary; weights of all questions sum
    to 1."""

    id: str
    text: str
    tier: str
    weight: float
    heading: str = ""
    perspective: str | None = None
    queries: tuple[str, ...] = ()
    source_types: tuple[str, ...] = ()
    coverage: float = 0.0
    answer: tuple[str, ...] = ()
    confidence: float = 0.0
    iterations: int = 0
    evidence_ids: tuple[str, ...] = ()
    dead_ends: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """A node of the task graph. status: pending, running, complete, failed, skipped."""

    id: str
    kind: str
    depends_on: tuple[str, ...] = ()
    status: str = "pending"
    reason: str | None = None
    question_id: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    perspectives: tuple[Perspective, ...] = ()
    questions: tuple[Question, ...] = ()
    tasks: tuple[Task, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """A verbatim span of a snapshot: text[start:end] == quote, checked when made and when read.
    kind, level: of its block; how deep a list item stands, 1 is the outermost."""

    evidence_id: str
    source_id: str
    snapshot_id: str
    start: int
    end: int
    quote: str
    question_id: str
    score: float
    kind: str = "paragraph"
    level: int = 0


def last_number(names: Iterable[str]) -> int:
    """The number of the last of names like E1, S2 or Q3; 0 without any. Where some were taken out
    it is more than their count."""
    return max((int(name[1:]) for name in names if name[1:].isdecimal()), default=0)


@dataclass(frozen=True, slots=True)
class Claim:
    """One atomic sentence with its evidence. independent_sources = number of voices.

    confidence and level are None where nobody judged it.

    verifier names who decided (quote, rules, a model); section is the heading it is reported under;
    differs says in words what the nearest passage lacks, for claims that could not be verified.
    model: who worded the text; empty when it is the words of its first evidence.
    """

    claim_id: str
    text: str
    section: str = ""
    question_id: str = ""
    evidence_ids: tuple[str, ...] = ()
    contradicting_evidence_ids: tuple[str, ...] = ()
    verified: bool = False
    match_score: float = 0.0
    supporting_sources: tuple[str, ...] = ()
    voices: tuple[tuple[str, ...], ...] = ()
    independent_sources: int = 0
    cross_validated: bool = False
    confidence: float | None = None
    level: str | None = None
    indicator: str = ""
    verifier: str = ""
    differs: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """nature: direct, scope or nuanced. explanation says in words why the two clash."""

    contradiction_id: str
    claim_a: str
    claim_b: str
    evidence_a: str
    evidence_b: str
    nature: str
    subject: str
    attribute: str
    explanation: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim with its sources; confidence is the level (high, medium, low), or unjudged."""

    claim_id: str
    claim: str
    sources: tuple[str, ...]
    confidence: str
    average_credibility: float


@dataclass(frozen=True, slots=True)
class Authority:
    source_id: str
    in_degree: int
    pagerank: float
    authority: float


@dataclass(frozen=True, slots=True)
class Gap:
    """An unanswered part of a question, importance 0..1."""

    question_id: str
    text: str
    importance: float
    queries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Search:
    """A query that a client was asked. earlier: for a revision before, so that it counts and may be
    asked again."""

    client: str
    query: str
    earlier: bool = False


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """reason: no_results, irrelevant, paywall, low_credibility, unreachable, error.

    alternative: what was tried instead, once; outcome: what that gave, in words; found: its hits,
    None where nobody answered or another search follows.
    """

    query: str | None
    url: str | None
    client: str | None
    reason: str
    alternative: str | None = None
    message: str = ""
    outcome: str | None = None
    found: int | None = None


@dataclass(frozen=True, slots=True)
class TrajectoryEntry:
    """One step of what the run did and why."""

    seq: int
    time: str
    phase: str
    kind: str
    message: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Quality:
    """Counts of a run, computed once. What nobody judged is None."""

    overall_confidence: float | None = None
    section_confidence: Mapping[str, float] = field(default_factory=dict)
    verified_claims: int = 0
    total_claims: int = 0
    cross_validated: int = 0
    hallucination_score: float | None = None
    refused_sentences: int = 0
    written_sentences: int = 0
    sources_found: int = 0
    sources_read: int = 0
    sources_used: int = 0
    sources_rejected: int = 0
    iterations: int = 0
    searches: int = 0
    gaps_open: int = 0
    distinct_domains: int = 0
    links_checked: int = 0
    links_alive: int = 0
    credible_share: float = 0.0


@dataclass(frozen=True, slots=True)
class Usage:
    models: Mapping[str, Any] = field(default_factory=dict)
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    http_requests: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Check:
    """Whether a source says what a sentence of the report cites it for: mark is yes, part or no."""

    source_id: str
    text: str
    mark: str


@dataclass(frozen=True, slots=True)
class UserMarks:
    """What the user says about a research; kept in the record so that it survives the database."""

    starred: bool = False
    tags: tuple[str, ...] = ()
    note: str = ""
    deleted_at: str | None = None
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True)
class ClientReport:
    """What one source client did in this run, and its problem sentence if it had one.

    found: hits. answers: questions it answered, with hits or without. unasked: queries of its
    latest round that its budget left out. late: queries that were not asked because its time was
    over. label: its name for people; reason: the kind of its problem.
    """

    client: str
    found: int = 0
    requests: int = 0
    seconds: float = 0.0
    problem: str | None = None
    answers: int = 0
    unasked: int = 0
    late: int = 0
    label: str = ""
    reason: str = ""
