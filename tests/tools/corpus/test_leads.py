"""Leads: passages that the question does not name are found through those it does."""

import random
from pathlib import Path

import pytest

from tests.tables import each
from tools.database import Database
from tools.documents.snapshots import SnapshotFiles
from tools.index.index import ChunkRow
from tools.schema import CORPUS
from tools.search.leads import Asked, asks, gain, leads, next_question, read_question
from tools.search.passage_words import Reading
from tools.search.search import Corpus, Tuning

TEXTS = {
    "Brother (song)": "Brother is a song by the rock band Pearl Jam. It was left out of their "
    "first album.",
    "Pearl Jam": "Pearl Jam is a rock band formed in Seattle in 1990 by a bass player and a "
    "guitarist.",
    "Seattle": "The place has rain in winter and mild summers; about 750 000 people live there.",
    "Brotherly love": "The song of a brother was performed where brothers met.",
    "Cats": "Cats eat fish and mice. They sleep for most of the day.",
    "Song contest": "The performers of a song were formed into a group in a city with snow.",
}
QUESTION = "In which year was the band formed that performed Brother?"


def row(number: int, title: str, body: str) -> ChunkRow:
    return ChunkRow(number, number, f"s{number}", 0, len(body), None, title, body)


def asked_of(query: str) -> Asked:
    return read_question(query, lambda word: 1.0)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    files = SnapshotFiles(tmp_path / "snapshots")
    corpus = Corpus(Database(tmp_path / "corpus.db", CORPUS, synchronous="NORMAL"), files)
    for title, text in TEXTS.items():
        corpus.add(files.put(text), text, title=title)
    return corpus


def titles(corpus: Corpus, query: str, k: int = 6) -> list[str]:
    by_text = {text: title for title, text in TEXTS.items()}
    return [by_text[passage.text] for passage in corpus.search(query, k)]


@each(
    ("query", "expected"),
    [
        ("Who leads the country?", True),
        ("is it true", True),
        ("the height of the tower?", True),
        ("Salt raises blood pressure.", False),
        ("Whole grains lower risk", False),
        ("Marie Curie", False),
        ("", False),
    ],
)
def test_a_question_asks_and_a_claim_does_not(query: str, expected: bool) -> None:
    assert asks(query) is expected


def test_the_second_passage_is_found_through_the_first(corpus: Corpus) -> None:
    query = "When did those who left Brother out of their album meet?"
    assert titles(corpus, query)[0] == "Brother (song)" and "Pearl Jam" in titles(corpus, query)
    corpus.tuning = Tuning(lead=0, lead_of_claim=0)
    assert titles(corpus, query)[0] == "Brother (song)" and "Pearl Jam" not in titles(corpus, query)


def test_a_passage_without_any_word_of_the_question_is_found_through_its_heading(
    corpus: Corpus,
) -> None:
    query = "Who formed the band?"
    assert "Seattle" in titles(corpus, query)
    corpus.tuning = Tuning(lead=0, lead_of_claim=0)
    assert "Seattle" not in titles(corpus, query)


def test_scores_stay_between_nothing_and_one_and_fall(corpus: Corpus) -> None:
    scores = [passage.score for passage in corpus.search(QUESTION, 10)]
    assert scores == sorted(scores, reverse=True) and all(0 <= score <= 1 for score in scores)


def test_leads_stay_in_the_scope(corpus: Corpus) -> None:
    scope = [corpus.snapshots.put(TEXTS[title]) for title in ("Brother (song)", "Cats")]
    assert {p.snapshot_id for p in corpus.search(QUESTION, 10, snapshot_ids=scope)} <= set(scope)


def test_a_lead_is_a_name_that_the_question_does_not_say() -> None:
    first = [
        (1.0, Reading(row(1, "Brother (song)", TEXTS["Brother (song)"]))),
        (0.5, Reading(row(2, "", "Pearl Jam met Neil Young."))),
    ]
    by_name = {lead.name: lead for lead in leads(asked_of("Who performed Brother?"), first)}
    assert set(by_name) == {"pearl jam", "neil young"}
    assert by_name["pearl jam"].trust == 1.0 > by_name["neil young"].trust
    assert by_name["pearl jam"].open == {"perform"}
    assert leads(asked_of("Who performed Brother?"), []) == []


