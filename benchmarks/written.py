"""Sentences that language models wrote over given passages: how many faithful and unfaithful ones
the gate admits.

Data: `written_dev.jsonl.gz` (--data, else bench/written beside the project): {set, passages,
sentence, faithful}. The checks alone affirm nothing but restatements; "not refused" is what they
leave to a judge. A scripted judge that finds everything supported proves the wiring and bounds what
the checks stop. Then two whole reports over the examples: by a scripted expert, whose sentences are
faithful, and by a liar, whose sentences are not.
"""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.obliging import answer, liar
from benchmarks.options import ROOT, Options, Row, at_least, at_most, no_data, shown
from tests.scripted_models import Script
from tests.workflows.plain_deps import World
from tools.judging.checks import guarded, vetoes_of
from tools.judging.judge import Judgement, Label, Passage
from tools.judging.restatement import restates
from workflows.research import pipeline
from workflows.research.state import ResearchState, RunConfig
from workflows.research.writing.facts import missing_fact

DOCUMENTS = ROOT / "examples" / "batteries"
_FILE = Path("bench") / "written" / "written_dev.jsonl.gz"
_NOISY = "expertqa"
QUESTIONS = ("How do grid-scale batteries work?", "What did batteries change in Norvalen?")
LIES = (
    "Grid-scale batteries in Norvalen ended 2024 with 641 megawatts.",
    "The Norvalen batteries were built in 1987 by Zeppelin Power.",
    "Batteries supplied 97% of all electricity in Norvalen.",
    "Prices rose by 55% on 31 February 2024.",
    "Professor Quillfeather called the project a failure.",
)


def run(options: Options) -> list[Row]:
    """The rows of the bench, then those of whole reports."""
    return [*_bench(options), *_reports()]


def _bench(options: Options) -> Iterator[Row]:
    path = (
        Path(options.data) if options.data else options.shared / _FILE if options.shared else None
    )
    if path is None or not path.exists():
        yield no_data("sentences of models")
        return
    step = 4 if options.quick else 1
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][::step]
    outcomes: dict[tuple[str, bool], list[tuple[bool, bool]]] = defaultdict(list)
    for row in rows:
        group = row["set"].split("_")[0]
        outcomes[group, row["faithful"]].append(_verdicts(row))
    for what, index in (("not refused by the checks", 0), ("affirmed by the checks alone", 1)):
        for faithful in (True, False):
            kind = "faithful" if faithful else "unfaithful"
            shares = {
                group: sum(row[index] for row in ones) / len(ones)
                for (group, label), ones in sorted(outcomes.items())
                if label == faithful
            }
            listed = ", ".join(f"{group} {share:.2f}" for group, share in shares.items())
            clean = [share for group, share in shares.items() if group != _NOISY]
            mean = round(sum(clean) / len(clean), 3)
            name = f"{kind} {what} ({listed}; mean without {_NOISY})"
            yield at_least(name, mean, "", 0.92) if faithful and index == 0 else shown(name, mean)


def _verdicts(row: dict[str, Any]) -> tuple[bool, bool]:
    """(whether a judge that supports everything lets it pass, whether the checks affirm it)."""
    passages = [Passage(passage["text"], title=passage["title"]) for passage in row["passages"]]
    text = row["sentence"]
    together = (
        passages[0]
        if len(passages) == 1
        else Passage("\n\n".join(f"{p.title}\n{p.text}" for p in passages))
    )
    affirmed = restates(text, together.text)
    if missing_fact(text, passages):
        return False, False
    judged = guarded(text, [together], Judgement(Label.SUPPORT, passage=0))
    return judged.label == Label.SUPPORT, affirmed


def refusals(options: Options) -> Iterator[tuple[str, str]]:
    """Faithful sentences that are refused, with the reason: to read."""
    path = Path(options.data) if options.data else (options.shared or Path()) / _FILE
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            passages = [
                Passage(passage["text"], title=passage["title"]) for passage in row["passages"]
            ]
            if not row["faithful"] or row["set"] == _NOISY:
                continue
            fact = missing_fact(row["sentence"], passages)
            together = Passage("\n\n".join(f"{p.title}\n{p.text}" for p in passages))
            reasons = (
                [fact] if fact else [veto.reason for veto in vetoes_of(row["sentence"], together)]
            )
            if reasons:
                yield row["sentence"], reasons[0]


def _reports() -> Iterator[Row]:
    stood, offered = 0, 0
    for question in QUESTIONS:
        state = _report(question, answer)
        shares = _written(state)
        stood += sum(kind == "written" for kind, _ in shares)
        offered += sum(kind == "written" for kind, _ in shares) + (
            state.quality.refused_sentences or 0
        )
    yield at_least(
        "scripted expert: share of its sentences that stand",
        round(stood / max(1, offered), 3),
        "",
        0.8,
    )
    yield shown("scripted expert: sentences that stand", stood)
    lying = [_report(question, liar(LIES)) for question in QUESTIONS]
    yield at_most("liar: lies that stand", sum(len(_written(state)) for state in lying), "", 0)
    yield at_least(
        "liar: reports complete, with passages", sum(map(_complete, lying)) / len(lying), "", 1.0
    )


def _report(question: str, script: Any) -> ResearchState:
    world = World(
        {path.stem: ("local", path.read_text("utf-8")) for path in sorted(DOCUMENTS.glob("*.md"))}
    )
    models = Script(
        lambda step, request: script(step, "\n".join(message.text for message in request.messages))
    ).models
    deps = replace(world.deps(), models=models)
    return pipeline.run(
        ResearchState(question, config=RunConfig(depth=2)), deps, save=lambda *_: None
    )


def _written(state: ResearchState) -> list[tuple[str, str]]:
    """(kind, text) of what a model put into the answer and the sections."""
    answered = state.answer.written if state.answer else ()
    sections = state.report.sections if state.report else ()
    return [
        (s.kind, s.text)
        for s in (*answered, *(s for section in sections for s in section.sentences))
    ]


def _complete(state: ResearchState) -> bool:
    return state.status == "complete" and state.answer is not None and bool(state.answer.passages)
