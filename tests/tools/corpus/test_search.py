"""Search: what is found, in which order, in which texts; and that both indexes stay one."""

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.tables import each
from tests.unsound_indexes import unsound_indexes
from tools.database import Database
from tools.documents.model import Block, BlockKind, Section
from tools.documents.snapshots import SnapshotFiles
from tools.errors import ModelError
from tools.schema import CORPUS
from tools.search.search import Corpus
from tools.search.semantic import embedded_text
from tools.text.tokens import stems

SYNONYMS = {"felin": "cat", "consum": "eat"}


class FakeEmbedder:
    """Vectors of stems hashed to 64 places, with two synonyms; `texts` counts what it was asked
    for."""

    model, dimensions = "fake", 64

    def __init__(self) -> None:
        self.texts = 0
        self.broken = False

    def embed(self, texts: Sequence[str], *, queries: bool = False) -> Any:
        import numpy as np

        if self.broken:
            raise ModelError("The embedding model failed; semantic search is off.")
        self.texts += len(texts)
        vectors = np.full((len(texts), self.dimensions), 1e-3, dtype=np.float32)
        for row, text in enumerate(texts):
            for word in stems(text):
                word = SYNONYMS.get(word, word)
                vectors[row, int(hashlib.md5(word.encode()).hexdigest(), 16) % self.dimensions] += 1
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


TEXTS = {
    "Tower": "The Eiffel Tower is 330 metres high. It stands in Paris and is made of iron.",
    "Cats": "Cats eat fish and mice. They sleep for most of the day.",
    "Tokyo": "東京は日本の首都です。人口は約千四百万人です。",
    "Fluss": "Der Fluß ist größer geworden. Die Brücke über ihn heißt Éclair.",
    "Seoul": "서울은 한국의 수도이다. 인구는 많다.",
    "Bangkok": "กรุงเทพเป็นเมืองหลวงของประเทศไทย",
}


@pytest.fixture
def files(tmp_path: Path) -> SnapshotFiles:
    return SnapshotFiles(tmp_path / "snapshots")


def make(tmp_path: Path, files: SnapshotFiles, **options: Any) -> Corpus:
    return Corpus(Database(tmp_path / "corpus.db", CORPUS, synchronous="NORMAL"), files, **options)


@pytest.fixture
def corpus(tmp_path: Path, files: SnapshotFiles) -> Corpus:
    """A lexical corpus of six short texts in six scripts."""
    corpus = make(tmp_path, files)
    for title, text in TEXTS.items():
        corpus.add(files.put(text), text, title=title)
    return corpus


def first(corpus: Corpus, query: str, **options: Any) -> str:
    hits = corpus.search(query, 3, **options)
    return next((title for title, text in TEXTS.items() if hits and hits[0].text in text), "")


@each(
    ("query", "title"),
    [
        ("How high is the Eiffel tower?", "Tower"),
        ("is it made of iron or not", "Tower"),
        ("cat sleeping", "Cats"),
        ("fish-mice", "Cats"),
        ("日本の首都", "Tokyo"),
        ("größe fluß", "Fluss"),
        ("Fluss", "Fluss"),
        ("bruecke eclair", "Fluss"),
        ("BRÜCKE", "Fluss"),
        ("한국 수도", "Seoul"),
        ("ประเทศไทย", "Bangkok"),
        ("330", "Tower"),
    ],
)
def test_the_right_text_comes_first(corpus: Corpus, query: str, title: str) -> None:
    assert first(corpus, query) == title


def test_a_folded_word_occurs_where_it_is_written_with_sharp_s(corpus: Corpus) -> None:
    assert corpus.occurring(["fluss", "fass"]) == {"fluss"}


@each(
    "query",
    [
        *(
            "",
            "   ",
            '"',
            "'",
            '" OR "',
            "NEAR(a b)",
            "title:cats",
            "-cats",
            "cats*",
            "^",
            "(",
            "a AND",
            "\x00",
            "🙂",
            "%",
        ),
        *("_", "\ud800", "x" * 9999, "cat " * 5000),
    ],
)
def test_no_query_is_an_error(corpus: Corpus, query: str) -> None:
    assert isinstance(corpus.search(query, 5), list)


def test_a_passage_is_where_it_says_it_is(corpus: Corpus, files: SnapshotFiles) -> None:
    for passage in corpus.search("Eiffel cats fluß 日本", 10):
        assert files.get(passage.snapshot_id)[passage.start : passage.end] == passage.text
        assert 0 <= passage.score <= 1 and 0 <= passage.lexical <= 1 and passage.semantic is None


def test_adding_again_changes_nothing(corpus: Corpus, files: SnapshotFiles) -> None:
    before = corpus.counts()
    corpus.add(files.put(TEXTS["Cats"]), TEXTS["Cats"], title="Other")
    assert corpus.counts() == before


