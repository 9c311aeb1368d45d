"""Overviews of few and of many texts, and where texts differ."""

from collections import Counter

import pytest
from plain_deps import FakeCollection, documents_of

from workflows.research.answer.draft import CardDraft
from workflows.research.answer.forms.overview import MAX_CARDS, cards
from workflows.research.answer.phase import PartAnswer, answer_part
from workflows.research.understand.parts import parts_of

NOTICE = "Printed by the county press, all rights reserved."
SUBJECTS = {
    "bees": (
        "Bees of hive {n} gather nectar and pollen; the keeper of hive {n} checks the honey twice "
        "a month.",
        9,
    ),
    "trams": (
        "Tram line {n} runs on rails from the depot; a driver of line {n} brakes before every "
        "crossing.",
        6,
    ),
    "bread": (
        "The dough of loaf {n} rests over night; the oven for loaf {n} is heated with beech wood.",
        3,
    ),
}
MANY = {
    f"{subject} {n}": f"{NOTICE}\n\n{sentence.format(n=n)}"
    for subject, (sentence, count) in SUBJECTS.items()
    for n in range(1, count + 1)
}


def answered(question: str, texts: dict[str, str]) -> tuple[PartAnswer, FakeCollection]:
    collection = documents_of(texts)
    (part,) = parts_of(question)
    return answer_part(part, collection), collection


def leads(card: CardDraft, collection: FakeCollection) -> list[str]:
    text = collection.text(card.snapshot_id)
    return [text[passage.lead.start : passage.lead.end] for passage in card.passages]


def names(answer: PartAnswer, collection: FakeCollection) -> list[str]:
    titles = {info.snapshot_id: info.title for info in collection.texts()}
    return [titles[card.snapshot_id] for card in answer.draft.cards]


def test_many_texts_are_grouped_by_what_they_are_about_and_all_are_named() -> None:
    answer, collection = answered("Summarise these documents.", MANY)
    cards = answer.draft.cards
    assert len(cards) <= MAX_CARDS < len(MANY)
    listed = [*names(answer, collection), *(other.title for card in cards for other in card.others)]
    assert sorted(listed) == sorted(MANY)
    groups: dict[str, set[str]] = {}
    titles = {info.snapshot_id: info.title for info in collection.texts()}
    for card in cards:
        subjects = groups.setdefault(card.group, set())
        subjects |= {
            titles[card.snapshot_id].split()[0],
            *(other.title.split()[0] for other in card.others),
        }
    assert all(len(subjects) == 1 for subjects in groups.values())
    assert all(groups)


def test_a_group_has_a_name_of_its_own_words_in_a_form_that_stands_in_the_texts() -> None:
    answer, collection = answered("Summarise these documents.", MANY)
    words = {
        word.strip(".,;").lower()
        for info in collection.texts()
        for word in collection.text(info.snapshot_id).split()
    }
    words |= {word for title in MANY for word in title.split()}
    for card in answer.draft.cards:
        assert {word.lower() for word in card.group.split(", ")} <= words


def test_few_texts_have_a_card_each_without_groups() -> None:
    answer, _ = answered("Summarise these documents.", dict(list(MANY.items())[:MAX_CARDS]))
    assert len(answer.draft.cards) == MAX_CARDS
    assert not any(card.group or card.others for card in answer.draft.cards)


def test_the_group_of_the_text_that_speaks_best_of_a_topic_comes_first() -> None:
    _, collection = answered("Summarise these documents.", MANY)
    best = sorted(collection.texts(), key=lambda info: info.title != "bread 2")
    drafts = cards(best, collection, {info.snapshot_id: () for info in best}).cards
    titles = {info.snapshot_id: info.title for info in best}
    assert titles[drafts[0].snapshot_id] == "bread 2"
    of_each = Counter(titles[draft.snapshot_id].split()[0] for draft in drafts)
    assert of_each["bread"] < of_each["bees"]


def test_a_notice_within_a_text_opens_no_card() -> None:
    things = ("bees gather", "trams brake on", "ovens bake all", "mills grind")
    texts = {
        name: f"Of {name} alone.\n\n{NOTICE}\n\nIn the town {name} all at every hour."
        for name in things
    }
    answer, collection = answered("Summarise these documents.", texts)
    assert [leads(card, collection)[0][:11] for card in answer.draft.cards] == ["In the town"] * 4


def test_what_stands_in_most_texts_opens_no_card() -> None:
    answer, collection = answered("Summarise these documents.", MANY)
    assert not any(
        NOTICE in lead for card in answer.draft.cards for lead in leads(card, collection)
    )
    assert all(card.passages for card in answer.draft.cards)


LAMPS = "Lamps: what is written about harbour lamps here is no advice on harbour lamps."


def test_a_notice_of_a_folder_is_no_passage_on_a_topic() -> None:
    own = ("burn at night", "were made of brass")
    texts = {f"Pier {n}": f"{LAMPS}\n\nFerry {n} leaves." for n in range(3)}
    texts |= {f"Mole {n}": f"Harbour lamps {own[n]} here." for n in range(2)}
    answer, collection = answered("Overview of harbour lamps", texts)
    assert set(names(answer, collection)) == {"Mole 0", "Mole 1"}
    assert not any(LAMPS in lead for c in answer.draft.cards for lead in leads(c, collection))


def test_a_card_begins_with_what_its_text_says_not_with_data_about_it() -> None:
    data = "- Date: 2020-01-02\n- Topic: harbour lamps\n- Status: final"
    texts = {"Pier": f"{data}\n\nHarbour lamps burn oil at night."}
    for question in ("Overview of harbour lamps", "Summarise these documents."):
        answer, collection = answered(question, texts)
        assert leads(answer.draft.cards[0], collection) == ["Harbour lamps burn oil at night."]


