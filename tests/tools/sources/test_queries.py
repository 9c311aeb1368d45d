"""Queries fitted to services: what a question is about is required, phrases in quotes always
survive."""

from tests.tables import each
from tools.sources.client import Filters
from tools.sources.queries import (
    boolean_query,
    first_day,
    last_day,
    plain_query,
    read_terms,
    topic_of,
    web_query,
)
from tools.sources.scholarly.arxiv import terms


@each(
    ("query", "expected"),
    [
        ("caffeine sleep", "caffeine AND sleep"),
        ('"deep sleep" caffeine', '"deep sleep" AND caffeine'),
        ("Does coffee raise blood pressure?", "coffee AND blood AND pressure"),
        ("How do street trees cool cities?", "street AND trees AND cool AND cities"),
        ("Does daylight saving time increase road accidents?",
         "(accidents AND (daylight OR saving OR road)) OR (daylight AND road)"),
        ("What are the health effects of microplastics in drinking water?",
         "(microplastics AND (health OR drinking OR water)) OR (drinking AND health)"),
        ("Is it true that the Great Wall of China is visible from space?",
         '"Great Wall of China" AND visible AND space'),
        ("ocean acidification: history", "ocean AND acidification AND history"),
        ("coffee, blood pressure: systematic review", "coffee AND blood AND pressure AND "
                                                      "(systematic OR review)"),
        ('"Ada Berg" energy grids prices storage', '"Ada Berg" AND (energy OR grids OR prices OR '
                                                   'storage)'),
        ("sleep AND (coffee OR tea) NOT milk", "(milk AND (sleep OR coffee OR tea)) OR (tea AND "
                                               "(sleep OR coffee))"),
        ("Welche Folgen hat der Klimawandel?", "Klimawandel"),
        ("What are the side effects of semaglutide (Ozempic)?", "side AND semaglutide"),
        ("Should cities ban cars from their centres?",
         "(centres AND (cities OR ban OR cars)) OR (ban AND (cities OR cars))"),
        ("How did the Black Death change wages in medieval England?",
         '(wages AND ("Black Death" OR medieval OR England)) OR (medieval AND "Black Death")'),
        ("Latest news on the EU AI Act", '"EU AI Act" AND news'),
        ("Is the Loch Ness Monster real?", '"Loch Ness Monster" AND real'),
        ("History of the Suez Canal", '"Suez Canal" AND History'),
        ("Causes of the First World War", '"First World War"'),
        ("Impact of the Marshall Plan on West German growth", '"Marshall Plan" AND "West German" '
                                                              'AND growth'),
        ("Was ist die Ursache von Migraine?", "Migraine"),
        ("How does photosynthesis work, and where?", "photosynthesis"),
        ("How do heat pumps work in cold climates?",
         "(climates AND (heat OR pumps OR cold)) OR (pumps AND cold)"),
        ("How long do solar panels last?", "solar AND panels AND last"),
        ("Did the 2008 financial crisis increase suicide rates in Greece?",
         "(suicide AND (financial OR crisis OR Greece)) OR (Greece AND (financial OR crisis))"),
        ('What is the evidence that "deep sleep" clears beta-amyloid from the brain?',
         '"deep sleep" AND (clears OR beta-amyloid OR brain)'),
        ("to be or not to be", "to AND be AND or AND not"),
        ("history: ", "history"),
        ("", ""), ("  ?! ", ""), (": ", ""),
    ],
)  # fmt: skip
def test_what_a_question_is_about_is_required(query: str, expected: str) -> None:
    assert boolean_query(query, 300) == expected


@each(
    "junk",
    ["measured outcome", "study found results", "according to a report", "overview of methods"],
)
def test_words_of_research_do_not_widen_a_query(junk: str) -> None:
    topic = "grid-scale batteries, electricity prices"
    terms = read_terms(f"{topic}, {junk}")
    assert [word for word, _ in terms.pairs] == ["batteries", "prices"]
    assert not set(junk.split()) & {term for _, beside in terms.pairs for term in beside}


def test_a_capital_tells_names_unless_every_word_has_one() -> None:
    assert read_terms("Rosalind Franklin and the structure of DNA").must[:1] == (
        "Rosalind Franklin",
    )
    assert "Coffee Raise" not in " ".join(
        read_terms("Does Coffee Raise Blood Pressure In Adults").all
    )
    assert (
        read_terms("jobs of teenagers in the United States and their wages").pairs[0][0]
        == "teenagers"
    )


@each(
    ("text", "on_topic"),
    [("teenagers and the minimum wage", True), ("teenagers in schools", False),
        ("wage and employment", True),
     ("the minimum wage", False), ("", False)],
)  # fmt: skip
def test_a_text_is_on_the_topic_with_a_rare_word_and_another_beside_it(
    text: str, on_topic: bool
) -> None:
    terms = read_terms(
        "Does the minimum wage reduce employment among teenagers in the United States?"
    )
    assert terms.found_in(lambda term: f" {term} " in f" {text} ") is on_topic


def test_a_topic_is_its_groups_of_words() -> None:
    question = (
        "How effective is mindfulness meditation in treating chronic lower back pain in "
        "older adults?"
    )
    assert topic_of(question) == "mindfulness meditation, chronic lower back pain, older adults"
    assert topic_of(question, 4) == "mindfulness meditation, chronic, adults"
    assert topic_of('Is "base editing" safe?') == '"base editing", safe'
    assert [topic_of(text) for text in ("", "?", "What is it?")] == ["", "", "What is it"]


def test_long_questions_are_cut_at_a_word_and_keep_their_phrases() -> None:
    query = "coffee " + " ".join(f"word{n}" for n in range(200)) + ' "Anna Maria Berg"'
    for text in (boolean_query(query, 120), plain_query(query, 120)):
        assert "Anna Maria Berg" in text and len(text) <= 130
    assert len(boolean_query("coffee " + " ".join(f"word{n}" for n in range(200)), 120)) <= 130
    assert "Anna Maria Berg" in web_query(query, (), (), 120)


def test_services_without_operators_get_the_weightiest_words_first() -> None:
    question = "Does the minimum wage reduce employment among teenagers?"
    assert plain_query(question, 300) == "teenagers wage minimum employment"
    assert plain_query(question, 300, 2) == "teenagers wage"


def test_arxiv_terms_have_their_field_and_dates() -> None:
    assert terms('"attention is" all networks', Filters()) == 'all:"attention is" AND all:networks'
    assert terms("graph", Filters(since="2020-05", until="2021")) == (
        "(all:graph) AND submittedDate:[202005010000 TO 202112312359]"
    )
    assert terms("daylight saving time, road accidents: review", Filters()) == (
        "((all:accidents AND (all:daylight OR all:saving OR all:road)) OR (all:daylight AND "
        "all:road)) AND all:review"
    )


def test_web_queries_stay_as_typed_and_name_sites() -> None:
    assert web_query("battery, grid: running costs", (), (), 400) == "battery grid running costs"
    assert web_query("How does  it work?", ("a.org", "b.org"), ("c.org",), 400) == (
        "How does it work? site:a.org OR site:b.org -site:c.org"
    )


def test_dates_become_days() -> None:
    assert [first_day(date) for date in ("2020", "2020-05", "2020-05-17")] == [
        "2020-01-01",
        "2020-05-01",
        "2020-05-17",
    ]
    assert [last_day(date) for date in ("2020", "2024-02", "2020-05-17")] == [
        "2020-12-31",
        "2024-02-29",
        "2020-05-17",
    ]
