"""Forms of words: English verbs whose forms have no common stem; German, French, Spanish, Italian,
Portuguese and Dutch words by their stems (Snowball), and the halves of those that are written
together."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files

STEMMERS = {
    "de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese",
    "nl": "dutch",
}  # fmt: skip
JOINED = ("de", "nl")  # languages that write compounds as one word
_SHORTEST = 4  # letters of each half
_LONGEST = 60  # letters of a compound
_LINKS = ("", "s", "en", "er")  # letters between the halves


def past_forms(verb: str) -> tuple[str, ...]:
    """The past tense and the participle of an irregular English verb in its first form, where they
    have another stem: "left" of "leave"."""
    return _irregular().get(verb, ())


def stem_in(word: str, language: str) -> str:
    """The stem of a lower-case word in one of these languages (ISO 639-1)."""
    return _stemmer(language)(word)


def halves(word: str) -> Iterator[tuple[str, str]]:
    """The two words that a compound may consist of, for each place where it may be cut, the last
    one first: a short second half is likelier to be known. None for a word longer than any
    compound."""
    last = len(word) - _SHORTEST if len(word) <= _LONGEST else 0
    for cut in range(last, _SHORTEST - 1, -1):
        for link in _LINKS:
            first = word[:cut].removesuffix(link)
            if word[:cut].endswith(link) and len(first) >= _SHORTEST:
                yield first, word[cut:]


@cache
def _irregular() -> Mapping[str, tuple[str, ...]]:
    text = files("tools.data").joinpath("irregular_verbs.txt").read_text(encoding="utf-8")
    verbs = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return {base: tuple(past) for base, *past in verbs}


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    import Stemmer

    return Stemmer.Stemmer(STEMMERS[language]).stemWord  # type: ignore[no-any-return]
