"""A quick search: the newsroom, then the web, then an answer from what was read. One round, few pages."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from tools.research.outcome import ClientInfo
from tools.research.source import Source
from tools.text.phrases import counted
from workflows.research.aggregate import aggregate
from workflows.research.answering import answer
from workflows.research.checks import check_report
from workflows.research.credibility import score
from workflows.research.deps import Deps
from workflows.research.events import Event
from workflows.research.markdown import escape
from workflows.research.model import Evidence, Plan, Question
from workflows.research.quality import measure
from workflows.research.report import Citation, Report, Sentence
from workflows.research.source_notes import unanswered
from workflows.research.state import ResearchState
from workflows.research.trail import Trail
from workflows.research.understand import understand

KINDS = (("newsroom", "Newsroom", "N"), ("web", "Web", "W"))
LABELS = {letter: label for _, label, letter in KINDS}
NOTHING = "Nothing that was read answers this; what was found is listed below."
NOTHING_FOUND = "Neither the newsroom nor the web found anything."
_PAGES = 4  # read of each kind
_KEPT = 12  # sources of both kinds
_ENOUGH = 0.4  # score below which a passage answers nothing; a research is stricter
_LISTED = 10


def quick(state: ResearchState, deps: Deps, told: Callable[[Sentence], object]) -> ResearchState:
    """The finished state of a quick search. told: is handed each sentence of the answer. Cancelled passes."""
    trail = Trail(deps)
    deps = trail.deps()
    state = understand(replace(state, kind="search"), deps)
    for number, (kind, label, _) in enumerate(KINDS, 1):
        clients = tuple(client for client in deps.clients if client.kind == kind)
        _announce(number, label, deps)
        state = _search(state, clients, label, deps)
    _announce(3, "Synthesis", deps)
    state = score(_tagged(state), deps)
    made = answer(state, state.original_query, deps, told, least=_ENOUGH)
    evidence, sentences = _renamed(made.evidence, made.sentences)
    notes = () if made.found else (NOTHING if state.sources else NOTHING_FOUND,)
    report = Report(
        title=" ".join(state.original_query.split())[:300],
        summary=sentences if made.found else (),
        notes=(*notes, *unanswered(state)),
    )
    state = replace(state, evidence=evidence, claims=(), findings=())
    report, refused = check_report(report, state, deps)
    state = replace(state, report=report, status="complete")
    state = replace(state, quality=measure(state, refused + made.writing.refused, deps))
    return trail.onto(replace(state, synthesis=markdown(state)))


def _announce(number: int, label: str, deps: Deps) -> None:
    phase = "synthesis" if number == 3 else "aggregate"
    deps.emit(Event("phase_started", phase, f"Step {number} of 3: {label.lower()}.", {"step": number, "of": 3}))


def _search(state: ResearchState, clients: tuple[ClientInfo, ...], label: str, deps: Deps) -> ResearchState:
    """One kind of sources asked once, and its best pages read."""
    if not clients:
        deps.emit(Event("note", "aggregate", f"{label}: no source of this kind is switched on.", {}))
        return state
    query = " ".join(state.original_query.split())
    asked = Question("Q1", query, "primary", 1.0, queries=(query[:200],))
    limits = replace(deps.settings, fetch=_PAGES, candidates=_PAGES * 2, backtracking=False)
    known = len(state.sources)
    state = replace(state, round=0, plan=Plan(questions=(asked,)))
    state = aggregate(state, replace(deps, clients=clients, settings=limits))
    found = counted(len(state.sources) - known, "source")
    deps.emit(Event("note", "aggregate", f"{label}: {found}.", {}))
    return state


def _tagged(state: ResearchState) -> ResearchState:
    """The sources with the letter of their kind: N1, N2, W1; at most so many, those that were read first."""
    ranked = sorted(state.sources, key=lambda one: (one.snapshot_id is None, bool(one.rejected)))[:_KEPT]
    counts: dict[str, int] = {}
    tagged: list[Source] = []
    for source in state.sources:
        if source not in ranked:
            continue
        letter = "N" if source.source_type == "newsroom" else "W"
        counts[letter] = counts.get(letter, 0) + 1
        tagged.append(replace(source, tag=f"{letter}{counts[letter]}"))
    return replace(state, sources=tuple(tagged))


def _renamed(
    evidence: Sequence[Evidence], sentences: Sequence[Sentence]
) -> tuple[tuple[Evidence, ...], tuple[Sentence, ...]]:
    """Passages of a report, not of a later answer."""
    names = {one.evidence_id: f"E{number}" for number, one in enumerate(evidence, 1)}
    kept = tuple(replace(one, evidence_id=names[one.evidence_id], question_id="Q1") for one in evidence)

    def renamed(one: Citation) -> Citation:
        return replace(one, evidence_id=names[one.evidence_id])

    said = (
        replace(one, sentence_id=f"s{number}", citations=tuple(renamed(each) for each in one.citations))
        for number, one in enumerate(sentences, 1)
    )
    return kept, tuple(said)


def named(tag: str) -> str:
    """A tag with the kind of its source: "Newsroom N1"."""
    label = LABELS.get(tag[:1])
    return f"{label} {tag}" if label else tag


def spoken(sentence: Sentence) -> str:
    """A sentence with its tags, as running text."""
    tags = ", ".join(named(one.tag) for one in sentence.citations)
    return f"{sentence.text} [{tags}]" if tags else sentence.text


def markdown(state: ResearchState) -> str:
    """The answer with [Newsroom] and [Web] tags, and what was found."""
    report = state.report
    assert report is not None
    parts = [f"# {escape(report.title)}", *(f"> {escape(note)}" for note in report.notes)]
    lines = []
    for sentence in report.summary:
        tags = ", ".join(named(one.tag) for one in sentence.citations)
        lines.append(f"{escape(sentence.text)} [{tags}]" if tags else escape(sentence.text))
    parts.append(" ".join(lines))
    cited = {one.source_id for sentence in report.summary for one in sentence.citations}
    others = [one for one in state.sources if one.source_id not in cited and not one.rejected][:_LISTED]
    if others:
        listed = "\n".join(f"- [{named(one.tag or '')}] {escape(one.title or one.url)}" for one in others)
        parts += ["## Also found", listed]
    return "\n\n".join(part for part in parts if part) + "\n"
