"""Words that mean nearly the same (tools/data/synonyms.txt) or go together (related.txt), by stem."""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from tools.text.tokens import stem


def alike(term: str) -> frozenset[str]:
    """The stems that mean nearly what this stem means, itself left out; empty for most."""
    return _groups("synonyms.txt").get(term, frozenset())


def related(term: str) -> frozenset[str]:
    """The stems by which a text may speak of what this stem means: "shade" and "temperature" for "cool"."""
    return alike(term) | _groups("related.txt").get(term, frozenset())


@lru_cache(maxsize=2)
def _groups(name: str) -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in files("tools").joinpath("data", name).read_text("utf-8").splitlines():
        group = frozenset(stem(word) for word in line.split()) if not line.startswith("#") else frozenset()
        for one in group:
            found[one] = found.get(one, frozenset()) | (group - {one})
    return found
