"""AsciiDoc: headings, lists, blocks between lines of marks, tables, notes.

https://docs.asciidoctor.org/asciidoc/latest/. What stands between two equal lines of marks is a
block.
"""

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from textwrap import dedent

from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.authors_and_dates import iso_date
from tools.documents.parsers.blocks import ParsedBlock, compose
from tools.documents.parsers.encoding import text_of
from tools.documents.parsers.text.asciidoc_tables import table
from tools.documents.parsers.text.asciidoc_words import Words, alternative
from tools.documents.parsers.text.front_matter import metadata_of
from tools.documents.parsers.versions import with_version

_DIRECTIVE = re.compile(r"(ifn?def|ifeval|endif|include(?:-code)?)::[^\[]{0,1000}+\[(.*)\]$")
_ENTRY = re.compile(r":(!?\w[\w-]{0,100}+!?):(?:\s++(.*))?$")
_ATTRIBUTES = re.compile(r"\[([\w.#%{}-]*+(?: ?[,=].*)?|[\"'].*|\[[\w:.-]{1,200}+(?:,.*)?\])\]$")
_DELIMITER = re.compile(
    r"(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|`{3}[\w+-]{0,30}|[|,:!]={3,})$"
)
_HEADING = re.compile(r"(={1,6}+|#{1,6}+)\s++(\S.*)$")
_UNDERLINE = re.compile(r"([=\-~^+])\1{2,}$")
_ITEM = re.compile(
    r"\s*+(\*{1,6}+|-|•|\.{1,6}+|\d{1,4}\.|[a-z]\.|[ivx]{1,5}\)|<(?:\d{1,3}"
    r"|\.)>)\s++(?:\[[ xX*]\]\s++)?(?=\S)"
)
_TERM = re.compile(r"\s*+(?!//)(\S.{0,400}?)(:{2,4}|;;)(?:\s++(.*))?$")
_TITLE = re.compile(r"\.([^\s.].*)$")
_PICTURE = re.compile(r"(image|video|audio|toc|icon)::([^\[]{0,1000}+)\[(.*)\]$")
_RULE = re.compile(r"(?:'{3,}|<{3,}|-{3}|\*{3}|- - -|\* \* \*)$")
_LABEL = re.compile(r"(NOTE|TIP|IMPORTANT|CAUTION|WARNING):\s++(?=\S)")
_AUTHOR = re.compile(
    r"[^\W\d][\w.'-]*+(?: [^\W\d][\w.'-]*+){0,2}(?: <[^<>]{1,200}>)?(?:; ?\w[^;]{1,200}+){0,20}$"
)
_ADDRESS = re.compile(r" ?<[^<>]{1,200}>")
_STYLE = re.compile(r"[\w-]*+")
_LABELS = frozenset("NOTE TIP IMPORTANT CAUTION WARNING".split())
_MATHS = frozenset("stem latexmath asciimath".split())
# To the next empty line
_WHOLE = frozenset("source listing literal synopsis verse quote comment".split()) | _MATHS
_LEVELS = "=-~^+"  # signs under a heading, by its level
_MOST_OPTIONS = 2000  # characters of what stands in brackets above a block
_DEEPEST = 20  # blocks within blocks
Lines = list[str]


def parse(request: Request) -> Extracted:
    """The text without markup; the header and its attributes become metadata."""
    lines = [line.rstrip() for line in text_of(request).split("\n")]
    reader = Reader()
    composed = compose(reader.read(list(_visible_lines(lines))))
    fields = reader.words.fields
    title, date = fields.get("doctitle", ""), fields.get("revdate") or fields.get("date", "")
    metadata = metadata_of({**fields, "title": title, "date": date})
    metadata["title_from"] = "heading" if title else ""
    return composed.extracted(with_version("zorora-asciidoc"), metadata)


def _visible_lines(lines: Lines) -> Iterator[str]:
    """The lines without conditions and inclusions; what stands under a condition is shown."""
    for line in lines:
        directive = _DIRECTIVE.match(line) if "::" in line else None
        if not directive:
            yield line[1:] if line.startswith("\\") and _DIRECTIVE.match(line[1:]) else line
        elif directive[1] in ("ifdef", "ifndef") and directive[2]:
            yield directive[2]


