"""English words for words of German, French, Spanish, Italian, Portuguese and Dutch:
tools/data/translations.

A line of de.txt.gz begins with the stem of a German word; English words of like meaning follow,
likeliest first. any.txt.gz holds common words of any of these languages, unstemmed. Made by
benchmarks/training: make_translations.py, from a multilingual sentence encoder, and
align_translations.py, from translated interfaces of programs and the names of things on a map.
small.txt, written by hand: articles, pronouns, auxiliaries, question words.
"""

import gzip
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files

from tools.text.inflection import JOINED, STEMMERS, halves, stem_in
from tools.text.rarity import rarity
from tools.text.tokens import fold, stem


def meanings(word: str, languages: Iterable[str]) -> Sequence[tuple[str, ...]]:
    """English words for a word as it is written in the first of some languages (ISO 639-1) that has
    it, likeliest first; for a compound that is not listed those for each half.

    Empty where nothing is known.
    """
    written = word.lower()
    in_each = (_parts_in(written, language) for language in languages if language in STEMMERS)
    common = tuple(_line(fold(written), _lines("any")).split())
    return next(filter(None, in_each), (common,) if common else ())


def glossed_word(word: str, languages: Iterable[str]) -> str:
    """The likeliest English for a word as it is written in one of some languages: of each half of a
    compound; the word itself where nothing is known."""
    written = word.lower()
    for language in languages:
        if small := _small().get((language, written)):
            return small
    return " ".join(english[0] for english in meanings(word, languages)) or word


def rarity_in(word: str, languages: Iterable[str]) -> float:
    """The weight (0..1, tools/text/rarity.py) of the commonest English word for a word, of a
    compound that of its rarer half; 1 where nothing is known, as of most names."""
    parts = meanings(word, languages)
    return max((min(rarity(stem(other)) for other in english) for english in parts), default=1.0)


def is_listed(word: str, language: str) -> bool:
    """Whether English words for a word are known, without taking it apart."""
    return language in STEMMERS and bool(_listed(word.lower(), language))


def _parts_in(word: str, language: str) -> Sequence[tuple[str, ...]]:
    if listed := _listed(word, language):
        return (listed,)
    for first, second in halves(word) if language in JOINED else ():
        if (of_second := _listed(second, language)) and (of_first := _listed(first, language)):
            return of_first, of_second
    return ()


def _listed(word: str, language: str) -> tuple[str, ...]:
    written, plain = stem_in(word, language), stem_in(fold(word), language)
    for key in dict.fromkeys((written, _accented(language).get(plain, plain))):
        if english := _line(key, _lines(language)):
            return tuple(english.split())
    return ()


def _line(key: str, lines: Sequence[str]) -> str:
    """What stands behind a key in sorted lines; "" where it has none."""
    beginning = f"{key} "
    at = bisect_left(lines, beginning)
    is_there = at < len(lines) and lines[at].startswith(beginning)
    return lines[at].removeprefix(beginning) if is_there else ""


@cache
def _lines(language: str) -> Sequence[str]:
    """The lines of a language, sorted: a dictionary of them takes four times the memory."""
    packed = (files("tools.data") / "translations" / f"{language}.txt.gz").read_bytes()
    return gzip.decompress(packed).decode().splitlines()


@cache
def _accented(language: str) -> Mapping[str, str]:
    """The stems with accents by those without, for words that are written without theirs."""
    stems = (line.split(" ", 1)[0] for line in _lines(language) if not line.isascii())
    return {fold(stem): stem for stem in stems}


@cache
def _small() -> Mapping[tuple[str, str], str]:
    """(language, small word) -> its English."""
    text = (files("tools.data") / "translations" / "small.txt").read_text(encoding="utf-8")
    lines = (line.split(" ", 2) for line in text.splitlines())
    return {(language, word): english for language, word, english in lines}
