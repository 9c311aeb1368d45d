"""One model in an ONNX file with the inputs of BERT: checked against its sha256, opened once, run
by any thread."""

import hashlib
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.errors import ModelError
from tools.native import native_call

_INPUTS = {"input_ids", "attention_mask", "token_type_ids"}


class OnnxModel:
    """The session of an ONNX file; nothing is read or imported before `open`.

    name, consequence: how errors speak of it ("The embedding model could not be opened; semantic
    search is off."). sums: the sha256 that the file, and others that it takes weights from, must
    have.
    """

    def __init__(
        self,
        path: Path,
        sums: Mapping[Path, str] | None = None,
        *,
        name: str,
        consequence: str,
        threads: int = 2,
        providers: Sequence[str] = ("CPUExecutionProvider",),
    ) -> None:
        self.path, self._sums, self._threads, self._providers = path, sums or {}, threads, providers
        self._name, self._consequence = name, consequence
        self._opening = threading.Lock()
        self._session: Any = None
        self._inputs: tuple[str, ...] = ()

    def open(self) -> None:
        """Reads the file. ModelError when it is damaged, no model, or one of another shape."""
        with self._opening:
            if self._session is None:
                self._check()
                self._session = self._opened()

    def run(
        self, batch: Sequence[Sequence[int]], segments: Sequence[int] | None = None
    ) -> tuple[list[Any], Any]:
        """The outputs for rows of token ids, and the mask of the tokens that are no padding.

        segments: for each row how many of its tokens belong to the first of two texts (none: there
        is one text).
        """
        import numpy as np

        self.open()
        ids = np.zeros((len(batch), max(map(len, batch))), dtype=np.int64)
        mask, kinds = np.zeros_like(ids), np.zeros_like(ids)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
            if segments is not None:
                kinds[row, segments[row] : len(tokens)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": kinds}
        try:
            with native_call():
                return self._session.run(None, {name: inputs[name] for name in self._inputs}), mask
        except runtime_faults() as error:
            raise self.error("failed") from error

    def metadata(self) -> dict[str, str]:
        """What the file says of itself."""
        self.open()
        return dict(self._session.get_modelmeta().custom_metadata_map)

    def error(self, fault: str) -> ModelError:
        """What to raise: the sentence names the model and what is off without it."""
        return ModelError(f"The {self._name} {fault}; {self._consequence}.")

    def _opened(self) -> Any:
        import onnxruntime as ort

        options = ort.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        # Without these the process would keep the memory of its largest batch, and spin while it
        # waits
        options.enable_cpu_mem_arena = False
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            usable = [name for name in self._providers if name in ort.get_available_providers()]
            with native_call():
                session = ort.InferenceSession(str(self.path), options, providers=usable)
        except runtime_faults() as error:
            raise self.error("could not be opened") from error
        self._inputs = tuple(entry.name for entry in session.get_inputs())
        if not set(self._inputs) <= _INPUTS:
            raise self.error("has other inputs than BERT")
        return session

    def _check(self) -> None:
        for path in {self.path: None, **self._sums}:
            try:
                with path.open("rb") as file:
                    wanted = self._sums.get(path)
                    if wanted and hashlib.file_digest(file, "sha256").hexdigest() != wanted:
                        raise self.error("is damaged (its sha256 differs)")
            except OSError as error:
                raise self.error(f"cannot be read ({error.strerror})") from error


def runtime_faults() -> tuple[type[Exception], ...]:
    """The errors of the runtime; they share no base below Exception."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    names = (
        "Fail InvalidArgument InvalidGraph InvalidProtobuf NoSuchFile NotImplemented "
        "RuntimeException"
    ).split()
    return (
        RuntimeError,
        ValueError,
        *(getattr(state, name) for name in names if hasattr(state, name)),
    )
