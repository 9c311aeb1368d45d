"""Inline markup that means something to a reader: raised and lowered text, equations, pictures of
equations."""

import re
from typing import Any

from tools.documents.parsers.office.equations import equation_text

_ORDINAL = re.compile(r"[^\W\d_]{2,}|[eoaªº]|[®™℠]")  # 1st, 2e, 3a, Acme TM
_MARK = re.compile(r"\d{1,3}(?:[,–-]\s?\d{1,3}){0,4}|[a-z]")
_SIMPLE = re.compile(r"[-−–+]?\w+(?:\.\d+)?|[*+′°−-]")
_WORD_END = re.compile(r"(?:[^\W\d_]{3,40}|[A-Z]{2})$")
_FUNCTIONS = frozenset("sin cos tan log exp min max det sec cot csc arg lim".split())
_STOPS_AND_SPACE = ".,;:!?\"'”’»\u00a0"

_TEX_PICTURE = re.compile(r"\b(?:tex|latex|math|mwe-math|equation|katex|formula)", re.I)
_TEX_ADDRESS = re.compile(r"latex|/math/|mathtex|codecogs|/tex/|/equation", re.I)
_TEX_WRAPPER = re.compile(r"^\{?\s*\\(?:display|text|script)style\b\s*(.*?)\}?$", re.S)
_TEX_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]{1,80})\}\s*\{([^{}]{1,80})\}")
_TEX_NAMED = re.compile(
    r"\\(?:text|mathrm|mathbf|mathit|mathsf|operatorname|mbox|boldsymbol)\s*\{([^{}]{0,200})\}"
)
_TEX_SPACE = re.compile(r"\\(?:[,;:! ]|q?quad\b|left\b\.?|right\b\.?|displaystyle\b|limits\b)")
_TEX_SIGN = re.compile(r"\\([A-Za-z]+)(?![A-Za-z])\s?")
_TEX_BRACES = re.compile(r"([\^_])\{([^{}\s]{1,2}|[-+−]?\d{1,8})\}")
_TEX_SIGNS = {
    "cdot": "·", "times": "×", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠", "ne": "≠",
    "pm": "±", "approx": "≈", "infty": "∞", "to": "→", "rightarrow": "→", "ldots": "…", "dots": "…",
    "cdots": "…", "in": "∈", "sum": "∑", "prod": "∏", "int": "∫", "partial": "∂", "nabla": "∇",
    "sim": "~", "equiv": "≡", "subset": "⊂", "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ",
    "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ", "kappa": "κ",
    "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ",
    "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Lambda": "Λ", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip


def raised(before: str, text: str, *, linked: bool = False) -> str:
    """Text of <sup> as plain text: an exponent as ^2, a footnote mark as [2], ordinals and signs as
    they are.

    before: the end of the text it is raised from. linked: whether it is a link, as footnote marks
    are.
    """
    mark = text.strip()
    if not mark or mark[0] in "[(*†‡§":
        return text
    if linked:
        return f"[{mark}]"
    if not before or (before[-1].isspace() and before[-1] != "\u00a0"):
        return text
    if (mark.isalpha() and before[-1].isalpha()) or _ORDINAL.fullmatch(mark):
        return text
    if _MARK.fullmatch(mark) and (before[-1] in _STOPS_AND_SPACE or _is_word(before)):
        return f"[{mark}]"
    return f"^{mark}" if _SIMPLE.fullmatch(mark) else f"^({mark})"


def lowered(before: str, text: str) -> str:
    """Text of <sub> as plain text: H2O as it is, an index of a number or of a variable as x_i."""
    index = text.strip()
    base = before[-2:]
    joins_digits = base[-1:].isdigit() and index[:1].isdigit()
    is_variable = base[-1:].isalpha() and not base[:-1].isalnum() and index[:1].isalpha()
    return f"_{index}" if index and (joins_digits or is_variable) else text


def equation_of(math: Any) -> str:
    """A <math> element as text: the TeX that it carries, else its MathML in one line; a mark when
    both are empty."""
    tex = math.get("alttext") or next(
        (note.text for note in math.iter("{*}annotation") if "tex" in (note.get("encoding") or "")),
        None,
    )
    return plain_tex(tex) or equation_text(math)


def is_drawn_equation(image: Any) -> bool:
    """Whether an <img> is a picture of an equation."""
    names = f"{image.get('class') or ''} {image.get('role') or ''}"
    return bool(_TEX_PICTURE.search(names) or _TEX_ADDRESS.search((image.get("src") or "")[:300]))


def plain_tex(tex: str | None) -> str:
    """TeX with its commonest commands as signs: {\\displaystyle a^{2}\\leq b} is a^2 ≤ b."""
    plain = (tex or "").strip().strip("$").strip()[:2000]
    wrapped = _TEX_WRAPPER.match(plain)
    plain = wrapped.group(1) if wrapped else plain
    for _ in range(3):  # fractions and names may be nested
        plain = _TEX_FRACTION.sub(
            lambda m: f"{_bracketed(m.group(1))}/{_bracketed(m.group(2))}", plain
        )
        plain = _TEX_NAMED.sub(r"\1", plain)
    plain = _TEX_SPACE.sub(" ", plain)
    plain = _TEX_SIGN.sub(
        lambda m: _TEX_SIGNS[m.group(1)] + " " if m.group(1) in _TEX_SIGNS else m.group(0), plain
    )
    return " ".join(_TEX_BRACES.sub(r"\1\2", plain).split())


def _is_word(before: str) -> bool:
    """Whether the text ends in a word of a sentence, which has no exponent."""
    word = _WORD_END.search(before)
    return word is not None and word.group().lower() not in _FUNCTIONS


def _bracketed(part: str) -> str:
    part = part.strip()
    return part if re.fullmatch(r"[\w.\\]+", part) else f"({part})"
