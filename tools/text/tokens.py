"""Words: splitting, folding, stop words, stems. Used by retrieval, ranking and verification
alike."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import filterfalse
from typing import Any

# A word: a number with its decimal marks, or a run of letters and digits. A run of a script without
# spaces becomes its pairs of characters (`bigrams`).
_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+")
_DECIMAL = re.compile(r"\d[.,]\d")
_ASCII_WORD = re.compile(r"\d+(?:[.,]\d+)+|[a-z0-9]+")
# Between the words of ASCII text without such numbers, which is quicker than a pattern
_SPACES = {code: " " for code in range(128) if not chr(code).isalnum()}
UNSPACED = "぀-ヿ㐀-䶿一-鿿가-힯฀-๿"  # the characters of those scripts, as a class of a pattern
# All of them and others, but no letter or quotation mark of Europe
_NEAR_UNSPACED = r"[^\x00-\u0dff\u2000-\u2fff]"
# A name of one letter, and an option of a command: "vitamin D", "curl -k"
_LETTER = re.compile(
    r"(?<![\w.'’&-])[B-HJ-Z](?![\w.'’&-])|(?:(?<=[^\w-]-)|(?<=^-))[A-Za-z](?![\w-])"
)
_SHORT_PLURAL = re.compile(r"[^aeiouy]+[aeiou]?(?<!s)s")
_REMEMBERED = 65536  # words with their stems

STOP = frozenset(
    """a about above after again against all almost also although always am among an and another
    any anybody anyone anything are around as at away be became because become been before being
    below between both but by came can cannot could did do does doing done down during each
    either else ever every everybody everyone everything few for from further gave get gets give
    given go goes going got had has have having he her here hers herself him himself his how
    however i if in into is it its itself just kind know let like made make makes many may me
    might more most much must my myself near nearly neither no nor not now of off often on once
    one only onto or other others our ours ourselves out over own per perhaps put quite rather
    really s same say says seem several shall she should since so some somebody someone
    something somewhere such t take tell than that the their theirs them themselves then there
    these they thing things this those though through thus till to together too toward under
    until up upon us use used using very via was way we well were what whatever when where
    whether which while who whom whose why will with within without would yes yet you your yours
    yourself explain describe tell show find name called me please""".split()
)


def fold(text: str) -> str:
    """Lower case without diacritics."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    if not any(map(unicodedata.combining, set(decomposed))):
        return decomposed
    return "".join(filterfalse(unicodedata.combining, decomposed))


def words(text: str) -> list[str]:
    """Folded words in order, without the s of a genitive; scripts without spaces as overlapping
    character pairs."""
    folded = fold(text)
    if folded.isascii():
        if _DECIMAL.search(folded):
            tokens = _ASCII_WORD.findall(folded)
        else:
            tokens = folded.translate(_SPACES).split()
    else:
        tokens = _WORD.findall(folded)
        if _has_unspaced(folded):
            tokens = [
                part
                for word in tokens
                for part in (bigrams(word) if _unspaced().search(word) else (word,))
            ]
    return [word for word in tokens if word != "s"] if "s" in tokens else tokens


def is_word(word: str, text: str) -> bool:
    """Whether a folded word of a text is long enough to say something; a single letter is as a name
    ("vitamin D") or an option ("curl -k")."""
    return len(word) > 1 or word.isdigit() or word in map(str.lower, _LETTER.findall(text))


def bigrams(run: str) -> list[str]:
    """Overlapping pairs of a run of characters; a single character is itself."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


@lru_cache(maxsize=_REMEMBERED)
def stem(word: str) -> str:
    """English Snowball stem of a folded word; words with digits unchanged.

    Of an abbreviation too ("SLOs", "VMs") the s goes, as the full-text index has it; Snowball asks
    for a vowel before.
    """
    if not word.isalpha() or not word.isascii():
        return word
    is_plural = word not in STOP and _SHORT_PLURAL.fullmatch(word)
    return word[:-1] if is_plural else str(_stemmer().stemWord(word))


def stems(text: str) -> list[str]:
    """Stems of the content words, in order."""
    return content_stems(words(text))


def content_stems(tokens: Iterable[str]) -> list[str]:
    """Stems of the folded words that are no stop words, in order."""
    return list(filter(None, map(_STEMS.__getitem__, tokens)))


class _Stems(dict[str, str]):
    """Word -> its stem, "" for a stop word. One look-up a word: a search reads tens of thousands of
    words."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _REMEMBERED:
            self.clear()
        value = self[word] = "" if word in STOP else stem(word)
        return value


_STEMS = _Stems()


def shingles(tokens: Iterable[str], size: int = 4) -> frozenset[tuple[str, ...]]:
    """Overlapping runs of `size` tokens; a shorter text is one shingle."""
    listed = tuple(tokens)
    if len(listed) <= size:
        return frozenset((listed,)) if listed else frozenset()
    return frozenset(listed[i : i + size] for i in range(len(listed) - size + 1))


def _has_unspaced(text: str) -> bool:
    """Whether a text holds a character of a script without spaces."""
    return bool(re.search(_NEAR_UNSPACED, text) and _unspaced().search(text))


@lru_cache(maxsize=1)
def _unspaced() -> re.Pattern[str]:
    """Compiled with the first text that may need it, which takes about 10 ms."""
    return re.compile(rf"[{UNSPACED}]")


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")
