"""Markdown by markdown-it-py (CommonMark, tables, definition lists, footnotes), read as the page it
describes."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from html import escape, unescape
from itertools import takewhile
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.blocks import ParsedBlock, compose
from tools.documents.parsers.encoding import text_of
from tools.documents.parsers.html.links import links_of
from tools.documents.parsers.html.markup import placed_blocks
from tools.documents.parsers.html.markup_writer import PlacedBlock
from tools.documents.parsers.text.front_matter import (
    LABELS,
    front_matter,
    labels_of,
    metadata_of,
)
from tools.documents.parsers.text.markdown_dialects import without_markers
from tools.documents.parsers.versions import with_version
from tools.text.normalise import snapshot_text

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_MAX_NESTING = 50
_MAX_LINE = 20_000  # a longer line is data; its inline markup is left as it is
_SENTENCE_SPACES = 5  # a value of the front matter with fewer is a name or a label
# Fields that are no text
_NAMES = frozenset(("title", "author", "authors"))
_POINTER_SHARE = 0.5  # of an item, that links to a section or a file
_CONTENTS_FILE = "SUMMARY.md"  # of a book of GitBook or mdBook
_CONTENTS = re.compile(r"\b(?:contents|toc|index|on this page|inhalt|sommaire)\b", re.I)
_QUERIES = frozenset(("dataview", "dataviewjs"))  # kinds of fenced code
_WITH_PICTURES = ("image", "link_open", "link_close", "softbreak", "hardbreak")
# Where a rule of ours may begin or a link end; by itself the parser stops at twice as many, and at
# each "_" within a word, which never sets one
_MARKS = re.compile(r"[\n!&*<\[\\\]`~]|_(?:(?<![0-9A-Za-z]_)|(?![0-9A-Za-z]))")
_SETTING_TAG = re.compile(
    r"</?(?:a|abbr|b|br|code|del|em|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|u|var)\b", re.I
)

_NEW_ELEMENTS = frozenset("dialog main picture search slot template".split())  # not in lxml's list
_HEADING_TAG = re.compile(r"<h[1-6]\b", re.I)
_GOES_ON = re.compile(r"\s{0,80}</?[a-z][a-z0-9]{0,12}(?:\s[^<>]{0,1000})?/?>")


def parse(request: Request) -> Extracted:
    """The text without markup; the front matter becomes metadata."""
    raw = text_of(request)
    fields, body = front_matter(raw)
    root = _tree(body, request.name.endswith(".mdx"))
    blocks = _blocks(root, is_contents=request.name == _CONTENTS_FILE)
    is_header = not raw.lstrip().startswith(("---\n", "+++"))
    composed = compose(_with_front_matter(fields, blocks, is_header))
    return composed.extracted(
        with_version("zorora-markdown"), metadata_of(fields), links=links_of(root, "")
    )


def blocks_of_markdown(text: str) -> list[ParsedBlock]:
    """The blocks of a piece of Markdown."""
    return _blocks(_tree(snapshot_text(text)))


def _blocks(root: Any, is_contents: bool = False) -> list[ParsedBlock]:
    tables = {table for table in root.iter("table") if not table.attrib}
    placed = placed_blocks(root, tables)
    return _without_contents(_with_contents(placed) if is_contents else placed)


def _tree(text: str, is_mdx: bool = False) -> Any:
    """The page that a text describes, as the element tree of its body. is_mdx: what is indented is
    no code."""
    is_plain = len(text) > _MAX_LINE and any(len(line) > _MAX_LINE for line in text.split("\n"))
    parser = _parser(is_plain, is_mdx)
    markup = parser.render(without_markers(text, is_mdx))
    body = _body(markup)
    if "data-note" in markup:
        _move_notes(body)
    if "content-ref" in text:
        for link in filter(_is_bare_file, body.iterfind("p/a")):
            link.text = ""
    return body


def _is_bare_file(link: Any) -> bool:
    """Whether a link to another file is all of its paragraph, and shown as the name of the file:
    GitBook puts a card there."""
    paragraph = link.getparent()
    name, address = link.text or "", unquote(link.get("href", ""))
    is_alone = len(paragraph) == 1 and not f"{paragraph.text or ''}{link.tail or ''}".strip()
    return (
        is_alone
        and not {":", "#"}.intersection(address)
        and name.strip("./") == address.strip("./")
    )


def _body(markup: str) -> Any:
    from lxml import etree

    return etree.fromstring(f"<body>{markup}</body>", etree.HTMLParser()).find("body")


@lru_cache(maxsize=2)
def _parser(is_plain: bool, is_mdx: bool) -> "MarkdownIt":
    """Making one takes as long as reading a note. is_plain: without the marks that take long in
    very long lines."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.footnote import footnote_plugin

    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable(
        ["table", "strikethrough"]
    )
    parser.use(deflist_plugin).use(footnote_plugin, inline=False, move_to_end=False)
    for name, rule in _RULES.items():
        parser.add_render_rule(name, rule)
    parser.inline.terminator_re = _MARKS
    return parser.disable(
        ["emphasis", "link", "image", "strikethrough"] * is_plain + ["code"] * is_mdx
    )


