"""Contested answers: does a report show both answers of an ambiguous or misinformed question, as different claims?

RAMDocs: questions with documents that are right, wrong (misinformation) or beside the point, each labelled with the
answer it gives. The documents go the product's own way: sources -> evidence -> claims -> voices -> disagreement and
senses -> report. The labels are used for scoring alone. Halves by hash of the question: rules are worked on with one,
the other is the figure.

All 250 questions were seen as figures by now, and those of the other half have judged every change since the first, so
the held-out half is no longer fresh: it says what was not worked on, not what was never looked at. `one answer alone`
asks each question once more with the documents labelled with one of its answers, where mostly one is all there is to
tell (some name others beside it, or are labelled wrongly).

A pair of answers is *surfaced* when two different claims of the report state one each, and no claim that states one of
them counts a document as its support that was labelled with the other and does not state the first at all. The score of
a question is the share of its pairs; `--data FILE` takes a file in RAMDocs' format.

Beside it the other way to fail: questions of several steps (kag_hotpot, kag_musique, the first 60 by sha256 of each),
asked of the ten documents nearest in words. They have one answer; how many reports tell of different ones?
"""

import json
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import combinations, count
from pathlib import Path
from typing import Any

from benchmarks.options import Options, Row, at_least, shown
from benchmarks.retrieval import read
from benchmarks.synthesis_questions import nearest, rarity
from tools.corpus.model import Passage, snapshot_id_of
from tools.research.outcome import ClientInfo, FetchedPage, Outcome
from tools.research.source import Credibility, Source, make_source
from tools.text.normalise import snapshot_text
from tools.text.sentences import spans
from tools.text.tokens import stems, words
from workflows.research import credibility, cross_reference, evidence, plan, synthesis, understand
from workflows.research.deps import Deps, Settings
from workflows.research.model import Claim
from workflows.research.senses import short_answer
from workflows.research.state import ResearchState, RunConfig

FLOOR = 0.298  # of the report as it was before senses were told apart, both halves (0.317 and 0.275)
AIM = 0.70
_RESAMPLED = 1000
_ASKED, _NEAREST = 60, 10  # questions of several steps, documents that each is asked of
_NO_ANSWER = "unknown"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question; documents as (text, answer), the answer empty for one that is beside the point."""

    question: str
    documents: tuple[tuple[str, str], ...]

    @property
    def answers(self) -> tuple[str, ...]:
        """The distinct answers, in order."""
        return tuple(dict.fromkeys(answer for _, answer in self.documents if answer))


@dataclass(frozen=True, slots=True)
class Result:
    """score: share of the pairs of answers that were surfaced. merged: pairs where one counted for the other.

    contested: whether the record says that there are several answers (only asked where there is one answer).
    """

    score: float
    merged: int
    contested: bool


def run(options: Options) -> list[Row]:
    """Rows of figures; the bar is on the held-out half."""
    path = options.data or (
        options.shared / "bench" / "contradiction" / "ramdocs_dev.jsonl" if options.shared else None
    )
    if path is None or not path.is_file():
        return [shown("contested: skipped, no data (../shared/bench or --data)", None)]
    rows = load(path)
    if options.data:
        return _figures("given", rows, None)
    tuning = [row for row in rows if not held_out(row.question)]
    held = [row for row in rows if held_out(row.question)]
    return [
        *_figures("tuning half (rules were worked on with it)", tuning, None),
        *_figures("held-out half", held, max(AIM, FLOOR + (1 - FLOOR) / 2)),
        shown("lexical floor, both halves (committed before the senses were)", FLOOR),
        *(_steps(path.parents[1] / "retrieval" / name) for name in ("kag_hotpot", "kag_musique")),
    ]


def _steps(folder: Path) -> Row:
    """How many reports on questions of several steps tell of different answers, of those that want a short one."""
    if not folder.is_dir():
        return shown(f"{folder.name}: skipped, no data", None)
    data = read(folder)
    held = [stems(f"{title} {title} {text}") for _, title, text in data.documents]
    weight = rarity(held)
    asked = sorted(
        (" ".join(text.split()) for _, text in data.queries), key=lambda one: sha256(one.encode()).hexdigest()
    )
    told = []
    for question in asked[:_ASKED]:
        read_so = ResearchState(question, understanding=understand.read_question(question))
        if short_answer(read_so) is not None:
            near = [data.documents[place] for place in nearest(question, held, weight, _NEAREST)]
            state = research(Asked(question, tuple((text, "") for _, _, text in near)), [title for _, title, _ in near])
            told.append(bool(state.report and state.report.senses))
    return shown(f"{folder.name}: one answer in several steps, different ones told, of {len(told)}", sum(told))


def held_out(question: str) -> bool:
    """Which half a question belongs to, by its text alone."""
    return sha256(question.encode()).digest()[-1] % 2 == 1


def load(path: Path) -> list[Asked]:
    """The questions of a file in RAMDocs' format."""
    rows = (json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip())
    return [
        Asked(row["question"], tuple((one["text"], _answer(one)) for one in row["documents"] if one["text"].strip()))
        for row in rows
    ]


