"""The best matches of a query without scoring all of them: the same as with scoring all."""

import hashlib
import random
from pathlib import Path

import pytest

from tests.tables import each
from tests.unsound_indexes import unsound_indexes
from tools.database import Database
from tools.index.full_text.best_matches import Word, known_words, likely_score, reaching
from tools.index.index import STEM, NewChunk, Scope
from tools.index.store import IndexStore
from tools.schema import CORPUS
from tools.search.query import any_of

WORDS = [f"w{number}x" for number in range(40)]
# The first stand in most chunks, the last in few
SHARES = [1 / (1 + number) for number in range(40)]


def snapshot_id(number: int) -> str:
    return hashlib.sha256(str(number).encode()).hexdigest()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> IndexStore:
    """A thousand chunks in fifty texts; chunks of one text share a subject, so that words stand
    together."""
    chance = random.Random(3)
    index = IndexStore(
        Database(tmp_path_factory.mktemp("index") / "corpus.db", CORPUS, synchronous="OFF")
    )
    with index.together():
        for number in range(50):
            subject = chance.sample(WORDS, 4)
            bodies = [
                " ".join(chance.choices(WORDS, SHARES, k=30) + chance.sample(subject, 2))
                for _ in range(20)
            ]
            rows = [NewChunk(at, at + 1, None, subject[0], body) for at, body in enumerate(bodies)]
            index.add(snapshot_id(number), "", "document", 20, rows)
    return index


def scope_of(index: IndexStore, which: str) -> Scope | None:
    texts = sorted(map(snapshot_id, range(50)))
    return {"all": None, "one range": index.scope(texts), "some": index.scope(texts[::3])}[which]


@each(("which", "limit"), [("all", 20), ("all", 100), ("one range", 20), ("some", 10)])
@pytest.mark.lab
def test_the_best_are_the_same_as_when_all_are_scored(
    store: IndexStore, which: str, limit: int
) -> None:
    chance, scope = random.Random(which), scope_of(store, which)
    for size in (2, 3, 8, 13, 40):
        for _ in range(3):
            query = any_of([*chance.sample(WORDS, size), "nowhere"])
            assert (
                store.matches(STEM, query, scope, limit)
                == store.matches(STEM, query, scope, 5000)[:limit]
            )


def test_a_word_that_comes_with_a_later_text_counts(store: IndexStore) -> None:
    query = any_of(["w5x", "w9x", "w30x", "later"])
    before = store.matches(STEM, query, None, 20)
    rows = [NewChunk(at, at + 1, None, "", "later and later") for at in range(5)]
    store.add(hashlib.sha256(b"later").hexdigest(), "", "document", 5, rows)
    best = store.matches(STEM, query, None, 20)
    assert best == store.matches(STEM, query, None, 5000)[:20] and best != before


def test_what_was_removed_is_counted_no_longer(store: IndexStore) -> None:
    query = any_of(["w0x", "w5x", "w30x"])
    store.matches(STEM, query, None, 20)
    for number in range(40):
        store.remove(snapshot_id(number))
    assert store.matches(STEM, query, None, 20) == store.matches(STEM, query, None, 5000)[:20]


def test_parts_of_the_indexes_are_merged_when_they_are_many(tmp_path: Path) -> None:
    index = IndexStore(Database(tmp_path / "corpus.db", CORPUS, synchronous="OFF"))

    def parts() -> int:
        return int(
            index.db.read()
            .execute("SELECT count(DISTINCT segid) FROM chunk_stem_idx")
            .fetchone()[0]
        )

    for number in range(6):
        body = " ".join(f"word{number}{other}" for other in range(2000))
        index.add(f"{number:064x}", "", "document", 1, [NewChunk(0, 1, None, "", body)])
    assert parts() == 6
    index.tend()
    assert parts() == 1 and unsound_indexes(index) == []
    assert len(index.matches(STEM, any_of(["word17", "word517"]), None, 9)) == 2
    index.add("f" * 64, "", "document", 1, [NewChunk(0, 1, None, "", "one more")])
    index.tend()
    assert parts() == 2, "a small part beside a large one is left"


def test_which_words_may_reach_a_score() -> None:
    words = [
        Word(9.0, 2, "rare"),
        Word(5.0, 20, "some"),
        Word(3.0, 90, "many"),
        Word(1.0, 400, "most"),
    ]
    assert reaching(words, 8.0) == [("rare", []), ("some", ["many"])]
    assert reaching(words, 9.5) == [("rare", ["some", "many", "most"])]
    assert reaching(words, 18.5) == []
    many = [Word(3.0 - number / 10, 2 + number, f"w{number}") for number in range(14)]
    assert reaching(many, sum(word.most for word in many[1:]) + 0.1) == [("w0", [])], (
        "by single words"
    )


def test_the_likely_score_rises_with_rarity_and_falls_with_the_number_wanted() -> None:
    words = known_words([("common", 600), ("rare", 10), ("nowhere", 0)], 1000)
    assert [word.text for word in words] == ["rare", "common"]
    assert likely_score(words, 1000, 1000, 5) > likely_score(words, 1000, 1000, 500) >= 0
    assert likely_score(words, 1000, 10, 500) == 0.0
