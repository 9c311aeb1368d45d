"""Ages of works, from dates that may be only a year or a year and a month."""

import re
from collections.abc import Mapping
from datetime import date

from tools.sources.source import Source
from tools.text.tokens import words

_DATE = re.compile(r"^\s*(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?")
_YEAR_DAYS = 365.25

# Words that place a work in a field; two of them are needed, in its title, venue or abstract
FIELDS: Mapping[str, frozenset[str]] = {
    "medicine": frozenset(
        """medicine medical clinical clinic patient patients disease diseases therapy therapeutic
        treatment drug drugs trial vaccine vaccination hospital surgery surgical cancer tumor tumour
        diagnosis symptoms health lancet jama nejm bmj epidemiology infection cardiology
        cardiovascular diabetes pharmacology dose randomized""".split()
    ),
    "computing": frozenset(
        """computing computer computers software algorithm algorithms programming network networks
        neural learning machine deep data dataset transformer transformers language processor gpu
        cpu internet database databases cybersecurity encryption acm ieee arxiv benchmark code api
        cloud""".split()
    ),
}
_WORDS_NEEDED = 2


def day(text: str | None) -> date | None:
    """The first day that an ISO date, month or year may mean; None when it is none."""
    match = _DATE.match(text or "")
    if not match:
        return None
    year, month, number = (int(part) if part else 1 for part in match.groups())
    try:
        return date(year, month, number)
    except ValueError:
        return date(year, 1, 1) if year else None


def years_between(published: str | None, as_of: str) -> float | None:
    """Years from publication to `as_of`, never negative; None when either is unknown."""
    begin, end = day(published), day(as_of)
    if begin is None or end is None:
        return None
    return max(0.0, (end - begin).days / _YEAR_DAYS)


def outdated(source: Source, as_of: str, years: Mapping[str, int]) -> str | None:
    """A note when the work is older than its field keeps (years: field -> years; "default" for
    every other field)."""
    age = years_between(source.published, as_of)
    if age is None or not years:
        return None
    name = field_of(source, years)
    limit = years.get(name) if name else years.get("default")
    if not isinstance(limit, int | float) or isinstance(limit, bool) or age <= limit:
        return None
    where = f" in {name}" if name else ""
    return (
        f"May be outdated: published {(source.published or '')[:4]}, "
        f"more than {limit} years ago{where}."
    )


def field_of(source: Source, fields: Mapping[str, int]) -> str | None:
    """The field whose words the title, venue and abstract use most, among those asked for; ties by
    name."""
    declared = str(source.fields.get("field") or "").lower()
    if declared in fields:
        return declared
    tokens = set(words(f"{source.title} {source.venue or ''} {source.abstract[:2000]}"))
    hits = sorted(
        (-len(tokens & FIELDS.get(name, frozenset({name}))), name)
        for name in fields
        if name != "default"
    )
    if not hits:
        return None
    count, name = hits[0]
    return name if -count >= (_WORDS_NEEDED if name in FIELDS else 1) else None
