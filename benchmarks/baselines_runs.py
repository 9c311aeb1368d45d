"""Plain ways of what a whole research and a search by meaning do; part of `baselines`.

A research asks stand-in services that take their time; then the very same requests are sent one
after the other by a dozen lines with `requests` and trafilatura, which keep nothing and know
nothing. Vectors are searched by reading and comparing all of them.
"""

import json
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks import standin_services
from benchmarks.meter import Used, measure
from benchmarks.options import Options, Row, shown
from benchmarks.pipeline import DELAYS
from benchmarks.standin import Standin
from tools.database import Database
from tools.index.index import NewChunk
from tools.index.store import IndexStore
from tools.index.vectors.nearest import VectorIndex
from tools.schema import CORPUS

IN_SEQUENCE = """
import json, pathlib, sys, requests, trafilatura
texts = []
for url in json.loads(pathlib.Path(sys.argv[1]).read_text()):
    body = requests.get(url, timeout=30).text
    texts.append(trafilatura.extract(body) if "/page/" in url else body)
"""
_PLACES, _TEXTS, _NEAREST, _QUESTIONS = 384, 100, 50, 9
_SHARE = 0.4  # of the delays of `pipeline`
Pair = Callable[[str, float, float, str, str], list[Row]]


def runs(options: Options, pair: Pair) -> Iterator[Row]:
    """A depth-1 research against its own requests in sequence: wall, CPU and memory."""
    with closing(Standin()) as server, tempfile.TemporaryDirectory() as folder:
        world = standin_services.mount(
            server, {name: seconds * _SHARE for name, seconds in DELAYS.items()}, 50_000
        )
        ours, pages = _research({**world.settings, "embeddings.enabled": False}, Path(folder))
        urls = Path(folder) / "urls.json"
        urls.write_text(
            json.dumps([server.url + request.target for request in server.requests]), "utf-8"
        )
        plain = measure([sys.executable, "-c", IN_SEQUENCE, str(urls)])
        count = len(json.loads(urls.read_text("utf-8")))
    plainly = f"its {count} requests in sequence, main text by trafilatura"
    yield from pair(
        "a depth-1 research, services take 0.08 to 1.2 s, wall",
        pages["seconds"],
        plain.wall,
        "s",
        plainly,
    )
    yield from pair("the same, CPU", ours.cpu, plain.cpu, "s", plainly)
    yield from pair("the same, largest process", ours.peak, plain.peak, "MB", plainly)


def _research(settings: dict[str, Any], folder: Path) -> tuple[Used, dict[str, Any]]:
    settings_file = folder / "settings.json"
    settings_file.write_text(json.dumps(settings), "utf-8")
    used = measure(
        [sys.executable, "-m", "benchmarks.pipeline", str(settings_file), str(folder / "home"), "1"]
    )
    return used, json.loads(used.output.strip().splitlines()[-1])


def vectors(options: Options, pair: Pair) -> Iterator[Row]:
    """The nearest 50 by sign codes against a walk through every stored vector; nothing without
    numpy."""
    if find_spec("numpy") is None:
        return
    sizes = (2_000, 20_000) if options.quick else (10_000, 100_000)
    rows = [_vectors(size) for size in sizes]
    yield from pair(
        f"nearest 50 of {sizes[1]} vectors", *rows[1], "ms", "every vector read and compared"
    )
    for whose, at in (("ours", 0), ("the plain way", 1)):
        yield shown(
            f"  growth of {whose}, exponent", round(math.log10(rows[1][at] / rows[0][at]), 2)
        )


def _vectors(size: int) -> tuple[float, float]:
    """Milliseconds of (ours, the plain way), medians."""
    import numpy as np

    random = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        database = Database(Path(folder) / "corpus.db", CORPUS, synchronous="OFF")
        store = IndexStore(database)
        for text in range(_TEXTS):
            chunks = [NewChunk(i, i + 1, None, "", f"w{text}", None) for i in range(size // _TEXTS)]
            store.add(f"{text:064x}", "", "document", len(chunks), chunks)
        vectors = random.standard_normal((size, _PLACES), dtype=np.float32).astype("<f2")
        store.put_vectors(
            "m", _PLACES, ((row + 1, vector.tobytes()) for row, vector in enumerate(vectors))
        )
        index = VectorIndex(store, "m", _PLACES, most_held=1)
        queries = random.standard_normal((_QUESTIONS, _PLACES), dtype=np.float32)
        index.nearest(queries[0], _NEAREST, None)  # makes the codes
        times = (
            _median(partial(index.nearest, limit=_NEAREST, scope=None), queries),
            _median(partial(_all, store), queries),
        )
        database.close()
    return times


def _all(store: IndexStore, query: Any) -> Any:
    """Chunks of the nearest vectors, by reading each."""
    import numpy as np

    rows = store.vectors_after("m", 0, 1_000_000)
    matrix = (
        np.frombuffer(b"".join(row[3] for row in rows), dtype="<f2")
        .reshape(len(rows), -1)
        .astype(np.float32)
    )
    return [rows[at][1] for at in np.argsort(-(matrix @ query))[:_NEAREST]]


def _median(search: Callable[[Any], object], queries: Any) -> float:
    times = []
    for query in queries:
        began = time.perf_counter()
        search(query)
        times.append(time.perf_counter() - began)
    return statistics.median(times) * 1000
