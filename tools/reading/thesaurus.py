"""Words of like meaning, for search by words alone: tools/data/thesaurus.txt.

One line a word: the stems of its nearest words with their likeness in hundredths, nearest first.
Made from the static word vectors of potion-base-8M (MIT) by benchmarks/training/make_thesaurus.py.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

_EMPTY: Mapping[str, float] = {}


def related(word: str) -> Mapping[str, float]:
    """Stem -> likeness (0.5..1) of the words that mean nearly the same as a folded word; empty for
    unknown words."""
    line = _lines().get(word)
    if line is None:
        return _EMPTY
    pairs = (entry.rpartition(":") for entry in line.split())
    return {stem: int(hundredths) / 100 for stem, _, hundredths in pairs}


@lru_cache(maxsize=1)
def _lines() -> Mapping[str, str]:
    text = files("tools.data").joinpath("thesaurus.txt").read_text(encoding="utf-8")
    return dict(line.split(" ", 1) for line in text.splitlines())
