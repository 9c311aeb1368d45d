"""Lines of one paragraph as one line: words cut by a hyphen at the end of a line are put
together."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# Soft hyphen; what pdfium writes for a hyphen at a line's end
_BREAK_HYPHENS = "\u00ad\ufffe\u0002"
_COMPOUND = re.compile(r"(?<![^\W\d_])[^\W\d_]++-[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+")
_MARKED = re.compile(r"(-?)(?:(?<![^\W\d_])([^\W\d_]++))?[\ufffe\u0002]([^\W\d_]*)")
_HEAD = re.compile(r"(-?)(?<![^\W\d_])([^\W\d_]++)[-\u2010]$")
_ADDRESS = re.compile(r"(?:https?://|www\.|doi\.org/)\S*[/._=&?#~-]$", re.I)
_ADDRESS_GOES_ON = re.compile(r"[a-z0-9_/?&=%#~-]|[A-Z]+[\d./]")
_TAIL_OF_LINE = 200  # characters that are looked at for a word or an address


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of a document by which torn ones are mended: those written with a hyphen and their
    parts, all words."""

    compounds: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset()
    tails: frozenset[str] = frozenset()

    @classmethod
    def of(cls, lines: Iterable[str]) -> "Vocabulary":
        """Words that stand whole on a line, lower case."""
        compounds: set[str] = set()
        words: set[str] = set()
        for line in lines:
            lowered = line.lower()
            words.update(_WORD.findall(lowered))
            if "-" in lowered:
                compounds.update(_COMPOUND.findall(lowered))
        heads = frozenset(compound.partition("-")[0] for compound in compounds)
        tails = frozenset(compound.partition("-")[2] for compound in compounds)
        return cls(frozenset(compounds), frozenset(words), heads, tails)

    def mended(self, head: str, tail: str, after_hyphen: bool = False) -> str:
        """A word that was cut behind `head`: with its hyphen when the document writes it so, or as
        two words."""
        whole, first, second = (head + tail).lower(), head.lower(), tail.lower()
        if f"{first}-{second}" in self.compounds or after_hyphen:
            return f"{head}-{tail}"
        if whole in self.words or first not in self.words or second not in self.words:
            return head + tail
        # Two words that the document also joins with others: open-source beside open-access
        joined = first in self.heads or second in self.tails
        return f"{head}-{tail}" if joined else head + tail


def join_lines(lines: Sequence[str], vocabulary: Vocabulary | None = None) -> str:
    """The lines of one paragraph as one line.

    Lines are joined by one space; a word cut by a hyphen at a line's end is put together, unless
    the text also writes it with a hyphen or the next line does not begin with a small letter. Soft
    hyphens and pdfium's line-end marks (U+FFFE, U+0002) are removed. Web addresses go on in the
    next line.
    """
    words = vocabulary or Vocabulary()
    result: list[str] = []
    for raw in lines:
        line = " ".join(raw.split())
        if line:
            _append(result, line, words)
    joined = "".join(result)
    if any(mark in joined for mark in _BREAK_HYPHENS):
        joined = _MARKED.sub(lambda match: _unmarked(match, words), joined)
        joined = joined.translate(dict.fromkeys(map(ord, _BREAK_HYPHENS)))
    return joined


def _append(joined: list[str], line: str, vocabulary: Vocabulary) -> None:
    """Puts a line behind the others, with what belongs between them."""
    if not joined:
        joined.append(line)
        return
    last = joined[-1]
    if last[-1] in _BREAK_HYPHENS:
        joined.append(line)
    elif (
        last[-1] in "-\u2010"
        and (tail := _WORD.match(line))
        and (head := _HEAD.search(last[-_TAIL_OF_LINE:]))
    ):
        if line[0].islower():
            mended = vocabulary.mended(head.group(2), tail.group(), bool(head.group(1)))
            joined[-1] = last[: len(last) - len(head.group(2)) - 1] + mended
            line = line[tail.end() :]
        if line:
            joined.append(line)
    else:
        joined.append(line if _is_cut_address(last, line) else f" {line}")


def _is_cut_address(last: str, line: str) -> bool:
    """Whether a line ends in a web address that goes on in the next one."""
    if last[-1] not in "/._=&?#~-":
        return False
    return bool(_ADDRESS.search(last[-_TAIL_OF_LINE:]) and _ADDRESS_GOES_ON.match(line))


def _unmarked(match: re.Match[str], vocabulary: Vocabulary) -> str:
    """A word that pdfium marked as cut."""
    hyphen, head, tail = match.groups("")
    return hyphen + vocabulary.mended(head, tail, bool(hyphen)) if head else hyphen + tail
