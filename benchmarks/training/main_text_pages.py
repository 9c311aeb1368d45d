"""Web pages of public collections with their main text, as blocks of which each is main text or
not.

main_text_sources.toml names the collections and their licences; main_text_train trains on what is
read here.
"""

import gzip
import json
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tools.documents.parsers.blocks import ParsedBlock
from tools.documents.parsers.encoding import decode
from tools.documents.parsers.html.markup import placed_blocks
from tools.documents.parsers.html.markup_writer import PlacedBlock
from tools.documents.parsers.html.metadata import metadata_of, page_kinds
from tools.documents.parsers.html.page import parse_tree
from tools.documents.parsers.html.page_furniture import furniture

SOURCES = Path(__file__).with_name("main_text_sources.toml")
_WORD = re.compile(r"\w+")
_TITLE = re.compile(rb"<title[^>]*>(.*?)</title", re.S | re.I)
_RUN = 4  # words
_LONG = 8  # words: a block that long is recognised by its runs of words
_NEAR = 60  # characters
_COPIED = 12  # words in a row that two texts do not share by chance


@dataclass(frozen=True, slots=True)
class Source:
    """A page as a collection has it. kind: article, forum, product ... site: pages of one site are
    not split."""

    collection: str
    held_out: bool
    kind: str
    site: str
    data: bytes
    expected: str


@dataclass(slots=True, eq=False)
class Element:
    """As much of an element of a page as its features need."""

    tag: str
    attrib: dict[str, str]
    parent: "Element | None"

    def getparent(self) -> "Element | None":
        return self.parent

    def get(self, name: str, default: str = "") -> str:
        return self.attrib.get(name, default)


@dataclass(slots=True)
class Page:
    """A page whose blocks are labelled. elements: tag, attributes, number of the parent; blocks:
    with such a number."""

    source: Source
    title: str
    kinds: list[float]
    elements: list[tuple[str, dict[str, str], int]]
    blocks: list[tuple[ParsedBlock, int, int]]
    labels: list[float]
    words: list[list[str]]
    expected: Counter[str]

    def placed(self) -> list[PlacedBlock]:
        elements: list[Element] = []
        for tag, attributes, parent in self.elements:
            elements.append(Element(tag, attributes, elements[parent] if parent >= 0 else None))
        return [
            PlacedBlock(block, elements[at] if at >= 0 else None, linked)
            for block, at, linked in self.blocks
        ]


