"""The example documents are those that docs/examples.md describes, and copy each other as the test
data says."""

import json
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path

import pytest

from benchmarks.make_examples import MADE, TEXTS, WRITERS, read
from tools.documents.parse_pool import ParsePool
from tools.judging.restatement import is_copy

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
EXPECTED = json.loads(
    (Path(__file__).resolve().parent / "data/examples_expected.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def texts() -> Iterator[Mapping[str, str]]:
    """Text of every example by its path below examples/."""
    pool = ParsePool(workers=1)
    paths = sorted(
        path for path in EXAMPLES.rglob("*") if path.is_file() and path.parent != EXAMPLES
    )
    yield {
        str(p.relative_to(EXAMPLES)): pool.parse(p.read_bytes(), name=p.name).text for p in paths
    }
    pool.close()


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


def test_there_is_exactly_one_near_copy(texts: Mapping[str, str]) -> None:
    copies = [[a, b] for a, b in combinations(sorted(texts), 2) if is_copy(texts[a], texts[b])]
    assert copies == EXPECTED["near_copies"]
