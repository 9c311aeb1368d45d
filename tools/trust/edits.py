"""Edits that may turn a quotation into a report sentence, and their replay.

Allowed: a leading connective or "it was found that" dropped, a leading pronoun (or "the film" in its place) or an
author's "we" replaced in [brackets], citation and figure marks removed, the first letter raised. Each edit is stored
with its place in the quote, and `replay` makes the sentence again from quote and edits: nothing else can have changed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tools.trust.antecedents import antecedent

_CONNECTIVE = re.compile(
    r"^(?:however|moreover|furthermore|in addition|additionally|therefore|thus|hence|consequently|nevertheless"
    r"|nonetheless|meanwhile|besides|also|similarly|likewise|in contrast|by contrast|on the other hand|as a result"
    r"|as a consequence|for example|for instance|in fact|indeed|of course|notably|importantly|interestingly"
    r"|surprisingly|remarkably|strikingly|unfortunately|conversely|accordingly|finally|lastly|overall|in summary"
    r"|in conclusion|in short|taken together|in particular|specifically|in other words|that said|even so|after all"
    r"|and|but|yet|so|(?:here|(?:in|through) (?:this|the present) (?:study|work|paper|report|article|review|trial))"
    r"(?=,?\s+we\s))(?:,\s*|\s+)(?=\S)",
    re.I,
)
# What is said as found is said; what is believed, suggested or reported keeps its words
_FOUND = re.compile(
    r"^it (?:is|was|has been|can be|could be) (?:also |then |thus |further |\w+ly )?"
    r"(?:shown|found|demonstrated|observed|concluded|noted|established|proved|proven)"
    r"(?: (?:here|in this (?:paper|study|work|report)|by (?:experiments?|analysis)))?,? that,?\s(?=\S)",
    re.I,
)
_BARE = re.compile(r"(?:also|finally|overall|indeed|so|yet|notably|specifically)\s", re.I)  # needs its comma
# [3], [3, 4-6], (Smith et al., 2020), (Smith and Jones 2019; Lee, 2021), (Fig. 2A), (see Table 3)
_BRACKETED = re.compile(r"\s?\[\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,9}\]")
_AUTHOR_YEAR = re.compile(
    r"\s?\((?:(?:see|e\.g\.,?)\s)?[A-Z][\w'’-]+(?:\s(?:et al\.?|and|&)(?:\s[A-Z][\w'’-]+)?)?,?\s(?:19|20)\d\d[a-z]?"
    r"(?:;\s[A-Z][\w'’-]+(?:\s(?:et al\.?|and|&)(?:\s[A-Z][\w'’-]+)?)?,?\s(?:19|20)\d\d[a-z]?){0,5}\)"
)
_FIGURE = re.compile(
    r"\s?\((?:see\s|cf\.\s)?(?:Figs?\.?|Figures?|Tables?|Box|Appendix|Section|Supplementary|Eqs?\.)\s[^()]{1,40}\)",
    re.I,
)
_AUTHORS = re.compile(r"\b(?:(?P<we>[Ww]e)|(?P<our>[Oo]ur))\s(?=[a-z])")


@dataclass(frozen=True, slots=True)
class QuoteEdit:
    """Replace quote[start:end] by `replacement`. kind: connective, pronoun, citation_mark, case."""

    start: int
    end: int
    replacement: str
    kind: str


def smooth(quote: str, text: str = "", start: int = 0) -> tuple[str, tuple[QuoteEdit, ...]]:
    """A report sentence made of a quote, with the edits that lead from one to the other (none: unchanged).

    text, start: where the quote stands, so that a leading pronoun can be replaced by what it means.
    White space is collapsed at the end of both, so it needs no edit.
    """
    begin = _after_connective(quote)
    edits = [QuoteEdit(0, begin, "", "connective")] if begin else []
    edits += _pronouns(quote, begin, text, start)
    if not any(edit.start == begin for edit in edits[bool(begin) :]) and quote[begin : begin + 1].islower() and begin:
        edits.append(QuoteEdit(begin, begin + 1, quote[begin].upper(), "case"))
    for kind in (_BRACKETED, _AUTHOR_YEAR, _FIGURE):
        edits += [QuoteEdit(m.start(), m.end(), "", "citation_mark") for m in kind.finditer(quote)]
    edits = _apart(edits)
    return replay(quote, edits), tuple(edits)


def _after_connective(quote: str) -> int:
    """Where the sentence begins behind the connectives it opens with, and behind "it was found that"."""
    at = 0
    while (match := _CONNECTIVE.match(quote[at:])) and not _BARE.fullmatch(match[0]):
        at += match.end()
    found = _FOUND.match(quote[at:])
    return at + found.end() if found else at


def _pronouns(quote: str, begin: int, text: str, start: int) -> list[QuoteEdit]:
    """The leading pronoun by its antecedent, and every "we" and "our" of the authors."""
    edits = []
    opening = quote[begin : begin + 1].upper() + quote[begin + 1 :]
    found = antecedent(text, start, opening) if text else None
    if found:
        edits.append(QuoteEdit(begin + found.start, begin + found.end, found.replacement, "pronoun"))
    for match in _AUTHORS.finditer(quote, begin):
        said = "the authors" if match["we"] else "the authors’"
        said = said.capitalize() if match.start() == begin or match[0][0].isupper() else said
        edits.append(QuoteEdit(match.start(), match.end() - 1, f"[{said}]", "pronoun"))
    return edits


def _apart(edits: Sequence[QuoteEdit]) -> list[QuoteEdit]:
    """Edits in order, without those that reach into the one before."""
    kept: list[QuoteEdit] = []
    for edit in sorted(edits, key=lambda one: (one.start, one.end)):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    return kept


def replay(quote: str, edits: Sequence[QuoteEdit]) -> str:
    """The sentence that a quote and its edits make; raises ValueError when edits overlap or lie outside."""
    pieces, at = [], 0
    for edit in edits:
        if edit.start < at or edit.end > len(quote):
            raise ValueError(f"edit {edit.start}..{edit.end} does not fit a quote of {len(quote)} characters")
        pieces += [quote[at : edit.start], edit.replacement]
        at = edit.end
    return " ".join("".join([*pieces, quote[at:]]).split())
