"""Contradictions: how often a `direct` one is a refutation, how many neutral pairs are called one, how cost grows.

Each claim of scifact_train is judged against its abstract by the verifier, whose `contradiction` names the definite
kinds alone (values, polarity, direction). The rules for them were written while looking at this set, so its figures
are not proof of other data (`--data FILE` takes some). The index is timed on growing numbers of real sentences.
"""

import math
import random
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.options import Options, Row, at_least, at_most, shown
from benchmarks.scores import interval
from benchmarks.verification_data import NAMES, Pair, read
from tools.trust.contradict import DIRECT, clash, pairs
from tools.trust.statement import Statement, analyse
from tools.trust.verify import RuleVerifier
from tools.trust.weights import CONTRADICT, NEITHER, SUPPORT

PRECISION, FALSE_ALARMS = 0.80, 0.02
EXPONENT = 1.8  # of the time to find and judge pairs, over a sixteenfold number of sentences; all pairs: 2
SIZES = (1000, 2000, 4000, 8000, 16000)


def run(options: Options) -> list[Row]:
    """Rows for scifact_train, or for `options.data`, and for the growth of the index."""
    folder = (options.shared or Path("shared")) / "bench" / "verification"
    path = options.data or folder / "scifact_train.jsonl"
    if not path.is_file():
        return [shown("no labelled data (../shared/bench/verification, or --data FILE)", None)]
    rows = _direct(read(path))
    if options.data is None:
        rows += _growth(_sentences(folder), SIZES[:3] if options.quick else SIZES)
    return rows


def _direct(labelled: Sequence[Pair]) -> list[Row]:
    verifier = RuleVerifier()
    natures = []
    for pair in labelled:
        found = verifier.judge(pair.claim, pair.passage).contradiction
        natures.append(found.nature if found else "")
    called = [i for i, nature in enumerate(natures) if nature == DIRECT]
    truth = Counter(pair.label for pair in labelled)
    hits = Counter(labelled[i].label for i in called)

    def precision(rows: Sequence[int]) -> float:
        chosen = [i for i in rows if natures[i] == DIRECT]
        return sum(labelled[i].label == CONTRADICT for i in chosen) / max(1, len(chosen))

    low, high = interval([pair.group for pair in labelled], precision)
    what = f"direct: precision ({low:.2f}-{high:.2f}, of {len(called)})"
    first = at_least(what, precision(range(len(labelled))), "", PRECISION) if called else shown("direct: none", 0)
    return [
        first,
        at_most("direct: share of neutral pairs", hits[NEITHER] / max(1, truth[NEITHER]), "", FALSE_ALARMS, 4),
        shown("direct: share of supported pairs", round(hits[SUPPORT] / max(1, truth[SUPPORT]), 4)),
        shown("direct: share of refuted pairs (recall)", round(hits[CONTRADICT] / max(1, truth[CONTRADICT]), 3)),
        shown("scope or nuanced instead", sum(nature not in ("", DIRECT) for nature in natures)),
    ]


def _sentences(folder: Path) -> list[Statement]:
    """Distinct sentences of the public sets in a fixed disorder."""
    texts = dict.fromkeys(
        text
        for name in NAMES
        if (path := folder / f"{name}.jsonl").is_file()
        for pair in read(path)
        for text in pair.evidence
        if 8 <= len(text.split()) <= 50
    )
    listed = list(texts)
    random.Random(1).shuffle(listed)
    return [analyse(text) for text in listed[: SIZES[-1]]]


def _growth(statements: Sequence[Statement], sizes: Sequence[int]) -> list[Row]:
    rows: list[Row] = []
    seconds: list[float] = []
    for size in sizes:
        began = time.process_time()
        found = list(pairs(statements[:size]))
        for i, j in found:
            clash(statements[i], statements[j])
        seconds.append(time.process_time() - began)
        every = size * (size - 1) // 2
        rows.append(shown(f"{size} sentences: compared, of {every} pairs", len(found)))
    exponent = math.log(seconds[-1] / seconds[0]) / math.log(sizes[-1] / sizes[0])
    rows.append(shown(f"{sizes[-1]} sentences: CPU", round(seconds[-1], 2), "s"))
    return [*rows, at_most("growth of the time with sentences, exponent", exponent, "", EXPONENT, 2)]