def test_a_text_that_came_back_without_its_blocks_is_indexed_anew_with_them(
    tmp_path: Path, files: SnapshotFiles
) -> None:
    corpus, text = make(tmp_path, files), "Oaks grow slowly. Beeches grow fast."
    trees = files.put(text)
    blocks = tuple(
        Block(BlockKind.PARAGRAPH, start, end, heading_path=(heading,))
        for start, end, heading in ((0, 17, "Oak"), (18, 36, "Beech"))
    )
    corpus.add(trees, text, title="Trees")
    assert corpus.store.has(trees) == 1
    for _ in range(2):
        corpus.add(trees, text, title="Trees", kind="document", blocks=blocks)
        assert [(block.start, block.end) for block in corpus.blocks(trees, text)] == [
            (0, 17),
            (18, 36),
        ]
        assert [p.heading for p in corpus.search("beeches", 1)] == ["Trees Beech"]
    corpus.add(trees, text, title="Trees")
    assert corpus.store.has(trees) == 2 and corpus.counts()["texts"] == 1
    assert unsound_indexes(corpus.store) == []


def test_search_stays_in_the_named_snapshots(corpus: Corpus, files: SnapshotFiles) -> None:
    cats, tower = files.put(TEXTS["Cats"]), files.put(TEXTS["Tower"])
    assert {p.snapshot_id for p in corpus.search("cats iron", 9, snapshot_ids=[cats])} == {cats}
    assert {
        p.snapshot_id for p in corpus.search("cats iron", 9, snapshot_ids=[tower, cats, "unknown"])
    } == {
        cats,
        tower,
    }
    assert (
        corpus.search("cats", 9, snapshot_ids=[])
        == corpus.search("cats", 9, snapshot_ids=["unknown"])
        == []
    )


def test_a_removed_text_is_gone_from_both_indexes(tmp_path: Path, files: SnapshotFiles) -> None:
    corpus = make(tmp_path, files, embedder=FakeEmbedder())
    cats = files.put(TEXTS["Cats"])
    corpus.add(cats, TEXTS["Cats"], kind="document")
    corpus.add(files.put(TEXTS["Tokyo"]), TEXTS["Tokyo"], kind="document")
    corpus.embed_pending()
    assert corpus.search("cats eat")
    for _ in range(2):
        corpus.remove(cats)
    assert corpus.counts() == {
        "texts": 1,
        "chunks": 1,
        "characters": len(TEXTS["Tokyo"]),
        "vectors": 1,
    }
    assert unsound_indexes(corpus.store) == []
    assert {p.snapshot_id for p in corpus.search("cats eat 日本")} == {files.put(TEXTS["Tokyo"])}


def test_a_damaged_index_is_noticed(corpus: Corpus) -> None:
    with corpus.store.db.write() as connection:
        connection.execute("DELETE FROM chunks WHERE chunk_id = 1")
    assert unsound_indexes(corpus.store) == ["chunk_stem", "chunk_exact"]


def test_a_title_and_the_heading_of_a_section_help(tmp_path: Path, files: SnapshotFiles) -> None:
    corpus = make(tmp_path, files)
    text = "It was measured twice. It stayed the same."
    corpus.add(
        files.put(text),
        text,
        (Section("s1", "Results of the salt trial", 1, 0, len(text)),),
        title="A paper",
    )
    hits = corpus.search("salt trial")
    assert hits[0].section_id == "s1" and hits[0].text == text


def test_meaning_finds_what_words_do_not(tmp_path: Path, files: SnapshotFiles) -> None:
    corpus = make(tmp_path, files, embedder=FakeEmbedder())
    for title, text in TEXTS.items():
        corpus.add(files.put(text), text, title=title, kind="document")
    assert first(corpus, "felines consume", dense=False) == ""
    assert corpus.embed_pending() == len(TEXTS)
    assert first(corpus, "felines consume") == "Cats"
    assert corpus.search("felines consume")[0].semantic is not None
    assert corpus.embed_pending() == 0


def test_reciprocal_ranks_can_be_chosen(tmp_path: Path, files: SnapshotFiles) -> None:
    corpus = make(tmp_path, files, embedder=FakeEmbedder(), fusion="rrf")
    for title, text in TEXTS.items():
        corpus.add(files.put(text), text, title=title, kind="document")
    corpus.embed_pending()
    hits = corpus.search("cats eat fish", 3)
    assert hits[0].score == 1.0 and "Cats" in hits[0].text


def test_a_search_opens_no_model_where_no_text_has_a_vector(
    tmp_path: Path, files: SnapshotFiles
) -> None:
    embedder = FakeEmbedder()
    corpus = make(tmp_path, files, embedder=embedder)
    page, document = files.put("Cats purr."), files.put("Cats sleep.")
    corpus.add(page, "Cats purr.")
    corpus.add(document, "Cats sleep.", kind="document")
    assert corpus.search("cats")[0].semantic is None and embedder.texts == 0
    assert corpus.embed_pending() == 1 and embedder.texts == 1  # of the document alone
    assert corpus.search("cats", snapshot_ids={page})[0].semantic is None
    assert embedder.texts == 1
    assert corpus.search("cats", snapshot_ids={document})[0].semantic is not None
    assert embedder.texts == 2


