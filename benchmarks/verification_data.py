"""Labelled claims with their evidence: reading the two formats, one row per pair of claim and text, groups, folds.

wice_dev: {claim, evidence[], label, support_sets[][]}; scifact_train: {claim, evidence[], label, support[]}. Rows that
differ only in the rationale they name are one pair. Pairs that share a claim or a text are one group, so that no claim
and no text is on both sides of a fold.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.trust.weights import CONTRADICT, NEITHER, SUPPORT

NAMES = ("wice_dev", "scifact_train")
FOLDS = 10
_LABELS = {
    "supported": SUPPORT, "partially_supported": NEITHER, "not_supported": NEITHER,
    "SUPPORT": SUPPORT, "CONTRADICT": CONTRADICT, "NOT_ENOUGH_INFO": NEITHER,
}  # fmt: skip


@dataclass
class Pair:
    """A claim and the sentences it is judged by. gold: numbers of sentences that were marked as deciding."""

    dataset: str
    claim: str
    evidence: tuple[str, ...]
    label: str
    gold: frozenset[int] = frozenset()
    group: int = 0
    offsets: tuple[int, ...] = field(default=(), repr=False)

    @property
    def passage(self) -> str:
        """The evidence as one text, a blank line between sentences as they were given."""
        return "\n\n".join(self.evidence)


def read(path: Path) -> list[Pair]:
    """The pairs of one file. Raises ValueError for an unknown label, with the line."""
    found: dict[tuple[str, tuple[str, ...]], Pair] = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        row = json.loads(line)
        if row["label"] not in _LABELS:
            raise ValueError(f"{path.name}, line {number}: the label {row['label']!r} is none of {', '.join(_LABELS)}.")
        key = (row["claim"], tuple(row["evidence"]))
        pair = found.setdefault(key, Pair(path.stem, *key, label=_LABELS[row["label"]], offsets=_offsets(key[1])))
        pair.gold |= _gold(row)
    return grouped(list(found.values()))


def _gold(row: dict[str, Any]) -> frozenset[int]:
    sets = row.get("support_sets") or [row.get("support") or []]
    return frozenset(number for one in sets for number in one)


def _offsets(evidence: Sequence[str]) -> tuple[int, ...]:
    starts, at = [], 0
    for sentence in evidence:
        starts.append(at)
        at += len(sentence) + 2
    return tuple(starts)


def grouped(pairs: list[Pair]) -> list[Pair]:
    """The pairs with their group numbers: those that share a claim or a text, directly or through others."""
    leader = list(range(len(pairs)))

    def find(one: int) -> int:
        while leader[one] != one:
            one = leader[one]
        return one

    first: dict[object, int] = {}
    for number, pair in enumerate(pairs):
        for key in (pair.claim, pair.evidence):
            other = first.setdefault(key, number)
            leader[find(number)] = find(other)
    for number, pair in enumerate(pairs):
        pair.group = find(number)
    return pairs


def folds(pairs: Sequence[Pair], seed: int, count: int = FOLDS) -> list[int]:
    """The fold of every pair; groups stay together, and each set is spread over all folds."""
    groups = sorted({(pair.dataset, pair.group) for pair in pairs})
    random.Random(seed).shuffle(groups)
    place = {group: number % count for number, group in enumerate(groups)}
    return [place[(pair.dataset, pair.group)] for pair in pairs]
