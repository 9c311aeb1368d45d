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
_SCOPE = 10  # and words among which lies what it denies, with those that follow
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
# Words that deny what follows without being negations: "does little to prevent", "far from curing"
_SHORT_OF = {"little": "to", "useless": "for", "rather": "than", "instead": "of"}
_SHORT_OF |= dict.fromkeys(("refuse", "refuses", "refused", "declines", "declined"), "to")
_LACKS = frozenset(("lack", "lacks", "lacked"))
_OF_VERBS = frozenset(("not", "t", "never", "cannot"))  # what turns the verb: its object is denied with it
_BREAKS = frozenset(
    """but and while whereas although though because which who when after before since until unless if that as
    where""".split()
)
_DENIERS = NEGATIONS | _LACKS | _SHORT_OF.keys() | {"t", "almost", "nearly", "far", "few"}
_UNDONE = ("un", "in", "im", "non", "dis", "ir", "il")


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
    for at in _deniers(words):
        if words[at] in ("almost", "nearly"):
            reached.update(_undone(words[at + 1 : at + 2]))
        elif _falls_short(words, at):
            reached.update(_content(words, at)[:1])
        elif _negates(words, at) and words[at] != "without":
            after = _content(words, at)
            reached.update(after[:1], (one for one in after if _polar(one)))
    return frozenset(reached)


def _deniers(words: tuple[str, ...]) -> list[int]:
    """Places of words that may deny what follows: most sentences have none."""
    return [at for at, word in enumerate(words[:_READ]) if word in _DENIERS]


def _content(words: tuple[str, ...], at: int) -> list[str]:
    """Stems of the words of content within reach behind a place."""
    return [stem(word) for word in words[at + 1 : at + 1 + _REACH] if word not in STOP]


def _polar(term: str) -> bool:
    return any(not axis.startswith("scope") for axis, _ in lexicon().get(term, ()))


def left_out(words: tuple[str, ...]) -> frozenset[str]:
    """Stems of what something is without; "with or without rain" leaves nothing out."""
    found: set[str] = set()
    for at in _deniers(words):
        if words[at] == "without" and words[at - 1 : at] != ("or",):
            found.update(_content(words, at)[:1])
    return frozenset(found)


def denials(words: tuple[str, ...], of_verbs: bool = False) -> tuple[tuple[str, ...], ...]:
    """What each negation denies: stems of the words behind it up to the next clause, what it turns first.

    of_verbs: only of those that stand before a verb ("never won", not "nobody won").
    """
    found = []
    for at in _deniers(words):
        little = words[at] in ("little", "few") and _polar(stem("".join(words[at + 1 : at + 2])))  # "little effect"
        negates = _negates(words, at) and words[at] != "without"
        if not (negates or little or _lacks(words, at)) or (of_verbs and words[at] not in _OF_VERBS):
            continue
        behind = words[at + 1 : at + 1 + _SCOPE]
        end = next((i for i, word in enumerate(behind) if word in _BREAKS), len(behind))
        found.append(tuple(stem(word) for word in behind[:end] if word not in STOP))
    return tuple(scope for scope in found if scope)


def undoes(term: str, other: str) -> bool:
    """Whether one stem is the other with a prefix that denies it ("unmarri", "marri")."""
    return any(term == prefix + other for prefix in _UNDONE)


def _falls_short(words: tuple[str, ...], at: int) -> bool:
    """Whether what follows is denied by other means than a negation."""
    if _lacks(words, at):
        return True
    after = words[at + 1 : at + 3]
    if words[at] == "far":
        return len(after) == 2 and after[0] == "from" and after[1].endswith("ing")
    return after[:1] == (_SHORT_OF.get(words[at]),)


def _lacks(words: tuple[str, ...], at: int) -> bool:
    """Whether something is said to be lacking to somebody; "the lack of rain" is a thing itself."""
    return words[at] in _LACKS and words[at + 1 : at + 2] != ("of",)


def _undone(following: tuple[str, ...]) -> frozenset[str]:
    """What was almost done: the verb, unless it says how much ("nearly doubled")."""
    done = (stem(word) for word in following if word.endswith(("ed", "en", "wn")) and word not in STOP)
    return frozenset(one for one in done if all(axis != "amount" for axis, _ in lexicon().get(one, ())))


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
