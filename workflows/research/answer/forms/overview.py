"""What texts say: one card for each, with its most central passages, or with those on the topic
that was asked for."""

from collections.abc import Mapping, Sequence
from itertools import islice
from types import MappingProxyType

from tools.documents.model import BlockKind
from tools.documents.opening_data import opening_data
from tools.text.asking import document_words
from tools.text.tokens import words
from workflows.research.answer.collection import TextCollection, TextInfo
from workflows.research.answer.coverage import Coverage
from workflows.research.answer.draft import CardDraft, Draft
from workflows.research.answer.forms.card_places import folder_text_first, shared_out
from workflows.research.answer.forms.central import (
    MOST,
    blocks_of_prose,
    central,
    central_passages,
    pieces,
)
from workflows.research.answer.forms.notices import (
    COMPARED,
    notices_of_folders,
    repeated,
)
from workflows.research.answer.grouping import TextGroup, distinctive_terms, grouped
from workflows.research.answer.named_folders import texts_of_folders
from workflows.research.answer.named_texts import (
    asks_what_happened,
    dated_texts,
    named_texts,
    names_only,
)
from workflows.research.answer.ranking import Ranked
from workflows.research.answer.selection import Selected, in_order, overlaps, shown_text
from workflows.research.understand.parts import Part

MAX_CARDS = 12
_MOST_GROUPS = 10  # fewer than cards: the largest groups have several
_ALONE, _FEW, _MANY = MOST, 2, 1  # passages of a card, by the number of cards
OF_THE_BEST = 0.7  # of the best coverage, that a text must have to get a card of its own
_OWN_WORDS = 12  # of a paragraph of an index that tells of its folder


def overview(part: Part, ranked: Sequence[Ranked], collection: TextCollection) -> Draft:
    """Cards of the texts that the question names, by a folder or their titles; else of those that
    speak of its topic; else of all."""
    folder = texts_of_folders(part, collection)
    if folder and folder.is_whole:
        return cards(folder.texts, collection)
    titled = named_texts(part, collection)
    among = folder.among(titled) if folder else titled
    named_infos = [info for info in among if pieces(info, collection)]
    if part.topic.terms and ranked and not _names_all(part, named_infos, collection):
        return _cards_on_topic(part, ranked, named_infos, collection)
    return cards(named_infos or collection.texts(), collection)


def _cards_on_topic(
    part: Part,
    ranked: Sequence[Ranked],
    named_infos: Sequence[TextInfo],
    collection: TextCollection,
) -> Draft:
    """Cards of the texts that speak of the topic, then of those that the question names besides."""
    texts = {info.snapshot_id: info for info in collection.texts()}
    by_text = passages_on_topic(part, ranked, collection)
    rest = [info for info in named_infos if info.snapshot_id not in by_text]
    return cards([*(texts[key] for key in by_text), *rest], collection, by_text)


def _names_all(part: Part, titled: Sequence[TextInfo], collection: TextCollection) -> bool:
    """Whether a question names nothing but some texts: by their date, or where it calls them texts
    or by their whole titles. Else they are among those that speak of its topic."""
    coverage, rarity = Coverage(part.question, collection.rarity), collection.rarity
    calls_texts = bool(document_words().intersection(words(part.question)))
    return bool(titled) and (
        asks_what_happened(part.question, collection)
        or names_only(part.question, dated_texts(part.question, collection))
        or all(
            coverage.of(info.names) >= 1.0
            and (calls_texts or Coverage(info.title, rarity).of(part.question) >= 1.0)
            for info in titled
        )
    )


def passages_on_topic(
    part: Part, ranked: Sequence[Ranked], collection: TextCollection
) -> dict[str, list[Selected]]:
    """The best passages of each text whose best speaks of what was asked nearly as much as that of
    any text; the central ones where only the data it opens with speak of it."""
    best = _best_of_each(part, ranked, collection)
    selected = _without_notices(best, collection)
    central = _where_data_speak(best, selected, collection)
    coverage = Coverage(part.question, collection.rarity)
    covered = {
        key: max((coverage.of(shown_text(p, collection)) for p in passages), default=0.0)
        for key, passages in {**selected, **{key: best[key] for key in central}}.items()
    }
    least = OF_THE_BEST * max(covered.values(), default=0.0)
    passages = selected | central
    return {key: of_text for key, of_text in passages.items() if of_text and covered[key] >= least}


def _best_of_each(
    part: Part, ranked: Sequence[Ranked], collection: TextCollection
) -> dict[str, list[Selected]]:
    """The best passages of each text, the text with the best of all first."""
    texts = {info.snapshot_id for info in collection.texts()}
    best: dict[str, list[Selected]] = {}
    for passage in in_order(part, ranked, collection):
        if passage.snapshot_id in texts:
            of_text = best.setdefault(passage.snapshot_id, [])
            if len(of_text) < _ALONE and not overlaps(passage, of_text):
                of_text.append(passage)
    return best


def _where_data_speak(
    best: Mapping[str, Sequence[Selected]],
    selected: Mapping[str, Sequence[Selected]],
    collection: TextCollection,
) -> dict[str, list[Selected]]:
    """The central passages of the texts of which all of the best are data that they open with."""
    return {
        key: central(collection.info(key), collection)
        for key, passages in best.items()
        if not selected[key] and _are_data(passages, collection)
    }


