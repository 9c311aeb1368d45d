"""Dates in sentences, whatever their order: 2023-10-15, 15/10/2023, 10/15/23, 15. Oktober 2023,
October 15, 2023.

A date is a number MMDD (1015) and, where one is given, a year. Where day and month could be either
(05/10/2023) the date has both readings; with stops (05.10.2023) the day is first. Times of day are
those with a.m. or p.m., or with a colon (9:30).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tools.text.tokens import UNSPACED, fold

# one line a month: en, de, fr, es, it, pt, nl, and what they are shortened to
_MONTHS = (
    "january januar janvier enero gennaio janeiro januari jan janner",
    "february februar fevrier febrero febbraio fevereiro februari feb",
    "march marz maerz mars marzo marco maart mrt mar",
    "april avril abril aprile apr",
    "may mai mayo maggio maio mei",
    "june juni juin junio giugno junho jun",
    "july juli juillet julio luglio julho jul",
    "august aout agosto augustus aug",
    "september septembre septiembre settembre setembro sept sep",
    "october oktober octobre octubre ottobre outubro oct okt",
    "november novembre noviembre novembro nov",
    "december dezember decembre diciembre dicembre dezembro dec dez",
)
MONTH_NAMES = tuple(names.split()[0] for names in _MONTHS)  # in English
MONTH = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_VERBS = frozenset("may march mar dec".split())  # small, these are other words
_NEXT_CENTURY = 50  # 4/3/49 is of 2049, 4/3/50 of 1950
_LETTERS = r"[^\W\d_]{3,10}"
_DATE = re.compile(
    rf"(?<![^\W{UNSPACED}])(?<![./-])(?:"
    r"(?P<iso>\d{4}[-/.]\d{1,2}[-/.]\d{1,2})(?:T[\d:.]+Z?)?"
    r"|(?P<numeric>\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{1,2}/\d{1,2}/\d{2}(?!/))"
    rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|º|ª|\.)?\s(?:of\s|de\s)?(?P<month>{_LETTERS})\b\.?"
    r"(?:,?\s(?:de[l]?\s)?(?P<year>\d{4})(?![\d.,]*\d))?"
    rf"|(?P<month2>{_LETTERS})\.?\s(?:(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?![\d.,%]*\d|\s?%)(?:,?\s(?P<year2>\d{{4}}))?"
    r"|(?:of\s|de\s)?(?P<year3>\d{4})(?![\d.,]*\d))"
    rf")(?![^\W{UNSPACED}])"
)
_SPACE = re.compile(r"\s")
_HOUR = re.compile(
    r"(?<![\w.,:/-])(?:(?P<hour>1[0-2]|0?[1-9])(?:[:.](?P<minute>[0-5]\d))?\s?(?P<half>[ap])(?:\.\s?m\.|m\b)"
    r"|(?P<hour2>[01]?\d|2[0-3]):(?P<minute2>[0-5]\d)(?![\w:]))",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Date:
    """month, day: 0 where not given. swapped: the other reading as (month, day), or None. year:
    None if not given."""

    month: int
    day: int
    year: int | None
    start: int
    end: int
    swapped: tuple[int, int] | None = None


def iso(year: int | str, month: int | str | None, day: int | str | None) -> str:
    """An ISO date as exact as the parts allow."""
    if not month or not 1 <= int(month) <= 12:
        return f"{int(year):04d}"
    if not day or not 1 <= int(day) <= 31:
        return f"{int(year):04d}-{int(month):02d}"
    return f"{int(year):04d}-{int(month):02d}-{int(day):02d}"


def dates(text: str) -> Iterator[Date]:
    """The dates of a text, in order. Something that only looks like one (45/99/2020) is none."""
    if not any(char.isdigit() for char in text):
        return
    at = 0
    while match := _DATE.search(text, at):
        date = _date_of(match)
        if date:
            yield date
            at = match.end()
        elif match["iso"] or match["numeric"]:
            at = match.start() + 1
        else:
            # A word before a number need not be a month: what follows it may still begin a date
            gap = _SPACE.search(text, match.start())
            at = gap.end() if gap else len(text)


def hours(text: str) -> Iterator[tuple[int, int | None, int, int]]:
    """(minutes since midnight, the other reading, start, end) of the times of day: "9 a.m.", "9.30
    pm", "9:30".

    The other reading of "9:30" is half past nine in the evening; the rest have none.
    """
    for match in _HOUR.finditer(text):
        if match["half"]:
            hour = int(match["hour"]) % 12 + (12 if match["half"] in "pP" else 0)
            yield hour * 60 + int(match["minute"] or 0), None, match.start(), match.end()
        else:
            minutes = int(match["hour2"]) * 60 + int(match["minute2"])
            yield minutes, minutes + 720 if minutes < 780 else None, match.start(), match.end()


def _date_of(match: re.Match[str]) -> Date | None:
    if match["iso"]:
        year, month, day = map(int, re.split(r"[-/.]", match["iso"]))
        return _date(match, month, day, year)
    if match["numeric"]:
        return _read_numeric(match)
    if match["month2"] in _VERBS:
        return None
    month = MONTH.get(fold(match["month"] or match["month2"]), 0)
    day = int(match["day"] or match["day2"] or 0)
    year_digits = match["year"] or match["year2"] or match["year3"]
    return _date(match, month, day, int(year_digits) if year_digits else None)


def _read_numeric(match: re.Match[str]) -> Date | None:
    first, second, year = (int(part) for part in re.split(r"[-/.]", match["numeric"]))
    if year < 100:
        year += 2000 if year < _NEXT_CENTURY else 1900
    if first > 12:
        return _date(match, second, first, year)
    if second > 12 or first == second:
        return _date(match, first, second, year)
    date = _date(match, second, first, year)  # day first, as most of the world writes
    if "." in match["numeric"] or date is None:
        return date
    return replace(date, swapped=(first, second))


def _date(match: re.Match[str], month: int, day: int, year: int | None) -> Date | None:
    if not 1 <= month <= 12 or day > 31 or (year is not None and not 1000 <= year <= 2200):
        return None
    return Date(month, day, year, match.start(), match.end())
