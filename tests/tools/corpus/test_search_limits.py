"""The numbers of search, each at its edge: names that lead on, words that count, and how rankings
are combined."""

import hashlib
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tools.database import Database
from tools.documents.snapshots import SnapshotFiles
from tools.index.index import ChunkRow, NewChunk
from tools.schema import CORPUS
from tools.search.fusion import combine
from tools.search.leads import Asked, gain, leads, next_question, read_question
from tools.search.passage_words import Reading
from tools.search.search import Corpus, PreparedText, Tuning
from tools.search.semantic import Cosines

PEOPLE = [
    "Ada Berg",
    "Iva Lund",
    "Ole Dahl",
    "Tor Holm",
    "Una Vik",
    "Per Ruud",
    "Liv Aas",
    "Odd Moen",
    "Siv Foss",
    "Jon By",
]


def passage(number: int, title: str, body: str) -> Reading:
    return Reading(ChunkRow(number, number, f"s{number}", 0, len(body), None, title, body))


def question(query: str) -> Asked:
    return read_question(query, lambda word: 1.0)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    files = SnapshotFiles(tmp_path / "snapshots")
    return Corpus(Database(tmp_path / "corpus.db", CORPUS, synchronous="OFF"), files)


def add(corpus: Corpus, *texts: tuple[str, str]) -> None:
    """Texts by their titles, each a snapshot named by its title."""
    for title, text in texts:
        corpus.add(hashlib.sha256(title.encode()).hexdigest(), text, title=title, kind="document")


def scores(corpus: Corpus, query: str) -> dict[str, float]:
    """Score of each passage found, by its text."""
    return {found.text: found.score for found in corpus.search(query, 50)}


# --- names that lead on ---------------------------------------------------------------------------


def test_eight_names_of_a_passage_lead_on_and_five_are_asked_for_next() -> None:
    first = passage(1, "", f"The mill was built by {', '.join(PEOPLE)}.")
    assert len(leads(question("Who built the mill?"), [(1.0, first)])) == 8
    asked_next = next_question(question("Who built the mill?"), first) or ""
    assert sum(name.lower() in asked_next for name in PEOPLE) == 5


def test_a_name_of_a_passage_half_as_good_is_trusted_a_quarter_and_each_further_a_tenth_less() -> (
    None
):
    texts = [
        (1.0, passage(1, "", "By Ada Berg.")),
        (0.5, passage(2, "", "By Ole Dahl.")),
        (1.0, passage(3, "", "By Iva Lund.")),
    ]
    trust = {lead.name: lead.trust for lead in leads(question("Who built the mill?"), texts)}
    assert trust == pytest.approx({"ada berg": 1.0, "ole dahl": 0.25 * 0.9, "iva lund": 0.9 * 0.9})


def test_the_title_of_a_passage_leads_on_more_than_the_names_in_it() -> None:
    trust = {
        lead.name: lead.trust
        for lead in leads(
            question("Who built the mill?"), [(1.0, passage(1, "Ada Berg", "She knew Ole Dahl."))]
        )
    }
    assert trust == pytest.approx({"ada berg": 1.3, "ole dahl": 1.0})


@pytest.mark.parametrize(
    ("title", "body", "share"),
    [
        ("Ada Berg", "The mill was built of stone.", 1.0),
        ("Ada Berg", "She lives by the sea.", 0.3),  # nothing that was asked
        ("Early years of Ada Berg", "The mill was built of stone.", 0.76),
        ("Berg family", "The mill was built of stone with Ada Berg.", 0.5),
    ],
)
def test_a_passage_gains_by_its_heading_and_by_what_it_says_of_the_question(
    title: str, body: str, share: float
) -> None:
    asked_for = question("Who built the mill?")
    (lead,) = leads(asked_for, [(1.0, passage(1, "", "It is Ada Berg."))])
    assert gain(lead, asked_for, passage(2, title, body)) == pytest.approx(share)


def test_three_texts_lead_on(corpus: Corpus) -> None:
    add(corpus, *((f"T{n}", f"The mill wall of {name}.") for n, name in enumerate(PEOPLE[:5])))
    add(corpus, *((name, f"Lives by sea number {n}.") for n, name in enumerate(PEOPLE[:5])))
    assert sum(text.startswith("Lives") for text in scores(corpus, "Who made the mill wall?")) == 3


def test_a_question_follows_names_three_times_as_far_as_a_claim(corpus: Corpus) -> None:
    add(
        corpus,
        ("T", "The mill of Ada Berg."),
        ("Ada Berg", "Lives by the sea."),
        *((f"F{n}", f"Field {n}.") for n in range(9)),
    )
    by_question, by_claim = scores(corpus, "mill tower?"), scores(corpus, "mill tower")
    assert by_question["The mill of Ada Berg."] == by_claim["The mill of Ada Berg."] == 1.0
    assert by_question["Lives by the sea."] == pytest.approx(
        3 * by_claim["Lives by the sea."], abs=1e-5
    )


