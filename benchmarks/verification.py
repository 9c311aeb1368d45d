"""Does the verifier tell what a text supports? AUROC, balanced accuracy, macro-F1, admission, calibration, spans, time.

The default verifier was trained on the two public sets, so on them its probabilities come from cross-validation
(benchmarks/train_verifier.py) with the rules as they are. On other data (`--data FILE`) and for another verifier
(`--verifier onnx:PATH`) every pair is judged as it is in a research. Token overlap is measured beside it.
"""

import bisect
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import agreement, train_verifier
from benchmarks.options import Options, Row, at_most, shown
from benchmarks.reference import scaled, slowness
from benchmarks.scores import auroc, balanced_accuracy, f1, interval, macro_f1, reliability
from benchmarks.verification_data import NAMES, Pair, folds, read
from tools.errors import ModelError
from tools.trust.comparison import Comparison
from tools.trust.differences import differences
from tools.trust.verifiers import find
from tools.trust.verify import Judgement, RuleVerifier, features, label_of
from tools.trust.weights import LABELS, SUPPORT

MS = 5.0
CALIBRATED = 0.05
SPAN = (0.93, 0.97)
# set: (floor, aim) of AUROC, of balanced accuracy, of macro-F1 over the three labels
BARS = {
    "wice_dev": ((0.755, 0.78), (0.68, 0.71), None),
    "scifact_train": ((0.76, 0.79), (0.69, 0.72), (0.53, 0.60)),
}
EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.01)


@dataclass(frozen=True)
class Judged:
    """What was said of each pair: score, label, supported or not, whether admitted, numbers of the best sentences."""

    scores: list[float]
    labels: list[str]
    said: list[bool]
    admitted: list[bool]
    ranked: list[list[int]]
    seconds: list[float]


def run(options: Options) -> list[Row]:
    """Rows for the two public sets, or for `options.data`."""
    files = [options.data] if options.data else _files(options)
    pairs = [pair for path in files for pair in read(path)]
    if not pairs:
        return [shown("no labelled data (../shared/bench/verification, or --data FILE)", None)]
    RuleVerifier().judge("A first claim.", "A first passage.")  # reads its data files
    slow = slowness()
    ours = options.data is None and options.verifier in (None, "rules")
    judged, how = (
        (_cross_validated(pairs), "cross-validated") if ours else (_asked(pairs, options.verifier), "as asked")
    )
    rows = [shown("verifier", f"{options.verifier or 'rules'}, {how}")]
    for name in dict.fromkeys(pair.dataset for pair in pairs):
        rows += _of_set(name, pairs, judged, slow)
    rows += _calibration("all sets", pairs, judged, range(len(pairs)))
    return rows + agreement.rows(options, slow) if ours else rows


def _files(options: Options) -> list[Path]:
    folder = (options.shared or Path("shared")) / "bench" / "verification"
    return [path for name in NAMES if (path := folder / f"{name}.jsonl").is_file()]


def _cross_validated(pairs: Sequence[Pair]) -> Judged:
    """The default verifier with weights that saw neither claim nor text; the mean probability of three divisions."""
    verifier = RuleVerifier()
    rows, found, seconds, ranked = [], [], [], []
    for pair in pairs:
        began = time.process_time()
        judgement = verifier.judge(pair.claim, pair.passage)
        seconds.append(time.process_time() - began)
        comparison = Comparison(pair.claim, pair.passage)
        unlike = differences(comparison)
        rows.append(features(comparison, unlike))
        found.append((unlike, judgement.contradiction))
        ranked.append(_sentences(pair, comparison))
    runs = [train_verifier.cross_validated(pairs, rows, seed) for seed in train_verifier.SEEDS]
    chances = [{label: sum(run[i][label] for run in runs) / len(runs) for label in LABELS} for i in range(len(pairs))]
    labels = [label_of(chance, *one) for chance, one in zip(chances, found, strict=True)]
    scores = [chance[SUPPORT] for chance in chances]
    clear = [not unlike for unlike, _ in found]
    admitted = [c and s >= 0.6 for c, s in zip(clear, scores, strict=True)]
    return Judged(scores, labels, _balanced(pairs, scores), admitted, ranked, seconds)


