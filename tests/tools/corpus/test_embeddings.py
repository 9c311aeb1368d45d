"""Embeddings: sensible neighbours from the packaged model, and a clear sentence when it is absent
or damaged."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tools.errors import ModelError
from tools.index.vectors import embeddings
from tools.index.vectors.embeddings import DIMENSIONS, METADATA, Embedder, OnnxEmbedder, find


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    """The packaged model; skips where the extra is not installed."""
    model = find()
    if model.embedder is None:
        pytest.skip(model.problem or "no embeddings")
    return model.embedder


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
    assert near > 0.5 and far < 0.15
    assert all(abs(float(v @ v) - 1) < 1e-5 for v in vectors)


def test_a_vector_hardly_depends_on_what_else_is_in_the_batch(embedder: Embedder) -> None:
    texts = ["A cat.", "The tide is caused by the moon, which pulls at the sea.", "", "x" * 4000]
    together = embedder.embed(texts)
    alone = [embedder.embed([text])[0] for text in texts]
    assert all(float(vector @ other) > 0.98 for vector, other in zip(together, alone, strict=True))


def test_no_text_gives_no_vector(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, DIMENSIONS)


def test_a_query_has_another_vector_than_a_text_of_the_same_words(embedder: Embedder) -> None:
    passages = embedder.embed(["The tower is 330 metres high.", "The tower is open on Sundays."])
    (query_vector,), (text,) = (
        embedder.embed(["How high is the tower?"], queries=kind) for kind in (True, False)
    )
    assert 0.5 < float(query_vector @ text) < 0.999
    assert float(query_vector @ passages[0]) > float(query_vector @ passages[1])


def hidden_states(path: Path, recipe: str = "") -> Path:
    """Writes a model whose every token has the state (number of the token, 1, 0 ... 0)."""
    nodes = [
        helper.make_node("Cast", ["input_ids"], ["number"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["number", "last"], ["wide"]),
        helper.make_node("Pad", ["wide", "one_more", "one"], ["two"]),
        helper.make_node("Pad", ["two", "the_rest", "zero"], ["states"]),
    ]
    constants = {
        "last": np.array([-1]), "one": np.array(1, np.float32), "zero": np.array(0, np.float32),
        "one_more": np.array([0, 0, 0, 0, 0, 1]),
        "the_rest": np.array([0, 0, 0, 0, 0, DIMENSIONS - 2]),
    }  # fmt: skip
    graph = helper.make_graph(
        nodes,
        "states",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["b", "l"])],
        [helper.make_tensor_value_info("states", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    if recipe:
        helper.set_model_props(model, {METADATA: recipe})
    onnx.save(model, path)
    return path


def recipe(pooling: str = "cls", mean: Sequence[float] = ()) -> str:
    return json.dumps({"pooling": pooling, "query": "[UNK] ", "mean": list(mean)})


def direction(vector: Any) -> float:
    """The first number of a vector over its second."""
    return float(vector[0] / vector[1])


def test_a_file_says_how_its_vectors_are_made(tmp_path: Path) -> None:
    first, mean = (
        OnnxEmbedder(hidden_states(tmp_path / f"{pooling}.onnx", recipe(pooling)), None)
        for pooling in ("cls", "mean")
    )
    plain = OnnxEmbedder(hidden_states(tmp_path / "plain.onnx"), None)
    cls, sep, blue = 101, 102, 2630
    assert direction(first.embed(["blue"])[0]) == pytest.approx(cls)
    for model in (mean, plain):
        assert direction(model.embed(["blue"])[0]) == pytest.approx((cls + blue + sep) / 3)
    assert direction(mean.embed(["blue"], queries=True)[0]) != direction(mean.embed(["blue"])[0])
    assert direction(plain.embed(["blue"], queries=True)[0]) == direction(plain.embed(["blue"])[0])


def test_the_mean_of_unrelated_texts_is_taken_off(tmp_path: Path) -> None:
    off = [0.0, -1.0, *[0.0] * (DIMENSIONS - 2)]
    model = OnnxEmbedder(hidden_states(tmp_path / "off.onnx", recipe(mean=off)), None)
    length = (101**2 + 1) ** 0.5
    assert direction(model.embed(["blue"])[0]) == pytest.approx((101 / length) / (1 / length + 1))


@pytest.mark.parametrize("stated", ["[]", "{}", "no JSON", recipe("max"), recipe(mean=[1.0])])
def test_a_file_that_says_nothing_of_use_is_refused(tmp_path: Path, stated: str) -> None:
    with pytest.raises(
        ModelError, match="does not say how its vectors are made; semantic search is off"
    ):
        OnnxEmbedder(hidden_states(tmp_path / "odd.onnx", stated), None).embed(["blue"])


def test_finding_the_model_imports_nothing_heavy() -> None:
    before = set(sys.modules)
    find()
    assert not {"numpy", "onnxruntime"} & (set(sys.modules) - before)


def test_a_missing_extra_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings.importlib.util, "find_spec", lambda name: None)
    model = find()
    assert model.embedder is None
    assert model.problem and "zorora[embeddings]" in model.problem


def test_a_missing_model_file_is_a_sentence(tmp_path: Path) -> None:
    model = find(tmp_path / "mine.onnx")
    assert model.embedder is None and model.problem and "mine.onnx" in model.problem
    assert str(tmp_path) not in model.problem


def test_a_damaged_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(ModelError, match="damaged"):
        OnnxEmbedder(tmp_path / "model.onnx").embed(["text"])


def test_a_file_that_is_no_model_is_refused(tmp_path: Path, embedder: Embedder) -> None:
    (tmp_path / "own.onnx").write_bytes(b"not a model")
    plain_embedder = find(tmp_path / "own.onnx").embedder
    tuned_embedder = find(tmp_path / "own.onnx", "tuned in May").embedder
    assert (
        plain_embedder
        and tuned_embedder
        and len({plain_embedder.model, tuned_embedder.model, embedder.model}) == 3
    )
    with pytest.raises(ModelError, match="could not be opened"):
        plain_embedder.embed(["text"])
