"""Does a report answer? Measured with what public sets know of their questions, not with the words of the question.

Per question, of the cited sentences of its summary: the share from documents that are right for it, whether the first
is, and whether any is a sentence that decides a claim, or holds the answer. The floor is the trivial summary: as many
sentences of the same library, nearest to the question by BM25, that a report may cite at all (whole, no title, no
unresolved opening). What BM25 gives without that condition stands beside it: titles and rests of sentences often hold
an answer that no report may quote. Both halves are printed; what was built was built with the first in sight.
"""

import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from benchmarks.options import Row, at_least, shown
from benchmarks.scores import interval
from benchmarks.synthesis_checks import UNRESOLVED
from benchmarks.synthesis_gold import HALVES, Gold, GoldSet
from engine import ResearchEngine
from engine.answers import RunOptions
from tools.text.rank import best_sentences
from tools.text.sentences import spans
from tools.text.tokens import stems
from workflows.research.state import ResearchState

_TRIVIAL = 4  # sentences of the trivial summary: as many as a summary has
_WORDS = 6  # of a sentence that stands alone
_SAME = 0.9  # of the stems of the shorter of two sentences: one is (a part of) the other
_LEAST = 4  # stems of a sentence that can be told at all
_COMPARED = 400  # characters of a text that tell it from others
_EXPECTED = Path(__file__).parent / "synthesis_expected.jsonl"
_MARK = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence and the text it was taken from."""

    text: str
    document: str


@dataclass(frozen=True, slots=True)
class Marks:
    """0..1 each. None where the set cannot tell. right: share from right documents; answered: the answer is there."""

    right: float | None
    first: float | None
    answered: float | None


@dataclass(frozen=True, slots=True)
class Judged:
    """One question: marks of its summary, its report, the trivial summary, and the nearest sentences of any form."""

    source: str
    gold: Gold
    summary: Marks
    report: Marks
    trivial: Marks
    nearest: Marks


def judged(libraries: Iterator[GoldSet], overrides: Mapping[str, object], half: str = "") -> Iterator[Judged]:
    """The marks of every question, of one half where it is named."""
    for one in libraries:
        texts = [path.read_text("utf-8") for path in sorted(one.folder.iterdir())]
        library = [Told(text[start:end], text) for text in texts for start, end in spans(text)]
        citable = [sentence for sentence in library if whole(sentence.text)]
        with tempfile.TemporaryDirectory() as home, ResearchEngine(home=home, overrides=dict(overrides)) as engine:
            engine.ingest([one.folder])
            for gold in (gold for gold in one.questions if half in ("", gold.half)):
                state = engine.run(gold.text, RunOptions(depth=2, sources=("local",), clarify=False, offline=True))
                summary, report = told(state, engine)
                plain, any_form = trivial(gold, citable), trivial(gold, library)
                summed, reported, floor, nearest = (mark(part, gold) for part in (summary, report, plain, any_form))
                yield Judged(one.name, gold, summed, reported, floor, nearest)


def told(state: ResearchState, engine: ResearchEngine) -> tuple[list[Told], list[Told]]:
    """The cited sentences of the summary, and those of the whole report, each with the text of its first citation."""
    if state.report is None:
        return [], []
    snapshot = {one.evidence_id: one.snapshot_id for one in state.evidence}
    summary, report = (
        [Told(s.text, engine.snapshot_text(snapshot[s.citations[0].evidence_id])) for s in part if s.citations]
        for part in (state.report.summary, state.report.sentences())
    )
    return summary, report


def trivial(gold: Gold, library: Sequence[Told]) -> list[Told]:
    """The sentences of the library nearest to the question in words."""
    best = best_sentences(gold.text, [one.text for one in library], _TRIVIAL)
    return [library[place] for place in best]


def whole(sentence: str) -> bool:
    """Whether a report could cite a sentence at all: it ends, is no title, and opens with nothing unresolved."""
    flat = " ".join(sentence.split())
    return flat.endswith(".") and len(flat.split()) >= _WORDS and flat[0] != "#" and not UNRESOLVED.match(flat)


def mark(sentences: Sequence[Told], gold: Gold) -> Marks:
    """What some sentences are worth; nothing where there are none."""
    right = [any(_same_text(one.document, document) for document in gold.documents) for one in sentences]
    said = any(holds(one.text, gold) for one in sentences)
    return Marks(
        right=sum(right) / max(1, len(right)) if gold.documents else None,
        first=float(right[:1] == [True]) if gold.documents else None,
        answered=float(said) if gold.sentences or gold.answers else None,
    )


def holds(sentence: str, gold: Gold) -> bool:
    """Whether a sentence has one of the answers in it, or is one of those that decide."""
    flat = f" {_flat(sentence)} "
    if any(f" {_flat(answer)} " in flat for answer in gold.answers):
        return True
    mine = set(stems(sentence))
    for wanted in gold.sentences:
        other = set(stems(wanted))
        least = min(len(mine), len(other))
        if least >= _LEAST and len(mine & other) >= _SAME * least:
            return True
    return False


def _same_text(text: str, document: str) -> bool:
    """A library adds a heading, and a snapshot is cleaned: the letters are what stays."""
    return _flat(document)[:_COMPARED] in _flat(text)


def _flat(text: str) -> str:
    return _MARK.sub(" ", text.lower()).strip()


def rows(found: Sequence[Judged]) -> list[Row]:
    """Figures of each half beside those of the trivial summary.

    A half has 48 questions, too few to tell one question more from one less: the bar is that the gain over the trivial
    summary of the same questions is not clearly negative (its 95% interval reaches 0).
    """
    made = [shown("questions with known answers", len(found))]
    for half in HALVES:
        mine = [one for one in found if one.gold.half == half]
        for what, name in _FIGURES.items():
            pairs = [(getattr(one.summary, name), getattr(one.trivial, name)) for one in mine]
            made += _compared(f"{what} ({half})", [(a, b) for a, b in pairs if a is not None and b is not None])
            if (other := _mean([getattr(one.nearest, name) for one in mine])) is not None:
                made.append(shown("  the same of the nearest sentences of any form", round(other, 3)))
        whole = _mean([one.report.right for one in mine])
        if whole is not None:
            made.append(shown(f"sentences of the whole report from right documents ({half})", round(whole, 3)))
    return made


def _compared(what: str, pairs: Sequence[tuple[float, float]]) -> list[Row]:
    """A figure, the trivial summary's, and the gain with its 95% interval over questions."""
    if not pairs:
        return []
    ours, trivials = (sum(side) / len(pairs) for side in zip(*pairs, strict=True))
    gains = [a - b for a, b in pairs]
    low, high = interval(range(len(gains)), lambda chosen: sum(gains[i] for i in chosen) / len(chosen))
    gain = f"{what}: gain over the trivial summary {ours - trivials:+.3f} ({low:+.3f} to), upper end"
    return [
        shown(what, round(ours, 3)),
        shown("  the same of a trivial summary (BM25)", round(trivials, 3)),
        at_least(gain, high, "", 0.0),
    ]


