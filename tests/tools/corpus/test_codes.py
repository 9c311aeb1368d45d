"""Sign codes: what they choose is what exact search finds, also after changes, damage and in a
second process."""

from pathlib import Path
from typing import Any

import pytest

from tests.tables import each
from tools.database import Database
from tools.index.index import NewChunk, Scope
from tools.index.store import IndexStore
from tools.index.vectors.nearest import VectorIndex
from tools.index.vectors.sign_codes import _distances, _fewest
from tools.schema import CORPUS

np = pytest.importorskip("numpy", reason="the embeddings extra is not installed")

COUNT, TEXTS, PLACES = 12_000, 60, 64


@pytest.fixture(scope="module")
def vectors() -> Any:
    """Clustered vectors of length 1, as real ones are."""
    random = np.random.default_rng(3)
    centres = random.standard_normal((300, PLACES))
    vectors = centres[random.integers(0, 300, COUNT)] + 0.5 * random.standard_normal(
        (COUNT, PLACES)
    )
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype("<f2")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, vectors: Any) -> IndexStore:
    store = IndexStore(
        Database(tmp_path_factory.mktemp("codes") / "corpus.db", CORPUS, synchronous="OFF")
    )
    each = COUNT // TEXTS
    for text in range(TEXTS):
        rows = [NewChunk(i, i + 1, None, "", f"w{text}", None) for i in range(each)]
        store.add(f"{text:064x}", "", "document", each, rows)
    chunks = [
        row[0] for row in store.db.read().execute("SELECT chunk_id FROM chunks ORDER BY chunk_id")
    ]
    store.put_vectors(
        "m", PLACES, zip(chunks, (vector.tobytes() for vector in vectors), strict=True)
    )
    return store


def coarse(store: IndexStore) -> VectorIndex:
    return VectorIndex(store, "m", PLACES, most_held=1000)


def exact(vectors: Any, query: Any, limit: int, rows: Any = None) -> set[int]:
    rows = np.arange(COUNT) if rows is None else rows
    order = np.argsort(-(vectors[rows].astype(np.float32) @ query))[:limit]
    return {int(row) + 1 for row in rows[order]}


def queries(vectors: Any) -> Any:
    random = np.random.default_rng(5)
    queries = vectors[random.integers(0, COUNT, 20)].astype(np.float32)
    queries = queries + 0.1 * random.standard_normal(queries.shape).astype(np.float32)
    return queries / np.linalg.norm(queries, axis=1, keepdims=True)


@pytest.mark.lab
def test_recall_at_fifty_is_that_of_exact_search(store: IndexStore, vectors: Any) -> None:
    index = coarse(store)
    overlaps = [
        len(set(index.nearest(query, 50, None)) & exact(vectors, query, 50))
        for query in queries(vectors)
    ]
    assert sum(overlaps) / (50 * len(overlaps)) >= 0.97


def test_a_scope_is_kept_to(store: IndexStore, vectors: Any) -> None:
    texts = tuple(range(1, 31))
    half = COUNT // 2
    (query, *_) = queries(vectors)
    nearest = set(coarse(store).nearest(query, 50, Scope(texts, 1, half, half)))
    assert len(nearest & exact(vectors, query, 50, np.arange(half))) >= 48
    assert max(nearest) <= half


def test_the_file_beside_the_database_serves_the_next_process(
    store: IndexStore, vectors: Any
) -> None:
    (query, *_) = queries(vectors)
    expected = set(coarse(store).nearest(query, 50, None))
    (path,) = store.db.path.parent.glob("*.npz")
    assert path.stat().st_mode & 0o077 == 0
    assert set(coarse(store).nearest(query, 50, None)) == expected
    for damage in (b"", b"not a file of numbers", path.read_bytes()[:5000]):
        path.write_bytes(damage)
        assert set(coarse(store).nearest(query, 50, None)) == expected


def test_an_unwritable_folder_costs_only_time(
    store: IndexStore, vectors: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, *args: object, **kwargs: object) -> None:
        raise PermissionError(13, "refused")

    (query, *_) = queries(vectors)
    expected = set(coarse(store).nearest(query, 50, None))
    for path in store.db.path.parent.glob("*.npz"):
        path.unlink()
    monkeypatch.setattr(Path, "open", refuse)
    assert set(coarse(store).nearest(query, 50, None)) == expected


def test_what_is_removed_and_added_is_seen(store: IndexStore, vectors: Any) -> None:
    index = coarse(store)
    (query, *_) = queries(vectors)
    nearest = next(iter(index.nearest(query, 1, None)))
    text = (nearest - 1) // (COUNT // TEXTS)
    store.remove(f"{text:064x}")
    assert nearest not in index.nearest(query, 50, None)
    store.add("f" * 64, "", "document", 1, [NewChunk(0, 1, None, "", "again", None)])
    added = store.db.read().execute("SELECT max(chunk_id) FROM chunks").fetchone()[0]
    store.put_vectors("m", PLACES, [(added, np.asarray(query, dtype="<f2").tobytes())])
    assert added in index.nearest(query, 5, None)


@each("words", [1, 3, 4, 6, 12])
def test_distances_are_the_bits_that_differ_and_the_fewest_are_chosen(words: int) -> None:
    random = np.random.default_rng(words)
    signs = random.integers(0, 256, (20_000, 8 * words), dtype=np.uint8)
    signs[7], query_signs = 0, np.full(8 * words, 255, dtype=np.uint8)  # all bits differ
    exact = np.unpackbits(signs ^ query_signs, axis=1).sum(axis=1)
    distances = _distances(np, signs.view(np.uint64), query_signs.view(np.uint64), None)
    assert distances[7] == 64 * words and (distances == exact).all()
    some = np.arange(0, 20_000, 3)
    assert (
        _distances(np, signs.view(np.uint64), query_signs.view(np.uint64), some) == exact[some]
    ).all()
    for limit in (1, 1000, 19_999, 20_000):
        chosen = _fewest(np, distances, limit)
        assert len(set(chosen)) == limit and sorted(exact[chosen]) == sorted(exact)[:limit]
