"""Spelling: which words of the texts a word that none of them has may stand for.

Misspellings ("pyhton") and words that two languages share ("permisos", "permissions"). Distance:
insertions, deletions, substitutions and exchanges of neighbours (Damerau 1964, restricted).
"""

from collections.abc import Iterable

_MOST = 3
_ONE_ERROR, _TWO_ERRORS = 5, 8  # letters from which so many errors are allowed
_EXCHANGED_ONLY = 3  # letters of a word in which only an exchange of two is an error
_SHARED_BEGINNING = 5  # letters of a word of two languages
_SHARED_SHARE = 0.7  # of the shorter of the two words


def nearest_spellings(
    word: str, vocabulary: Iterable[tuple[str, int]], cognates: bool = False
) -> list[str]:
    """At most three words of the vocabulary (word, frequency), nearest first, frequent ones before
    rare ones.

    cognates: words that begin alike count as well, where none is nearer.
    """
    most_errors = (len(word) >= _ONE_ERROR) + (len(word) >= _TWO_ERRORS)
    if not most_errors:
        return []
    spellings = []
    for other, frequency in vocabulary:
        if (
            abs(len(other) - len(word)) <= most_errors
            and (errors := distance(word, other, most_errors)) <= most_errors
        ):
            spellings.append((errors, -frequency, other))
        elif cognates and _shares_beginning(word, other):
            spellings.append((most_errors + 1, -frequency, other))
    best = min((errors for errors, _, _ in spellings), default=0)
    return [other for errors, _, other in sorted(spellings) if errors == best][:_MOST]


def nearest_word(word: str, among: Iterable[str]) -> str:
    """The first of some words that is one error away, "" without any: one with two neighbours
    exchanged, else one with the same first letter, and a wrong letter comes last.

    In a word of three letters two must be exchanged: "hwo" is "how", and "wht" is not "what".
    """
    near = [other for other in among if distance(word, other, 1) == 1]
    if exchanged := [other for other in near if sorted(word) == sorted(other)]:
        return exchanged[0]
    like = [o for o in near if word[0] == o[0] and len(word) > _EXCHANGED_ONLY]
    return min(like, key=lambda other: len(word) == len(other), default="")


def distance(a: str, b: str, most: int) -> int:
    """Errors between two words; more than `most` is given as most + 1."""
    rows = [list(range(len(b) + 1))]
    for i, letter in enumerate(a, 1):
        row = [i]
        for j, other in enumerate(b, 1):
            cost = min(rows[-1][j] + 1, row[j - 1] + 1, rows[-1][j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        rows = [rows[-1], row]
    return min(rows[-1][-1], most + 1)


def _shares_beginning(word: str, other: str) -> bool:
    """Whether two long words begin alike for most of their length, as words that languages share
    do."""
    shorter = min(len(word), len(other))
    shared = next((i for i in range(shorter) if word[i] != other[i]), shorter)
    return (
        shared >= _SHARED_BEGINNING
        and shared >= _SHARED_SHARE * shorter
        and abs(len(word) - len(other)) <= 4
    )