def _answer(document: Mapping[str, Any]) -> str:
    return "" if document["type"] == "noise" or document["answer"] == _NO_ANSWER else str(document["answer"])


def _figures(name: str, rows: Sequence[Asked], bar: float | None) -> list[Row]:
    several = [row for row in rows if len(row.answers) > 1]
    results = [judge(row, research(row)) for row in several]
    single = [judge(row, research(row)).contested for row in rows if len(row.answers) == 1]
    alone = [judge(row, research(row)).contested for row in _alone(rows)]
    score = sum(one.score for one in results) / max(1, len(results))
    low, high = _interval([one.score for one in results])
    what = f"{name}: answers surfaced, {len(several)} questions"
    return [
        at_least(what, score, "", bar) if bar is not None else shown(what, round(score, 3)),
        shown(f"{name}: 95% interval", f"{low:.3f}-{high:.3f}"),
        shown(f"{name}: every answer of the question", round(_share(one.score == 1 for one in results), 3)),
        shown(
            f"{name}: questions where one answer counted for another", round(_share(one.merged for one in results), 3)
        ),
        shown(f"{name}: one answer only, yet several told, of {len(single)}", _with_interval(single)),
        shown(f"{name}: documents of one answer alone, several told, of {len(alone)}", _with_interval(alone)),
    ]


def _alone(rows: Sequence[Asked]) -> list[Asked]:
    """Questions with the documents of one of their answers, two or more, and no others."""
    made = (
        Asked(row.question, tuple(one for one in row.documents if one[1] == answer))
        for row in rows
        for answer in row.answers
        if len(row.answers) > 1
    )
    return [one for one in made if len(one.documents) > 1]


def _with_interval(values: Sequence[bool]) -> str:
    low, high = _interval([float(one) for one in values]) if values else (0.0, 0.0)
    return f"{_share(values):.3f} ({low:.3f}-{high:.3f})"


def _share(values: Any) -> float:
    listed = [bool(value) for value in values]
    return sum(listed) / max(1, len(listed))


def _interval(scores: Sequence[float]) -> tuple[float, float]:
    draw = random.Random(1)
    means = sorted(sum(draw.choices(scores, k=len(scores))) / max(1, len(scores)) for _ in range(_RESAMPLED))
    return means[int(0.025 * _RESAMPLED)], means[int(0.975 * _RESAMPLED) - 1]


def research(asked: Asked, titles: Sequence[str] = ()) -> ResearchState:
    """The state after all phases that judge texts, with the documents as the only sources; titles where they have."""
    texts = {f"local://{i}": snapshot_text(text) for i, (text, _) in enumerate(asked.documents)}
    sources = tuple(
        replace(
            make_source(
                url,
                titles[i] if titles else f"Document {i}",
                source_type="local",
                document_id=f"d{i}",
                snapshot_id=snapshot_id_of(text),
            ),
            tag=f"S{i + 1}",
        )
        for i, (url, text) in enumerate(texts.items())
    )
    deps = _deps({snapshot_id_of(text): text for text in texts.values()})
    state = ResearchState(
        asked.question, config=RunConfig(depth=1), as_of="2026-01-01",
        understanding=understand.read_question(asked.question), sources=sources,
    )  # fmt: skip
    for phase in (plan.plan, evidence.select_evidence, cross_reference.cross_reference, credibility.score):
        state = phase(state, deps)
    return synthesis.synthesis(state, deps)


