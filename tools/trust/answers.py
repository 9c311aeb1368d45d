"""What does a text answer to a question that has a short answer: a date, a number, a name, a kind of thing?

The subject is carried by the text as a whole (a page about a mill says "the mill was last worked in 1921"), so a
sentence need not name it. Surface features only; the answer is a key to compare with, never shown to anyone.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

from tools.text.tokens import STOP, fold, stem, stems, words
from tools.trust.dates import dates
from tools.trust.quantities import Quantity, quantities

DATE, NUMBER, NAME, KIND = "date", "number", "name", "kind"

_KIND_OF = re.compile(
    r"\b(?:is|was|are|were|became|remains|refers to|as)\s+(?:the\s|an?\s|one of the\s)?((?:[\w'’&-]+\s?){1,9})", re.I
)
_RUN = re.compile(
    r"(?<![\w])[A-ZÀ-Þ][\w'’&-]*(?:\.(?=\s[A-Z]))?(?:\s(?:(?:of|de|the|van|von|and|&|der|la|du)\s)?[A-ZÀ-Þ][\w'’&-]*(?:\.(?=\s[A-Z]))?)*"
)
_JUNK = re.compile(r"[|•▼→™®]|https?:|\bjavascript|\bcookies?\b|(?-i:(?:\b[A-Z][\w.]{0,40}\s){12})", re.I)
_ALMOST = 0.7  # what a word that may stand for what is asked is worth
_OTHER = re.compile(
    r"\b(?:density|per square|growth rate|under the age|breakdown|one race|hispanic|median age)\b", re.I
)
_BEFORE, _AFTER = 2, 4  # words beside what is asked
_BIRTH = frozenset(("born", "birth"))
_LIFE = _BIRTH | {"die", "death"}
# "Halsted Ritter (July 14, 1868 – October 15, 1951)"
_LIVED = re.compile(r"\((?:[^()]{0,40}?[;,]\s)?(?:born\s)?([\w ,.]{4,30}?\d{4})\s?[–-]\s?([\w ,.]{4,30}?\d{4})\)")
_CALENDAR = frozenset(
    """january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday""".split()
)
_SURE = 0.5  # of the words of what is asked, where the sentence does not name the subject
_LONG = 350  # characters of a sentence beyond which it is rather a table
_RUN_WORDS = 30
_ALIKE = 0.6  # of the terms of both: one is a copy of the other, but for a few words
_HELD = 0.66  # of the keys of one answer: a sentence that has more of them somewhere does not answer otherwise
_NOT_COUNTED = ("year", "date", "ordinal", "share", "points")
_DIGITS = ("year", "date")
_NOT_ASKED = frozenset(
    stem(word) for word in "year date name associated affiliated belong member estimated total current".split()
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question with a short answer. subject and aspect: stems of what it is about and of what is asked of it.

    meant: word by word of the aspect, the word with those that may stand for it. near: all that may, and what the first
    word of the question wants beside it. direct: whether the question names its subject; "the state where X lies" is
    described, and what texts say of X are steps to the answer, no answers.
    """

    kind: str
    subject: frozenset[str]
    aspect: frozenset[str]
    near: frozenset[str]
    said: frozenset[str]
    meant: tuple[frozenset[str], ...] = ()
    direct: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    """A sentence (offsets in the text) and what it answers, as keys. score: how surely it is the answer.

    value: of a number asked for; said: the words of a number or a date, as the sentence has them.
    """

    start: int
    end: int
    keys: frozenset[str]
    terms: frozenset[str]
    score: float
    exact: bool
    value: Quantity | None = None
    said: str = ""


def wanted(question: str, subject: str) -> Wanted | None:
    """What a question asks for; None where the answer is not a short one."""
    text = question.strip()
    signs, same = _table()
    kind = next((kind for kind in (DATE, NUMBER, NAME, KIND) if signs[kind].search(text)), None)
    about = frozenset(stems(subject))
    if kind is None or not about or signs["open"].search(text):
        return None
    aspect = frozenset(stems(text)) - about - _NOT_ASKED
    first = stem(words(text)[0])
    near = {stem(word) for one in (*aspect, first) for word in same.get(one, "").split()} - about
    direct = not signs["described"].search(text.replace(subject, "it"))
    meant = tuple(frozenset((one, *map(stem, same.get(one, "").split()))) for one in sorted(aspect))
    return Wanted(kind, about, aspect, frozenset(near) - aspect, frozenset(words(question)), meant, direct)


