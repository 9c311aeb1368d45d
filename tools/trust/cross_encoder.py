"""A cross-encoder of the user's own, in ONNX, as the verifier: it reads passage and claim together.

A folder with model.onnx, vocab.txt (WordPiece of BERT, uncased) and config.json, whose `id2label` says which output is
support: entailment / contradiction / neutral of natural-language inference, or supported / not supported, in any order.
A model with one output gives the chance of support. Numbers, dates, units and names are still held against the
passage by rules: what has no counterpart there is not supported, whatever the model says.
"""

import json
import math
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.corpus.wordpiece import CLS, SEP, UNKNOWN, WordPiece, read_vocabulary
from tools.errors import ModelError
from tools.native import native_call
from tools.trust.comparison import Comparison
from tools.trust.differences import DATE, NAME, NUMBER, UNIT, differences
from tools.trust.verify import LONGEST, Judgement, verbatim
from tools.trust.weights import CONTRADICT, NEITHER, SUPPORT

MAX_TOKENS = 384
_SPANS = 3  # passages of a text that the model reads
_KEPT = (NUMBER, UNIT, DATE, NAME)
_MEANINGS = {
    "entailment": SUPPORT, "entail": SUPPORT, "support": SUPPORT, "supports": SUPPORT, "supported": SUPPORT,
    "consistent": SUPPORT, "true": SUPPORT, "yes": SUPPORT,
    "contradiction": CONTRADICT, "contradict": CONTRADICT, "contradicts": CONTRADICT, "refutes": CONTRADICT,
    "refuted": CONTRADICT, "false": CONTRADICT,
    "neutral": NEITHER, "neither": NEITHER, "not_entailment": NEITHER, "not supported": NEITHER,
    "not_supported": NEITHER, "unsupported": NEITHER, "inconsistent": NEITHER, "not enough info": NEITHER,
    "not_enough_info": NEITHER, "no": NEITHER,
}  # fmt: skip


class CrossEncoder:
    """A verifier (tools/trust/verify.py) over one ONNX session; safe to use from several threads."""

    def __init__(self, path: Path, *, threads: int = 2) -> None:
        """path: the folder, or the .onnx file in it. Opens the model and tries it once. Raises ModelError."""
        self._file = path / "model.onnx" if path.is_dir() else path
        self.name = f"onnx {self._file.parent.name}"
        if not self._file.is_file():
            raise ModelError(
                f"The verifier model is not there: {self._file}. Set verification.model to a folder with model.onnx, "
                "vocab.txt and config.json, or leave it empty for the built-in rules."
            )
        self._labels = _labels(self._file.with_name("config.json"))
        self._tokens = _tokenizer(self._file.with_name("vocab.txt"))
        self._lock = threading.Lock()
        self._session = _open(self._file, threads)
        self._inputs = {entry.name for entry in self._session.get_inputs()}
        if not self._inputs <= {"input_ids", "attention_mask", "token_type_ids"}:
            raise ModelError(
                f"The verifier model {self._file} has other inputs than BERT: {', '.join(sorted(self._inputs))}."
            )
        self.chances("A claim.", "A passage.")

    def judge(self, claim: str, passage: str, context: str = "") -> Judgement:
        """See Verifier. The model reads the likeliest passages; the one that says most decides."""
        comparison = Comparison(claim, passage[:LONGEST])
        if not comparison.wanted or not comparison.lines:
            return Judgement(NEITHER, 0.0, ("there is nothing to compare",), verifier=self.name)
        exact = verbatim(comparison)
        if exact:
            return Judgement(SUPPORT, 1.0, ("the passage contains these very words",), (), *exact, verifier=self.name)
        read = [(self.chances(claim, passage[start:end]), start, end) for start, end in _spans(comparison)]
        chance, start, end = max(read, key=lambda one: (round(max(one[0][SUPPORT], one[0][CONTRADICT]), 6), -one[1]))
        found = tuple(one for one in differences(comparison, context) if one.kind in _KEPT)
        label = max(chance, key=lambda name: (chance[name], name))
        vetoes = tuple(one.text for one in found)
        return Judgement(
            label=NEITHER if found and label == SUPPORT else label, score=chance[SUPPORT],
            reasons=(f"{self.name} reads it as {label}", *vetoes), vetoes=vetoes, start=start, end=end,
            differences=found, against=chance[CONTRADICT], verifier=self.name,
        )  # fmt: skip

    def chances(self, claim: str, passage: str) -> dict[str, float]:
        """Probability of each label, rounded to 6 places. Raises ModelError when the model fails."""
        import numpy as np

        second = self._tokens.encode(claim, MAX_TOKENS // 2)[1:]
        first = self._tokens.encode(passage, MAX_TOKENS - len(second))
        ids = np.array([first + second], dtype=np.int64)
        kinds = np.array([[0] * len(first) + [1] * len(second)], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": kinds}
        try:
            with self._lock, native_call():
                out = self._session.run(None, {name: given[name] for name in self._inputs})[0]
        except _faults() as error:
            raise ModelError(f"The verifier model {self._file} failed on a text.") from error
        row = [float(value) for value in np.asarray(out).reshape(-1)]
        return self._meant(row)

    def _meant(self, row: Sequence[float]) -> dict[str, float]:
        if not all(map(math.isfinite, row)):
            raise ModelError(f"The verifier model {self._file} gave no number.")
        if len(row) == 1:
            chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, row[0]))))
            return {SUPPORT: round(chance, 6), CONTRADICT: 0.0, NEITHER: round(1 - chance, 6)}
        if len(row) != len(self._labels):
            raise ModelError(
                f"The verifier model {self._file} gives {len(row)} numbers, but config.json names {len(self._labels)} "
                "labels (id2label): it must say which of them means support."
            )
        highest = max(row)
        raised = [math.exp(value - highest) for value in row]
        found = {SUPPORT: 0.0, CONTRADICT: 0.0, NEITHER: 0.0}
        for number, value in enumerate(raised):
            found[self._labels[number]] += value / sum(raised)
        return {label: round(value, 6) for label, value in found.items()}


