"""Markdown to plain paragraphs: markup removed, lines of a paragraph joined, headings as sections.

Our own line scanner (CommonMark's block structure in the large, not in every corner): it runs at many MB/s and every
line of the input is looked at once.
"""

import re
from collections.abc import Callable
from html import unescape

from tools.corpus.detect import MARKDOWN
from tools.corpus.model import Extracted, Link
from tools.corpus.parsers.blocks import Block, compose
from tools.corpus.parsers.dates import iso_date
from tools.corpus.parsers.encoding import decode
from tools.corpus.parsers.html_meta import clean_authors
from tools.corpus.parsers.request import Request
from tools.errors import ParseError
from tools.text.normalise import snapshot_text

MAX_LINKS = 500
MAX_INLINE = 100_000  # longer "paragraphs" are data; their markup is left as it is
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]++(.*+))?$")
_CLOSING = re.compile(r"(?:^|(?<![ \t])[ \t]+)#+[ \t]*$")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)")
_QUOTE = re.compile(r" {0,3}(?:> ?)+")
_TABLE_RULE = re.compile(r"[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+$")
_REFERENCE = re.compile(r" {0,3}\[[^\]]{1,200}\]:[ \t]*<?(\S+?)>?(?:[ \t]+[\"'(].*)?$")
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]{0,30}(?:\s[^<>]{0,500})?/?>")
_IMAGE = re.compile(r"!\[([^\[\]]{0,500})\](?:\([^()\s]{0,2000}(?:\s[^()]{0,200})?\)|\[[^\[\]]{0,200}\])")
_LINK = re.compile(
    r"\[([^\[\]]{0,1000})\]\(\s{0,3}<?([^()<>\s]{0,2000}(?:\([^()\s]{0,200}\)[^()<>\s]{0,500})?)>?(?:\s[^()]{0,300})?\)"
)
_LINK_BY_NAME = re.compile(r"\[([^\[\]]{1,1000})\]\[[^\[\]]{0,200}\]")
_AUTOLINK = re.compile(r"<((?:https?|mailto):[^\s<>]{1,2000})>")
# Each of these runs only up to the next mark of its kind, so that hostile text costs linear time.
_CODE = re.compile(r"(?<!`)(`{1,3})([^`]{1,2000})\1(?!`)")
_STRONG = re.compile(r"\*\*(?=\S)([^*]{1,2000})(?<=\S)\*\*|(?<!\w)__(?=\S)([^_]{1,2000})(?<=\S)__(?!\w)")
_EMPHASIS = re.compile(
    r"(?<![\w*])\*(?=[^\s*])([^*]{1,2000})(?<=[^\s*])\*(?![\w*])|(?<!\w)_(?=[^\s_])([^_]{1,2000})(?<=[^\s_])_(?!\w)"
)
_STRUCK = re.compile(r"~~(?=\S)([^~]{1,1000}?)~~")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_FIELD = re.compile(r"^([A-Za-z_-]{1,40}):[ \t]*+(.*)$")


def parse(request: Request) -> Extracted:
    """The text without markup; the front matter becomes metadata."""
    raw = snapshot_text(decode(request.data, request.media_type))
    fields, body = _front_matter(raw)
    scanner = _scanned(body)
    composed = compose(scanner.finished())
    if not composed.text:
        raise ParseError("This file holds no text.")
    metadata = _metadata(fields)
    title = str(metadata.get("title") or next((h.title for h in composed.headings if h.level == 1), ""))
    links = tuple(Link(url, text) for url, text in scanner.links.items())
    return Extracted(
        composed.text, MARKDOWN, "zorora-markdown 1", title, composed.sections(title), (), links, (), metadata
    )


def blocks_of_markdown(text: str) -> list[Block]:
    """The blocks of a piece of Markdown."""
    return _scanned(snapshot_text(text)).finished()


def _scanned(text: str) -> "_Scanner":
    scanner = _Scanner()
    for line in _without_comments(text).split("\n"):
        scanner.feed(line)
    return scanner


def _without_comments(text: str) -> str:
    parts: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0:
        end = text.find("-->", start + 4)
        if end < 0:
            break
        parts.append(text[at:start])
        at = end + 3
    return "".join(parts) + text[at:] if parts else text[at:]


