"""What is wrong with a report, told by rules that share no code with the pipeline: each check returns what broke it.

The pipeline has its own gates for most of this; they are not imported here, so that a hole in one is seen.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from tools.text.tokens import STOP, stem, words
from workflows.research.model import Evidence
from workflows.research.report import Report, Sentence
from workflows.research.state import ResearchState

OVERLAP = 0.7
SECTION_SENTENCES = 7
SUMMARY_SENTENCES = 6
KINDS = ("quote", "edited", "written", "narration")
UNRESOLVED = re.compile(
    r"^(?:it|its|he|she|they|them|their|his|her|this|that|these|those|such|we|our|here|however|moreover|therefore|thus"
    r"|hence|furthermore|in addition|additionally|consequently|nevertheless|also|but|and|so|yet|then|as a result"
    r"|in contrast|on the other hand|for example|for instance"
    r"|(?:in|by|after|before|with|for|of|on|at|from|during) (?:this|these|that|those))\b",
    re.I,
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*(?:\s?(?:%|°C|[kMGT]?Wh?|km|kg|mg|ng|IU|years?|euros?|crowns?|per cent))?")
_BRACKETED = re.compile(r"\[[^\]]*\]|\([^()]*\)")


@dataclass(frozen=True, slots=True)
class Faults:
    """Sentences that break a rule, by rule; `sentences` cited ones were looked at, `placed` of them in sections."""

    found: Mapping[str, tuple[str, ...]]
    sentences: int
    placed: int
    words: int


def faults(state: ResearchState, text: Callable[[str], str], words_allowed: int) -> Faults:
    """Everything wrong with the report of a state. text: the text of a snapshot."""
    report = state.report or Report(state.original_query)
    cited = [sentence for sentence in report.sentences() if sentence.kind != "narration"]
    length = sum(len(sentence.text.split()) for sentence in cited)
    found = {
        "repeats": tuple(repeats(report)),
        "unresolved": tuple(one.text for one in cited if UNRESOLVED.match(one.text)),
        "long parts": tuple(long_parts(report)),
        "not of its kind": tuple(one.text for one in report.sentences() if not of_its_kind(one, state, text)),
        "unresolved citations": tuple(one.text for one in cited if not resolves(one, state, text)),
        "figures lost": tuple(one.text for one in cited if not keeps_figures(one, state)),
        "off topic": tuple(off_topic(state, report)),
        "too many words": (f"{length} words",) if length > words_allowed else (),
    }
    return Faults(found, len(cited), sum(len(section.sentences) for section in report.sections), length)


def repeats(report: Report) -> Iterator[str]:
    """Pairs of cited sentences of which one says mostly the words of the other; the sides of one disagreement may."""
    facing = {frozenset(s.sentence_id for s in one.sentences) for one in report.disagreements}
    opposed = {frozenset(s.sentence_id for s in report.summary[:2])} if _opens_with_two_sides(report) else set()
    # Different answers may stand in sentences that are otherwise alike: so a wrong copy is told from its original
    answers = {s.sentence_id for one in report.senses for s in one.sentences}
    cited = [sentence for sentence in report.sentences() if sentence.kind != "narration"]
    for a, b in combinations(cited, 2):
        pair = frozenset((a.sentence_id, b.sentence_id))
        if any(pair <= sides for sides in (*facing, *opposed)) or (pair & answers and _each_adds(a.text, b.text)):
            continue
        if overlap(a.text, b.text) > OVERLAP:
            yield f"{a.text} / {b.text}"


def _each_adds(a: str, b: str) -> bool:
    first, second = ({stem(word) for word in words(text) if word not in STOP} for text in (a, b))
    return bool(first - second and second - first)


def _opens_with_two_sides(report: Report) -> bool:
    return len(report.summary) > 2 and report.summary[2].text.startswith("On this the sources contradict")


def overlap(a: str, b: str) -> float:
    """Shared content stems of two sentences as a fraction of the smaller set."""
    first, second = ({stem(word) for word in words(text) if word not in STOP} for text in (a, b))
    return len(first & second) / max(1, min(len(first), len(second)))


def long_parts(report: Report) -> Iterator[str]:
    """A summary of more than six sentences, a section of more than seven, an empty section, an empty report part."""
    if len(report.summary) > SUMMARY_SENTENCES:
        yield f"summary of {len(report.summary)} sentences"
    for section in report.sections:
        if not 0 < len(section.sentences) <= SECTION_SENTENCES:
            yield f"{section.heading}: {len(section.sentences)} sentences"


def of_its_kind(sentence: Sentence, state: ResearchState, text: Callable[[str], str]) -> bool:
    """A quote equals its span, an edited one its span after its edits, narration cites nothing."""
    if sentence.kind not in KINDS:
        return False
    if sentence.kind == "narration":
        return not sentence.citations and not sentence.edits
    evidence = {one.evidence_id: one for one in state.evidence}.get(_first(sentence))
    if evidence is None:
        return False
    span = text(evidence.snapshot_id)[evidence.start : evidence.end]
    if sentence.kind == "written":
        return True
    made = span
    for edit in sorted(sentence.edits, key=lambda one: -one.start):
        made = made[: edit.start] + edit.replacement + made[edit.end :]
    return " ".join(made.split()) == sentence.text and bool(sentence.edits) == (sentence.kind == "edited")


def _first(sentence: Sentence) -> str:
    return sentence.citations[0].evidence_id if sentence.citations else ""


def resolves(sentence: Sentence, state: ResearchState, text: Callable[[str], str]) -> bool:
    """Every citation leads to a span that is in the stored text, of a source that was not set aside."""
    evidence = {one.evidence_id: one for one in state.evidence}
    allowed = {source.source_id for source in state.sources if not source.rejected}
    found = [evidence.get(citation.evidence_id) for citation in sentence.citations]
    return bool(found) and all(one is not None and one.source_id in allowed and _exact(one, text) for one in found)


def _exact(evidence: Evidence, text: Callable[[str], str]) -> bool:
    return text(evidence.snapshot_id)[evidence.start : evidence.end] == evidence.quote


def keeps_figures(sentence: Sentence, state: ResearchState) -> bool:
    """Every number of the quote outside brackets, with its unit, stands in the sentence too."""
    evidence = {one.evidence_id: one for one in state.evidence}.get(_first(sentence))
    if evidence is None:
        return False
    quote, said = " ".join(evidence.quote.split()), sentence.text
    return all(number in said for number in _NUMBER.findall(_BRACKETED.sub(" ", quote)))


def off_topic(state: ResearchState, report: Report) -> Iterator[str]:
    """Sentences of sections that name nothing of what was asked about."""
    read = state.understanding
    asked = read.subjects or (" ".join((read.primary_anchor, *read.anchor_terms)),)
    topics = [{stem(word) for word in words(one) if word not in STOP} for one in asked]
    for section in report.sections:
        for sentence in section.sentences:
            if not any(bears(sentence.text, topic) for topic in topics):
                yield f"{section.heading}: {sentence.text}"


def bears(sentence: str, topic: set[str]) -> bool:
    """At least a third of the topic's words, or two of them, are in the sentence."""
    shared = topic & {stem(word) for word in words(sentence)}
    return len(shared) >= min(2, max(1, len(topic) // 3))
