"""Is a sentence that supports a claim among the first three sentences that ranking gives? Part of `retrieval`.

wice_dev: {claim, evidence: sentences of the cited article, support_sets: [[numbers]]}. Claims without a supporting
sentence cannot be asked. How long a neighbour and a sentence count was chosen on the half of the claims with an even
hash; both halves are shown.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from benchmarks.options import Options, Row, shown
from tools.corpus.embeddings import Embedder
from tools.text.rank import best_sentences

FLOOR, AIM, FIRST = 0.93, 0.97, 3


def rows(options: Options, embedder: Embedder | None) -> list[Row]:
    """Rows for wice_dev where it is there, words alone and with embeddings (these take minutes the first time)."""
    file = (options.shared or Path("nowhere")) / "bench" / "verification" / "wice_dev.jsonl"
    if not file.is_file():
        return []
    claims = [
        claim for line in file.read_text("utf-8").splitlines() if any((claim := json.loads(line))["support_sets"])
    ]
    found = _row("lexical", claims, None)
    if embedder is None or options.quick:
        return found
    return [*found, *_row("with embeddings", claims, embedder)]


def _row(how: str, claims: list[dict[str, Any]], embedder: Embedder | None) -> list[Row]:
    hits = [_found(claim, embedder) for claim in claims]
    halves = [int(hashlib.sha256(claim["claim"].encode()).hexdigest(), 16) % 2 for claim in claims]
    shares = [_share([hit for hit, half in zip(hits, halves, strict=True) if half == which]) for which in (0, 1)]
    value = round(_share(hits), 4)
    return [
        Row(
            what=f"a gold sentence in the first {FIRST}, wice_dev, {how}", value=value, unit="",
            bar=f">= {FLOOR:g}, aim {AIM:g}", ok=value >= FLOOR,
        ),
        shown(f"  wice_dev, {how}: half it was chosen on, other half", " ".join(f"{share:.4f}" for share in shares)),
    ]  # fmt: skip


def _found(claim: dict[str, Any], embedder: Embedder | None) -> bool:
    gold = {number for numbers in claim["support_sets"] for number in numbers}
    best = best_sentences(claim["claim"], claim["evidence"], FIRST, embedder.embed if embedder else None)
    return bool(gold & set(best))


def _share(hits: list[bool]) -> float:
    return sum(hits) / max(1, len(hits))
