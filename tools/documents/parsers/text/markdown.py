"""Markdown by markdown-it-py (CommonMark with tables, definition lists and footnotes) in blocks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from tools.documents.detect import MARKDOWN
from tools.documents.model import BlockKind, Extracted, Link
from tools.documents.parsers.blocks import ParsedBlock, compose, table_row
from tools.documents.parsers.dates import iso_date
from tools.documents.parsers.encoding import decode
from tools.documents.parsers.html.metadata import clean_authors
from tools.documents.parsers.request import Request
from tools.text.normalise import snapshot_text

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

MAX_LINKS = 500
_MAX_NESTING = 50
_MAX_LINE = 20_000  # a longer line is data; its inline markup is left as it is
_SENTENCE_SPACES = 5  # a value of the front matter with fewer is a name or a label
_FIELD = re.compile(r"^([A-Za-z_-]{1,40}):[ \t]*+(.*)$")
_TEMPLATE_TAG = re.compile(
    r"\{%[^{}%\n]{0,500}%\}|\{\{[^{}\n]{0,300}(?:\{[^{}\n]{0,300}\}[^{}\n]{0,300})?\}\}|<%[^%'\"\n]{0,300}%>"
)
_DATES = (  # names of fields, the best first
    re.compile(r"^(?:pub)?date$"), re.compile("publi"), re.compile("updat|modif|change"), re.compile("review"),
    re.compile("creat"),
)  # fmt: skip
_NAMES = frozenset(("title", "author", "authors", "tags", "keywords", "categories"))  # fields that are no text
_NO_DATES = ("next", "due", "expire", "until", "review_in", "review_by")
_POINTER_SHARE = 0.5  # of an item, that links to a section of the same page
_CODE_OR_TAG = re.compile(rf"(?<!`)(`{{1,5}}+)[^`\n]{{1,500}}\1|{_TEMPLATE_TAG.pattern}")
# Of Pandoc, Quarto, MyST and Docusaurus: "::: note", "[text]{#id .class}"; a title after the kind of box stays
_BOX = re.compile(r"^[ \t]*+:{3,}+[ \t]*+(?:\{[^{}\n]{0,200}\}|[\w-]{1,40})?+[ \t]*+([^:\n]{0,200}?)[ \t]*:*$", re.M)
_ATTRIBUTES = re.compile(r"(?<=[\])`])\{(?:[#.][^{}]{1,600}|[\w-]{1,40}=[^{}]{1,600})\}")
_HEADING_ATTRIBUTES = re.compile(r"^(#{1,6}[ \t][^{\n]{1,300}?)[ \t]*\{[#.][^{}\n]{1,200}\}[ \t]*$", re.M)
_SPAN = re.compile(r"(?<![\\!\w])\[([^\[\]\n]{1,200})\]\{[#.][^{}\n]{1,200}\}")
_FENCE = re.compile(r"[ \t>]*+(`{3,}+|~{3,}+)(.*)")
_TASK_BOX = re.compile(r"\[[ xX]\] ")


def parse(request: Request) -> Extracted:
    """The text without markup; the front matter becomes metadata."""
    raw = snapshot_text(decode(request.data, request.media_type))
    fields, body = _front_matter(raw)
    reader = _read(body)
    composed = compose([*_sentences(fields, body), *reader.finished()])
    links = tuple(Link(url, text) for url, text in reader.links.items())
    return composed.extracted(MARKDOWN, "zorora-markdown 5", _metadata(fields), links=links)


def blocks_of_markdown(text: str) -> list[ParsedBlock]:
    """The blocks of a piece of Markdown."""
    return _read(snapshot_text(text)).finished()


def _read(text: str) -> "_Reader":
    parser = _parser(any(len(line) > _MAX_LINE for line in text.split("\n")))
    reader = _Reader()
    for token in parser.parse(_without_markers(text)):
        reader.take(token)
    return reader


@lru_cache(maxsize=2)
def _parser(is_plain: bool) -> "MarkdownIt":
    """Making one takes as long as reading a note. is_plain: without the marks that take long in very long lines."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.footnote import footnote_plugin

    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable(["table", "strikethrough"])
    parser.use(deflist_plugin).use(footnote_plugin, inline=False, move_to_end=False)
    return parser.disable(["emphasis", "link", "image", "strikethrough"]) if is_plain else parser


def _without_markers(text: str) -> str:
    """The text without comments and tags of template languages; code keeps both."""
    parts: list[str] = []
    prose: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            parts.append(line)
            fence = "" if mark and mark.group(1).startswith(fence) and not mark.group(2).strip() else fence
        elif mark and "`" not in mark.group(2):
            parts += [*_cleaned(prose), line]
            prose, fence = [], mark.group(1)
        else:
            prose.append(line)
    return "\n".join([*parts, *_cleaned(prose)])


def _cleaned(lines: Sequence[str]) -> list[str]:
    text = _BOX.sub(r"\n\1\n", _without_comments("\n".join(lines)))
    if "{" in text:
        text = _ATTRIBUTES.sub("", _SPAN.sub(r"\1", _HEADING_ATTRIBUTES.sub(r"\1", text)))
    return [_CODE_OR_TAG.sub(lambda match: match.group() if match.group(1) else "", text)] if lines else []


