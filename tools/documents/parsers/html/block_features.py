"""What of a block tells whether it is main text: its words, its place on the page, and the blocks
around it.

Every feature is a number. Two of them are sums of learned weights: of the names (tags, classes,
ids) of the elements around a block, and of its words. Elements (block_places) and blocks are each
looked at once, so cost grows with the page.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tools.documents.model import BlockKind
from tools.documents.parsers.html.block_places import Place, Places
from tools.documents.parsers.html.markup_writer import PlacedBlock

_WORD = re.compile(r"\w+")
_END = re.compile(r"[.!?。！？](?=\s|$|[\"'”’»)\]])|[。！？]")
_LAST = tuple('.!?:"”’»。！？…')
_KINDS = (
    BlockKind.PARAGRAPH,
    BlockKind.LIST_ITEM,
    BlockKind.TABLE_ROW,
    BlockKind.HEADING,
    BlockKind.CODE,
)
_FIRST_WORDS = 60  # of a block: enough to tell what it is
_PROSE = 80  # characters
_WHOLE = 5  # words: a text that short is looked up whole


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Learned weights of names of elements and of words."""

    names: Mapping[str, float]
    words: Mapping[str, float]


@dataclass(slots=True)
class BlockInPlace:
    """A block as it stands by itself."""

    place: Place
    words: list[str]
    chars: int
    link_share: float
    is_prose: bool
    text_score: float
    is_repeated: bool


def words_of(text: str) -> list[str]:
    """The first words of a block."""
    return _WORD.findall(text[: 12 * _FIRST_WORDS].lower())[:_FIRST_WORDS]


def tokens_of(words: Sequence[str], chars: int) -> list[str]:
    """What is weighed of a text: its words, the whole of it when it is short, its length."""
    tokens = list(dict.fromkeys(words[:30]))
    if 1 < len(words) <= _WHOLE:
        tokens.append(" ".join(words))
    tokens.append(f"#{min(9, chars.bit_length())}")
    return tokens


