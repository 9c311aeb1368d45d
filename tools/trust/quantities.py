"""Numbers in sentences: value, unit, unit class and rounding, so that two statements can be compared.

Formats read: 1,234.5 and 1 234.5 (thin or no-break space), 1.234,5 when the grouping makes it certain, percentages,
spelled-out small numbers, multiples (million, billion), and years. Values are converted to a base unit of their class
(kWh for energy, m for length ...), so that 1.2 GWh equals 1 200 MWh.
"""

import re
from dataclasses import dataclass, replace

_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "half": 0.5, "dozen": 12,
}  # fmt: skip
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "mn": 1e6, "bn": 1e9}

# unit -> (class, factor to the base unit of the class)
UNITS: dict[str, tuple[str, float]] = {
    "%": ("share", 1.0), "percent": ("share", 1.0), "per cent": ("share", 1.0), "pct": ("share", 1.0),
    "percentage point": ("points", 1.0), "percentage points": ("points", 1.0),
    "w": ("power", 1e-3), "kw": ("power", 1.0), "mw": ("power", 1e3), "gw": ("power", 1e6), "tw": ("power", 1e9),
    "kilowatt": ("power", 1.0), "megawatt": ("power", 1e3), "gigawatt": ("power", 1e6),
    "wh": ("energy", 1e-3), "kwh": ("energy", 1.0), "mwh": ("energy", 1e3), "gwh": ("energy", 1e6),
    "twh": ("energy", 1e9), "kilowatt hour": ("energy", 1.0), "megawatt hour": ("energy", 1e3),
    "mm": ("length", 1e-3), "cm": ("length", 1e-2), "m": ("length", 1.0), "km": ("length", 1e3),
    "metre": ("length", 1.0), "meter": ("length", 1.0), "kilometre": ("length", 1e3), "kilometer": ("length", 1e3),
    "mile": ("length", 1609.344), "foot": ("length", 0.3048), "feet": ("length", 0.3048), "inch": ("length", 0.0254),
    "m2": ("area", 1.0), "km2": ("area", 1e6), "m²": ("area", 1.0), "km²": ("area", 1e6), "ha": ("area", 1e4),
    "hectare": ("area", 1e4), "acre": ("area", 4046.86), "square metre": ("area", 1.0),
    "g": ("mass", 1e-3), "mg": ("mass", 1e-6), "kg": ("mass", 1.0), "t": ("mass", 1e3), "tonne": ("mass", 1e3),
    "ton": ("mass", 1e3), "kilogram": ("mass", 1.0), "gram": ("mass", 1e-3), "pound": ("mass", 0.45359),
    "l": ("volume", 1.0), "ml": ("volume", 1e-3), "litre": ("volume", 1.0), "liter": ("volume", 1.0),
    "°c": ("temperature", 1.0), "degree celsius": ("temperature", 1.0), "degrees celsius": ("temperature", 1.0),
    "degree": ("temperature", 1.0), "celsius": ("temperature", 1.0), "°f": ("temperature_f", 1.0),
    "second": ("time", 1.0), "minute": ("time", 60.0), "hour": ("time", 3600.0), "day": ("time", 86400.0),
    "week": ("time", 604800.0), "month": ("time", 2629746.0), "year": ("time", 31556952.0),
    "decade": ("time", 315569520.0), "ms": ("time", 1e-3), "h": ("time", 3600.0),
    "$": ("dollar", 1.0), "usd": ("dollar", 1.0), "dollar": ("dollar", 1.0), "cent": ("cent", 1.0),
    "€": ("euro", 1.0), "eur": ("euro", 1.0), "euro": ("euro", 1.0), "£": ("pound_money", 1.0),
    "gbp": ("pound_money", 1.0), "hz": ("frequency", 1.0), "khz": ("frequency", 1e3), "mhz": ("frequency", 1e6),
}  # fmt: skip

