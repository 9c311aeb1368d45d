"""Who did it to whom: the two ends of a verb or comparison, and whether two sentences have them the other way round.

Only where both ends stand close around the same word in both sentences; a passive ("was bought by") is turned round.
Everything else is left to the other comparisons.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from tools.text.tokens import STOP, fold, stem

_TOKEN = re.compile(r"[^\W_]+|[^\w\s'’-]")
_READ = 80  # tokens of a sentence that are looked at
_WIDTH = 3  # words of an end
_BY = 6  # tokens between a participle and its "by"
_BE = frozenset("is are was were be been being".split())
_HELPS = frozenset("has have had did do does will would can could also then later never not soon always often".split())
_THE = frozenset("the a an its his her their this that these those all some".split())
_MORE, _THAN = ("more", "less"), "than"
_IRREGULAR = frozenset(("better", "worse"))
# Past forms that do not end in "ed"; a word is looked at as a verb by its form, so that other languages, whose words
# may stand in any order, are left alone
_PAST = frozenset(
    """beat won bought sold wrote built taught led hit overtook took gave made paid found sank drove caught fought hurt
    overthrew drew ate saw met sent bit shot struck sued told brought""".split()
)
# The same whichever end comes first, or no deed at all
_EVEN = frozenset(
    stem(word)
    for word in """marry meet equal resemble border join match face play fight interact bind contact overlap remain mean
    represent constitute form accompany divorce""".split()
)


class _Deed(NamedTuple):
    """verb: its stem, or the compared quality. ends: stems of who did it, and to whom. text: in their own words."""

    verb: str
    doer: frozenset[str]
    other: frozenset[str]
    text: str


def swapped(claim: str, passage: Sequence[str]) -> tuple[str, str] | None:
    """The words of the claim and of a sentence of the passage that have the same two ends the other way round."""
    ours = _deeds(claim)
    theirs = [deed for sentence in passage for deed in _deeds(sentence)] if ours else []
    for mine in ours:
        same = [deed for deed in theirs if deed.verb == mine.verb]
        if any(_straight(mine, deed) for deed in same):
            continue
        for deed in same:
            if _straight(mine, deed._replace(doer=deed.other, other=deed.doer)):
                return mine.text, deed.text
    return None


def _straight(a: _Deed, b: _Deed) -> bool:
    """Whether both ends agree, by words that tell one end from the other."""
    return bool((a.doer - a.other) & (b.doer - b.other)) and bool((a.other - a.doer) & (b.other - b.doer))


@lru_cache(maxsize=4096)
def _deeds(text: str) -> tuple[_Deed, ...]:
    tokens = _TOKEN.findall(fold(text[:1000]))[:_READ]
    return tuple(deed for at in range(1, len(tokens) - 1) for deed in _at(tokens, at))


def _at(tokens: Sequence[str], at: int) -> Iterator[_Deed]:
    """The deed whose verb, participle or "than" is the token at a place."""
    word = tokens[at]
    if word == _THAN:
        yield from _compared(tokens, at)
    elif not _verb(word):
        return
    elif _BE.isdisjoint(tokens[(start := _helped(tokens, at, _BE | _HELPS)) : at]):
        yield from _made(tokens, stem(word), _before(tokens, start), _after(tokens, at))
    elif by := _by(tokens, at):
        yield from _made(tokens, stem(word), _before(tokens, start), _after(tokens, by), passive=True)


def _by(tokens: Sequence[str], at: int) -> int:
    """The place of the "by" that follows a participle before the next mark of punctuation, or 0."""
    for place in range(at + 1, min(at + 1 + _BY, len(tokens))):
        if tokens[place] == "by":
            return place
        if not tokens[place].isalnum():
            break
    return 0


def _verb(word: str) -> bool:
    formed = len(word) > 3 and word.endswith(("ed", "s")) and not word.endswith(("ss", "us", "is"))
    return (formed or word in _PAST) and word.isascii() and word not in STOP and stem(word) not in _EVEN


def _compared(tokens: Sequence[str], at: int) -> Iterator[_Deed]:
    """ "Wind is cheaper than coal", "Oak grows more slowly than pine"; the verb that is no form of "be" is no end."""
    quality, more = tokens[at - 1], tokens[at - 2] if at > 1 and tokens[at - 2] in _MORE else ""
    if not (more or quality.endswith("er") or quality in _IRREGULAR):
        return
    start = at - 2 if more else at - 1
    verb = _helped(tokens, start, _BE | _HELPS | {"much", "far", "even"})
    left = _before(tokens, verb)
    if verb == start:
        left = left[:-1]
    yield from _made(tokens, f"{more} {stem(quality)} {_THAN}", left, _after(tokens, at))


def _made(tokens: Sequence[str], verb: str, left: range, right: range, passive: bool = False) -> Iterator[_Deed]:
    first, second = (frozenset(stem(tokens[i]) for i in place if not tokens[i].isdigit()) for place in (left, right))
    if first and second:
        text = " ".join(tokens[left.start : right.stop])
        yield _Deed(verb, *((second, first) if passive else (first, second)), text)


def _helped(tokens: Sequence[str], at: int, helps: frozenset[str] | set[str]) -> int:
    """Where the words that help a verb, and its adverbs, begin before it."""
    while at > 0 and (tokens[at - 1] in helps or (tokens[at - 1].endswith("ly") and len(tokens[at - 1]) > 4)):
        at -= 1
    return at


def _before(tokens: Sequence[str], end: int) -> range:
    """The words of content that stand together right before a place."""
    start = end
    while start > max(0, end - _WIDTH) and _content(tokens[start - 1]):
        start -= 1
    return range(start, end)


def _after(tokens: Sequence[str], at: int) -> range:
    """The words of content that stand together after a place and its article."""
    start = at + 1
    while start < len(tokens) and tokens[start] in _THE:
        start += 1
    end = start
    while end < min(len(tokens), start + _WIDTH) and _content(tokens[end]):
        end += 1
    return range(start, end)


def _content(token: str) -> bool:
    return token.isalnum() and token not in STOP
