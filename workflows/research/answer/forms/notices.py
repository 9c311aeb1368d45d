"""What tells nothing of what a text says: what stands in most texts of a group or a folder (a
notice, a licence, those present), and its contents."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from tools.documents.model import Block, BlockKind
from tools.text.dates import MONTH
from tools.text.tokens import words
from workflows.research.answer.collection import TextCollection, TextInfo

COMPARED = 5  # texts of a group, among which notices are looked for
_FEWEST_TEXTS = 3  # in which a block can be told to be repeated
_NUMBERED = re.compile(r"\b[^\W\d]*+\d\w*+")  # a word with a digit
_FEWEST_ENTRIES = 3  # of a table of contents
_LAST_NUMBER = re.compile(r"\|\s?(\d{1,4})$")
# Of a table of contents: one sign five times, up to a number
_LEADERS = re.compile(r"([^\w\s])(?:\s?\1){4}\s{0,2}\d{1,4}\s?$")


def repeated(texts: Sequence[TextInfo], collection: TextCollection) -> frozenset[str]:
    """The words of blocks that stand in most of three texts or more: a notice, a licence, a
    greeting."""
    if len(texts) < _FEWEST_TEXTS:
        return frozenset()
    blocks = Counter(
        words_of
        for info in texts
        for words_of in {
            _notice(collection.text(info.snapshot_id)[block.start : block.end])
            for block in collection.blocks(info.snapshot_id)
        }
    )
    return frozenset(words_of for words_of, n in blocks.items() if words_of and n * 2 > len(texts))


def notices_of_folders(
    snapshot_ids: Iterable[str], collection: TextCollection
) -> dict[str, frozenset[str]]:
    """For each of some texts the notices of its folder."""
    folders: dict[str, list[TextInfo]] = {}
    for info in collection.texts():
        folders.setdefault(info.folder, []).append(info)
    infos = {key: collection.info(key) for key in snapshot_ids}
    notices = {
        folder: repeated(folders.get(folder, [])[:COMPARED], collection)
        for folder in {info.folder for info in infos.values()}
    }
    return {key: notices[info.folder] for key, info in infos.items()}


def blocks_of_notices(
    text: str, blocks: Sequence[Block], notices: frozenset[str]
) -> frozenset[Block]:
    """The blocks that are notices, and all of a section that mostly is ("Present")."""
    if not notices:
        return frozenset()
    passed_over: set[Block] = set()
    for _, section in groupby(blocks, lambda block: block.heading_path):
        of_section = [block for block in section if block.kind != BlockKind.HEADING]
        repeated = [b for b in of_section if _notice(text[b.start : b.end]) in notices]
        passed_over.update(of_section if 2 * len(repeated) > len(of_section) else repeated)
    return frozenset(passed_over)


def contents(text: str, blocks: Sequence[Block]) -> frozenset[Block]:
    """The entries of tables of contents: rows without a header that all end in a number, of which
    none is below the one before; lines with dots or such up to a number.

    Of 20 such tables in 200 papers 16 are contents, 3 are programs with the numbers of their lines.
    """
    entries = [block for block in blocks if _LEADERS.search(text[block.start : block.end])]
    for (kind, _, context), run in groupby(blocks, lambda b: (b.kind, b.heading_path, b.context)):
        rows = list(run)
        numbers = _last_numbers(text, rows)
        is_table = kind == BlockKind.TABLE_ROW and not context and len(rows) >= _FEWEST_ENTRIES
        if is_table and numbers and numbers == sorted(numbers):
            entries += rows
    return frozenset(entries)


def _last_numbers(text: str, rows: Sequence[Block]) -> list[int]:
    """The numbers that some rows end in; none where one of them ends in none."""
    matches = [_LAST_NUMBER.search(text[row.start : row.end]) for row in rows]
    numbers = [int(number[1]) for number in matches if number]
    return numbers if len(numbers) == len(rows) else []


def _notice(text: str) -> str:
    """The words of a notice, which may have another date or number in each text ("Last updated: 3
    May")."""
    return " ".join(word for word in words(_NUMBERED.sub(" ", text)) if word not in MONTH)
