"""What every chunk index must do: the same tests over SQLite and over a real PostgreSQL server with
pgvector."""

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.tables import each
from tests.tools.index.postgres.postgres_server import on_postgres
from tests.unsound_indexes import unsound_indexes
from tools.database import Database
from tools.documents.snapshots import SnapshotFiles
from tools.index.index import EXACT, PAIRS, STEM, ChunkIndex, ChunkRow, NewChunk
from tools.index.store import IndexStore
from tools.schema import CORPUS
from tools.search.query import Lookup, any_of, pairs
from tools.search.search import Corpus

np = pytest.importorskip("numpy", reason="the embeddings extra is not installed")

TEXTS = {
    "tower": [
        "The Eiffel Tower stands in Paris. It is made of iron.",
        "Iron was cheap in 1889, and iron it was.",
    ],
    "cats": [
        "Cats eat fish and mice.",
        "They sleep for most of the day, and a cat's sleep is light.",
    ],
    "tokyo": ["東京は日本の首都です。", "人口は約千四百万人です。"],
    "fluss": ["Der Fluß ist größer geworden. O'Brien \\ said: 'so' 100%."],
    "york": [
        "New York is a city. York is older, and new it is not.",
        "The mayor of the town spoke of iron.",
    ],
}


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.lab)])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ChunkIndex]:
    """An empty index of each kind."""
    if request.param == "sqlite":
        yield IndexStore(Database(tmp_path / "corpus.db", CORPUS, synchronous="OFF"))
        return
    index = on_postgres(request.getfixturevalue("socket"), emptied=True)
    yield index
    index.close()


