"""Nouns of the corpus: extracted text, snapshot, document, passage. Offsets are code points of the
snapshot text."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tools.documents.passage import (
    CELL_SEPARATOR as CELL_SEPARATOR,
    CHARACTERS_PER_TOKEN as CHARACTERS_PER_TOKEN,
    RELEVANT as RELEVANT,
    SENTENCE_KINDS as SENTENCE_KINDS,
    Block as Block,
    BlockKind as BlockKind,
    Completeness as Completeness,
    Cut as Cut,
    Passage as Passage,
    cell_spans as cell_spans,
    digest as digest,
    shown_name as shown_name,
    snapshot_id_of as snapshot_id_of,
)


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


class Request(NamedTuple):
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
