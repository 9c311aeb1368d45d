"""What can be quoted of a document, and its title and date, counted on documents small enough to
count by hand."""

import csv
from collections import Counter
from pathlib import Path

from benchmarks.documents_structure import LABELS, quotable, torn_words
from tools.documents.model import Block, BlockKind, Extracted


def _extracted(*blocks: tuple[BlockKind, str]) -> Extracted:
    text, spans = "", []
    for kind, words in blocks:
        spans.append(Block(kind=kind, start=len(text), end=len(text) + len(words)))
        text += words + "\n\n"
    return Extracted(text, "text/markdown", "test-1", blocks=tuple(spans))


def test_a_unit_counts_when_it_stands_whole_in_one_block(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text(
        "# A heading of four\n\nOne two three.\n\n- four `five` six\n\nseven eight nine ten\n",
        "utf-8",
    )
    extracted = _extracted(
        (BlockKind.HEADING, "A heading of four"),
        (BlockKind.PARAGRAPH, "One two three."),
        (BlockKind.LIST_ITEM, "four five six"),
        (BlockKind.PARAGRAPH, "seven eight"),
        (BlockKind.PARAGRAPH, "nine ten"),
    )
    assert quotable(path, extracted) == (2, 3)


def test_a_text_that_is_only_a_heading_cannot_be_quoted(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("One two three four\nfive six seven\n", "utf-8")
    extracted = _extracted((BlockKind.HEADING, "One two three four five six seven"))
    assert quotable(path, extracted) == (0, 2)


def test_torn_words_are_pieces_whose_join_is_a_word() -> None:
    counts = Counter({"reading": 5, "read": 5, "in": 9, "set": 9, "up": 9, "setup": 3})
    assert torn_words("they were rea ding and read- ing", counts) == 2
    assert torn_words("they set up a table", counts) == 0


def test_the_labels_name_each_file_once_and_state_dates_as_far_as_they_are_known() -> None:
    with LABELS.open(encoding="utf-8", newline="") as file:
        labels = list(csv.DictReader(file))
    assert len({label["file"] for label in labels}) == len(labels) >= 100
    assert all(len(label["date"]) in (0, 4, 7, 10) for label in labels)