def test_the_heading_counts_more_than_a_mention_and_what_is_still_asked_counts_too() -> None:
    question = asked_of("Where was the band of Brother formed?")
    lead = leads(question, [(1.0, Reading(row(1, "", "Brother is by Pearl Jam.")))])[0]
    about = gain(lead, question, Reading(row(2, "Pearl Jam", "A band formed in Seattle.")))
    partly = gain(
        lead, question, Reading(row(3, "Pearl Jam discography", "A band formed in Seattle."))
    )
    mention = gain(
        lead, question, Reading(row(4, "Rock", "A band formed in Seattle like Pearl Jam."))
    )
    idle = gain(lead, question, Reading(row(5, "Rock", "He likes Pearl Jam.")))
    assert about > partly > mention > idle > 0
    assert gain(lead, question, Reading(row(1, "", "Brother is by Pearl Jam."))) == 0.0


def test_the_next_question_leaves_out_what_the_passage_answers() -> None:
    question = asked_of("What is the snowfall where the performers of Brother live?")
    text = next_question(question, Reading(row(1, "", "Brother is by Pearl Jam."))) or ""
    assert "Brother" not in text and "snowfall" in text and text.endswith("pearl jam")
    assert next_question(question, Reading(row(1, "", "nothing is named here"))) is None


def test_a_name_in_too_many_passages_is_followed_to_headings(tmp_path: Path) -> None:
    files = SnapshotFiles(tmp_path / "snapshots")
    corpus = Corpus(Database(tmp_path / "corpus.db", CORPUS, synchronous="OFF"), files)
    chance = random.Random(3)
    with corpus.store.db.write():
        for number in range(60):
            text = f"Report {number} on Kansas lists {chance.random()} things of {number} kinds."
            corpus.add(f"{number:064x}", text, title=f"Report {number}")
        corpus.add("a" * 64, "Dodge airport lies in Kansas.", title="Dodge airport")
        corpus.add("b" * 64, "The population was two million at the last count.", title="Kansas")
    hits = corpus.search("What is the population of the state where Dodge airport lies?", 3)
    assert {"a" * 64, "b" * 64} == {passage.snapshot_id for passage in hits[:2]}


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Pearl Jam", "Pearl Jam"),
        ("PEARL JAM Seattle", "Pearl Jam"),
        ("Cats sleep for most of the day.", "Cats"),
        ("It is not true that cats never eat fish", "Cats"),
        ("was Pearl Jam founded in Seattle in 1990?", "Pearl Jam"),
        ("Which group of a brother was formed in a city with snow", "Song contest"),
    ],
)
def test_questions_claims_and_names_find_their_text(corpus: Corpus, query: str, first: str) -> None:
    assert titles(corpus, query, 1) == [first]


@pytest.mark.lab
def test_few_results_are_the_first_of_many(tmp_path: Path) -> None:
    """Leads that cannot bring a passage among the results are not followed to it; the results are
    the same."""
    chance, files = random.Random(7), SnapshotFiles(tmp_path / "snapshots")
    corpus = Corpus(Database(tmp_path / "corpus.db", CORPUS, synchronous="OFF"), files)
    names = [
        f"{first} {last}"
        for first in ("Ada", "Iva", "Ole", "Tor")
        for last in ("Berg", "Dahl", "Holm", "Lund", "Vik")
    ]
    facts = (
        "born lived built painted wrote sailed taught led founded measured bridge school "
        "island harbour"
    ).split()
    for number in range(400):
        about, other = chance.sample(names, 2)
        text = (
            f"{about} {chance.choice(facts)} the {chance.choice(facts)} with {other} in "
            f"{1800 + number % 90}. "
        )
        text += " ".join(chance.choices(facts, k=chance.randint(3, 40)))
        corpus.add(
            files.put(text),
            text,
            title=about if number % 3 else f"The {chance.choice(facts)} of {other}",
        )
    followed = 0
    for number in range(60):
        query = (
            f"Who {chance.choice(facts)} the {chance.choice(facts)} that "
            f"{chance.choice(names)} {chance.choice(facts)}?"
        )
        for k in (1, 5, 20):
            few, many = corpus.search(query, k), corpus.search(query, 2000)
            assert few == many[:k], (number, query, k)
        plain, corpus.tuning = corpus.tuning, Tuning(lead=0)
        followed += corpus.search(query, 20) != many[:20]
        corpus.tuning = plain
    assert followed > 30, "leads decide what is found here"
