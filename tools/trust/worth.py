"""Which sentences are worth citing: specific, self-contained statements; never boilerplate, headings or questions."""

import re

from tools.text.tokens import STOP, words
from tools.trust.statement import analyse

# The subject or place is said elsewhere: "Whether they are built depends", "Electricity is cheap there at noon"
_LOOSE = re.compile(
    r"^(?:[\w'’,-]+\s){0,6}it\b|^(?:[\w'’,-]+\s){0,3}(?:they|them|he|she|him|there(?!\s(?:is|are|was|were|has|have)))\b"
    r"|^(?:(?:half|most|much|some|all|none|part|the rest) of )?the (?:effect|difference|change|result|results|figure"
    r"|figures|method|fall|rise|gain|loss|comparison|estimate|same|other|second|first|latter|remaining|rest)"
    r"\s(?!of\b|in\b|between\b|from\b)",
    re.I,
)
# A text that speaks of itself
_ABOUT_ITSELF = re.compile(
    r"\b(?:this|the present|the|our) (?:report|review|note|paper|article|page|document|briefing|chapter|book|reader"
    r"|guide|overview|survey)\s(?:was (?:written|prepared|made)|is (?:written|organi[sz]ed|meant|divided)|covers"
    r"|describes|lists|deals|sums up|looks at|begins|ends|explains)\b"
    r"|\breaders? (?:should|may|will|can|who)\b|\binvented example\b",
    re.I,
)
_MIN_WORDS, _MAX_WORDS = 6, 60
_BOILERPLATE = re.compile(
    r"\b(?:cookie|cookies|privacy policy|terms of (?:use|service)|all rights reserved|subscribe|newsletter|sign up"
    r"|log ?in|click here|read more|share this|follow us|copyright|advertisement|javascript|your browser|skip to"
    r"|back to top|related articles|leave a comment|download pdf|view article|contact us|accept all|creative commons"
    r"|permission to make digital|this article is distributed|google scholar|doi:|isbn|issn|retrieved from)\b|©",
    re.I,
)
_POINTS_ELSEWHERE = re.compile(
    r"^(?:(?:and|but|so|or|however|thus|therefore|hence|moreover|then|also|instead|otherwise|yet|still),?\s+)*"
    r"(?:it|its|he|she|they|them|their|his|her|this|that|these|those|such|here|both|the (?:former|latter|above"
    r"|following|same|two|three)|one of them|another|we|our|i|my|you|your|as (?:above|shown|mentioned|noted)"
    r"|see (?:also|figure|table|section)|figure|fig\.|table|section|chapter|appendix|references?)\b",
    re.I,
)
_DANGLING = re.compile(
    r"\b(?:as (?:mentioned|described|shown|discussed) (?:above|below|earlier)|see (?:above|below))\b", re.I
)


def worth_citing(sentence: str) -> bool:
    """Whether a sentence can stand in a report by itself."""
    text = " ".join(sentence.split())
    count = len(words(text))
    if not _MIN_WORDS <= count <= _MAX_WORDS or len(text) > 600:
        return False
    if text[0].islower() or not (text[0].isalnum() or text[0] in "\"“‘'(«["):
        return False  # the rest of a sentence that was cut, or a mark of a list
    if text.rstrip("\"”’')»]")[-1:] not in (".", "!", "。", "！", "｡"):
        return False  # a question, a heading, or a line that was cut
    if any(pattern.search(text) for pattern in (_BOILERPLATE, _POINTS_ELSEWHERE, _DANGLING, _LOOSE, _ABOUT_ITSELF)):
        return False
    return _is_prose(text)


def _is_prose(text: str) -> bool:
    letters = sum(c.isalpha() for c in text)
    if letters < 0.6 * len(text.replace(" ", "")):
        return False  # a table row, a formula, a list of numbers
    return sum(c.isupper() for c in text) <= 0.4 * letters


def specificity(sentence: str) -> float:
    """How much a sentence pins down, 0..1: numbers, names, and words that carry content."""
    statement = analyse(" ".join(sentence.split()))
    all_words = words(sentence) or [""]
    content = sum(word not in STOP for word in all_words) / len(all_words)
    numbers = min(1.0, len(statement.quantities) / 2)
    names = min(1.0, len(statement.names) / 3)
    hedge = 0.15 if statement.hedged else 0.0
    return round(max(0.0, min(1.0, 0.5 * content + 0.35 * numbers + 0.15 * names - hedge)), 6)
