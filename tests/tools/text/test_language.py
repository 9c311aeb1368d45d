"""Which languages a question may be in."""

from tests.tables import each
from tools.text.language import asking_words, language_of, question_languages


@each(
    "question",
    [
        "civil war causes",
        "war in Vietnam",
        "rain in Spain",
        "sdfkj",
        "?",
        "Was it a mill?",
        "Was Ada in Vienna?",
        "Who is Gödel?",
        "Was Gödel right?",
        "Uber in London",
        "Mein Kampf in English",
        "São Paulo population",
        "Dame Judi Dench",
        "Differences between El Niño and La Niña",
        "Define raison d'être",
        "vis-à-vis meaning",
        "UN Security Council members?",
        "Le Mans winner 2020?",
        "si units?",
        "van rental price?",
        "What does façade mean?",
    ],
)
def test_what_has_no_question_words_of_another_language_is_in_none(question: str) -> None:
    assert not question_languages(question)


def test_question_words_tell_the_language() -> None:
    assert "de" in question_languages("Was kostet die Sicherheit der Stadt?")
    assert "es" in question_languages("¿Cuánto cuesta la seguridad de la ciudad?")


@each(
    ("question", "language"),
    [
        ("Was ist BIBFRAME?", "de"),
        ("Was gehört in ein Zeugnis?", "de"),
        ("In welchem Jahr starb Tesla?", "de"),
        ("Wofür wurde es geschaffen?", "de"),
        ("À quoi sert-il ?", "fr"),
        ("¿Qué motivó a Lutero a escribir himnos?", "es"),
        ("È obbligatorio per il comune?", "it"),
        ("São livres os projetos?", "pt"),
        ("Heb ik een licentie nodig?", "nl"),
        ("Was übersetzte Ada?", "de"),
        ("Sind Hunde erlaubt?", "de"),
        ("Gibt es einen Aufzug", "de"),
        ("WAS KOSTET DAS?", "de"),
        ("Esiste una garanzia?", "it"),
        ("Puis-je annuler ?", "fr"),
        ("Riassumi tutto", "it"),
        ("Resume los documentos", "es"),
        ("¿Necesito visado?", "es"),
    ],
)
def test_openings_and_signs_tell_it_too(question: str, language: str) -> None:
    assert question_languages(question) == (language,)


def test_an_acronym_is_no_small_word() -> None:
    assert "als" not in asking_words("Wat is ALS?")
    assert "als" in asking_words("Wat moet ik doen als het regent?")


@each(
    ("text", "language"),
    [
        # "i" is a Polish and an Italian word
        ("Can I export my vault?", "en"),
        ("Where can I park?", "en"),
        ("May I bring my dog?", ""),
        ("Name a battlefield", ""),
        ("Am I allowed to park?", ""),
        ("Riassumi i documenti", ""),
        ("Jeg bor i Danmark og arbejder. Det er godt at have tid.", "da"),
        ("Ich will an Ostern nach Rom.", "de"),
        ("W Krakowie jest zamek i katedra", "pl"),
    ],
)
def test_a_text_is_in_the_language_of_its_small_words(text: str, language: str) -> None:
    assert language_of(text) == language


@each(
    "question",
    ["Dell laptop battery all models", "ton of ai tools", "Has original sin a meaning?",
     "bus fare to da nang", "sin tax has effects?"],
)  # fmt: skip
def test_words_that_are_english_as_well_tell_no_language(question: str) -> None:
    assert question_languages(question) == ()
