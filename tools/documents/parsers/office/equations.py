"""Equations of office documents (OMML, ECMA-376 part 1, 22.1) and of MathML as one line of text:
a^2 + b^2 = c^2."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

UNREADABLE = "[equation]"
_ATOM = re.compile(r"\w[′'\u0300-\u036f]*|\d+(?:[.,]\d+)*|[^\W\d_]{3,}|[(\[{|].*[)\]}|]")
_SPACES = re.compile(r"\s+")
_RELATIONS = re.compile(r" ?([=≠≈≤≥<>≡→⇒∈+±−×·∝]) ?")
_SIGN = re.compile(r"(^|[(\[{,;=^_/×·]\s?)([+−-]) ")
# Application, times, comma, plus; ∘
_INVISIBLE = {
    0x2061: " ",
    0x2062: "",
    0x2063: " ",
    0x2064: "",
    0x2218: "°",
}
_DEEPEST = 100  # levels; what is nested deeper is no equation
_ACCENTS = {"^": "\u0302", "ˆ": "\u0302", "~": "\u0303", "˜": "\u0303", "¯": "\u0304",
    "‾": "\u0304", "→": "\u20d7",
            "⃗": "\u20d7", "˙": "\u0307", "¨": "\u0308", "_": "\u0332"}  # fmt: skip
_ACCENT_NAMES = {
    "\u0302": "hat",
    "\u0303": "tilde",
    "\u0304": "bar",
    "\u0305": "bar",
    "\u20d7": "vec",
    "\u0332": "bar",
}
_DROPPED = frozenset(
    "rPr ctrlPr fPr sSupPr sSubPr sSubSupPr sPrePr radPr naryPr dPr funcPr limLowPr limUppPr "
    "accPr barPr mPr eqArrPr groupChrPr borderBoxPr boxPr phantPr oMathParaPr argPr annotation "
    "annotation-xml mphantom mspace".split()
)


def equation_text(element: Any) -> str:
    """An equation as one line; "[equation]" where nothing of it can be read."""
    text = _SPACES.sub(" ", _of(element, 0).translate(_INVISIBLE)).strip()
    text = _RELATIONS.sub(r" \1 ", text)
    text = _SIGN.sub(r"\1\2", text).strip()
    return text if any(sign.isalnum() for sign in text) else UNREADABLE


def _of(element: Any, depth: int) -> str:
    """The text of one element, by its kind."""
    if element is None or depth > _DEEPEST:
        return ""
    tag = element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""
    if not tag or tag in _DROPPED:
        return ""
    if tag in ("t", "mi", "mn", "mo", "mtext", "ms", "delText"):
        return "" if tag == "delText" else element.text or ""
    reader = _READERS.get(tag)
    return reader(element, depth + 1) if reader else _all(element, depth + 1)


def _all(element: Any, depth: int) -> str:
    return "".join(_of(child, depth) for child in element)


def _part(element: Any, name: str, depth: int) -> str:
    """The text of a named part."""
    part = element.find(f"{{*}}{name}")
    return _of(part, depth).strip() if part is not None else ""


def _child(element: Any, number: int, depth: int) -> str:
    return _of(element[number], depth).strip() if number < len(element) else ""


def _sign(element: Any, properties: str, name: str, default: str) -> str:
    """A sign that the properties of an element set; they may leave it empty."""
    sign = element.find(f"{{*}}{properties}/{{*}}{name}")
    if sign is None:
        return default
    return next((value for key, value in sign.attrib.items() if key.endswith("val")), "")


def grouped(text: str) -> str:
    """A text in brackets, unless it is one name, number or group."""
    whole = _ATOM.fullmatch(text)
    bracketed = whole and text[0] in "([{|" and _closes_at_end(text)
    return text if len(text) < 2 or bracketed or (whole and text[0] not in "([{|") else f"({text})"


def _closes_at_end(text: str) -> bool:
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if depth == 0 and at < len(text) - 1 and sign in ")]}":
            return False
    return True


def _fraction(element: Any, depth: int) -> str:
    above = _part(element, "num", depth) or _child(element, 0, depth)
    below = _part(element, "den", depth) or _child(element, 1, depth)
    if _sign(element, "fPr", "type", "") == "noBar":
        return f"({above} choose {below})"
    return f"{grouped(above)}/{grouped(below)}"


def _scripted(base: str, below: str, above: str) -> str:
    low = f"_{grouped(below)}" if below else ""
    high = f"^{grouped(above)}" if above else ""
    if high in ("^∘", "^°"):
        return f"{grouped(base)}{low}°"
    return f"{grouped(base)}{low}{high}"


def _script(element: Any, depth: int) -> str:
    base = _part(element, "e", depth)
    return _scripted(base, _part(element, "sub", depth), _part(element, "sup", depth))


def _limit(element: Any, depth: int) -> str:
    base, limit = _part(element, "e", depth), _part(element, "lim", depth)
    return _scripted(base, limit, "") if element.tag.endswith("Low") else _scripted(base, "", limit)


def _root(element: Any, depth: int) -> str:
    inner, degree = _part(element, "e", depth), _part(element, "deg", depth)
    return f"root({degree}, {inner})" if degree else f"sqrt({inner})"


def _sum(element: Any, depth: int) -> str:
    sign = _sign(element, "naryPr", "chr", "∫")
    low, high = _part(element, "sub", depth), _part(element, "sup", depth)
    return f" {_scripted(sign, low, high)} {_part(element, 'e', depth)} "


def _brackets(element: Any, depth: int) -> str:
    inner = [_of(part, depth).strip() for part in element.iterfind("{*}e")]
    opening, closing = _sign(element, "dPr", "begChr", "("), _sign(element, "dPr", "endChr", ")")
    return opening + f" {_sign(element, 'dPr', 'sepChr', '|')} ".join(inner) + closing


def _function(element: Any, depth: int) -> str:
    argument = _part(element, "e", depth)
    joint = " " if grouped(argument) == argument and argument[:1] not in "([{|" else ""
    return f" {_part(element, 'fName', depth)}{joint}{grouped(argument)} "


def _accented(base: str, accent: str) -> str:
    mark = _ACCENTS.get(accent, accent)
    if len(base) == 1 and len(mark) == 1:
        return base + mark
    return f"{_ACCENT_NAMES.get(mark, mark)}({base})"


def _accent(element: Any, depth: int) -> str:
    return _accented(_part(element, "e", depth), _sign(element, "accPr", "chr", "\u0302"))


def _bar(element: Any, depth: int) -> str:
    below = _sign(element, "barPr", "pos", "bot") == "bot"
    return _accented(_part(element, "e", depth), "_" if below else "¯")


def _matrix(element: Any, depth: int) -> str:
    return _rows(
        [_of(cell, depth).strip() for cell in row.iterfind("{*}e")]
        for row in element.iterfind("{*}mr")
    )


def _rows(rows: Iterable[Iterable[str]]) -> str:
    return "[" + "; ".join(", ".join(row) for row in rows) + "]"


def _lines(element: Any, depth: int) -> str:
    return "; ".join(filter(None, (_of(part, depth).strip() for part in element.iterfind("{*}e"))))


def _mathml_script(element: Any, depth: int) -> str:
    tag = element.tag.rsplit("}", 1)[-1]
    base, first, second = (_child(element, number, depth) for number in range(3))
    if tag == "mover" and first in _ACCENTS:
        return _accented(base, first)
    if tag in ("msup", "mover"):
        return _scripted(base, "", first)
    return _scripted(base, first, second)


def _mathml_root(element: Any, depth: int) -> str:
    if element.tag.endswith("msqrt"):
        return f"sqrt({_all(element, depth).strip()})"
    return f"root({_child(element, 1, depth)}, {_child(element, 0, depth)})"


def _mathml_brackets(element: Any, depth: int) -> str:
    inner = ", ".join(_of(child, depth).strip() for child in element)
    return f"{element.get('open', '(')}{inner}{element.get('close', ')')}"


def _mathml_table(element: Any, depth: int) -> str:
    return _rows([_of(cell, depth).strip() for cell in row] for row in element)


_READERS: Mapping[str, Callable[[Any, int], str]] = {
    "f": _fraction, "mfrac": _fraction, "sSup": _script, "sSub": _script, "sSubSup": _script,
    "sPre": _script, "limLow": _limit, "limUpp": _limit, "rad": _root, "nary": _sum, "d": _brackets,
    "func": _function, "acc": _accent, "bar": _bar, "m": _matrix, "eqArr": _lines,
    "msup": _mathml_script, "msub": _mathml_script, "msubsup": _mathml_script,
    "munder": _mathml_script, "mover": _mathml_script, "munderover": _mathml_script,
    "msqrt": _mathml_root, "mroot": _mathml_root, "mfenced": _mathml_brackets,
    "mtable": _mathml_table,
    # The presentation, without its annotations
    "semantics": lambda element, depth: _child(element, 0, depth),
}  # fmt: skip
