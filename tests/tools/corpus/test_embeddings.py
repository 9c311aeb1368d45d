"""Embeddings: sensible neighbours from the packaged model, and a clear sentence when it is absent or damaged."""

import sys
from pathlib import Path

import pytest

from tools.errors import ModelError
from tools.index.vectors import embeddings
from tools.index.vectors.embeddings import DIMENSIONS, Embedder, MiniLM, find


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    """The packaged model; skips where the extra is not installed."""
    found = find()
    if found.embedder is None:
        pytest.skip(found.problem or "no embeddings")
    return found.embedder


def test_texts_that_mean_the_same_are_near(embedder: Embedder) -> None:
    vectors = embedder.embed(
        [
            "How high is the Eiffel Tower?",
            "The famous iron tower in Paris reaches 330 metres.",
            "The Louvre is a museum in Paris.",
            "Cats hunt mice at night.",
        ]
    )
    assert vectors.shape == (4, DIMENSIONS)
    near, middle, far = (float(vectors[0] @ vectors[i]) for i in (1, 2, 3))
    assert near > middle > far
    assert near > 0.6 and far < 0.2
    assert all(abs(float(v @ v) - 1) < 1e-5 for v in vectors)


def test_a_vector_hardly_depends_on_what_else_is_in_the_batch(embedder: Embedder) -> None:
    texts = ["A cat.", "The tide is caused by the moon, which pulls at the sea.", "", "x" * 4000]
    together = embedder.embed(texts)
    alone = [embedder.embed([text])[0] for text in texts]
    assert all(float(one @ other) > 0.98 for one, other in zip(together, alone, strict=True))


def test_no_text_gives_no_vector(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, DIMENSIONS)


def test_finding_the_model_imports_nothing_heavy() -> None:
    before = set(sys.modules)
    find()
    assert not {"numpy", "onnxruntime", embeddings.PACKAGE} & (set(sys.modules) - before)


def test_a_missing_extra_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "PACKAGE", "no_such_package_here")
    found = find()
    assert found.embedder is None
    assert found.problem and "zorora[embeddings]" in found.problem


def test_a_missing_model_file_is_a_sentence(tmp_path: Path) -> None:
    found = find(tmp_path / "mine.onnx")
    assert found.embedder is None and found.problem and "mine.onnx" in found.problem
    assert str(tmp_path) not in found.problem


def test_a_damaged_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(ModelError, match="damaged"):
        MiniLM(tmp_path / "model.onnx").embed(["text"])


def test_a_file_that_is_no_model_is_refused(tmp_path: Path, embedder: Embedder) -> None:
    (tmp_path / "own.onnx").write_bytes(b"not a model")
    own = find(tmp_path / "own.onnx").embedder
    named = find(tmp_path / "own.onnx", "tuned in May").embedder
    assert own and named and len({own.model, named.model, embedder.model}) == 3
    with pytest.raises(ModelError, match="could not be opened"):
        own.embed(["text"])