@lru_cache(maxsize=1)
def _table() -> tuple[dict[str, re.Pattern[str]], dict[str, str]]:
    """The shipped table: patterns by kind of answer, and by stem the words that may stand for it."""
    table = tomllib.loads(files("tools").joinpath("data", "answers.toml").read_text(encoding="utf-8"))
    signs = {kind: re.compile(pattern, re.I) for kind, pattern in table["wants"].items()}
    return signs, {stem(word): others for word, others in table["same"].items()}


def share_named(asked: Wanted, text: str) -> float:
    """How much of the subject a text names, 0..1."""
    return len(asked.subject & frozenset(stems(text))) / len(asked.subject)


def pieces(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans, long ones (tables and boxes read as text) cut into overlapping runs of some thirty words."""
    for start, end in spans:
        if end - start <= _LONG:
            yield start, end
            continue
        at = [match.span() for match in re.finditer(r"\S+", text[start:end])]
        for first in range(0, len(at), _RUN_WORDS // 2):
            last = min(len(at), first + _RUN_WORDS) - 1
            yield start + at[first][0], start + at[last][1]
            if last == len(at) - 1:
                break


def answers(asked: Wanted, text: str, places: Iterable[tuple[int, int]]) -> list[Answer]:
    """The answering spans among the places (start, end) of a text, best first."""
    found = [one for start, end in places if (one := _judge(asked, text, start, end)) is not None]
    return sorted(found, key=lambda one: (-one.score, one.start))


def speaks_of(asked: Wanted, answer: Answer) -> bool:
    """Whether an answering sentence names the subject in part, or says in so many words what is asked of it."""
    return bool(asked.subject & answer.terms) or (bool(asked.aspect) and asked.aspect <= answer.terms)


def covered(asked: Wanted, answer: Answer, title: str) -> float:
    """How much of what is asked an answering sentence speaks of, with the title above it, 0..1.

    What says little of it answers something else: "Who is the sibling of the performer of Decade?" is not answered by
    who performed it.
    """
    terms = answer.terms | frozenset(stems(title))
    return sum(bool(one & terms) for one in asked.meant) / len(asked.meant) if asked.meant else 1.0


def differ(a: Answer, b: Answer) -> bool:
    """Whether two sentences answer differently.

    Dates and numbers: when they are not the same. Names and kinds: when they share at most half of the keys of the one
    that has fewer, and neither sentence holds most keys of the other; in sentences that are otherwise alike (one is a
    copy of the other with the answer exchanged), when each has one that the other lacks.
    """
    if a.value and b.value and a.value.agrees(b.value):
        return False  # in whatever unit: 112 metres, 367 feet
    if a.exact or b.exact:
        return not any(_one_value(mine, other) for mine in a.keys for other in b.keys)
    if len(a.terms & b.terms) >= _ALIKE * len(a.terms | b.terms):
        return bool(a.keys - b.keys and b.keys - a.keys)
    if any(len(one.keys & other.terms) > _HELD * len(one.keys) for one, other in ((a, b), (b, a))):
        return False
    return 2 * len(a.keys & b.keys) <= min(len(a.keys), len(b.keys))


def _one_value(a: str, b: str) -> bool:
    """Whether two keys mean one number, or dates of which what both give is the same: "1888", "September 1888"."""
    if a == b or "|" not in a or "|" not in b:
        return a == b
    return all(mine == other for mine, other in zip(a.split("|"), b.split("|"), strict=True) if mine and other)


def _dated(text: str) -> str:
    """The key of a date, whatever its order: year|month|day, each empty where it is not given."""
    date = next(dates(text), None)
    if date is not None:
        return "|".join(str(part or "") for part in (date.year, date.month, date.day))
    year = next((one for one in quantities(text) if one.kind == "year"), None)
    return f"{year.value:.0f}||" if year else " ".join(words(text))


def _judge(asked: Wanted, text: str, start: int, end: int) -> Answer | None:
    sentence = text[start:end]
    terms = frozenset(stems(sentence)) | frozenset(
        stem(word) for word in words(sentence) if word in ("is", "was", "as", "by", "in")
    )
    hits = len(asked.aspect & terms) / len(asked.aspect) if asked.aspect else 0.5
    match = hits + (1 - hits) * (_ALMOST if asked.near & terms else 0.0)
    exact = asked.kind in (DATE, NUMBER)
    found = _nearest(asked, sentence) if exact else None
    said = found.text if found else ""
    keys = _keys(asked, sentence, found)
    if asked.kind == DATE and asked.aspect & _LIFE and (lived := _LIVED.search(sentence)):
        said, match = (lived[1] if asked.aspect & _BIRTH else lived[2]).strip(), 1.0
        keys = frozenset((_dated(said),))
        terms |= asked.aspect & _LIFE
    if not keys or match == 0 or (match < _SURE and not asked.subject & terms):
        return None
    named = len(asked.subject & terms) / len(asked.subject)
    early = 1.0 if start < 200 else 0.5 if start < 1000 else 0.0
    other = bool(_OTHER.search(sentence)) and not asked.aspect & frozenset(
        stems("density rate growth percent median age")
    )
    score = 0.55 * match + 0.25 * named + (0.1 if exact else 0.2) * early
    score += 0.2 * _says_it(asked, sentence) - 0.3 * bool(_JUNK.search(sentence)) - 0.3 * other
    value = found if asked.kind == NUMBER else None
    return Answer(start, end, keys, terms, round(score, 6), exact, value, said)


def _says_it(asked: Wanted, sentence: str) -> bool:
    """Whether the answer has the form asked for: "3,171 people" for a population, a whole date for a when."""
    found = quantities(sentence)
    if asked.kind == DATE:
        return any(one.kind == "date" for one in found)
    counted = asked.aspect | asked.near
    return asked.kind == NUMBER and any(
        stem(word) in counted
        for one in found
        if one.kind not in _NOT_COUNTED
        for word in words(sentence[one.end : one.end + 30])[:1]
    )


def _keys(asked: Wanted, sentence: str, found: Quantity | None) -> frozenset[str]:
    if asked.kind == DATE:
        return frozenset((_dated(found.text),)) if found else frozenset()
    if asked.kind == NUMBER:
        return frozenset((f"{found.value:.6g}",)) if found else frozenset()
    names = _names(asked, sentence)
    told = names if asked.kind == NAME else names | _kinds(asked, sentence)
    return told & _beside(asked, sentence) or told


def _nearest(asked: Wanted, sentence: str) -> Quantity | None:
    """The quantity that stands nearest to a word of what is asked, behind it rather than before; with a whole date."""
    known = quantities(sentence)
    if asked.kind == DATE:
        found = [one for one in known if one.kind in _DIGITS]
    else:
        found = [one for one in known if one.kind not in _NOT_COUNTED]
    marks = [
        (match.start(), match.end())
        for match in re.finditer(r"[^\W_]+", sentence)
        if stem(fold(match.group())) in asked.aspect | asked.near
    ]
    if not found or not marks:
        return None

    def far(one: Quantity) -> float:
        return min(one.start - end if one.start >= end else 1.5 * (start - one.end) + 3 for start, end in marks)

    counted = asked.aspect | asked.near

    def beside(one: Quantity) -> bool:
        return any(stem(word) in counted for word in words(sentence[one.end : one.end + 30])[:1])

    best = min(found, key=lambda one: (not beside(one), one.kind != "date", far(one), one.start))
    if asked.kind != DATE:
        return best
    whole = next((one for one in dates(sentence) if one.start <= best.start < one.end), None)
    return replace(best, text=sentence[whole.start : whole.end]) if whole else best


def _beside(asked: Wanted, sentence: str) -> frozenset[str]:
    """Stems that stand within a few words of what is asked."""
    line = [stem(word) for word in words(sentence)]
    marks = [i for i, word in enumerate(line) if word in asked.aspect or word in asked.near]
    return frozenset(line[j] for i in marks for j in range(max(0, i - _BEFORE), min(len(line), i + _AFTER + 1)))


def _names(asked: Wanted, sentence: str) -> frozenset[str]:
    """Words of capitalised runs that the question does not hold; the first word of a sentence counts in a run only."""
    found: set[str] = set()
    for match in _RUN.finditer(sentence):
        content = [word for word in words(match.group()) if word not in asked.said | STOP | _CALENDAR]
        if match.start() > 0 or len(content) > 1:
            found.update(stem(word) for word in content)
    return frozenset(found)


def _kinds(asked: Wanted, sentence: str) -> frozenset[str]:
    """Words of what the subject is said to be, and those that answer such a question by themselves."""
    found = {stem(word) for word in words(sentence)} & asked.near
    for match in _KIND_OF.finditer(sentence):
        found |= {stem(word) for word in words(match.group(1)) if word not in STOP and word not in asked.said}
    return frozenset(found)
