"""How much a word says by being rare, from the order of the vocabulary that is shipped for
embeddings.

vocab.txt lists whole words by how frequent they are in English, so the logarithm of a word's place
in it stands for its information (Zipf). No corpus is needed, and the weight of a word is the same
in every run.
"""

import math
from collections.abc import Mapping
from functools import lru_cache

from tools.index.vectors.wordpiece import read_vocabulary
from tools.text.tokens import stem

UNLISTED = 1.0  # the rarity of a word that is not in the vocabulary


@lru_cache(maxsize=1)
def _places() -> tuple[Mapping[str, int], int]:
    """The place of each stem, and the last place."""
    vocabulary = read_vocabulary()
    first = vocabulary.index("the")  # what stands before it are marks, letters and characters
    places: dict[str, int] = {}
    for place, word in enumerate(vocabulary[first:], 1):
        if not word.startswith("##"):
            places.setdefault(stem(word), place)
    return places, len(vocabulary)


@lru_cache(maxsize=65536)
def rarity(term: str) -> float:
    """Weight of a stem, 0 (the commonest) to 1 (not in the vocabulary)."""
    places, last = _places()
    return (math.log1p(places.get(term, last)) / math.log1p(last)) ** 2