_FIGURES = {
    "summary sentences from right documents": "right",
    "summaries that open with a right document": "first",
    "summaries with a deciding sentence or the answer": "answered",
}


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


@dataclass(frozen=True, slots=True)
class Said:
    """Whether the summary of a question says what was written down for it, and whether the trivial summary does."""

    summary: bool
    trivial: bool


def says(state: ResearchState, engine: ResearchEngine) -> Said | None:
    """None for a question for which nothing was written down."""
    wanted = _expected().get(state.original_query)
    if wanted is None:
        return None
    texts = [engine.snapshot_text(one.snapshot_id) for one in state.sources if one.snapshot_id]
    library = [Told(text[start:end], text) for text in texts for start, end in spans(text)]
    told = " ".join(one.text for one in (state.report.summary if state.report else ()) if one.citations)
    nearest = trivial(Gold(state.original_query, ""), [one for one in library if whole(one.text)])
    plain = " ".join(one.text for one in nearest)
    return Said(*(all(pattern.search(text) for pattern in wanted) for text in (told, plain)))


@lru_cache(maxsize=1)
def _expected() -> dict[str, list[re.Pattern[str]]]:
    """What a summary must say, by question: written from the documents, not from what the product said of them."""
    rows = (json.loads(line) for line in _EXPECTED.read_text("utf-8").splitlines())
    return {row["question"]: [re.compile(one, re.I) for one in row["says"]] for row in rows}


def by_set(found: Sequence[Judged]) -> Iterator[str]:
    """Lines for reading: per set the figures of one half."""
    for name in dict.fromkeys(one.source for one in found):
        mine = [one for one in found if one.source == name]
        cells = []
        for figure in _FIGURES.values():
            value, floor = (
                _mean([getattr(getattr(one, part), figure) for one in mine]) for part in ("summary", "trivial")
            )
            cells.append("-" if value is None or floor is None else f"{value:.2f} ({floor:.2f})")
        yield f"{name:<12} {len(mine):>3}  " + "  ".join(f"{cell:>12}" for cell in cells)