def _balanced(pairs: Sequence[Pair], scores: Sequence[float]) -> list[bool]:
    """Supported or not, by the threshold at which the worse of the sets fares best on the other folds."""
    place = folds(pairs, train_verifier.SEEDS[0])
    said = [False] * len(pairs)
    for fold in set(place):
        kept = [i for i, one in enumerate(place) if one != fold]

        def accuracy(threshold: float, kept: Sequence[int] = kept) -> float:
            each = (
                [i for i in kept if pairs[i].dataset == name] for name in dict.fromkeys(pair.dataset for pair in pairs)
            )
            return min(
                balanced_accuracy([pairs[i].label == SUPPORT for i in rows], [scores[i] >= threshold for i in rows])
                for rows in each
            )

        best = max((step / 100 for step in range(30, 71, 2)), key=lambda t: (round(accuracy(t), 6), -abs(t - 0.5)))
        for i, one in enumerate(place):
            if one == fold:
                said[i] = scores[i] >= best
    return said


def _asked(pairs: Sequence[Pair], name: str | None) -> Judged:
    """Any verifier, asked pair by pair."""
    try:
        verifier = find(name)
    except ModelError as error:
        raise SystemExit(str(error)) from error
    found: list[Judgement] = []
    seconds, ranked = [], []
    for pair in pairs:
        began = time.process_time()
        found.append(verifier.judge(pair.claim, pair.passage))
        seconds.append(time.process_time() - began)
        ranked.append(_sentences(pair, Comparison(pair.claim, pair.passage)))
    admitted = [one.label == SUPPORT and one.score >= 0.6 for one in found]
    scores = [one.score for one in found]
    return Judged(scores, [one.label for one in found], [s >= 0.5 for s in scores], admitted, ranked, seconds)


def _sentences(pair: Pair, comparison: Comparison) -> list[int]:
    """Numbers of the evidence sentences that say most of the claim, best first, three of them."""
    found: list[int] = []
    for number in comparison.ranked[:12]:
        sentence = bisect.bisect_right(pair.offsets, comparison.lines[number].start) - 1
        if sentence not in found:
            found.append(sentence)
    return found[:3]


def _of_set(name: str, pairs: Sequence[Pair], judged: Judged, slow: float) -> list[Row]:
    mine = [i for i, pair in enumerate(pairs) if pair.dataset == name]
    truth = [pair.label == SUPPORT for pair in pairs]
    bars = BARS.get(name, (None, None, None))
    overlap = {i: _overlap(pairs[i]) for i in mine}

    def area(rows: Sequence[int]) -> float:
        return auroc([truth[i] for i in rows], [judged.scores[i] for i in rows])

    def accuracy(rows: Sequence[int]) -> float:
        return balanced_accuracy([truth[i] for i in rows], [judged.said[i] for i in rows])

    groups = [pairs[i].group for i in mine]
    rows = [
        shown(f"{name}: pairs", len(mine)),
        _aimed(f"{name}: supported or not, AUROC", area, mine, groups, bars[0]),
        shown(f"{name}: the same by token overlap", round(_overlap_area(truth, overlap), 3)),
        _aimed(f"{name}: balanced accuracy", accuracy, mine, groups, bars[1]),
        shown(f"{name}: the same by token overlap, best threshold", round(_overlap_accuracy(truth, overlap), 3)),
    ]
    if len({pairs[i].label for i in mine}) == len(LABELS):
        rows += _three_ways(name, pairs, judged, mine, bars[2])
    rows += _calibration(name, pairs, judged, mine)
    gold = [i for i in mine if pairs[i].gold]
    found = sum(bool(pairs[i].gold.intersection(judged.ranked[i])) for i in gold) / max(1, len(gold))
    wice = SPAN if name == "wice_dev" else None
    rows.append(_row(f"{name}: a deciding sentence among the first three", found, "", wice))
    ms = [1000 * scaled(judged.seconds[i], slow) for i in mine]
    size = round(sum(len(pairs[i].evidence) for i in mine) / len(mine))
    rows.append(at_most(f"{name}: CPU a pair of {size} sentences, cold, median", statistics.median(ms), "ms", MS))
    return [*rows, shown(f"{name}: the same, mean", round(sum(ms) / len(ms), 2), "ms")]


