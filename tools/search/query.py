"""From a question to what an index is asked: the words that count. How each index is asked stands
with that index."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tools.text.tokens import STOP, bigrams, content_stems, fold, is_word, words
from tools.translation.gloss import gloss

MAX_TERMS = 48
_RUN = re.compile(r"[^\W_]+(?:['’.,\-][^\W_]+){0,6}")
_SPACELESS = r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+"


def terms(query: str) -> list[str]:
    """The words of a query that carry meaning, in order, each once; all of them when none does.

    They keep their letters (the index folds them itself). Compounds with hyphens become their
    parts.
    """
    spaced = (
        match[0] if match[0].isascii() else re.sub(_SPACELESS, " ", match[0])
        for match in _RUN.finditer(query)
    )
    parts = [part for word in spaced for part in re.split(r"[\-'’]", word)]
    by_stem: dict[str, str] = {}
    for word in " ".join(parts).split():
        by_stem.setdefault(fold(word), word.lower())
    content = [word for key, word in by_stem.items() if key not in STOP and is_word(key, query)]
    return (content or list(by_stem.values()))[:MAX_TERMS]


def pairs(text: str) -> list[str]:
    """Character pairs of the parts of a text that are written without spaces (and of Hangul, for
    its particles)."""
    # Compiled with the first text beyond ASCII: it takes as long as ten other patterns
    if text.isascii():
        return []
    return [pair for run in re.findall(_SPACELESS, text) for pair in bigrams(run)]


def further_words(text: str, languages: tuple[str, ...]) -> list[str]:
    """What a text is found by beside its own words: character pairs, and the stems of its English
    where it is in one of some other languages."""
    return [*pairs(text), *(content_stems(words(gloss(text, languages).text)) if languages else ())]


class Lookup(NamedTuple):
    """Chunks that hold any of the words; several words in one string stand in a row.

    headed: only chunks whose heading holds one of them, or that hold one of them beside one of
    `beside`.
    """

    words: tuple[str, ...]
    headed: bool = False
    beside: tuple[str, ...] = ()


def any_of(words: Sequence[str]) -> Lookup:
    """Chunks with any of the words."""
    return Lookup(tuple(words))


def affordable(words: Sequence[str], frequency: Callable[[str], int], budget: int) -> list[str]:
    """The words that a search of a large index uses: rare ones first while their matches add up to
    the budget.

    A word found in a large part of all chunks says little and costs most; at least one word stays.
    """
    counted = sorted((frequency(word), position, word) for position, word in enumerate(words))
    cheapest: list[tuple[int, str]] = []
    total = 0
    for count, position, word in counted:
        if total and total + count > budget:
            break
        total += count
        cheapest.append((position, word))
    return [word for _, word in sorted(cheapest)]
