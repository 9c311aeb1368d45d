"""Inline markup of AsciiDoc as the words it shows. https://docs.asciidoctor.org/asciidoc/latest/text/"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import unescape

from tools.documents.parsers.text.literals import Literals

_WITHIN = r"(?:[^\[\]]++|\[[^\[\]]{0,300}+\]){0,50}+"  # the brackets of a macro may hold others
_MARK = re.compile(r"[*_`#{\[<+\\&^~:(\ue000]")
_EMPHASIS = re.compile(r"[*_#]")
_PASSED = re.compile(
    # Code, which may be about "+"
    r"(?=[`+])(?:(?<![\w`\\])`(?!\+[^`]{1,1000}+(?<=\+)`)[^`]{1,1000}+`(?!\w)|"
    r"\+(?:(?<![\w+\\]\+)(\+{0,2}+)(?=\S)([^+]{1,1000}+)(?<!\s)\+\1(?![\w+])|"
    r"(?<![+\\]\+)(\+{1,2}+)(?=\S)([^+]{1,1000}+)(?<!\s)\+\3))"
)
_PASSED_MACRO = re.compile(
    r"(?<![\w\\])(?:pass|stem|latexmath|asciimath):[a-z,]{0,20}+\[((?:[^\]\\]|\\.){0,1000}+)\]"
)
_REFERENCE = re.compile(r"(?<!\$)(\\)?\{([\w-]{1,60}+)\}")
_ADDRESS = re.compile(
    rf"(?<![\w\\:/}}.#-])((?:https?|ftp|irc)://[^\s\[\]<>\"`]{{1,1000}}+|\{{[\w-]{{1,60}}+\}}(?:[/#?][^\s\[\]<>\"`]{{0,1000}}+)?)\[({_WITHIN})\]"
)
_BARE_ADDRESS = re.compile(r"(<)?\b((?:https?|ftp)://[^\s<>\[\]\"`*]{1,1000}+)(?(1)>)")
_NOTE = re.compile(rf"(?<!\\)footnote(ref)?:([\w-]{{0,60}}+)\[({_WITHIN})\]")
_MACRO = re.compile(
    rf"(?<![\w\\:/.-])([a-z][a-z\d-]{{1,30}}+):(?!:)([^\s\[\]]{{0,1000}}+)\[({_WITHIN})\]"
)
_CROSS = re.compile(r"(?<![\\<])<<(?=[\w#/.\"-])([^<>,]{1,300}+)(?:,([^<>]{0,500}+))?>>")
_ANCHOR = re.compile(
    r"\[\[\[([^\[\],]{1,100}+)(?:,([^\[\]]{1,100}+))?\]\]\]|(?<!\\)\[\[[A-Za-z_:][\w:.-]{0,100}+(?:,[^\[\]]{0,200}+)?\]\]"
)
_INDEX_ENTRY = re.compile(
    r"\(\(\([^()]{1,300}+\)\)\)|(?<![\w$(])\(\((?=\w)([\w ,-]{1,80}+)\)\)(?!\))"
)
_CURLED = re.compile(r"([\"'])`(?=\S)([^`]{1,1000}+)`\1")
_OLD_QUOTED = re.compile(r"(?<!`)``([^`']{1,1000}+)''")
_CODE = re.compile(r"(?<!\\)(`{1,2}+)([^`]{1,1000}+)\1")
_ROLE = re.compile(r"\[[.#][\w.#%-]{1,60}+\](?=[*_`#])|\[[a-z-]{2,30}+\](?=#)")
_MARKS = "|".join(
    r"X(?:(?<!\\X)X(?=[^\sX])([^X]{1,1000}+)XX|(?<![\w\\X&]X)(?=[^\sX])([^X]{1,1000}+)(?<!\s)X(?![\wX]))".replace(
        "X", mark
    )
    for mark in (r"\*", r"\_", r"\#")
)
_MARKED = re.compile(f"(?=[*_#])(?:{_MARKS})")
_RAISED = re.compile(r"(?<=[\w)])(?:\^([\w+-]{1,20}+)\^|~([\w+-]{1,20}+)~)")
_ESCAPED = re.compile(r"\\(?=[*_`#{\[<^~+|])|(?<!\w)\\(?=[a-z]{2,20}+:\S)")
_OPEN_TARGET = re.compile(r"\{[\w-]{1,60}+\}/?")
_OPTION = re.compile(r"(?:^|,)\s{0,9}[\w-]{1,30}+=")
# https://docs.asciidoctor.org/asciidoc/latest/attributes/character-replacement-ref/; litdd: of git
_NAMED = {
    "amp": "&", "apos": "'", "asterisk": "*", "backslash": "\\", "backtick": "`", "blank": "",
    "brvbar": "¦", "caret": "^", "cpp": "C++", "cxx": "C++", "deg": "°", "empty": "", "endsb": "]",
    "gt": ">", "ldquo": "“", "litdd": "--", "lsquo": "‘", "lt": "<", "nbsp": " ", "plus": "+",
    "pp": "++", "quot": '"', "rdquo": "”", "rsquo": "’", "sp": " ", "startsb": "[", "tilde": "~",
    "two-colons": "::", "two-semicolons": ";;", "vbar": "|", "wj": "", "zwsp": "",
}  # fmt: skip
_HIDDEN = frozenset("anchor icon indexterm audio video".split())
_MOST_INSERTED = 1_000_000  # characters of values in a document


@dataclass(slots=True)
class Words:
    """Reads inline markup; knows the attributes of the document, and keeps the footnotes until they
    are asked for."""

    fields: dict[str, str] = field(default_factory=dict)
    _notes: list[str] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)
    _inserted: int = 0

    def plain(self, text: str) -> str:
        """Inline markup as the words it shows."""
        if not _MARK.search(text):
            return " ".join(text.split())
        literals = Literals()
        text = text.replace("\ue000", "")
        if "+" in text:
            text = _passed(text, literals)
        if "pass:" in text or "stem:" in text or "math:" in text:
            text = _PASSED_MACRO.sub(
                lambda match: literals.keep(match[1].replace("\\]", "]")), text
            )
        if "{" in text:
            text = _REFERENCE.sub(lambda match: self._value(match, literals), text)
        text = self._without_macros(_without_links(text, literals), literals)
        if "((" in text:
            text = _INDEX_ENTRY.sub(lambda match: match[1] or "", text)
        if "`" in text:
            text = _OLD_QUOTED.sub(r"“\1”", text)
            text = _CURLED.sub(
                lambda match: f"“{match[2]}”" if match[1] == '"' else f"‘{match[2]}’", text
            )
            text = _CODE.sub(lambda match: literals.keep(unescape(match[2])), text).replace(
                "`'", "’"
            )
        return " ".join(literals.restored(_without_marks(text)).split())

    def _without_macros(self, text: str, literals: Literals) -> str:
        """The text without macros, notes, anchors and roles."""
        if "[" not in text:
            return text
        for _ in range(2):  # one may stand in another
            text = _MACRO.sub(_macro, text.replace("xref::", "xref:"))
        if "footnote" in text:
            text = _NOTE.sub(lambda match: self._note(match, literals.restored(match[3])), text)
        if "[[" in text:
            text = _ANCHOR.sub(lambda match: f"[{match[2] or match[1]}]" if match[1] else "", text)
        return _ROLE.sub("", text)

    def notes(self) -> list[str]:
        """The footnotes of what was read since the last call."""
        notes, self._notes = self._notes, []
        return notes

    def _value(self, match: re.Match[str], literals: Literals) -> str:
        name = match[2].lower()
        if match[1]:
            return literals.keep(match[0][1:])
        if name in self.fields and self._inserted < _MOST_INSERTED:
            self._inserted += len(self.fields[name])
            return self.fields[name]
        return literals.keep(_NAMED[name]) if name in _NAMED else match[0]

    def _note(self, match: re.Match[str], text: str) -> str:
        name = match[2]
        if match[1]:
            name, _, text = text.partition(",")
        number = self._numbers.get(name, len(self._numbers) + 1)
        self._numbers[name or f" {number}"] = number
        if text.strip():
            self._notes.append(f"[{number}] {self.plain(text)}")
        return f"[{number}]"


def _passed(text: str, literals: Literals) -> str:
    """The text with what stands between plus signs kept; code is looked through for them."""
    return _PASSED.sub(
        lambda match: (
            literals.keep(_last(match))
            if match.lastindex
            else f"`{_passed(match[0][1:-1], literals)}`"
        ),
        text,
    )


def _without_links(text: str, literals: Literals) -> str:
    if "[" in text:
        text = _ADDRESS.sub(lambda match: _label(match[2]) or literals.keep(match[1]), text)
    if "://" in text:
        text = _BARE_ADDRESS.sub(lambda match: literals.keep(match[2]), text)
    if "<<" in text:
        text = _CROSS.sub(lambda match: _label(match[2] or "") or _place(match[1]), text)
    return text


def _without_marks(text: str) -> str:
    for _ in range(4 if _EMPHASIS.search(text) else 0):  # bold within italics
        text, changed = _MARKED.subn(_last, text)
        if not changed:
            break
    if "^" in text or "~" in text:
        text = _RAISED.sub(
            lambda match: f"^{match[1]}" if (match[1] or "a")[-1].isdigit() else _last(match), text
        )
    if "\\" in text:
        text = _ESCAPED.sub("", text)
    return unescape(text) if "&" in text else text


def _last(match: re.Match[str]) -> str:
    """The group of an alternative that matched."""
    return str(match[match.lastindex or 0])


def _macro(match: re.Match[str]) -> str:
    """A macro as name:target[text]; one that is not known stays, unless it has no text."""
    name, target, text = match.groups()
    if name in _HIDDEN:
        return ""
    if name in _SHOWN:
        return _SHOWN[name](target, text)
    return match[0] if _label(text) or not target or name == "footnote" else target


def _menu(menu: str, text: str) -> str:
    return " > ".join([menu, *filter(None, map(str.strip, text.replace(">", ",").split(",")))])


def _label(text: str) -> str:
    """The words of a link in its brackets, without options as in "text,window=_blank"."""
    text = text.strip()
    if text.startswith('"') and '"' in text[1:]:
        return text[1:].partition('"')[0]
    option = _OPTION.search(text)
    return (text[: option.start()] if option else text).strip().removesuffix("^")


def _place(target: str) -> str:
    """What a link without words leads to, as words: "_some_section" or "page.adoc#some-section"."""
    page, _, section = target.strip('"').rpartition("#")
    name = section or page
    return (
        name.removesuffix(".adoc")
        .rpartition("/")[2]
        .rpartition(":")[2]
        .strip("_")
        .replace("_", " ")
        or target
    )


def alternative(text: str) -> str:
    """What the brackets of a picture say in several words; one word is the name of a file."""
    alt = _label(text.partition(",")[0] if not text.startswith('"') else text)
    return alt if " " in alt.strip() else ""


# What is shown of a macro, by its name
_SHOWN: Mapping[str, Callable[[str, str], str]] = {
    "image": lambda target, text: alternative(text),
    "linkgit": lambda target, text: f"{target}({text})" if text else target,
    "menu": _menu,
    "kbd": lambda target, text: text,
    "btn": lambda target, text: text,
    "label": lambda target, text: text,
    "indexterm2": lambda target, text: text,
    "link": lambda target, text: _label(text) or target,
    "mailto": lambda target, text: _label(text) or target,
    "javadoc": lambda target, text: _label(text) or _OPEN_TARGET.sub("", target),
    "xref": lambda target, text: _label(text) or _place(target),
}