def _without_notices(
    passages: Mapping[str, Sequence[Selected]], collection: TextCollection
) -> dict[str, list[Selected]]:
    """The passages of each text whose lead is prose or code, none a notice of its folder; with
    notices where nothing else speaks of a topic."""
    notices = notices_of_folders(passages, collection)
    speaking = {
        key: _of_prose(key, of_text, collection, notices[key]) for key, of_text in passages.items()
    }
    if any(speaking.values()):
        return speaking
    return {key: _of_prose(key, of_text, collection) for key, of_text in passages.items()}


def cards(
    texts: Sequence[TextInfo],
    collection: TextCollection,
    chosen: Mapping[str, Sequence[Selected]] = MappingProxyType({}),
) -> Draft:
    """A card for each text; of many texts for those that stand for their group, and these name the
    others. chosen: passages of some texts, the best first; the others are shown by what is central
    to them. Then the best of them stand for their groups, and the group of the best is first."""
    groups = _groups_of(texts, collection, bool(chosen))
    counts = shared_out([len(group.texts) for group in groups], MAX_CARDS)
    if not chosen:
        groups = [
            TextGroup(group.name, _telling_first(group.texts, n, collection))
            for group, n in zip(groups, counts, strict=True)
        ]
    infos = [info for group, n in zip(groups, counts, strict=True) for info in group.texts[:n]]
    count = _ALONE if len(infos) == 1 else _FEW if len(infos) <= MAX_CARDS // 2 else _MANY
    rest = [info for info in infos if info.snapshot_id not in chosen]
    passages = {**_central_of_groups(rest, groups, collection), **chosen}
    apart = distinctive_terms(infos, collection)
    return Draft(
        cards=tuple(
            CardDraft(
                info.snapshot_id,
                tuple(passages.get(info.snapshot_id, ())[:count]),
                apart[info.snapshot_id],
                group.name,
                group.texts[n:] if place == n - 1 else (),
            )
            for group, n in zip(groups, counts, strict=True)
            for place, info in enumerate(group.texts[:n])
        )
    )


def _telling_first(
    texts: Sequence[TextInfo], count: int, collection: TextCollection
) -> tuple[TextInfo, ...]:
    """Some texts, the first `count` that say something before the others: a style sheet says
    nothing."""
    telling = (info for info in texts if any(blocks_of_prose(info, collection)))
    first = list(islice(telling, count))
    return (*first, *(info for info in texts if info not in first))


def _groups_of(
    texts: Sequence[TextInfo], collection: TextCollection, best_first: bool
) -> list[TextGroup]:
    """Texts in groups, each by itself where they are few. best_first: whether the texts, and so the
    groups, stay in their order; else what is most like the others stands for a group."""
    if len(texts) <= MAX_CARDS:
        return [TextGroup("", (info,)) for info in texts]
    groups = grouped(texts, collection, _MOST_GROUPS)
    if best_first:
        return _in_order(groups, texts)
    return [
        folder_text_first(group, lambda info: _says_something(info, collection)) for group in groups
    ]


def _in_order(groups: Sequence[TextGroup], texts: Sequence[TextInfo]) -> list[TextGroup]:
    """Groups, and the texts of each, in the order of some texts."""
    places = {info.snapshot_id: place for place, info in enumerate(texts)}

    def place(info: TextInfo) -> int:
        return places[info.snapshot_id]

    ordered = [TextGroup(g.name, tuple(sorted(g.texts, key=place))) for g in groups]
    return sorted(ordered, key=lambda group: place(group.texts[0]))


def _says_something(info: TextInfo, collection: TextCollection) -> bool:
    """Whether a text has a paragraph of its own, not only a list of what lies beside it."""
    text = collection.text(info.snapshot_id)
    return any(
        block.kind == BlockKind.PARAGRAPH
        and len(text[block.start : block.end].split()) >= _OWN_WORDS
        for block in blocks_of_prose(info, collection)
    )


def _central_of_groups(
    texts: Sequence[TextInfo], groups: Sequence[TextGroup], collection: TextCollection
) -> dict[str, Sequence[Selected]]:
    """What is central to some texts, without what stands in most texts of a group."""
    if not texts:
        return {}
    notices = (repeated(group.texts[:COMPARED], collection) for group in groups)
    return central_passages(texts, collection, frozenset().union(*notices))


def _of_prose(
    snapshot_id: str,
    passages: Sequence[Selected],
    collection: TextCollection,
    notices: frozenset[str] = frozenset(),
) -> list[Selected]:
    """Those of some passages of a text whose lead says something of its own, or is code."""
    blocks = blocks_of_prose(collection.info(snapshot_id), collection, notices)
    starts = {block.start for block in blocks}
    leads = [(passage, passage.lead.block) for passage in passages]
    return [p for p, lead in leads if lead.kind == BlockKind.CODE or lead.start in starts]


def _are_data(passages: Sequence[Selected], collection: TextCollection) -> bool:
    """Whether some passages of one text were all chosen for the data that it opens with."""
    return bool(passages) and all(
        passage.lead.block
        in opening_data(
            collection.text(passage.snapshot_id), collection.blocks(passage.snapshot_id)
        )
        for passage in passages
    )
