"""Reports on the examples and on public texts, made by the product's own pipeline without a model, and what is wrong
with them: repetition, sentences that need another one, lost figures, wrong kinds, citations that lead nowhere.

Each set is a library of its own; its questions are researched offline in it. `--data FOLDER` takes a folder of
documents with `questions.txt` in it. `python -m benchmarks.synthesis OUT [SET ...]` writes the reports as Markdown
files to be read.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks import synthesis_answers as answers
from benchmarks.options import ROOT, Options, Row, at_least, at_most, shown
from benchmarks.synthesis_checks import Faults, faults
from benchmarks.synthesis_gold import EACH, GoldSet, gold_sets
from benchmarks.synthesis_questions import QUICK, Asked, asked, given
from engine import ResearchEngine
from engine.answers import RunOptions
from workflows.research.deps import Settings
from workflows.research.state import ResearchState

ON_TOPIC = 0.95  # of the sentences in sections
ANSWERED = 0.85  # of the questions whose report has at least three cited sentences
NONE = ("repeats", "unresolved", "long parts", "not of its kind", "unresolved citations", "figures lost",
        "too many words")  # fmt: skip
OVERRIDES = {"embeddings.enabled": False}
_LEAST = 3
_TOLD = 3  # examples of a fault that are printed


def run(options: Options) -> list[Row]:
    """Rows over all questions; where a bar is missed, what broke it goes to the standard error stream."""
    with tempfile.TemporaryDirectory() as scratch:
        judged, said = [], []
        for _, state, found, told in reports(sets(options, Path(scratch))):
            judged.append((state, found))
            said += [told] if told is not None else []
        answered = answers.rows(list(answers.judged(known(options, Path(scratch)), OVERRIDES)))
    totals = Counter(dict.fromkeys((*NONE, "off topic"), 0))
    for state, found in judged:
        for rule, broken in found.found.items():
            totals[rule] += len(broken)
            for one in broken[:_TOLD]:
                print(f"  {rule}, in “{state.original_query}”: {one[:300]}", file=sys.stderr)
    sentences, placed = (sum(getattr(found, name) for _, found in judged) for name in ("sentences", "placed"))
    full = sum(found.sentences >= _LEAST for _, found in judged)
    return [
        shown("reports", len(judged)),
        shown("cited sentences", sentences),
        *(at_most(_WORDED[rule], totals[rule], "", 0) for rule in NONE),
        at_least("sentences of sections on the topic", 1 - totals["off topic"] / max(1, placed), "", ON_TOPIC),
        at_least("questions with three cited sentences or more", full / max(1, len(judged)), "", ANSWERED),
        shown("cited sentences a report", round(sentences / max(1, len(judged)), 1)),
        shown("words a report", round(sum(found.words for _, found in judged) / max(1, len(judged)))),
        *_said(said),
        *answered,
    ]


def _said(said: Sequence[answers.Said]) -> list[Row]:
    if not said:
        return []
    value, floor = (sum(getattr(one, name) for one in said) / len(said) for name in ("summary", "trivial"))
    return [at_least("summaries that say what was written down for them (floor: BM25)", value, "", round(floor, 3))]


_WORDED = {
    "repeats": "pairs of sentences above 0.7 token overlap",
    "unresolved": "sentences that open with an unresolved pronoun or connective",
    "long parts": "sections above seven sentences, summaries above six",
    "not of its kind": "sentences not of their kind",
    "unresolved citations": "citations that lead nowhere",
    "figures lost": "sentences that lost a figure or unit of their quote",
    "too many words": "reports above the words of their depth",
}


def sets(options: Options, scratch: Path) -> Iterator[Asked]:
    """What is measured."""
    if options.data:
        yield given(Path(options.data))
    else:
        yield from asked(options.shared, scratch, QUICK if options.quick else ())


def known(options: Options, scratch: Path) -> Iterator[GoldSet]:
    """Questions whose answers are known; few of them when it is to be quick, none on data of one's own."""
    if options.data is None:
        yield from gold_sets(
            options.shared, scratch, ("scifact",) if options.quick else (), 2 if options.quick else EACH
        )


def reports(libraries: Iterator[Asked]) -> Iterator[tuple[str, ResearchState, Faults, answers.Said | None]]:
    """(set, finished research, what is wrong with its report, whether it says what it must) for every question."""
    for one in libraries:
        with tempfile.TemporaryDirectory() as home, ResearchEngine(home=home, overrides=OVERRIDES) as engine:
            engine.ingest([one.folder])
            for number, question in enumerate(one.questions):
                depth = 1 + number % 3  # every limit of words is met
                chosen = RunOptions(depth=depth, sources=("local",), clarify=False, offline=True)
                state = engine.run(question, chosen)
                wrong = faults(state, engine.snapshot_text, Settings().words[depth - 1])
                yield one.name, state, wrong, answers.says(state, engine)


def main(argv: list[str]) -> None:
    """Write the reports of all sets, or of those named, as Markdown to be read."""
    out = Path(argv[0])
    out.mkdir(parents=True, exist_ok=True)
    for number, (name, state, *_) in enumerate(reports(asked(ROOT.parent / "shared", out / "documents", argv[1:]))):
        (out / f"{name}-{number:02d}.md").write_text(state.synthesis, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