def test_what_waits_for_its_vectors_is_counted(tmp_path: Path, files: SnapshotFiles) -> None:
    corpus = make(tmp_path, files, embedder=FakeEmbedder())
    for kind, text in (
        ("document", "Cats sleep."),
        ("document", "Cats eat fish."),
        ("page", "Cats purr."),
    ):
        corpus.add(files.put(text), text, kind=kind)
    assert corpus.preparing() == (0, 2) and make(tmp_path, files).preparing() == (0, 0)
    assert corpus.embed_pending(limit=1) == 1 and corpus.preparing() == (1, 2)
    assert corpus.embed_pending() == 1 and corpus.preparing() == (2, 2)
    corpus.add(files.put("Cats run."), "Cats run.", kind="document")
    assert corpus.preparing() == (2, 3)


def test_a_model_that_fails_ends_semantic_search_only(tmp_path: Path, files: SnapshotFiles) -> None:
    embedder = FakeEmbedder()
    corpus = make(tmp_path, files, embedder=embedder)
    corpus.add(files.put(TEXTS["Cats"]), TEXTS["Cats"], kind="document")
    corpus.embed_pending()
    embedder.broken = True
    assert corpus.search("cats eat")[0].semantic is None
    assert corpus._semantic.problem and corpus.embed_pending() == 0


def test_vectors_of_another_model_are_not_used(tmp_path: Path, files: SnapshotFiles) -> None:
    corpus = make(tmp_path, files, embedder=FakeEmbedder())
    corpus.add(files.put(TEXTS["Cats"]), TEXTS["Cats"], kind="document")
    corpus.embed_pending()
    other = FakeEmbedder()
    other.model, other.dimensions = "other", 32
    assert make(tmp_path, files, embedder=other).embed_pending() == 1


def test_at_most_so_many_of_one_text(tmp_path: Path, files: SnapshotFiles) -> None:
    corpus = make(tmp_path, files)
    long = " ".join(f"Cats number {n} eat fish {'and sleep ' * 30}." for n in range(9))
    corpus.add(files.put(long), long, title="Cats")
    for text in ("Cats eat fish at night.", "Cats in Japan eat rice and noodles with fish."):
        corpus.add(files.put(text), text)
    hits = corpus.search("cats eat fish", 10, per_snapshot=2)
    assert sum(p.snapshot_id == files.put(long) for p in hits) == 2 and len(hits) == 4


def test_the_same_search_gives_the_same_order_whatever_came_in_first(
    tmp_path: Path, files: SnapshotFiles
) -> None:
    texts = [f"Cats of town {n} eat fish." for n in range(20)]
    orders = []
    for name, listed in (("a", texts), ("b", texts[::-1])):
        (tmp_path / name).mkdir()
        corpus = make(tmp_path / name, files)
        for text in listed:
            corpus.add(files.put(text), text)
        orders.append([p.snapshot_id for p in corpus.search("cats eat fish", 20)])
    assert orders[0] == orders[1] and len(orders[0]) == 20


def test_several_threads_write_and_search_at_once(tmp_path: Path, files: SnapshotFiles) -> None:
    corpus = make(tmp_path, files, embedder=FakeEmbedder())

    def work(number: int) -> int:
        text = f"Cats of town {number} eat fish. " * 5
        snapshot_id = files.put(text)
        corpus.add(snapshot_id, text, kind="document")
        if number % 5 == 0:
            corpus.embed_pending(limit=8)
        if number % 7 == 0:
            corpus.remove(snapshot_id)
        return len(corpus.search("cats fish", 5))

    with ThreadPoolExecutor(4) as threads:
        assert min(threads.map(work, range(1, 40))) >= 1
    assert unsound_indexes(corpus.store) == [] and corpus.counts()["texts"] == 34


def test_what_is_embedded_begins_with_the_title_once() -> None:
    assert embedded_text("Cats", "They sleep.") == "Cats. They sleep."
    assert embedded_text("Cats", "Cats sleep.") == "Cats sleep."
    assert embedded_text("", "They sleep.") == "They sleep."


def test_the_forms_of_a_word_are_found_by_the_stems_of_its_language(
    tmp_path: Path, files: SnapshotFiles
) -> None:
    corpus = make(tmp_path, files)
    for text in ("Die Bibliothek, der Bibliotheke und eine Bibel", "Bibliotheke bei Bibliotheken"):
        corpus.add(files.put(text), text, kind="document")
    assert corpus.forms("bibliotheken", "de") == ["bibliotheke", "bibliothek"]
    assert corpus.forms("bibel", "de") == []
