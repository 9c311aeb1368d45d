"""Whom a leading pronoun means, where the text leaves no doubt: one rule, and no answer where it does not hold.

A paragraph that opens with a name as its subject, and whose sentences up to ours go on with that name or with a
pronoun, is about that name ("Ada Byron was a mathematician. She ... In 1833 she ..."). The same holds for the kind of
thing that it was said to be ("Charmed is a television series. The series was ..."). Anything else stays unresolved, and
a sentence with an unresolved pronoun is not cited. The replacement stands in [brackets], as in any edited quotation.
"""

import re
from dataclasses import dataclass

from tools.text.sentences import spans

_LOOK_BACK = 1200  # characters of the paragraph that are read
_CHAIN = 4  # sentences between the name and the pronoun
_WORD = r"[A-Z][\w’'-]*\.?"
_LINK = r"(?:of|de|da|di|la|le|van|von|der|den|the|and|for|&)"
_NAME = rf"(?:The\s)?{_WORD}(?:\s(?:{_LINK}\s){{0,2}}{_WORD}){{0,5}}"
_VERB = r"(?:is|was|are|were|has|had|have|became|began|[a-z]{3,}ed)"
_SUBJECT = re.compile(rf"(?P<name>{_NAME})(?:\s?\([^()]{{0,120}}\))?(?:,[^,.]{{2,80}},)?\s(?P<verb>{_VERB})\b")
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Spring|Summer|Autumn"
    r"|Fall|Winter)"
)
# "In August of 1865, ", "By then ": no name stands in it that a pronoun could mean
_WHEN = rf"(?:In|By|On|At|During|Since|From|Until|Around|After|Before) (?:(?:{_MONTH}|[a-z\d][\w’'–-]*),? ){{1,6}}?"
_PRONOUN = re.compile(
    r"(?P<word>He|She|It|They|His|Her|Its|Their)\s(?!\w+\s(?:that|to)\b)(?=[a-z])"
    rf"|{_WHEN}(?P<later>he|she|it|they)\s(?!\w+\s(?:that|to)\b)(?=[a-z])"
)
_EXPLETIVE = re.compile(
    r"It\s(?:is|was|has been|seems|appears|remains|should be|can be|may be|must be|will be|takes|follows)\s"
    r"(?:\w+\s){0,3}?(?:that|to|whether|how|why)\b"
)
# What only a person is: dates of a life, or "is an English film director"
_PERSON = re.compile(
    r"\([^()]*(?:born|b\.|\d{4}\s?[–-])[^()]*\)|\b(?:is|was) (?:an?|the) (?:[\w’'-]+ ){0,6}?[\w-]+(?:er|or|ist|ian|man"
    r"|woman|king|queen|president|cleric|scholar|architect|poet|actress|prince|princess|pope|bishop|saint|chemist|judge|general"
    r"|spy|chef|monk|nun|activist|model|pilot|athlete|star)\b"
)
_POSSESSIVE = frozenset(("His", "Her", "Its", "Their"))
_PLURAL = frozenset(("They", "Their"))
_PERSONAL = frozenset(("He", "She", "His", "Her"))
_FAMILIES = {
    "He": "he",
    "His": "he",
    "She": "she",
    "Her": "she",
    "It": "it",
    "Its": "it",
    "They": "they",
    "Their": "they",
}
_NOT_NAMES = frozenset(
    """a an the in on at by for from with since after before during while when if as although though because this that
    these those it he she they we there here most many some several all both each one two three however thus so
    but and or no not today later then""".split()
)


# "The series was ...", of what was called "an American television series"
_KIND = re.compile(rf"The (?P<kind>[a-z][\w’'-]+)\s(?=(?:{_VERB}|will|can|did|does|also|then)\b)")
_BEFORE_KIND = r"(?:is|was|are|were) (?:an?|the|one of the) (?:(?!(?:{small})\b)[\w’'-]+,? ){{0,7}}?{kind}\b"
_SMALL = "of|in|by|for|from|with|that|which|who|whose|where|and|or|to|on|at|about|based|set"


