"""Words of German, French, Spanish, Italian, Portuguese and Dutch: their stems (Snowball), and the
halves of those that are written together."""

from collections.abc import Callable, Iterator
from functools import cache

from tools.text.tokens import fold

STEMMERS = {
    "de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese",
    "nl": "dutch",
}  # fmt: skip
JOINED = ("de", "nl")  # languages that write compounds as one word
_SHORTEST = 4  # letters of each half
_LONGEST = 60  # letters of a compound
_LINKS = ("", "s", "en", "er")  # letters between the halves


def stem_in(word: str, language: str) -> str:
    """The folded stem of a lower-case word in one of these languages (ISO 639-1)."""
    return fold(_stemmer(language)(word))


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
def _stemmer(language: str) -> Callable[[str], str]:
    import Stemmer

    return Stemmer.Stemmer(STEMMERS[language]).stemWord  # type: ignore[no-any-return]
