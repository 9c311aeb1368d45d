"""From drafts to the record: evidence, sources with their tags, and passages whose every word
resolves."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from tools.documents.model import SENTENCE_KINDS, BlockKind, Snapshot
from tools.errors import NotFound
from tools.sources.source import Source
from workflows.research.answer.collection import TextCollection
from workflows.research.answer.draft import BlockPlace, CardDraft
from workflows.research.answer.model import (
    AnswerCard,
    AnswerItem,
    AnswerPassage,
    Lead,
    OtherDocument,
    ShortAnswer,
)
from workflows.research.answer.selection import SURE, Selected, overlaps
from workflows.research.answer.windows import (
    LEAD_WORDS,
    LONGEST_MARK,
    Span,
    Window,
    begins_late,
    grown_lead,
    is_cut,
    lead_text,
)
from workflows.research.model import Evidence, last_number
from workflows.research.report.sentences import Citation
from workflows.research.state import ResearchState


class TextGone(NotFound):
    """A text of the collection belongs to no document any more."""


@dataclass(frozen=True, slots=True)
class EvidenceNames:
    """How new evidence is numbered: E1, E2 ... of a report, F1, F2 ... of follow-up answers."""

    letter: str = "E"
    question_id: str = ""

    def last(self, evidence: Sequence[Evidence]) -> int:
        """The number of the last evidence of this kind, 0 without any."""
        return last_number(e.evidence_id for e in evidence if e.evidence_id[:1] == self.letter)


@dataclass
class Composer:
    """Makes the parts of one answer.

    source_of: the source and the snapshot of a text that the run has not read yet. letter: before
    the number of a tag.
    """

    state: ResearchState
    collection: TextCollection
    source_of: Callable[[str], tuple[Source, Snapshot] | None]
    letter: Callable[[Source], str] = lambda source: "S"
    naming: EvidenceNames = EvidenceNames()
    _snapshots: dict[str, Snapshot] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # Evidence of the other kind is never used again: a revision makes that of the report anew
        same = (e for e in self.state.evidence if e.evidence_id[:1] == self.naming.letter)
        self._evidence = {(e.snapshot_id, e.start, e.end): e for e in same}
        # By snapshot
        self._sources = {
            s.snapshot_id: s for s in self.state.sources if s.snapshot_id and not s.rejected
        }
        self._number = self.naming.last(self.state.evidence)

    def finished(self) -> ResearchState:
        """The state with the evidence, the sources and the snapshots that were made."""
        return with_evidence(
            self.state, self._evidence.values(), self._sources.values(), self._snapshots.values()
        )

    def passage(self, selected: Selected, part: int = 0) -> AnswerPassage:
        """A selected passage with its lead."""
        window, snapshot_id = selected.window, selected.snapshot_id
        text, source = self.collection.text(snapshot_id), self._source(snapshot_id)
        evidence = [
            self._cite(
                snapshot_id, max(b.start, window.start), min(b.end, window.end), b.kind, b.level
            )
            for b in window.blocks
        ]
        context = [self._cite(snapshot_id, start, end, "context") for start, end in window.context]
        before = "".join(f"{text[start:end]}\n" for start, end in window.context)
        start = _marker_start(text, window)
        shown = before + text[start : window.end]
        mark = _mark(selected, len(before) - start)
        return AnswerPassage(
            lead=self._lead(selected, text),
            kind=window.kind.value,
            evidence_ids=tuple(e.evidence_id for e in evidence),
            text=shown,
            context=tuple(e.evidence_id for e in context),
            marks=(mark,) if len(before) <= mark[0] < mark[1] <= len(shown) else (),
            heading_path=window.heading_path,
            source_id=source.source_id,
            tag=source.tag or "",
            date=source.published,
            score=round(selected.score, 6),
            part=part,
            also=tuple(self._source(other).source_id for other in selected.same),
            begins_late=begins_late(text, self.collection.blocks(snapshot_id), window),
            is_doubtful=selected.is_doubtful,
            is_cut=is_cut(text, self.collection.blocks(snapshot_id), window),
        )

    def short(self, selected: Selected) -> ShortAnswer | None:
        """The words of a passage that answer."""
        if selected.span is None:
            return None
        start, end = selected.span
        evidence = self._cite(selected.snapshot_id, start, end, selected.window.kind.value)
        return ShortAnswer(
            evidence.quote, (self._citation(evidence),), "reader", round(selected.span_score, 6)
        )

    def item(self, place: BlockPlace) -> AnswerItem:
        """An item or step as it stands."""
        source = self._source(place.snapshot_id)
        evidence = self._cite(
            place.snapshot_id,
            place.block.start,
            place.block.end,
            place.block.kind.value,
            place.block.level,
        )
        return AnswerItem(
            evidence.quote,
            place.block.kind.value,
            (evidence.evidence_id,),
            source.source_id,
            source.tag or "",
        )

    def card(self, draft: CardDraft, part: int = 0) -> AnswerCard:
        """What one document says."""
        source = self._source(draft.snapshot_id)
        passages = tuple(self.passage(selected, part) for selected in draft.passages)
        return AnswerCard(
            source.source_id, source.tag or "", source.title, source.published, source.source_type,
            passages,
            draft.terms, draft.group,
            tuple(OtherDocument(o.title, o.date, o.name) for o in draft.others),
            source.authors,
        )  # fmt: skip

    def _lead(self, selected: Selected, text: str) -> Lead:
        unit = selected.lead
        start, end = lead_text(text, unit)
        sentence = ""
        if unit.block.kind in SENTENCE_KINDS and end == unit.end:
            end = grown_lead(
                text, self.collection.blocks(selected.snapshot_id), unit, selected.window.end
            )
            sentence = " ".join(text[unit.start : unit.end].split()) if end > unit.end else ""
        pieces: list[Span] = [(start, end)]
        for span in reversed(unit.block.context):
            length = sum(len(text[a:b].split()) for a, b in (span, *pieces))
            if length <= LEAD_WORDS:
                pieces.insert(0, span)
        cited = [self._cite(selected.snapshot_id, a, b, unit.block.kind.value) for a, b in pieces]
        answering = [self._citation(cited[-1]), *(self._citation(e) for e in cited[:-1])]
        return Lead(
            " ".join(" ".join(text[a:b].split()) for a, b in pieces), tuple(answering), sentence
        )

    def _cite(self, snapshot_id: str, start: int, end: int, kind: str, level: int = 0) -> Evidence:
        key = (snapshot_id, start, end)
        if key not in self._evidence:
            self._number += 1
            quote = self.collection.text(snapshot_id)[start:end]
            source = self._source(snapshot_id)
            self._evidence[key] = Evidence(
                f"{self.naming.letter}{self._number}",
                source.source_id,
                snapshot_id,
                start,
                end,
                quote,
                self.naming.question_id,
                0.0,
                str(kind),
                level,
            )
        return self._evidence[key]

    def _citation(self, evidence: Evidence) -> Citation:
        source = self._source(evidence.snapshot_id)
        return Citation(source.tag or "", source.source_id, evidence.evidence_id)

    def _source(self, snapshot_id: str) -> Source:
        if snapshot_id not in self._sources:
            described = self.source_of(snapshot_id)
            if described is None:
                raise TextGone("A document was removed while it was searched. Ask again.")
            self._sources[snapshot_id], self._snapshots[snapshot_id] = described
        source = self._sources[snapshot_id]
        if not source.tag:
            source = self._sources[snapshot_id] = replace(source, tag=self._next_tag(source))
        return source

    def _next_tag(self, source: Source) -> str:
        letter = self.letter(source)
        sources = (*self.state.sources, *self._sources.values())
        last = last_number(s.tag for s in sources if s.tag and s.tag[0] == letter)
        return f"{letter}{last + 1}"


def with_evidence(
    state: ResearchState,
    evidence: Iterable[Evidence],
    sources: Iterable[Source],
    snapshots: Iterable[Snapshot],
) -> ResearchState:
    """The state with further evidence, its sources and their texts; a source with its tag replaces
    the same without."""
    by_id = {piece.evidence_id: piece for piece in (*state.evidence, *evidence)}
    sources_by_id = {source.source_id: source for source in (*state.sources, *sources)}
    recorded = {snapshot.snapshot_id for snapshot in state.snapshots}
    added = [snapshot for snapshot in snapshots if snapshot.snapshot_id not in recorded]
    return replace(
        state,
        evidence=tuple(by_id.values()),
        sources=tuple(sources_by_id.values()),
        snapshots=(*state.snapshots, *added),
    )


def origins(
    state: ResearchState, evidence: Sequence[Evidence]
) -> tuple[list[Source], list[Snapshot]]:
    """The sources and the texts of a state that some evidence comes from."""
    source_ids, snapshot_ids = (
        {piece.source_id for piece in evidence},
        {piece.snapshot_id for piece in evidence},
    )
    sources = [source for source in state.sources if source.source_id in source_ids]
    return sources, [
        snapshot for snapshot in state.snapshots if snapshot.snapshot_id in snapshot_ids
    ]


def _marker_start(text: str, window: Window) -> int:
    """Where the bullet or number of a list item that begins a window stands; of any other its
    start."""
    line_start = text.rfind("\n", 0, window.start) + 1
    marker = text[line_start : window.start].strip()
    is_marker = 0 < len(marker) <= LONGEST_MARK and not any(map(str.isalpha, marker))
    if window.blocks[0].kind != BlockKind.LIST_ITEM or not is_marker:
        return window.start
    return text.index(marker, line_start)


def _mark(selected: Selected, shift: int) -> Span:
    """Where the words that surely answer stand, or else the lead. shift: from the text to what is
    shown of it."""
    start, end = selected.lead.start, selected.lead.end
    if selected.span and selected.span_score >= SURE:
        start, end = selected.span
    return start + shift, end + shift


def interleaved(groups: Sequence[Sequence[Selected]]) -> list[tuple[int, Selected]]:
    """(part, passage): the first of every part, then the second of every part, each text once."""
    longest = max((len(group) for group in groups), default=0)
    passages: list[tuple[int, Selected]] = []
    for i in range(longest):
        for part, group in enumerate(groups):
            others = [passage for number, passage in passages if number != part]
            if i < len(group) and not overlaps(group[i], others):
                passages.append((part, group[i]))
    return passages
