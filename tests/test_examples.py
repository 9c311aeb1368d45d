"""The example documents agree, contradict and copy each other as tests/data/examples_expected.json says."""

import json
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from benchmarks.make_examples import MADE, TEXTS, WRITERS, read
from tools.corpus.parse_pool import ParsePool
from tools.research.source import make_source
from tools.text.sentences import spans
from tools.text.tokens import shingles, words
from tools.trust.contradict import DIRECT, clash
from tools.trust.statement import analyse
from tools.trust.verify import SUPPORT, RuleVerifier
from tools.trust.voices import Supporter, voices
from tools.trust.worth import worth_citing

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
EXPECTED = json.loads((Path(__file__).resolve().parent / "data/examples_expected.json").read_text(encoding="utf-8"))
CLAIMS = [*EXPECTED["agreements"], *(side for one in EXPECTED["contradictions"] for side in one["sides"])]


@pytest.fixture(scope="module")
def texts() -> Iterator[Mapping[str, str]]:
    """Text of every example by its path below examples/."""
    pool = ParsePool(workers=1)
    paths = sorted(path for path in EXAMPLES.rglob("*") if path.is_file() and path.parent != EXAMPLES)
    yield {str(p.relative_to(EXAMPLES)): pool.parse(p.read_bytes(), name=p.name).text for p in paths}
    pool.close()


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in spans(text)]


def support(claim: str, text: str) -> str | None:
    """The passage that supports the claim, or None."""
    judged = RuleVerifier().judge(claim, text)
    return text[judged.start : judged.end] if judged.label == SUPPORT and judged.score >= 0.6 else None


def test_there_are_enough_documents_in_several_formats(texts: Mapping[str, str]) -> None:
    assert len(texts) >= 12
    formats = {Path(name).suffix for name in texts}
    assert formats == {".md", ".txt", ".html", ".csv", ".json", ".docx", ".pdf", ".epub"}
    assert all(150 <= len(text.split()) <= 700 for text in texts.values())
    assert all("nvented example data" in text for text in texts.values())


def test_made_documents_are_those_in_the_folder() -> None:
    for name, target, day in MADE:
        blocks = list(read((TEXTS / f"{name}.md").read_text(encoding="utf-8")))
        assert WRITERS[Path(target).suffix](blocks, day) == (EXAMPLES / target).read_bytes(), target


def test_every_document_is_described(texts: Mapping[str, str]) -> None:
    described = (ROOT / "docs" / "examples.md").read_text(encoding="utf-8")
    assert [name for name in texts if Path(name).name not in described] == []


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["figure"])
def test_claims_have_their_supporters_and_voices(claim: dict[str, Any], texts: Mapping[str, str]) -> None:
    passages = {name: passage for name, text in texts.items() if (passage := support(claim["claim"], text))}
    assert sorted(passages) == claim["documents"]
    supporters = [
        Supporter(
            make_source(f"local://{name}", name, source_type="local", document_id=name, snapshot_id=name), passage
        )
        for name, passage in passages.items()
    ]
    found = voices(supporters, lambda name: shingles(words(texts[name]), 5), str, lambda domain: False)
    assert len(found) == claim["voices"]


def test_there_are_exactly_two_contradictions(texts: Mapping[str, str]) -> None:
    said = [(name, one) for name, text in texts.items() for one in sentences(text) if worth_citing(one)]
    found = set()
    for (first, a), (second, b) in combinations(said, 2):
        clashing = clash(analyse(a), analyse(b)) if first != second else None
        if clashing and clashing.nature == DIRECT:
            found.add(clashing.values)
    assert found == {(1.0, 9.0), (1.2, 4.1)}


def test_there_is_exactly_one_near_copy(texts: Mapping[str, str]) -> None:
    parts = {name: shingles(words(text), 5) for name, text in texts.items()}
    copies = [[a, b] for a, b in combinations(sorted(parts), 2) if _overlap(parts[a], parts[b]) >= 0.8]
    assert copies == EXPECTED["near_copies"]


def _overlap(a: frozenset[tuple[str, ...]], b: frozenset[tuple[str, ...]]) -> float:
    return len(a & b) / min(len(a), len(b))
