"""Questions about a person: what says something of them, not what holds their name in a list."""

import re
from functools import lru_cache

from tools.text.tokens import STOP, words
from workflows.research.understand.intent import Intent, named_subject
from workflows.research.understand.parts import Part

_ACCOUNT = re.compile(r"[\w.+-]*@[\w.-]+|\w+://\S+")  # how somebody can be reached
_LOWER = re.compile(r"(?<!\w)[^\W\d_A-Z]\w+")  # a word without a capital
_TITLE = range(2, 7)  # words beside a name that are taken for a title, whatever they are


def person_in(part: Part) -> frozenset[str]:
    """The folded words of the name that a question is about; none where it is about no person."""
    return frozenset(words(named_subject(part.question) if part.intent == Intent.PERSON else ""))


def tells_of(name: frozenset[str], text: str) -> bool:
    """Whether a line of a text says more of a person than their name and how to reach them."""
    return any(_says_more(name, line) for line in text.splitlines())


@lru_cache(maxsize=4096)
def _says_more(name: frozenset[str], line: str) -> bool:
    plain = _ACCOUNT.sub(" ", line)
    others = [word for word in words(plain) if word not in name and len(word) > 1]
    if not name.issubset(words(plain)):
        return False
    lower = {word for written in _LOWER.findall(plain) for word in words(written)}
    return len(others) in _TITLE or bool(lower - name - STOP)
