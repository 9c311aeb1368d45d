"""Questions in other languages over texts of the same: the forms of their words, their compounds,
and what it says that a word stands nowhere."""

import pytest
from plain_deps import documents_of
from test_answer import Doubtful, answered

from tests.tables import each
from tools.text.inflection import halves
from tools.translation.dictionary import is_listed, rarity_in
from workflows.research.answer.absence import LIKELY, RARE, Presence
from workflows.research.answer.phase import answer_part
from workflows.research.answer.wording import word_for
from workflows.research.understand.parts import parts_of
from workflows.research.understand.topic import topic_of

FILLER = "Das Haus am Fluss ist von der Stadt und für alle da, die nicht aus dem Ort sind."


def in_words_of(question: str, text: str) -> tuple[str, tuple[str, ...]]:
    """The question in words of a text, and the words that are missing."""
    (part,) = parts_of(question)
    wording = word_for(part, documents_of({"Text": f"{text} {FILLER}"}))
    return wording.part.question, wording.missing


@each(
    ("question", "text", "expected"),
    [
        ("Wo sind die Bibliotheken?", "Die Bibliothek", "Wo sind die bibliothek?"),
        ("Où sont les chevaux ?", "Le cheval", "Où sont les cheval ?"),
        ("Waar zijn de bibliotheken?", "De bibliotheek", "Waar zijn de bibliotheek?"),
        ("Wo ist die Dampfmaschine?", "Dampf treibt die Maschine", "Wo ist die dampf maschine?"),
        ("Wo ist die Waldenhalle?", "Wald und Halle", "Wo ist die wald halle?"),
        # one half is not the whole
        ("Wo ist die Wartburg?", "Die Burg", None),
        # a name has no other forms
        ("¿Dónde nació Julia?", "En julio", None),
        # "Vertreibung" only begins alike, and "Vertrag" is a word
        ("Wo liegt der Vertrag?", "Die Vertreibung", None),
        ("Wo liegt der Vetrrag?", "Der Vertrag", "Wo liegt der vertrag?"),
    ],
)  # fmt: skip
def test_a_word_is_put_as_the_texts_have_it(question: str, text: str, expected: str | None) -> None:
    as_written, missing = in_words_of(question, text)
    assert as_written == (expected or question) and bool(missing) == (expected is None)


@pytest.mark.parametrize(("letters", "is_cut"), [(60, True), (61, False), (5000, False)])
def test_a_compound_has_at_most_sixty_letters(letters: int, is_cut: bool) -> None:
    assert bool(list(halves("a" * letters))) is is_cut


def test_three_forms_of_a_word_are_searched_for() -> None:
    (part,) = parts_of("Wo sind die Kindern?")
    texts = documents_of({"Text": f"Kinde Kindes Kind Kindest Kinder. {FILLER}"})
    assert word_for(part, texts).part.query == "Wo sind die Kindern? kind kinde kinder"


@each(
    ("word", "is_rare"),
    [("passiert", False), ("Zahl", False), ("Wasserbrücke", False), ("Grottenolm", True)],
)  # fmt: skip
def test_a_word_of_another_language_is_as_rare_as_the_english_one(word: str, is_rare: bool) -> None:
    assert (rarity_in(word, ["de"]) >= RARE) == is_rare


def test_a_compound_is_as_rare_as_its_rarer_half() -> None:
    assert rarity_in("Wasserqualle", ["de"]) == max(
        rarity_in("Wasser", ["de"]), rarity_in("Qualle", ["de"])
    )
    assert not is_listed("Wasserqualle", "de") and not is_listed("Wasser", "xx")


BRIDGE = {
    "Log": "Die Brücke über den Fluss in Aville wurde im Jahr 1931 für Autos geöffnet. Sie ist aus "
    "Stahl und hat vier Pfeiler.",
    "Mill": "Die Mühle am Fluss wurde von der Stadt gekauft und wird nicht mehr genutzt.",
}


@each(
    ("question", "presence"),
    [
        # a verb without a capital, a common noun, a noun that nothing is known of, without capitals
        ("Wann wurde die Brücke in Aville geadelt?", Presence(True)),
        ("Wann wurde die Brücke in Aville für Kinder geöffnet?", Presence(True)),
        ("Wann wurde die Brücke in Bosk geöffnet?", Presence(False, ("bosk",))),
        # without capitals it may be no name
        ("wann wurde die brücke in bosk geöffnet?", Presence(True, ("bosk",))),
        ("Wann wurde die Brücke „Trifels“ geöffnet?", Presence(False, ("trifels",))),
        ("Wann wurde die Brücke in Baader-Bosk geöffnet?", Presence(False, ("baader", "bosk"))),
    ],
)
def test_a_word_that_stands_nowhere_says_that_nothing_answers_where_it_may_be_a_name(
    question: str, presence: Presence
) -> None:
    assert answered(question, BRIDGE)[0].presence == presence


@pytest.mark.parametrize(("log_odds", "may_answer"), [(1.1 * LIKELY, False), (-0.1, True)])
def test_an_answer_must_be_as_likely_in_another_language(log_odds: float, may_answer: bool) -> None:
    collection = documents_of(BRIDGE)
    collection.reader = Doubtful(collection.reader, log_odds)
    (part,) = parts_of("Wann wurde die Brücke in Aville für Autos geöffnet?")
    assert answer_part(part, collection).presence.may_answer is may_answer


@each(
    ("question", "terms"),
    [
        ("Che differenza c'è tra interviste e questionari?", "interviste questionari"),
        ("Was ist der Unterschied zwischen RDA und RAK?", "rda rak"),
        ("Wat is het verschil tussen boter en margarine?", "boter margarine"),
        ("Quelle est la signification de ce mot ?", "mot"),
        ("Was ist ein Vergleich?", "vergleich"),
        ("Zusammenfassung Protokoll", "protokoll"),
        ("How do I resume a session?", "resume session"),
    ],
)
def test_words_that_ask_are_those_of_the_language_of_the_question(
    question: str, terms: str
) -> None:
    assert topic_of(question).text() == terms
