"""What texts say: one card for each, with its most central passages, or with those on the topic
that was asked for."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import islice
from types import MappingProxyType

from tools.documents.model import Block, BlockKind, Passage
from tools.documents.opening_data import opening_data
from tools.documents.sections import kind_of
from tools.text.asking import document_words
from tools.text.tokens import stems, words
from workflows.research.answer.collection import TextCollection, TextInfo
from workflows.research.answer.coverage import Coverage
from workflows.research.answer.draft import CardDraft, Draft
from workflows.research.answer.forms.card_places import folder_text_first, shared_out
from workflows.research.answer.forms.notices import (
    COMPARED,
    blocks_of_notices,
    contents,
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
from workflows.research.answer.selection import Ranked, Selected, in_order, overlaps, shown_text
from workflows.research.answer.sparse import Vector, product, total_of, unit
from workflows.research.answer.windows import units_within, window_around
from workflows.research.understand.parts import Part

MAX_CARDS = 12
_MOST_GROUPS = 10  # fewer than cards: the largest groups have several
_ALONE, _FEW, _MANY = 3, 2, 1  # passages of a card, by the number of cards
_MOST_CHUNKS = 150  # of a text, among which the central ones are looked for
_CHUNK_WORDS = 90
OF_THE_BEST = 0.7  # of the best coverage, that a text must have to get a card of its own
_REPEATS = 0.5  # how much a passage loses that says what a chosen one says
_OPENING = 0.15  # what the beginning of a text gains
_OWN_WORDS = 12  # of a paragraph of an index that tells of its folder
_SENTENCE_WORDS = 6  # that a passage begins with: fewer are a menu, a label, a name
_BEGINNING = 500  # characters, in which the title of a text may stand again


def overview(part: Part, ranked: Sequence[Ranked], collection: TextCollection) -> Draft:
    """Cards of the texts that the question names, by a folder or their titles; else of those that
    speak of its topic; else of all."""
    folder = texts_of_folders(part, collection)
    if folder and folder.is_whole:
        return cards(folder.texts, collection)
    titled = named_texts(part, collection)
    among = folder.among(titled) if folder else titled
    named_infos = [info for info in among if _pieces(info, collection)]
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
        key: _central(collection.info(key), collection)
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
    telling = (info for info in texts if any(_blocks_of_prose(info, collection)))
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
        for block in _blocks_of_prose(info, collection)
    )


def _central_of_groups(
    texts: Sequence[TextInfo], groups: Sequence[TextGroup], collection: TextCollection
) -> dict[str, Sequence[Selected]]:
    """What is central to some texts, without what stands in most texts of a group."""
    if not texts:
        return {}
    notices = (repeated(group.texts[:COMPARED], collection) for group in groups)
    return central_passages(texts, collection, frozenset().union(*notices))


def central_passages(
    texts: Sequence[TextInfo], collection: TextCollection, notices: frozenset[str] = frozenset()
) -> dict[str, Sequence[Selected]]:
    """For each text the passages that say most of what its others say, all different, in the order
    of the text. notices: what stands in texts like these, and tells nothing of one."""
    of_all = repeated(texts, collection)
    return {
        info.snapshot_id: _central(info, collection, notices | of_all)
        or _central(info, collection, of_all)
        or _central(info, collection)
        for info in texts
    }


def _central(
    info: TextInfo, collection: TextCollection, without: frozenset[str] = frozenset()
) -> list[Selected]:
    """The central passages of one text. without: notices that are none of them."""
    chunks = _pieces(info, collection, without)
    starts = {block.start for block in _blocks_of_prose(info, collection, without)}
    bags = [Counter(stems(chunk.text)) for chunk in chunks]
    weights = _inverse_frequencies(bags)
    vectors = [unit({term: n * weights[term] for term, n in bag.items()}) for bag in bags]
    total = total_of(vectors)
    scores = [
        product(vector, total) / max(1, len(vectors)) + (_OPENING if i == 0 else 0.0)
        for i, vector in enumerate(vectors)
    ]
    chosen: list[int] = []
    while len(chosen) < min(_ALONE, len(chunks)):
        rest = [i for i in range(len(chunks)) if i not in chosen]
        best = max(
            rest, key=lambda i: (round(scores[i] - _REPEATS * _nearest(i, chosen, vectors), 6), -i)
        )
        chosen.append(best)
    selected: list[Selected] = []
    for i in sorted(chosen):
        passage = _from_its_beginning(chunks[i], starts, max(0.0, min(1.0, scores[i])), collection)
        if not overlaps(passage, selected):
            selected.append(passage)
    return selected


def _from_its_beginning(
    chunk: Passage, starts: Set[int], score: float, collection: TextCollection
) -> Selected:
    """The passage around the first sentence of a piece of a text. starts: of its blocks that say
    something of its own."""
    text, blocks = collection.text(chunk.snapshot_id), collection.blocks(chunk.snapshot_id)
    units = [
        unit
        for unit in units_within(text, blocks, chunk.start, chunk.end)
        if unit.block.start in starts
    ]
    lead = next(
        (unit for unit in units if len(text[unit.start : unit.end].split()) >= _SENTENCE_WORDS),
        units[0],
    )
    return Selected(chunk.snapshot_id, window_around(text, blocks, lead), lead, score)


def _pieces(
    info: TextInfo, collection: TextCollection, without: frozenset[str] = frozenset()
) -> list[Passage]:
    """The text in pieces of some ninety words, whole blocks; at most as many as can be compared in
    time."""
    text = collection.text(info.snapshot_id)
    pieces: list[Passage] = []
    start = end = None
    for block in _blocks_of_prose(info, collection, without):
        for unit_of_block in units_within(text, [block], block.start, block.end):
            start = unit_of_block.start if start is None else start
            end = unit_of_block.end
            if len(text[start:end].split()) >= _CHUNK_WORDS:
                pieces.append(
                    Passage(info.snapshot_id, start, end, text[start:end], 0.0, heading=info.title)
                )
                start = end = None
        if len(pieces) >= _MOST_CHUNKS:
            return pieces
    if start is not None and end is not None:
        pieces.append(
            Passage(info.snapshot_id, start, end, text[start:end], 0.0, heading=info.title)
        )
    return pieces


def _blocks_of_prose(
    info: TextInfo, collection: TextCollection, without: frozenset[str] = frozenset()
) -> Iterator[Block]:
    """The blocks of a text that say something of its own: no headings, no code, no contents, no
    references, no data about it, not its title again."""
    text, title = collection.text(info.snapshot_id), words(info.title)
    blocks = collection.blocks(info.snapshot_id)
    passed_over = contents(text, blocks) | blocks_of_notices(text, blocks, without)
    passed_over |= frozenset(opening_data(text, blocks))
    for block in blocks:
        if block in passed_over or not _is_prose(block, info):
            continue
        words_of = words(text[block.start : block.end])
        is_title = (
            title
            and words_of[: len(title)] == title
            and len(words_of) < len(title) + _SENTENCE_WORDS
            and block.start < _BEGINNING
        )
        if not is_title:
            yield block


def _is_prose(block: Block, info: TextInfo) -> bool:
    if block.kind in (BlockKind.HEADING, BlockKind.CODE) or block.header:
        return False
    return all(kind_of(h) == "body" for h in block.heading_path if h != info.title)


def _of_prose(
    snapshot_id: str,
    passages: Sequence[Selected],
    collection: TextCollection,
    notices: frozenset[str] = frozenset(),
) -> list[Selected]:
    """Those of some passages of a text whose lead says something of its own, or is code."""
    blocks = _blocks_of_prose(collection.info(snapshot_id), collection, notices)
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


def _inverse_frequencies(bags: Sequence[Mapping[str, int]]) -> dict[str, float]:
    spread = Counter(term for bag in bags for term in bag)
    return {term: math.log(1 + len(bags) / count) for term, count in spread.items()}


def _nearest(index: int, chosen: Sequence[int], vectors: Sequence[Vector]) -> float:
    return max((product(vectors[index], vectors[i]) for i in chosen), default=0.0)
