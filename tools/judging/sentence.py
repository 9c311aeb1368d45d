"""A sentence in the form in which the checks compare it: words in order with their stems, clauses,
names, numbers.

Everything is bounded: at most 80 words of a sentence and 2,000 sentences of a passage are looked
at.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from tools.text import sentences
from tools.text.quantities import Quantity, quantities
from tools.text.rarity import UNLISTED, rarity
from tools.text.tokens import STOP, fold, stem
from tools.text.units import NUMBER_WORDS, ORDINAL_WORDS, UNITS

MOST_WORDS = 80
MOST_SENTENCES = 2_000
_LONGEST = 1_200  # characters of a sentence; a longer one is cut into pieces
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[^\W_]+|[.,;:!?()\[\]–—]")
_GENITIVE = re.compile(r"['’]s$")
_MARKS = frozenset(".,;:!?()[]–—")


@dataclass(frozen=True, slots=True)
class Word:
    """text: as written, without the genitive. capital: whether it begins with a capital letter."""

    text: str
    folded: str
    stem: str
    start: int
    end: int
    capital: bool
    content: bool  # neither a number nor a stop word


@dataclass(frozen=True)
class Sentence:
    """words: at most 80. breaks: indices of words that follow a mark of punctuation."""

    text: str
    words: tuple[Word, ...]
    breaks: frozenset[int]

    @cached_property
    def terms(self) -> frozenset[str]:
        """Stems of the words of content."""
        return frozenset(word.stem for word in self.words if word.content)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of all words."""
        return frozenset(word.stem for word in self.words)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """The numbers of the sentence."""
        return quantities(self.text) if any(map(str.isdigit, self.text)) or _spelled(self) else ()

    @cached_property
    def names(self) -> tuple[range, ...]:
        """Runs of words that are written as names, as indices."""
        return tuple(_names(self))

    def span_of(self, quantity: Quantity) -> range:
        """The words that a quantity is written with."""
        inside = [
            i
            for i, word in enumerate(self.words)
            if word.end > quantity.start and word.start < quantity.end
        ]
        return range(inside[0], inside[-1] + 1) if inside else range(0)

    def before(self, at: int) -> str:
        """The folded word right before a place, empty at the beginning of a clause."""
        return self.words[at - 1].folded if at > 0 and at not in self.breaks else ""

    def after(self, at: int) -> str:
        """The folded word at a place, empty at the end of a clause."""
        return self.words[at].folded if at < len(self.words) and at not in self.breaks else ""

    def near(self, span: range, count: int) -> frozenset[str]:
        """Stems of the nearest words of content within the clause, `count` on each side of a
        span."""
        return frozenset(
            (*self._content(span.start - 1, -1, count), *self._content(span.stop, 1, count))
        )

    def next_content(self, at: int) -> str:
        """The stem of the first word of content from a place on, within the clause and four words;
        else empty."""
        return next(self._content(at, 1, 1, reach=4), "")

    def _content(self, at: int, step: int, count: int, reach: int = MOST_WORDS) -> Iterator[str]:
        yielded = 0
        for i in range(
            at, max(-1, at - reach) if step < 0 else min(len(self.words), at + reach), step
        ):
            if (i + 1 if step < 0 else i) in self.breaks or yielded == count:
                return
            if self.words[i].content:
                yielded += 1
                yield self.words[i].stem


@lru_cache(maxsize=4096)
def read_sentence(text: str) -> Sentence:
    """The sentence of a text; what lies beyond its first 1,200 characters or 80 words is left
    out."""
    text = text[:_LONGEST]
    words: list[Word] = []
    breaks: set[int] = set()
    for match in _TOKEN.finditer(text):
        if match[0] in _MARKS:
            breaks.add(len(words))
            continue
        if len(words) == MOST_WORDS:
            break
        bare = _GENITIVE.sub("", match[0])
        folded = fold(bare.replace("’", "'"))
        content = folded not in STOP and not folded[:1].isdigit() and len(folded) > 1
        start = match.start()
        words.append(
            Word(bare, folded, stem(folded), start, start + len(bare), bare[0].isupper(), content)
        )
    return Sentence(text, tuple(words), frozenset(breaks))


def sentences_of(text: str) -> list[Sentence]:
    """The sentences of a passage, the first 2,000; a line without an end is cut into pieces."""
    return [read_sentence(text[start:end]) for start, end in sentence_spans(text)]


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """(start, end) of the sentences of a passage, the first 2,000, none longer than 1,200
    characters."""
    pieces: list[tuple[int, int]] = []
    for start, end in sentences.spans(text, 0, MOST_SENTENCES * _LONGEST):
        pieces += ((at, min(end, at + _LONGEST)) for at in range(start, end, _LONGEST))
        if len(pieces) >= MOST_SENTENCES:
            break
    return pieces[:MOST_SENTENCES]


def weight(terms: Iterable[str]) -> float:
    """How much words of content say together, by their rarity."""
    return sum(map(rarity, terms))


def coverage(terms: frozenset[str], others: frozenset[str]) -> float:
    """Share of the weight of `terms` that stands in `others`, 0-1."""
    whole = weight(terms)
    return weight(terms & others) / whole if whole else 0.0


def _spelled(sentence: Sentence) -> bool:
    return any(
        word.folded in NUMBER_WORDS or word.folded in ORDINAL_WORDS for word in sentence.words
    )


def _names(sentence: Sentence) -> Iterator[range]:
    words = sentence.words
    start = 0
    while start < len(words):
        if not _opens_name(sentence, start):
            start += 1
            continue
        end = start + 1
        while end < len(words) and end not in sentence.breaks and words[end].capital:
            end += 1
        yield range(start, end)
        start = end


def _opens_name(sentence: Sentence, at: int) -> bool:
    """The word that opens a sentence is a name where another capital follows, or where no
    vocabulary has it."""
    word = sentence.words[at]
    if not word.capital or word.folded in STOP or word.folded in UNITS or len(word.folded) < 2:
        return False
    if at > 0:
        return True
    following = sentence.words[1] if len(sentence.words) > 1 else None
    return (
        bool(following and following.capital and 1 not in sentence.breaks)
        or rarity(word.stem) == UNLISTED
    )
