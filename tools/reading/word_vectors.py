"""Likeness of meaning without a model: static word vectors (tools/data/word_vectors.bin).

One row of 128 signed bytes for each line of vocab.txt; tokens that are no words have zeros. Made
from potion-base-8M (MIT, tools/data/thesaurus.LICENSE.txt) by
benchmarks/training/make_word_vectors.py.
"""

import math
from array import array
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from operator import mul

from tools.index.vectors.wordpiece import WordPiece

SIZE = 128  # numbers of a vector


class Likeness:
    """How alike texts are to a question in meaning."""

    def __init__(self, question: str) -> None:
        self._vector, self._length = _summed(question)

    def of(self, text: str) -> float:
        """Cosine of the mean word vectors of question and text, -1..1; 0 where either has no known
        word."""
        vector, length = _summed(text)
        if not self._length or not length:
            return 0.0
        return float(sum(map(mul, self._vector, vector))) / (self._length * length)


@lru_cache(
    maxsize=2000
)  # a megabyte; the sentences of a passage are read again with each passage that repeats them
def _summed(text: str) -> tuple[Sequence[int], float]:
    """The sum of the vectors of a text's tokens (its first 256), and the length of that sum."""
    table, pieces = _table()
    rows = (table[token * SIZE : (token + 1) * SIZE] for token in pieces.encode(text))
    vector = array("i", map(sum, zip(*rows, strict=True)))
    return vector, math.sqrt(sum(map(mul, vector, vector)))


@lru_cache(maxsize=1)
def _table() -> tuple[memoryview, WordPiece]:
    data = files("tools.data").joinpath("word_vectors.bin").read_bytes()
    return memoryview(data).cast("b"), WordPiece()