def _image(_: Any, tokens: Any, at: int, *__: Any) -> str:
    """What a picture shows: a caption where it stands alone. One word beside others is one of them,
    as the badge of a label is; alone, or with a dot, it is the name of a file."""
    alt = unescape(tokens[at].content)
    is_alone = all(token.type in _WITH_PICTURES or not token.content.strip() for token in tokens)
    if " " not in alt.strip() and (is_alone or "." in alt):
        return ""
    return f"<figcaption>{escape(alt)}</figcaption>" if is_alone else escape(alt)


def _inline_tag(_: Any, tokens: Any, at: int, __: Any, env: Any) -> str:
    """A tag that sets words; others would take what follows with them. What names no element is
    text: "<your name>"."""
    tag: str = tokens[at].content
    if _SETTING_TAG.match(tag):
        return tag
    return escape(tag) if _names_no_element(tag, tokens, env) else ""


def _names_no_element(tag: str, tokens: Any, env: Any) -> bool:
    """Whether a tag is none of HTML, has no attributes, and is never closed in its paragraph, as
    one of a component is. Of 24 of them in six collections 19 stand for words that a reader puts
    in. env: of the renderer, in which the closing tags of the paragraph are kept."""
    from lxml.html import defs

    name = re.split(r"[^\w-]", tag[1:], maxsplit=1)[0]
    is_element = name in defs.tags or name in _NEW_ELEMENTS
    if is_element or not name.islower() or {"=", "/"}.intersection(tag):
        return False
    if env.get("tags_of") is not tokens:
        env["tags_of"], env["closed"] = tokens, {t.content for t in tokens if t.content[:2] == "</"}
    return f"</{name}>" not in env["closed"]


def _whole_html(_: Any, tokens: Any, at: int, *__: Any) -> str:
    """Markup of the page with all its elements closed; nothing where it is none."""
    from lxml import etree

    markup = tokens[at].content
    try:
        body = _body(f"<table>{markup}</table>" if _has_rows_alone(markup) else markup)
    except (etree.ParserError, ValueError):
        return ""
    if body is None:
        return ""
    return "".join(etree.tostring(element, encoding="unicode", method="html") for element in body)


def _has_rows_alone(markup: str) -> bool:
    """Whether rows of a table stand in some markup without its beginning, from which an empty line
    parts them; headings in cells stay headings."""
    above, row, below = markup.partition("<tr")
    return (
        bool(row) and "</tr" in below and "<table" not in above and not _HEADING_TAG.search(below)
    )


def _indented(_: Any, tokens: Any, at: int, *__: Any) -> str:
    """Code, unless it goes on with markup of the page: behind an empty line it may stand in."""
    content = tokens[at].content
    if not _GOES_ON.match(content) or not (
        content.lstrip().startswith("</") or _is_html(tokens, at)
    ):
        return f"<pre><code>{escape(content)}</code></pre>\n"
    tokens[at].meta = {"is_html": True}
    return _whole_html(_, tokens, at)


def _fenced(renderer: Any, tokens: Any, at: int, options: Any, env: Any) -> str:
    """Code; nothing for a query of Obsidian, in whose place its program shows what it finds."""
    token = tokens[at]
    begin, end = token.map or (0, 0)
    is_closed = end - begin > token.content.count("\n") + 1
    is_query = is_closed and token.info.strip().lower() in _QUERIES
    return "" if is_query else renderer.fence(tokens, at, options, env)


def _is_html(tokens: Any, at: int) -> bool:
    """Whether what stands before a token is markup of the page."""
    before = tokens[at - 1] if at else None
    return before is not None and (before.type == "html_block" or before.meta.get("is_html", False))


def _note_of(token: Any) -> str:
    return escape(token.meta["label"])


_RULES: dict[str, Callable[..., Any]] = {
    "image": _image,
    "html_inline": _inline_tag,
    "html_block": _whole_html,
    "code_block": _indented,
    "fence": _fenced,
    "footnote_ref": lambda _, tokens, at, *__: f'<a data-refers="{_note_of(tokens[at])}"></a>',
    "footnote_reference_open": lambda _, tokens, at, *__: (
        f'<div class="footnote" data-note="{_note_of(tokens[at])}">'
    ),
    "footnote_reference_close": lambda *_: "</div>",
}


