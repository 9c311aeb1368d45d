"""Evidence out of real passages: whole sentences on the question, never navigation, fragments or table rows."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from plain_deps import World

from tools.corpus.model import Section
from tools.corpus.search import Corpus
from tools.corpus.snapshots import SnapshotFiles
from tools.database import Database
from tools.research.source import make_source
from tools.schema import CORPUS
from workflows.research import evidence
from workflows.research.evidence import select_evidence
from workflows.research.model import Evidence, Plan, Question
from workflows.research.state import ResearchState
from workflows.research.understand import read_question

Select = Callable[..., list[Evidence]]


@pytest.fixture
def select(tmp_path: Path) -> Select:
    """Evidence for a question from texts that stand in a real index."""

    def selected(query: str, *texts: str) -> list[Evidence]:
        files = SnapshotFiles(tmp_path / "snapshots")
        corpus = Corpus(Database(tmp_path / "corpus.db", CORPUS, synchronous="OFF"), files)
        sources = []
        for number, text in enumerate(texts):
            snapshot_id = files.put(text)
            corpus.add(snapshot_id, text, (Section("s1", "About", 1, 0, len(text)),), title=f"Text {number}")
            source = make_source(f"https://site{number}.example/", f"Text {number}", source_type="web")
            sources.append(replace(source, snapshot_id=snapshot_id, tag=f"S{number}"))
        state = ResearchState(
            query,
            understanding=read_question(query),
            sources=tuple(sources),
            plan=Plan(questions=(Question("Q1", query, "primary", 1.0),)),
        )
        deps = replace(
            World({}).deps(),
            text=files.get,
            retrieve=lambda question, ids, k: corpus.search(question, k, snapshot_ids=ids),
        )
        found = list(select_evidence(state, deps).evidence)
        for one in found:
            assert files.get(one.snapshot_id)[one.start : one.end] == one.quote
        return found

    return selected


def quotes(found: list[Evidence]) -> list[str]:
    return [one.quote for one in found]


def test_navigation_and_boilerplate_are_never_evidence(select: Select) -> None:
    page = (
        "Home | Batteries | Prices | Contact\n\nSkip to content\n\nBatteries and evening prices: read more here.\n\n"
        "Large batteries lowered evening electricity prices by 9% in 2024.\n\n"
        "Subscribe to our newsletter on batteries and evening electricity prices.\n\n"
        "We use cookies to show batteries and evening electricity prices.\n\n© 2024 Batteries and evening prices Ltd."
    )
    found = quotes(select("Do batteries lower evening electricity prices?", page))
    assert found == ["Large batteries lowered evening electricity prices by 9% in 2024."]


def test_at_most_four_sentences_of_one_source(select: Select) -> None:
    text = " ".join(f"Batteries lowered evening prices by {n}% in the town of Nor{n}land in 2024." for n in range(12))
    found = select("Do batteries lower evening prices?", text, "Batteries raised evening prices by 3% in Sudland.")
    counts = [sum(one.quote in source for one in found) for source in (text, "Batteries raised evening prices by 3%")]
    assert counts[0] == 4 and len(found) == 5


def test_no_piece_of_an_endless_sentence_is_quoted(select: Select) -> None:
    question = "Do batteries lower evening prices in Norland?"
    texts = []
    for plants in (*range(40, 60), 400):  # the last piece is of every length
        names = ", ".join(f"Norland battery plant {n} with evening prices of {n} euros" for n in range(plants))
        texts.append(
            f"The batteries and evening prices are {names}, Norland Batteries lowered the evening prices by 9%."
        )
    assert len(texts[-1].split()) > 3000
    assert quotes(select(question, *texts)) == []
    short = "Batteries lowered the evening prices in Norland by 9% in 2024."
    assert quotes(select(question, f"{texts[-1]} {short}")) == [short]


def test_rows_of_a_table_are_not_sentences(select: Select) -> None:
    table = "| Year | Batteries | Evening prices |\n|---|---|---|\n| 2023 | 3% | 41.2 |\n| 2024 | 12% | 35.6 |\n"
    text = f"{table}\nBatteries lowered evening prices from 41.2 to 35.6 euros within a year."
    assert quotes(select("Do batteries lower evening prices?", text)) == [
        "Batteries lowered evening prices from 41.2 to 35.6 euros within a year."
    ]


@pytest.mark.parametrize(
    ("question", "before", "quote"),
    [
        (
            "東京の人口は何人ですか",
            "天気がいい日が続いた。",
            "東京の人口は約千四百万人である。",
        ),
        (
            "北京有多少人口",
            "今天的天气非常好而且很暖和。",
            "北京的人口大约有两千一百万人。",
        ),
        (
            "Сколько жителей в Москве?",
            "Погода была очень хорошей весь день. ",
            "В Москве живут около тринадцати миллионов жителей города.",
        ),
    ],
)
def test_other_scripts_give_evidence(select: Select, question: str, before: str, quote: str) -> None:
    assert quotes(select(question, before + quote)) == [quote]


def test_a_sentence_in_other_words_is_evidence_and_one_that_shares_a_single_word_is_not(
    select: Select, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = "Do old street trees cool large cities during summer nights?"
    told = "In the shade beside a street the pavement was 14 degrees colder at midnight than in the sun of the town."
    other = "A street of the village was sold to a railway company by the council."
    assert quotes(select(question, told, other)) == [told]
    monkeypatch.setattr(evidence, "related", lambda term: frozenset())
    assert quotes(select(question, told, other)) == []


def test_a_part_of_a_name_stands_for_it_only_in_a_text_that_names_it_in_full(select: Select) -> None:
    canon = "Canon law is a set of rules made by church authority. The law was codified for the first time in 1917."
    moore = "The law of Gordon Moore says that the number of transistors doubles in two years."
    found = quotes(select("What is canon law?", canon, moore))
    assert found == ["Canon law is a set of rules made by church authority.",
                     "The law was codified for the first time in 1917."]  # fmt: skip


def test_what_is_done_is_evidence_only_where_a_text_names_who_does_it(select: Select) -> None:
    heat = "Heat makes people ill in the afternoon and robs them of sleep at night."
    whales = "Whales rise to breathe in every hour. One half of the brain is in deep sleep while the other is awake."
    assert quotes(select("How do whales sleep?", heat)) == []
    assert quotes(select("How do whales sleep?", heat, whales)) == whales.replace("hour. ", "hour.|").split("|")


def test_a_sentence_that_holds_the_whole_name_is_evidence_in_other_words(select: Select) -> None:
    mercer = "Jo Mercer is a footballer who scored for Norland United in four seasons."
    other = "A Mercer sold wool in the market of the town in 1702."
    assert quotes(select("What sport is Jo Mercer associated with?", mercer, other)) == [mercer]


def test_three_words_of_a_long_question_are_enough_and_two_are_not(select: Select) -> None:
    question = (
        "Is it true that intramembrane cleavage by signal peptide peptidase aids degradation of proteins with complex"
        " membrane orientation under thermal stress in yeast and mammals?"
    )
    told = "The enzyme cuts loose membrane proteins of the cell, which begins their degradation by the proteasome."
    other = "The proteins of milk were weighed in a complex of dairies in the north of the country."
    assert quotes(select(question, told, other)) == [told]


def test_a_compound_is_answered_by_one_that_begins_alike_and_question_words_ask_for_nothing(select: Select) -> None:
    text = (
        "Im Jahr 2023 waren 64,5 Prozent der Haushalte in Lindau an das Glasfasernetz angeschlossen.\n\n"
        "Wie weit der Weg zum Hafen der Stadt ist, weiß hier jeder."
    )
    found = quotes(select("Wie weit ist der Glasfaserausbau in Lindau?", text))
    assert found == ["Im Jahr 2023 waren 64,5 Prozent der Haushalte in Lindau an das Glasfasernetz angeschlossen."]
