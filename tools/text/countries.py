"""Names of countries: "UK", "Britain" and "British" speak of one country. The names:
tools/data/countries.txt."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files

_WORD = re.compile(r"[^\W\d_](?:[\w'’-]*\w)?(?:\.[^\W\d_])*")
_LONGEST = 4  # words of a name


def countries_in(text: str) -> Iterator[tuple[int, int, int]]:
    """(start, end, number of the country) of each name of a country or of its people, as written,
    longest first."""
    names, first_words = _countries(), _first_words()
    tokens = list(_WORD.finditer(text))
    words = [match[0].replace(".", "") for match in tokens]
    at = 0
    while at < len(tokens):
        begins = words[at] in first_words or words[at].removesuffix("s") in first_words
        for size in range(min(_LONGEST, len(tokens) - at) if begins else 0, 0, -1):
            name = " ".join(words[at : at + size])
            if (number := names.get(name, names.get(name.removesuffix("s")))) is not None:
                yield tokens[at].start(), tokens[at + size - 1].end(), number
                at += size
                break
        else:
            at += 1


@lru_cache(maxsize=1)
def _countries() -> Mapping[str, int]:
    text = files("tools.data").joinpath("countries.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return {name: number for number, line in enumerate(lines) for name in line.split("\t")}


@lru_cache(maxsize=1)
def _first_words() -> frozenset[str]:
    return frozenset(name.partition(" ")[0] for name in _countries())
