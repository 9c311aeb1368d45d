"""The central passages of a text: those that say most of what its others say."""

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

from tools.documents.model import Block, BlockKind, Passage
from tools.documents.opening_data import opening_data
from tools.documents.sections import kind_of
from tools.text.tokens import stems, words
from workflows.research.answer.collection import TextCollection, TextInfo
from workflows.research.answer.forms.notices import blocks_of_notices, contents, repeated
from workflows.research.answer.selection import Selected, overlaps
from workflows.research.answer.sparse import Vector, product, total_of, unit
from workflows.research.answer.windows import Unit, units_within, window_around

MOST = 3  # central passages of a text
_MOST_CHUNKS = 150  # of a text, among which the central ones are looked for
_CHUNK_WORDS = 90
_REPEATS = 0.5  # how much a passage loses that says what a chosen one says
_OPENING = 0.15  # what the first that tells something gains
_SENTENCE_WORDS = 6  # that a passage begins with: fewer are a menu, a label, a name
_ADDRESS = re.compile(r"\w{2,9}://\S{1,2000}")
_BEGINNING = 500  # characters, in which the title of a text may stand again


def central_passages(
    texts: Sequence[TextInfo], collection: TextCollection, notices: frozenset[str] = frozenset()
) -> dict[str, Sequence[Selected]]:
    """For each text the passages that say most of what its others say, all different, in the order
    of the text. notices: what stands in texts like these, and tells nothing of one."""
    of_all = repeated(texts, collection)
    return {
        info.snapshot_id: central(info, collection, notices | of_all)
        or central(info, collection, of_all)
        or central(info, collection)
        for info in texts
    }


def central(
    info: TextInfo, collection: TextCollection, without: frozenset[str] = frozenset()
) -> list[Selected]:
    """The central passages of one text. without: notices that are none of them."""
    text = collection.text(info.snapshot_id)
    blocks = list(blocks_of_prose(info, collection, without))
    chunks = _pieces_of(info, text, blocks)
    units = [_units_of(chunk, text, blocks) for chunk in chunks]
    bags = [Counter(stems(chunk.text)) for chunk in chunks]
    weights = _inverse_frequencies(bags)
    vectors = [unit({term: n * weights[term] for term, n in bag.items()}) for bag in bags]
    total = total_of(vectors)
    prose = [i for i, of_chunk in enumerate(units) if _telling(text, of_chunk)]
    opening = min(prose, default=0)
    scores = [
        product(vector, total) / max(1, len(vectors)) + (_OPENING if i == opening else 0.0)
        for i, vector in enumerate(vectors)
    ]
    chosen: list[int] = []
    while len(chosen) < min(MOST, len(chunks)):
        rest = [i for i in range(len(chunks)) if i not in chosen]
        news = {i: round(scores[i] - _REPEATS * _nearest(i, chosen, vectors), 6) for i in rest}
        # those present, figures and the like only where nothing else is left
        chosen.append(max(rest, key=lambda i: (i in prose, news[i], -i)))
    selected: list[Selected] = []
    for i in sorted(chosen):
        lead = _lead(text, units[i])
        window = window_around(text, collection.blocks(info.snapshot_id), lead)
        score = max(0.0, min(1.0, scores[i]))
        passage = Selected(info.snapshot_id, window, lead, score)
        if not overlaps(passage, selected):
            selected.append(passage)
    return selected


def _units_of(chunk: Passage, text: str, blocks: Sequence[Block]) -> list[Unit]:
    """The units of a piece of a text. blocks: those of the text that say something of its own."""
    first = bisect_right(blocks, chunk.start, key=attrgetter("end"))
    last = bisect_left(blocks, chunk.end, key=attrgetter("start"))
    return units_within(text, blocks[first:last], chunk.start, chunk.end)


def _lead(text: str, units: Sequence[Unit]) -> Unit:
    """With which of some units a passage begins: the first that tells something, else the first of
    six words."""
    longer = (u for u in units if len(text[u.start : u.end].split()) >= _SENTENCE_WORDS)
    return _telling(text, units) or next(longer, units[0])


def _telling(text: str, units: Sequence[Unit]) -> Unit | None:
    """The first of some units that tells something: a label, a list of names, a row of a table
    tells nothing by itself."""
    return next(
        (
            u
            for u in units
            if u.block.kind != BlockKind.TABLE_ROW and _is_telling(text[u.start : u.end])
        ),
        None,
    )


def _is_telling(text: str) -> bool:
    """Whether a text has six words beside addresses, half of them without a capital or a digit."""
    text = _ADDRESS.sub(" ", text)
    tokens = [token for token in text.split() if token[0].isalnum()]
    small = [token for token in tokens if not (token[0].isupper() or token[0].isdigit())]
    return len(words(text)) >= _SENTENCE_WORDS and 2 * len(small) >= len(tokens)


def pieces(
    info: TextInfo, collection: TextCollection, without: frozenset[str] = frozenset()
) -> list[Passage]:
    """The text in pieces of some ninety words, whole blocks; at most as many as can be compared in
    time."""
    text = collection.text(info.snapshot_id)
    return _pieces_of(info, text, blocks_of_prose(info, collection, without))


def _pieces_of(info: TextInfo, text: str, blocks: Iterable[Block]) -> list[Passage]:
    pieces: list[Passage] = []
    start = end = None
    for block in blocks:
        for unit_of_block in units_within(text, [block], block.start, block.end):
            start = unit_of_block.start if start is None else start
            end = unit_of_block.end
            if len(text[start:end].split()) >= _CHUNK_WORDS:
                pieces.append(
                    Passage(info.snapshot_id, start, end, text[start:end], 0.0, heading=info.title)
                )
                start = end = None
        if len(pieces) >= _MOST_CHUNKS:
            return pieces
    if start is not None and end is not None:
        pieces.append(
            Passage(info.snapshot_id, start, end, text[start:end], 0.0, heading=info.title)
        )
    return pieces


def blocks_of_prose(
    info: TextInfo, collection: TextCollection, without: frozenset[str] = frozenset()
) -> Iterator[Block]:
    """The blocks of a text that say something of its own: no headings, no code, no contents, no
    references, no data about it, not its title again."""
    text, title = collection.text(info.snapshot_id), words(info.title)
    blocks = collection.blocks(info.snapshot_id)
    passed_over = contents(text, blocks) | blocks_of_notices(text, blocks, without)
    passed_over |= frozenset(opening_data(text, blocks))
    for block in blocks:
        if block in passed_over or not _is_prose(block, info):
            continue
        words_of = words(text[block.start : block.end])
        is_title = (
            title
            and words_of[: len(title)] == title
            and len(words_of) < len(title) + _SENTENCE_WORDS
            and block.start < _BEGINNING
        )
        if not is_title:
            yield block


def _is_prose(block: Block, info: TextInfo) -> bool:
    if block.kind in (BlockKind.HEADING, BlockKind.CODE) or block.header:
        return False
    return all(kind_of(h) == "body" for h in block.heading_path if h != info.title)


def _inverse_frequencies(bags: Sequence[Mapping[str, int]]) -> dict[str, float]:
    spread = Counter(term for bag in bags for term in bag)
    return {term: math.log(1 + len(bags) / count) for term, count in spread.items()}


def _nearest(index: int, chosen: Sequence[int], vectors: Sequence[Vector]) -> float:
    return max((product(vectors[index], vectors[i]) for i in chosen), default=0.0)
