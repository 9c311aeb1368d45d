"""The text of a paragraph of a Word document: tracked changes resolved, equations in words, notes
by their number."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tools.documents.parsers.office.docx_styles import is_mono
from tools.documents.parsers.office.equations import equation_text
from tools.documents.parsers.office.zip_package import attribute, is_on, local_name

# What is deleted, stands elsewhere, or is an instruction to Word
_SILENT = frozenset(
    "del moveFrom delText instrText delInstrText pPr rPr sdtPr sdtEndPr annotationRef "
    "footnoteRef endnoteRef rt commentReference proofErr bookmarkStart bookmarkEnd "
    "lastRenderedPageBreak tblPr trPr tcPr tblGrid".split()
)
_SUPERSCRIPTS = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_SUBSCRIPTS = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
# The letters of the font Symbol, by their places (U+F000 and above)
_SYMBOL = dict(
    zip(range(0x41, 0x5B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True)
) | dict(zip(range(0x61, 0x7B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)) | {
    0xA3: "≤", 0xB3: "≥", 0xB9: "≠", 0xB4: "×", 0xB1: "±", 0xB7: "•", 0xA5: "∞", 0xBB: "≈",
    0xAE: "→", 0xDE: "⇒", 0xB0: "°", 0xD7: "·", 0xE5: "∑", 0xF2: "∫", 0xD6: "√",
}  # fmt: skip
MAX_DEPTH = 200


@dataclass(slots=True)
class RunText:
    """What the runs of one paragraph say.

    notes: (kind, id) of the footnotes and endnotes in it, in order. boxes: paragraphs of text boxes
    anchored in it. equations, plain: how many of its parts are equations, and how many text. mono:
    all of its text is set in a font of fixed width.
    """

    parts: list[str] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    boxes: list[Any] = field(default_factory=list)
    equations: int = 0
    plain: int = 0
    mono: bool = True

    @property
    def text(self) -> str:
        return "".join(self.parts)


# The numbers of notes, in the order in which the text refers to them
NoteNumbers = dict[tuple[str, str], int]


def note_mark(note: tuple[str, str], numbers: NoteNumbers) -> str:
    """The number of a note as it stands in the text."""
    return str(numbers.setdefault(note, len(numbers) + 1)).translate(_SUPERSCRIPTS)


def read_runs(paragraph: Any, numbers: NoteNumbers) -> RunText:
    """The text of a w:p and what belongs to it."""
    text = RunText()
    _read_element(paragraph, text, numbers, 0)
    return text


def _read_element(element: Any, text: RunText, numbers: NoteNumbers, depth: int) -> None:
    if depth > MAX_DEPTH:
        return
    for child in element:
        name = local_name(child)
        if name == "r":
            _read_run(child, text, numbers, depth)
        elif name in ("oMath", "oMathPara"):
            _read_math(child, name, text)
        elif name in ("footnoteReference", "endnoteReference"):
            note = (name.removesuffix("Reference"), attribute(child, "id"))
            text.notes.append(note)
            text.parts.append(note_mark(note, numbers))
        elif name in ("drawing", "pict", "object"):
            text.boxes.extend(child.iter("{*}txbxContent"))
        elif name and name not in _SILENT:
            choice = child.find("{*}Choice") if name == "AlternateContent" else None
            _read_element(child if choice is None else choice, text, numbers, depth + 1)


def _read_math(element: Any, name: str, text: RunText) -> None:
    equations = list(element.iterfind("{*}oMath")) if name == "oMathPara" else [element]
    for equation in equations:
        joint = "; " if text.equations and not text.plain else ""
        text.parts.append(joint + equation_text(equation))
        text.equations += 1


def _read_run(run: Any, runs: RunText, numbers: NoteNumbers, depth: int) -> None:
    properties = run.find("{*}rPr")
    if properties is not None and is_on(properties.find("{*}vanish")):
        return
    text = "".join(_characters(run))
    if text.strip():
        runs.plain += 1
        runs.mono = runs.mono and is_mono(run)
    align = attribute(properties.find("{*}vertAlign"), "val") if properties is not None else ""
    if align == "superscript" and _SUPERSCRIPTS.keys() >= set(map(ord, text)):
        text = text.translate(_SUPERSCRIPTS)
    elif align == "subscript" and _SUBSCRIPTS.keys() >= set(map(ord, text)):
        text = text.translate(_SUBSCRIPTS)
    runs.parts.append(text)
    _read_element(run, runs, numbers, depth + 1)


def _characters(run: Any) -> Iterator[str]:
    """The characters of a run itself, without what is anchored in it."""
    for element in run:
        name = local_name(element)
        if name == "t":
            yield element.text or ""
        elif name in ("tab", "ptab"):
            yield "\t"
        elif name in ("br", "cr"):
            yield "\n" if attribute(element, "type", "textWrapping") == "textWrapping" else " "
        elif name == "noBreakHyphen":
            yield "-"
        elif name == "sym":
            yield _symbol(attribute(element, "char"), attribute(element, "font"))


def _symbol(code: str, font: str) -> str:
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    if font.lower() == "symbol" and 0xF000 <= number <= 0xF0FF:
        return _SYMBOL.get(number - 0xF000, "")
    return chr(number) if 32 <= number < 0xD800 else ""
