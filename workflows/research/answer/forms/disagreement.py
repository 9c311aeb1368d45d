"""Where texts differ: the overview of a topic, beginning with the passages whose figures differ
from another text's."""

from collections.abc import Iterable, Sequence

from workflows.research.answer.collection import TextCollection
from workflows.research.answer.coverage import Coverage
from workflows.research.answer.draft import Draft
from workflows.research.answer.forms.overview import (
    OF_THE_BEST,
    cards,
    central_passages,
    passages_on_topic,
)
from workflows.research.answer.selection import Ranked, Selected, overlaps, shown
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
    places: list[Place] = [
        (chunk.passage.snapshot_id, chunk.passage.start, chunk.passage.end) for chunk in on_topic
    ]
    by_text = passages_on_topic(part, on_topic, collection)
    coverage = Coverage(part.question, collection.rarity)
    covered = (coverage.of(shown(passage, collection)) for p in by_text.values() for passage in p)
    least = OF_THE_BEST * max(covered, default=0.0)
    differing: dict[str, list[Selected]] = {}
    for key, unit in differing_sentences(places or _whole_texts(texts, collection), collection):
        window = window_around(collection.text(key), collection.blocks(key), unit)
        sentence = collection.text(key)[unit.start : unit.end]
        said = " ".join([texts[key].names, *window.heading_path, sentence])
        if coverage.of(said) >= least:
            differing.setdefault(key, []).append(Selected(key, window, unit, 1.0))
    if not (differing or on_topic):
        return cards(
            list(texts.values()), lambda infos: central_passages(infos, collection), collection
        )
    passages = {
        key: _without_repetition([*differing.get(key, ()), *by_text.get(key, ())])
        for key in dict.fromkeys((*differing, *by_text))
    }
    return cards([texts[key] for key in passages], lambda infos: passages, collection)


def _whole_texts(snapshot_ids: Iterable[str], collection: TextCollection) -> list[Place]:
    return [(key, 0, len(collection.text(key))) for key in snapshot_ids]


def _without_repetition(passages: Sequence[Selected]) -> list[Selected]:
    unique: list[Selected] = []
    for passage in passages:
        if not overlaps(passage, unique):
            unique.append(passage)
    return unique
