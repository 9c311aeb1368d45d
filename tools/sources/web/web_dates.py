"""Dates as web services and feeds write them: RFC 822, ISO, "Jan 29, 2023", "Seg, 24 Set 2018", "3
days ago".

A date is what was written, without change of time zone; one that is impossible or not understood is
None.
"""

import re
from datetime import date, timedelta

from tools.sources.answer_fields import iso_date, partial_date, string

_MONTHS = {
    # English, then the spellings of German, French, Spanish, Portuguese, Italian and Dutch that
    # differ
    1: "jan january januar janvier janv enero ene janeiro gennaio gen januari",
    2: "feb february februar fevrier fevr febrero fevereiro fev febbraio februari",
    3: "mar march marz maerz mrz mars marzo marco maart mrt",
    4: "apr april avril avr abril abr aprile",
    5: "may mai mayo maio maggio mag mei",
    6: "jun june juni juin junio junho giugno giu",
    7: "jul july juli juillet juil julio julho luglio lug",
    8: "aug august aout agosto ago augustus",
    9: "sep sept september septembre septiembre setembro set settembre",
    10: "oct october oktober okt octobre octubre outubro out ottobre ott",
    11: "nov november novembre noviembre novembro",
    12: "dec december dezember dez decembre diciembre dic dezembro dicembre",
}
_NUMBER = {name: number for number, names in _MONTHS.items() for name in names.split()}
_PLAIN = str.maketrans("äáàâãéèêíóôõöúûüç", "aaaaaeeeioooouuuc")
_DAY_FIRST = re.compile(
    r"\b(\d{1,2})(?:st|nd|rd|th|\.)?[ -](?:de )?([^\W\d_]{3,9})\.?,?[ -](?:de )?(\d{4}|\d{2})\b"
)
_MONTH_FIRST = re.compile(r"\b([^\W\d_]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b")
_AGO = re.compile(r"^(an?|\d{1,3}) (second|minute|hour|day|week|month|year)s? ago$")
_DAYS = {"second": 0, "minute": 0, "hour": 0, "day": 1, "week": 7}
_LONGEST = 80


def written_date(value: object, today: str = "") -> str | None:
    """The ISO date a text names. today: ISO date from which "3 days ago" counts; without it such
    ages are unknown."""
    text = " ".join(string(value).lower().split())[:_LONGEST].translate(_PLAIN)
    if not text:
        return None
    if date := iso_date(text.upper()) if re.match(r"\d{4}(?!\d)", text) else None:
        return date
    if match := _DAY_FIRST.search(text):
        return _day(match[3], match[2], match[1])
    if match := _MONTH_FIRST.search(text):
        return _day(match[3], match[1], match[2])
    return _ago(text, today)


def _day(year: str, month: str, day: str) -> str | None:
    number = _NUMBER.get(month)
    whole = int(year) + (0 if len(year) == 4 else 2000 if int(year) < 70 else 1900)
    return partial_date(whole, number, int(day)) if number else None


def _ago(text: str, today: str) -> str | None:
    match = _AGO.match(text)
    if not match or not today:
        return None
    count = int(match[1]) if match[1].isdigit() else 1
    now = date.fromisoformat(today)
    if match[2] in _DAYS:
        return (now - timedelta(days=count * _DAYS[match[2]])).isoformat()
    months = now.year * 12 + now.month - 1 - count * (12 if match[2] == "year" else 1)
    # "2 months ago" is no day: the month is all that is known
    if match[2] == "month":
        return f"{months // 12:04d}-{months % 12 + 1:02d}"
    return f"{months // 12:04d}"
