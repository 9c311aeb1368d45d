"""Texts of six languages put into English word by word, for what knows English alone: the models,
the word vectors, the thesaurus.

A gloss keeps the order, the marks and the unknown words of its text. Only machines read it; what is
shown is the text.
"""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tools.text.inflection import STEMMERS
from tools.text.language import has_english, language_of, question_languages
from tools.text.rarity import UNLISTED, rarity
from tools.text.tokens import fold, stem, words

_WORD = re.compile(r"[^\W_]+")
_REMEMBERED = 65536  # words with their English


@dataclass(frozen=True, slots=True)
class Gloss:
    """text: in English, word by word. words: of each word where it begins and ends in the gloss,
    and where in the text that it stands for."""

    text: str
    words: Sequence[tuple[int, int, int, int]]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where gloss[start:end] stands in the text, whole words of it."""
        return self._place(start, is_end=False), self._place(end, is_end=True)

    def _place(self, position: int, *, is_end: bool) -> int:
        at = position - is_end
        i = bisect_right(self.words, at, key=lambda word: word[0]) - 1
        if i < 0:
            return position  # before the first word both are the same
        _, end, text_start, text_end = self.words[i]
        if at < end:
            return text_end if is_end else text_start
        return text_end + position - end

    def sources(self, text: str) -> Mapping[str, str]:
        """For each folded word of the gloss the folded word of the text that it stands for."""
        return {
            word: fold(text[text_start:text_end])
            for start, end, text_start, text_end in reversed(self.words)
            for word in words(self.text[start:end])
        }


@lru_cache(maxsize=512)  # candidates are read whole, and again by their sentences
def gloss(text: str, languages: tuple[str, ...]) -> Gloss:
    """A text in one of some languages (ISO 639-1) with each word that is known in English."""
    if not languages:
        return Gloss(text, ())
    pieces: list[str] = []
    places: list[tuple[int, int, int, int]] = []
    begin = length = 0
    for match in _WORD.finditer(text):
        between, english = text[begin : match.start()], _english(match.group(), languages)
        start = length + len(between)
        length, begin = start + len(english), match.end()
        pieces += (between, english)
        places.append((start, length, match.start(), begin))
    return Gloss("".join((*pieces, text[begin:])), places)


def text_languages(text: str, otherwise: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The language of a text, where its words are known in English; none for English and others.

    otherwise: of a text too short to tell.
    """
    language = language_of(text)
    if not language:
        return otherwise
    return (language,) if language in STEMMERS else ()


@lru_cache(maxsize=1024)
def query_languages(query: str) -> tuple[str, ...]:
    """The languages that a question or some words may be in, where their words are known in
    English; none for English.

    Where nothing asks in it, those in which most of its words are known that are not English; for
    that the lists of all languages are needed, and some letter that English lacks.
    """
    if languages := question_languages(query):
        return languages
    if query.isascii() or has_english(query) or language_of(query) not in ("", *STEMMERS):
        return ()
    from tools.translation.dictionary import is_listed  # most queries need none of it

    others = [word for word in _WORD.findall(query) if rarity(stem(fold(word))) == UNLISTED]
    counts = {code: sum(is_listed(word, code) for word in others) for code in STEMMERS}
    most = max(counts.values())
    return tuple(code for code, count in counts.items() if count == most) if most else ()


@lru_cache(maxsize=_REMEMBERED)
def _english(word: str, languages: tuple[str, ...]) -> str:
    from tools.translation.dictionary import glossed_word  # most texts need none of it

    english = glossed_word(word, languages)
    return english.capitalize() if word.istitle() else english
