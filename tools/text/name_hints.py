"""Is this the name of a person or of an organisation? By its words alone (tools/data/names.toml): a
hint, no more."""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from tools.text.tokens import fold, words

# The title or profession before a name: "Dr ", "the mathematician "
_HONORIFIC = re.compile(
    r"^(?:the\s+)?(?:dr|prof|professor|sir|dame|mr|mrs|ms|president|senator|judge|mathematician|physicist|chemist"
    r"|economist|philosopher|biologist|historian|writer|poet|painter|composer)\b\.?\s+(?=\S)",
    re.I,
)
_PARTICLES = frozenset(
    "al bin da de del della der di dos du el la le ten ter van von zu ibn".split()
)
_NAME_WORD = re.compile(r"^[^\W\d_](?:[\w'’.-]*[\w.])?$")
_MOST_WORDS = 5
# Also plain words: they must be written as a name
_PLAIN_TOO = frozenset(
    "visa meta shell stripe oracle adobe amazon mistral johnson uber vanguard".split()
)
_LINKS = frozenset(
    "of for the and de der die das des du et y e fur la le les van von zur in at".split()
)
# Written small, only these say that an organisation is meant
_STRONG = frozenset(
    "university institute foundation ministry agency inc ltd gmbh corp "
    "museum college hospital school".split()
)
_ACRONYMS_ONLY = frozenset("who un fed".split())


class Hints(NamedTuple):
    """Folded words: given names, words of organisations' names, organisations of other names."""

    given: frozenset[str]
    organisation: frozenset[str]
    known: frozenset[str]


@lru_cache(maxsize=1)
def hints() -> Hints:
    """The shipped table, read once."""
    table = tomllib.loads(files("tools").joinpath("data", "names.toml").read_text(encoding="utf-8"))
    return Hints(*(frozenset(words(table[name])) for name in Hints._fields))


def is_person(text: str) -> bool:
    """Whether the whole text is written like a person's name: "Noam Chomsky", "dr anthony fauci".

    Two to five words; the first a common given name, or all of them capitalised after a title.
    """
    name = _HONORIFIC.sub("", text)
    parts = name.split()
    if not 2 <= len(parts) <= _MOST_WORDS or not all(map(_NAME_WORD.match, parts)):
        return False
    if is_organisation(text):
        return False
    capital = all(part[0].isupper() for part in parts if fold(part) not in _PARTICLES)
    first = fold(parts[0].split("-")[0])
    return (first in hints().given and (capital or text.islower())) or (name != text and capital)


def is_organisation(text: str) -> bool:
    """Whether the whole text is written like an organisation's name: a word of the kind, or a known
    one."""
    tokens = words(text)
    if not tokens:
        return False
    table = hints()
    if tokens[0] in table.known and _as_name(text.split()[0], tokens[0]):
        return len(tokens) <= _MOST_WORDS
    if text.islower():
        return 1 < len(tokens) <= _MOST_WORDS + 1 and bool(
            _STRONG.intersection((tokens[0], *tokens[-2:]))
        )
    return len(tokens) > 1 and _is_capitalised(text) and not table.organisation.isdisjoint(tokens)


def _is_capitalised(text: str) -> bool:
    """Whether every word that says something begins with a capital or a digit."""
    content = [
        part for part in text.split() if part[0].isalnum() and fold(part.strip(",.&")) not in _LINKS
    ]
    return all(part[0].isupper() or part[0].isdigit() for part in content)


def is_name(text: str) -> bool:
    """Whether a text is written as somebody's or something's name: a person's, an organisation's,
    or all capitals."""
    content = [part for part in text.split() if fold(part) not in _PARTICLES | _LINKS]
    capital = len(content) > 1 and all(part[0].isupper() for part in content)
    return capital or is_person(text) or is_organisation(text)


def _as_name(written: str, folded: str) -> bool:
    if folded in _ACRONYMS_ONLY:
        return written.isupper()
    return folded not in _PLAIN_TOO or written[0].isupper()
