"""Contradictions: how often a `direct` one is a refutation, how many neutral pairs are called one, how cost grows.

A research compares claims with claims of other texts, sentence by sentence (cross_reference): here each claim of
scifact_train with each sentence of its abstract under its title, by the same rule. What the verifier itself says of a
passage that was chosen for a claim is shown beside it. The rules were written while looking at this set, the shares of
words that both must have were chosen on half of it (by hash of the claim), so its figures are no proof of other data
(`--data FILE` takes some). How often the rule is wrong elsewhere is seen on pairs of sentences of different texts that
the index brings together and nobody labelled: nearly all of them speak of different things, so each that is called a
contradiction is counted as an alarm. The index is timed on growing numbers of real sentences.
"""

import hashlib
import math
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks import retrieval
from benchmarks.agreement import denies
from benchmarks.options import Options, Row, at_least, at_most, shown
from benchmarks.scores import wilson
from benchmarks.verification_data import NAMES, Pair, read
from tools.text.sentences import spans
from tools.trust.contradict import DIRECT, clash, pairs
from tools.trust.statement import Statement, analyse
from tools.trust.subject import within
from tools.trust.verify import RuleVerifier
from tools.trust.weights import CONTRADICT, NEITHER, SUPPORT

PRECISION, FALSE_ALARMS = 0.80, 0.02
EXPONENT = 1.8  # of the time to find and judge pairs, over a sixteenfold number of sentences; all pairs: 2
ALARMED = ("cranfield", "kag_musique", "kag_hotpot", "scifact_train")
DOCUMENTS = 600  # of each set
SIZES = (1000, 2000, 4000, 8000, 16000)


def run(options: Options) -> list[Row]:
    """Rows for scifact_train, or for `options.data`, and for the growth of the index."""
    folder = (options.shared or Path("shared")) / "bench" / "verification"
    path = options.data or folder / "scifact_train.jsonl"
    if not path.is_file():
        return [shown("no labelled data (../shared/bench/verification, or --data FILE)", None)]
    labelled = read(path)
    titles = _titles(options)
    rows = [*_direct(labelled, titles), *_by_verifier(labelled)]
    if options.data is None:
        rows += _alarms(options)
        rows += _growth(_sentences(folder), SIZES[:3] if options.quick else SIZES)
    return rows


def _direct(labelled: Sequence[Pair], titles: Mapping[str, str]) -> list[Row]:
    """The rule that a research uses, on labelled pairs."""
    called = [denies(one.claim, one.evidence, titles.get(_start(" ".join(one.evidence)), "")) for one in labelled]
    truth = Counter(pair.label for pair in labelled)
    hits = Counter(pair.label for pair, yes in zip(labelled, called, strict=True) if yes)

    low, high = wilson(hits[CONTRADICT], hits.total())
    what = f"direct: precision ({low:.2f}-{high:.2f}, of {sum(called)})"
    halves = [
        f"{sum(labelled[i].label == CONTRADICT for i in rows)}/{len(rows)}"
        for half in (0, 1)
        for rows in [[i for i, yes in enumerate(called) if yes and _half(labelled[i]) == half]]
    ]
    return [
        at_least(what, hits[CONTRADICT] / hits.total(), "", PRECISION) if hits else shown("direct: none", 0),
        shown("direct: right of those called, half it was chosen on, other half", " ".join(halves)),
        at_most("direct: share of neutral pairs", hits[NEITHER] / max(1, truth[NEITHER]), "", FALSE_ALARMS, 4),
        shown("direct: share of supported pairs", round(hits[SUPPORT] / max(1, truth[SUPPORT]), 4)),
        shown("direct: share of refuted pairs (recall)", round(hits[CONTRADICT] / max(1, truth[CONTRADICT]), 3)),
    ]


def _half(pair: Pair) -> int:
    return int(hashlib.sha256(pair.claim.encode()).hexdigest(), 16) % 2


def _by_verifier(labelled: Sequence[Pair]) -> list[Row]:
    """What the verifier says of the passage alone, which is known to be about the claim."""
    verifier = RuleVerifier()
    found = [(verifier.judge(pair.claim, pair.passage).contradiction, pair.label) for pair in labelled]
    hits = Counter(label for one, label in found if one is not None and one.nature == DIRECT)
    others = sum(one is not None and one.nature != DIRECT for one, _ in found)
    right = hits[CONTRADICT] / max(1, hits.total())
    return [
        shown(f"direct, by the verifier of a passage: precision (of {hits.total()})", round(right, 3)),
        shown("direct, by the verifier of a passage: neutral, supported pairs", f"{hits[NEITHER]}, {hits[SUPPORT]}"),
        shown("scope or nuanced instead, by the verifier of a passage", others),
    ]


def _alarms(options: Options) -> list[Row]:
    """Direct contradictions among pairs of sentences of different texts, as the index brings them together."""
    folder = (options.shared or Path("shared")) / "bench" / "retrieval"
    rows: list[Row] = []
    compared, called = 0, 0
    for name in [name for name in ALARMED if (folder / name).is_dir()]:
        documents = retrieval.read(folder / name).documents[: 100 if options.quick else DOCUMENTS]
        owner, said = [], []
        for number, (_, title, text) in enumerate(documents):
            for start, end in spans(text):
                if 6 <= len(text[start:end].split()) <= 60:
                    owner.append(number)
                    said.append(within(analyse(text[start:end]), title))
        apart = [(i, j) for i, j in pairs(said) if owner[i] != owner[j]]
        found = [one for i, j in apart if (one := clash(said[i], said[j], across=True)) and one.nature == DIRECT]
        compared, called = compared + len(apart), called + len(found)
        rows.append(shown(f"alarms, {name}: direct, of {len(apart)} pairs of {len(documents)} texts", len(found)))
    if compared:
        rows.append(at_most("alarms: of 1000 pairs of sentences that nobody labelled", 1000 * called / compared, "", 1))
    return rows


def _titles(options: Options) -> dict[str, str]:
    """Beginning of an abstract's text -> its title; empty where the abstracts are not there."""
    folder = (options.shared or Path("shared")) / "bench" / "retrieval" / "scifact_train"
    if not folder.is_dir():
        return {}
    return {_start(text): title for _, title, text in retrieval.read(folder).documents}


def _start(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())[:2000]


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
