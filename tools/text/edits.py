"""Edits that turn a quotation into a sentence of an older record: each with its place, so that it
can be replayed."""

from collections.abc import Sequence
from typing import Protocol


class QuoteEdit(Protocol):
    """Replace quote[start:end] by `replacement`."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def replacement(self) -> str: ...


def replay(quote: str, edits: Sequence[QuoteEdit]) -> str:
    """The sentence that a quote and its edits make; raises ValueError when edits overlap or lie
    outside."""
    pieces, at = [], 0
    for edit in edits:
        if edit.start < at or edit.end > len(quote):
            raise ValueError(
                f"edit {edit.start}..{edit.end} does not fit a quote of {len(quote)} characters"
            )
        pieces += [quote[at : edit.start], edit.replacement]
        at = edit.end
    return " ".join("".join([*pieces, quote[at:]]).split())
