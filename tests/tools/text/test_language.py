"""Which languages a question may be in."""

from tests.tables import each
from tools.text.language import question_languages


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
        ("È obbligatorio?", "it"),
        ("São livres os projetos?", "pt"),
        ("Heb ik een licentie nodig?", "nl"),
    ],
)
def test_openings_and_signs_tell_it_too(question: str, language: str) -> None:
    assert question_languages(question) == (language,)
