"""Whom a leading pronoun means, where the text leaves no doubt: one rule, and no answer where it does not hold.

A paragraph that opens with a name as its subject, and whose sentences up to ours go on with that name or with a
pronoun, is about that name ("Ada Byron was a mathematician. She ..."). Anything else stays unresolved, and a sentence
with an unresolved pronoun is not cited. The replacement stands in [brackets], as in any edited quotation.
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
_PRONOUN = re.compile(r"(?P<word>He|She|It|They|His|Her|Its|Their)\s(?!\w+\s(?:that|to)\b)(?=[a-z])")
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


@dataclass(frozen=True, slots=True)
class Antecedent:
    """The pronoun at the head of a quote ends at `end`; `replacement` is what stands for it, brackets included."""

    end: int
    replacement: str


def leading_pronoun(quote: str) -> str:
    """The third-person pronoun a sentence opens with; empty when there is none or it stands for nothing."""
    match = _PRONOUN.match(quote)
    return match["word"] if match and not _EXPLETIVE.match(quote) else ""


def antecedent(text: str, start: int, quote: str) -> Antecedent | None:
    """What the leading pronoun of a quote at text[start:] means, or None where that is not certain."""
    word = leading_pronoun(quote)
    if not word:
        return None
    name = _topic(text, start, word)
    if not name:
        return None
    said = f"{name}{'’' if name.endswith('s') else '’s'}" if word in _POSSESSIVE else name
    return Antecedent(len(word), f"[{said}]")


def _topic(text: str, start: int, word: str) -> str:
    """The name that opens the paragraph, when every sentence from there to `start` is about it."""
    blank = text.rfind("\n\n", 0, start)
    paragraph = max(blank + 2 if blank >= 0 else 0, start - _LOOK_BACK)
    chain = [text[a:b] for a, b in spans(text, paragraph, start) if text[a:b].strip()]
    for back, sentence in enumerate(reversed(chain)):
        if back >= _CHAIN:
            return ""
        if _FAMILIES.get(leading_pronoun(sentence)) == _FAMILIES[word]:
            continue
        return _subject(sentence, word)
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
