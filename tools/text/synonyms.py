"""Words that mean nearly the same, by stem, from the groups of tools/data/synonyms.txt."""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from tools.text.tokens import stem


def alike(term: str) -> frozenset[str]:
    """The stems that stand in a group with this stem, itself left out; empty for most."""
    return _groups().get(term, frozenset())


@lru_cache(maxsize=1)
def _groups() -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in files("tools").joinpath("data", "synonyms.txt").read_text("utf-8").splitlines():
        group = frozenset(stem(word) for word in line.split()) if not line.startswith("#") else frozenset()
        for one in group:
            found[one] = found.get(one, frozenset()) | (group - {one})
    return found