def words_of(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def sources(clones: Path, avoid: Path | None) -> Iterator[Source]:
    """Pages of all collections but those that stand in the folder `avoid` (pages, expected
    texts)."""
    titles, runs = _to_avoid(avoid)
    for collection in tomllib.loads(SOURCES.read_text("utf-8"))["collection"]:
        clone = Clone(clones / collection["repository"].replace("/", "+"), collection["commit"])
        held_out, layout = collection.get("held_out", False), collection["layout"]
        for kind, site, data, expected in _LAYOUTS[layout](clone):
            copied = len(runs & _runs(words_of(expected), _COPIED))
            if len(words_of(expected)) >= 10 and copied < _RUN and _title(data) not in titles:
                yield Source(layout, held_out, kind, site, data, expected)


def _to_avoid(folder: Path | None) -> tuple[set[bytes], set[tuple[str, ...]]]:
    if folder is None:
        return set(), set()
    titles = {_title(path.read_bytes()) for path in folder.glob("*.html")} - {b""}
    texts = (path.read_text("utf-8") for path in folder.glob("*.txt"))
    return titles, set().union(*(_runs(words_of(text), _COPIED) for text in texts))


def _title(data: bytes) -> bytes:
    match = _TITLE.search(data)
    return b" ".join(match[1].split()).lower() if match else b""


def _runs(words: Sequence[str], length: int) -> set[tuple[str, ...]]:
    return {tuple(words[start : start + length]) for start in range(len(words) - length + 1)}


class Clone:
    """The files of a git clone at a commit."""

    def __init__(self, path: Path, commit: str) -> None:
        self._git, self._commit = ["git", "-C", str(path)], commit

    def names(self, pattern: str) -> list[str]:
        order = [*self._git, "ls-tree", "-r", "--name-only", self._commit]
        listing = subprocess.run(order, capture_output=True, text=True, check=True)
        return [name for name in listing.stdout.splitlines() if re.search(pattern, name)]

    def read(self, name: str) -> bytes:
        return subprocess.run(
            [*self._git, "show", f"{self._commit}:{name}"], capture_output=True, check=False
        ).stdout


_Found = Iterator[tuple[str, str, bytes, str]]  # kind, site, page, main text


def _wcxb(clone: Clone) -> _Found:
    for name in clone.names(r"/ground-truth/.*\.json$"):
        about = json.loads(clone.read(name))
        page = clone.read(name.replace("ground-truth", "html").replace(".json", ".html.gz"))
        kind = about.get("_internal", about).get("page_type", {}).get("primary", "")
        if page:
            site = urlsplit(about.get("url") or name).netloc.removeprefix("www.") or name
            yield kind, site, gzip.decompress(page), about["ground_truth"].get("main_content") or ""


def _readability(clone: Clone) -> _Found:
    from lxml import html

    for name in clone.names(r"^test/test-pages/.*/source\.html$"):
        tree: Any = html.document_fromstring(
            clone.read(name.replace("source", "expected")).decode()
        )
        yield "article", name, clone.read(name), "\n".join(tree.itertext())


def _newspaper(clone: Clone) -> _Found:
    for name in clone.names(r"^tests/data/html/.*\.html$"):
        yield "article", name, clone.read(name), clone.read(name.replace("html", "txt")).decode()


def _articles(clone: Clone) -> _Found:
    for key, about in sorted(json.loads(clone.read("ground-truth.json")).items()):
        page = gzip.decompress(clone.read(f"html/{key}.html.gz"))
        yield "article", about.get("url", key), page, about["articleBody"]


_LAYOUTS = {
    "wcxb": _wcxb,
    "readability": _readability,
    "newspaper": _newspaper,
    "articles": _articles,
}


def labelled(source: Source) -> Page | None:
    """The page in blocks, without what is never main text; None for a page without text."""
    tree = parse_tree(decode(source.data, "text/html", markup=True))
    body = tree.find("body")
    blocks = placed_blocks(tree if body is None else body)
    outside = furniture(blocks)
    words = [words_of(placed.block.text) for placed in blocks]
    labels = _labels(words, words_of(source.expected))
    rest = [number for number, is_outside in enumerate(outside) if not is_outside]
    if not rest:
        return None
    elements, places = _flat(blocks[number].element for number in rest)
    rows = [
        (blocks[number].block, at, blocks[number].linked)
        for number, at in zip(rest, places, strict=True)
    ]
    title = str(metadata_of(tree).get("title") or "")
    chosen = [labels[number] for number in rest], [words[number] for number in rest]
    return Page(
        source, title, page_kinds(tree), elements, rows, *chosen, Counter(words_of(source.expected))
    )


def _flat(around: Iterable[Any]) -> tuple[list[tuple[str, dict[str, str], int]], list[int]]:
    """Those elements and all around them, parents first; of each of those elements its number (-1
    for none)."""
    elements: list[tuple[str, dict[str, str], int]] = []
    numbers: dict[Any, int] = {None: -1}
    places = []
    for innermost in around:
        path, element = [], innermost
        while element not in numbers:
            path.append(element)
            element = element.getparent()
        for inner in reversed(path):
            elements.append((str(inner.tag), dict(inner.attrib), numbers[inner.getparent()]))
            numbers[inner] = len(elements) - 1
        places.append(numbers[innermost])
    return elements, places


def _labels(blocks: Sequence[Sequence[str]], expected: Sequence[str]) -> list[float]:
    """How much of each block stands in the main text: of long ones by runs of words; short ones
    have to stand there between the long ones around them."""
    shares, spans = _long_blocks(blocks, expected)
    text = f" {' '.join(expected)} "
    limits, limit = [], len(text)
    for span in reversed(spans):
        limits.append(limit)
        limit = span[0] if span else limit
    position = 0
    for number, (words, span, end) in enumerate(zip(blocks, spans, reversed(limits), strict=True)):
        if span:
            position = max(position, span[1])
        elif words and len(words) < _LONG:
            phrase = f" {' '.join(words)} "
            at = text.find(
                phrase, max(0, position - _NEAR), max(end, position) + _NEAR + len(phrase)
            )
            if at >= 0:
                shares[number], position = 1.0, max(position, at + len(phrase) - 1)
    return shares


def _long_blocks(
    blocks: Sequence[Sequence[str]], expected: Sequence[str]
) -> tuple[list[float], list[tuple[int, int] | None]]:
    """Shares of long blocks that stand in the main text, and where (characters) those stand of
    which half does."""
    places: dict[tuple[str, ...], list[int]] = {}
    for start in range(len(expected) - _RUN + 1):
        places.setdefault(tuple(expected[start : start + _RUN]), []).append(start)
    offsets = [1]
    for word in expected:
        offsets.append(offsets[-1] + len(word) + 1)
    shares, spans, last = [0.0] * len(blocks), [None] * len(blocks), 0  # type: Any, Any, int
    for number, words in enumerate(blocks):
        if len(words) < _LONG:
            continue
        runs = [tuple(words[start : start + _RUN]) for start in range(len(words) - _RUN + 1)]
        hits = [places[run] for run in runs if run in places]
        shares[number] = len(hits) / len(runs)
        if shares[number] >= 0.5:
            chosen = sorted(_nearest(hit, last) for hit in hits)
            spans[number] = (
                offsets[chosen[0]],
                offsets[min(len(expected) - 1, chosen[-1] + _RUN - 1)],
            )
            last = chosen[len(chosen) // 2]
    return shares, spans


def _nearest(places: Sequence[int], last: int) -> int:
    return min(places, key=lambda place: (place < last, abs(place - last)))
