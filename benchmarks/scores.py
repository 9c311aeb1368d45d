"""Figures of classifiers: AUROC, balanced accuracy, macro-F1, calibration, intervals by bootstrap.
Plain Python."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

RESAMPLES = 400
SEED = 7


def auroc(truth: Sequence[bool], scores: Sequence[float]) -> float:
    """Chance that a true one scores above a false one; ties count half (Mann-Whitney)."""
    ordered = sorted(range(len(scores)), key=lambda i: scores[i])
    rank_sum, at = 0.0, 0
    while at < len(ordered):
        last = at
        while last + 1 < len(ordered) and scores[ordered[last + 1]] == scores[ordered[at]]:
            last += 1
        rank_sum += sum(truth[i] for i in ordered[at : last + 1]) * ((at + last) / 2 + 1)
        at = last + 1
    positives = sum(truth)
    negatives = len(truth) - positives
    return (
        (rank_sum - positives * (positives + 1) / 2) / (positives * negatives)
        if positives and negatives
        else 0.5
    )


def balanced_accuracy(truth: Sequence[bool], predicted: Sequence[bool]) -> float:
    """Mean of the shares of true ones and of false ones that were called right."""
    yes = [b for a, b in zip(truth, predicted, strict=True) if a]
    no = [not b for a, b in zip(truth, predicted, strict=True) if not a]
    return (sum(yes) / max(1, len(yes)) + sum(no) / max(1, len(no))) / 2


def macro_f1(truth: Sequence[str], predicted: Sequence[str], labels: Sequence[str]) -> float:
    """Mean F1 of the labels."""
    return sum(f1(truth, predicted, label) for label in labels) / len(labels)


def f1(truth: Sequence[str], predicted: Sequence[str], label: str) -> float:
    """Harmonic mean of precision and recall of one label."""
    both = sum(a == b == label for a, b in zip(truth, predicted, strict=True))
    return 2 * both / max(1, sum(a == label for a in truth) + sum(b == label for b in predicted))


@dataclass(frozen=True, slots=True)
class Bin:
    """Scores from low up to high: how many there are, their mean, and the share that is true."""

    low: float
    high: float
    count: int
    mean: float
    share: float


def reliability(
    truth: Sequence[bool], scores: Sequence[float], edges: Sequence[float]
) -> list[Bin]:
    """The reliability table over the given edges; empty bins are left out."""
    bins = []
    for low, high in pairwise(edges):
        inside = [(a, s) for a, s in zip(truth, scores, strict=True) if low <= s < high]
        if inside:
            mean = sum(s for _, s in inside) / len(inside)
            bins.append(Bin(low, high, len(inside), mean, sum(a for a, _ in inside) / len(inside)))
    return bins


def interval(groups: Sequence[object], figure: Callable[[list[int]], float]) -> tuple[float, float]:
    """95% interval of a figure of row numbers, by resampling whole groups of rows."""
    members: dict[object, list[int]] = {}
    for number, group in enumerate(groups):
        members.setdefault(group, []).append(number)
    listed = list(members.values())
    chance = random.Random(SEED)
    estimates = sorted(
        figure([row for _ in listed for row in chance.choice(listed)]) for _ in range(RESAMPLES)
    )
    return estimates[int(0.025 * RESAMPLES)], estimates[int(0.975 * RESAMPLES) - 1]


def wilson(right: int, of: int) -> tuple[float, float]:
    """95% interval of a share (Wilson 1927): also of a share of one, which no resampling widens."""
    if not of:
        return 0.0, 1.0
    z = 1.96
    share, room = right / of, z * z / of
    middle, width = share + room / 2, z * ((share * (1 - share) + room / 4) / of) ** 0.5
    return max(0.0, (middle - width) / (1 + room)), min(1.0, (middle + width) / (1 + room))
