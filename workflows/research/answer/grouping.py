"""Groups of texts for an overview of many: those of one folder, of the same years, or about the
same things.

Spherical k-means over the rare words of title and beginning (Dhillon and Modha, "Concept
decompositions for large sparse text data using clustering", Machine Learning 42, 2001). The first
centres are texts that have many like them and are unlike the centres before (Yager and Filev's
mountain method), so nothing depends on chance.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from tools.text.tokens import STOP, stem, words
from workflows.research.answer.collection import TextCollection, TextInfo
from workflows.research.answer.folders import by_folder
from workflows.research.answer.periods import by_period
from workflows.research.answer.sparse import Vector, product, total_of, unit

_BEGINNING = 2000  # characters of a text that tell what it is about
_TITLE = 3  # times that a word of the title counts
_TERMS = 40  # of a text
_NAMES = 3  # words that name a group
_SETS_APART = 5  # words by which a text differs from others
_ADDRESS = re.compile(r"(?<!\w)\w{2,20}://\S+")


@dataclass(frozen=True, slots=True)
class TextGroup:
    """texts: the one that stands for the others best first. name: their folder, their years, or
    words that they share and others lack."""

    name: str
    texts: tuple[TextInfo, ...]


def grouped(texts: Sequence[TextInfo], collection: TextCollection, most: int) -> list[TextGroup]:
    """At most `most` groups, about the square root of the number of texts: by their folders or
    years, or else by what they are about."""
    counted = [_words(info, collection) for info in texts]
    forms = _forms(counted)
    bags = [_stems(words_of_text) for words_of_text in counted]
    spread = Counter(chain.from_iterable(bags))
    vectors = [_vector(bag, spread, len(texts)) for bag in bags]
    count = max(2, min(most, round(math.sqrt(len(texts)))))
    groups = by_folder([info.folder for info in texts], count, most) or by_period(texts, count)
    clusters = [(group, _centre(group, vectors)) for group in groups.values()]
    clusters = clusters or _clusters(vectors, count)
    centres = [centre for _, centre in clusters]
    names = list(groups) or [
        _name(centre, [c for c in centres if c is not centre], forms) for centre in centres
    ]
    return [
        TextGroup(name, tuple(texts[i] for i in _nearest_first(group, centre, vectors)))
        for name, (group, centre) in zip(names, clusters, strict=True)
    ]


def _nearest_first(group: Sequence[int], centre: Vector, vectors: Sequence[Vector]) -> list[int]:
    return sorted(group, key=lambda i: (-round(product(vectors[i], centre), 6), i))


def _centre(group: Sequence[int], vectors: Sequence[Vector]) -> Vector:
    return unit(total_of(vectors[i] for i in group))


def _clusters(vectors: Sequence[Vector], count: int) -> list[tuple[list[int], Vector]]:
    """The numbers of the vectors in at most so many clusters, each with its centre, the largest
    first."""
    centres = [vectors[i] for i in _seeds(vectors, count)]
    members: list[list[int]] = []
    for _ in vectors:
        nearest, before = _Nearest(centres), members
        members = [[] for _ in centres]
        for i, vector in enumerate(vectors):
            members[nearest.to(vector)].append(i)
        members = [group for group in members if group]
        if members == before:
            break
        centres = [_centre(group, vectors) for group in members]
    return sorted(zip(members, centres, strict=True), key=lambda pair: (-len(pair[0]), pair[0]))


def _forms(counted: Sequence[Mapping[str, int]]) -> dict[str, Counter[str]]:
    """The words that stand for each stem, and how often."""
    forms: dict[str, Counter[str]] = {}
    for words_of_text in counted:
        for word, times in words_of_text.items():
            forms.setdefault(stem(word), Counter())[word] += times
    return forms


def _words(info: TextInfo, collection: TextCollection) -> Counter[str]:
    """The words of title and beginning that tell what a text is about, and how often they count."""
    bag = Counter(words(collection.text(info.snapshot_id)[:_BEGINNING]))
    for word in words(info.title):
        bag[word] += _TITLE
    return Counter({word: times for word, times in bag.items() if _tells(word)})


def _stems(counted: Mapping[str, int]) -> Counter[str]:
    bag: Counter[str] = Counter()
    for word, times in counted.items():
        bag[stem(word)] += times
    return bag


def _tells(word: str) -> bool:
    return word not in STOP and word.isalpha() and len(word) > 2


def _vector(bag: Mapping[str, int], spread: Mapping[str, int], count: int) -> Vector:
    """The words that other texts have too, the rarest and most repeated of them."""
    weights = {
        word: (1 + math.log(times)) * math.log(count / spread[word])
        for word, times in bag.items()
        if 1 < spread[word] < count
    }
    best = sorted(weights, key=lambda word: (-round(weights[word], 6), word))[:_TERMS]
    return unit({word: weights[word] for word in best})


def _seeds(vectors: Sequence[Vector], count: int) -> list[int]:
    total = total_of(vectors)
    potential = [product(vector, total) for vector in vectors]
    seeds: list[int] = []
    for _ in range(count):
        best = max(range(len(vectors)), key=lambda i: (round(potential[i], 6), -i))
        seeds.append(best)
        height = potential[best]
        potential = [
            value - height * product(vectors[i], vectors[best]) for i, value in enumerate(potential)
        ]
        potential[best] = -math.inf
    return seeds


class _Nearest:
    """Finds the centre that is most like a vector, the first of several."""

    def __init__(self, centres: Sequence[Vector]) -> None:
        self._weights: dict[str, list[tuple[int, float]]] = {}
        for number, centre in enumerate(centres):
            for term, weight in centre.items():
                self._weights.setdefault(term, []).append((number, weight))
        self._count = len(centres)

    def to(self, vector: Vector) -> int:
        likeness = [0.0] * self._count
        for term, weight in vector.items():
            for number, other in self._weights.get(term, ()):
                likeness[number] += weight * other
        return max(range(self._count), key=lambda number: (round(likeness[number], 6), -number))


def _name(centre: Vector, others: Sequence[Vector], forms: Mapping[str, Counter[str]]) -> str:
    """The words by which a centre differs most from the others, each in its commonest form."""
    apart = {
        term: value - max((c.get(term, 0.0) for c in others), default=0.0)
        for term, value in centre.items()
    }
    best = sorted(apart, key=lambda term: (-round(apart[term], 6), term))[:_NAMES]
    name = ", ".join(min(forms[term], key=lambda word: (-forms[term][word], word)) for term in best)
    return name[:1].upper() + name[1:]


def distinctive_terms(
    texts: Sequence[TextInfo], collection: TextCollection
) -> dict[str, tuple[str, ...]]:
    """For each text the words that it has often and the others do not."""
    counts = {
        info.snapshot_id: Counter(_plain(collection.text(info.snapshot_id))) for info in texts
    }
    spread = Counter(word for count in counts.values() for word in count)
    by_text = {}
    for key, count in counts.items():
        scored = {w: n * math.log((1 + len(counts)) / spread[w]) for w, n in count.items() if n > 1}
        best = sorted(scored, key=lambda w: (-round(scored[w], 6), w))
        by_text[key] = tuple(best[:_SETS_APART])
    return by_text


def _plain(text: str) -> list[str]:
    return [
        word
        for word in words(_ADDRESS.sub(" ", text[:100_000]))
        if word not in STOP and word.isalpha() and len(word) > 3
    ]
