"""English words for words of German, French, Spanish, Italian, Portuguese and Dutch:
tools/data/translations.

A line of de.txt begins with the folded stem of a German word; English words of like meaning follow,
likeliest first. any.txt holds common words of any of these languages, unstemmed. Made by
benchmarks/training: make_translations.py, from a multilingual sentence encoder, and
align_translations.py, from translated interfaces of programs.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files

from tools.text.tokens import fold

STEMMERS = {
    "de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese",
    "nl": "dutch",
}  # fmt: skip
_JOINED = ("de", "nl")  # languages that write compounds as one word
_SHORTEST = 4  # letters of each half of a compound
_LINKS = ("", "s", "en", "er")  # letters between the halves


def translations(word: str, languages: Iterable[str]) -> tuple[str, ...]:
    """English words for a word as it is written in one of some languages (ISO 639-1), likeliest
    first.

    For a compound that is not listed, the words for its halves. Empty where nothing is known.
    """
    written = word.lower()
    supported = [language for language in languages if language in STEMMERS]
    lists = (_listed(written, language) or _of_halves(written, language) for language in supported)
    return next(filter(None, lists), ()) or tuple(_table("any").get(fold(written), "").split())


def _listed(word: str, language: str) -> tuple[str, ...]:
    table, stem = _table(language), _stemmer(language)
    return tuple((table.get(fold(stem(word))) or table.get(fold(stem(fold(word)))) or "").split())


def _of_halves(word: str, language: str) -> tuple[str, ...]:
    """The words for both halves of a compound; the later the second half begins, the better is it
    known."""
    for cut in range(len(word) - _SHORTEST, _SHORTEST - 1, -1) if language in _JOINED else ():
        second = _listed(word[cut:], language)
        for link in _LINKS if second else ():
            if word[:cut].endswith(link):
                first = _listed(word[:cut].removesuffix(link), language)
            else:
                first = ()
            if first:
                return (first[0], second[0], *first[1:], *second[1:])
    return ()


@cache
def _table(language: str) -> Mapping[str, str]:
    text = (files("tools.data") / "translations" / f"{language}.txt").read_text(encoding="utf-8")
    return dict(line.split(" ", 1) for line in text.splitlines())


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    return import_module("Stemmer").Stemmer(STEMMERS[language]).stemWord  # type: ignore[no-any-return]