@pytest.mark.parametrize(("before", "leads_on"), [(11, True), (12, False)])
def test_the_twelve_best_passages_lead_on(corpus: Corpus, before: int, leads_on: bool) -> None:
    better = [NewChunk(n, n + 1, None, "", f"mill wall gate {n}", None) for n in range(before)]
    corpus.put(PreparedText("a" * 64, "", "page", 99, better))
    add(corpus, ("T", "The mill of Ada Berg."), ("Ada Berg", "Lives by the sea."))
    assert ("Lives by the sea." in scores(corpus, "mill wall gate?")) == leads_on


# --- words ----------------------------------------------------------------------------------------


def test_words_that_stand_together_add_a_tenth(corpus: Corpus) -> None:
    add(corpus, ("T", "the stone mill was there"), ("U", "the mill was stone there"))
    found = scores(corpus, "stone mill")
    assert found["the stone mill was there"] == 1.0
    assert found["the mill was stone there"] == pytest.approx(1 / 1.1, abs=1e-3)


def test_a_word_as_it_stands_adds_half_of_what_its_stem_counts(corpus: Corpus) -> None:
    add(
        corpus,
        ("T", "the mills there"),
        ("U", "the mill there"),
        *((f"F{n}", f"the field {n}") for n in range(9)),
    )
    by_half = scores(corpus, "mills")["the mill there"]
    corpus.tuning = Tuning(exact=1.0)
    by_whole = scores(corpus, "mills")["the mill there"]
    assert 1 / by_half - 1 == pytest.approx((1 / by_whole - 1) / 2, abs=1e-3)


# --- meaning --------------------------------------------------------------------------------------


class Directions:
    """An embedder of two passages on the mill, of a field beside them, and of any other
    question."""

    model, dimensions = "directions", 3

    def embed(self, texts: Sequence[str], *, queries: bool = False) -> Any:
        import numpy as np

        return np.array([self._vector(text, queries) for text in texts], dtype=np.float32)

    def _vector(self, text: str, query: bool) -> tuple[float, float, float]:
        if query:
            return (1.0, 0.0, 0.0) if text == "Who made the mill?" else (0.0, 0.0, 1.0)
        return (
            (0.8, 0.6, 0.0)
            if "mill" in text
            else (0.0, 1.0, 0.0)
            if "field" in text
            else (0.0, 0.0, 1.0)
        )


def by_meaning(tmp_path: Path, **tuning: float) -> dict[str, float]:
    """The scores of passages where no other step than the named ones of the search counts."""
    files = SnapshotFiles(tmp_path / "snapshots")
    corpus = Corpus(
        Database(tmp_path / "corpus.db", CORPUS, synchronous="OFF"), files, embedder=Directions()
    )
    corpus.tuning = Tuning(**dict.fromkeys(Tuning._fields, 0.0) | tuning)
    add(
        corpus,
        ("A", "The mill of Ada Berg."),
        ("B", "A mill of Ole Dahl."),
        ("C", "A field."),
        ("D", "The sea."),
    )
    corpus.embed_pending()
    return scores(corpus, "Who made the mill?")


def test_meaning_counts_twice_as_much_as_words(tmp_path: Path) -> None:
    assert by_meaning(tmp_path)["The mill of Ada Berg."] == pytest.approx(
        (2 * 0.8 + 1) / 3, abs=1e-3
    )


def test_a_question_moves_three_tenths_towards_its_best_passages(tmp_path: Path) -> None:
    found = by_meaning(tmp_path, feedback=Tuning().feedback)
    # The part that a mill and a field share
    toward = 0.3 * 0.6 / math.hypot(1 + 0.3 * 0.8, 0.3 * 0.6)
    assert found["A field."] == pytest.approx(2 / 3 * toward, abs=1e-3)


def test_a_question_moves_towards_two_passages() -> None:
    import numpy as np

    moved = Cosines(np.eye(4)[0], [1, 2, 3], np.eye(4)[1:]).fed_back([1, 2, 3], 1.0)
    assert [moved.plain[chunk] > 0 for chunk in (1, 2, 3)] == [True, True, False]


def test_what_is_asked_next_adds_four_tenths(tmp_path: Path) -> None:
    found = by_meaning(tmp_path, next_question=Tuning().next_question, lead=0.01)
    assert found["The sea."] == pytest.approx(0.4, abs=1e-3)


# --- rankings -------------------------------------------------------------------------------------


def test_by_reciprocal_ranks_the_62nd_place_counts_half_of_the_first() -> None:
    ranking = {chunk: 1.0 - chunk / 100 for chunk in range(62)}
    combined = combine(ranking, ranking, 0.5, "rrf")
    assert combined[61] == pytest.approx(combined[0] / 2)
