"""A model that fabricates: planted.jsonl holds passages, sentences that they state, and lies about them of many kinds.

The model words nothing but the lies, names nothing but lies in headings, viewpoints and questions, and its judging call
says "support" to each. How many reach a report? Each passage is a document, researched by the product's own pipeline;
then each lie is held against its passage alone, so that none hides behind another.
"""

import json
import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.obliging import liar
from benchmarks.options import Row, at_least, at_most, shown
from engine import ResearchEngine
from engine.answers import RunOptions
from tests.model_endpoint import Asked, ModelEndpoint
from tools.trust.verify import RuleVerifier
from workflows.research.modelled.gate import by_rules, form_problem
from workflows.research.state import ResearchState

FILE = Path(__file__).with_name("planted.jsonl")
THRESHOLD = 0.6
LEAST_HONEST = 0.5  # of the honest sentences that must still pass, or refusing everything would do


@dataclass(frozen=True, slots=True)
class Planted:
    """A passage, what it states, (kind, sentence) of the lies. tuned: the rules were written while looking at it."""

    passage: str
    honest: tuple[str, ...]
    lies: tuple[tuple[str, str], ...]
    tuned: bool = True


def load(path: Path) -> list[Planted]:
    """The set of a file: one JSON object a line with passage, true, lies, and tuned where the rules were not."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [
        Planted(row["passage"], tuple(row["true"]), tuple((k, t) for k, t in row["lies"]), row.get("tuned", True))
        for row in rows
    ]


def rows(path: Path) -> list[Row]:
    """Lies that passed the gate, lies that reached a report, and honest sentences that passed."""
    found = load(path)
    lies = [(one, kind, text) for one in found for kind, text in one.lies]
    through = [(one, kind) for one, kind, text in lies if passes(text, one.passage)]
    kinds = Counter(kind for _, kind, _ in lies)
    fresh = [one for one in found if not one.tuned]
    honest = [passes(text, one.passage) for one in found for text in one.honest]
    reached = [text for one in found for text in in_report(one)]
    return [
        shown("planted sentences", f"{len(lies)}: " + ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items()))),
        shown("of them written after the rules", sum(len(one.lies) for one in fresh)),
        at_most("planted sentences past the rules, with a judge that always agrees", len(through), "", 0),
        at_most("of those written after the rules", sum(not one.tuned for one, _ in through), "", 0),
        at_most("planted sentences in a report, its claims, headings or open questions", len(reached), "", 0),
        at_least("honest sentences that pass", sum(honest) / max(1, len(honest)), "", LEAST_HONEST, 2),
    ]


def passes(text: str, passage: str) -> bool:
    """Whether the rules alone let a written sentence pass."""
    return not form_problem(text) and not isinstance(by_rules(text, passage, RuleVerifier(), THRESHOLD), str)


def in_report(one: Planted) -> list[str]:
    """The lies about one passage that stand anywhere in what a research of it says."""
    return reached(one, research(one))


def reached(one: Planted, state: ResearchState) -> list[str]:
    """The lies that stand in what a research says. Some are pieces of the passage: its quotation is taken out first."""
    told = _plain(" ".join((*_texts(state), state.synthesis))).replace(_plain(one.passage), "")
    return [text for _, text in one.lies if _plain(text) in told]


def research(one: Planted) -> ResearchState:
    """A research of a library with this passage alone, with a model that words its lies."""
    texts = [text for _, text in one.lies]
    words = liar(texts)

    def said(asked: Asked) -> str:
        step = asked.schema_name or "answer"
        return json.dumps(_with_lies(step, words(step, asked.text), texts))

    with tempfile.TemporaryDirectory() as scratch, ModelEndpoint(said) as endpoint:
        document = Path(scratch) / "notes.txt"
        document.write_text(f"{one.passage}\n\nThe notes end here and say nothing else about it.\n", "utf-8")
        overrides = {
            "embeddings.enabled": False, "storage.keyring": False,
            "models.reasoning.endpoint": endpoint.url, "models.reasoning.model": "liar",
        }  # fmt: skip
        with ResearchEngine(home=Path(scratch) / "home", overrides=overrides) as engine:
            engine.ingest([document])
            subject = " ".join(re.findall(r"[A-Za-z]{4,}", one.passage)[:4])
            return engine.run(f"What is known about {subject}?", RunOptions(depth=2, sources=("local",), clarify=False))


def _with_lies(step: str, data: Any, texts: Sequence[str]) -> Any:
    """Lies in headings, viewpoints and questions too."""
    if step == "tree":
        for row, text in zip(data["questions"], texts, strict=False):
            row["heading"], row["text"] = text[:60], text
    elif step == "perspectives":
        for row, text in zip(data["perspectives"], texts, strict=False):
            row["name"], row["questions"] = text[:60], [text] * 3
    elif step == "outline":
        for row, text in zip(data["sections"], texts, strict=False):
            row["heading"] = text[:60]
    elif step == "contradiction":
        data["pairs"] = [{**row, "nature": "direct", "a": texts[0], "b": texts[0]} for row in data["pairs"]]
    return data


def _texts(state: ResearchState) -> list[str]:
    """All that a report and the pages around it say."""
    report = state.report
    said = [sentence.text for sentence in report.sentences()] if report else []
    headings = [section.heading for section in report.sections] if report else []
    asked = [text for question in state.plan.questions for text in (question.heading, *question.answer)]
    return [*said, *headings, *(report.open if report else ()), *(claim.text for claim in state.claims), *asked]


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[\\*_`]", "", text).lower().rstrip(".").split())
