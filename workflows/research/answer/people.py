"""Questions about a person: what says something of them, not what holds their name in a list."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from tools.text.tokens import STOP, words
from workflows.research.understand.intent import Intent, named_subject
from workflows.research.understand.parts import Part

T = TypeVar("T")
# How somebody can be reached
_ACCOUNT = re.compile(r"(?<![\w.+-])[\w.+-]{0,64}@[\w.-]+|(?<!\w)\w{2,20}://\S+")
_LOWER = re.compile(r"(?<!\w)[^\W\d_A-Z]\w+")  # a word without a capital
_TITLE = range(2, 7)  # words beside a name that are taken for a title, whatever they are


def telling(part: Part, texts: list[T], text_of: Callable[[T], str]) -> list[T]:
    """Those that say something of the person who is asked about; all where none does, and for other
    questions."""
    if part.intent != Intent.PERSON:
        return texts
    name = frozenset(words(named_subject(part.question)))
    return [text for text in texts if tells_of(name, text_of(text))] or texts


def tells_of(name: frozenset[str], text: str) -> bool:
    """Whether a line of a text says more of a person than their name and how to reach them."""
    return any(_says_more(name, line) for line in text.splitlines())


@lru_cache(maxsize=4096)
def _says_more(name: frozenset[str], line: str) -> bool:
    plain = _ACCOUNT.sub(" ", line)
    folded = words(plain)
    if not name.issubset(folded):
        return False
    others = [word for word in folded if word not in name and len(word) > 1]
    lower = {word for written in _LOWER.findall(plain) for word in words(written)}
    return len(others) in _TITLE or bool(lower - name - STOP)