def judge(asked: Asked, state: ResearchState) -> Result:
    """What the report shows of the labelled answers."""
    told = _told(state)
    pairs = list(combinations(asked.answers, 2))
    merged = [pair for pair in pairs if any(_merges(claim, pair, asked, state) for claim in state.claims)]
    surfaced = sum(pair not in merged and _apart(pair, told) for pair in pairs)
    return Result(surfaced / max(1, len(pairs)), len(merged), _several(state))


def _told(state: ResearchState) -> list[str]:
    """The claims that the report shows, by their sentences."""
    assert state.report is not None
    return [sentence.text for sentence in state.report.sentences() if sentence.kind != "narration"]


def _several(state: ResearchState) -> bool:
    """Whether the record says that several answers to this very question were found, not merely beside it."""
    return sum(one.named for one in state.senses) > 1


def _apart(pair: tuple[str, str], told: Sequence[str]) -> bool:
    """Whether two different sentences state one answer each."""
    first, second = ({text for text in told if states(text, answer)} for answer in pair)
    return bool(first and second) and len(first | second) > 1


def _merges(claim: Claim, pair: tuple[str, str], asked: Asked, state: ResearchState) -> bool:
    """Whether a verified claim that states one answer of two counts a document of the other as its support."""
    if not claim.verified:
        return False
    number = {source.source_id: int(source.url.rpartition("/")[2]) for source in state.sources}
    for mine, other in (pair, pair[::-1]):
        if states(claim.text, mine) and not states(claim.text, other):
            supporters = [asked.documents[number[one]] for one in claim.supporting_sources]
            if any(answer == other and not states(text, mine) for text, answer in supporters):
                return True
    return False


def states(text: str, answer: str) -> bool:
    """Whether a text holds an answer word for word."""
    return f" {' '.join(words(answer))} " in f" {' '.join(words(text))} "


def _deps(texts: Mapping[str, str]) -> Deps:
    """Texts in memory, every sentence retrieved by shared stems: with a handful of documents nothing is left out."""
    ticks = count()

    def retrieve(query: str, snapshot_ids: Collection[str], k: int) -> Sequence[Passage]:
        wanted = set(stems(query))
        found = []
        for snapshot_id in snapshot_ids:
            text = texts[snapshot_id]
            for start, end in spans(text):
                if shared := len(wanted & set(stems(text[start:end]))) / max(1, len(wanted)):
                    found.append(Passage(snapshot_id, start, end, text[start:end], round(shared, 6)))
        return sorted(found, key=lambda one: (-one.score, one.snapshot_id, one.start))[:k]

    def nothing(*_: Any) -> Outcome:
        return Outcome("local", "", ())

    return Deps(
        settings=Settings(),
        clients=(ClientInfo("local", "Your documents", "local", 6, 5.0, 20),),
        search=nothing,
        fetch=lambda source: FetchedPage(source.source_id, source.url, problem="offline", reason="error"),
        store_text=lambda source, text, completeness: _none(),
        references=nothing,
        citing=nothing,
        text=texts.__getitem__,
        retrieve=retrieve,
        similarity=lambda query, sentences: None,
        score=_credibility,
        emit=lambda event: None,
        check_cancelled=lambda: None,
        clock=lambda: float(next(ticks)) / 1000,
        now=lambda: "2026-01-01T00:00:00Z",
    )


def _credibility(source: Source, voices: int | None, text: str) -> Credibility:
    return Credibility(0.5, "your document", 0.5)


def _none() -> Any:
    raise NotImplementedError("nothing is fetched here")