def _spans(comparison: Comparison) -> list[tuple[int, int]]:
    """The span that holds most of the claim, then the best single sentences."""
    lines = comparison.span_lines
    found = [(lines[0].start, lines[-1].end)]
    found += [(comparison.lines[i].start, comparison.lines[i].end) for i in comparison.ranked]
    return list(dict.fromkeys(found))[:_SPANS]


def _labels(path: Path) -> Mapping[int, str]:
    """What each output means, from config.json; empty where there is none."""
    if not path.is_file():
        return {}
    try:
        named = json.loads(path.read_text("utf-8")).get("id2label", {})
        meant = {int(number): _MEANINGS[str(name).lower()] for number, name in named.items()}
    except (ValueError, AttributeError, OSError) as error:
        raise ModelError(f"{path} cannot be read as JSON with an id2label table.") from error
    except KeyError as error:
        raise ModelError(
            f"{path} names the label {error.args[0]!r}; known are {', '.join(sorted(_MEANINGS))}."
        ) from error
    if meant and SUPPORT not in meant.values():
        raise ModelError(f"{path} names no label that means support (entailment, supported).")
    return meant


def _tokenizer(path: Path) -> WordPiece:
    vocabulary = read_vocabulary(path if path.is_file() else None)
    if not {CLS, SEP, UNKNOWN} <= set(vocabulary):
        raise ModelError(f"{path} is not a vocabulary of BERT (one piece a line, [CLS], [SEP] and [UNK] among them).")
    return WordPiece(vocabulary)


def _open(path: Path, threads: int) -> Any:
    try:
        import onnxruntime as ort
    except ImportError as error:
        raise ModelError(
            "A verifier model needs onnxruntime: install it with pip install 'zorora[embeddings]'."
        ) from error
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 4
    options.enable_cpu_mem_arena = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        with native_call():
            return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except _faults() as error:
        raise ModelError(f"{path} could not be opened as an ONNX model.") from error


def _faults() -> tuple[type[Exception], ...]:
    """The errors of the runtime; they share no base below Exception."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    names = "Fail InvalidArgument InvalidGraph InvalidProtobuf NoSuchFile NotImplemented RuntimeException".split()
    return (RuntimeError, ValueError, *(getattr(state, name) for name in names if hasattr(state, name)))
