"""E-E-A-T facets of a source, 0..1, from its text and metadata. They filter and break ties; people
see the score.

domain trust 0.30: the base score. freshness 0.15: 1.0 up to two years, falling linearly to 0.4 at
ten, 0.7 undated. authority 0.25: mean of named authors, affiliation, references, citations. quality
0.30: mean of depth, structure, specificity, figures and references. What was not read cannot be
judged: quality is 0.5 then.
"""

import math
import re

from tools.sources.ages import years_between
from tools.sources.source import Source

WEIGHTS = {"domain_trust": 0.30, "freshness": 0.15, "authority": 0.25, "quality": 0.30}
FRESH_YEARS, OLD_YEARS, OLD, UNDATED = 2.0, 10.0, 0.4, 0.7
UNREAD = 0.5
_ENOUGH_WORDS = 800  # of a page that goes into depth
_ENOUGH_PARTS = 12  # paragraphs and headings
_ENOUGH_DETAILS = 0.35  # details per sentence
_ENOUGH_REFERENCES = 10
_MANY_CITATIONS = 1000
_READ = 120_000  # characters; more tells nothing new

_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"[.!?](?:\s|$)")
_DETAIL = re.compile(r"\d[\d.,]*|\b(?:19|20)\d\d\b|%")
_CITED = re.compile(
    r"\[\d{1,3}\]|\(\s?[A-Z][\w-]+(?: et al\.| and [A-Z]\w+)?,? (?:19|20)\d\d\)|10\.\d{4,9}/|https?://"
)
_FIGURE = re.compile(r"\b(?:Fig(?:ure|\.)|Table|Chart|Tab\.)\s?\d", re.I)
_AFFILIATION = re.compile(
    r"\b(?:university|institute|department of|laboratory|faculty of|school of"
    r"|ministry of|college|hospital|agency)\b",
    re.I,
)


def facets(source: Source, text: str, domain_trust: float, as_of: str) -> dict[str, float]:
    """The four facets and `overall`, each rounded to 6 places. domain_trust: the base score, before
    modifiers."""
    beginning = text[:_READ]
    by_name = {
        "domain_trust": domain_trust,
        "freshness": freshness(source.published, as_of),
        "authority": authority(source, beginning),
        "quality": quality(source, beginning),
    }
    by_name["overall"] = sum(WEIGHTS[name] * value for name, value in by_name.items())
    return {name: round(value, 6) for name, value in by_name.items()}


def freshness(published: str | None, as_of: str) -> float:
    """1.0 up to two years, 0.4 from ten on, 0.7 when undated."""
    age = years_between(published, as_of)
    if age is None:
        return UNDATED
    share = (age - FRESH_YEARS) / (OLD_YEARS - FRESH_YEARS)
    return 1.0 - (1.0 - OLD) * min(1.0, max(0.0, share))


def authority(source: Source, text: str) -> float:
    """Mean of: named authors, an affiliation, references to others, citations by others (1.0 at a
    thousand)."""
    citations = source.cited_by_count or 0
    features = (
        1.0 if any(name.strip() for name in source.authors) else 0.0,
        1.0 if source.fields.get("affiliations") or _AFFILIATION.search(text[:3000]) else 0.0,
        _reaches(_references(source, text), _ENOUGH_REFERENCES),
        min(1.0, math.log1p(max(0, citations)) / math.log1p(_MANY_CITATIONS)),
    )
    return sum(features) / len(features)


def quality(source: Source, text: str) -> float:
    """Mean of: depth (words), structure (paragraphs), specificity (figures per sentence), figures
    and references."""
    if not text.strip():
        return UNREAD
    number_of_words = sum(1 for _ in _WORD.finditer(text))
    sentences = max(1, sum(1 for _ in _SENTENCE.finditer(text)))
    details = sum(1 for _ in _DETAIL.finditer(text))
    evidence_count = sum(1 for _ in _FIGURE.finditer(text)) + _references(source, text)
    features = (
        _reaches(number_of_words, _ENOUGH_WORDS),
        _reaches(sum(1 for line in text.split("\n") if line.strip()), _ENOUGH_PARTS),
        _reaches(details / sentences, _ENOUGH_DETAILS),
        _reaches(evidence_count, _ENOUGH_REFERENCES),
    )
    return sum(features) / len(features)


def _references(source: Source, text: str) -> int:
    return max(len(source.references), sum(1 for _ in _CITED.finditer(text)))


def _reaches(value: float, enough: float) -> float:
    return min(1.0, value / enough)
