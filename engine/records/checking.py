"""Whether a record that comes from outside is what it says it is: types, limits, and references
that lead somewhere.

The codec builds whatever a file holds; a record of our own needs no more. One that somebody sent
could hold a number where pages expect a text, two sources of one id, or a quotation that stands
nowhere.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from tools.errors import Refused
from tools.text.sentences import spans as sentence_spans
from workflows.research.answer.model import AnswerPassage, shown_passages
from workflows.research.kinds import RunStatus
from workflows.research.report.sentences import SentenceKind
from workflows.research.state import Evidence, ResearchState, Sentence
from workflows.research.verify.checks import passage_resolves

MOST = 20_000  # entries of one list
LONGEST = 20_000_000  # characters of one text
DEEPEST = 40
LARGEST = 2**63  # what a whole number has to be below: SQLite holds no larger one
_HASH = re.compile(r"[0-9a-f]{64}\Z")
_HALF = re.compile("[\ud800-\udfff]")
_ID = re.compile(r"[^\s/\\?#%\x00-\x1f]{1,200}\Z")  # an id becomes a part of addresses
KINDS = tuple(SentenceKind)
STATUSES = (RunStatus.COMPLETE, RunStatus.PARTIAL, RunStatus.FAILED, RunStatus.CANCELLED)


def check(state: ResearchState, texts: Mapping[str, str]) -> None:
    """Raises Refused with the place of the first thing that is wrong. Of a state whose types were
    checked. texts: snapshot id -> text, as far as known."""
    if not state.original_query.strip():
        raise Refused("The record contains no question.")
    if state.status not in STATUSES:
        raise Refused(
            f"The record says its report is {state.status[:40]!r}; "
            "only a finished report can be imported."
        )
    _unique("source", [source.source_id for source in state.sources])
    _unique("passage", [evidence.evidence_id for evidence in state.evidence])
    _unique("claim", [claim.claim_id for claim in state.claims])
    _unique(
        "contradiction", [contradiction.contradiction_id for contradiction in state.contradictions]
    )
    _check_snapshots(state)
    _check_scores(state)
    _check_evidence(state, texts)
    evidence = {piece.evidence_id: piece for piece in state.evidence}
    _check_answers(state, evidence)
    if state.report:
        for sentence in sentences_of(state):
            _check_sentence(sentence, evidence)


def check_types(state: ResearchState) -> None:
    """Raises Refused with the place of the first value that is of another type than it should be,
    or beyond limits."""
    _typed(ResearchState, state, "the record", 0)


def _check_snapshots(state: ResearchState) -> None:
    for snapshot in state.snapshots:
        if not _HASH.match(snapshot.snapshot_id):
            raise Refused(f"{snapshot.snapshot_id[:80]!r} cannot be the name of a stored text.")
        places = [(page.start, snapshot.characters) for page in snapshot.pages]
        places += [(section.start, section.end) for section in snapshot.sections]
        places += [(section.end, snapshot.characters) for section in snapshot.sections]
        if any(not 0 <= start <= end for start, end in places):
            raise Refused(f"The sections of text {snapshot.snapshot_id[:12]} lie outside it.")


def _check_scores(state: ResearchState) -> None:
    scores = [source.credibility.score for source in state.sources if source.credibility]
    scores += [finding.average_credibility for finding in state.findings]
    confidences = [*(claim.confidence for claim in state.claims), state.quality.overall_confidence]
    if any(score is not None and not 0 <= score <= 1 for score in (*scores, *confidences)):
        raise Refused(
            "The record contains a credibility or confidence that is not between 0 and 1."
        )


def _check_evidence(state: ResearchState, texts: Mapping[str, str]) -> None:
    sources = {source.source_id for source in state.sources}
    snapshots = {snapshot.snapshot_id for snapshot in state.snapshots}
    for passage in state.evidence:
        if passage.source_id not in sources or passage.snapshot_id not in snapshots:
            raise Refused(
                f"Passage {passage.evidence_id[:40]} belongs to a source or a text that the record "
                "does not contain."
            )
        text = texts.get(passage.snapshot_id)
        in_order = 0 <= passage.start < passage.end
        if not in_order or (
            text is not None and text[passage.start : passage.end] != passage.quote
        ):
            raise Refused(
                f"The quotation of passage {passage.evidence_id[:40]} is not in the text it names."
            )


def _check_sentence(sentence: Sentence, evidence: Mapping[str, Evidence]) -> None:
    """A sentence of the report rests on a passage of the record, and says what it says."""
    where = f"Sentence {sentence.sentence_id[:40]} of the report"
    if sentence.kind not in KINDS:
        raise Refused(f"{where} is of an unknown kind, {sentence.kind[:40]!r}.")
    if bool(sentence.citations) == (sentence.kind == SentenceKind.NARRATION):
        citation_state = "something" if sentence.citations else "nothing"
        raise Refused(f"{where} cites {citation_state}, which its kind does not allow.")
    for citation in sentence.citations:
        passage = evidence.get(citation.evidence_id)
        if passage is None or passage.source_id != citation.source_id:
            raise Refused(f"{where} cites a passage that the record does not contain.")
    if sentence.citations and not is_replayed(
        sentence, evidence[sentence.citations[0].evidence_id].quote
    ):
        raise Refused(f"{where} is not the quotation it says it is.")


def _check_answers(state: ResearchState, evidence: Mapping[str, Evidence]) -> None:
    """Every passage of an answer stands in the texts as its evidence does."""
    for passage in passages_of(state):
        if not passage_resolves(passage, evidence):
            raise Refused(
                f"A passage of {passage.source_id[:40]} is not in the text that it names."
            )


def sentences_of(state: ResearchState) -> Iterator[Sentence]:
    """Every sentence of the report and of the conversation."""
    if state.report:
        yield from state.report.sentences()
    yield from (sentence for turn in state.conversation for sentence in turn.sentences)


def passages_of(state: ResearchState) -> list[AnswerPassage]:
    """Every passage that a record shows: of its answer, its sections and its conversation."""
    answers = [state.answer, *(turn.answer for turn in state.conversation)]
    passages = [
        p for answer in answers if answer for p in (*shown_passages(answer), *answer.closest)
    ]
    return passages + [
        p for section in (state.report.sections if state.report else ()) for p in section.passages
    ]


def is_replayed(sentence: Sentence, quote: str) -> bool:
    """Whether a quotation, with its listed edits, is what the sentence says; without edits a whole
    sentence of it."""
    if sentence.kind == SentenceKind.WRITTEN or (
        not sentence.edits and _is_sentence_of(sentence.text, quote)
    ):
        return True
    pieces, at = [], 0
    for edit in sentence.edits:
        if edit.start < at or edit.end > len(quote):
            return False
        pieces += [quote[at : edit.start], edit.replacement]
        at = edit.end
    return " ".join("".join([*pieces, quote[at:]]).split()) == sentence.text


def _is_sentence_of(text: str, quote: str) -> bool:
    """Whether a text is one of the sentences of a quotation, whatever breaks its lines."""
    return text.split() in [quote[start:end].split() for start, end in sentence_spans(quote)]


def _unique(what: str, ids: Iterable[str]) -> None:
    ids_so_far: set[str] = set()
    for name in ids:
        if not _ID.match(name):
            raise Refused(f"{name[:80]!r} cannot be the id of a {what}.")
        if name in ids_so_far:
            raise Refused(f"The record contains two entries for {what} {name[:80]}.")
        ids_so_far.add(name)


# --- types ----------------------------------------------------------------------------------------


def _typed(kind: Any, value: Any, where: str, depth: int) -> None:
    if depth > DEEPEST:
        raise Refused(f"{where} is nested too deeply.")
    _checker(kind)(value, where, depth)


Checker = Callable[[Any, str, int], None]


@cache
def _checker(kind: Any) -> Checker:
    origin, args = get_origin(kind), get_args(kind)
    if kind is Any:
        return _plain_value
    if origin in (Union, UnionType):
        inner = next(arg for arg in args if arg is not NoneType)
        return lambda value, where, depth: (
            None if value is None else _typed(inner, value, where, depth)
        )
    if origin is tuple:
        return _list_of(args[0])
    if origin is not None and issubclass(origin, Mapping):
        return _mapping_of(args[1])
    return _object if is_dataclass(kind) else _simple(kind)


def _list_of(item: Any) -> Checker:
    def checked(value: Any, where: str, depth: int) -> None:
        if not isinstance(value, tuple) or len(value) > MOST:
            raise Refused(f"{where} is not a list of at most {MOST:,} entries.")
        for number, entry in enumerate(value, 1):
            _typed(item, entry, f"{where}, entry {number}", depth + 1)

    return checked


def _mapping_of(item: Any) -> Checker:
    def checked(value: Any, where: str, depth: int) -> None:
        if not isinstance(value, Mapping) or len(value) > MOST:
            raise Refused(f"{where} is not a table of at most {MOST:,} entries.")
        for key, entry in value.items():
            _typed(str, key, where, depth + 1)
            _typed(item, entry, f"{where}, {key[:40]}", depth + 1)

    return checked


def _object(value: Any, where: str, depth: int) -> None:
    kind: Any = type(value)
    hints = _hints(kind)
    for field in fields(value):
        _typed(hints[field.name], getattr(value, field.name), f"{where}: {field.name}", depth + 1)


_hints = cache(get_type_hints)


def _simple(kind: Any) -> Checker:
    def checked(value: Any, where: str, depth: int) -> None:
        is_like = (kind is float and type(value) is int) or (
            kind is str and isinstance(value, StrEnum)
        )
        fits = type(value) is kind or is_like
        if not fits or (isinstance(value, str) and len(value) > LONGEST):
            raise Refused(f"{where} is not {_WORDS.get(kind, 'of the right kind')}.")
        if isinstance(value, str) and _HALF.search(value):
            raise Refused(f"{where} contains half a character (a lone surrogate).")
        if type(value) is int and abs(value) >= LARGEST:
            raise Refused(f"{where} is a number of more than {len(str(LARGEST))} digits.")
        if isinstance(value, float) and not math.isfinite(value):
            raise Refused(f"{where} is not a finite number.")

    return checked


_WORDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


def _plain_value(value: Any, where: str, depth: int) -> None:
    """JSON of any form, within limits."""
    if isinstance(value, Mapping):
        _mapping_of(Any)(value, where, depth)
    elif isinstance(value, list | tuple):
        _list_of(Any)(tuple(value), where, depth)
    elif value is not None and not isinstance(value, bool):
        _simple(type(value) if isinstance(value, str | int | float) else str)(value, where, depth)
