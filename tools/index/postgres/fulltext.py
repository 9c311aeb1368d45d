"""From texts and queries to PostgreSQL's full-text types, by the same words as everything else
(tools/text/tokens.py).

A lexeme is a word behind a letter that says its kind. The server's own parsers and dictionaries are
not used: they differ between servers, and a query must mean what it means in SQLite.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from tools.index.index import EXACT, PAIRS, STEM, NewChunk
from tools.search.query import Lookup
from tools.text.tokens import stem, words

KINDS = {STEM: "s", EXACT: "x", PAIRS: "p"}
# What a word in the heading counts more than one in the body; as in tools/index/store.py
HEADING = 3.0
_HEADING_WORDS = 200
_MOST = 16_000  # places of a tsvector end at 16 383
_PLACES = 255  # of one lexeme


@dataclass(frozen=True, slots=True)
class Indexed:
    """A chunk as PostgreSQL takes it: the text of its tsvector; how many words and how many pairs
    it has."""

    text: str
    words: int
    pairs: int


def vector(row: NewChunk) -> Indexed:
    """What is indexed of a chunk."""
    heading, body = words(row.title)[:_HEADING_WORDS], words(row.body)
    pairs = row.pairs.split() if row.pairs else []
    places: dict[str, list[str]] = {}
    # A gap after the heading, so that no phrase reaches from it into the body
    for stretch, first, weight in ((heading, 1, "A"), (body, len(heading) + 2, "")):
        for at, word in enumerate(stretch[:_MOST], start=first):
            places.setdefault(KINDS[EXACT] + word, []).append(f"{at}{weight}")
            places.setdefault(KINDS[STEM] + stem(word), []).append(f"{at}{weight}")
    for at, pair in enumerate(pairs[:_MOST], start=1):
        places.setdefault(KINDS[PAIRS] + pair, []).append(str(at))
    text = " ".join(f"{quoted(lexeme)}:{','.join(at[:_PLACES])}" for lexeme, at in places.items())
    return Indexed(text, len(heading) + len(body), len(pairs))


def expression(index: str, query: Lookup) -> str:
    """A query as a tsquery; empty without words."""
    matching = _any(index, query.words)
    if not query.headed or not matching:
        return matching
    in_heading, beside = _any(index, query.words, ":A"), _any(index, query.beside)
    return f"{in_heading} | ({matching}) & ({beside})" if beside else in_heading


def lexemes(index: str, texts: Iterable[str]) -> list[str]:
    """Every lexeme of some words and phrases, once."""
    return list(dict.fromkeys(lexeme for text in texts for lexeme in _lexemes(index, text)))


def numbers(values: Iterable[float]) -> str:
    """A vector as text."""
    return "[" + ",".join(f"{value:.5g}" for value in values) + "]"


def quoted(lexeme: str) -> str:
    """A lexeme as tsvector and tsquery write it."""
    return literal(lexeme.replace("\\", "\\\\"))


def literal(text: str) -> str:
    """A text as SQL writes it (standard_conforming_strings)."""
    return "'" + text.replace("'", "''") + "'"


def _any(index: str, texts: Iterable[str], mark: str = "") -> str:
    phrases = (
        " <-> ".join(quoted(lexeme) + mark for lexeme in _lexemes(index, text)) for text in texts
    )
    return " | ".join(f"({phrase})" for phrase in dict.fromkeys(phrases) if phrase)


def _lexemes(index: str, text: str) -> list[str]:
    tokens = text.split() if index == PAIRS else words(text)
    return [KINDS[index] + (stem(word) if index == STEM else word) for word in tokens]
