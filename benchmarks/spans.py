"""Is a sentence that supports a claim among the first three that the reader of sentences ranks?
Part of `retrieval`.

wice_dev: {claim, evidence: sentences of the cited article, support_sets: [[numbers]]}. Claims
without a supporting sentence cannot be asked.
"""

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.options import Options, Row, no_data
from tools.reading.features import FeatureReader
from tools.reading.reader import Candidate
from tools.text.tokens import stem, stems

FLOOR, AIM, FIRST = 0.93, 0.97, 3


def rows(options: Options) -> list[Row]:
    """A row for wice_dev where it is there, by the words alone."""
    file = (options.shared or Path("nowhere")) / "bench" / "verification" / "wice_dev.jsonl"
    if not file.is_file():
        return [no_data("claims of WiCE")]
    claims = [
        claim
        for line in file.read_text("utf-8").splitlines()
        if any((claim := json.loads(line))["support_sets"])
    ]
    value = round(sum(map(_is_first, claims)) / max(1, len(claims)), 4)
    return [
        Row(
            what=f"a gold sentence in the first {FIRST}, wice_dev", value=value, unit="",
            bar=f">= {FLOOR:g}, aim {AIM:g}", ok=value >= FLOOR,
        )
    ]  # fmt: skip


def _is_first(claim: dict[str, Any]) -> bool:
    gold = {number for numbers in claim["support_sets"] for number in numbers}
    sentences = claim["evidence"]
    spread = Counter(term for sentence in sentences for term in set(stems(sentence)))
    reader = FeatureReader(lambda word: math.log(1 + len(sentences) / (1 + spread[stem(word)])))
    scores = [
        reading.score
        for reading in reader.read(
            claim["claim"], [Candidate(text) for text in sentences], units=True
        )
    ]
    best = sorted(range(len(scores)), key=lambda at: (-scores[at], at))[:FIRST]
    return bool(gold & set(best))