def test_texts_come_in_the_order_of_their_passages_not_of_their_chunks() -> None:
    texts = {
        "Pier": "Harbour lamps of harbour lamps: harbour lamps burn oil at night.",
        "Harbour lamps": "They were lit by hand, as all harbour lamps were in that year.",
    }
    answer, collection = answered("What do these texts say about harbour lamps?", texts)
    chunks = [collection.info(chunk.passage.snapshot_id).title for chunk in answer.ranked]
    assert names(answer, collection) == ["Harbour lamps", "Pier"] == chunks[::-1]


def test_a_notice_is_shown_where_nothing_else_speaks_of_the_topic() -> None:
    texts = {f"Pier {n}": f"{LAMPS}\n\nFerry {n} leaves." for n in range(3)}
    answer, collection = answered("Overview of harbour lamps", texts)
    assert LAMPS in leads(answer.draft.cards[0], collection)


def test_texts_of_nothing_but_a_repeated_notice_have_it_as_their_passage() -> None:
    answer, collection = answered(
        "Summarise these documents.", dict.fromkeys(("one", "two", "three"), NOTICE)
    )
    assert all(leads(card, collection) == [NOTICE] for card in answer.draft.cards)


TREES = {
    "Street tree survey": "The city of Aville planted 4,800 street trees. Street trees give shade "
    "in Aville.",
    "Reader": "A street tree needs 60 litres of water a week. Street trees were planted in Aville.",
    "Recipes": "Butter is made of cream. Salt keeps it fresh.",
}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What do the documents say about street trees?", {"Street tree survey", "Reader"}),
        ("Summarise the street tree survey.", {"Street tree survey"}),
    ],
)
def test_a_title_names_a_text_unless_the_question_is_put_to_several(
    question: str, expected: set[str]
) -> None:
    answer, collection = answered(question, TREES)
    assert set(names(answer, collection)) == expected


HEAT = {
    "Survey": "Aville has many squares. Shade cooled the air of Aville by 4.1 °C in July 2023. It "
    "rained.",
    "Station": "Masts were read at noon. Shade cooled the air of Aville by 1.2 °C in July 2023.",
    "Recipes": "Butter is made of cream. Salt keeps it fresh.",
}


@pytest.mark.parametrize(
    "question",
    [
        "Where do these documents disagree?",
        "Where do the documents disagree about the shade of Aville?",
    ],
)
def test_texts_that_differ_come_first_with_the_sentences_that_differ(question: str) -> None:
    answer, collection = answered(question, HEAT)
    assert set(names(answer, collection)[:2]) == {"Survey", "Station"}
    assert all("°C" in leads(card, collection)[0] for card in answer.draft.cards[:2])


def test_where_nothing_differs_every_text_has_a_card() -> None:
    answer, collection = answered(
        "Where do these documents disagree?", {**HEAT, "Station": "Masts were read at noon."}
    )
    assert set(names(answer, collection)) == set(HEAT)


def test_a_title_that_says_more_than_was_asked_is_one_of_the_texts_on_the_topic() -> None:
    texts = {
        "Street trees of Aville in the last century": "Elms fell.",
        "Reader": "Street trees need water. The city plants street trees.",
        **{f"Report {n}": f"Ferry {n} leaves." for n in range(9)},
    }
    answer, collection = answered("Overview of street trees", texts)
    assert {"Reader", *list(texts)[:1]} == set(names(answer, collection))
    answer, collection = answered("Overview of the paper on street trees", texts)
    assert names(answer, collection) == list(texts)[:1]
    texts |= {"Street trees": "Elms fell."}
    answer, collection = answered("Overview of the Report 3", texts)
    assert names(answer, collection) == ["Report 3"]


def test_a_text_that_only_repeats_its_title_is_named_by_none() -> None:
    texts = {
        "Street tree survey": "Street tree survey",
        "Reader": "The street tree survey counts elms. A street tree survey takes a year.",
        **{f"Report {n}": f"Ferry {n} leaves." for n in range(9)},
    }
    answer, collection = answered("Summarise the street tree survey.", texts)
    assert names(answer, collection) == ["Reader"]


def test_figures_that_differ_come_first_only_where_their_sentences_speak_of_the_topic() -> None:
    texts = {
        "Orchard": "Parks of Aville have benches. Lake Tarn of Aville is 45 m deep.",
        "Garden": "Parks of Aville have fountains. Lake Tarn of Aville is 60 m deep.",
        "Walks": "Parks of Aville with benches and fountains and elms close at night.",
    }
    question = "Where do the documents disagree about benches and fountains in parks of Aville?"
    answer, collection = answered(question, {**texts, "Rain": "Rain falls on Lake Tarn."})
    assert names(answer, collection)[0] == "Walks"
    question = "Where do the documents disagree about Lake Tarn?"
    answer, collection = answered(question, texts)
    assert all("deep" in leads(card, collection)[0] for card in answer.draft.cards[:2])


def test_a_text_that_gives_several_figures_itself_differs_from_none() -> None:
    cases = {
        **HEAT,
        "Station": HEAT["Station"] + " Shade cooled the air of Aville by 2.2 °C in July 2023.",
    }
    question = "Where do the documents disagree about the shade of Aville?"
    cards = {q: answered(question, texts) for q, texts in (("one", HEAT), ("several", cases))}
    first = {q: leads(answer.draft.cards[0], c)[0] for q, (answer, c) in cards.items()}
    differing = {q: answer.draft.cards[0].passages[0].score for q, (answer, _) in cards.items()}
    assert "°C" in first["one"] and differing["one"] == 1.0 > differing["several"]
