"""Words of opposite meaning (tools/data/antonyms.txt, from WordNet), by stem, with their inflected
forms."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files

from tools.text.tokens import stem

_DOUBLED = re.compile(r"[^aeiou]*[aeiou][bdgmnpt]")  # big, bigger


def opposites(term: str) -> frozenset[str]:
    """The stems of words that mean the opposite of this stem; empty for most."""
    return _tables()[0].get(term, frozenset())


def forms(term: str) -> frozenset[str]:
    """The stems of the forms of the words that have this stem ("stood": "stand"), itself among
    them."""
    return _tables()[1].get(term, frozenset()) | {term}


@lru_cache(maxsize=1)
def _tables() -> tuple[Mapping[str, frozenset[str]], Mapping[str, frozenset[str]]]:
    opposites: dict[str, set[str]] = {}
    same: dict[str, set[str]] = {}
    for line in files("tools.data").joinpath("antonyms.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        part, *sides = line.split()
        column_a, column_b = (_stems(part, side.split(",")) for side in sides)
        for first, second in ((column_a, column_b), (column_b, column_a)):
            for term in first:
                opposites.setdefault(term, set()).update(second)
                same.setdefault(term, set()).update(first)
    against = {term: frozenset(others - same[term]) for term, others in opposites.items()}
    return against, {term: frozenset(group) for term, group in same.items()}


def _stems(part: str, forms: Iterable[str]) -> frozenset[str]:
    """The stems of a word's forms; of an adjective also of its comparative and superlative, which
    have their own."""
    listed = list(forms)
    if part == "a":
        base = listed[0]
        if base.endswith("y"):
            root = f"{base[:-1]}i"
        elif _DOUBLED.fullmatch(base):
            root = base + base[-1]
        else:
            root = base.removesuffix("e")
        listed += (f"{root}er", f"{root}est")
    return frozenset(map(stem, listed))