def snapshot(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def rows(bodies: Sequence[str], title: str = "") -> list[NewChunk]:
    chunks, at = [], 0
    for body in bodies:
        chunks.append(
            NewChunk(at, at + len(body), "s1", title, body, " ".join(pairs(body)) or None)
        )
        at += len(body)
    return chunks


@pytest.fixture
def filled(index: ChunkIndex) -> ChunkIndex:
    for name, bodies in TEXTS.items():
        index.add(
            snapshot(name), name, "document", sum(map(len, bodies)), rows(bodies, name.title())
        )
    return index


def chunks_of(index: ChunkIndex, snapshot_id: str) -> list[ChunkRow]:
    """The chunks of one text in order."""
    return [
        row
        for _, row in sorted(index.chunk_rows(range(1, 2_000)).items())
        if row.snapshot_id == snapshot_id
    ]


def bodies(index: ChunkIndex, chunks: Sequence[int]) -> list[str]:
    rows = index.chunk_rows(chunks)
    return [rows[chunk].body for chunk in chunks]


def test_chunks_come_back_as_they_were_stored(filled: ChunkIndex) -> None:
    assert filled.has(snapshot("cats")) == 2 and filled.has(snapshot("dogs")) is None
    rows = chunks_of(filled, snapshot("fluss"))
    assert [(row.start, row.section_id, row.title, row.body) for row in rows] == [
        (0, "s1", "Fluss", TEXTS["fluss"][0])
    ]
    everything = filled.chunk_rows(
        [row.chunk_id for name in TEXTS for row in chunks_of(filled, snapshot(name))]
    )
    assert sorted(row.body for row in everything.values()) == sorted(
        body for bodies in TEXTS.values() for body in bodies
    )
    assert None not in map(filled.has, map(snapshot, TEXTS)) and filled.chunk_rows([]) == {}
    assert filled.counts() == {
        "texts": 5, "chunks": 9,
        "characters": sum(len("".join(bodies)) for bodies in TEXTS.values()), "vectors": 0
    }  # fmt: skip


def test_a_text_is_added_once_and_an_empty_one_counts(filled: ChunkIndex) -> None:
    before = filled.counts()
    filled.add(snapshot("cats"), "other", "page", 5, rows(["other"]))
    assert filled.counts() == before
    filled.add(snapshot("nothing"), "", "page", 0, [])
    assert filled.has(snapshot("nothing")) == 0 and filled.scope([snapshot("nothing")]).chunks == 0


def test_a_removed_text_is_found_by_nothing(filled: ChunkIndex) -> None:
    chunks = [row.chunk_id for row in chunks_of(filled, snapshot("cats"))]
    filled.put_vectors("m", 4, [(chunk, np.ones(4, "<f2").tobytes()) for chunk in chunks])
    for _ in range(2):
        filled.remove(snapshot("cats"))
        assert filled.has(snapshot("cats")) is None
    assert (
        filled.matches(STEM, any_of(["cats"]), None, 9)
        == []
        == filled.holding(EXACT, any_of(["mice"]), None, 9)
    )
    dense = filled.dense("m", 4)
    assert dense.nearest(np.ones(4, "float32"), 5, None) == [] and not dense.any_in(None)
    assert filled.counts()["chunks"] == 7 and filled.counts()["vectors"] == 0
    filled.add(snapshot("cats"), "cats", "document", 9, rows(TEXTS["cats"]))
    assert not set(chunks) & {row.chunk_id for row in chunks_of(filled, snapshot("cats"))}, (
        "a number was used twice"
    )


def test_texts_added_together_are_found_and_one_removed_among_them_is_not(
    index: ChunkIndex,
) -> None:
    with index.together():
        for name in ("cats", "york", "tokyo"):
            index.add(snapshot(name), name, "document", 9, rows(TEXTS[name], name))
            if name == "york":
                index.remove(snapshot("cats"))
    index.add(snapshot("tower"), "tower", "document", 9, rows(TEXTS["tower"]))
    assert index.matches(STEM, any_of(["cats", "mice"]), None, 9) == []
    results = (
        index.holding(STEM, any_of(["mayor", "eiffel"]), None, 9),
        index.holding(PAIRS, any_of(["日本"]), None, 9),
    )
    assert [bodies(index, chunks) for chunks in results] == [
        [TEXTS["york"][1], TEXTS["tower"][0]],
        [TEXTS["tokyo"][0]],
    ]
    if isinstance(index, IndexStore):
        assert unsound_indexes(index) == []
        with pytest.raises(ValueError, match="given up"), index.together():
            index.add(snapshot("fluss"), "fluss", "document", 9, rows(TEXTS["fluss"]))
            raise ValueError("given up")
        assert index.has(snapshot("fluss")) is None and unsound_indexes(index) == []


@each(
    ("index_name", "query", "expected"),
    [
        (STEM, any_of(["sleeping"]), [TEXTS["cats"][1]]),
        (EXACT, any_of(["sleeping"]), []),
        (STEM, any_of(["eiffel", "mice"]), [TEXTS["tower"][0], TEXTS["cats"][0]]),
        (EXACT, any_of(["größer"]), [TEXTS["fluss"][0]]),
        (PAIRS, any_of(["日本"]), [TEXTS["tokyo"][0]]),
        (EXACT, any_of(["new york"]), [TEXTS["york"][0]]),
        (EXACT, any_of(["york new"]), []),
        (EXACT, any_of(["older and new"]), [TEXTS["york"][0]]),
        (STEM, Lookup(("york",), headed=True), TEXTS["york"]),
        (STEM, Lookup(("iron",), headed=True), []),
        (STEM, Lookup(("iron",), headed=True, beside=("mayor", "nobody")), [TEXTS["york"][1]]),
        (STEM, any_of(["'", '"', "\\", "|", "&!()", ":*"]), []),
        (EXACT, any_of(["o'brien", '" OR "', "') --"]), [TEXTS["fluss"][0]]),
        (EXACT, any_of(["unheardof"]), []),
    ],
)
def test_words_are_matched(
    filled: ChunkIndex, index_name: str, query: Lookup, expected: list[str]
) -> None:
    chunks = [chunk for chunk, _ in filled.matches(index_name, query, None, 9)]
    assert sorted(bodies(filled, chunks)) == sorted(expected)
    assert filled.holding(index_name, query, None, 9) == sorted(chunks)
    assert filled.frequency(index_name, query, 99) == len(expected)


def test_rare_words_short_texts_and_headings_count_more(filled: ChunkIndex) -> None:
    (first, score), (second, less), *_ = filled.matches(STEM, any_of(["iron", "mayor"]), None, 9)
    assert bodies(filled, [first]) == [TEXTS["york"][1]] and score > less > 0
    ranked = [chunk for chunk, _ in filled.matches(STEM, any_of(["cats"]), None, 9)]
    assert bodies(filled, ranked) == [TEXTS["cats"][0], TEXTS["cats"][1]]
    assert filled.matches(STEM, any_of(["iron", "mayor"]), None, 1) == [(first, score)]
    assert filled.scores(STEM, any_of(["iron", "mayor"]), [second, first]) == pytest.approx(
        {first: score, second: less}
    )
    assert filled.scores(EXACT, any_of(["iron"]), []) == {}


def test_both_kinds_give_the_scores_of_bm25(filled: ChunkIndex) -> None:
    """The formula by hand: 9 chunks, `fish` in one of them, among 3 + 8 words with the heading."""
    counted = {"Cats": 1 + 5, "all": 11 + 10 + 6 + 13 + 3 + 3 + 10 + 13 + 10}
    ((chunk, score),) = filled.matches(EXACT, any_of(["fish"]), None, 9)
    length = counted["Cats"] / (counted["all"] / 9)
    expected = np.log((9 - 1 + 0.5) / 1.5) * 2.2 / (1 + 1.2 * (0.25 + 0.75 * length))
    # The two split a few words differently (genitives, scripts without spaces), so that mean
    # lengths differ a little
    assert score == pytest.approx(expected, rel=0.1)
    assert bodies(filled, [chunk]) == [TEXTS["cats"][0]]


def test_a_search_stays_in_its_scope(filled: ChunkIndex) -> None:
    scope = filled.scope([snapshot("york"), snapshot("unknown"), snapshot("cats")])
    assert scope.chunks == 4 and len(scope.text_ids) == 2
    chunks = [chunk for chunk, _ in filled.matches(STEM, any_of(["iron", "cats"]), scope, 9)]
    assert {filled.chunk_rows(chunks)[chunk].snapshot_id for chunk in chunks} == {
        snapshot("york"),
        snapshot("cats"),
    }
    assert len(filled.holding(STEM, any_of(["iron"]), scope, 9)) == 1
    assert filled.scope([]).chunks == 0 and filled.scope([]).text_ids == ()


def test_what_is_held_comes_in_order_and_no_more_than_asked(filled: ChunkIndex) -> None:
    chunk_ids = filled.holding(STEM, any_of(["iron", "cats", "is"]), None, 3)
    assert len(chunk_ids) == 3 and chunk_ids == sorted(chunk_ids)
    assert (
        filled.frequency(STEM, any_of(["iron"]), 2) == 2
        and filled.frequency(STEM, any_of(["iron"]), 99) == 3
    )


def test_chunks_of_documents_are_counted_with_the_vectors_of_one_model(index: ChunkIndex) -> None:
    assert (index.document_chunks(), index.document_vectors("m")) == (0, 0)
    index.add(
        snapshot("handbook"), "Handbook", "document", 20, rows(["One part.", "Another part."])
    )
    index.add(snapshot("cats"), "Cats", "page", 20, rows(["Cats sleep."]))
    chunks = [row.chunk_id for row in chunks_of(index, snapshot("handbook"))]
    pages = [row.chunk_id for row in chunks_of(index, snapshot("cats"))]
    index.put_vectors(
        "m", 4, [(chunk, np.ones(4, "<f2").tobytes()) for chunk in (chunks[0], *pages)]
    )
    counts = index.document_chunks(), index.document_vectors("m"), index.document_vectors("other")
    assert counts == (2, 1, 0)
    assert [row[0] for row in index.unembedded("other", 9)] == chunks
    index.add(snapshot("cats"), "Cats", "document", 20, rows(["Cats sleep."]))
    assert [row[0] for row in index.unembedded("other", 9)] == [*chunks, *pages]
    index.add(snapshot("cats"), "Cats", "page", 20, rows(["Cats sleep."]))
    assert index.document_chunks() == 3


def test_vectors_are_found_by_nearness_each_model_alone(filled: ChunkIndex) -> None:
    chunks = sorted(row.chunk_id for name in TEXTS for row in chunks_of(filled, snapshot(name)))
    vectors = np.random.default_rng(1).standard_normal((len(chunks), 64))
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype("float32")
    assert [row[0] for row in filled.unembedded("m", 4)] == chunks[:4]
    assert [row[0] for row in filled.unembedded("m", 99, after=chunks[3])] == chunks[4:]
    dense = filled.dense("m", 64)
    filled.put_vectors(
        "m", 64, [*zip(chunks, dense.pack(vectors), strict=True), (10**6, dense.pack(vectors)[0])]
    )
    filled.put_vectors("other", 64, [(chunks[0], dense.pack(vectors)[1])])
    # a vector that is there stays
    filled.put_vectors("m", 64, [(chunks[0], dense.pack(vectors)[1])])
    assert filled.unembedded("m", 9) == [] and len(filled.unembedded("other", 99)) == 8
    assert filled.counts()["vectors"] == 10
    for row, chunk in enumerate(chunks):
        assert dense.nearest(vectors[row], 1, None) == [chunk]
    best = {chunks[row] for row in np.argsort(-(vectors @ vectors[3]))[:4]}
    assert set(dense.nearest(vectors[3], 4, None)) == best
    inside = filled.scope([snapshot("york")])
    assert dense.any_in(None) and dense.any_in(inside)
    assert not filled.dense("other", 64).any_in(inside)
    assert set(dense.nearest(vectors[0], 9, inside)) == {
        row.chunk_id for row in chunks_of(filled, snapshot("york"))
    }
    chunk_ids, matrix = dense.of({chunks[2], chunks[5], 10**6})
    assert chunk_ids == [chunks[2], chunks[5]] and np.abs(matrix - vectors[[2, 5]]).max() < 1e-3
    assert dense.of([])[0] == []


def test_a_whole_search_finds_the_right_text(filled: ChunkIndex, tmp_path: Path) -> None:
    database = Database(tmp_path / "documents.db", CORPUS, synchronous="OFF")
    corpus = Corpus(database, SnapshotFiles(tmp_path / "texts"), index=filled)
    for query, name in (
        ("Who eats mice?", "cats"),
        ("日本の首都", "tokyo"),
        ("größe fluß", "fluss"),
        ("mayor of New York", "york"),
    ):
        assert corpus.search(query, 3)[0].snapshot_id == snapshot(name), query
        assert corpus.search(query, 3, snapshot_ids=[snapshot(name)])[0].snapshot_id == snapshot(
            name
        ), query
    for odd in ("", '"', "\x00", "🙂", "\ud800", "cat " * 5000, "a & b | !c", "\\'"):
        assert isinstance(corpus.search(odd, 3), list)
    database.close()


def test_four_writers_of_the_same_texts_leave_each_once(index: ChunkIndex) -> None:
    texts = [
        (snapshot(str(n)), rows([f"text {n} about iron", f"more of {n}"], "Iron"))
        for n in range(30)
    ]
    with ThreadPoolExecutor(4) as pool:
        for _ in pool.map(
            lambda at: [index.add(*arguments) for arguments in _turned(texts, at * 7)], range(4)
        ):
            pass
    assert index.counts()["texts"] == 30 and index.counts()["chunks"] == 60
    assert index.frequency(STEM, any_of(["iron"]), 99) == 60
    numbers = [[row.chunk_id for row in chunks_of(index, snapshot_id)] for snapshot_id, _ in texts]
    assert all(first < second for first, second in numbers), "the chunks of a text are in order"


def _turned(
    texts: list[tuple[str, list[NewChunk]]], at: int
) -> list[tuple[str, str, str, int, list[NewChunk]]]:
    return [
        (snapshot_id, "", "document", 9, pieces) for snapshot_id, pieces in texts[at:] + texts[:at]
    ]


def test_a_scope_of_many_texts_is_exact_however_they_lie(index: ChunkIndex) -> None:
    """Among others: one stretch, a few stretches, a text in two."""
    for number in range(120):
        body = f"The gate number{number} is open. It is made of wood."
        index.add(
            f"s{number}",
            "",
            "document",
            len(body),
            [NewChunk(0, 16, None, "", body), NewChunk(16, 30, None, "", body)],
        )
    for removed in (7, 50):
        index.remove(f"s{removed}")
    kinds = (
        range(100),
        range(20, 90),
        [n for n in range(120) if n % 40],
        [n for n in range(120) if n % 2],
    )
    for numbers in kinds:
        scope = index.scope({f"s{n}" for n in numbers})
        left = [n for n in numbers if n not in (7, 50)]
        chunk_ids = index.holding(STEM, any_of(["gate"]), scope, 1000)
        assert {row.snapshot_id for row in index.chunk_rows(chunk_ids).values()} == {
            f"s{n}" for n in left
        }
        assert len(chunk_ids) == scope.chunks == 2 * len(left)
        assert {chunk for chunk, _ in index.matches(EXACT, any_of(["wood"]), scope, 1000)} == set(
            chunk_ids
        )
    index.remove("s21")
    assert (
        len(
            index.holding(
                STEM, any_of(["gate"]), index.scope({f"s{n}" for n in range(20, 90)}), 1000
            )
        )
        == 2 * 68
    )
