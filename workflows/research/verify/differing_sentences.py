"""Sentences of which another text gives another figure."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from tools.judging.figures import figures_differ
from workflows.research.answer.collection import TextCollection
from workflows.research.answer.windows import Unit, units_within

_COMPARED = 200  # sentences, of which every two are compared
Place = tuple[str, int, int]  # snapshot, start, end


def differing_sentences(
    places: Sequence[Place], collection: TextCollection
) -> list[tuple[str, Unit]]:
    """(snapshot, sentence) of those within some places that hold a figure and differ from one of
    another text, but not from one of their own text, which then tells of several cases."""
    units = _with_figures(places, collection)
    dates = {info.snapshot_id: info.date for info in collection.texts()}
    sentences = [(key, unit, collection.text(key)[unit.start : unit.end]) for key, unit in units]
    by_unit: dict[tuple[str, int], tuple[str, Unit]] = {}
    of_cases: set[tuple[str, int]] = set()
    for (key, unit, sentence), (other, other_unit, other_sentence) in combinations(sentences, 2):
        if figures_differ(sentence, other_sentence, (dates[key], dates[other])) is None:
            continue
        if key == other:
            of_cases |= {(key, unit.start), (other, other_unit.start)}
        else:
            by_unit[key, unit.start] = (key, unit)
            by_unit[other, other_unit.start] = (other, other_unit)
    differing = {place: value for place, value in by_unit.items() if place not in of_cases}
    # What differs from a text that gives several figures itself differs from no other one
    return list(differing.values()) if len({key for key, _ in differing}) > 1 else []


def _with_figures(places: Sequence[Place], collection: TextCollection) -> list[tuple[str, Unit]]:
    units: dict[tuple[str, int], tuple[str, Unit]] = {}
    for place in places:
        for unit in _units(place, collection):
            units.setdefault((place[0], unit.start), (place[0], unit))
        if len(units) >= _COMPARED:
            break
    return list(units.values())[:_COMPARED]


def _units(place: Place, collection: TextCollection) -> Iterator[Unit]:
    snapshot_id, start, end = place
    text = collection.text(snapshot_id)
    for unit in units_within(text, collection.blocks(snapshot_id), start, end):
        if any(map(str.isdigit, text[unit.start : unit.end])):
            yield unit
