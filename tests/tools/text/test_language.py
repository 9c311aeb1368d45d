"""Which languages a question may be in."""

from tests.tables import each
from tools.text.language import question_languages


@each("question", ["civil war causes", "war in Vietnam", "rain in Spain", "sdfkj", "?"])
def test_what_has_no_question_words_of_another_language_is_in_none(question: str) -> None:
    assert not question_languages(question)


def test_question_words_tell_the_language() -> None:
    assert "de" in question_languages("Was kostet die Sicherheit der Stadt?")
    assert "es" in question_languages("¿Cuánto cuesta la seguridad de la ciudad?")
