"""Where texts differ: the overview of a topic, beginning with the passages whose figures differ
from another text's."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from workflows.research.answer.collection import TextCollection
from workflows.research.answer.coverage import Coverage
from workflows.research.answer.draft import Draft
from workflows.research.answer.forms.overview import (
    OF_THE_BEST,
    cards,
    passages_on_topic,
)
from workflows.research.answer.ranking import Ranked
from workflows.research.answer.selection import Selected, overlaps, shown_text
from workflows.research.answer.windows import window_around
from workflows.research.understand.parts import Part
from workflows.research.verify.differing_sentences import Place, differing_sentences


def disagreement(part: Part, ranked: Sequence[Ranked], collection: TextCollection) -> Draft:
    """Cards of the texts on the topic, those whose figures differ first, with the sentences that
    do, where these speak of the topic nearly as much as the best passage does.

    Without a topic cards of those that differ alone, or of all texts where none does.
    """
    texts = {info.snapshot_id: info for info in collection.texts()}
    on_topic = ranked if part.topic.terms else ()
    by_text = passages_on_topic(part, on_topic, collection)
    coverage = Coverage(part.question, collection.rarity)
    texts_shown = (shown_text(passage, collection) for passage in chain(*by_text.values()))
    least = OF_THE_BEST * max(map(coverage.of, texts_shown), default=0.0)
    places = list(map(_place, on_topic)) or _whole_texts(texts, collection)
    differing: dict[str, list[Selected]] = {}
    for key, unit in differing_sentences(places, collection):
        window = window_around(collection.text(key), collection.blocks(key), unit)
        sentence = collection.text(key)[unit.start : unit.end]
        in_context = " ".join([texts[key].names, *window.heading_path, sentence])
        if coverage.of(in_context) >= least:
            differing.setdefault(key, []).append(Selected(key, window, unit, 1.0))
    if not (differing or on_topic):
        return cards(list(texts.values()), collection)
    passages = _one_after_the_other(differing, by_text)
    return cards([texts[key] for key in passages], collection, passages)


def _whole_texts(snapshot_ids: Iterable[str], collection: TextCollection) -> list[Place]:
    return [(key, 0, len(collection.text(key))) for key in snapshot_ids]


def _one_after_the_other(
    first: Mapping[str, Sequence[Selected]], then: Mapping[str, Sequence[Selected]]
) -> dict[str, list[Selected]]:
    """The passages of each text, without repetitions."""
    keys = dict.fromkeys((*first, *then))
    return {key: _without_repetition([*first.get(key, ()), *then.get(key, ())]) for key in keys}


def _place(chunk: Ranked) -> Place:
    return chunk.passage.snapshot_id, chunk.passage.start, chunk.passage.end


def _without_repetition(passages: Sequence[Selected]) -> list[Selected]:
    unique: list[Selected] = []
    for passage in passages:
        if not overlaps(passage, unique):
            unique.append(passage)
    return unique
