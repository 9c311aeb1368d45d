"""The questions of the synthesis benchmark, and the documents each is asked of.

A set is a folder of the repository's own examples, or documents of a public set: per question those that share its
rarer words, so that a library of a few dozen files stands for one of thousands.
"""

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.options import ROOT
from tools.text.tokens import stems

DOCUMENTS = 60  # per question of a public set
EXAMPLES = {
    "batteries": (
        "Do grid-scale batteries lower evening electricity prices?",
        "Lithium batteries vs pumped hydro for eight-hour storage",
        "How do grid-scale batteries work?",
        "What is known about the cost of grid-scale batteries?",
    ),
    "trees": (
        "Do street trees cool cities at night?",
        "What is canopy cover?",
        "How do street trees cool cities?",
    ),
}
PUBLIC = {
    "scifact_train": (
        "Is it true that vitamin D deficiency raises the risk of multiple sclerosis?",
        "What is autophagy?",
        "What is known about APOE4 and Alzheimer's disease?",
    ),
    "cranfield": (
        "How does a boundary layer become turbulent?",
        "What is known about heat transfer to blunt bodies at hypersonic speed?",
        "laminar vs turbulent boundary layers",
    ),
    "kag_hotpot": ("Who is Christopher Nolan?", "Porcupine Tree vs The Dandy Warhols"),
    "kag_musique": ("What is canon law?", "Who is Morgan Freeman?", "Reign of Terror in the French Revolution"),
    "ramdocs": ("What is the population of Broken Bow?", "What sport is Bobby Carpenter associated with?"),
}
QUICK = ("batteries", "scifact_train")


@dataclass(frozen=True, slots=True)
class Asked:
    """A library (folder of documents) and the questions asked of it."""

    name: str
    folder: Path
    questions: tuple[str, ...]


def asked(shared: Path | None, scratch: Path, names: Sequence[str] = ()) -> Iterator[Asked]:
    """Every set that is there, its documents in a folder; public ones are written below `scratch`."""
    for name, questions in EXAMPLES.items():
        if not names or name in names:
            yield Asked(name, ROOT / "examples" / name, questions)
    for name, questions in PUBLIC.items():
        if (names and name not in names) or shared is None:
            continue
        documents = _documents(shared / "bench", name)
        if documents:
            folder = scratch / name
            _write(folder, documents, questions)
            yield Asked(name, folder, questions)


def given(folder: Path) -> Asked:
    """A folder of documents with `questions.txt` in it, one question a line."""
    lines = (folder / "questions.txt").read_text("utf-8").splitlines()
    return Asked(folder.name, folder, tuple(line.strip() for line in lines if line.strip()))


def _documents(bench: Path, name: str) -> list[tuple[str, str]]:
    """(title, text) of a public set; none when it is not there."""
    if name == "ramdocs":
        return _ramdocs(bench / "contradiction" / "ramdocs_dev.jsonl")
    path = bench / "retrieval" / name / "corpus.jsonl"
    rows = (json.loads(line) for line in path.read_text("utf-8").splitlines()) if path.exists() else ()
    return [(" ".join(row.get("title", "").split()), row["text"]) for row in rows]


def _ramdocs(path: Path) -> list[tuple[str, str]]:
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    rows = [json.loads(line) for line in lines]
    return [("", document["text"]) for row in rows for document in row["documents"]]


def _write(folder: Path, documents: Sequence[tuple[str, str]], questions: Sequence[str]) -> None:
    """Files of the documents nearest to any of the questions, named by their place in the set."""
    folder.mkdir(parents=True, exist_ok=True)
    held = [stems(f"{title} {title} {text}") for title, text in documents]
    weight = rarity(held)
    chosen = sorted({place for question in questions for place in nearest(question, held, weight, DOCUMENTS)})
    for place in chosen:
        title, text = documents[place]
        (folder / f"{place:05d}.md").write_text(f"# {title}\n\n{text}\n" if title else f"{text}\n", "utf-8")


def nearest(question: str, held: Sequence[Sequence[str]], weight: Mapping[str, float], most: int) -> list[int]:
    """Places of the documents (their stems) that share most of the question's rarer words, the nearest first."""
    wanted = set(stems(question))
    counts = [Counter(one for one in words if one in wanted) for words in held]
    scores = [sum(weight[one] * min(3, words[one]) for one in sorted(words)) for words in counts]
    return sorted(range(len(held)), key=lambda place: (-round(scores[place], 6), place))[:most]


def rarity(held: Sequence[Sequence[str]]) -> dict[str, float]:
    """Weight of each stem: rare among the documents counts more."""
    counts = Counter(one for words in held for one in set(words))
    return {one: math.log(1 + len(held) / count) for one, count in counts.items()}