class PageFeatures:
    """The features of the blocks of one page."""

    def __init__(self, blocks: Sequence[PlacedBlock], title: str, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._places = Places(vocabulary.names)
        self._blocks = blocks
        self._title = set(_WORD.findall(title[:300].lower()))
        texts: Counter[str] = Counter(placed.block.text for placed in blocks)
        self.placed_blocks = [self._describe(placed, texts) for placed in blocks]
        self._add_up()
        self._best = self._places.find_best()
        self._chars = sum(item.chars for item in self.placed_blocks)
        self._mean_score = weighted_mean(
            (item.place.score, item.chars) for item in self.placed_blocks
        )
        self._best_score = max((item.place.score for item in self.placed_blocks), default=0.0)

    def rows(self) -> list[list[float]]:
        """Of each block its features."""
        page, heads, comments = self._of_page(), self._of_headings(), self._of_comments()
        plain = [self._of_text(number) for number in range(len(self._blocks))]
        placed = [self._of_place(item) for item in self.placed_blocks]
        around = self._of_neighbours()
        return [
            text + place + near + head + page + comment
            for text, place, near, head, comment in zip(
                plain, placed, around, heads, comments, strict=True
            )
        ]

    def _describe(self, placed: PlacedBlock, texts: Mapping[str, int]) -> BlockInPlace:
        text = placed.block.text
        words = words_of(text)
        chars = len(text)
        link_share = min(1.0, placed.linked / max(1, chars))
        is_prose = chars >= _PROSE and link_share < 0.4 and bool(_END.search(text))
        weights = self._vocabulary.words
        score = sum(weights.get(token, 0.0) for token in tokens_of(words, chars))
        return BlockInPlace(
            self._places.around(placed.element).block_level(),
            words,
            chars,
            link_share,
            is_prose,
            score,
            texts[text] > 1,
        )

    def _add_up(self) -> None:
        """Sums of what stands in each element."""
        self._of_signature: dict[int, list[int]] = {}
        for item in self.placed_blocks:
            place = item.place
            linked, prose = int(item.link_share * item.chars), item.chars * item.is_prose
            place.chars += item.chars
            place.linked += linked
            place.count += 1
            place.prose += prose
            group = self._of_signature.setdefault(place.signature, [0, 0])
            group[0] += 1
            group[1] += item.chars
            if prose:
                parent = place.parent or place
                parent.credit += prose
                if parent.parent is not None:
                    parent.parent.credit += prose / 2
        self._places.add_up()

    def _of_text(self, number: int) -> list[float]:
        item, block = self.placed_blocks[number], self._blocks[number].block
        text, words = block.text, item.words
        some = text[: 12 * _FIRST_WORDS]
        count = max(1, len(words))
        title_words = sum(word in self._title for word in words)
        return [
            *(float(block.block_kind == kind) for kind in _KINDS),
            float(block.level),
            math.log(1 + item.chars),
            len(words),
            sum(map(len, words)) / count,
            item.link_share,
            float(item.is_prose),
            len(_END.findall(some)) / count,
            (some.count(",") + some.count("，")) / count,
            float(text.endswith(_LAST)),
            float(text[:1].isupper()),
            sum(letter.isupper() for letter in some) / max(1, len(some)),
            sum(letter.isdigit() for letter in some) / max(1, len(some)),
            sum(len(word) <= 3 for word in words) / count,
            some.count("|") + some.count("»") + some.count("©"),
            item.text_score,
            float(item.is_repeated),
            title_words / count,
            title_words / max(1, len(self._title)),
        ]

    def _of_place(self, item: BlockInPlace) -> list[float]:
        place, whole = item.place, max(1, self._chars)
        group = self._of_signature[place.signature]
        row = [
            place.score,
            place.score - self._mean_score,
            self._best_score - place.score,
            place.low,
            place.weight,
            place.parent.weight if place.parent else 0.0,
            place.depth,
            *place.around_flags(),
            math.log(1 + group[0]),
            group[1] / whole,
            math.log(1 + group[1] / group[0]),
            (self._best.depth if self._best else 0) - place.shared,
            place.depth - place.shared,
        ]
        outer: Place | None = place
        for _ in range(4):
            if outer is None:
                row += [1.0, 0.0, 0.0, 0.0]
                continue
            row += [
                outer.chars / whole,
                outer.linked / max(1, outer.chars),
                math.log(1 + outer.count),
                outer.prose / max(1, outer.chars),
            ]
            outer = outer.parent
        return row

    def _of_neighbours(self) -> list[list[float]]:
        ends = [0.0, 0.0, -10.0, 0.0, 0.0, 0.0]
        per_block = [
            [
                math.log(1 + s.chars),
                s.link_share,
                s.place.score,
                s.text_score,
                float(s.is_prose),
                s.place.signature,
            ]
            for s in self.placed_blocks
        ]
        padded = [ends, ends, *per_block, ends, ends]
        prose = [0]
        for item in self.placed_blocks:
            prose.append(prose[-1] + item.chars * item.is_prose)
        rows, last = [], len(per_block)
        for number, mine in enumerate(per_block):
            row: list[float] = []
            for other in (
                padded[number],
                padded[number + 1],
                padded[number + 3],
                padded[number + 4],
            ):
                row += [
                    other[0],
                    other[1],
                    other[2] - mine[2],
                    other[3],
                    other[4],
                    float(other[5] == mine[5]),
                ]
            row.append(math.log(1 + prose[number] - prose[max(0, number - 5)]))
            row.append(math.log(1 + prose[min(last, number + 6)] - prose[number + 1]))
            row.append(prose[number] / max(1, prose[-1]))
            row.append(number / last)
            rows.append(row)
        return rows

    def in_comments(self) -> list[bool]:
        """Of each block whether it stands in an element that is named as holding comments."""
        return [item.place.in_comments for item in self.placed_blocks]

    def text_outside_comments(self) -> int:
        """Characters of running text that is no comment."""
        pairs = zip(self.placed_blocks, self.in_comments(), strict=True)
        return sum(item.chars for item, inside in pairs if item.is_prose and not inside)

    def _of_comments(self) -> list[list[float]]:
        """Whether a block stands among comments, and how much of the page does."""
        inside = self.in_comments()
        prose = [item.chars * item.is_prose for item in self.placed_blocks]
        total = sum(prose)
        outside = self.text_outside_comments()
        first = inside.index(True) if any(inside) else len(inside)
        rows, before = [], 0
        for number, (size, comment) in enumerate(zip(prose, inside, strict=True)):
            after = number - first
            row = [
                float(comment),
                math.log(1 + before),
                math.copysign(math.log(1 + abs(after)), after),
            ]
            rows.append([*row, outside / max(1, total), math.log(1 + outside)])
            before += 0 if comment else size
        return rows

    def _of_headings(self) -> list[list[float]]:
        """How far the title, the heading before and the next one are, and what stands under a
        heading."""
        title = self._title_at()
        rows: list[list[float]] = []
        before, level = -1, 0
        for number, placed in enumerate(self._blocks):
            distance = number - title
            signed = math.copysign(math.log(1 + abs(distance)), distance) if title >= 0 else 9.0
            rows.append([signed, math.log(1 + number - before), float(level), 0.0, 0.0, 0.0])
            if placed.block.block_kind == BlockKind.HEADING:
                before, level = number, placed.block.level
        chars = linked = count = 0.0
        for number in range(len(rows) - 1, -1, -1):
            rows[number][3:] = [math.log(1 + chars), linked / max(1.0, chars), math.log(1 + count)]
            item = self.placed_blocks[number]
            if self._blocks[number].block.block_kind == BlockKind.HEADING:
                chars = linked = count = 0.0
            else:
                chars, linked, count = (
                    chars + item.chars,
                    linked + item.chars * item.link_share,
                    count + 1,
                )
        return rows

    def _title_at(self) -> int:
        """The number of the heading that is most like the title of the page; -1 for none."""
        best, at = 0.5, -1
        for number, placed in enumerate(self._blocks):
            if placed.block.block_kind == BlockKind.HEADING:
                words = set(self.placed_blocks[number].words)
                likeness = 2 * len(words & self._title) / max(1, len(words) + len(self._title))
                likeness += 0.1 * (placed.block.level == 1)
                if likeness > best:
                    best, at = likeness, number
        return at

    def _of_page(self) -> list[float]:
        best = self._best
        whole = max(1, self._chars)
        return [
            math.log(1 + self._chars),
            sum(item.chars * item.link_share for item in self.placed_blocks) / whole,
            math.log(1 + len(self.placed_blocks)),
            sum(item.chars for item in self.placed_blocks if item.is_prose) / whole,
            best.chars / whole if best else 0.0,
            self._mean_score,
            self._best_score,
        ]


def weighted_mean(pairs: Iterable[tuple[float, float]]) -> float:
    """The mean of values, each with its weight; 0 for none."""
    total = weight = 0.0
    for value, w in pairs:
        total += value * w
        weight += w
    return total / weight if weight else 0.0
