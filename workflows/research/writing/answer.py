"""The answer and the sections, written by a model; what does not pass the gate is left out, the
passages stand."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Any

from tools.judging.judge import JudgeKind
from tools.models.model import estimate
from tools.models.prompts import fence
from tools.text.phrases import counted
from tools.text.tokens import stems
from workflows.research.answer.model import AnswerPassage, shown_passages
from workflows.research.answer.phase import REPORT
from workflows.research.answer.strength import with_strength
from workflows.research.deps import Deps
from workflows.research.events import Event, EventKind
from workflows.research.kinds import AnswerStatus
from workflows.research.modelled.work import Step, Work
from workflows.research.report.model import ReportSection
from workflows.research.report.sentences import Citation, Sentence, SentenceKind
from workflows.research.state import ResearchState
from workflows.research.writing.gate import WrittenDraft, drafts_of, judged
from workflows.research.writing.material import gather, with_cited
from workflows.research.writing.outline import PlannedSection, planned_sections
from workflows.research.writing.packets import SHARE, PacketPassage, packet_of, packet_text
from workflows.research.writing.steps import (
    ANSWER,
    JUDGE,
    MOST_SENTENCES,
    OUTLINE,
    REVISE,
    SECTION,
    SECTIONS,
)

_BEGINNING = 300  # characters of a passage by which sections are planned
_FEWEST = 3  # passages from which sections are written


@dataclass(frozen=True, slots=True)
class Written:
    """What passed. refused: how many sentences did not. passages: what the answer cites, in its
    order."""

    answer: tuple[Sentence, ...] = ()
    sections: tuple[ReportSection, ...] = ()
    refused: int = 0
    passages: tuple[AnswerPassage, ...] = ()

    def sentences(self) -> tuple[Sentence, ...]:
        """All of them."""
        return (
            *self.answer,
            *(sentence for section in self.sections for sentence in section.sentences),
        )


def write_report(state: ResearchState, deps: Deps) -> tuple[ResearchState, int]:
    """The state with its written answer and sections, and how many sentences were refused; the same
    without a model."""
    answer, work = state.answer, deps.work
    report = state.report
    if (
        answer is None
        or answer.status == AnswerStatus.NOT_FOUND
        or work is None
        or not work.calls_left(ANSWER)
        or report is None
    ):
        return state, 0
    grown, further = gather(state, state.original_query, deps, REPORT)
    packet = packet_for(
        grown,
        [*shown_passages(answer), *state.passages, *further],
        work,
        deps.settings.synthesis_sources,
    )
    if not packet:
        return state, 0
    written = Writer(grown, deps, work, packet).report()
    state = with_cited(state, grown, written.sentences(), written.passages)
    report = replace(
        report, sections=(*written.sections, *_unwritten_sections(report.sections, written))
    )
    answer = replace(
        answer, written=written.answer, passages=cited_first(answer.passages, written.passages)
    )
    return with_strength(
        replace(state, answer=answer, report=report), answer.searched.sources
    ), written.refused


def _unwritten_sections(
    sections: Iterable[ReportSection], written: Written
) -> Iterator[ReportSection]:
    """The sections under other headings that show more than the written answer cites."""
    headings = {section.heading for section in written.sections}
    for section in sections:
        rest = replace(section, passages=without(section.passages, written.passages))
        if section.heading not in headings and (rest.passages or rest.sentences):
            yield rest


def cited_first(
    passages: Sequence[AnswerPassage], cited_passages: Sequence[AnswerPassage]
) -> tuple[AnswerPassage, ...]:
    """The passages that a written answer cites, then those of the others that repeat none of
    them."""
    return (*cited_passages, *without(passages, cited_passages))


def without(
    passages: Sequence[AnswerPassage], cited_passages: Sequence[AnswerPassage]
) -> tuple[AnswerPassage, ...]:
    """The passages of which less than half stands in some others."""
    blocks = {key for entry in cited_passages for key in entry.evidence_ids}
    return tuple(
        passage
        for passage in passages
        if 2 * len(blocks.intersection(passage.evidence_ids)) < len(passage.evidence_ids)
    )


def packet_for(
    state: ResearchState,
    passages: Iterable[AnswerPassage],
    work: Work,
    most_sources: int,
    before: str = "",
) -> tuple[PacketPassage, ...]:
    """The packet that the writing model of a run may see. before: what it is told besides."""
    room = int(SHARE * work.models.window(ANSWER.role)) - estimate(before)
    return packet_of(
        passages, state.sources, room, most_sources, work.models.may_see_documents(ANSWER.role)
    )


@dataclass
class Writer:
    """Writes from one packet. before: the report and the conversation that a follow-up question
    comes after."""

    state: ResearchState
    deps: Deps
    work: Work
    packet: Sequence[PacketPassage]
    question: str = ""
    before: str = ""
    _headings: list[str] = field(default_factory=list)
    _texts: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.question = self.question or self.state.original_query
        self._evidence = {piece.evidence_id: piece for piece in self.state.evidence}
        # Small models repeat what they are told, and the example of it
        steps = (ANSWER, SECTION, REVISE)
        self._instructions = " ".join(
            " ".join(map(self.work.instructions, steps)).casefold().split()
        )

    def report(self) -> Written:
        """The answer and the sections. Each part is judged when it is written, so that the answer
        is judged first."""
        drafts = self._judged(self._answer())
        if not drafts:
            return Written()
        answer = " ".join(draft.text for draft in drafts if not draft.problem)
        planned = self._outline(answer)
        self._headings = [heading for heading, _ in planned]
        for place, (heading, packet) in enumerate(planned, 1):
            if self.work.calls_left(JUDGE) <= 1 and self.deps.judge.kind == JudgeKind.NONE:
                break  # nobody would judge what it says
            self._tell(
                f"Writing section {place} of {len(planned)}: {heading}.", place, len(planned)
            )
            drafts += self._judged(self._section(answer, heading, packet, place))
        return self._assembled(self._revised(drafts))

    def answer(self) -> Written:
        """The answer alone."""
        return self._assembled(self._revised(self._judged(self._answer())))

    def _answer(self) -> list[WrittenDraft]:
        self._tell("Writing the answer.", 0, 0)
        values = {
            "question": fence(self.question, "question"),
            "passages": packet_text(self.packet),
            "before": f"{fence(self.before, 'what was answered before')}\n" if self.before else "",
        }
        return self._drafts(self._ask(ANSWER, values, self.packet), self.packet, 0)

    def _section(
        self, answer: str, heading: str, packet: list[PacketPassage], place: int
    ) -> list[WrittenDraft]:
        values = {
            "question": fence(self.question, "question"),
            "passages": packet_text(packet),
            "answer": fence(answer, "answer"),
            "heading": fence(heading, "heading"),
        }
        return self._drafts(self._ask(SECTION, values, packet, heading[:60]), packet, place)

    def _judged(self, drafts: list[WrittenDraft]) -> list[WrittenDraft]:
        """The drafts of a part, each with its problem or with who let it stand."""
        if drafts:
            self._tell(
                f"Checking {counted(len(drafts), 'sentence')}.",
                drafts[0].place,
                len(self._headings),
            )
        return judged(drafts, self.deps, self._announce)

    def _outline(self, answer: str) -> list[PlannedSection]:
        most = SECTIONS[self.state.config.depth - 1]
        if len(self.packet) < _FEWEST:
            return []
        values = {
            "question": fence(self.question, "question"),
            "passages": packet_text(self.packet, _BEGINNING),
            "answer": fence(answer, "answer"), "most": str(most),
        }  # fmt: skip
        rows = self._ask(OUTLINE, values, self.packet)
        return planned_sections(rows, self.packet, self.question)[:most]

    def _revised(self, drafts: list[WrittenDraft]) -> list[WrittenDraft]:
        """The drafts after those that failed were written once more, all together, with the
        reasons."""
        failed = [i for i, draft in enumerate(drafts) if draft.problem]
        if not failed or not self.work.calls_left(REVISE):
            return drafts
        self._tell(
            f"Revising {len(failed)} of {counted(len(drafts), 'sentence')}.", 0, len(self._headings)
        )
        rewritten = self._rewritten(drafts, failed)
        new = list(chain.from_iterable(rewritten.values()))
        passed = iter(judged(new, self.deps, self._announce))
        better = {i: list(islice(passed, len(group))) for i, group in rewritten.items()}
        return list(chain.from_iterable(better.get(i, [old]) for i, old in enumerate(drafts)))

    def _rewritten(
        self, drafts: Sequence[WrittenDraft], failed: Sequence[int]
    ) -> dict[int, list[WrittenDraft]]:
        """What a model writes in place of the drafts that failed, by their places in the list."""
        refs = {entry.ref for i in failed for entry in drafts[i].citations}
        packet = [entry for entry in self.packet if entry.ref in refs] or list(self.packet)
        values = {
            "passages": packet_text(packet),
            "sentences": "\n".join(
                fence(f"{n}: {drafts[i].text}\nWrong: {drafts[i].problem}", "sentence")
                for n, i in enumerate(failed, 1)
            ),
        }
        rewritten: dict[int, list[WrittenDraft]] = {}
        for row in self._ask(REVISE, values, packet):
            if 1 <= row["number"] <= len(failed):
                i = failed[row["number"] - 1]
                rewritten.setdefault(i, list(drafts_of(row, self.packet, drafts[i].place)))
        return rewritten

    def _drafts(
        self, rows: Sequence[Any], packet: Sequence[PacketPassage], place: int
    ) -> list[WrittenDraft]:
        """The sentences of an answer, each once in a report."""
        drafts = []
        for row in rows[:MOST_SENTENCES]:
            for draft in drafts_of(row, packet, place):
                words = " ".join(draft.text.casefold().split())
                if words not in self._texts and words not in self._instructions:
                    self._texts.add(words)
                    drafts.append(draft)
        return drafts[:MOST_SENTENCES]

    def _ask(
        self, step: Step, values: dict[str, str], packet: Sequence[PacketPassage], about: str = ""
    ) -> list[Any]:
        """The rows of an answer; none where the model may not be asked any more, or gives no
        answer."""
        if not self.work.calls_left(step):
            return []
        is_read_before = bool(self.before) and any(source.is_local for source in self.state.sources)
        private = is_read_before or any(entry.is_local for entry in packet)
        data = self.work.ask(step, values, about=about, private=private) or {}
        return list(data.get("sections" if step is OUTLINE else "sentences", ()))

    def _assembled(self, drafts: Sequence[WrittenDraft]) -> Written:
        by_section: dict[int, list[Sentence]] = {}
        texts: set[str] = set()
        passed = [draft for draft in drafts if not draft.problem]
        for draft in passed:
            words = " ".join(draft.text.casefold().split())
            if words not in texts:
                texts.add(words)
                by_section.setdefault(draft.place, []).append(
                    self._sentence(draft, f"w{len(texts)}")
                )
        sections = tuple(
            ReportSection(heading, tuple(by_section[place]))
            for place, heading in enumerate(self._headings, 1)
            if any(s.kind == SentenceKind.WRITTEN for s in by_section.get(place, ()))
        )
        cited_passages = (
            entry.passage for draft in passed if draft.place == 0 for entry in draft.citations
        )
        return Written(
            tuple(by_section.get(0, ())),
            sections,
            len(drafts) - len(passed),
            _each_once(cited_passages),
        )

    def _sentence(self, draft: WrittenDraft, name: str) -> Sentence:
        claims = tuple(
            dict.fromkeys(
                entry.passage.claim_id for entry in draft.citations if entry.passage.claim_id
            )
        )
        if draft.quoted and (exact := self._quoted_by(draft)) is not None:
            return Sentence(name, SentenceKind.QUOTE, draft.text, (), claims, (exact,))
        step = ANSWER if draft.place == 0 else SECTION
        return Sentence(
            name, SentenceKind.WRITTEN, draft.text, (), claims,
            tuple(self._citation(draft, entry) for entry in draft.citations), "",
            draft.judge or "quotation", self.work.models.name(ANSWER.role), self.work.prompt(step),
        )  # fmt: skip

    def _quoted_by(self, draft: WrittenDraft) -> Citation | None:
        for passage in draft.citations:
            for key in (*passage.passage.evidence_ids, *passage.passage.context):
                if " ".join(draft.text.split()) in " ".join(self._evidence[key].quote.split()):
                    return Citation(passage.source.tag or "", passage.source.source_id, key)
        return None

    def _citation(self, draft: WrittenDraft, passage: PacketPassage) -> Citation:
        """The block of a passage that says most of a sentence."""
        terms = set(stems(f"{draft.text} {draft.deciding}"))
        keys = [key for key in passage.passage.evidence_ids if key in self._evidence]
        best = max(
            keys,
            key=lambda key: (len(terms & set(stems(self._evidence[key].quote))), -keys.index(key)),
        )
        return Citation(passage.source.tag or "", passage.source.source_id, best)

    def _announce(self, draft: WrittenDraft) -> None:
        """Show a sentence that passed, before the report is there."""
        tags = list(dict.fromkeys(entry.source.tag for entry in draft.citations))
        heading = self._headings[draft.place - 1] if draft.place else ""
        data = {"text": draft.text, "tags": tags, "section": draft.place, "heading": heading}
        self.work.emit(Event(EventKind.SENTENCE_PASSED, "synthesis", "", data))

    def _tell(self, message: str, number: int, total: int) -> None:
        self.work.emit(
            Event(EventKind.NOTE, "synthesis", message, {"section": number, "sections": total})
        )


def _each_once(passages: Iterable[AnswerPassage]) -> tuple[AnswerPassage, ...]:
    """The passages without those that stand, by half or more, in one before them."""
    unique: tuple[AnswerPassage, ...] = ()
    for passage in passages:
        unique += without((passage,), unique)
    return unique
