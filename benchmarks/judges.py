"""Judges: planted falsehoods and their true twins, and how often a veto of each kind is right.

judges_planted.jsonl: six made-up documents of ten sentences each; for every sentence a false claim
(number, owner, place, date, direction, negation) and its true twin, a restatement or a paraphrase.
No false claim may be called supported.

A veto is right when the labelled claim is not supported by its passage. The rules were worked on
while looking at wrong vetoes on wice_dev, scifact_train and written_dev, so their figures are no
proof of other data. FM2 (`--data FILE`, its dev.jsonl) was looked at once, for the threshold of
names. A kind with fewer than `ENOUGH` vetoes has its counts printed and no bar. `--verifier
onnx:FOLDER` lets an entailment model judge the planted claims.
"""

import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from benchmarks.options import Options, Row, at_least, at_most, no_data, shown
from tools.judging.checks import Checks, vetoes_of
from tools.judging.judge import Judge, Label, Passage
from tools.judging.vetoes import VetoKind

PLANTED = Path(__file__).with_name("judges_planted.jsonl")
PRECISION = 0.95
ENOUGH = 5  # vetoes of a kind, below which a share says nothing
Labelled = tuple[str, str, str, bool]  # set, claim, passage, supported


def run(options: Options) -> list[Row]:
    """Rows for the planted claims and for the vetoes."""
    rows = _planted(Checks(), strict=True)
    if options.verifier:
        from tools.judging.nli import Nli

        rows += _planted(Nli(Path(options.verifier.removeprefix("onnx:"))), strict=False)
    return rows + _vetoes(options)


def _planted(judge: Judge, *, strict: bool) -> list[Row]:
    planted = [json.loads(line) for line in PLANTED.read_text("utf-8").splitlines()]
    documents: dict[str, list[str]] = defaultdict(list)
    for row in planted:
        documents[row["domain"]].append(row["stated"])
    passages = {domain: [Passage(" ".join(stated))] for domain, stated in documents.items()}
    false = judge.judge([(row["false"], passages[row["domain"]]) for row in planted])
    true = judge.judge([(row["true"], passages[row["domain"]]) for row in planted])
    supported = Counter(
        row["form"]
        for row, judgement in zip(planted, true, strict=True)
        if judgement.label is Label.SUPPORT
    )
    wrong = sum(judgement.label is Label.SUPPORT for judgement in false)
    name = judge.name
    restated = f"{name}: true restatements supported, of 20"
    return [
        at_most(f"{name}: planted falsehoods supported, of 60", wrong, "", 0)
        if strict
        else shown(f"{name}: planted falsehoods supported, of 60", wrong),
        at_least(restated, supported["restatement"], "", 20)
        if strict
        else shown(restated, supported["restatement"]),
        shown(f"{name}: true paraphrases supported, of 40", supported["paraphrase"]),
        shown(
            f"{name}: planted falsehoods vetoed, of 60",
            sum(judgement.vetoed for judgement in false),
        ),
        shown(f"{name}: true twins vetoed, of 60", sum(judgement.vetoed for judgement in true)),
    ]


def _vetoes(options: Options) -> list[Row]:
    right: dict[VetoKind, Counter[str]] = defaultdict(Counter)
    wrong: dict[VetoKind, Counter[str]] = defaultdict(Counter)
    for name, claim, passage, supported in _labelled(options):
        for kind in {veto.kind for veto in vetoes_of(claim, Passage(passage))}:
            (wrong if supported else right)[kind][name] += 1
    rows: list[Row] = [] if right or wrong else [no_data("labelled claims")]
    for kind in VetoKind:
        sets = sorted({*right[kind], *wrong[kind]})
        counts = ", ".join(
            f"{name} {right[kind][name]}/{right[kind][name] + wrong[kind][name]}" for name in sets
        )
        hits, total = right[kind].total(), right[kind].total() + wrong[kind].total()
        what = f"{kind.value}: vetoes that are right ({counts or 'none'})"
        rows.append(
            at_least(what, hits / total, "", PRECISION)
            if total >= ENOUGH
            else shown(what, f"{hits}/{total}")
        )
    return rows


def _labelled(options: Options) -> Iterator[Labelled]:
    if options.data:
        yield from _fm2(options.data)
    bench = (options.shared or Path("shared")) / "bench"
    for name in ("wice_dev", "scifact_train"):
        if (path := bench / "verification" / f"{name}.jsonl").is_file():
            yield from _verification(name, path)
    if (path := bench / "written" / "written_dev.jsonl.gz").is_file():
        yield from _written(path)


def _verification(name: str, path: Path) -> Iterator[Labelled]:
    rows = (json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip())
    met = {(row["claim"], "\n\n".join(row["evidence"])): row["label"] for row in rows}
    for (claim, passage), label in met.items():
        yield name, claim, passage, label in ("supported", "SUPPORT")


def _written(path: Path) -> Iterator[Labelled]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            name = "expertqa" if row["set"] == "expertqa" else "written_dev"
            text = "\n\n".join(
                f"{passage['title'] or ''}\n\n{passage['text']}" for passage in row["passages"]
            )
            yield name, row["sentence"], text, bool(row["faithful"])


def _fm2(path: Path) -> Iterator[Labelled]:
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        yield (
            path.stem,
            row["text"],
            " ".join(piece["text"] for piece in row["gold_evidence"]),
            row["label"] == "SUPPORTS",
        )
