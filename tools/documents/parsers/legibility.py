"""Whether a text is language: a font without a character map turns words into letters and signs
that mean nothing.

Measured by the share of the commonest words of many languages, and for texts with few of these by
words without a vowel and by signs that are no punctuation. benchmarks/documents_legibility.py says
how well it tells texts apart.
"""

import re
import unicodedata
from functools import lru_cache
from importlib.resources import files

_WORD = re.compile(r"[^\W\d_]+")
_SAMPLE = 20_000  # characters from the middle of the text
_FEW_WORDS = 40  # fewer in Latin script say nothing
_COMMON, _VOWELLESS, _SIGNS = 0.06, 0.12, 0.12
_LATIN = 0.8  # share of the words
_VOWELS = frozenset("aeiouyøıæœ")
_PUNCTUATION = frozenset(".,;:!?-–—−()[]'\"’‘“”„«»/%…•·|_")


def is_language(text: str) -> bool:
    """False for a text of letters and signs without meaning; True for a short one, for tables, for
    any script."""
    middle = max(0, len(text) - _SAMPLE) // 2
    sample = text[middle : middle + _SAMPLE]
    words = _WORD.findall(sample)
    latin = [word.lower() for word in words if word[0] < "\u0250" or "\u1e00" <= word[0] < "\u1f00"]
    if len(latin) < 0.5 * len(words):
        return True  # in other scripts such fonts come out as Latin letters
    common = _common_words()
    if latin and len([word for word in latin if word in common]) >= _COMMON * len(latin):
        return True
    if _share_of_signs(sample) > _SIGNS:
        return False
    whole = [word for word in latin if len(word) > 2]
    if len(latin) < _FEW_WORDS or len(latin) < _LATIN * len(words):
        return True
    plain_words = [unicodedata.normalize("NFD", word) for word in whole]
    return sum(map(_VOWELS.isdisjoint, plain_words)) <= _VOWELLESS * len(whole)


@lru_cache(maxsize=1)
def _common_words() -> frozenset[str]:
    text = files("tools").joinpath("data", "function_words.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return frozenset(" ".join(lines).split())


def _share_of_signs(sample: str) -> float:
    """Signs that are neither letters, numbers nor punctuation, of all that is not white space."""
    visible = [sign for sign in sample if not sign.isspace()]
    if len(visible) < 4 * _FEW_WORDS:
        return 0.0
    return sum(not sign.isalnum() and sign not in _PUNCTUATION for sign in visible) / len(visible)