def _without_comments(text: str) -> str:
    """The text without <!-- comments -->; one that never ends is text."""
    parts = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        parts.append(text[at:start])
        at = end + 3
    return "".join([*parts, text[at:]])


@dataclass(slots=True)
class _Reader:
    """Turns the parser's tokens into blocks."""

    blocks: list[ParsedBlock] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)
    _pointers: dict[int, set[str]] = field(default_factory=dict)  # block -> the sections that it mostly links to
    _depth: int = 0  # of lists
    _quotes: int = 0
    _level: int = 0  # of the heading that is open
    _marker: str = ""  # of the list item whose first paragraph is to come
    _cells: list[str] = field(default_factory=list)
    _in_head: bool = False
    _in_row: bool = False
    _in_term: bool = False
    _term: str = ""  # whose definition is to come
    _referring: dict[int, list[str]] = field(default_factory=dict)  # block -> the marks of its footnotes
    _note: str = ""  # the mark of the footnote that is open
    _notes: dict[str, list[str]] = field(default_factory=dict)

    def finished(self) -> list[ParsedBlock]:
        """The blocks, each footnote behind the paragraph, list or table that refers to it, or else last.

        Without the items of a list of contents: they link to sections of the same page.
        """
        sections = {_anchor(block.text) for block in self.blocks if block.block_kind == BlockKind.HEADING}
        notes = {mark: ParsedBlock(" ".join(parts), kind=BlockKind.FOOTNOTE) for mark, parts in self._notes.items()}
        finished: list[ParsedBlock] = []
        waiting: list[str] = []
        for i, (block, following) in enumerate(zip_longest(self.blocks, self.blocks[1:])):
            if not self._pointers.get(i, set()) & sections:
                finished.append(block)
            waiting += self._referring.get(i, ())
            if following is None or not _go_together(block, following):
                finished += [notes.pop(mark) for mark in dict.fromkeys(waiting) if mark in notes]
                waiting = []
        return [*finished, *notes.values()]

    def take(self, token: Any) -> None:
        """One token of the block structure."""
        kind: str = token.type
        if kind in ("fence", "code_block"):
            self._put(token.content.strip("\n"), BlockKind.CODE)
        elif kind == "html_block":
            self._put_term()
            self._html(token.content)
        elif kind == "inline":
            self._inline(token)
        else:
            self._container(kind, token)

    def _container(self, kind: str, token: Any) -> None:
        """What opens or closes: lists, quotations, headings, tables."""
        if kind in ("bullet_list_open", "ordered_list_open"):
            self._put_term()
            self._depth += 1
        elif kind in ("bullet_list_close", "ordered_list_close"):
            self._depth -= 1
        elif kind == "list_item_open":
            self._marker = f"{token.info}{token.markup}" if token.info else "-"
        elif kind in ("blockquote_open", "blockquote_close"):
            self._quotes += 1 if kind == "blockquote_open" else -1
        elif kind == "heading_open":
            self._level = int(token.tag[1:])
        elif kind == "footnote_reference_open":
            self._note = token.meta["label"]
        elif kind == "footnote_reference_close":
            self._note, self._marker = "", ""
        elif kind.startswith(("dl_", "dt_", "dd_")):
            self._definition(kind)
        else:
            self._table(kind)

    def _definition(self, kind: str) -> None:
        """A term and its first paragraph are one item of a list; what else defines it stands inside the item."""
        if kind in ("dl_open", "dl_close"):
            self._depth += 1 if kind == "dl_open" else -1
        elif kind in ("dt_open", "dt_close"):
            self._in_term = kind == "dt_open"
        elif kind == "dd_open" and self._term:
            self._marker = "-"
        elif kind == "dd_close":
            self._put_term()

    def _put_term(self) -> None:
        """A term by itself, where no paragraph follows that it could stand in."""
        if self._term:
            self._marker, term, self._term = "-", self._term, ""
            self._put(f"{term}:", BlockKind.PARAGRAPH)

    def _table(self, kind: str) -> None:
        if kind == "thead_open":
            self._in_head = True
        elif kind == "tr_open":
            self._cells, self._in_row = [], True
        elif kind == "tr_close":
            self._in_row = False
            self.blocks.append(table_row(self._cells, header=self._in_head, begins=self._in_head))
        elif kind == "thead_close":
            self._in_head = False
        elif kind in ("th_open", "td_open"):
            self._cells.append("")

    def _inline(self, token: Any) -> None:
        children = token.children or ()
        text = "".join(self._pieces(children))
        notes = [child.meta["label"] for child in children if child.type == "footnote_ref"]
        if self._note:
            self._notes.setdefault(self._note, []).append(text.strip())
            return
        self._referring.setdefault(len(self.blocks), []).extend(notes)
        if self._in_term:
            self._term = text
        elif self._in_row:
            self._cells[-1] = text
        elif self._level:
            self.blocks.append(ParsedBlock(text, self._level))
            self._level = 0
        else:
            if self._depth:
                self._pointers[len(self.blocks)] = _sections_linked(children, text)
            if self._term:
                text, self._term = f"{self._term}: {text}", ""
            self._put(text, BlockKind.QUOTATION if self._quotes else BlockKind.PARAGRAPH)

    def _put(self, text: str, kind: BlockKind) -> None:
        if kind == BlockKind.CODE:
            self._put_term()
        if self._marker and kind != BlockKind.CODE:
            text = _TASK_BOX.sub("", text, count=1) if _TASK_BOX.match(text) else text
            self.blocks.append(ParsedBlock(text, self._depth, kind=BlockKind.LIST_ITEM, marker=self._marker))
        else:
            self.blocks.append(ParsedBlock(text, self._depth, kind=kind))
        self._marker = ""

    def _pieces(self, children: Sequence[Any]) -> Iterator[str]:
        """The words of inline markup, and the links in it."""
        for child in children:
            if child.type in ("text", "code_inline"):
                yield child.content
            elif child.type in ("softbreak", "hardbreak"):
                yield " "
            elif child.type == "image":
                yield child.content if " " in child.content.strip() else ""  # one word is the name of a file
            elif child.type == "link_open":
                self._note_link(str(child.attrGet("href") or ""), children[children.index(child) + 1 :])

    def _note_link(self, url: str, following: Sequence[Any]) -> None:
        if url.startswith(("http://", "https://")) and (url in self.links or len(self.links) < MAX_LINKS):
            text = next((child.content for child in following if child.type in ("text", "code_inline")), "")
            self.links[url] = self.links.get(url) or text

    def _html(self, content: str) -> None:
        from lxml import etree, html

        from tools.documents.parsers.html.markup import blocks_of

        try:
            self.blocks += blocks_of(html.document_fromstring(f"<body>{content}</body>"))
        except (etree.ParserError, ValueError):
            return  # only comments or broken tags


