"""From a span of a text to a sentence for a report: where the statement begins, what edits it needs, whether it may.

Reads the neighbourhood: the label a sentence of a structured abstract stands behind ("METHODS"), the sentence after it
that denies it ("This is false."), and whether the whole text is written without capitals.
"""

import re
from functools import lru_cache

from tools.trust.edits import QuoteEdit, replay, smooth
from tools.trust.orders import in_a_talk
from tools.trust.wording import HELD_UP
from tools.trust.worth import worth_citing

_LIST_MARK = re.compile(r"(?:\(?\d{1,2}[.)]|[-•*–‣◦])\s{1,3}")
_FINDS = (
    "RESULTS?|FINDINGS?|CONCLUSIONS?|INTERPRETATION|BACKGROUND|INTRODUCTION|SIGNIFICANCE|DISCUSSION|CONTEXT|SUMMARY"
)
_ASKS = (
    "OBJECTIVES?|AIMS?|PURPOSES?|METHODS?|DESIGN|STUDY DESIGN|SETTINGS?|PARTICIPANTS|PATIENTS|SUBJECTS|INTERVENTIONS?"
    "|MAIN OUTCOME MEASURES?|OUTCOME MEASURES?|PRIMARY OUTCOMES?|MEASUREMENTS?|DATA SOURCES?|DATA EXTRACTION"
    "|DATA SYNTHESIS|STUDY SELECTION|FUNDING|TRIAL REGISTRATION|MATERIALS|METHODOLOGY|PROCEDURES?"
)
_NAMES = rf"(?:{_ASKS}|{_FINDS})(?:\s?(?:AND|/|&|,)\s?[A-Z]{{4,}}(?:\s[A-Z]{{4,}})?){{0,3}}"
_BEGINS = r"(?=[\"“(\[A-Z0-9])"
# "RESULTS Vitamin D rose ...", "Background: The prevalence ..."
_LABEL = re.compile(
    rf"(?:{_NAMES})(?::\s?|\s[-–—]\s|\s)(?=[\"“(\[\w])(?!(?:of|in|from|for|and|are|were|is|was)\b)|(?i:{_NAMES})\s?:\s{_BEGINS}"
)
_LABELS = re.compile(rf"(?:\A|(?<=[.\n]))[^\S\n]{{0,8}}+(?:{_LABEL.pattern})")
_ASKING = re.compile(rf"(?i:{_ASKS})\b")
_ABSTRACT = 3000  # characters before a sentence in which its label is looked for
_DENIES = re.compile(
    r"\W{0,4}(?:(?:this|that|it|which|(?:the|this|that) (?:claim|statement|story|rumou?r|idea|belief|assertion|quote))"
    r" (?:is|was|has (?:since )?been|has proved|proved) (?:\w+ ){0,2}?(?:false|wrong|untrue|incorrect|not true"
    r"|not correct|a myth|misleading|mistaken|debunked|refuted|disproved|disproven|nonsense|baseless|unfounded"
    r"|retracted)|(?:not true|wrong|false|incorrect|nonsense|a myth)[.!:,]|nothing could be further|fact:|reality:"
    r"|in reality,|(?:our |the )?(?:verdict|rating|ruling)(?::| is) ?(?:\w+ )?(?:false|untrue|wrong|fake|misleading))",
    re.I,
)
_ITEM = re.compile(r"(?:^|\n)[ \t]*(?:\(?\d{1,2}[.)]|[-•*–‣◦])\s{1,3}$")
_SIDE_CLAUSE = re.compile(r",? (?:since|because|which|who|that|although|while|so that|if|when|where|as)\b")
_FINITE = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|may|might|will|would|shall|should|must|[a-z]{2,}ed"
    r"|rose|fell|grew|made|gave|took|came|went|saw|found|held|kept|left|led|lost|met|paid|ran|said|sent|set|stood|told"
    r"|won|wrote|became|began|brought|built|bought|drew|drove|[a-z]{3,}s (?:the|an?|no|its|their|from|by|to|in))\b"
)
_STATES = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|may|might|will|would|must|shows?|showed|found|indicates?|increases?"
    r"|decreases?|gives?|agrees?|depends?|leads?|causes?|occurs?|remains?|becomes?)\b"
)
_SMALL = 0.002  # share of capitals below which a text is written without them


def opening(text: str, start: int, end: int) -> int:
    """Where a statement begins behind the number or bullet of a list and the label of an abstract's part."""
    mark = _LIST_MARK.match(text, start, min(end, start + 8))
    start = mark.end() if mark else start
    label = _LABEL.match(text, start, min(end, start + 90))
    return label.end() if label else start


def shown(text: str, start: int, end: int) -> tuple[str, tuple[QuoteEdit, ...]]:
    """The sentence that text[start:end] makes in a report, and its edits."""
    sentence, edits = smooth(text[start:end], text, start)
    if sentence[:1].islower() and not any(edit.start == 0 for edit in edits) and _without_capitals(text[:4000]):
        edits = (QuoteEdit(0, 1, text[start].upper(), "case"), *edits)
        sentence = replay(text[start:end], edits)
    return sentence, edits


def quotable(text: str, start: int, end: int) -> str | None:
    """The sentence that a span makes in a report, or None when it may not stand there."""
    if _DENIES.match(text, end, min(len(text), end + 120)) or _asks(text, start):
        return None
    if HELD_UP.search(text, max(0, start - 40), start):
        return None
    sentence, _ = shown(text, start, end)
    small = _without_capitals(text[:4000])
    if small and not _STATES.search(_SIDE_CLAUSE.split(sentence)[0]):
        return None  # in a text without capitals a title looks like a sentence
    if _ITEM.search(text, max(0, start - 8), start) and not _FINITE.search(_SIDE_CLAUSE.split(sentence)[0]):
        return None  # an item of a list that is no sentence
    return sentence if worth_citing(sentence, small) and not in_a_talk(text, start, end) else None


def _asks(text: str, start: int) -> bool:
    """Whether the part of a structured abstract that holds a place says what was asked or done, not what came out."""
    begin = max(0, start - _ABSTRACT, text.rfind("\n\n", 0, start) + 1)
    labels = [match[0] for match in _LABELS.finditer(text, begin, start + 1)]
    return bool(labels and _ASKING.match(labels[-1].lstrip()))


@lru_cache(maxsize=256)
def _without_capitals(text: str) -> bool:
    letters = sum(c.isalpha() for c in text)
    return letters > 200 and sum(c.isupper() for c in text) < _SMALL * letters
