"""Which type of question is it, and what is its subject? Ordered rules; the first that reads it decides.

The patterns are in tools/data/question_patterns.toml: English in full; the openings of German, French and Spanish; a
few of Italian, Portuguese and Dutch. Both were worked on with the tuning half of benchmarks/questions.jsonl alone
(`python -m benchmarks questions`).
"""

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from tools.text.name_hints import is_organisation, is_person
from tools.text.tokens import STOP, words

_READ = 600  # characters; what a question says later does not change its type
_WIDE = 6  # words of a subject beyond which "what is ..." asks for findings, not for a definition
_TOPIC = 3  # words of a bare topic that is a term ("game theory"), not a field of questions

_WORD = r"[^\W\d_a-z][\w.&'’-]*"
_AT = re.compile(
    rf"^(?:the\s(?:\w+\s)?)?(?P<a>{_WORD}(?:\s{_WORD}){{0,3}}),?\s+(?:(?:an?|the)\s\w+\s)?(?:at|from|@)\s+(?:the\s)?"
    rf"(?P<b>{_WORD}(?:\s(?:of\s|for\s|the\s)*{_WORD}){{0,4}})\s*[?.]*$"
)
_LIST = re.compile(r"(?<!\s)\s+(?:vs\.?|versus)\s+|(?:(?<!\s)\s+)?,\s*(?:and\s+)?", re.I)
_LEADING = re.compile(
    r"^(?:(?:the|an?|une?|to|pros and cons of|which(?:\sone)?(?:\sis\b.*)?|what)\s+)+|^which(?: one)?$", re.I
)
_LEAD = re.compile(
    r"^(?:what|which|how|why|when|where|who|whose|do|does|did|is|are|was|were|can|could|will|would|should|has|have"
    r"|tell me|please|explain|describe|compare)\b",
    re.I,
)
_GROUP = re.compile(
    r"\b(?:lab|labs|group|department|school|centre|center|faculty|institute|team|unit|division)\b", re.I
)
# "the profession of Ada Lovelace", "the genre of ...": a property of something that has a name
_PROPERTY = re.compile(r"(?:[a-z]+\s){1,3}(?:of|for|in)\s(?:the\s(?:[a-z]+\s){1,2})?[\"“A-ZÀ-Þ]")
_PART = re.compile(
    rf"^(?:the\s)?[\w -]{{2,40}}?{_GROUP.pattern}\s(?:at|of|from)\s(?:the\s)?(?P<b>.{{2,80}}?)[?.]*$", re.I
)
_KNOWN = re.compile(r"(?:(?:currently|already|so far)\s)?known\s(?:so far\s)?(?:about|of|on)\s", re.I)
_IN = re.compile(r"\s(?:in|on|of|for|to|from|under|with|at|by|during|after|between|and|für|en|de|der|des)\s", re.I)


class Reading(NamedTuple):
    """kind: see Understanding.query_type. subject: as written, "" where none stands out. subjects: what is compared."""

    kind: str
    subject: str = ""
    subjects: tuple[str, ...] = ()


def classify(question: str) -> Reading:
    """Type, subject and compared subjects of a question; general when no rule reads it."""
    text = " ".join(question[:_READ].split())
    text = _patterns()["polite"][0].sub("", text).strip(" ¿¡") or text
    for rule in (_comparison, _claim, _person, _organisation, _told_about, _technical, _concept, _bare):
        if reading := rule(text):
            return reading
    return Reading("general")


def asks_for_somebody(question: str) -> bool:
    """Whether a person is asked for and not asked about: "Who invented X" is about X."""
    text = " ".join(question[:_READ].split())
    return bool(_first("asked_for", _patterns()["polite"][0].sub("", text).strip(" ¿¡")))


@lru_cache(maxsize=1)
def _patterns() -> Mapping[str, tuple[re.Pattern[str], ...]]:
    """The table, with its short forms written out and compiled."""
    table = tomllib.loads(files("tools").joinpath("data", "question_patterns.toml").read_text(encoding="utf-8"))
    short = table.pop("short")
    return {name: tuple(re.compile(_long(one, short), re.I) for one in listed) for name, listed in table.items()}


def _long(pattern: str, short: Mapping[str, str]) -> str:
    for name, written in short.items():
        pattern = pattern.replace(f"%{name}%", written)
    return pattern


def _first(name: str, text: str) -> re.Match[str] | None:
    """The first match among the patterns of one name; patterns anchor themselves."""
    return next((match for pattern in _patterns()[name] if (match := pattern.search(text))), None)


def _comparison(text: str) -> Reading | None:
    match = _first("compare", text)
    if match:
        a, b = _LEAD.sub("", match["a"]).strip(" ,:¿"), match["b"].strip(" ,:")
        several = [_LEADING.sub("", part) for side in (a, without_tail(b)) for part in _LIST.split(side) if part]
        return Reading("comparison", f"{a} {b}", tuple(dict.fromkeys(one for one in several if one)))
    return Reading("comparison", "") if _first("compare_loose", text) else None


