"""Question types: over our own hand-labelled questions, in halves by hash; then TREC's through a stated mapping.

The questions of benchmarks/questions.jsonl were written and labelled before the rules were looked at. The rules are
worked on with the *tuning* half alone; the other half is *held out* and is the figure that counts. `--data FILE` takes
a file of {"text", "label"} rows with labels of the product, or with TREC's COARSE:fine labels.
"""

import hashlib
import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.options import Options, Row, at_least, shown
from workflows.research.understand import read_question

AIM = 0.90
OWN = Path(__file__).parent / "questions.jsonl"
TYPES = ("person", "organisation", "concept", "comparison", "technical", "claim_check", "general")
# TREC's labels in the product's types. TREC asks for short answers ("What is the capital of Peru?"), which are all
# general here; a definition is a concept, a manner is technical.
TREC = {
    "HUM:ind": "person",
    "HUM:desc": "person",
    "HUM:title": "person",
    "HUM:gr": "organisation",
    "DESC:def": "concept",
    "ABBR:exp": "concept",
    "DESC:manner": "technical",
}
_RESAMPLED = 1000

Labelled = tuple[str, str]


def run(options: Options) -> list[Row]:
    """Rows of figures; the bar is on the held-out half of our own questions."""
    if options.data:
        return _other("given", _load(options.data))
    rows = _load(OWN)
    held = [row for row in rows if held_out(row[0])]
    tuning = [row for row in rows if not held_out(row[0])]
    low, high = interval(held)
    figures = [
        shown("our questions", len(rows)),
        shown("tuning half, right (rules were worked on with these)", round(accuracy(tuning), 3), f"/{len(tuning)}"),
        at_least(f"held-out half, right, of {len(held)}", accuracy(held), "", AIM),
        shown("held-out half, 95% interval", f"{low:.3f}-{high:.3f}"),
        shown("always the commonest type, held-out half", round(majority(held), 3)),
        *confusion("held out", held),
    ]
    trec = options.shared / "bench" / "questions" / "trec_train.jsonl" if options.shared else None
    return figures + (_other("trec_train", _load(trec)) if trec and trec.is_file() else [])


def held_out(text: str) -> bool:
    """Which half a question belongs to: by its text alone, so that it stays where it is when others are added."""
    return hashlib.sha256(text.encode()).digest()[-1] % 2 == 1


def _load(path: Path) -> list[Labelled]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [(row["text"], _mapped(row["label"])) for row in rows]


def _mapped(label: str) -> str:
    return TREC.get(label, "general") if ":" in label else label


def _other(name: str, rows: Sequence[Labelled]) -> list[Row]:
    """Figures without a bar, for questions whose labels are not ours."""
    return [
        shown(f"{name}: questions", len(rows)),
        shown(f"{name}: right, through the stated mapping", round(accuracy(rows), 3)),
        shown(f"{name}: always the commonest type", round(majority(rows), 3)),
        *confusion(name, rows),
    ]


def accuracy(rows: Sequence[Labelled]) -> float:
    """Share of the questions whose type is read as labelled."""
    return sum(read_question(text).query_type == label for text, label in rows) / max(1, len(rows))


def majority(rows: Sequence[Labelled]) -> float:
    """What one gets by always saying the commonest label."""
    return max(Counter(label for _, label in rows).values(), default=0) / max(1, len(rows))


def interval(rows: Sequence[Labelled]) -> tuple[float, float]:
    """95% bootstrap interval of the accuracy, with a fixed seed."""
    right = [read_question(text).query_type == label for text, label in rows]
    draw = random.Random(1)
    means = sorted(sum(draw.choices(right, k=len(right))) / max(1, len(right)) for _ in range(_RESAMPLED))
    return means[int(0.025 * _RESAMPLED)], means[int(0.975 * _RESAMPLED) - 1]


def confusion(name: str, rows: Sequence[Labelled]) -> list[Row]:
    """One row a labelled type: how many were read as what, the right ones first."""
    found: dict[str, Counter[str]] = {kind: Counter() for kind in TYPES}
    for text, label in rows:
        found[label][read_question(text).query_type] += 1
    table = []
    for kind in TYPES:
        counts = found[kind]
        wrong = ", ".join(f"{count} {other}" for other, count in sorted(counts.items()) if other != kind)
        total = sum(counts.values())
        if total:
            table.append(shown(f"{name}: {kind}", f"{counts[kind]}/{total}", f"  {wrong}" if wrong else ""))
    return table
