"""What a reader is: it tells how well each passage answers a question, and which words of it do."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

# Candidates, best first by the features, that are looked at closely, by a model where there is one;
# passages are chosen from them. Chosen on 180 questions about nine collections and 158 of
# bench/answers: the first three passages answer 139 and 127; where a model reads eight 131 and 125,
# and with 14 no more.
READ = 12
# As many more are read where a model finds none of these likelier than not to answer: of 160 hard
# questions about eight collections one of three passages then answers 101 (98) and 8 are refused
# (11); of bench/answers none changes.
MOST_READ = 2 * READ
# The log odds below which a passage may not answer: it is less likely than not. Of 240 questions
# about four folders all passages of 29 are such: of 8 whose passages do answer, of 6 whose do not
# although a text would, and of 15 of the 43 that no text answers, beside the 18 that are refused.
EVEN_ODDS = 0.0
_UNLIKELY = 1e-9  # added to a probability, so that it has a logarithm


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage to be read. heading: title and headings above it, with the lead-in or header row it
    needs.

    retrieval: its score in the search that brought it, 0..1. start: where it begins in its
    document, in characters.
    """

    text: str
    heading: str = ""
    retrieval: float = 0.0
    start: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """score: how likely it is that the passage answers the question, 0..1; calibrated where the
    reader says so.

    by_model: what a model that read the passage adds to its place in the order; 0 for all where
    none did. begins: how likely the answer begins with each of its words, as (start, end,
    probability), which counts begins_weight there and lead_weight for the choice of the lead.
    log_odds: that the passage answers; None where no model read any. span: the words of the passage
    that answer (start, end), with how likely they are right; None when the reader cannot tell.
    """

    score: float
    by_model: float = 0.0
    begins: Sequence[tuple[int, int, float]] = ()
    begins_weight: float = 0.0
    lead_weight: float = 0.0
    log_odds: float | None = None
    span: tuple[int, int] | None = None
    span_score: float = 0.0

    def with_lead(self, start: int, end: int) -> float:
        """What the model adds to the place of the passage where passage[start:end] leads."""
        if not self.begins:
            return self.by_model
        return self.by_model + self.begins_weight * math.log(
            self.begins_within(start, end) + _UNLIKELY
        )

    def begins_within(self, start: int, end: int) -> float:
        """How likely it is that the answer begins in passage[start:end]; 0 where no model read the
        passage."""
        return sum(share for first, _, share in self.begins if start <= first < end)


class Reader(Protocol):
    """Safe to use from several threads."""

    def read(
        self, question: str, candidates: Sequence[Candidate], *, units: bool = False
    ) -> list[Reading]:
        """One reading for each candidate, in their order. Raises ModelError when its model fails.

        units: whether the candidates are the sentences, items and rows of one passage, not
        passages.
        """


def logistic(log_odds: float) -> float:
    """The probability of these odds."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds))))