def _three_ways(
    name: str, pairs: Sequence[Pair], judged: Judged, mine: Sequence[int], bar: tuple[float, float] | None
) -> list[Row]:
    def macro(rows: Sequence[int]) -> float:
        return macro_f1([pairs[i].label for i in rows], [judged.labels[i] for i in rows], LABELS)

    truth, said = [pairs[i].label for i in mine], [judged.labels[i] for i in mine]
    refuted = [i for i in mine if pairs[i].label == "contradict"]
    each = ", ".join(f"{label} {f1(truth, said, label):.2f}" for label in LABELS)
    return [
        _aimed(f"{name}: three labels, macro-F1", macro, mine, [pairs[i].group for i in mine], bar),
        shown(f"{name}: F1 of each", each),
        shown(f"{name}: refutations admitted as support", f"{sum(judged.admitted[i] for i in refuted)}/{len(refuted)}"),
    ]


def _calibration(name: str, pairs: Sequence[Pair], judged: Judged, mine: Sequence[int]) -> list[Row]:
    """What is admitted at 0.6, whether its score keeps its word, and the reliability table."""
    chosen = [i for i in mine if judged.admitted[i]]
    right = sum(pairs[i].label == SUPPORT for i in chosen)
    precision = right / max(1, len(chosen))
    mean = sum(judged.scores[i] for i in chosen) / max(1, len(chosen))
    recall = right / max(1, sum(pairs[i].label == SUPPORT for i in mine))
    table = reliability([pairs[i].label == SUPPORT for i in mine], [judged.scores[i] for i in mine], EDGES)
    gap = sum(one.count * abs(one.mean - one.share) for one in table) / max(1, len(mine))
    rows = [
        shown(f"{name}: admitted at 0.6: precision (of {len(chosen)})", round(precision, 3)),
        shown(f"{name}: admitted at 0.6: recall", round(recall, 3)),
        at_most(f"{name}: admitted at 0.6: |mean score {mean:.3f} - precision|", abs(mean - precision), "", CALIBRATED),
        at_most(f"{name}: calibration error over all scores", gap, "", CALIBRATED),
    ]
    rows += [
        shown(
            f"{name}: scores {b.low:.1f}-{min(1.0, b.high):.1f} (mean {b.mean:.2f}, {b.count} pairs): supported",
            round(b.share, 2),
        )
        for b in table
    ]
    return rows


def _aimed(
    what: str,
    figure: Callable[[Sequence[int]], float],
    mine: Sequence[int],
    groups: Sequence[object],
    bar: tuple[float, float] | None,
) -> Row:
    """A figure with its interval, its floor as the bar, its aim told."""
    low, high = interval(groups, lambda rows: figure([mine[i] for i in rows]))
    return _row(f"{what} ({low:.3f}-{high:.3f})", figure(mine), "", bar)


def _row(what: str, value: float, unit: str, bar: tuple[float, float] | None) -> Row:
    if bar is None:
        return shown(what, round(value, 3), unit)
    floor, aim = bar
    told = f">= {floor:g}, aim {aim:g}"
    return Row(what=what, value=round(value, 3), unit=unit, bar=told, ok=round(value, 3) >= floor)


def _overlap(pair: Pair) -> float:
    """The baseline: share of the claim's words that its best sentence has."""
    comparison = Comparison(pair.claim, pair.passage)
    wanted = comparison.wanted
    return max((len(wanted.intersection(line.terms)) / max(1, len(wanted)) for line in comparison.lines), default=0.0)


def _overlap_area(truth: Sequence[bool], overlap: dict[int, float]) -> float:
    return auroc([truth[i] for i in overlap], list(overlap.values()))


def _overlap_accuracy(truth: Sequence[bool], overlap: dict[int, float]) -> float:
    known = [truth[i] for i in overlap]
    return max(balanced_accuracy(known, [s >= t for s in overlap.values()]) for t in set(overlap.values()))
