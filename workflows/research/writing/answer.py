"""The answer and the sections, written by a model; what does not pass the gate is left out, the passages stand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tools.models.prompts import fence
from tools.text.instructions import speaks_to_machines
from tools.text.tokens import stems
from workflows.research.answer.model import NOT_FOUND, AnswerPassage, shown_passages
from workflows.research.deps import Deps
from workflows.research.events import Event
from workflows.research.model import Evidence
from workflows.research.modelled.work import Step, Work
from workflows.research.report import ReportSection
from workflows.research.sentences import Citation, Sentence
from workflows.research.state import ResearchState
from workflows.research.writing.gate import Gate, WrittenDraft, draft_of
from workflows.research.writing.packets import PacketPassage, packet_of, shown
from workflows.research.writing.steps import ANSWER, OUTLINE, REVISE, SECTION

SECTIONS = (2, 4, 6)  # by depth
_MOST_SENTENCES = 8  # of the answer, and of a section
_FEWEST = 2  # sentences of a section, of which one alone is none


@dataclass(frozen=True, slots=True)
class Written:
    """What passed. refused: how many sentences did not. prompt of an answer with its version, for the record."""

    answer: tuple[Sentence, ...] = ()
    sections: tuple[ReportSection, ...] = ()
    refused: int = 0


def write_report(state: ResearchState, deps: Deps) -> tuple[ResearchState, int]:
    """The state with its written answer and sections, and how many sentences were refused; the same without a model."""
    answer, work = state.answer, deps.work
    if answer is None or answer.status == NOT_FOUND or work is None or not work.left(ANSWER) or state.report is None:
        return state, 0
    packet = packet_for(state, [*shown_passages(answer), *state.passages], work)
    if not packet:
        return state, 0
    writer = Writer(state, deps, work, packet)
    made = writer.report()
    heads = {section.heading for section in made.sections}
    others = tuple(section for section in state.report.sections if section.heading not in heads)
    report = replace(state.report, sections=(*made.sections, *others))
    return replace(state, answer=replace(answer, written=made.answer), report=report), made.refused


def packet_for(state: ResearchState, passages: Iterable[AnswerPassage], work: Work) -> tuple[PacketPassage, ...]:
    """The packet that the writing model of a run may see."""
    own = work.models.may_see_documents(ANSWER.role)
    return packet_of(passages, state.sources, work.models.window(ANSWER.role), own=own)


@dataclass
class Writer:
    """Writes from one packet. history: of a conversation, folded."""

    state: ResearchState
    deps: Deps
    work: Work
    packet: Sequence[PacketPassage]
    question: str = ""
    history: str = ""
    _evidence: dict[str, Evidence] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.question = self.question or self.state.original_query
        self._evidence = {one.evidence_id: one for one in self.state.evidence}
        self._gate = Gate(self.deps)

    def report(self) -> Written:
        """The answer and the sections."""
        drafts = self._answer()
        if not drafts:
            return Written()
        headings = self._sections(" ".join(draft.text for draft in drafts), drafts)
        return self._assembled(self._revised(self._gate.passed(drafts)), headings)

    def answer(self) -> Written:
        """The answer alone."""
        drafts = self._answer()
        return self._assembled(self._revised(self._gate.passed(drafts)), []) if drafts else Written()

    def _answer(self) -> list[WrittenDraft]:
        self._tell("Writing the answer.", 0, 0)
        values = {
            "question": fence(self.question, "question"),
            "passages": shown(self.packet),
            "history": f"{fence(self.history, 'conversation before')}\n" if self.history else "",
        }
        return self._drafts(self._ask(ANSWER, values, self.packet), self.packet, 0)

    def _sections(self, answer: str, drafts: list[WrittenDraft]) -> list[str]:
        """Write the sections into the drafts; their headings, the first at place 1."""
        planned = self._outline()
        for place, (heading, packet) in enumerate(planned, 1):
            self._tell(f"Writing section {place} of {len(planned)}.", place, len(planned))
            values = {
                "question": fence(self.question, "question"),
                "passages": shown(packet),
                "answer": fence(answer, "answer"),
                "heading": fence(heading, "heading"),
            }
            drafts += self._drafts(self._ask(SECTION, values, packet, heading[:60]), packet, place)
        return [heading for heading, _ in planned]

    def _outline(self) -> list[tuple[str, list[PacketPassage]]]:
        most = SECTIONS[self.state.config.depth - 1]
        if len(self.packet) <= _FEWEST:
            return []
        values = {
            "question": fence(self.question, "question"), "passages": shown(self.packet), "most": str(most),
        }  # fmt: skip
        data = self._ask(OUTLINE, values, self.packet)
        by_ref = {one.ref: one for one in self.packet}
        taken: set[str] = set()
        planned = []
        for row in (data or {"sections": ()})["sections"]:
            heading = " ".join(row["heading"].split()).strip(" .:#*")
            refs = [ref for ref in (one.strip("[] ") for one in row["passages"]) if ref in by_ref and ref not in taken]
            if not refs or not self._fits(heading):
                continue
            taken |= set(refs)
            planned.append((heading, [by_ref[ref] for ref in dict.fromkeys(refs)]))
        return planned[:most]

    def _fits(self, heading: str) -> bool:
        """Whether a heading states nothing: mostly words of the question or the passages, no number, no order."""
        known = set(stems(" ".join([self.question, *(f"{one.about} {one.passage.text}" for one in self.packet)])))
        own = stems(heading)
        if not own or not heading.isprintable() or speaks_to_machines(heading) or len(heading.split()) > 9:
            return False
        strange = [word for word in own if word not in known]
        return not any(map(str.isdigit, "".join(strange))) and 2 * len(strange) <= len(own)

    def _revised(self, drafts: list[WrittenDraft]) -> list[WrittenDraft]:
        """The drafts after those that failed were written once more, all together, with the reasons."""
        failed = [i for i, draft in enumerate(drafts) if draft.problem]
        if not failed or not self.work.left(REVISE):
            return drafts
        cited = {one.ref for i in failed for one in drafts[i].cited}
        packet = [one for one in self.packet if one.ref in cited] or list(self.packet)
        values = {
            "passages": shown(packet),
            "sentences": "\n".join(
                fence(f"{n}: {drafts[i].text}\nWrong: {drafts[i].problem}", "sentence") for n, i in enumerate(failed, 1)
            ),
        }
        self._tell(f"Revising {len(failed)} of {len(drafts)} sentences.", 0, 0)
        data = self._ask(REVISE, values, packet)
        again: dict[int, WrittenDraft] = {}
        for row in (data or {"sentences": ()})["sentences"]:
            if 1 <= row["number"] <= len(failed):
                at = failed[row["number"] - 1]
                again.setdefault(at, draft_of(row, packet, drafts[at].place))
        for at, draft in zip(again, self._gate.passed(list(again.values())), strict=True):
            drafts[at] = draft
        return drafts

    def _drafts(self, data: Any | None, packet: Sequence[PacketPassage], place: int) -> list[WrittenDraft]:
        rows = (data or {"sentences": ()})["sentences"][:_MOST_SENTENCES]
        return [draft_of(row, packet, place) for row in rows]

    def _ask(self, step: Step, values: dict[str, str], packet: Sequence[PacketPassage], about: str = "") -> Any | None:
        if not self.work.left(step):
            return None
        private = any(one.own for one in packet) or bool(self.history and self._own_sources())
        return self.work.ask(step, values, about=about, private=private)

    def _own_sources(self) -> bool:
        return any(source.source_type == "local" for source in self.state.sources)

    def _assembled(self, drafts: Sequence[WrittenDraft], headings: Sequence[str]) -> Written:
        kept: dict[int, list[Sentence]] = {}
        said: set[str] = set()
        for draft in drafts:
            words = " ".join(draft.text.casefold().split())
            if not draft.problem and words not in said:
                said.add(words)
                kept.setdefault(draft.place, []).append(self._sentence(draft, f"w{len(said)}"))
        sections = tuple(
            ReportSection(heading, tuple(kept[place]))
            for place, heading in enumerate(headings, 1)
            if any(sentence.kind == "written" for sentence in kept.get(place, ()))
        )
        refused = sum(bool(draft.problem) for draft in drafts)
        return Written(tuple(kept.get(0, ())), sections, refused)

    def _sentence(self, draft: WrittenDraft, name: str) -> Sentence:
        claims = tuple(dict.fromkeys(one.passage.claim_id for one in draft.cited if one.passage.claim_id))
        if draft.quoted and (exact := self._quoted_by(draft)) is not None:
            return Sentence(name, "quote", draft.text, (), claims, (exact,))
        step = ANSWER if draft.place == 0 else SECTION
        return Sentence(
            name, "written", draft.text, (), claims, tuple(self._citation(draft, one) for one in draft.cited), "",
            draft.judge or "quotation", self.work.models.name(ANSWER.role), self.work.prompt(step),
        )  # fmt: skip

    def _quoted_by(self, draft: WrittenDraft) -> Citation | None:
        for one in draft.cited:
            for key in (*one.passage.evidence_ids, *one.passage.context):
                if " ".join(draft.text.split()) in " ".join(self._evidence[key].quote.split()):
                    return Citation(one.source.tag or "", one.source.source_id, key)
        return None

    def _citation(self, draft: WrittenDraft, one: PacketPassage) -> Citation:
        """The block of a passage that says most of a sentence."""
        wanted = set(stems(f"{draft.text} {draft.deciding}"))
        keys = [key for key in one.passage.evidence_ids if key in self._evidence]
        best = max(keys, key=lambda key: (len(wanted & set(stems(self._evidence[key].quote))), -keys.index(key)))
        return Citation(one.source.tag or "", one.source.source_id, best)

    def _tell(self, message: str, number: int, total: int) -> None:
        self.work.tell(Event("note", "synthesis", message, {"section": number, "sections": total}))