_NUMBER = r"\d{1,3}(?:[,\u00a0\u202f ]\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+,\d+|\d+(?:[.,]\d+)?"
_TENS, _ONES = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety", "one|two|three|four|five|six|seven|eight|nine"
_SPELLED = rf"(?:{_TENS})-(?:{_ONES})|" + "|".join(sorted(_WORDS, key=len, reverse=True))
_RANGE = re.compile(r"\s?(?:to|and|or|[-–])\s?", re.I)
_UNIT = "|".join(re.escape(unit) for unit in sorted(UNITS, key=len, reverse=True) if unit not in "$€£")
_QUANTITY = re.compile(
    rf"(?P<money>[$€£]\s?)?(?P<sign>(?<![\w])[-−])?(?:(?<![\w.,])(?P<digits>{_NUMBER})|\b(?P<word>{_SPELLED})\b)"
    rf"(?:[\s\u00a0\u202f-]?(?P<scale>hundred|thousand|million|billion|trillion|mn|bn)\b)?"
    rf"(?:[\s\u00a0\u202f-]{{0,2}}(?P<unit>{_UNIT})(?:e?s)?(?![\w]))?",
    re.I,
)
_DATE_WORD = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b", re.I
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """value in the base unit of `kind`; error = half the last digit given, in the same unit. `text` as written.

    kind: a unit class, "year", "date", or "count" for a bare number. noun: the stem that follows a count.
    """

    value: float
    kind: str
    error: float
    text: str
    start: int
    end: int
    spelled: bool = False

    def agrees(self, other: "Quantity") -> bool:
        """Equal within the rounding of the less precise."""
        if self.kind in ("year", "date") or other.kind in ("year", "date"):
            return self.kind == other.kind and self.value == other.value
        return abs(self.value - other.value) <= max(self.error, other.error) * 1.0001


def quantities(text: str) -> tuple[Quantity, ...]:
    """All numbers of a sentence, in order; the first number of a range takes the unit of the second."""
    found = [one for match in _QUANTITY.finditer(text) if (one := _read(match, text)) is not None]
    for i in range(len(found) - 1, 0, -1):
        first, second = found[i - 1], found[i]
        unit = UNITS.get(_unit_name(second.text))
        if first.kind == "count" and unit and _RANGE.fullmatch(text[first.end : second.start]):
            kind, factor = unit
            found[i - 1] = replace(first, kind=kind, value=first.value * factor, error=first.error * factor)
    return tuple(found)


def _unit_name(text: str) -> str:
    """The unit a quantity is written with: "18 hours" -> "hour"."""
    tail = re.sub(r"^[\d.,\s\u00a0\u202f−-]+|^[$€£].*$", "", text.lower()).strip(" -")
    return tail if tail in UNITS else tail.rstrip("s")


def _read(match: re.Match[str], text: str) -> Quantity | None:
    digits, word = match["digits"], match["word"]
    unit = _unit(match)
    if word and unit is None and not match["scale"] and word.lower() in ("one", "half"):
        return None  # "one of them" is not a number worth comparing
    value, step = _parse(digits) if digits else _spelled(word.lower())
    kind = unit[0] if unit else _bare_kind(match, text, value)
    scale = _SCALES.get((match["scale"] or "").lower(), 1.0) * (unit[1] if unit else 1.0)
    if match["sign"] and kind not in ("year", "date"):
        value = -value
    return Quantity(
        round(value * scale, 9), kind, step * scale / 2, match.group(0).strip(), match.start(), match.end(), bool(word)
    )


def _spelled(word: str) -> tuple[float, float]:
    value = float(sum(_WORDS[part] for part in word.split("-")))
    return value, 0.1 if word == "half" else 1.0


def _unit(match: re.Match[str]) -> tuple[str, float] | None:
    if match["unit"]:
        name = match["unit"].lower()
        return UNITS.get(name) or UNITS.get(name.rstrip("s"))
    return UNITS.get(match["money"].strip()) if match["money"] else None


def _bare_kind(match: re.Match[str], text: str, value: float) -> str:
    digits = match["digits"] or ""
    if digits.isdigit() and len(digits) == 4 and 1500 <= value <= 2100:
        return "year"
    around = text[max(0, match.start() - 12) : match.end() + 12]
    return "date" if digits.isdigit() and 1 <= value <= 31 and _next_to_month(around, digits) else "count"


def _next_to_month(around: str, digits: str) -> bool:
    for month in _DATE_WORD.finditer(around):
        gap = around[month.end() :].lstrip(" ,")
        before = around[: month.start()].rstrip(" ")
        if gap.startswith(digits) or re.search(rf"\b{digits}(?:st|nd|rd|th)?(?: of)?$", before):
            return True
    return False


def _parse(digits: str) -> tuple[float, float]:
    """Value and the size of its last digit."""
    cleaned = re.sub(r"[\u00a0\u202f ]", "", digits)
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+,\d+", cleaned):
        cleaned = cleaned.replace(".", "").replace(",", ".")
    elif re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", cleaned):
        cleaned = cleaned.replace(",", "")
    else:
        cleaned = cleaned.replace(",", ".")
    decimals = len(cleaned.partition(".")[2])
    if decimals:
        return float(cleaned), 10.0**-decimals
    zeros = len(cleaned) - len(cleaned.rstrip("0")) if cleaned.strip("0") else 0
    # A round number of four and more digits is taken as rounded to its last two significant zeros at most
    return float(cleaned), 10.0 ** min(zeros, max(0, len(cleaned) - 2)) if len(cleaned) >= 4 else 1.0
