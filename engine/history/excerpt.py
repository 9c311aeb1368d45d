"""Marking matches in the texts of a list: the question, and the best stretch of the report.

FTS5 can do this too, but takes milliseconds for each row where a term is common; here only the
shown rows are read.
"""

import re
from dataclasses import dataclass

from tools.text.tokens import fold, stem

OPEN, CLOSE = "\x02", "\x03"
LENGTH = 220  # characters of an excerpt
READ = 20_000  # characters of a text that are looked at
BEFORE = 60  # characters shown before the first match


@dataclass(frozen=True, slots=True)
class Match:
    """A matching word: where it stands and which term it matches."""

    start: int
    end: int
    term: int


class Marker:
    """Finds the words that match quoted terms of `query.terms`: by stem, the last one also as a
    beginning."""

    def __init__(self, terms: list[str]) -> None:
        self._terms = [(term.rstrip("*").strip('"'), term.endswith("*")) for term in terms]
        self._stems = {stem(word): number for number, (word, _) in enumerate(self._terms)}
        # A stem shares its first letters with every form of the word, so only such words are
        # stemmed
        starts = sorted(
            {re.escape(word[: max(1, min(4, len(word) - 2))]) for word, _ in self._terms}
        )
        self._likely = re.compile(rf"(?<![^\W_])(?:{'|'.join(starts)})[^\W_]*")
        pairs = [
            re.escape(word) for word, _ in self._terms if not word.isascii() and len(word) <= 2
        ]
        self._pairs = re.compile("|".join(pairs)) if pairs else None

    def mark(self, text: str) -> str:
        """The text with its matches between OPEN and CLOSE."""
        return _wrapped(text, self.find(text))

    def excerpt(self, text: str) -> str | None:
        """The stretch of a text with the most different matches, marked; None when nothing
        matches."""
        matches = self.find(text[:READ])
        if not matches:
            return None
        best = max(matches, key=lambda first: (_different(matches, first), -first.start))
        start = _word_start(text, max(0, best.start - BEFORE))
        end = _word_end(text, min(len(text), max(start + LENGTH, best.end)))
        inside = [
            Match(m.start - start, m.end - start, m.term)
            for m in matches
            if m.start >= start and m.end <= end
        ]
        cut = _wrapped(text[start:end], inside)
        return " ".join(f"{'… ' if start else ''}{cut}{' …' if end < len(text) else ''}".split())

    def find(self, text: str) -> list[Match]:
        """All matches in order."""
        folded = same_length_fold(text)
        matches = [
            Match(word.start(), word.end(), term)
            for word in self._likely.finditer(folded)
            if (term := self._term(word.group())) is not None
        ]
        if self._pairs and not matches:
            numbers = {word: number for number, (word, _) in enumerate(self._terms)}
            matches = [
                Match(m.start(), m.end(), numbers[m.group()]) for m in self._pairs.finditer(folded)
            ]
        return matches

    def _term(self, word: str) -> int | None:
        matched = self._stems.get(stem(word))
        if matched is None:
            for number, (term, is_beginning) in enumerate(self._terms):
                if is_beginning and word.startswith(term):
                    return number
        return matched


def same_length_fold(text: str) -> str:
    """Lower case without diacritics, character for character, so that offsets stay."""
    if text.isascii():
        return text.lower()
    return "".join(c.lower() if c.isascii() else (fold(c) or " ")[0] for c in text)


def _different(matches: list[Match], first: Match) -> int:
    """How many different terms match in the stretch that begins with a match."""
    return len(
        {
            match.term
            for match in matches
            if first.start <= match.start < first.start + LENGTH - BEFORE
        }
    )


def _wrapped(text: str, matches: list[Match]) -> str:
    parts, at = [], 0
    for match in matches:
        parts += [text[at : match.start], OPEN, text[match.start : match.end], CLOSE]
        at = match.end
    return "".join((*parts, text[at:]))


def _word_start(text: str, at: int) -> int:
    """The beginning of the next word, so that none is cut."""
    if at == 0:
        return 0
    space = re.compile(r"\s").search(text, at - 1, at + 30)
    return space.end() if space else at


def _word_end(text: str, at: int) -> int:
    if at >= len(text):
        return len(text)
    space = max(text.rfind(" ", at - 30, at + 1), text.rfind("\n", at - 30, at + 1))
    return space if space > 0 else at
