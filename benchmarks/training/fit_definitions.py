"""Fit the weight of `defines` (tools/data/reader.toml): does "What is X?" lead to the sentence that
defines X?

    python -m benchmarks.training.fit_definitions FOLDER

FOLDER is a checkout of abachaa/MedQuAD (CC BY 4.0): questions about diseases with the answers of
NIH web pages. Each page becomes a document of sections without the questions. Weights are chosen on
the pages of NIDDK, the cancer institute and CDC, and reported on those of NINDS, NHLBI and
SeniorHealth.
"""

import random
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from engine import ResearchEngine
from engine.answers import RunOptions
from tools.reading import features
from tools.text.sentences import spans

CHOSEN_ON, REPORTED_ON = ("1_Cancer", "5_NIDDK", "9_CDC"), ("6_NINDS", "7_Senior", "8_NHLBI")
WEIGHTS = (0.0, 1.0, 2.0, 4.0, 8.0)
QUESTIONS = 100
OPTIONS = RunOptions(sources=("local",), depth=1, clarify=False, offline=True)
_SAME = 0.65  # share of the words of the shorter of two sentences that say the same
_LEFTOVER = re.compile(r"Key Points|Espaol")


@dataclass(frozen=True, slots=True)
class Page:
    """subject: what the page is about. definition: how its answer to "What is ...?" begins; ""
    without one."""

    subject: str
    text: str
    definition: str


def main(folder: Path) -> None:
    for weight in WEIGHTS:
        print(weight, "chosen on", measured(folder, CHOSEN_ON, weight))
    shipped = features.reader_weights("units")["defines"]
    for weight in (0.0, shipped):
        print(weight, "reported on", measured(folder, REPORTED_ON, weight))


def measured(folder: Path, sets: tuple[str, ...], weight: float) -> tuple[float, float]:
    """The shares of questions whose first lead, and one of whose first three, defines the
    subject."""
    pages = [
        page
        for name in sets
        for file in sorted(folder.glob(f"{name}*/*.xml"))
        for page in _pages(file)
    ]
    definition_pages = [
        page for page in pages if page.definition and len(page.subject.split()) <= 4
    ]
    random.Random(1).shuffle(definition_pages)
    features.reader_weights.cache_clear()
    for grain in ("passages", "units"):
        features.reader_weights(grain)["defines"] = weight
    first = third = 0
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as documents:
        for number, page in enumerate(pages):
            (Path(documents) / f"{number}.md").write_text(page.text, encoding="utf-8")
        with ResearchEngine(
            home=Path(home), overrides={"embeddings.enabled": False}, environ={}
        ) as engine:
            engine.ingest([Path(documents)])
            for page in definition_pages[:QUESTIONS]:
                verb = "are" if page.subject.endswith("s") else "is"
                answer = engine.run(f"What {verb} {page.subject}?", OPTIONS).answer
                right = [
                    _defines(passage.lead.text, page)
                    for passage in (answer.passages if answer else ())[:3]
                ]
                first += bool(right[:1] and right[0])
                third += any(right)
    features.reader_weights.cache_clear()
    count = min(QUESTIONS, len(definition_pages))
    return round(first / count, 3), round(third / count, 3)


def _pages(file: Path) -> Iterator[Page]:
    root = ElementTree.parse(file).getroot()
    subject, sections, definition = root.findtext("Focus") or "", [], ""
    for pair in root.iter("QAPair"):
        answer, question = (pair.findtext("Answer") or "").strip(), pair.find("Question")
        if answer and question is not None:
            paragraphs = [
                " ".join(part.split()) for part in re.split(r"\n\s*\n", answer) if part.strip()
            ]
            kind, text = question.get("qtype", ""), "\n\n".join(paragraphs)
            sections.append(f"## {kind}\n\n{text}")
            if kind == "information" and not definition:
                definition = _LEFTOVER.sub("", text[:400]).strip(" -\n")
    if sections:
        yield Page(subject, "\n\n".join([f"# {subject}", *sections]), definition)


def _defines(lead: str, page: Page) -> bool:
    beginning = page.definition
    listed = (
        [part.strip(" -") for part in beginning.split(" - ")] if " - " in beginning[:200] else []
    )
    sentences = listed or [beginning[start:end] for start, end in spans(beginning)]
    return any(_alike(lead, sentence) for sentence in sentences[:2])


def _alike(first: str, other: str) -> bool:
    ours, theirs = (set(re.findall(r"\w+", text.lower())) for text in (first, other))
    return len(ours) > 4 and len(ours & theirs) >= _SAME * max(1, min(len(ours), len(theirs)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
