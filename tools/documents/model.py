"""Nouns of the corpus: extracted text, snapshot, document, passage. Offsets are code points of the
snapshot text."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import NamedTuple

CHARACTERS_PER_TOKEN = 5
CELL_SEPARATOR = " | "  # of the cells of a table row
_COMMON_NAMES = ("index", "_index", "readme")  # of 883 files of a handbook 185 are index.md
RELEVANT = 0.25  # cosine below which a passage without a word of the query is no answer


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a text, `start`..`end` without its heading line. kind: body, front_matter,
    references, contents."""

    section_id: str
    title: str
    level: int
    start: int
    end: int
    kind: str = "body"


class Cut(NamedTuple):
    """How long a chunk may be, and how many sentences two neighbours share within a long block."""

    max_characters: int = 200 * CHARACTERS_PER_TOKEN
    overlap_sentences: int = 1


class Completeness(StrEnum):
    """How much of a work a text is. SNIPPET: of a search engine, which is never evidence."""

    FULL = "full"
    ABSTRACT = "abstract"
    SNIPPET = "snippet"


class BlockKind(StrEnum):
    """What a piece of a document is to its reader."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_ROW = "table_row"
    CODE = "code"
    QUOTATION = "quotation"
    CAPTION = "caption"
    FOOTNOTE = "footnote"
    EQUATION = "equation"


# Blocks that are made of sentences; the others are quoted whole
SENTENCE_KINDS = frozenset((BlockKind.PARAGRAPH, BlockKind.QUOTATION, BlockKind.FOOTNOTE))


class Block(NamedTuple):
    """A piece of a document that is quoted whole: text[start:end] of its snapshot, without its list
    marker.

    level: of a heading, 1 is the highest; of a list item and of what stands inside one, its depth,
    1 is the outermost. header: whether a table row names the columns. heading_path: the headings
    above it, outermost first. context: spans of the same text without which it is not understood:
    lead-in and parents of a list item, caption and header rows of a table row, the sentence that
    introduces code.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    header: bool = False
    heading_path: tuple[str, ...] = ()
    context: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """Where a page of a paged document begins in the text."""

    page: int
    start: int


class Link(NamedTuple):
    """A link on a page: absolute http(s) address and its anchor text."""

    url: str
    text: str


class Entry(NamedTuple):
    """One bibliographic entry of a BibTeX or RIS file; `fields` has the keyword arguments of
    `make_source`."""

    title: str
    url: str
    fields: Mapping[str, object] = {}


@dataclass(frozen=True, slots=True)
class Request:
    """What a parser is given: bytes from outside with the hints that came along.

    media_type: as declared, with parameters ("text/html; charset=latin-1"). url: base of relative
    links.
    """

    data: bytes
    name: str = ""
    media_type: str | None = None
    url: str = ""


class Extracted(NamedTuple):
    """What a parser makes of bytes. `text` is already in snapshot form
    (tools.text.normalise.snapshot_text). media_type: as recognised, not by the parser.

    metadata: keys title, authors (list), published, language, doi, site, description, created; how
    title and date were found (title_from, published_from); unread (list of sentences): what was
    left out of it, and why. references: the works that a paper cites, as its own reference list
    identifies them (`entries` are works the user collected).
    """

    text: str
    media_type: str
    extractor: str
    title: str = ""
    sections: tuple[Section, ...] = ()
    pages: tuple[Page, ...] = ()
    links: tuple[Link, ...] = ()
    entries: tuple[Entry, ...] = ()
    metadata: Mapping[str, object] = {}
    references: tuple[Entry, ...] = ()
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The fact that a text was read: which text (sha256 of its UTF-8), from where, when, by which
    extractor.

    completeness: full, abstract (of a scholarly index; evidence) or snippet (of a search engine;
    never evidence).
    """

    snapshot_id: str
    source_id: str
    url: str
    media_type: str
    fetched_at: str
    extractor: str
    completeness: str
    characters: int
    pages: tuple[Page, ...] = ()
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A retrieved span: whole blocks or sentences of one snapshot. Scores are 0..1.

    heading: its title, the headings above it and the context it needs, in one line. semantic: None
    without embeddings.
    """

    snapshot_id: str
    start: int
    end: int
    text: str
    score: float
    lexical: float = 0.0
    semantic: float | None = None
    section_id: str | None = None
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """One of the user's documents. status: indexed, failed (with `problem`), missing. `name` is
    never a path.

    problem of an indexed one: why a newer version of its file could not be read.

    published: ISO, as precise as it is known. title_from, published_from: how they were found
    (tools.documents.parsers.titles_and_dates).
    """

    document_id: str
    name: str
    title: str
    media_type: str
    bytes: int
    added_at: str
    status: str
    problem: str | None = None
    snapshot_id: str | None = None
    characters: int = 0
    pages: int = 0
    sections: int = 0
    folder: str = ""
    published: str | None = None
    title_from: str = ""
    published_from: str = ""


def snapshot_id_of(text: str) -> str:
    """sha256 of the UTF-8 text, hexadecimal."""
    return digest(text.encode("utf-8"))


def digest(data: bytes) -> str:
    """sha256, hexadecimal."""
    import hashlib  # brings OpenSSL, which a search does not need

    return hashlib.sha256(data).hexdigest()


def shown_name(name: str, folder: str) -> str:
    """The name of a file; after its folder where it is called like many others ("index.md")."""
    is_common = PurePosixPath(name).stem.lower() in _COMMON_NAMES
    return f"{PurePosixPath(folder).name}/{name}" if is_common and folder else name