class _Scanner:
    """Block structure, line by line."""

    def __init__(self) -> None:
        self.links: dict[str, str] = {}
        self._blocks: list[Block] = []
        self._paragraph: list[str] = []
        self._rows: list[str] = []
        self._code: list[str] = []
        self._fence = ""
        self._in_item = False

    def feed(self, line: str) -> None:
        if self._fence:
            self._in_code(line)
            return
        plain = _QUOTE.sub("", line, count=1) if line.lstrip()[:1] == ">" else line
        stripped = plain.strip()
        first = stripped[:1]
        if not stripped:
            self._close()
        elif first in "`~" and (fence := _FENCE.match(plain)):
            self._close()
            self._fence = fence.group(1)
        elif not self._special(plain, stripped, first):
            self._paragraph.append(stripped)

    def finished(self) -> list[Block]:
        if self._fence:
            self._end_code()
        self._close()
        return self._blocks

    def _special(self, plain: str, stripped: str, first: str) -> bool:
        """Headings, rules, items, tables and link definitions; whether the line was one of these."""
        takers: dict[str, tuple[Callable[[str, str], bool], ...]] = {
            "#": (self._atx,),
            "=": (self._setext,),
            "-": (self._table_rule, self._setext, self._rule, self._item),
            "*": (self._rule, self._item),
            "_": (self._rule,),
            "+": (self._item,),
            "|": (self._table_rule, self._row),
            ":": (self._table_rule,),
            "[": (self._reference,),
        }
        candidates = takers.get(first, (self._item,) if first.isdigit() else ())
        if any(taker(plain, stripped) for taker in candidates):
            return True
        if self._rows:
            return self._row(plain, stripped)
        return False

    def _atx(self, plain: str, stripped: str) -> bool:
        match = _ATX.match(plain)
        if not match:
            return False
        self._close()
        title = _CLOSING.sub("", match.group(2) or "").rstrip(" \t")
        self._blocks.append(Block(self._inline(title), len(match.group(1))))
        return True

    def _setext(self, plain: str, stripped: str) -> bool:
        if not self._paragraph or not _SETEXT.match(plain):
            return False
        text = self._inline(" ".join(self._paragraph))
        self._paragraph.clear()
        self._blocks.append(Block(text, 1 if stripped[0] == "=" else 2))
        return True

    def _rule(self, plain: str, stripped: str) -> bool:
        if not _RULE.match(plain):
            return False
        self._close()
        return True

    def _item(self, plain: str, stripped: str) -> bool:
        match = _ITEM.match(plain)
        if not match:
            return False
        self._close()
        marker = stripped.split(maxsplit=1)[0]
        self._in_item = True
        self._paragraph.append(f"{marker if marker[0].isdigit() else '-'} {plain[match.end() :].strip()}")
        return True

    def _table_rule(self, plain: str, stripped: str) -> bool:
        """The line under a table's head; the head was taken for a paragraph until now."""
        if "|" not in stripped or not _TABLE_RULE.match(plain):
            return False
        if self._paragraph:
            head = self._paragraph.pop()
            self._end_paragraph()
            self._rows.append(head)
        return True

    def _row(self, plain: str, stripped: str) -> bool:
        if not self._rows or "|" not in stripped:
            self._end_table()
            return False
        self._rows.append(stripped)
        return True

    def _reference(self, plain: str, stripped: str) -> bool:
        match = None if self._paragraph else _REFERENCE.match(plain)
        if match:
            self._link(match.group(1), "")
        return bool(match)

    def _in_code(self, line: str) -> None:
        closing = line.strip()
        if closing.startswith(self._fence) and not closing.strip(self._fence[0]):
            self._end_code()
        else:
            self._code.append(line)

    def _end_code(self) -> None:
        self._fence = ""
        self._blocks.append(Block("\n".join(line.rstrip() for line in self._code if line.strip())))
        self._code = []

    def _close(self) -> None:
        self._end_paragraph()
        self._end_table()

    def _end_paragraph(self) -> None:
        if self._paragraph:
            self._blocks.append(Block(self._inline(" ".join(self._paragraph)), tight=self._in_item))
            self._paragraph, self._in_item = [], False

    def _end_table(self) -> None:
        if self._rows:
            rows = [" | ".join(cell.strip() for cell in row.strip("|").split("|")) for row in self._rows]
            self._blocks.append(Block("\n".join(self._inline(row) for row in rows)))
            self._rows = []

    def _inline(self, text: str) -> str:
        """Text without inline markup; links are noted."""
        if len(text) > MAX_INLINE or not any(mark in text for mark in "[`*_<~&\\"):
            return text
        kept: list[str] = []

        def put_by(match: re.Match[str]) -> str:
            kept.append(match.group(match.lastindex or 0))
            return f"\x00{len(kept) - 1}\x00"

        text = _ESCAPE.sub(put_by, _CODE.sub(put_by, text))  # neither is markup, whatever it looks like
        text = _AUTOLINK.sub(lambda m: self._link(m.group(1), "") or m.group(1), text)
        text = _LINK_BY_NAME.sub(r"\1", _LINK.sub(self._linked, _IMAGE.sub(r"\1", text)))
        text = _TAG.sub("", text)
        for marks in (_EMPHASIS, _STRONG, _EMPHASIS, _STRONG):  # inner ones first, then those around them
            text = marks.sub(_inner, text)
        text = _STRUCK.sub(r"\1", text)
        text = unescape(text) if "&" in text else text
        return re.sub("\x00(\\d+)\x00", lambda m: kept[int(m.group(1))], text).strip()

    def _linked(self, match: re.Match[str]) -> str:
        self._link(match.group(2), match.group(1))
        return match.group(1)

    def _link(self, url: str, text: str) -> str:
        if url.startswith(("http://", "https://")) and (url in self.links or len(self.links) < MAX_LINKS):
            self.links[url] = self.links.get(url) or text
        return ""


def _inner(match: re.Match[str]) -> str:
    return match.group(1) or match.group(2) or ""


def _front_matter(raw: str) -> tuple[dict[str, str], str]:
    """Simple "key: value" lines between two --- at the top, and the rest."""
    if not raw.startswith("---\n"):
        return {}, raw
    end = raw.find("\n---", 3)
    block = raw[4:end] if 0 < end < 20_000 else ""
    found: dict[str, str] = {}
    for line in block.split("\n"):
        match = _FIELD.match(line)
        if match:
            found[match.group(1).lower()] = match.group(2).strip().strip("\"'")
    return (found, raw[end + 4 :].lstrip("-")) if found else ({}, raw)


def _metadata(fields: dict[str, str]) -> dict[str, object]:
    authors = (fields.get("authors") or fields.get("author") or "").strip("[]").replace(",", ";").replace('"', "")
    found: dict[str, object] = {
        "title": fields.get("title", "")[:500],
        "authors": clean_authors([authors]),
        "published": iso_date(fields.get("date") or fields.get("published")),
        "language": (fields.get("lang") or fields.get("language") or "")[:2].lower(),
        "description": (fields.get("description") or fields.get("summary") or "")[:1000],
    }
    return {key: value for key, value in found.items() if value}
