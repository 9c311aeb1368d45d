"""Which way a sentence says something goes: polar words with their sign, negation, and how two sets of them relate.

A mark is a polar word at a place in the sentence: on the axis `amount` (up, down), `link` (has to do with, has not) or
one of the opposites or scopes of tools/data/polarity.toml. A negation before it turns it round. Surface features only;
whether two marks speak of the same thing is judged by the words around them (tools/trust/comparison.py).
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from tools.text.tokens import STOP, stem

UP, DOWN = 1, -1
_READ, _MARKS = 600, 60  # what is looked at of a sentence without end
_REACH = 4  # words after a negation that it may turn
NEGATIONS = frozenset(
    """not no never none nor neither without cannot cant hardly barely scarcely fail fails failed unable nobody nothing
    nowhere""".split()
)
_SHORTENED = frozenset("don doesn didn isn aren wasn weren hasn haven hadn can couldn won wouldn shouldn ain".split())
# "not only", "no fewer than", "not necessarily": these deny nothing, or not the thing itself
_BOUNDS = tuple(
    (word,)
    for word in """only just merely later fewer less more doubt solely necessarily always all every entirely completely
    exclusively""".split()
)


@dataclass(frozen=True, slots=True)
class Mark:
    """at: index of the word. axis, sign: what the word says. negated: whether a negation stands before it."""

    at: int
    axis: str
    sign: int
    negated: bool
    word: str

    @property
    def scope(self) -> bool:
        """Whether it says whom or what is spoken of rather than what is said."""
        return self.axis.startswith("scope")


@lru_cache(maxsize=1)
def lexicon() -> Mapping[str, tuple[tuple[str, int], ...]]:
    """Stem -> (axis, sign) pairs; a word may lie on several axes."""
    read = tomllib.loads(files("tools.data").joinpath("polarity.toml").read_text("utf-8"))
    found: dict[str, dict[str, int]] = {}

    def add(words: str, axis: str, sign: int) -> None:
        for word in words.split():
            found.setdefault(stem(word), {}).setdefault(axis, sign)

    add(read["amount"]["up"], "amount", UP)
    add(read["amount"]["down"], "amount", DOWN)
    add(read["link"]["yes"], "link", UP)
    add(read["link"]["no"], "link", DOWN)
    for kind in ("opposites", "scopes"):
        for number, pair in enumerate(read[kind]["pairs"]):
            left, right = pair.split("|")
            add(left, f"{kind[:-1]} {number}", UP)
            add(right, f"{kind[:-1]} {number}", DOWN)
    return {word: tuple(sorted(axes.items())) for word, axes in found.items()}


@lru_cache(maxsize=1)
def _listed() -> frozenset[str]:
    """Stop words that are polar themselves ("more"), not by a stem they share ("use", "useful")."""
    text = files("tools.data").joinpath("polarity.toml").read_text("utf-8")
    return STOP.intersection(text.replace('"', " ").split())


@lru_cache(maxsize=20000)
def marks(words: tuple[str, ...]) -> tuple[Mark, ...]:
    """The polar words among the first 600 folded words of a sentence, each with whether it is negated; at most 60."""
    known = lexicon()
    found: list[Mark] = []
    negation = -99
    for at, word in enumerate(words[:_READ]):
        if _negates(words, at):
            negation = at
            continue
        for axis, sign in known.get(stem(word), ()) if word not in STOP or word in _listed() else ():
            found.append(Mark(at, axis, sign, at - negation <= _REACH, word))
    return tuple(found[:_MARKS])


def denied(words: tuple[str, ...]) -> frozenset[str]:
    """Stems that a negation turns: the first content word after it, and polar words within its reach."""
    reached: set[str] = set()
    for at in range(min(len(words), _READ)):
        if not _negates(words, at) or words[at] == "without":
            continue
        after = [stem(word) for word in words[at + 1 : at + 1 + _REACH] if word not in STOP]
        reached.update(after[:1])
        reached.update(one for one in after if any(not axis.startswith("scope") for axis, _ in lexicon().get(one, ())))
    return frozenset(reached)


def _negates(words: tuple[str, ...], at: int) -> bool:
    """Whether the word is a negation: one of the list, or the t of "don't" (not that of "T cell")."""
    if words[at] == "t":
        return at > 0 and words[at - 1] in _SHORTENED
    return words[at] in NEGATIONS and not (words[at] in ("not", "no") and words[at + 1 : at + 2] in _BOUNDS)


def relation(a: Mark, b: Mark) -> int:
    """1 when two marks say the same, -1 when they are opposed, 0 when they do not bear on each other."""
    if a.axis == b.axis:
        if a.negated == b.negated:
            return 1 if a.sign == b.sign else (-1 if not a.negated else 0)
        return -1 if a.sign == b.sign else 0
    if {a.axis, b.axis} == {"amount", "link"}:
        link, amount = (a, b) if a.axis == "link" else (b, a)
        unlinked = (link.sign == DOWN) != link.negated
        if amount.negated:
            return 0
        return -1 if unlinked else 0
    return 0
