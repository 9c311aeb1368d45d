"""Nouns of a search: block, passage. Offsets are code points of the snapshot text. Apart from the
others of the corpus (model.py), which take longer to load than a search takes."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import NamedTuple

CHARACTERS_PER_TOKEN = 5
CELL_SEPARATOR = " | "  # of the cells of a table row
_COMMON_NAMES = ("index", "_index", "readme")  # of 883 files of a handbook 185 are index.md
RELEVANT = 0.25  # cosine below which a passage without a word of the query is no answer


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

    __hash__ = str.__hash__  # that of enumerations is written in Python


# Blocks that are made of sentences; the others are quoted whole
SENTENCE_KINDS = frozenset((BlockKind.PARAGRAPH, BlockKind.QUOTATION, BlockKind.FOOTNOTE))


class Block(NamedTuple):
    """A piece of a document that is quoted whole: text[start:end] of its snapshot, without its list
    marker.

    level: of a heading, 1 is the highest; of a list item and of what stands inside one, its depth,
    1 is the outermost. header: whether a table row names the columns, or an item labels the whole
    text: it is searched, and not shown. heading_path: the headings
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


def cell_spans(row: str) -> list[tuple[int, int]]:
    """Where the cells of a table row stand in its text: (start, end) of each, in code points.

    A row lost its outer spaces with those of its block, so that an empty cell at either end is a
    bar there ("| Adult | Child"). "| | " at the start is a cell whose text is a bar.
    """
    begins_empty = (row == "|" or row.startswith("| ")) and not row.startswith("| | ")
    ends_empty = row == "|" or row.endswith(" |")
    padded = " " * begins_empty + row + " " * ends_empty
    spans, start = [], -begins_empty
    for cell in padded.split(CELL_SEPARATOR):
        end = start + len(cell)
        spans.append((max(0, start), min(end, len(row))))
        start = end + len(CELL_SEPARATOR)
    return [(min(start, end), end) for start, end in spans]


def snapshot_id_of(text: str) -> str:
    """sha256 of the UTF-8 text, hexadecimal."""
    return digest(text.encode("utf-8"))


def digest(data: bytes) -> str:
    """sha256, hexadecimal."""
    import hashlib  # brings OpenSSL, which a search does not need

    return hashlib.sha256(data).hexdigest()


def shown_name(name: str, folder: str) -> str:
    """The name of a file; after its folder where it is called like many others ("index.md")."""
    return f"{PurePosixPath(folder).name}/{name}" if is_common_name(name) and folder else name


def telling_name(file_name: str) -> str:
    """What sets a file apart from others, of its name as it is shown, without the ending: the name
    of the folder where one stands before a common one."""
    path = PurePosixPath(file_name)
    return path.parent.name if is_common_name(path.name) and path.parent.name else path.stem


def is_common_name(name: str) -> bool:
    """Whether files of many folders are called so ("index.md")."""
    return PurePosixPath(name).stem.lower() in _COMMON_NAMES