@dataclass(frozen=True, slots=True)
class Antecedent:
    """What points at a name in a quote stands at start..end; `replacement` is what stands for it, brackets included."""

    start: int
    end: int
    replacement: str


def leading_pronoun(quote: str) -> str:
    """The third-person pronoun a sentence opens with, as at its head, also after a time ("In May she"); empty when
    there is none or it stands for nothing."""
    match = _PRONOUN.match(quote)
    if match is None or _EXPLETIVE.match(quote):
        return ""
    return match["word"] or match["later"].capitalize()


def antecedent(text: str, start: int, quote: str) -> Antecedent | None:
    """What the leading pronoun of a quote at text[start:] means, or "the film", "the series" in its place; None where
    that is not certain."""
    word = leading_pronoun(quote)
    pointing = _PRONOUN.match(quote) if word else _KIND.match(quote)
    if pointing is None:
        return None
    name = _topic(text, start, word) if word else _of_kind(text, start, pointing["kind"])
    if not name:
        return None
    said = f"{name}{'’' if name.endswith('s') else '’s'}" if word in _POSSESSIVE else name
    begin, end = pointing.span("later" if word and pointing["later"] else "word") if word else (0, pointing.end("kind"))
    return Antecedent(begin, end, f"[{said}]")


def _before(text: str, start: int) -> list[tuple[int, str]]:
    """The sentences of a paragraph before a place with their own places, the nearest first; as many as may stand
    between."""
    blank = text.rfind("\n\n", 0, start)
    paragraph = max(blank + 2 if blank >= 0 else 0, start - _LOOK_BACK)
    chain = [(a, text[a:b]) for a, b in spans(text, paragraph, start) if text[a:b].strip()]
    return chain[::-1][:_CHAIN]


def _topic(text: str, start: int, word: str) -> str:
    """The name that opens the paragraph, when every sentence from there to `start` is about it."""
    for at, sentence in _before(text, start):
        if _FAMILIES.get(leading_pronoun(sentence)) == _FAMILIES[word]:
            continue
        kind = _KIND.match(sentence) if _FAMILIES[word] == "it" else None
        return _of_kind(text, at, kind["kind"]) if kind else _subject(sentence, word)
    return ""


def _of_kind(text: str, start: int, kind: str) -> str:
    """The name that the paragraph opens with as a thing of this kind, when every sentence from there on is about it."""
    for _, sentence in _before(text, start):
        again = _KIND.match(sentence)
        if leading_pronoun(sentence) in ("It", "Its") or (again and again["kind"] == kind):
            continue
        flat = " ".join(sentence.split())
        match = _SUBJECT.match(flat)
        if match is None or match["name"].split()[0].lower() in _NOT_NAMES:
            return ""
        said = re.match(_BEFORE_KIND.format(small=_SMALL, kind=re.escape(kind)), flat[match.start("verb") :])
        return match["name"] if said else ""
    return ""


def _subject(sentence: str, word: str) -> str:
    """The name a sentence has as its subject, when the pronoun can mean it."""
    match = _SUBJECT.match(" ".join(sentence.split()))
    if match is None:
        return ""
    name, verb = match["name"], match["verb"]
    first = name.split()[0].lower()
    if " " not in name and not re.match(r"(?:is|was|are|were) (?:an?|the) ", match.string[match.start("verb") :]):
        return ""  # one word with a capital may only be the first of a sentence
    if first in _NOT_NAMES - {"the"} or name.lower() == "the":
        return ""
    if word in _PERSONAL and (
        not _PERSON.search(sentence[:300]) or first == "the" or len(name.split()) < 2 or verb in ("are", "were", "have")
    ):
        return ""
    if (word in _PLURAL) != (verb in ("are", "were", "have")):
        return ""
    return name
