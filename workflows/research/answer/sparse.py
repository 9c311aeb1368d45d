"""Vectors with a weight for each of a few words."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping

Vector = Mapping[str, float]


def product(left: Vector, other: Vector) -> float:
    """The scalar product."""
    if len(other) < len(left):
        left, other = other, left
    return sum(value * other.get(word, 0.0) for word, value in left.items())


def total_of(vectors: Iterable[Vector]) -> Counter[str]:
    """The sum."""
    total: Counter[str] = Counter()
    for vector in vectors:
        total.update(vector)
    return total


def unit(vector: Vector) -> Vector:
    """The vector with length 1; one of nothing stays so."""
    length = math.sqrt(sum(value * value for value in vector.values())) or 1.0
    return {word: value / length for word, value in vector.items()}
