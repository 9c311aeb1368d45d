"""Numbers in sentences: value, unit, unit class, rounding and bound, so that two statements can be
compared.

Formats read: 1,234.5 and 1 234.5 (thin or no-break space), 1.234,5 and 1 234,5, 26½ and 26 1/2,
1.2e6 and 1.2 x 10^6, 1400万, percentages, spelled-out small numbers, multiples (million, Mrd.),
dates in every order, years, times of day (9 a.m.), ordinals (21st, fifth century, second longest,
Q1). A lone 1.234 or 1,234 has two readings. Values are converted to a base unit of their class (kWh
for energy, m for length ...), so that 1.2 GWh equals 1 200 MWh.
"""

import re
from dataclasses import dataclass, replace

from tools.text.dates import Date, dates, hours
from tools.text.tokens import UNSPACED
from tools.text.units import NUMBER_WORDS, ORDINAL_WORDS, SCALES, UNITS

_VULGAR = {
    "½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4, "⅕": 1 / 5, "⅖": 2 / 5, "⅗": 3 / 5,
    "⅘": 4 / 5, "⅙": 1 / 6, "⅚": 5 / 6, "⅛": 1 / 8, "⅜": 3 / 8, "⅝": 5 / 8, "⅞": 7 / 8,
}  # fmt: skip
_SLASHED = r"[1-9]\d?[/⁄](?:[23458]|1[06])(?![\d/⁄])"
# 26½, 26 1/2, 1/2 of; and what is left of 26½ where its small digits were made plain: 261⁄2
_FRACTION = (
    rf"(?:\d{{1,6}}[\u00a0\u202f ]?)?[{''.join(_VULGAR)}]|\d{{1,6}}[\u00a0\u202f ]{_SLASHED}"
    rf"|\d{{1,7}}⁄[23458](?!\d)|{_SLASHED}(?=\s(?:of|an?|the)\b)"
)
_MIXED = re.compile(
    r"(?P<whole>\d*?)[\u00a0\u202f ]?(?:(?P<over>[1-9]|(?<!\d)1\d)[/⁄](?P<under>\d+)|(?P<sign>\D))"
)
_NUMBER = (
    rf"{_FRACTION}|"
    r"\d{1,3}(?:[\u00a0\u202f\u2009 ]\d{3})+,(?!\d{3}(?!\d))\d+"
    r"|\d{1,3}(?:[,\u00a0\u202f\u2009' ]\d{3})+(?:[.]\d+)?"
    r"|\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|\d+(?:[.,·]\d+)?"
)
_POWER = (
    r"(?:[eE](?P<exponent>[+-]?\d{1,2})(?!\w)"
    r"|\s?[x×·]\s?10(?:\^|\*\*)?(?P<power>[-−]?\d{1,2}|[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})(?![\w.]))"
)
_TENS, _ONES = (
    "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety",
    "one|two|three|four|five|six|seven|eight|nine",
)
_SPELLED = rf"(?:{_TENS})[- ](?:{_ONES})|" + "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_RANGE = re.compile(r"\s?(?:to|and|or|bis|à|a|[-–])\s?", re.I)
_SCALE = "|".join(re.escape(scale) for scale in sorted(SCALES, key=len, reverse=True))
_UNIT = "|".join(
    re.escape(unit) for unit in sorted(UNITS, key=len, reverse=True) if unit not in "$€£¥"
)
# A number may stand at once beside a letter of a script without spaces, and of no other
_NO_LETTER = rf"(?<![^\W{UNSPACED}])"
_THEN_NO_LETTER = rf"(?![^\W{UNSPACED}])"
_QUANTITY = re.compile(
    rf"(?P<money>[$€£¥]\s?)?(?P<sign>{_NO_LETTER}[-−])?"
    rf"(?:{_NO_LETTER}(?<![.,])(?<![A-Za-z][-–])(?P<digits>{_NUMBER}){_POWER}?(?P<ordinal>(?:st|nd|rd|th)\b)?|\b(?P<word>{_SPELLED})\b)"
    rf"(?:[\s\u00a0\u202f-]?(?P<scale>{_SCALE})(?![^\W\d{UNSPACED}]))?"
    rf"(?:[\s\u00a0\u202f-]{{0,2}}(?:de\s|d')?(?P<unit>{_UNIT})(?:(?<=[^\W\d_]{{3}})e?s)?{_THEN_NO_LETTER}(?![²/]))?",
    re.I,
)
_COUNTED = re.compile(
    rf"\b(?:(?P<tens>{_TENS})[ -])?(?P<ordinal>{'|'.join(ORDINAL_WORDS)})(?=[ "
    r"-](?:quarters?|half|centur(?:y|ies)"
    r"|(?:most|least) [a-z]|[a-z]{2,10}est)\b)|\bQ(?P<number>[1-4])\b",
    re.I,
)
_LEAST = re.compile(
    r"(?:at least|more than|over|above|exceed(?:s|ed|ing)?|greater than|no (?:fewer"
    r"|less) than|upwards of|minimum of"
    r"|>|≥"
    r"|mindestens|mehr als|über|au moins|plus de|más de|al menos|più di|mais de"
    r"|meer dan)\s*[$€£]?$",
    re.I,
)
_MOST = re.compile(
    r"(?:at most|up to|less than|fewer than|under|below|no more than|not more than|maximum of|<|≤"
    r"|höchstens|weniger als|bis zu|au plus|moins de|menos de|hasta|meno di|minder dan)\s*[$€£]?$",
    re.I,
)
_ABOUT = re.compile(
    r"(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.|c\.|~|≈|etwa|rund|environ|unos|quase)"
    r"\s*[$€£]?$",
    re.I,
)
_OR_MORE = re.compile(r"\s?\+|\s(?:or|and) (?:more|above|over|greater|higher)\b", re.I)
_OR_LESS = re.compile(r"\s(?:or|and) (?:less|fewer|below|under|lower)\b", re.I)
_AFTER = re.compile(r"\b(?:after|since|later than)\s*$", re.I)
_BEFORE = re.compile(r"\b(?:before|until|till|prior to|earlier than|by)\s*$", re.I)
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d|2100")
_DECADE = re.compile(r"['’]?s\b")
_SEASON = re.compile(r"[-–/]\d\d")  # 2018–19
_SUPERSCRIPT = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
_ABOUT_MINUTES = 10.0
_MYRIADS = "万萬만億亿억兆조"
DATED = ("year", "decade", "date", "month")  # kinds that say when


