"""Sentence embeddings on the CPU: bge-small-en-v1.5 (int8, ONNX), which the program brings; or a
model of your own.

Nothing is downloaded. Nothing heavy is imported before the first text is embedded. Without the
packages of the `embeddings` extra, `find` gives no embedder and says why, and search is lexical. A
vector has 384 numbers and length 1, so a dot product is a cosine.

The model: BAAI/bge-small-en-v1.5 (MIT). Its cosines of unrelated texts lie around 0.44; the mean
vector of unrelated texts is taken off each vector, so that they lie around 0 (Mu and Viswanath
2018, "All-but-the-Top", the first step).
"""

import importlib.util
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

from tools.errors import ModelError
from tools.index.vectors.wordpiece import CLS, SEP, UNKNOWN, WordPiece, read_vocabulary
from tools.onnx_model import OnnxModel
from tools.translation.gloss import gloss, query_languages, text_languages

SHA256 = "b78b3a6f491276744a66027c050b7238a1c2655f6b31ffb36abbb78e019bc407"
FILE = "embedder.onnx"
SHIPPED = "bge-small-en-v1.5"
MODEL = f"{SHIPPED}-int8-glossed"
METADATA = "zorora.embedder"  # what a file says of itself: JSON with pooling, query and mean
DIMENSIONS = 384
MAX_TOKENS = 256  # more is cut
BATCH = 1  # on a CPU one text at a time takes a sixth less than four, and the least memory


class Embedder(Protocol):
    """What turns texts into vectors. `model` names it beside every stored vector: vectors of two
    models never meet."""

    @property
    def model(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str], *, queries: bool = False) -> Any:
        """A float32 array (number of texts, dimensions), rows of length 1. Raises ModelError.

        queries: whether the texts are what is searched for, not what is found.
        """


@dataclass(frozen=True, slots=True)
class Found:
    """An embedder, or the sentence that says why there is none."""

    embedder: Embedder | None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class _Recipe:
    """How a model makes one vector of a text.

    pooling: "cls" or "mean" of the last hidden states. query: what stands before a query. mean: of
    unrelated texts.
    """

    pooling: str = "mean"
    query: str = ""
    mean: Sequence[float] = ()


def find(
    model_path: Path | None = None,
    name: str = "",
    *,
    threads: int = 2,
    batch: int = BATCH,
    device: str = "cpu",
) -> Found:
    """The embedder of this installation; costs no import of a library.

    model_path: an ONNX file of the user's own with the inputs of BERT, or the folder of model.onnx
    and vocab.txt. name: what the user calls that model; vectors made under another name are not its
    own. device: cpu or cuda (which needs a build of onnxruntime with CUDA; without one the CPU is
    used).
    """
    if any(importlib.util.find_spec(package) is None for package in ("numpy", "onnxruntime")):
        return Found(
            None,
            "Search is by words alone. To search by meaning as well: "
            "pip install 'zorora[embeddings]'.",
        )
    path = model_path or Path(str(files("tools.data").joinpath(FILE)))
    if path.is_dir():
        path = path / "model.onnx"
    if not path.is_file():
        return Found(None, f"Search is by words alone: the model file {path.name} is not there.")
    embedder = OnnxEmbedder(
        path, None if model_path else SHA256, threads=threads, batch=batch, device=device
    )
    if model_path and name not in ("", SHIPPED):
        embedder.model += f":{name}"
    return Found(embedder)


class OnnxEmbedder:
    """One ONNX session, opened with the first text and shared by all threads."""

    def __init__(
        self,
        path: Path,
        digest: str | None = SHA256,
        *,
        threads: int = 2,
        batch: int = BATCH,
        device: str = "cpu",
    ) -> None:
        self.model = MODEL if digest == SHA256 else f"onnx:{path.name}:{path.stat().st_size}"
        self.dimensions = DIMENSIONS
        self._knows_english_alone = digest == SHA256
        self._path, self._batch = path, max(1, batch)
        self._onnx = OnnxModel(
            path,
            {path: digest} if digest else None,
            name="embedding model",
            consequence="semantic search is off",
            threads=threads,
            providers=["CUDAExecutionProvider"] * (device == "cuda") + ["CPUExecutionProvider"],
        )
        self._lock = threading.Lock()
        self._recipe = _Recipe()
        self._tokens: WordPiece | None = None

    def embed(self, texts: Sequence[str], *, queries: bool = False) -> Any:
        """See Embedder."""
        import numpy as np

        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        with self._lock:  # the session uses all its threads already
            self._open()
            assert self._tokens is not None
            before = self._recipe.query if queries else ""
            if self._knows_english_alone:
                languages = query_languages if queries else text_languages
                texts = [gloss(text, languages(text)).text for text in texts]
            encoded = [self._tokens.encode(before + text, MAX_TOKENS) for text in texts]
            order = sorted(range(len(texts)), key=lambda i: len(encoded[i]))
            for at in range(0, len(order), self._batch):
                rows = order[at : at + self._batch]
                vectors[rows] = self._run([encoded[i] for i in rows], np)
        return vectors

    def _run(self, batch: list[list[int]], np: Any) -> Any:
        outputs, mask = self._onnx.run(batch)
        hidden = outputs[0]
        if self._recipe.pooling == "cls":
            pooled = hidden[:, 0]
        else:
            weight = mask[:, :, None].astype(np.float32)
            pooled = (hidden * weight).sum(axis=1) / weight.sum(axis=1)
        if pooled.shape[1] != self.dimensions or not np.isfinite(pooled).all():
            raise self._onnx.error("gave no usable vectors")
        if len(self._recipe.mean):
            pooled = _unit(pooled, np) - np.array(self._recipe.mean, dtype=np.float32)
        return _unit(pooled, np)

    def _open(self) -> None:
        if self._tokens is not None:
            return
        self._recipe = self._read_recipe()
        beside = self._path.with_name("vocab.txt")
        vocabulary = read_vocabulary(beside if beside.is_file() else None)
        if not {CLS, SEP, UNKNOWN} <= set(vocabulary):
            raise ModelError(
                "The vocab.txt beside the embedding model is "
                "not one of BERT; semantic search is off."
            )
        self._tokens = WordPiece(vocabulary)

    def _read_recipe(self) -> _Recipe:
        """What the file says of itself; means of all hidden states where it says nothing. Raises
        ModelError."""
        recipe_text = self._onnx.metadata().get(METADATA)
        if not recipe_text:
            return _Recipe()
        try:
            table = json.loads(recipe_text)
            recipe = _Recipe(
                str(table["pooling"]), str(table["query"]), tuple(map(float, table["mean"]))
            )
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise self._onnx.error("does not say how its vectors are made") from error
        if recipe.pooling not in ("cls", "mean") or len(recipe.mean) not in (0, self.dimensions):
            raise self._onnx.error("does not say how its vectors are made")
        return recipe


def _unit(vectors: Any, np: Any) -> Any:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
