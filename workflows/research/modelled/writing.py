"""A model writes a section from claim packets; what passes the gate is taken, what fails is written once again, then
dropped and counted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tools.models.prompts import fence
from tools.text.language import language_of, name_of
from tools.trust.verify import Verifier
from workflows.research.model import Claim, Evidence
from workflows.research.modelled.gate import JUDGE, Admission, admit
from workflows.research.modelled.shown import allowed, own_sources, private
from workflows.research.modelled.work import Step, Work
from workflows.research.state import ResearchState

_PER_CLAIM = 2  # quotations shown of a claim
_HELD_AGAINST = 6  # quotations of a claim that may be cited
_QUOTE = 400  # characters of a quotation that are shown
_CLAIMS = 10  # claims of a section that are shown
_BEFORE = 6  # sentences written before that are shown
_ROWS = {
    "type": "array", "minItems": 0, "maxItems": 7,
    "items": {
        "type": "object",
        "properties": {
            "text": {"type": "string", "minLength": 2, "maxLength": 600},
            "claims": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"type": "string"}},
        },
        "required": ["text", "claims"],
    },
}  # fmt: skip
_SENTENCES = {"type": "object", "properties": {"sentences": _ROWS}, "required": ["sentences"]}
SECTION = Step(
    "section", "synthesis", "reasoning", "Section", "its sentences are quotations", _SENTENCES, calls=7, max_tokens=900
)
REWRITE = Step(
    "rewrite", "synthesis", "reasoning", "Refused sentences", "they are dropped", _SENTENCES, calls=4, max_tokens=900
)


@dataclass(frozen=True, slots=True)
class Written:
    """A sentence that passed. evidence: the supporting passage first. verifier: who decided. model: who wrote it."""

    text: str
    claim_ids: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    score: float
    verifier: str
    model: str


@dataclass(frozen=True, slots=True)
class Brief:
    """What the sentences of one section are written from. before: what stands in the report already.

    step: asks for it; its prompt has the places of SECTION's.
    """

    heading: str
    claims: tuple[Claim, ...]
    before: tuple[str, ...] = ()
    most: int = 4
    language: str = "the language of the question"
    step: Step = SECTION


class Writer:
    """Writes sections of one report. quotes: the evidence of a claim, best first. refused counts what was dropped.

    told: is handed each sentence as soon as it has passed.
    """

    def __init__(
        self,
        state: ResearchState,
        work: Work,
        verifier: Verifier,
        threshold: float,
        quotes: Callable[[Claim], Sequence[Evidence]],
        told: Callable[[Written], object] = lambda written: None,
    ) -> None:
        self._state, self._work, self._verifier, self._threshold = state, work, verifier, threshold
        self._quotes, self._told = quotes, told
        self._language = language_of(state.original_query)
        # Small models name the sources of their claims too; those exist, but nothing rests on them alone
        self._tags = {source.tag for source in state.sources if source.tag}
        self.refused = 0

    def section(self, brief: Brief) -> tuple[Written, ...]:
        """The written sentences of a section that passed, in the model's order; empty when it stays quotations."""
        packets = self._packets(brief.claims)
        if not packets or not self._work.left(JUDGE):
            return ()
        shown = [one for quotes in packets.values() for one in quotes]
        values = {
            "question": fence(self._state.original_query, "question"),
            "heading": fence(brief.heading, "heading"),
            "before": fence("\n".join(brief.before[-_BEFORE:]) or "Nothing yet.", "report"),
            "packets": fence(self._listed(brief.claims, packets), "claims"),
            "most": str(brief.most),
            "language": name_of(self._language) or brief.language,
        }
        own = private(self._state, shown)
        check = _known(set(packets) | self._tags)
        answer = self._work.ask(brief.step, values, check, about=brief.heading, private=own)
        rows = _resting(answer, packets)[: brief.most]
        return self._passed([row for row in rows if not _quoted(row, packets)], packets, brief.heading)

    def _passed(
        self, rows: Sequence[Mapping[str, Any]], packets: Mapping[str, Sequence[Evidence]], about: str
    ) -> tuple[Written, ...]:
        tried = [(row, self._admit(row, packets)) for row in rows]
        again = [(row, said) for row, said in tried if not said.evidence and said.judged]
        second = self._again(again, packets, about) if again else {}
        taken: list[Written] = []
        for row, said in tried:
            if not said.evidence and said.judged:
                row, said = second.get(id(row), (row, said))
            if said.evidence:
                taken.append(self._written(row, said))
            elif said.judged:
                self.refused += 1
        return tuple(taken)

    def _again(
        self,
        refused: Sequence[tuple[Mapping[str, Any], Admission]],
        packets: Mapping[str, Sequence[Evidence]],
        about: str,
    ) -> dict[int, tuple[Mapping[str, Any], Admission]]:
        """What became of the refused sentences when they were written once more, by the row they replace."""
        text = "\n\n".join(
            f"{row['text']}\nclaims: {', '.join(row['claims'])}\nreason: {said.problem}\n{_lines(row, packets)}"
            for row, said in refused
        )
        shown = [one for row, _ in refused for name in row["claims"] for one in packets[name]]
        own = private(self._state, shown)
        values = {"refused": fence(text, "sentences")}
        answer = self._work.ask(REWRITE, values, _known(set(packets) | self._tags), about=about, private=own)
        fresh: dict[int, tuple[Mapping[str, Any], Admission]] = {}
        for row in _resting(answer, packets):
            old = next((r for r, _ in refused if id(r) not in fresh and set(r["claims"]) & set(row["claims"])), None)
            if old is not None:
                fresh[id(old)] = (row, self._admit(row, packets))
        return fresh

    def _admit(self, row: Mapping[str, Any], packets: Mapping[str, Sequence[Evidence]]) -> Admission:
        evidence = [one for name in dict.fromkeys(row["claims"]) for one in packets[name]]
        own = private(self._state, evidence)
        text = " ".join(row["text"].split())
        said = admit(text, evidence, self._verifier, self._work, self._threshold, own)
        if said.evidence:
            self._told(self._written(row, said))
        return said

    def _written(self, row: Mapping[str, Any], said: Admission) -> Written:
        text, claims = " ".join(row["text"].split()), tuple(dict.fromkeys(row["claims"]))
        name = self._work.models.name(SECTION.role)
        return Written(text, claims, said.evidence, said.score, said.verifier, name)

    def _packets(self, claims: Sequence[Claim]) -> dict[str, list[Evidence]]:
        found: dict[str, list[Evidence]] = {}
        seen = self._work.models.may_see_documents(SECTION.role)
        hidden = set() if seen else own_sources(self._state)  # a claim may be in words of the user's own documents
        for claim in claims[:_CLAIMS]:
            if hidden.intersection(claim.supporting_sources):
                continue
            quotes = allowed(self._state, self._quotes(claim), self._work, SECTION)
            quotes = [one for one in quotes if self._comparable(one)][:_HELD_AGAINST]
            if quotes:
                found[claim.claim_id] = quotes
        return found

    def _comparable(self, one: Evidence) -> bool:
        """Whether rules can hold a sentence in the language of the question against a quotation."""
        own, other = self._language, language_of(one.quote)
        return not (own and other) or own == other

    def _listed(self, claims: Sequence[Claim], packets: Mapping[str, Sequence[Evidence]]) -> str:
        tags = {source.source_id: source.tag or "" for source in self._state.sources}
        blocks = []
        for claim in claims:
            if claim.claim_id in packets:
                lines = [f"{claim.claim_id} {claim.indicator} {claim.text}".strip()]
                quotes = packets[claim.claim_id][:_PER_CLAIM]
                lines += [f"  {tags.get(one.source_id, '')}: {' '.join(one.quote.split())[:_QUOTE]}" for one in quotes]
                blocks.append("\n".join(lines))
        return "\n".join(blocks)


