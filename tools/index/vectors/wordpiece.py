"""WordPiece of BERT (uncased), in plain Python: the token ids that the embedding model was trained
on.

Rules: Devlin et al. 2018 and the normaliser of the published tokenizer: control characters go,
letters are decomposed and lose their marks, lower case, Chinese characters and punctuation stand
alone, then the longest known piece first. The vocabulary is vocab.txt of all-MiniLM-L6-v2
(tools/data/vocab.LICENSE.txt).
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

CLS, SEP, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
_MAX_WORD = 100  # a longer word is unknown, as in the original
_CACHED_WORDS = 100_000
_WORD = re.compile(r"\S+")
_CHINESE = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class Token(NamedTuple):
    """A token and text[start:end] that it stands for."""

    id: int
    start: int
    end: int


class _Characters(dict[int, str]):
    """What `str.translate` does to each character; filled as characters are met."""

    def __missing__(self, code: int) -> str:
        value = _replacement(chr(code))
        self[code] = value
        return value


def _replacement(char: str) -> str:
    if char in "\t\n\r":
        return " "
    category = unicodedata.category(char)
    if category[0] == "C" or category == "Mn" or char == "\ufffd":
        return ""
    if char.isspace():
        return " "
    if category[0] == "P" or (char.isascii() and not char.isalnum()) or _is_chinese(char):
        return f" {char} "
    return char


def _is_chinese(char: str) -> bool:
    return any(low <= ord(char) <= high for low, high in _CHINESE)


class WordPiece:
    """The tokenizer. Safe for threads (its caches only ever gain the same values)."""

    def __init__(self, vocabulary: Sequence[str] | None = None) -> None:
        pieces = vocabulary if vocabulary is not None else read_vocabulary()
        self._ids, self._lengths = _index_pieces(tuple(pieces))
        self.cls, self.sep, self._unknown = (self._ids[name] for name in (CLS, SEP, UNKNOWN))
        self._characters = _Characters()
        self._words: dict[str, tuple[int, ...]] = {}

    def encode(self, text: str, limit: int = 256) -> list[int]:
        """Token ids with [CLS] and [SEP], at most `limit` of them; the rest of the text is not
        looked at."""
        ids = [self.cls]
        # No token is shorter than a character; a generous head of the text holds all that can fit.
        for word in self.split(text[: limit * 40]):
            ids.extend(self._pieces(word))
            if len(ids) >= limit:
                break
        return [*ids[: limit - 1], self.sep]

    def tokens(self, text: str) -> list[Token]:
        """All tokens of a text, without [CLS] and [SEP], and the piece of the text that each stands
        for."""
        characters, origins = self._normal_form(text)
        pieces = []
        for match in _WORD.finditer(characters):
            ids, at = self._pieces(match.group()), match.start()
            for number in ids:
                end = at + self._lengths[number] if number != self._unknown else match.end()
                pieces.append(Token(number, origins[at], _with_marks(text, origins[end - 1] + 1)))
                at = end
        return pieces

    def _normal_form(self, text: str) -> tuple[str, list[int]]:
        """What `split` splits, with the place in the text that each of its characters comes
        from."""
        replaced = []
        origins: list[int] = []
        for place, char in enumerate(text):
            plain = char if char.isascii() else unicodedata.normalize("NFD", char)
            piece = plain.translate(self._characters)
            replaced.append(piece)
            origins.extend([place] * len(piece))
        return "".join(replaced).lower(), origins

    def split(self, text: str) -> list[str]:
        """Words and punctuation marks in the normal form of the model."""
        if not text.isascii():
            text = unicodedata.normalize("NFD", text)
        return text.translate(self._characters).lower().split()

    def _pieces(self, word: str) -> tuple[int, ...]:
        pieces = self._words.get(word)
        if pieces is None:
            pieces = self._cut(word)
            if len(self._words) >= _CACHED_WORDS:
                self._words.clear()
            self._words[word] = pieces
        return pieces

    def _cut(self, word: str) -> tuple[int, ...]:
        if len(word) > _MAX_WORD:
            return (self._unknown,)
        ids: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(len(word), start, -1):
                piece = self._ids.get(mark + word[start:end])
                if piece is not None:
                    break
            else:
                return (self._unknown,)
            ids.append(piece)
            start = end
        return tuple(ids)


def _with_marks(text: str, end: int) -> int:
    """Where the accents that stand behind text[:end] as characters of their own end."""
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1
    return end


def read_vocabulary(path: Path | None = None) -> Sequence[str]:
    """The pieces of a vocab.txt (ours, or that of a model of the user's) in the order of their
    ids."""
    vocabulary = path or files("tools.data").joinpath("vocab.txt")
    return tuple(vocabulary.read_text(encoding="utf-8").rstrip("\n").split("\n"))


@lru_cache(maxsize=2)
def _index_pieces(pieces: tuple[str, ...]) -> tuple[Mapping[str, int], Sequence[int]]:
    """The id of each piece, and the length of each without its mark; the three models of a process
    mostly share them, a few megabytes each."""
    ids = {piece: number for number, piece in enumerate(pieces)}
    return ids, tuple(len(piece.removeprefix("##")) for piece in pieces)
