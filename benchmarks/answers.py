"""Questions over real documents: is the answer in the first words of the report, beside BM25 and
the library search?

Data: bench/answers of the public data (its README says what each question and figure is), or
`--data DIR` in this form: questions.jsonl, corpora/NAME/, score.py. Odd ids are for choosing
thresholds; the figures with a bar are of even ids. Every corpus gets a home of its own and is asked
as a user would ask: no network, no model. `--quick`: without vectors.
"""

import importlib.util
import json
import math
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.options import Options, Row, at_least, at_most, no_data, shown
from engine import ResearchEngine
from engine.answers import RunOptions

ASKED = RunOptions(sources=("local",), depth=1, clarify=False, offline=True)
# Classes whose questions have one short right answer
SHORT = (
    "fact",
    "keywords",
    "typo",
    "paraphrase",
)
FIRST_100 = {False: 0.60, True: 0.70}  # without and with vectors
FIRST_3, REFUSED, NAMED = 0.75, 0.05, 0.95


@dataclass
class Asked:
    """What came of one question: how its report, the library search and BM25 were judged
    (score.py), 0 or 1 each."""

    question: Mapping[str, Any]
    report: Mapping[str, Any]
    floors: Mapping[str, bool]
    seconds: float


def run(options: Options) -> Iterator[Row]:
    """The measures of the specification, on even ids; the same on odd ids without bars."""
    folder = options.data or (options.shared and options.shared / "bench" / "answers")
    if folder is None or not (folder / "questions.jsonl").is_file():
        yield no_data("questions over documents")
        return
    score = _scorer(folder)
    lines = (folder / "questions.jsonl").read_text("utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    for vectors in (False,) if options.quick else (False, True):
        results = [result for corpus in sorted({q["corpus"] for q in questions})
                 for result in _over(folder, corpus, questions, score, vectors)]  # fmt: skip
        halves = ((0, True), (1, False)) if options.data is None else ((None, False),)
        for parity, barred in halves:
            chosen = [
                result
                for result in results
                if parity is None or result.question["id"] % 2 == parity
            ]
            name = {0: "even", 1: "odd", None: "all"}[parity]
            yield from _figures(
                f"{name}, {'vectors' if vectors else 'words'}", chosen, vectors, barred
            )


def _figures(of: str, results: Sequence[Asked], vectors: bool, barred: bool) -> Iterator[Row]:
    checkable = [result for result in results if result.question["answer"]]
    facts = [
        result
        for result in checkable
        if result.question["need"] == 1 and result.question["class"] in SHORT
    ]
    answerable = [result for result in results if result.question["answerable"]]
    absent = [result for result in results if not result.question["answerable"]]
    first_100 = _share(facts, lambda result: result.report["first100"])
    first_3 = _share(checkable, lambda result: result.report["first3"])
    refused = _share(answerable, lambda result: result.report["refused"])
    named_share = _share(absent, lambda result: result.report["named"])
    if barred:
        yield at_least(
            f"{of}: fact answered in the first 100 words", first_100, "", FIRST_100[vectors]
        )
        yield at_least(f"{of}: answered in the first 3 passages", first_3, "", FIRST_3)
        yield at_most(f"{of}: answerable, and refused", refused, "", REFUSED)
        yield at_least(f"{of}: absent, and said so with the word", named_share, "", NAMED)
    else:
        yield shown(f"{of}: fact answered in the first 100 words", first_100)
        yield shown(f"{of}: answered in the first 3 passages", first_3)
        yield shown(f"{of}: answerable, and refused", refused)
        yield shown(f"{of}: absent, and said so with the word", named_share)
    yield shown(
        f"{of}: answered in the first 100 words, all",
        _share(checkable, lambda result: result.report["first100"]),
    )
    yield shown(
        f"{of}: answered anywhere in the report",
        _share(checkable, lambda result: result.report["anywhere"]),
    )
    yield shown(
        f"{of}: library search, first 3",
        _share(checkable, lambda result: result.floors["library_first3"]),
    )
    yield shown(
        f"{of}: BM25, first 100 words",
        _share(checkable, lambda result: result.floors["bm25_first100"]),
    )
    yield shown(
        f"{of}: BM25, first 3", _share(checkable, lambda result: result.floors["bm25_first3"])
    )
    yield shown(
        f"{of}: processor time of a report, median",
        sorted(result.seconds for result in results)[len(results) // 2],
        "s",
    )


def _share(results: Sequence[Asked], holds: Callable[[Asked], bool]) -> float:
    return (
        round(sum(bool(holds(result)) for result in results) / len(results), 3) if results else 0.0
    )


def _over(
    folder: Path, corpus: str, questions: Sequence[Mapping[str, Any]], score: Any, vectors: bool
) -> Iterator[Asked]:
    """The questions over one corpus, in a home of its own."""
    print(f"  {corpus}{', with vectors' if vectors else ''} ...", file=sys.stderr)
    bm25 = Bm25(score, corpus)
    with (
        tempfile.TemporaryDirectory() as home,
        ResearchEngine(
            home=Path(home), overrides={"embeddings.enabled": vectors}, environ={}
        ) as engine,
    ):
        engine.ingest([folder / "corpora" / corpus])
        if vectors:
            engine._opened.tools.corpus.embed_pending()
        for question in questions:
            if question["corpus"] != corpus:
                continue
            began = time.process_time()
            record = engine.run(question["question"], ASKED).to_dict()
            seconds = time.process_time() - began
            floors = {"library_first3": _library(engine, question, score), **bm25.judged(question)}
            yield Asked(question, score.judge(question, record), floors, seconds)


def _library(engine: ResearchEngine, question: Mapping[str, Any], score: Any) -> bool:
    """Whether the first three passages of the library search answer."""
    hits = engine.search_library(question["question"], 3)
    return bool(
        score.good(question, " ".join(f"{hit.passage.text} {hit.title} {hit.name}" for hit in hits))
    )


class Bm25:
    """Plain BM25 over passages of 130 words, as score.py cuts them."""

    def __init__(self, score: Any, corpus: str) -> None:
        self._score = score
        self._passages = list(score.paragraphs(corpus))
        self._bags = [Counter(score.tokens(f"{name} {text}")) for name, text in self._passages]
        self._lengths = [sum(bag.values()) for bag in self._bags]
        self._frequency = Counter(word for bag in self._bags for word in bag)

    def judged(self, question: Mapping[str, Any]) -> dict[str, bool]:
        """Whether its first three passages, and the first 100 words of all of them, answer."""
        top = [self._passages[i] for i in self._best(question["question"])]
        words = " ".join(text for _, text in top).split()[:100]
        return {
            "bm25_first3": self._score.good(
                question, " ".join(f"{name} {text}" for name, text in top[:3])
            ),
            "bm25_first100": self._score.good(
                question, " ".join([*words, *(name for name, _ in top[:1])])
            ),
        }

    def _best(self, question: str, limit: int = 5, k1: float = 1.5, b: float = 0.75) -> list[int]:
        count, mean = len(self._bags), sum(self._lengths) / len(self._bags)
        scores: Counter[int] = Counter()
        for word in set(self._score.tokens(question)):
            idf = math.log(
                1 + (count - self._frequency[word] + 0.5) / (self._frequency[word] + 0.5)
            )
            for i, bag in enumerate(self._bags):
                if n := bag[word]:
                    scores[i] += (
                        idf * n * (k1 + 1) / (n + k1 * (1 - b + b * self._lengths[i] / mean))
                    )  # type: ignore[assignment]
        return [i for i, _ in scores.most_common(limit)]


def _scorer(folder: Path) -> Any:
    """score.py of the data, which judges records without knowing the program."""
    spec = importlib.util.spec_from_file_location("answers_score", folder / "score.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
