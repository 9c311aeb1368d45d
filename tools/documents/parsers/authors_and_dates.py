"""Authors and dates as documents of all formats write them; dates to ISO: "2024", "2024-05" or
"2024-05-01"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tools.text.dates import MONTH, iso
from tools.text.tokens import fold

_YEAR = r"(?:1[5-9]|20)\d\d"
A_YEAR = re.compile(_YEAR)
_ISO = re.compile(rf"(?<!\d)({_YEAR})(?:[-/._](\d{{1,2}})(?:[-/._](\d{{1,2}}))?)?(?!\d)")
_COMPACT = re.compile(r"(?<![\w-])((?:19|20)\d\d)([01]\d)([0-3]\d)(?:\d{6})?(?!\d)")
# 3 March 2021, 3. März 2021, 3 de marzo de 2021, March 3rd, 2021, March 2021, 12-Mar-2021
_GAP, _OF = r"[\s_-]{1,2}", r"(?:de[ ]|of[ ])?"
_WORDS = re.compile(
    rf"(?:(?<![\d.])(\d{{1,2}})(?:st|nd|rd|th|er|\.|º)?{_GAP}{_OF})?(?<![^\W\d_])([^\W\d_]{{3,10}})\.?"
    rf"(?:{_GAP}(\d{{1,2}})(?:st|nd|rd|th)?(?!\d))?,?{_GAP}{_OF}({_YEAR})(?!\d)"
)
# 13/02/2021, 13.2.2021: day and month, in the order that the numbers allow
_NUMBERS = re.compile(rf"(?<![\d./-])(\d{{1,2}})([./-])(\d{{1,2}})\2({_YEAR})(?![\d/-])")
_EASTERN = re.compile(
    rf"(?<!\d)({_YEAR})\s?[年년]\s?(\d{{1,2}})\s?[月월](?:\s?(\d{{1,2}})\s?[日일])?"
)
_URL = re.compile(r"^(?:https?:)?//|^www\.", re.I)
MAX_AUTHORS = 100
_PATTERNS = (_WORDS, _EASTERN, _NUMBERS, _COMPACT, _ISO)


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date in a text and its place. iso: as precise as it is written."""

    iso: str
    start: int
    end: int

    @property
    def precision(self) -> int:
        """1 a year, 2 a month, 3 a day."""
        return self.iso.count("-") + 1


def iso_date(text: str | None) -> str | None:
    """The first date in a short text, as precise as it is written; None without a plausible year
    (1500-2099)."""
    short = (text or "").strip()[:100]
    matches = ((pattern, match) for pattern in _PATTERNS if (match := pattern.search(short)))
    return next(filter(None, (_of_match(pattern, match) for pattern, match in matches)), None)


def dates_in(text: str) -> Iterator[FoundDate]:
    """The dates in a text in their order, at least as precise as a month; years alone are too often
    something else."""
    if not A_YEAR.search(text):
        return  # most paragraphs, which no pattern needs to look at
    dates: list[FoundDate] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if any(match.start() < date.end and date.start < match.end() for date in dates):
                continue
            iso = _of_match(pattern, match)
            if iso and "-" in iso:
                dates.append(FoundDate(iso, match.start(), match.end()))
    yield from sorted(dates, key=lambda date: date.start)


def _of_match(pattern: re.Pattern[str], match: re.Match[str]) -> str | None:
    if pattern is _WORDS:
        month = MONTH.get(fold(match.group(2)))
        day = match.group(1) or match.group(3)
        return iso(match.group(4), month, day) if month else None
    return _of_numbers(match) if pattern is _NUMBERS else iso(*match.groups())


def _of_numbers(match: re.Match[str]) -> str:
    """Points part day and month in that order; other signs only where one number can be no
    month."""
    first, sign, second, year = match.groups()
    if sign == "." or int(first) > 12:
        return iso(year, second, first)
    return iso(year, first, second) if int(second) > 12 else year


def clean_authors(values: list[str]) -> list[str]:
    """Names without "By", addresses and doubles, in order; "A and B" and "A; B" are several."""
    names: list[str] = []
    for value in values:
        for part in re.split(r"(?:(?<!\s)\s+)?;\s*|(?<!\s)\s+(?:and|&)\s+|\n", value):
            name = re.sub(r"^(?:by|von|par|por)\s+", "", part.strip(" ,@"), flags=re.I)
            if (
                name
                and len(name) <= 120
                and not _URL.search(name)
                and name.lower() not in map(str.lower, names)
            ):
                names.append(name)
    return names[:MAX_AUTHORS]