@dataclass(frozen=True, slots=True)
class Quantity:
    """value in the base unit of `kind`; error = half the last digit given, in the same unit. `text`
    as written.

    kind: a unit class, "year", "decade" (its first year; of 1900s perhaps the century), "date"
    (MMDD), "month", "clock" (minutes since midnight), "ordinal", or "count" for a bare number.
    bound: 1 at least (after), -1 at most (before), 0 exactly. other: the second reading of an
    ambiguous form (value, error), or None.
    """

    value: float
    kind: str
    error: float
    text: str
    start: int
    end: int
    bound: int = 0
    other: tuple[float, float] | None = None

    def readings(self) -> tuple[tuple[float, float], ...]:
        """(value, error) of every reading, the likelier first."""
        return ((self.value, self.error), self.other) if self.other else ((self.value, self.error),)

    def agrees(self, other: "Quantity") -> bool:
        """Of one kind and equal in one reading, within the rounding of the less precise."""
        if self.kind != other.kind:
            return False
        exact = self.kind in DATED
        return any(
            a[0] == b[0] or (not exact and abs(a[0] - b[0]) <= max(a[1], b[1]) * 1.0001)
            for a in self.readings()
            for b in other.readings()
        )

    def covered_by(self, other: "Quantity") -> bool:
        """Whether a passage that gives `stated` says this: the same, or within the bound this one
        states."""
        if self.kind != other.kind:
            return self._covered_by_other_kind(other)
        if self.kind == "date":  # a date that may be another one says neither for certain
            return {value for value, _ in self.readings()} == {
                value for value, _ in other.readings()
            }
        if (
            self.bound
            and self.bound * (other.value - self.value) >= 0
            and other.bound in (0, self.bound)
        ):
            return True
        return self.agrees(other) and (self.bound == other.bound or not other.bound)

    def _covered_by_other_kind(self, other: "Quantity") -> bool:
        if self.kind == "month" and other.kind == "date":
            return any(value // 100 == self.value for value, _ in other.readings())
        if self.kind == "decade" and other.kind == "year":
            return 0 <= other.value - self.value < (100 if self.value % 100 == 0 else 10)
        return {self.kind, other.kind} == {"clock", "count"} and self._hour(other)

    def _hour(self, other: "Quantity") -> bool:
        """Whether a time of day and a bare number ("at 9", "at 21") may be the same hour."""
        clock, count = (self, other) if self.kind == "clock" else (other, self)
        return count.value in (clock.value // 60, clock.value // 60 % 12 or 12)


def quantities(text: str) -> tuple[Quantity, ...]:
    """All numbers of a sentence, in order; the first number of a range takes the unit of the
    second."""
    result = [part for date in dates(text) for part in _of_date(date, text)]
    result += [_clock(*time, text) for time in hours(text)]
    result += map(_ordinal, _COUNTED.finditer(text))
    result += filter(
        None, [_quantity_of(match, text) for match in _QUANTITY.finditer(_blanked(text, result))]
    )
    result.sort(key=lambda quantity: (quantity.start, quantity.end))
    for i in range(len(result) - 1, 0, -1):
        result[i - 1 : i + 1] = _joined(result[i - 1], result[i], text)
    return tuple(
        _in_celsius(quantity) if quantity.kind == "temperature_f" else quantity
        for quantity in result
    )


def _joined(first: Quantity, second: Quantity, text: str) -> list[Quantity]:
    """Two numbers that stand beside each other: a range of one unit, the halves of a numeral, the
    years of a season."""
    if first.kind == "count" and _RANGE.fullmatch(text[first.end : second.start]):
        return [_of_one_unit(first, second), second]  # 10 to 15 feet, two or three million
    if first.kind == "count" and first.end == second.start and first.text[-1] in _MYRIADS:
        whole = text[first.start : second.end]  # 1億2000万
        return [replace(second, value=first.value + second.value, text=whole, start=first.start)]
    if (
        first.kind == "year"
        and second.kind == "count"
        and _SEASON.fullmatch(text[first.end : second.end])
    ):
        year = first.value - first.value % 100 + second.value
        return [first, replace(second, kind="year", value=year, error=0.0)]
    return [first, second]


def _in_celsius(measure: Quantity) -> Quantity:
    """Degrees Fahrenheit in Celsius, as a temperature and, the other reading, as a difference of
    two."""
    error, value = measure.error / 1.8, round((measure.value - 32) / 1.8, 9)
    return replace(
        measure, kind="temperature", value=value, error=error, other=(measure.value / 1.8, error)
    )


def _of_date(date: Date, text: str) -> list[Quantity]:
    written = text[date.start : date.end]
    kind, value = ("date", date.month * 100 + date.day) if date.day else ("month", date.month)
    swapped = (float(date.swapped[0] * 100 + date.swapped[1]), 0.0) if date.swapped else None
    parts = [Quantity(float(value), kind, 0.0, written, date.start, date.end, other=swapped)]
    if date.year is not None:
        parts.append(Quantity(float(date.year), "year", 0.0, str(date.year), date.start, date.end))
    return parts


def _clock(minutes: int, later: int | None, start: int, end: int, text: str) -> Quantity:
    bound, about = _bound(text[max(0, start - 18) : start], dated=True)
    error = _ABOUT_MINUTES if about else 0.0
    other = None if later is None else (float(later), error)
    return Quantity(float(minutes), "clock", error, text[start:end], start, end, bound, other)


def _ordinal(match: re.Match[str]) -> Quantity:
    if match["number"]:
        value = float(match["number"])
    else:
        value = (
            ORDINAL_WORDS.index(match["ordinal"].lower())
            + 1.0
            + NUMBER_WORDS.get((match["tens"] or "").lower(), 0)
        )
    return Quantity(value, "ordinal", 0.0, match.group(), match.start(), match.end())


def _blanked(text: str, quantities: list[Quantity]) -> str:
    """The text with its dates and the like blanked, so that no part of one is read as a number of
    its own."""
    characters = list(text)
    for quantity in quantities:
        characters[quantity.start : quantity.end] = " " * (quantity.end - quantity.start)
    return "".join(characters)


def _of_one_unit(first: Quantity, second: Quantity) -> Quantity:
    """The first number of a range with the scale and the unit of the second."""
    written = _QUANTITY.match(second.text)
    if written is None or not (written["unit"] or written["scale"]):
        return first
    numeral, _, _ = _numeral(written)
    factor = abs(second.value / numeral) if numeral else 1.0
    return replace(first, kind=second.kind, value=first.value * factor, error=first.error * factor)


def _quantity_of(match: re.Match[str], text: str) -> Quantity | None:
    unit = _unit(match)
    if _is_no_numeral(match, unit is not None, text):
        return None
    value, step, other = _numeral(match)
    kind, factor = unit or (_bare_kind(match), 1.0)
    start, end = match.span()
    bound, about = _bound(text[max(0, start - 18) : start], dated=kind == "year")
    bound = bound or _bound_behind(text, end)
    written = match.group().strip()
    if kind in DATED:  # exact; a sign before it is a dash
        return Quantity(value, kind, 0.0, written, start, end, bound)
    scale = SCALES.get((match["scale"] or "").lower(), 1.0) * factor * _exponent(match)
    signed = -scale if match["sign"] else scale
    error = step * scale / 2
    if about:
        error = max(error, 0.05 * value * scale)
    read_otherwise = (round(other[0] * signed, 9), other[1] * scale / 2) if other else None
    return Quantity(
        round(value * signed, 9), kind, error, written, start, end, bound, read_otherwise
    )


def _is_no_numeral(match: re.Match[str], has_unit: bool, text: str) -> bool:
    """Whether a word is no number worth comparing ("one of them"), or a half that belongs to the
    number before it."""
    word = (match["word"] or "").lower()
    if word in ("one", "half") and not has_unit and not match["scale"]:
        return True
    return word == "half" and text[: match.start()].endswith((" and a ", " and one "))


def _bound_behind(text: str, end: int) -> int:
    """1 for "5 or more", -1 for "5 or less", else 0."""
    if _OR_MORE.match(text, end):
        return 1
    return -1 if _OR_LESS.match(text, end) else 0


def _exponent(match: re.Match[str]) -> float:
    raised = match["exponent"] or match["power"]
    return float(10.0 ** int(raised.translate(_SUPERSCRIPT))) if raised and match["digits"] else 1.0


def _bound(before: str, dated: bool) -> tuple[int, bool]:
    """Whether what stands before a number makes it a bound, and whether it says that it is about so
    much."""
    if _LEAST.search(before) or (dated and _AFTER.search(before)):
        return 1, False
    if _MOST.search(before) or (dated and _BEFORE.search(before)):
        return -1, False
    return 0, bool(_ABOUT.search(before))


def _numeral(match: re.Match[str]) -> tuple[float, float, tuple[float, float] | None]:
    """As `_parse`, also for numbers in words."""
    if match["digits"]:
        return _parse(match["digits"])
    word = match["word"].lower()
    value = float(sum(NUMBER_WORDS[part] for part in re.split("[- ]", word)))
    return value, 0.1 if word == "half" else 1.0, None


def _unit(match: re.Match[str]) -> tuple[str, float] | None:
    if match["money"]:
        return UNITS.get(match["money"].strip())
    name = (match["unit"] or "").lower()
    return UNITS.get(name) or UNITS.get(name.rstrip("s"))


def _bare_kind(match: re.Match[str]) -> str:
    digits = match["digits"] or ""
    if match["ordinal"]:
        return "ordinal"
    if match["scale"] or match["exponent"] or match["power"] or not _YEAR.fullmatch(digits):
        return "count"
    if int(digits) % 10 == 0 and _DECADE.match(match.string, match.end("digits")):
        return "decade"
    return "year"


def _parse(digits: str) -> tuple[float, float, tuple[float, float] | None]:
    """Value, the size of its last digit, and for a lone separator before three digits the other
    reading."""
    if (mixed := _MIXED.fullmatch(digits)) is not None:
        part = _VULGAR[mixed["sign"]] if mixed["sign"] else int(mixed["over"]) / int(mixed["under"])
        return int(mixed["whole"] or 0) + part, 0.1, None
    cleaned = re.sub(r"[\u00a0\u202f\u2009' ]", "", digits).replace("·", ".")
    lone = re.fullmatch(r"([1-9]\d{0,2})([.,])(\d{3})", cleaned)
    if lone:
        grouped, decimal = (float(lone[1] + lone[3]), 1.0), (float(f"{lone[1]}.{lone[3]}"), 0.001)
        first, second = (grouped, decimal) if lone[2] == "," else (decimal, grouped)
        return (*first, second)
    cleaned = _with_decimal_point(cleaned)
    decimals = len(cleaned.partition(".")[2])
    if decimals:
        return float(cleaned), 10.0**-decimals, None
    zeros = len(cleaned) - len(cleaned.rstrip("0")) if cleaned.strip("0") else 0
    # A round number of four and more digits is taken as rounded to its last two significant zeros
    # at most
    return (
        float(cleaned),
        10.0 ** min(zeros, max(0, len(cleaned) - 2)) if len(cleaned) >= 4 else 1.0,
        None,
    )


def _with_decimal_point(digits: str) -> str:
    """A number without separators of thousands and with a point before its decimals."""
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}", digits):
        return digits.replace(".", "").replace(",", ".")
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", digits):
        return digits.replace(",", "")
    # Marks in no order ("10,952107.7", misread by OCR): only the last one can be the decimal mark
    whole, _, decimals = digits.replace(",", ".").rpartition(".")
    return f"{whole.replace('.', '')}.{decimals}" if whole else decimals
