"""Do two sentences speak of one thing? What a contradiction needs before values or opposite words count at all.

Both must say mostly the same beside what differs; neither may name what the other does not; and where a sentence leaves
its subject to the text around it ("The station broadcasts at 104 MHz") the title of that text says whom it means.
"""

import re
from collections.abc import Set
from dataclasses import replace

from tools.text.tokens import STOP, stem, words
from tools.trust.dates import MONTH
from tools.trust.rarity import rarity
from tools.trust.statement import Statement, names_of

# Of the weight of a statement's terms, where the texts are not known to meet; chosen on half of scifact_train
_OF_SHORTER, _OF_LONGER = 0.85, 0.2
_LEFT_OUT = re.compile(
    r"(?:[A-Z]{4,20}:?\s)?(?:the|its|his|her|their)\s(?:(?!(?:of|in|for|from|between)\b)[a-z][\w'’-]*\s){1,4}?"
    r"(?:is|are|was|were|has|have|had|began|begins?|runs?|ran|consists?|consisted|operates?|operated|stands?|stood)\b",
    re.I,
)
_MEANT = re.compile(r"(?:it|he|she|they|this|these|the)\s", re.I)  # whom, only the text around the sentence says


def one_subject(ours: Set[str], theirs: Set[str]) -> bool:
    """Whether two statements of any two texts share subject and attribute, by their terms without the polar words."""
    shared = _weight(ours & theirs)
    light, heavy = sorted((_weight(ours), _weight(theirs)))
    return bool(shared) and shared >= _OF_SHORTER * light and shared >= _OF_LONGER * heavy


def of_others(a: Statement, b: Statement) -> bool:
    """Whether each names somebody whom the other does not: then they speak of different things."""
    return _unknown(a, b) and _unknown(b, a)


def within(statement: Statement, title: str) -> Statement:
    """The statement with the names of its text's title, where it leaves its subject to the text."""
    nameless = not statement.names and _MEANT.match(statement.text)
    if not title or not (nameless or _LEFT_OUT.match(statement.text)):
        return statement
    return replace(statement, names=statement.names | names_of(title) | frozenset(_headed(title)))


def _headed(title: str) -> list[str]:
    """The first word of a title, which a sentence's rules would not take for a name."""
    return [word for word in words(title)[:1] if title[:1].isupper() and word not in STOP]


def _unknown(a: Statement, b: Statement) -> bool:
    """Whether a statement names what the other does not name in any form."""
    known = {stem(word) for word in (*b.words, *b.names)}
    return any(stem(name) not in known for name in a.names if name not in MONTH)


def _weight(terms: Set[str]) -> float:
    return sum(map(rarity, terms))