@dataclass(slots=True)
class _Around:
    """A block that holds others: the line that ends it, and what holds again after it."""

    line: str
    lists: list[str]
    outer: int
    kind: BlockKind
    source: str  # of a quotation


@dataclass(slots=True)
class Reader:
    """Reads lines one after the other."""

    words: Words = field(default_factory=Words)
    _text: Lines = field(default_factory=list)  # lines of the paragraph or item that is being read
    _terms: Lines = field(default_factory=list)  # of a labelled list, before its text
    _marker: str = ""  # of the item; empty in a paragraph
    _lists: list[str] = field(default_factory=list)  # the sign of each list around
    _counts: dict[int, int] = field(default_factory=dict)  # items so far in the list of a depth
    _attached: bool = False  # whether the next block belongs to the item before it
    _outer: int = 0  # depth of the list item that the block around belongs to
    _level: int = 0  # of the paragraph
    _kind: BlockKind = BlockKind.PARAGRAPH
    _around: list[_Around] = field(default_factory=list)
    _style: str = ""
    _options: str = ""
    _label: str = ""  # of an admonition, for its first paragraph
    _header: int = 0  # how many lines below the title may name authors and date
    is_cell: bool = False  # of a table: what stands in it is no document

    def read(self, lines: Lines) -> Iterator[ParsedBlock]:
        """The blocks of a file."""
        closing = {line: at for at, line in enumerate(lines) if _DELIMITER.match(line)}
        at = 0
        while at < len(lines):
            if not _DELIMITER.match(lines[at]):
                at = yield from self._line(lines, at)
            elif any(block.line == lines[at] for block in self._around):
                yield from self._leave(lines[at])
            else:
                yield from self._finish()
                end = "```" if lines[at].startswith("```") else lines[at]
                if (
                    closing.get(end, 0) > at and len(self._around) < _DEEPEST
                ):  # else it begins nothing
                    at = yield from self._delimited(lines, at, end)
            at += 1
        yield from self._finish()

    def _delimited(self, lines: Lines, at: int, end: str) -> Generator[ParsedBlock, None, int]:
        """A block between two lines of signs; the last line that was read of it."""
        if (end[0] in "=*_" or end == "--") and self._style not in _WHOLE - {"quote"}:
            self._enter(end)
            return at
        following = lines.index(end, at + 1)
        yield from self._whole(lines[at], lines[at + 1 : following])
        return following

    def _line(self, lines: Lines, at: int) -> Generator[ParsedBlock, None, int]:
        """A line that is none around a block; the last that was read with it."""
        line = lines[at]
        if not line:
            self._header = 0
            if self._text or not self._terms:
                yield from self._finish()
        elif line.startswith("//") and line[:3] != "///" and self._style not in _WHOLE:
            pass
        elif line == "+":
            yield from self._finish()
            self._attached = bool(self._lists)
        elif not self._text and (level := self._underlined(lines, at)):
            at += 1
            yield from self._heading(line, level, lines[at + 1 : at + 100])
        elif self._header and self._is_header(line):
            pass
        elif attributes := _ATTRIBUTES.match(line):
            yield from self._finish()
            self._attributes(attributes[1])
        elif item := self._item_of(line):
            yield from self._item(*item)
        elif self._text:
            self._text.append(line)
        else:
            at = yield from self._opening(lines, at)
        return at

    def _underlined(self, lines: Lines, at: int) -> int:
        """The level of a heading with a line of signs under it; 0 of others."""
        line, following = lines[at], lines[at + 1] if at + 1 < len(lines) else ""
        is_heading = (
            abs(len(line) - len(following)) <= 1
            and bool(_UNDERLINE.match(following))
            and line[0] not in " \t[.:"
            and any(map(str.isalnum, line))
            and all(block.line != following for block in self._around)
        )
        return _LEVELS.index(following[0]) + 1 if is_heading else 0

    def _opening(self, lines: Lines, at: int) -> Generator[ParsedBlock, None, int]:
        """The first line of a block."""
        line = lines[at]
        if heading := _HEADING.match(line):
            yield from self._heading(
                heading[2].removesuffix(f" {heading[1]}"), len(heading[1]), lines[at + 1 : at + 100]
            )
        elif entry := _ENTRY.match(line):
            at = self._entry(entry, lines, at)
        elif title := _TITLE.match(line):
            yield from self._finish()
            yield ParsedBlock(self.words.plain(title[1]), kind=BlockKind.CAPTION)
        elif picture := _PICTURE.match(line):
            yield from self._finish()
            yield ParsedBlock(alternative(picture[3]), kind=BlockKind.CAPTION)
        elif _RULE.match(line):
            yield from self._finish()
        else:
            at = yield from self._paragraph(lines, at)
        return at

    def _paragraph(self, lines: Lines, at: int) -> Generator[ParsedBlock, None, int]:
        """A paragraph, or lines to the next empty one that are code or a quotation."""
        is_indented = lines[at][0] in " \t" and not self._terms
        if self._style in _WHOLE or is_indented:
            self._attached = self._attached or (is_indented and bool(self._lists))
            end = next((n for n in range(at, len(lines)) if lines[n] in ("", "+")), len(lines))
            yield from self._whole("", lines[at:end])
            return end - 1
        label = _LABEL.match(lines[at])
        self._label = f"{label[1].capitalize()}: " if label else self._label
        self._text = [lines[at][label.end() :] if label else lines[at]]
        if not self._terms:
            self._level = self._place()
        self._style = self._options = ""
        return at

    def _heading(self, text: str, level: int, below: Lines) -> Iterator[ParsedBlock]:
        """A heading. below: lines after it; those under the title are the header of the
        document."""
        yield from self._finish()
        self._lists = []
        self._attached, self._style, self._options, self._label = False, "", "", ""
        fields = self.words.fields
        if is_title := level == 1 and not self.is_cell and "doctitle" not in fields:
            self._header = 2
            for line in takewhile(bool, below):
                if entry := _ENTRY.match(line):  # the title may name it
                    self._entry(entry, [line], 0)
        text = self.words.plain(text)
        if is_title:
            fields["doctitle"] = text
        yield ParsedBlock(text, level)
        yield from self._notes()

    def _is_header(self, line: str) -> bool:
        """Whether a line below the title names authors, or the date of the revision."""
        if self._header == 2 and _AUTHOR.match(line):
            self.words.fields["author"] = _ADDRESS.sub("", line).replace("_", " ")
            self._header = 1
            return True
        is_dated = self._header == 1 and bool(iso_date(line))
        if is_dated:
            self.words.fields["revdate"] = line
        self._header = self._header if line.startswith(":") else 0
        return is_dated

    def _entry(self, entry: re.Match[str], lines: Lines, at: int) -> int:
        """An attribute; its value may go on over lines."""
        name, parts = entry[1].strip("!").lower(), [entry[2] or ""]
        while parts[-1].endswith(" \\") and at + 1 < len(lines):
            at += 1
            parts[-1] = parts[-1][:-2]
            parts.append(lines[at].strip())
        if name == entry[1].lower():
            self.words.fields[name] = self.words.plain(" ".join(parts))
        else:
            self.words.fields.pop(name, None)
        return at

    def _attributes(self, text: str) -> None:
        style = _STYLE.match(text)
        self._style = (style[0] if style else "") or self._style
        self._options = (f"{self._options},{text}" if self._options else text)[:_MOST_OPTIONS]
        if self._style in _LABELS:
            self._label = f"{self._style.capitalize()}: "

    def _item_of(self, line: str) -> tuple[str, str, str] | None:
        """The sign, the term and the text of a list item; None where the line is none."""
        if self._style in _WHOLE or (self._text and not self._marker and not self._lists):
            return None
        if item := _ITEM.match(line):
            return item[1], "", line[item.end() :]
        term = _TERM.match(line) if "::" in line or ";;" in line else None
        return (term[2], term[1], term[3] or "") if term else None

    def _item(self, sign: str, term: str, text: str) -> Iterator[ParsedBlock]:
        sort = sign if sign[0] in "*-•.:;" else sign[-1] + ("1" if sign[0].isdigit() else "a")
        if not (term and self._terms and not self._text and self._lists[-1:] == [sort]):
            yield from self._finish()
            self._enter_list(sort)
            count = str(self._counts[len(self._lists)])
            self._marker = (
                sign.replace(".", count)
                if sign == "<.>"
                else f"{count}."
                if sign[0] == "."
                else sign
            )
            self._marker = "-" if sign[0] in "*-•:;" else self._marker
        self._terms += filter(None, [term])
        self._text = [*filter(None, [text])]
        self._style = self._options = ""

    def _enter_list(self, sort: str) -> None:
        """Go on with the list of these signs, or begin one inside the item before."""
        if sort in self._lists:
            del self._lists[self._lists.index(sort) + 1 :]
        else:
            self._lists.append(sort)
            self._counts[len(self._lists)] = 0
        self._counts[len(self._lists)] += 1
        self._attached = False

    def _finish(self) -> Iterator[ParsedBlock]:
        """The paragraph or item that was read so far."""
        terms = self.words.plain(", ".join(term.rstrip(": ") for term in self._terms))
        text = self.words.plain(" ".join(line.removesuffix(" +") for line in self._text))
        text = ": ".join(filter(None, (terms, text)))
        if text:
            if self._marker:
                level, kind = (len(self._lists), BlockKind.LIST_ITEM)
            else:
                level, kind = (self._level, self._kind)
            level += self._outer if self._marker else 0
            yield ParsedBlock(self._label + text, level, kind=kind, marker=self._marker)
            self._label = ""
        yield from self._notes()
        self._text, self._terms, self._marker = [], [], ""

    def _notes(self) -> Iterator[ParsedBlock]:
        for note in self.words.notes():
            yield ParsedBlock(note, kind=BlockKind.FOOTNOTE)

    def _whole(self, mark: str, lines: Lines) -> Iterator[ParsedBlock]:
        """A block that is read as it stands: code, a table, verse, a formula; comments are not
        shown."""
        style, options, source = self._style, self._options, self._source()
        self._style = self._options = self._label = ""
        level = self._place()
        if mark[:1] in ("|", ",", ":", "!"):
            yield from table(mark, lines, options, self.words.plain, self._cell)
        elif style == "verse" or mark.startswith("_"):
            yield ParsedBlock(
                "\n".join(map(self.words.plain, lines)), level, kind=BlockKind.PARAGRAPH
            )
        elif style == "quote":
            yield ParsedBlock(self.words.plain(" ".join(lines)), level, kind=BlockKind.QUOTATION)
        elif style != "comment" and not mark.startswith("//"):
            kind = BlockKind.EQUATION if style in _MATHS else BlockKind.CODE
            yield ParsedBlock(dedent("\n".join(lines)), level, kind=kind)
        yield ParsedBlock(source, level, kind=BlockKind.QUOTATION)
        yield from self._notes()

    def _cell(self, lines: Lines) -> str:
        if self.is_cell:
            return self.words.plain(" ".join(lines))
        return " ".join(
            block.text for block in Reader(self.words, is_cell=True).read(lines) if block.text
        )

    def _source(self) -> str:
        """Who is quoted, as in [quote, name, work]."""
        attribution = self._options.partition(",")[2] if self._style in ("quote", "verse") else ""
        source = self.words.plain(
            ", ".join(part.strip(' "') for part in attribution.split(",") if part.strip(' "'))
        )
        return f"— {source}" if source else ""

    def _enter(self, line: str) -> None:
        """A block that holds others begins."""
        source, is_quoted = self._source(), line[0] == "_" or self._style == "quote"
        level = self._place()
        self._around.append(_Around(line, self._lists, self._outer, self._kind, source))
        self._lists, self._outer, self._style, self._options = [], level, "", ""
        self._kind = BlockKind.QUOTATION if is_quoted else self._kind

    def _leave(self, line: str) -> Iterator[ParsedBlock]:
        yield from self._finish()
        while (block := self._around.pop()).line != line:
            pass
        yield ParsedBlock(block.source, kind=BlockKind.QUOTATION)
        self._lists, self._outer, self._kind = block.lists, block.outer, block.kind
        self._attached, self._label, self._style, self._options = False, "", "", ""

    def _place(self) -> int:
        """The level of a block that is no item; it ends the lists before it unless it is
        attached."""
        if not self._attached:
            self._lists = []
        self._attached = False
        return self._outer + len(self._lists)
