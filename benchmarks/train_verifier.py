"""`python -m benchmarks.train_verifier`: fit the weights of the default verifier and write tools/data/verifier.toml.

A multinomial logistic regression with an L2 penalty, by descent with a fixed bound of the Hessian (Böhning 1992), over
the features of tools/trust/comparison.py. Every pair counts alike. The training data are the sets themselves, so
every figure in the file comes from ten-fold cross-validation, grouped by claim and text, the mean of three divisions.
"""

import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.options import ROOT
from benchmarks.scores import auroc
from benchmarks.verification_data import FOLDS, NAMES, Pair, folds, read
from tools.trust.comparison import Comparison
from tools.trust.differences import differences
from tools.trust.verify import features
from tools.trust.weights import FILE, LABELS, SUPPORT, Weights

PENALTY = 3.0
SEEDS = (1, 2, 3)
VERSION = "1"
THRESHOLD = 0.6
DESCRIBED = {
    "covered": "share of the claim's words, weighed by rarity, that the best four sentences hold; part for likenesses",
    "together": "the same for the neighbouring sentences, at most three, that hold most of it",
    "leans": "nearness of agreeing polar words to the claim's words, less that of opposing ones",
    "opposes": "nearness of opposing polar words (rises / falls, effective / ineffective, no effect / reduces)",
    "same_word": "nearness of the very same polar word with the same sign",
    "names": "log(1 + names in the claim)",
    "names_missing": "log(1 + names of the claim that are nowhere in the passage)",
    "numbers_missing": "log(1 + numbers of the claim that are nowhere in the passage)",
    "no_direction": "1 when the claim says up or down and the nearest sentence says neither",
    "other_direction": "1 when the nearest sentence says the other way",
    "sentences": "log(1 + sentences of the passage)",
    "differs": "1 when a rule found a difference that forbids support",
}


def main() -> int:
    """Train on the public sets beside the checkout; exit status 2 where they are not there."""
    folder = ROOT.parent / "shared" / "bench" / "verification"
    if not folder.is_dir():
        print(f"The labelled data is not there: {folder.relative_to(ROOT.parent)}.", file=sys.stderr)
        return 2
    pairs = [pair for name in NAMES for pair in read(folder / f"{name}.jsonl")]
    rows = [features_of(pair) for pair in pairs]
    measured = figures(pairs, rows)
    text = written(fit(pairs, rows), measured, pairs)
    (ROOT / "tools" / "data" / FILE).write_text(text, "utf-8")
    print(text)
    return 0


def features_of(pair: Pair) -> dict[str, float]:
    """The features of one pair, as the verifier computes them."""
    comparison = Comparison(pair.claim, pair.passage)
    return features(comparison, differences(comparison))


def fit(pairs: Sequence[Pair], rows: Sequence[Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Label -> feature -> weight. Needs numpy."""
    import numpy as np

    names = list(DESCRIBED)
    plain = np.array([[row[name] for name in names] for row in rows])
    mean, spread = plain.mean(0), plain.std(0) + 1e-9
    x = np.c_[np.ones(len(plain)), (plain - mean) / spread]
    y = np.array([[float(pair.label == label) for label in LABELS] for pair in pairs])
    penalty = np.full(len(names) + 1, PENALTY)
    penalty[0] = 1e-3
    bound = np.linalg.inv(x.T @ x * 0.5 + np.diag(penalty))
    weights = np.zeros((len(names) + 1, len(LABELS)))
    for _ in range(400):
        z = x @ weights
        p = np.exp(z - z.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        step = bound @ (x.T @ (p - y) + penalty[:, None] * weights)
        weights -= step
        if abs(step).max() < 1e-5:
            break
    scaled = weights[1:] / spread[:, None]
    bias = weights[0] - mean @ scaled
    return {
        label: {"bias": round(float(bias[k]), 4), **{n: round(float(scaled[j, k]), 4) for j, n in enumerate(names)}}
        for k, label in enumerate(LABELS)
    }


def cross_validated(pairs: Sequence[Pair], rows: Sequence[Mapping[str, float]], seed: int) -> list[dict[str, float]]:
    """The probabilities of each pair by weights that saw neither its claim nor its text."""
    place = folds(pairs, seed)
    found: list[dict[str, float]] = [{} for _ in pairs]
    for fold in range(FOLDS):
        kept = [i for i, one in enumerate(place) if one != fold]
        weights = Weights(VERSION, fit([pairs[i] for i in kept], [rows[i] for i in kept]), {})
        for i, one in enumerate(place):
            if one == fold:
                found[i] = weights.probabilities(rows[i])
    return found


def figures(pairs: Sequence[Pair], rows: Sequence[Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Per set and together: AUROC, and precision, recall and mean score of what is admitted, cross-validated."""
    runs = [cross_validated(pairs, rows, seed) for seed in SEEDS]
    found: dict[str, dict[str, float]] = {}
    for name in (*NAMES, "both"):
        mine = [i for i, pair in enumerate(pairs) if name in (pair.dataset, "both")]
        sums = [_figures([pairs[i].label == SUPPORT for i in mine], [run[i][SUPPORT] for i in mine],
                         [not rows[i]["differs"] for i in mine]) for run in runs]  # fmt: skip
        found[name] = {key: round(sum(one[key] for one in sums) / len(sums), 3) for key in sums[0]}
    return found


def _figures(truth: list[bool], scores: list[float], clear: list[bool]) -> dict[str, float]:
    admitted = [i for i, score in enumerate(scores) if score >= THRESHOLD and clear[i]]
    right = sum(truth[i] for i in admitted)
    return {
        "auroc": auroc(truth, scores),
        "precision": right / max(1, len(admitted)),
        "recall": right / max(1, sum(truth)),
        "mean_score": sum(scores[i] for i in admitted) / max(1, len(admitted)),
    }


def written(weights: dict[str, dict[str, float]], measured: dict[str, Any], pairs: Sequence[Pair]) -> str:
    """The data file."""
    lines = [
        "# The learned part of the default verifier: multinomial logistic regression over the features below.",
        "# Written by `python -m benchmarks.train_verifier`; do not edit. The pairs it was trained on are WiCE (dev,",
        "# CC BY-SA) and SciFact (train; claims CC BY 4.0, abstracts ODC-By 1.0); none of their text is in this file.",
        f'version = "{VERSION}"',
        "",
        "[trained]",
        f'date = "{time.strftime("%Y-%m-%d")}"',
        f"data = {[f'{n}: {sum(p.dataset == n for p in pairs)} pairs' for n in NAMES]}".replace("'", '"'),
        'weighting = "every pair alike"',
        f"l2_penalty = {PENALTY}",
        f'validation = "{FOLDS} folds by claim and text, mean of {len(SEEDS)} divisions"',
        'chosen_on = "the features, the penalty and the polar words were chosen on these same sets"',
        "",
        "# Admitted: score of at least 0.6 and no difference found by rules",
    ]
    for name, values in measured.items():
        lines += [f"[measured.{name}]", *(f"{key} = {value}" for key, value in values.items()), ""]
    lines += ["[features]", *(f'{name} = "{text}"' for name, text in DESCRIBED.items()), ""]
    for label, values in weights.items():
        lines += [f"[weights.{label}]", *(f"{name} = {value}" for name, value in values.items()), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
