"""Edits that may turn a quotation into a report sentence, and their replay.

Allowed: a leading connective dropped, citation marks removed, the first letter raised. Each edit is stored with its
place in the quote, and `replay` makes the sentence again from quote and edits: nothing else can have changed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_CONNECTIVE = re.compile(
    r"^(?:however|moreover|furthermore|in addition|additionally|therefore|thus|hence|consequently|nevertheless"
    r"|nonetheless|meanwhile|besides|also|similarly|likewise|in contrast|by contrast|on the other hand|as a result"
    r"|for example|for instance|in fact|indeed|of course|and|but|yet|so),?\s+(?=\S)",
    re.I,
)
# [3], [3, 4-6], (Smith et al., 2020), (Smith and Jones 2019; Lee, 2021)
_BRACKETED = re.compile(r"\s?\[\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,9}\]")
_AUTHOR_YEAR = re.compile(
    r"\s?\((?:(?:see|e\.g\.,?)\s)?[A-Z][\w'’-]+(?:\s(?:et al\.?|and|&)(?:\s[A-Z][\w'’-]+)?)?,?\s(?:19|20)\d\d[a-z]?"
    r"(?:;\s[A-Z][\w'’-]+(?:\s(?:et al\.?|and|&)(?:\s[A-Z][\w'’-]+)?)?,?\s(?:19|20)\d\d[a-z]?){0,5}\)"
)


@dataclass(frozen=True, slots=True)
class QuoteEdit:
    """Replace quote[start:end] by `replacement`. kind: connective, citation_mark, case."""

    start: int
    end: int
    replacement: str
    kind: str


def smooth(quote: str) -> tuple[str, tuple[QuoteEdit, ...]]:
    """A report sentence made of a quote, with the edits that lead from one to the other (none: unchanged).

    White space is collapsed at the end of both, so it needs no edit.
    """
    edits: list[QuoteEdit] = []
    connective = _CONNECTIVE.match(quote)
    if connective:
        end = connective.end()
        edits.append(QuoteEdit(0, end, "", "connective"))
        if quote[end].islower():
            edits.append(QuoteEdit(end, end + 1, quote[end].upper(), "case"))
    for kind in (_BRACKETED, _AUTHOR_YEAR):
        edits += [QuoteEdit(m.start(), m.end(), "", "citation_mark") for m in kind.finditer(quote)]
    edits.sort(key=lambda edit: (edit.start, edit.end))
    return replay(quote, edits), tuple(edits)


def replay(quote: str, edits: Sequence[QuoteEdit]) -> str:
    """The sentence that a quote and its edits make; raises ValueError when edits overlap or lie outside."""
    pieces, at = [], 0
    for edit in edits:
        if edit.start < at or edit.end > len(quote):
            raise ValueError(f"edit {edit.start}..{edit.end} does not fit a quote of {len(quote)} characters")
        pieces += [quote[at : edit.start], edit.replacement]
        at = edit.end
    return " ".join("".join([*pieces, quote[at:]]).split())
