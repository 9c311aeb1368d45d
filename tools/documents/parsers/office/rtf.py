"""Rich Text (RTF 1.9.1): paragraphs with their styles, list items, tables, notes; deleted and
hidden text left out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.authors_and_dates import clean_authors
from tools.documents.parsers.blocks import ParsedBlock, TableCell, compose, table_blocks
from tools.documents.parsers.lines import CAPTION, SUPERSCRIPTS, with_bold_headings
from tools.documents.parsers.versions import with_version
from tools.errors import ParseError
from tools.text.normalise import snapshot_text

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,9})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|[\r\n]+|([^\\{}\r\n]+)",
    re.S,
)
_SKIPPED = frozenset(
    "fonttbl colortbl pict object header headerl headerr headerf footer footerl footerr footerf "
    "ftnsep ftnsepc aftnsep aftnsepc generator xmlnstbl listtable listoverridetable revtbl "
    "rsidtbl fldinst datafield themedata colorschememapping latentstyles datastore bkmkstart "
    "bkmkend annotation atnid atnauthor atntime atnref nonshppict operator keywords comment "
    "doccomm company mmathPr panose falt docvar userprops filetbl txe rxe private1".split()
)
_TEXTS = {
    "tab": "\t", "line": "\n", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’",
    "ldblquote": "“", "rdblquote": "”", "bullet": "•", "emspace": " ", "enspace": " ",
    "qmspace": " ", "softline": " ",
}  # fmt: skip
_SIGNS = {
    b"~": "\u00a0",
    b"_": "-",
    b"-": "",
    b"{": "{",
    b"}": "}",
    b"\\": "\\",
    b"\n": "\n",
    b"\r": "\n",
}
_CHARSETS = {
    0: "cp1252", 1: "cp1252", 2: "cp1252", 77: "mac-roman", 128: "cp932", 129: "cp949",
    130: "johab", 134: "gb18030", 136: "big5hkscs", 161: "cp1253", 162: "cp1254", 163: "cp1258",
    177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
    254: "cp437", 255: "cp437",
}  # fmt: skip
_CODEPAGE = re.compile(rb"\\ansicpg(\d{3,5})")
_FONT = re.compile(rb"\\f(\d{1,5})(?:[^{};]{0,200}?)\\fcharset(\d{1,3})")
_STYLE = re.compile(rb"\{(?:\\\*)?\\s(\d{1,5})\b([^{}]{0,600}?)\s([^;\\{}]{1,100});\}")
_INFO = re.compile(rb"\{\\(title|author|subject)\s([^{}]{0,1000})\}")
_CREATED = re.compile(rb"\{\\creatim\\yr(\d{4})\\mo(\d{1,2})\\dy(\d{1,2})")
_HEADING = re.compile(r"(?:heading|überschrift|titre|título|kop|rubrik) (\d)", re.I)
_DEEPEST = 500


@dataclass(frozen=True, slots=True)
class _State:
    """What a group may set, and loses when it ends."""

    skip: bool = False
    font: int = -1
    fallback: int = 1  # signs to leave out behind a Unicode character
    bold: bool = False
    hidden: bool = False
    raised: bool = False
    target: str = "text"  # text, mark (of a list item), note


@dataclass(slots=True)
class _Paragraph:
    """Properties of the paragraph that is being read."""

    style: int = 0
    outline: int = -1
    in_table: bool = False
    level: int = 0
    listed: bool = False


def parse(request: Request) -> Extracted:
    """The text of a document."""
    reader = _Reader(request.data)
    composed = compose(with_bold_headings(list(reader.blocks()), reader.bold))
    metadata = _metadata(request.data, reader.codec)
    return composed.extracted(
        with_version("zorora-rtf"), metadata, empty="This Rich Text file contains no text."
    )


@dataclass(slots=True)
class _Reader:
    """Reads the tokens of a file in order."""

    data: bytes
    codec: str = "cp1252"
    bold: set[int] = field(default_factory=set)
    _fonts: dict[int, str] = field(default_factory=dict)
    _styles: dict[int, str] = field(default_factory=dict)
    _state: _State = field(default_factory=_State)
    _stack: list[_State] = field(default_factory=list)
    _paragraph: _Paragraph = field(default_factory=_Paragraph)
    _texts: dict[str, list[str]] = field(
        default_factory=lambda: {"text": [], "mark": [], "note": []}
    )
    _bytes: bytearray = field(default_factory=bytearray)
    _plain: int = 0  # characters of the paragraph that are not bold
    _skip_count: int = 0  # signs still to be left out
    _ignorable: bool = False
    _cells: list[str] = field(default_factory=list)
    _rows: list[list[TableCell]] = field(default_factory=list)
    _notes: list[str] = field(default_factory=list)
    _note_depth: int = -1
    _count: int = 0

    def __post_init__(self) -> None:
        page = _CODEPAGE.search(self.data[:5000])
        self.codec = _known_codec(f"cp{page.group(1).decode()}") if page else "cp1252"
        start = self.data.find(b"{\\fonttbl")
        for number, charset in _FONT.findall(self.data[max(0, start) : max(0, start) + 200_000]):
            self._fonts[int(number)] = (
                _CHARSETS.get(int(charset), self.codec) if int(charset) > 1 else self.codec
            )
        start = self.data.find(b"{\\stylesheet")
        if start >= 0:
            for number, _, name in _STYLE.findall(self.data[start : start + 500_000]):
                self._styles[int(number)] = name.decode(self.codec, "replace").strip().lower()

    def blocks(self) -> Iterator[ParsedBlock]:
        """The blocks of the document."""
        at = 0
        while match := _TOKEN.match(self.data, at):
            at = match.end()
            word, number, code, sign, brace, text = match.groups()
            if code or text:
                self._add_bytes(bytes([int(code, 16)]) if code else text)
                continue
            self._flush()
            if word == b"bin":
                at += max(0, int(number or 0))
            elif word:
                yield from self._word(word.decode("ascii"), int(number) if number else None)
            elif brace:
                self._brace(brace)
            elif sign:
                self._sign(sign)
        self._flush()
        yield from self._end_paragraph()
        yield from self._end_table()

    def _brace(self, brace: bytes) -> None:
        if brace == b"{":
            if len(self._stack) > _DEEPEST:
                raise ParseError("This Rich Text file is nested too deeply to read.")
            self._stack.append(self._state)
            self._ignorable = False
        elif self._stack:
            if len(self._stack) == self._note_depth:
                self._end_note()
            self._state = self._stack.pop()

    def _sign(self, sign: bytes) -> None:
        if sign == b"*":
            self._ignorable = True
        else:
            self._add(_SIGNS.get(sign, ""))

    def _word(self, word: str, number: int | None) -> Iterator[ParsedBlock]:
        """A control word: where text goes, how it is set, where paragraphs and cells end."""
        if self._ignorable or word in _SKIPPED or word in ("stylesheet", "info"):
            self._ignorable = False
            skip = word not in ("shptxt", "shpinst", "fldrslt")
            self._state = replace(self._state, skip=self._state.skip or skip)
        elif word in _TEXTS:
            self._add(_TEXTS[word])
        elif word == "u" and number is not None:
            self._add(chr(number % 65536) if not 0xD800 <= number % 65536 < 0xE000 else "\ufffd")
            self._skip_count = self._state.fallback
        elif word in ("par", "sect", "page", "cell", "nestcell", "row", "nestrow"):
            if not self._state.skip:
                yield from self._end(word)
        else:
            self._apply_word(word, number)

    def _end(self, word: str) -> Iterator[ParsedBlock]:
        if self._state.target == "note":
            self._add(" ")
        elif word in ("cell", "nestcell"):
            self._cells.append(" ".join("".join(self._texts["text"]).split()))
            self._texts["text"].clear()
        elif word in ("row", "nestrow"):
            self._rows.append([TableCell(text) for text in self._cells])
            self._cells = []
        elif self._paragraph.in_table:
            self._add(" ")
        else:
            yield from self._end_table()
            yield from self._end_paragraph()

    def _apply_word(self, word: str, number: int | None) -> None:
        """What the paragraph is, how the characters that follow are set, and where they go."""
        value, on = number or 0, number != 0
        properties: dict[str, tuple[str, Any]] = {
            "s": ("style", value),
            "outlinelevel": ("outline", -1 if number is None else number),
            "intbl": ("in_table", True),
            "ilvl": ("level", min(8, max(0, value))),
            "ls": ("listed", bool(number)),
        }
        changes: dict[str, dict[str, Any]] = {
            "f": {"font": value},
            "uc": {"fallback": min(10, max(0, number if number is not None else 1))},
            "b": {"bold": on},
            "v": {"hidden": on},
            "deleted": {"hidden": on},
            "plain": {"bold": False, "hidden": False, "raised": False},
            "super": {"raised": on},
            "nosupersub": {"raised": False},
            "listtext": {"target": "mark"},
            "pntext": {"target": "mark"},
        }
        if word == "pard":
            self._paragraph = _Paragraph()
        elif word in properties:
            setattr(self._paragraph, *properties[word])
        elif word in changes:
            self._state = replace(self._state, **changes[word])
        elif word == "footnote":
            self._state = replace(self._state, target="note", raised=False)
            self._note_depth = len(self._stack)
        elif word == "chftn" and self._state.target == "text":
            self._count += 1
            self._add(str(self._count).translate(SUPERSCRIPTS))

    def _end_note(self) -> None:
        text = " ".join("".join(self._texts["note"]).split())
        self._texts["note"].clear()
        self._note_depth = -1
        if text:
            number = str(max(self._count, 1)).translate(SUPERSCRIPTS)
            self._notes.append(f"{number} {text}")

    def _add_bytes(self, data: bytes) -> None:
        """Characters of the file; those that stand for a Unicode character before them are left
        out."""
        skip_count = min(self._skip_count, len(data))
        self._skip_count -= skip_count
        if not self._state.skip:
            self._bytes += data[skip_count:]

    def _flush(self) -> None:
        if self._bytes:
            codec = self._fonts.get(self._state.font, self.codec)
            self._add(self._bytes.decode(codec, "replace"))
            self._bytes.clear()

    def _add(self, text: str) -> None:
        state = self._state
        if state.skip or state.hidden or not text:
            return
        if state.raised and text.strip().isdecimal():
            text = text.translate(SUPERSCRIPTS)
        self._texts[state.target].append(text)
        if not state.bold and state.target == "text":
            self._plain += len(text.strip())

    def _end_paragraph(self) -> Iterator[ParsedBlock]:
        text = snapshot_text("".join(self._texts["text"]).strip())
        mark = "".join(self._texts["mark"]).strip()
        self._texts["text"].clear()
        self._texts["mark"].clear()
        bold, self._plain = self._plain == 0, 0
        if text:
            block = self._block(" ".join(text.split()), mark)
            if bold and block.kind is None:
                self.bold.add(id(block))
            yield block
        notes, self._notes = self._notes, []
        yield from (ParsedBlock(note, kind=BlockKind.FOOTNOTE) for note in notes)

    def _block(self, text: str, mark: str) -> ParsedBlock:
        name = self._styles.get(self._paragraph.style, "")
        heading = _HEADING.match(name)
        if heading or name == "title" or 0 <= self._paragraph.outline < 9:
            level = (
                int(heading.group(1))
                if heading
                else 1
                if name == "title"
                else self._paragraph.outline + 1
            )
            item_text = f"{mark} {text}" if any(map(str.isalnum, mark)) else text
            return ParsedBlock(item_text, max(1, min(6, level)))
        if mark or self._paragraph.listed:
            marker = mark if any(map(str.isalnum, mark)) else "-"
            return ParsedBlock(
                text, self._paragraph.level + 1, kind=BlockKind.LIST_ITEM, marker=marker
            )
        kind = BlockKind.CAPTION if name == "caption" or CAPTION.match(text) else None
        return ParsedBlock(text, kind=BlockKind.QUOTATION if "quote" in name else kind)

    def _end_table(self) -> Iterator[ParsedBlock]:
        if self._cells:
            self._rows.append([TableCell(text) for text in self._cells])
        rows, self._rows, self._cells = self._rows, [], []
        if rows and max(map(len, rows)) > 1:
            yield from table_blocks(rows)
        else:
            yield from (ParsedBlock(cell.text) for row in rows for cell in row if cell.text)


def _known_codec(name: str) -> str:
    try:
        "".encode(name)
    except LookupError:
        return "cp1252"
    return name


def _metadata(data: bytes, codec: str) -> dict[str, object]:
    """The info group: title, author, subject, when it was created."""
    start = data.find(b"{\\info")
    head = data[start : start + 20_000] if start >= 0 else b""
    properties = {name.decode(): _plain(value, codec) for name, value in _INFO.findall(head)}
    created = _CREATED.search(head)
    date = "-".join(part.decode().zfill(2) for part in created.groups()) if created else ""
    return {
        "title": properties.get("title", "")[:500],
        "authors": clean_authors([properties.get("author", "")]),
        "description": properties.get("subject", "")[:1000],
        "created": date if date[:2] in ("19", "20") else "",
    }


def _plain(value: bytes, codec: str) -> str:
    """The text of a group without groups inside."""
    decoded = re.sub(rb"\\'([0-9a-fA-F]{2})", lambda m: bytes([int(m.group(1), 16)]), value).decode(
        codec, "replace"
    )
    decoded = re.sub(r"\\u(-?\d{1,6})\??", lambda m: chr(int(m.group(1)) % 65536), decoded)
    return " ".join(snapshot_text(re.sub(r"\\[a-z]+-?\d* ?", "", decoded)).split())
