"""Dates as documents write them, to ISO: "2024", "2024-05" or "2024-05-01"."""

import re

_MONTHS = {
    name: number
    for number, names in enumerate(
        "jan january janvier januar enero|feb february fevrier februar febrero|mar march mars marz maerz märz marzo|"
        "apr april avril abril|may mai mayo|jun june juin juni junio|jul july juillet juli julio|"
        "aug august aout août agosto|sep sept september septembre septiembre|oct october octobre oktober octubre|"
        "nov november novembre noviembre|dec december decembre décembre dezember diciembre".split("|"),
        1,
    )
    for name in names.split()
}
_ISO = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d)(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?!\d)")
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d\d)([01]\d)([0-3]\d)(?:\d{6})?(?!\d)")
_WORDS = re.compile(
    r"(?:(\d{1,2})(?:st|nd|rd|th|\.)?\s+)?([^\W\d_]{3,10})\.?"
    r"(?:\s+(\d{1,2})(?:st|nd|rd|th)?)?,?\s+((?:1[5-9]|20)\d\d)"
)


def iso_date(text: str | None) -> str | None:
    """The first date in a short text, as precise as it is written; None without a plausible year (1500-2099)."""
    short = (text or "").strip()[:100]
    match = _WORDS.search(short)
    if match and match.group(2).casefold() in _MONTHS:
        day = match.group(1) or match.group(3)
        return _put(match.group(4), str(_MONTHS[match.group(2).casefold()]), day)
    match = _COMPACT.search(short) or _ISO.search(short)
    return _put(*match.groups()) if match else None


def _put(year: str, month: str | None, day: str | None) -> str:
    if not month or not 1 <= int(month) <= 12:
        return year
    if not day or not 1 <= int(day) <= 31:
        return f"{year}-{int(month):02d}"
    return f"{year}-{int(month):02d}-{int(day):02d}"
