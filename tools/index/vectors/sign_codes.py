"""Sign codes: the coarse first pass over more vectors than fit in memory as numbers.

A vector becomes the signs of its distances from the mean of the first vectors, one bit a dimension:
48 bytes for 384. A query goes through them in two steps: the codes with the fewest different bits
(Hamming distance), then among these the products of the query itself with the signs. What is left
is compared exactly by the caller. The codes lie in one file beside corpus.db, made anew whenever it
does not fit the database. Numpy is imported only in here, when asked.
"""

import logging
import os
import threading
import zipfile
from functools import reduce
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tools.index.index import Scope
    from tools.index.store import IndexStore  # which makes these

_NEAR = 10_000  # codes that go into the second step
_BLOCK = 16_384  # codes at a time: they stay in the processor's own memory
_WORDS = 3  # of 64 bits, whose differing bits one byte can count
_READ_AT_ONCE = 20_000
_WORTH_SAVING = 10_000  # new codes since the file was written
log = logging.getLogger("zorora.corpus")


class CodeIndex:
    """The codes of one model's vectors. Safe for threads; sees what other processes add and
    remove."""

    def __init__(self, store: "IndexStore", model: str, dimensions: int) -> None:
        self._store, self._model, self._bytes = store, model, dimensions // 8
        self._path = store.db.path.with_name(f"{store.db.path.stem}.codes.npz")
        self._lock = threading.Lock()
        self._cached: _Codes | None = None

    def candidates(self, query: Any, limit: int, scope: "Scope | None") -> list[int]:
        """About the `limit` chunks of the scope (None: of all) nearest to a float32 vector, in no
        order."""
        import numpy as np

        codes = self._current(np)
        rows = np.arange(len(codes.chunks))
        if scope is not None:
            rows = rows[np.isin(codes.texts, np.array(scope.text_ids, dtype=np.int64))]
        if len(rows) > _NEAR:
            query_code = np.packbits(query > codes.mean).view(np.uint64)
            whole = rows if len(rows) < len(codes.chunks) else None
            rows = rows[
                _fewest(np, _distances(np, codes.codes.view(np.uint64), query_code, whole), _NEAR)
            ]
        if len(rows) > limit:
            signs = np.unpackbits(codes.codes[rows], axis=1).astype(np.float32)
            rows = rows[np.argpartition(-(signs @ query), limit - 1)[:limit]]
        return [int(chunk) for chunk in codes.chunks[rows]]

    def _current(self, np: Any) -> "_Codes":
        with self._lock:
            removals = self._store.removals()
            codes = self._cached or self._read(np)
            if codes is None or codes.removals != removals:
                codes = _Codes.empty(np, self._bytes, removals)
            fresh = 0
            while rows := self._store.vectors_after(self._model, codes.last, _READ_AT_ONCE):
                codes = codes.with_rows(np, rows)
                fresh += len(rows)
            self._cached = codes.joined(np)
            if fresh >= _WORTH_SAVING:
                self._write(np, self._cached)
            return self._cached

    def _read(self, np: Any) -> "_Codes | None":
        try:
            with self._path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                if str(arrays["model"]) != self._model or arrays["codes"].shape[1:] != (
                    self._bytes,
                ):
                    return None
                removals, last = (int(number) for number in arrays["state"])
                return _Codes(
                    arrays["mean"],
                    [arrays["codes"]],
                    [arrays["chunks"]],
                    [arrays["texts"]],
                    removals,
                    last,
                )
        except FileNotFoundError:
            return None
        except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as fault:
            log.warning("The codes beside corpus.db cannot be read and are made anew: %s", fault)
            return None

    def _write(self, np: Any, codes: "_Codes") -> None:
        state = np.array([codes.removals, codes.last], dtype=np.int64)
        beside = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        try:
            with beside.open("wb") as file:
                np.savez(
                    file, model=np.array(self._model), state=state, mean=codes.mean,
                    codes=codes.codes,
                    chunks=codes.chunks, texts=codes.texts,
                )  # fmt: skip
            beside.chmod(0o600)
            beside.replace(self._path)
        except (
            OSError
        ) as fault:  # the codes in memory serve this process; the next one makes them again
            log.warning("The codes beside corpus.db cannot be kept: %s", fault)
            beside.unlink(missing_ok=True)


class _Codes:
    """codes: uint8 (n, bytes), rows in the order of their vectors; chunks, texts: int64 (n,); mean:
    float32."""

    def __init__(
        self,
        mean: Any,
        codes: list[Any],
        chunks: list[Any],
        texts: list[Any],
        removals: int,
        last: int,
    ) -> None:
        self.mean, self.removals, self.last = mean, removals, last
        self._parts = (codes, chunks, texts)

    @classmethod
    def empty(cls, np: Any, size: int, removals: int) -> "_Codes":
        none = np.zeros(0, dtype=np.int64)
        return cls(None, [np.zeros((0, size), dtype=np.uint8)], [none], [none], removals, 0)

    codes = property(lambda self: self._parts[0][0])
    chunks = property(lambda self: self._parts[1][0])
    texts = property(lambda self: self._parts[2][0])

    def with_rows(self, np: Any, rows: list[tuple[int, int, int, bytes]]) -> "_Codes":
        """With further vectors; the first ones settle the mean."""
        matrix = (
            np.frombuffer(b"".join(row[3] for row in rows), dtype="<f2")
            .reshape(len(rows), -1)
            .astype(np.float32)
        )
        mean = matrix.mean(axis=0) if self.mean is None else self.mean
        codes, chunks, texts = self._parts
        return _Codes(
            mean,
            [*codes, np.packbits(matrix > mean, axis=1)],
            [*chunks, np.array([row[1] for row in rows], dtype=np.int64)],
            [*texts, np.array([row[2] for row in rows], dtype=np.int64)],
            self.removals,
            rows[-1][0],
        )

    def joined(self, np: Any) -> "_Codes":
        """One array of each, in place of the parts they were read in."""
        if len(self._parts[0]) == 1:
            return self
        codes, chunks, texts = ([np.concatenate(part)] for part in self._parts)
        return _Codes(self.mean, codes, chunks, texts, self.removals, self.last)


def _distances(np: Any, codes: Any, query_code: Any, rows: Any) -> Any:
    """Bits that differ, uint16, a block at a time so that little memory is used.

    Words are added column by column: numpy's own sum along six short columns takes four times as
    long.
    """
    count = len(codes) if rows is None else len(rows)
    distances = np.zeros(count, dtype=np.uint16)
    for at in range(0, count, _BLOCK):
        block = codes[at : at + _BLOCK] if rows is None else codes[rows[at : at + _BLOCK]]
        columns = np.bitwise_count(block ^ query_code).T
        for first in range(0, len(columns), _WORDS):
            distances[at : at + _BLOCK] += reduce(np.add, columns[first : first + _WORDS])
    return distances


def _fewest(np: Any, distances: Any, limit: int) -> Any:
    """The `limit` rows with the fewest differing bits; of those at the border the first ones."""
    border = int(np.searchsorted(np.bincount(distances).cumsum(), limit))
    below = np.flatnonzero(distances < border)
    return np.concatenate([below, np.flatnonzero(distances == border)[: limit - len(below)]])