def _resting(answer: Any | None, packets: Mapping[str, Sequence[Evidence]]) -> list[dict[str, Any]]:
    """The sentences that rest on claims, with these alone."""
    rows = answer["sentences"] if answer else ()
    named = [{**row, "claims": [one for one in dict.fromkeys(row["claims"]) if one in packets]} for row in rows]
    return [row for row in named if row["claims"]]


def _quoted(row: Mapping[str, Any], packets: Mapping[str, Sequence[Evidence]]) -> bool:
    """Whether a sentence is a quotation word for word: then the quotation itself stands, and nobody need judge it."""
    text = " ".join(row["text"].split())
    return any(text == " ".join(one.quote.split()) for name in row["claims"] for one in packets[name])


def _lines(row: Mapping[str, Any], packets: Mapping[str, Sequence[Evidence]]) -> str:
    quotes = [one.quote for name in row["claims"] for one in packets[name][:_PER_CLAIM]]
    return "\n".join(f"quotation: {' '.join(quote.split())[:_QUOTE]}" for quote in quotes)


def _known(ids: set[str]) -> Callable[[Any], Sequence[str]]:
    def problems(data: Any) -> Sequence[str]:
        strange = sorted({name for row in data["sentences"] for name in row["claims"]} - ids)
        return [f"there is no claim {', '.join(strange)[:100]}"] if strange else []

    return problems
