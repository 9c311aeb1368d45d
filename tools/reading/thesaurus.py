"""Words of like meaning, for search by words alone: tools/data/thesaurus.txt.

One line a word: the stems of its nearest words with their likeness in hundredths, nearest first.
Made from the static word vectors of potion-base-8M (MIT) by benchmarks/training/make_thesaurus.py.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from tools.text.inflection import past_forms
from tools.text.tokens import stem

# Endings of plurals and verbs, and what the word itself has in their place
_ENDINGS = (("s", ""), ("es", ""), ("ies", "y"), ("d", ""), ("ed", ""), ("ing", ""), ("ing", "e"))


def related(word: str) -> Mapping[str, float]:
    """Stem -> likeness (0.5..1) of the words that mean nearly the same as a folded word, past forms
    of a verb among them; empty for unknown words."""
    pairs = (entry.rpartition(":") for entry in _line_of(word).split())
    like = {near: int(hundredths) / 100 for near, _, hundredths in pairs}
    return like | dict.fromkeys(map(stem, past_forms(word)), 1.0)


def _line_of(word: str) -> str:
    """The line of a word, or of the word that it is a form of ("folders", "queries"); empty for
    unknown words."""
    lines = _lines()
    bases = (word, *(word[: -len(end)] + base for end, base in _ENDINGS if word.endswith(end)))
    return next((lines[base] for base in bases if base in lines), "")


@lru_cache(maxsize=1)
def _lines() -> Mapping[str, str]:
    text = files("tools.data").joinpath("thesaurus.txt").read_text(encoding="utf-8")
    return dict(line.split(" ", 1) for line in text.splitlines())