def _go_together(block: ParsedBlock, following: ParsedBlock) -> bool:
    """Whether two blocks are of one table or one list, which footnotes do not interrupt."""
    kinds = {block.block_kind, following.block_kind}
    in_list = BlockKind.HEADING not in kinds and block.level > 0 and following.level > 0
    return in_list or kinds == {BlockKind.TABLE_ROW}


def _anchor(heading: str) -> str:
    """What an address names a heading by: small letters and digits."""
    return re.sub(r"[\W_]+", "", heading).casefold()


def _sections_linked(children: Sequence[Any], text: str) -> set[str]:
    """The sections that links lead to, where these make up most of a text."""
    sections: set[str] = set()
    inside, linked = False, 0
    for child in children:
        if child.type == "link_open":
            fragment = unquote(str(child.attrGet("href") or "")).partition("#")[2]
            inside = bool(fragment)
            sections |= {_anchor(fragment)} if fragment else set()
        elif child.type == "link_close":
            inside = False
        elif inside:
            linked += len(child.content)
    return sections if linked >= _POINTER_SHARE * len(text) else set()


def _front_matter(raw: str) -> tuple[dict[str, str], str]:
    """Simple "key: value" lines between two --- at the top, and the rest."""
    if not raw.startswith("---\n"):
        return {}, raw
    end = raw.find("\n---", 3)
    block = raw[4:end] if 0 < end < 20_000 else ""
    fields: dict[str, str] = {}
    for line in block.split("\n"):
        match = _FIELD.match(line)
        if match:
            fields[match.group(1).lower()] = match.group(2).strip().strip("\"'")
    return (fields, raw[end + 4 :].lstrip("-")) if fields else ({}, raw)


def _sentences(fields: dict[str, str], body: str) -> list[ParsedBlock]:
    """What the front matter says in sentences and the text does not: summaries; of some pages that is all."""
    spoken = dict.fromkeys(value for name, value in fields.items() if name not in _NAMES and _is_sentence(value))
    return [block for value in spoken if value not in body for block in _read(value).finished()]


def _is_sentence(value: str) -> bool:
    return value.endswith((".", "!", "?", "…")) and value.count(" ") >= _SENTENCE_SPACES


def _stated_date(fields: dict[str, str]) -> str | None:
    """The date of publication that the front matter gives, else of the last change, review or creation."""
    past = {name: value for name, value in fields.items() if not any(part in name for part in _NO_DATES)}
    dates = (iso_date(value) for pattern in _DATES for name, value in past.items() if pattern.search(name))
    return next(filter(None, dates), None)


def _metadata(fields: dict[str, str]) -> dict[str, object]:
    authors = (fields.get("authors") or fields.get("author") or "").strip("[]").replace(",", ";").replace('"', "")
    return {
        "title": fields.get("title", "")[:500],
        "authors": clean_authors([authors]),
        "published": _stated_date(fields),
        "language": (fields.get("lang") or fields.get("language") or "")[:2].lower(),
        "description": (fields.get("description") or fields.get("summary") or "")[:1000],
    }
