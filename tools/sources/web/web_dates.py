"""Dates as web services and feeds write them: RFC 822, ISO, "Jan 29, 2023", "Seg, 24 Set 2018", "3
days ago".

A date is what was written, without change of time zone; one that is impossible or not understood is
None.
"""

import re
from datetime import date, timedelta
from email.utils import parsedate

from tools.documents.parsers.authors_and_dates import iso_date
from tools.sources.answer_fields import partial_date, string
from tools.text.tokens import fold

# How French, Italian, Portuguese and Spanish shorten months; in sentences these are other words
_SHORT = dict(
    pair.split(":")
    for pair in """janv:jan ene:jan gen:jan fevr:feb fev:feb mrz:mar avr:apr abr:apr mag:may giu:jun
    juil:jul lug:jul ago:aug set:sep out:oct ott:oct dic:dec""".split()
)
_WORD = re.compile(r"[^\W\d_]{3,4}\b")
_YEAR_OF_TWO_DIGITS = re.compile(r"[a-z]{3}, \d{1,2} [a-z]{3} \d\d ")
_AGO = re.compile(r"^(an?|\d{1,3}) (second|minute|hour|day|week|month|year)s? ago$")
_DAYS = {"second": 0, "minute": 0, "hour": 0, "day": 1, "week": 7}
_LONGEST = 80


def written_date(value: object, today: str = "") -> str | None:
    """The ISO date a text names. today: ISO date from which "3 days ago" counts; without it such
    ages are unknown."""
    text = " ".join(string(value).lower().split())[:_LONGEST]
    if match := _AGO.match(text):
        return _ago(match, today) if today else None
    if _YEAR_OF_TWO_DIGITS.match(text) and (parts := parsedate(text)):
        return partial_date(*parts[:3])
    return iso_date(_WORD.sub(lambda word: _SHORT.get(fold(word[0]), word[0]), text))


def _ago(match: re.Match[str], today: str) -> str:
    count = int(match[1]) if match[1].isdigit() else 1
    now = date.fromisoformat(today)
    if match[2] in _DAYS:
        return (now - timedelta(days=count * _DAYS[match[2]])).isoformat()
    months = now.year * 12 + now.month - 1 - count * (12 if match[2] == "year" else 1)
    # "2 months ago" is no day: the month is all that is known
    if match[2] == "month":
        return f"{months // 12:04d}-{months % 12 + 1:02d}"
    return f"{months // 12:04d}"
