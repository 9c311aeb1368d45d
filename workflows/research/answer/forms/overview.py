"""What texts say: one card for each, with its most central passages, or with those on the topic that was asked for."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from tools.corpus.model import BlockKind, Passage
from tools.text.tokens import STOP, stem, words
from workflows.research.answer.collection import TextCollection, TextInfo
from workflows.research.answer.coverage import Coverage
from workflows.research.answer.draft import CardDraft, Draft
from workflows.research.answer.named_texts import named_texts
from workflows.research.answer.selection import Ranked, Selected, make_passage, select, shown
from workflows.research.answer.windows import units_within
from workflows.research.understand.parts import Part

MAX_CARDS = 12
_ALONE, _FEW, _MANY = 3, 2, 1  # passages of a card, by the number of cards
_SETS_APART = 5  # terms of a card
_MOST_CHUNKS = 150  # of a text, among which the central ones are looked for
_CHUNK_WORDS = 90
_OF_THE_BEST = 0.7  # of the best coverage, that a text must have to get a card of its own
_REPEATS = 0.5  # how much a passage loses that says what a chosen one says
_OPENING = 0.15  # what the beginning of a text gains


def overview(part: Part, ranked: Sequence[Ranked], collection: TextCollection) -> Draft:
    """Cards of the texts that the question names; else of those that speak of its topic; else of all."""
    texts = {info.snapshot_id: info for info in collection.texts()}
    named = named_texts(part, collection)
    if named:
        return _cards(part, [(info, central_passages(part, info, collection)) for info in named], collection)
    if part.topic.terms and ranked:
        by_text: dict[str, list[Ranked]] = {}
        for chunk in ranked:
            by_text.setdefault(chunk.passage.snapshot_id, []).append(chunk)
        found = [
            (texts[key], select(part, chunks, collection, _ALONE)) for key, chunks in by_text.items() if key in texts
        ]
        return _cards(part, _on_topic(part, found, collection), collection)
    return _cards(part, [(info, central_passages(part, info, collection)) for info in texts.values()], collection)


def _on_topic(
    part: Part, found: Sequence[tuple[TextInfo, Sequence[Selected]]], collection: TextCollection
) -> list[tuple[TextInfo, Sequence[Selected]]]:
    """The texts whose best passage speaks of what was asked nearly as much as that of any text."""
    coverage = Coverage(part.question, collection.rarity)
    covered = [max((coverage.of(shown(one, collection)) for one in passages), default=0.0) for _, passages in found]
    least = _OF_THE_BEST * max(covered, default=0.0)
    return [one for one, share in zip(found, covered, strict=True) if share >= least]


def _cards(part: Part, found: Sequence[tuple[TextInfo, Sequence[Selected]]], collection: TextCollection) -> Draft:
    shown = [(info, passages) for info, passages in found if passages]
    count = _ALONE if len(shown) == 1 else _FEW if len(shown) <= MAX_CARDS // 2 else _MANY
    apart = distinctive_terms([info for info, _ in shown[:MAX_CARDS]], collection)
    cards = [
        CardDraft(info.snapshot_id, tuple(passages[:count]), apart.get(info.snapshot_id, ()))
        for info, passages in shown
    ]
    return Draft(cards=tuple(cards))


def central_passages(part: Part, info: TextInfo, collection: TextCollection, count: int = _ALONE) -> list[Selected]:
    """The passages of a text that say most of what the others say, all different, in the order of the text."""
    chunks = _pieces(info, collection)
    bags = [Counter(_stems(chunk.text)) for chunk in chunks]
    weights = _inverse_frequencies(bags)
    vectors = [_unit({term: n * weights[term] for term, n in bag.items()}) for bag in bags]
    total = _sum(vectors)
    scores = [
        sum(vector[term] * total[term] for term in vector) / max(1, len(vectors)) + (_OPENING if i == 0 else 0.0)
        for i, vector in enumerate(vectors)
    ]
    chosen: list[int] = []
    while len(chosen) < min(count, len(chunks)):
        rest = [i for i in range(len(chunks)) if i not in chosen]
        best = max(rest, key=lambda i: (round(scores[i] - _REPEATS * _nearest(i, chosen, vectors), 6), -i))
        chosen.append(best)
    made = [make_passage(part, Ranked(chunks[i], max(0.0, min(1.0, scores[i]))), collection) for i in sorted(chosen)]
    return [selected for selected in made if selected]


def distinctive_terms(texts: Sequence[TextInfo], collection: TextCollection) -> dict[str, tuple[str, ...]]:
    """For each text the words that it has often and the others do not."""
    counts = {info.snapshot_id: Counter(_plain(collection.text(info.snapshot_id))) for info in texts}
    spread = Counter(word for count in counts.values() for word in count)
    found = {}
    for key, count in counts.items():
        scored = {w: n * math.log((1 + len(counts)) / spread[w]) for w, n in count.items() if n > 1}
        best = sorted(scored, key=lambda w: (-round(scored[w], 6), w))
        found[key] = tuple(best[:_SETS_APART])
    return found


def _pieces(info: TextInfo, collection: TextCollection) -> list[Passage]:
    """The text in pieces of some ninety words, whole blocks; at most as many as can be compared in time."""
    text = collection.text(info.snapshot_id)
    pieces: list[Passage] = []
    start = end = None
    for block in collection.blocks(info.snapshot_id):
        if block.kind in (BlockKind.HEADING, BlockKind.CODE):
            continue
        for unit in units_within(text, [block], block.start, block.end):
            start = unit.start if start is None else start
            end = unit.end
            if len(text[start:end].split()) >= _CHUNK_WORDS:
                pieces.append(Passage(info.snapshot_id, start, end, text[start:end], 0.0, heading=info.title))
                start = end = None
        if len(pieces) >= _MOST_CHUNKS:
            return pieces
    if start is not None and end is not None:
        pieces.append(Passage(info.snapshot_id, start, end, text[start:end], 0.0, heading=info.title))
    return pieces


def _plain(text: str) -> list[str]:
    return [word for word in words(text[:100_000]) if word not in STOP and word.isalpha() and len(word) > 3]


def _stems(text: str) -> list[str]:
    return [stem(word) for word in words(text) if word not in STOP]


def _inverse_frequencies(bags: Sequence[Mapping[str, int]]) -> dict[str, float]:
    spread = Counter(term for bag in bags for term in bag)
    return {term: math.log(1 + len(bags) / count) for term, count in spread.items()}


def _unit(vector: Mapping[str, float]) -> dict[str, float]:
    length = math.sqrt(sum(value * value for value in vector.values())) or 1.0
    return {term: value / length for term, value in vector.items()}


def _sum(vectors: Sequence[Mapping[str, float]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for vector in vectors:
        total.update(vector)
    return total


def _nearest(index: int, chosen: Sequence[int], vectors: Sequence[Mapping[str, float]]) -> float:
    mine = vectors[index]
    return max((sum(v * vectors[i].get(term, 0.0) for term, v in mine.items()) for i in chosen), default=0.0)
