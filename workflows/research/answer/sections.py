"""Sections: the passages beyond the answer, grouped by what they are about, headed by words of the
sources."""

from collections.abc import Mapping, Sequence

from workflows.research.answer.model import Answer, AnswerPassage
from workflows.research.report.model import ReportSection
from workflows.research.state import ResearchState

PASSAGES = 3  # of a section
SECTIONS = (5, 5, 8)  # by depth
WORDS = (400, 700, 1500)  # of the whole body, by depth
# Of the score of the best passage; and where a model read them, it is likelier than not that they
# answer. Of 346 passages shown for 46 questions about eight folders, each read and labelled, 62% of
# those in the answer bear on the question and 33% of the others: 69 of 212. With both 30 of 45 do,
# without a model 53 of 125. One question was answered by others alone.
WORTH_SHOWING = 0.9
_MORE = "More passages"


def sections_of(state: ResearchState) -> tuple[ReportSection, ...]:
    """The sections of a report without a model: passages of one text together, single ones at the
    end."""
    answer = state.answer
    if answer is None or not state.passages:
        return ()
    depth = state.config.depth - 1
    room = WORDS[depth] - body_words(answer)
    best = max((p.score for p in answer.passages), default=0.0)
    worth = [
        passage
        for passage in state.passages
        if passage.score >= WORTH_SHOWING * best and not passage.is_doubtful
    ]
    groups = _by_source(worth, room)
    titles = {source.source_id: source.title for source in state.sources}
    return tuple(_sections(groups, titles)[: SECTIONS[depth]])


def _sections(
    groups: Mapping[str, Sequence[AnswerPassage]], titles: Mapping[str, str]
) -> list[ReportSection]:
    together = [(titles.get(key, ""), group) for key, group in groups.items() if len(group) > 1]
    single = [group[0] for group in groups.values() if len(group) == 1]
    sections = [ReportSection(heading, passages=tuple(group)) for heading, group in together]
    return (
        [*sections, ReportSection(_MORE, passages=tuple(single[:PASSAGES]))] if single else sections
    )


def _by_source(passages: Sequence[AnswerPassage], room: int) -> dict[str, list[AnswerPassage]]:
    """The best passages of each source, as many as fit into so many words."""
    groups: dict[str, list[AnswerPassage]] = {}
    for passage in sorted(passages, key=lambda p: (-p.score, p.evidence_ids)):
        words = len(passage.text.split())
        if words > room:
            continue
        group = groups.setdefault(passage.source_id, [])
        if len(group) < PASSAGES:
            group.append(passage)
            room -= words
    return groups


def body_words(answer: Answer) -> int:
    """Words of the body of an answer: written, short, leads, passages, steps that stand alone,
    items, cards."""
    texts: Sequence[str] = [
        *(sentence.text for sentence in answer.written),
        *([answer.short.text] if answer.short else []),
        *(passage.text for passage in answer.passages),
        *(item.text for item in answer.items),
        *(passage.text for card in answer.cards for passage in card.passages),
    ]
    return sum(len(text.split()) for text in texts)