def _move_notes(root: Any) -> None:
    """Put each footnote behind the paragraph, list or table that refers to it first, others
    last."""
    notes = {note.get("data-note"): note for note in root.findall(".//div[@data-note]")}
    for note in notes.values():
        for paragraph in note.iterfind("p"):
            paragraph.tag = "span"  # they become one block
        root.append(note)
    for reference in reversed(root.findall(".//a[@data-refers]")):
        place = next(
            (ancestor for ancestor in reference.iterancestors() if ancestor.getparent() is root),
            None,
        )
        note = notes.get(reference.get("data-refers"))
        if note is not None and place is not None and place is not note:
            place.addnext(note)


def _without_contents(placed: Sequence[PlacedBlock]) -> list[ParsedBlock]:
    """The blocks without the entries of a list of contents: items above the first section, or under
    a heading that says so, that mostly link to a section of the same page."""
    headings = [p.block.text for p in placed if p.block.block_kind == BlockKind.HEADING]
    sections = set(map(_anchor, headings)) - {""}
    blocks, above = [], 0
    for entry in placed:
        if entry.block.block_kind == BlockKind.HEADING:
            above += 1
        section = _section_linked(entry)
        is_entry = bool(section) and _anchor(section) in sections
        if not is_entry or not (above < 2 or _CONTENTS.search(headings[above - 1])):
            blocks.append(entry.block)
    return blocks


def _with_contents(placed: Sequence[PlacedBlock]) -> list[PlacedBlock]:
    """The blocks of the contents of a book, whose links to its pages are found by their words and
    not shown."""
    return [
        entry._replace(block=entry.block._replace(header=True)) if _is_entry(entry) else entry
        for entry in placed
    ]


def _is_entry(placed: PlacedBlock) -> bool:
    """Whether a block is an item that links to a page."""
    address = _address_linked(placed)
    is_item = placed.block.block_kind == BlockKind.LIST_ITEM
    return is_item and bool(address) and "://" not in address


def _section_linked(placed: PlacedBlock) -> str:
    is_item = placed.block.block_kind == BlockKind.LIST_ITEM
    return _address_linked(placed).partition("#")[2] if is_item else ""


def _address_linked(placed: PlacedBlock) -> str:
    """Where the first link of a block goes that consists of links for the most part, else ""."""
    if placed.element is None or placed.linked < _POINTER_SHARE * len(placed.block.text):
        return ""
    link = next(placed.element.iter("a"), None)
    return unquote(link.get("href") or "") if link is not None else ""


def _anchor(heading: str) -> str:
    """What an address names a heading by: small letters and digits."""
    return re.sub(r"[\W_]+", "", heading).casefold()


def _with_front_matter(
    fields: dict[str, str], body: Sequence[ParsedBlock], is_header: bool
) -> list[ParsedBlock]:
    """The blocks of a text with what its front matter says of it: labels, and sentences that the
    text does not have.

    By these a text is found; the sentences are shown only where the text has none of its own. They
    stand in its first section, below its first headings. is_header: the fields stand in the text.
    """
    sentences = _sentences(fields, body)
    if is_header or not (body or sentences):
        return [*sentences, *body]
    labels = [
        ParsedBlock(f"{name.capitalize()}: {', '.join(values)}", header=True)
        for name, values in labels_of(fields).items()
        if values
    ]
    headings = takewhile(lambda block: block.block_kind == BlockKind.HEADING, body)
    at = sum(1 for _ in headings)
    return [*body[:at], *labels, *sentences, *body[at:]]


def _sentences(fields: dict[str, str], body: Sequence[ParsedBlock]) -> list[ParsedBlock]:
    has_prose = any(b.block_kind == BlockKind.PARAGRAPH and _is_sentence(b.text) for b in body)
    body_text = " ".join(" ".join(block.text for block in body).split())
    return [
        block._replace(header=has_prose)
        for value in dict.fromkeys(filter(_is_sentence, _descriptions(fields)))
        for block in _blocks(_tree(value))
        if " ".join(block.text.split()) not in body_text
    ]


def _descriptions(fields: dict[str, str]) -> Iterator[str]:
    return (value for name, value in fields.items() if name not in (*_NAMES, *LABELS))


def _is_sentence(text: str) -> bool:
    return text.rstrip().endswith((".", "!", "?", "…")) and text.count(" ") >= _SENTENCE_SPACES
