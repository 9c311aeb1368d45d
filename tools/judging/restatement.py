"""Restatement: the same words but for order and inflection; and near-copies, which are one voice.

Restating is the only support that is affirmed without a model, so anything that could change what
is said stands in its way: another word, number, negation or tense, and any other order than a
phrase moved to the front.
"""

import difflib
import re
from collections.abc import Sequence
from functools import lru_cache

from tools.judging.sentence import MOST_WORDS, Sentence, sentence_spans, sentences_of
from tools.text.tokens import STOP, shingles, stem, words

COPY_WORDS = 7  # a shorter statement may be worded alike by people who never met
STATED_WORDS = 3  # other than small ones; "Removed from the agenda." says of nothing what it says
COPY_SHARE = 0.8  # of the runs of three words of the shorter text that stand in the longer one
# Of two texts of a sentence or two, word by word: of seven words one may differ
COPY_LIKENESS = 0.84
_COPY_LONGEST = 400  # words; longer texts are compared by runs of words alone
_MOST_CLAIMED = 12  # sentences of a claim
_LONGEST_FRONTED = 10  # words of a phrase that is moved to the front
_ARTICLES = frozenset("a an the".split())
_ALIKE = {
    "were": "was",
    "are": "is",
    "have": "has",
    "isn't": "is not",
    "aren't": "is not",
    "wasn't": "was not",
}
_FRONTED = frozenset(
    """in on at during after before since until by from for with under within according because
    although when while if as throughout despite near between among across""".split()
)
_ENDINGS = frozenset(("", "s", "es", "ed", "d", "ing", "e", "y", "ies", "ied"))
_Key = tuple[str, str]  # stem and word as written; "#" and the value of a number
_SIGNS = re.compile(r"[<>≤≥=±≈~×÷/%°]")


def restates(claim: str, passage: str) -> bool:
    """Whether the passage states each sentence of the claim in a sentence of its own, in the same
    words."""
    claim_parts, complete = _assertions(claim)
    if not complete or not 0 < len(claim_parts) <= _MOST_CLAIMED:
        return False
    passage_parts, _ = _assertions(passage)
    return all(
        any(_same(*assertion, *other) for other in passage_parts) for assertion in claim_parts
    )


def is_statement(text: str) -> bool:
    """Whether a text says something: a whole sentence with words enough of its own, no heading,
    label or question."""
    content = {stem(word) for word in words(text) if word not in STOP}
    return len(content) >= STATED_WORDS and text.rstrip("\"'”’) ").endswith((".", "!", "…"))


def is_copy(a: str, b: str) -> bool:
    """Whether one text is so near the other that one of the two was copied: a word may differ, or a
    letter."""
    (first_run, first), (other, second) = _runs(a), _runs(b)
    if min(len(first_run), len(other)) < COPY_WORDS:
        return False
    if len(first & second) >= COPY_SHARE * min(len(first), len(second)):
        return True
    if (
        max(len(first_run), len(other)) > _COPY_LONGEST
        or _most_alike(first_run, other) < COPY_LIKENESS
    ):
        return False
    return difflib.SequenceMatcher(None, first_run, other, autojunk=False).ratio() >= COPY_LIKENESS


@lru_cache(maxsize=1024)
def _runs(text: str) -> tuple[list[str], frozenset[tuple[str, ...]]]:
    """The words of a text, and its runs of three. Kept, because one text is compared with many."""
    tokens = words(text)
    return tokens, frozenset(shingles(tokens, 3))


def _most_alike(first: Sequence[str], other: Sequence[str]) -> float:
    """A bound of the likeness of two lists of words that costs little: the words that stand in
    both."""
    here, there = set(first), set(other)
    shared = min(sum(word in there for word in first), sum(word in here for word in other))
    return 2 * shared / (len(first) + len(other))


@lru_cache(maxsize=1024)
def _assertions(text: str) -> tuple[tuple[tuple[Sentence, tuple[_Key, ...]], ...], bool]:
    """The sentences that state something, with what must be the same; and whether those are all
    sentences.

    A question states nothing, and of a cut sentence nobody read the end.
    """
    assertions = tuple(
        (sentence, tuple(_keys(sentence)))
        for sentence in sentences_of(text)
        if 0 < len(sentence.words) < MOST_WORDS
        and not sentence.text.rstrip("\"'”’) ").endswith("?")
    )
    return assertions, len(assertions) >= len(sentence_spans(text))


def _same(claim: Sentence, ours: Sequence[_Key], other: Sentence, theirs: Sequence[_Key]) -> bool:
    return (
        len(ours) == len(theirs)
        and _same_order(ours, theirs)
        and _loose_signs(claim) == _loose_signs(other)
    )


def _loose_signs(sentence: Sentence) -> list[str]:
    """The signs beside numbers: one that is read with its number ("9%", "9 per cent") is left
    out."""
    spans = [(quantity.start, quantity.end) for quantity in sentence.quantities]
    return [
        match[0] for match in _SIGNS.finditer(sentence.text)
        if not any(start <= match.start() < end for start, end in spans)
    ]  # fmt: skip


def _keys(sentence: Sentence) -> list[_Key]:
    """What must be the same, in order: words, and numbers by their values; articles are left
    out."""
    numbers = _numbers(sentence)
    inside = {at for span in numbers for at in span}
    keys: list[_Key] = []
    for at, word in enumerate(sentence.words):
        keys += (key for span, key in numbers.items() if span.start == at)
        if at in inside or word.folded in _ARTICLES:
            continue
        if word.folded in _ALIKE:
            keys += ((part, part) for part in _ALIKE[word.folded].split())
        else:
            keys.append((word.stem, word.folded))
    return keys


def _numbers(sentence: Sentence) -> dict[range, _Key]:
    """The numbers of a sentence by their words; one that can be read in two ways is left as
    text."""
    values: dict[range, str] = {}
    unclear: set[int] = set()
    for quantity in sentence.quantities:
        span = sentence.span_of(quantity)
        values[span] = (
            f"{values.get(span, '')} {quantity.kind} {quantity.value:.9g} {quantity.bound}"
        )
        if quantity.other is not None:
            unclear |= set(span)
    number_places: set[int] = set()
    numbers: dict[range, _Key] = {}
    for span, value in values.items():
        if len(span) and not (set(span) & (number_places | unclear)):
            numbers[span] = ("#", value)
            number_places |= set(span)
    return numbers


def _same_order(first: Sequence[_Key], second: Sequence[_Key]) -> bool:
    if _equal(first, second):
        return True
    return _moved(first, second) or _moved(second, first)


def _moved(first: Sequence[_Key], second: Sequence[_Key]) -> bool:
    """Whether a phrase at the front of one ("In 1932 the bridge opened") stands at the end of the
    other."""
    if first[0][1] not in _FRONTED:
        return False
    longest = min(_LONGEST_FRONTED, len(first) - 2)
    return any(_equal([*first[size:], *first[:size]], second) for size in range(2, longest + 1))


def _equal(first: Sequence[_Key], second: Sequence[_Key]) -> bool:
    return all(map(_inflected, first, second))


def _inflected(first: tuple[str, str], second: tuple[str, str]) -> bool:
    """Two forms of one word: "report" and "reports", but not "universe" and "university"."""
    if first[1] == second[1]:
        return first[0] == second[0]
    if first[0] != second[0] or first[0] == "#":
        return False
    shared = 0
    while shared < min(len(first[1]), len(second[1])) and first[1][shared] == second[1][shared]:
        shared += 1
    return {first[1][shared:], second[1][shared:]} <= _ENDINGS