def without_tail(subject: str) -> str:
    """ "lithium batteries for eight-hour storage" is compared as "lithium batteries"."""
    return re.split(r"(?<!\s)\s+(?:for|in|on|with|at|when|as)\s+", subject)[0]


def _claim(text: str) -> Reading | None:
    match = _first("claim", text)
    if match is None or _first("not_a_claim", match["claim"]):
        return None
    return Reading("claim_check", match["claim"].strip(" \"“”'"))


def _person(text: str) -> Reading | None:
    """Who ..., somebody at somewhere, a life or career, what somebody did."""
    if match := _first("who_holds", text):
        return Reading("organisation", match["subject"])
    if (match := _AT.match(text)) and (reading := _at(match["a"].strip(), match["b"])):
        return reading
    if match := _first("asked_for", text) or _first("person", text):
        return Reading("person", match["subject"])
    for name in ("person_tail", "did"):
        if (match := _first(name, text)) and is_person(match["subject"]):
            return Reading("person", match["subject"])
    if (match := _first("holder", text)) and not _first("concept", text[: match.start()] or "-"):
        return Reading("person", match["subject"])
    return None


def _at(name: str, place: str) -> Reading | None:
    """Somebody, or a part of an organisation, at a place."""
    if is_organisation(name) or (is_organisation(f"{name} {place}") and _GROUP.search(name)):
        return Reading("organisation", f"{name} {place}")
    return Reading("person", name) if is_person(name) or " " in name else None


def _organisation(text: str) -> Reading | None:
    """What an organisation does, has, or where it sits. The subject must look like a name."""
    if (match := _first("organisation", text)) and (match.groupdict().get("kind") or _as_a_name(match["subject"])):
        return Reading("organisation", match["subject"])
    if (match := _PART.match(text)) and is_organisation(match["b"]):
        return Reading("organisation", text)
    for name in ("organisation_named", "organisation_tail"):
        if (match := _first(name, text)) and is_organisation(match["subject"].strip(" :,")):
            return Reading("organisation", match["subject"])
    return None


def _as_a_name(subject: str) -> bool:
    """Whether a subject is an organisation's name, or at least capitalised throughout and no person's."""
    parts = [word for word in subject.split() if word.lower() not in STOP]
    capital = bool(parts) and all(part[0].isupper() for part in parts)
    return is_organisation(subject) or (capital and not is_person(subject))


def _told_about(text: str) -> Reading | None:
    """ "Tell me about X", "profile of X": X alone says what kind of question it is."""
    match = _first("about", text)
    if match is None:
        return None
    subject = match["subject"]
    return _name(subject) or (Reading("concept", subject) if len(subject.split()) <= _TOPIC else None)


def _name(subject: str) -> Reading | None:
    """A person or organisation, when the subject is or begins with such a name."""
    bare = re.sub(r"(?:(?<!\s)\s+)?\(.{0,300}\)\s*$", "", subject).strip(" ?.!,")
    bare = re.sub(r"^the\s", "", bare, flags=re.I)
    head = re.split(r",\s|:\s|\s(?:and|from|for|in)\s", bare)[0]
    for part in (bare, head):
        if is_organisation(part):
            return Reading("organisation", part)
        if is_person(part):
            return Reading("person", part)
    return None


def _technical(text: str) -> Reading | None:
    if _first("asks_figure", text) or (text[:3].lower() == "how" and _first("asks_effect", text)):
        return None
    match = _first("technical", text)
    return Reading("technical", match["subject"]) if match else None


def _concept(text: str) -> Reading | None:
    match = _first("concept", text)
    if match is None:
        return None
    subject = match["subject"]
    if known := _KNOWN.match(subject):  # "what is known about X" asks for findings, not what X is
        subject = subject[known.end() :]
        return None if _is_wide(subject) else Reading("general", subject)
    if named := _name(subject):
        return named
    return None if _is_wide(subject) else Reading("concept", subject)


def _is_wide(subject: str) -> bool:
    """ "What is the effect of X on Y" asks for findings, not for a definition."""
    return (
        len(subject.split()) > _WIDE
        or bool(_PROPERTY.match(subject))
        or (bool(_first("relation", subject)) and not _first("defined", subject))
    )


def _bare(text: str) -> Reading | None:
    """No question at all: a name, a name with what is known beside it, or a term."""
    text = text.strip(" ?.!")
    if named := _name(text):
        return named
    parts = text.split()
    for size in (3, 2):
        if len(parts) > size and len(parts) <= size + 4 and is_person(" ".join(parts[:size])):
            return Reading("person", " ".join(parts[:size]))
    if _LEAD.match(text) or _IN.search(f" {text} ") or _first("relation", text):
        return None
    return Reading("concept", text) if 0 < len(words(text)) <= _TOPIC + bool(_first("article", text)) else None
