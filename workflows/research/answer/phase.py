"""Answer the question: for each of its parts the passages that answer, or that none does."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from tools.reading.change_logs import tells_of_release
from tools.sources.source import SourceKind
from tools.text.phrases import counted
from workflows.research.answer.absence import Presence, in_another_language, presence
from workflows.research.answer.collection import TextCollection, TextInfo
from workflows.research.answer.compose import Composer, EvidenceNames, TextGone, interleaved
from workflows.research.answer.draft import Draft
from workflows.research.answer.forms import FORMS
from workflows.research.answer.model import Answer, AnswerPart, AnswerPassage, Searched, ShortAnswer
from workflows.research.answer.named_folders import texts_of_folders
from workflows.research.answer.named_texts import (
    as_overview,
    asks_only_changes,
    dated_texts,
    is_called,
    names_only,
    versions_asked,
    without_dates,
)
from workflows.research.answer.ranking import Ranked, in_ranked_order, rank_chunks
from workflows.research.answer.selection import select, sure_enough
from workflows.research.answer.wording import Wording, word_for, word_in_english
from workflows.research.deps import Deps
from workflows.research.kinds import AnswerStatus
from workflows.research.state import ResearchState
from workflows.research.understand.intent import Intent
from workflows.research.understand.parts import Part, parts_of

REPORT = EvidenceNames()
_CLOSEST = 3


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """A part of the question with what was found for it. question: as it was asked, where the part
    has other words. searched_as: the question put right or into English, else ""."""

    part: Part
    presence: Presence
    draft: Draft
    ranked: Sequence[Ranked]
    question: str = ""
    searched_as: str = ""


def answer_question(state: ResearchState, deps: Deps) -> ResearchState:
    """The state with its answer, the evidence behind it, and further passages for the sections of
    the report."""
    state, answer, further = answer_to(state.original_query, state, deps)
    words: dict[str, str] = {
        AnswerStatus.ANSWERED: "answered",
        AnswerStatus.PARTIAL: "answered in part",
        AnswerStatus.NOT_FOUND: "not answered by these texts",
    }
    texts = counted(answer.searched.sources, "text")
    deps.note("cross_reference", f"The question is {words[answer.status]} ({texts} searched).")
    return replace(state, answer=answer, passages=tuple(further))


def answer_to(
    question: str, state: ResearchState, deps: Deps, naming: EvidenceNames = REPORT
) -> tuple[ResearchState, Answer, list[AnswerPassage]]:
    """The state with the evidence of an answer, the answer, and further passages, which only a
    report shows.

    Where a document is removed meanwhile, the question is put to what is left, once.
    """
    try:
        return _answer_from(deps.collection(state), question, state, deps, naming)
    except TextGone:
        return _answer_from(deps.collection(state), question, state, deps, naming)


def _answer_from(
    collection: TextCollection,
    question: str,
    state: ResearchState,
    deps: Deps,
    naming: EvidenceNames,
) -> tuple[ResearchState, Answer, list[AnswerPassage]]:
    answers = [answer_part(part, collection) for part in parts_of(question)]
    composer = Composer(state, collection, deps.source_of, deps.tag_letter, naming)
    answer = compose_answer(answers, composer, collection)
    drafts = enumerate(answers) if naming is REPORT else ()
    further = [composer.passage(passage, part) for part, f in drafts for passage in f.draft.further]
    return composer.finished(), answer, further


def answer_part(part: Part, collection: TextCollection) -> PartAnswer:
    """One part of the question put to the texts."""
    answer = rank_part(as_overview(part, collection), collection)
    form = FORMS.get(answer.part.intent)
    if form and answer.presence.may_answer:
        answer = replace(answer, draft=form(answer.part, answer.ranked, collection))
    return answer


def rank_part(part: Part, collection: TextCollection) -> PartAnswer:
    """One part of the question with the ranked chunks for it, not yet in the form of an answer.

    An overview of everything needs none, nor does one of a folder.
    """
    folder = texts_of_folders(part, collection)
    is_whole = folder.is_whole if folder else not part.topic.terms
    if is_whole and part.intent in (Intent.OVERVIEW, Intent.DISAGREEMENT):
        return PartAnswer(part, Presence(True), Draft(), ())
    wording = word_in_english(part, collection) or word_for(part, collection)
    texts = dated_texts(part.question, collection) or (folder.texts if folder else ())
    ranked, there = _ranked_among(texts, wording, collection)
    if not texts and (versions := versions_asked(part.question)):
        ranked, there = _ranked_of_version(versions, wording, (ranked, there), collection)
    asked = part.question if part.question != wording.part.question else ""
    return PartAnswer(wording.part, there, Draft(), ranked, asked, wording.corrected)


def _ranked_among(
    texts: Sequence[TextInfo], wording: Wording, collection: TextCollection
) -> tuple[Sequence[Ranked], Presence]:
    """The ranked chunks of some texts where these answer, else those of all."""
    among = {info.snapshot_id for info in texts}
    of_texts = rank_chunks(wording.part, collection, among, wording.related) if among else ()
    if _answered_by(texts, wording, of_texts, collection):
        return of_texts, Presence(True)
    of_all = rank_chunks(wording.part, collection, related=wording.related)
    return of_all, presence(wording, of_all, collection)


def _answered_by(
    texts: Sequence[TextInfo],
    wording: Wording,
    ranked: Sequence[Ranked],
    collection: TextCollection,
) -> bool:
    """Whether texts that a question names may answer it. Texts of a date have to answer as likely
    as not what it asks besides: "Who hosts the fair in May 2026?" need not mean those of May."""
    part = wording.part
    if not presence(wording, ranked, collection).may_answer:
        return False
    besides = replace(part, question=without_dates(part.question))
    if (
        besides == part
        or part.intent in (Intent.OVERVIEW, Intent.DISAGREEMENT)
        or names_only(part.question, texts)
        or in_another_language(part.question, ranked)
    ):
        return True
    there = presence(replace(wording, part=besides), ranked, collection)
    return there.may_answer and not there.is_doubtful


def _ranked_of_version(
    versions: Sequence[str],
    wording: Wording,
    of_all: tuple[Sequence[Ranked], Presence],
    collection: TextCollection,
) -> tuple[Sequence[Ranked], Presence]:
    """The ranked chunks of the texts and sections called by a version, where a question asks
    nothing but what changed in it; else these among all."""
    of_version = _called_by(versions, wording, of_all[0], collection)
    if not of_version:
        return of_all
    if asks_only_changes(wording.part.question) and set(versions).issuperset(wording.missing):
        return of_version, Presence(True)
    ranked = in_ranked_order([*of_version, *of_all[0]])
    return ranked, presence(wording, ranked, collection)


def _called_by(
    versions: Sequence[str],
    wording: Wording,
    ranked: Sequence[Ranked],
    collection: TextCollection,
) -> Sequence[Ranked]:
    """The ranked chunks of texts and sections called by a version, else those of the text of a
    version that it is a part of: 4.4 of 4.4.2."""

    def of_texts(numbers: Sequence[str]) -> Sequence[Ranked]:
        infos = [info for info in collection.texts() if is_called(info.names, numbers)]
        among = {info.snapshot_id for info in infos}
        return rank_chunks(wording.part, collection, among, wording.related) if among else ()

    def of_sections(chunks: Sequence[Ranked]) -> list[Ranked]:
        return [c for c in chunks if is_called(_release_of(c, collection), versions)]

    if chunks := in_ranked_order([*of_texts(versions), *of_sections(ranked)]):
        return chunks
    wholes = [number.rpartition(".")[0] for number in versions if number.count(".") > 1]
    of_wholes = of_texts(wholes)
    return of_sections(of_wholes) or of_wholes


def _release_of(chunk: Ranked, collection: TextCollection) -> str:
    """The headings above a chunk that tell of a release."""
    passage = chunk.passage
    blocks = collection.blocks(passage.snapshot_id)
    path = next((b.heading_path for b in blocks if b.end > passage.start), ())
    return " ".join(heading for heading in path if tells_of_release([heading]))


def compose_answer(
    answers: Sequence[PartAnswer], composer: Composer, collection: TextCollection
) -> Answer:
    """The answer of all parts."""
    status = _status(answers)
    drafts = [answer.draft for answer in answers]
    passages = [
        composer.passage(passage, part)
        for part, passage in interleaved([draft.passages for draft in drafts])
    ]
    all_cards = [
        composer.card(card, part) for part, draft in enumerate(drafts) for card in draft.cards
    ]
    closest = _closest(answers, composer, collection) if status == AnswerStatus.NOT_FOUND else []
    return Answer(
        status=status,
        intent=answers[0].part.intent,
        parts=tuple(map(_part, answers)),
        short=_short(answers, composer),
        passages=tuple(passages),
        steps=tuple(map(composer.item, chain.from_iterable(draft.steps for draft in drafts))),
        items=tuple(map(composer.item, chain.from_iterable(draft.items for draft in drafts))),
        cards=tuple(all_cards),
        absent_terms=tuple(
            dict.fromkeys(chain.from_iterable(answer.presence.absent for answer in answers))
        ),
        closest=tuple(closest),
        searched=_searched(answers, collection.texts()),
    )


def _status(answers: Sequence[PartAnswer]) -> str:
    answered = [_has_content(answer.draft) for answer in answers]
    if not any(answered):
        return AnswerStatus.NOT_FOUND
    return AnswerStatus.ANSWERED if all(answered) else AnswerStatus.PARTIAL


def _closest(
    answers: Sequence[PartAnswer], composer: Composer, collection: TextCollection
) -> list[AnswerPassage]:
    """The passages nearest to a question that none answers."""
    nearest = [
        passage for f in answers for passage in select(f.part, f.ranked, collection, _CLOSEST)
    ]
    return [composer.passage(passage) for passage in nearest[:_CLOSEST]]


def _part(answer: PartAnswer) -> AnswerPart:
    status = AnswerStatus.ANSWERED if _has_content(answer.draft) else AnswerStatus.NOT_FOUND
    return AnswerPart(
        answer.question or answer.part.question,
        status,
        answer.part.intent,
        answer.searched_as,
        is_doubtful=answer.presence.is_doubtful,
    )


def _searched(answers: Sequence[PartAnswer], texts: Sequence[TextInfo]) -> Searched:
    return Searched(
        len({text.source_id for text in texts}),  # a bibliography is one, with all its abstracts
        sum(len(f.ranked) for f in answers),
        all(text.kind == SourceKind.LOCAL for text in texts),
    )


def _short(answers: Sequence[PartAnswer], composer: Composer) -> ShortAnswer | None:
    only = answers[0] if len(answers) == 1 else None
    first = only.draft.passages[0] if only and only.draft.passages else None
    return composer.short(first) if only and first and sure_enough(only.part, first) else None


def _has_content(draft: Draft) -> bool:
    return bool(draft.passages or draft.cards or draft.items)
