"""Units of measure: name -> (class, factor to the base unit of the class). GW (power) and GWh (energy) never meet."""

UNITS: dict[str, tuple[str, float]] = {
    "%": ("share", 1.0), "percent": ("share", 1.0), "per cent": ("share", 1.0), "pct": ("share", 1.0),
    "prozent": ("share", 1.0), "pour cent": ("share", 1.0), "por ciento": ("share", 1.0), "per cento": ("share", 1.0),
    "procent": ("share", 1.0), "por cento": ("share", 1.0),
    "percentage point": ("points", 1.0), "percentage points": ("points", 1.0), "prozentpunkte": ("points", 1.0),
    "w": ("power", 1e-3), "kw": ("power", 1.0), "mw": ("power", 1e3), "gw": ("power", 1e6), "tw": ("power", 1e9),
    "watt": ("power", 1e-3), "kilowatt": ("power", 1.0), "megawatt": ("power", 1e3), "gigawatt": ("power", 1e6),
    "terawatt": ("power", 1e9), "horsepower": ("power", 0.7457), "hp": ("power", 0.7457),
    "wh": ("energy", 1e-3), "kwh": ("energy", 1.0), "mwh": ("energy", 1e3), "gwh": ("energy", 1e6),
    "twh": ("energy", 1e9), "kilowatt hour": ("energy", 1.0), "megawatt hour": ("energy", 1e3),
    "kilowatt-hour": ("energy", 1.0), "megawatt-hour": ("energy", 1e3), "gigawatt hour": ("energy", 1e6),
    "gigawatt-hour": ("energy", 1e6), "terawatt hour": ("energy", 1e9), "terawatt-hour": ("energy", 1e9),
    "mj": ("energy", 1 / 3.6), "gj": ("energy", 1e3 / 3.6), "kj": ("energy", 1e-3 / 3.6),
    "nm": ("length", 1e-9), "µm": ("length", 1e-6), "μm": ("length", 1e-6), "micron": ("length", 1e-6),
    "mm": ("length", 1e-3), "cm": ("length", 1e-2), "m": ("length", 1.0), "km": ("length", 1e3),
    "metre": ("length", 1.0), "meter": ("length", 1.0), "kilometre": ("length", 1e3), "kilometer": ("length", 1e3),
    "centimetre": ("length", 1e-2), "centimeter": ("length", 1e-2), "millimetre": ("length", 1e-3),
    "millimeter": ("length", 1e-3), "mile": ("length", 1609.344), "yard": ("length", 0.9144), "ft": ("length", 0.3048),
    "foot": ("length", 0.3048), "feet": ("length", 0.3048), "inch": ("length", 0.0254),
    "km/h": ("speed", 1.0), "kph": ("speed", 1.0), "mph": ("speed", 1.609344), "m/s": ("speed", 3.6),
    "miles per hour": ("speed", 1.609344), "kilometres per hour": ("speed", 1.0), "knot": ("speed", 1.852),
    "m2": ("area", 1.0), "km2": ("area", 1e6), "m²": ("area", 1.0), "km²": ("area", 1e6), "ha": ("area", 1e4),
    "hectare": ("area", 1e4), "acre": ("area", 4046.86), "square metre": ("area", 1.0), "square meter": ("area", 1.0),
    "square kilometre": ("area", 1e6), "square kilometer": ("area", 1e6), "square mile": ("area", 2.59e6),
    "g": ("mass", 1e-3), "mg": ("mass", 1e-6), "µg": ("mass", 1e-9), "μg": ("mass", 1e-9), "kg": ("mass", 1.0),
    "t": ("mass", 1e3), "tonne": ("mass", 1e3), "ton": ("mass", 1e3), "kilogram": ("mass", 1.0), "gram": ("mass", 1e-3),
    "pound": ("mass", 0.45359), "lb": ("mass", 0.45359), "lbs": ("mass", 0.45359), "kms": ("length", 1e3),
    "ounce": ("mass", 0.0283495),
    "l": ("volume", 1.0), "ml": ("volume", 1e-3), "litre": ("volume", 1.0), "liter": ("volume", 1.0),
    "°c": ("temperature", 1.0), "degree celsius": ("temperature", 1.0), "degrees celsius": ("temperature", 1.0),
    "degree": ("temperature", 1.0), "celsius": ("temperature", 1.0), "°f": ("temperature_f", 1.0),
    "degrees fahrenheit": ("temperature_f", 1.0), "degree fahrenheit": ("temperature_f", 1.0),
    "fahrenheit": ("temperature_f", 1.0),
    "° c": ("temperature", 1.0), "° f": ("temperature_f", 1.0), "grad": ("temperature", 1.0),
    "second": ("time", 1.0), "minute": ("time", 60.0), "hour": ("time", 3600.0), "day": ("time", 86400.0),
    "week": ("time", 604800.0), "month": ("time", 2629746.0), "year": ("time", 31556952.0),
    "decade": ("time", 315569520.0), "ms": ("time", 1e-3), "h": ("time", 3600.0),
    "$": ("dollar", 1.0), "usd": ("dollar", 1.0), "dollar": ("dollar", 1.0), "cent": ("cent", 1.0),
    "€": ("euro", 1.0), "eur": ("euro", 1.0), "euro": ("euro", 1.0), "£": ("pound_money", 1.0),
    "gbp": ("pound_money", 1.0), "¥": ("yen", 1.0), "yen": ("yen", 1.0), "rand": ("rand", 1.0), "zar": ("rand", 1.0),
    "hz": ("frequency", 1.0), "khz": ("frequency", 1e3), "mhz": ("frequency", 1e6), "ghz": ("frequency", 1e9),
}  # fmt: skip

SCALES = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "mn": 1e6, "bn": 1e9,
    "millions": 1e6, "billions": 1e9, "mio": 1e6, "mio.": 1e6, "mrd": 1e9, "mrd.": 1e9, "millionen": 1e6,
    "milliarden": 1e9, "milliarde": 1e9, "milliard": 1e9, "milliards": 1e9, "millones": 1e6, "millón": 1e6,
    "milioni": 1e6, "miliardi": 1e9, "milhões": 1e6, "miljoen": 1e6, "miljard": 1e9, "tausend": 1e3, "mille": 1e3,
    "mil": 1e3, "lakh": 1e5, "crore": 1e7,
    "万": 1e4, "萬": 1e4, "만": 1e4, "億": 1e8, "亿": 1e8, "억": 1e8, "兆": 1e12, "조": 1e12,
}  # fmt: skip

NUMBER_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "half": 0.5, "dozen": 12,
}  # fmt: skip

# From the first to the twentieth, in order
ORDINAL_WORDS = tuple(
    """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
    sixteenth seventeenth eighteenth nineteenth twentieth""".split()
)
