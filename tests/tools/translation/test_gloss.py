"""Texts put into English word by word, and what reads them so."""

import gzip
from collections.abc import Sequence
from importlib.resources import files

import pytest

from tests.tables import each
from tools.reading.features import FeatureReader
from tools.reading.onnx_reader import OnnxReader
from tools.reading.reader import Candidate
from tools.reading.reading_model import Figures, ModelReading
from tools.search.query import further_words
from tools.text.inflection import STEMMERS
from tools.translation.gloss import Gloss, gloss, query_languages, text_languages

GERMAN = "Der Hund (zwei Jahre alt) wohnt in Aville. Sein Haus ist nicht groß."


@each(
    ("language", "text", "english"),
    [
        ("de", "Wann beginnt die Schule?", "When begins the School?"),
        ("fr", "où est la maison", "where is the house"),
        ("es", "¿Cuándo llega el tren?", "¿When arrived the train?"),
        ("it", "perché la scuola", "why the school"),
        ("pt", "onde fica a escola", "where eased the school"),
        ("nl", "hoeveel dagen", "how many day"),
        # each half of a compound; what is not known stays
        ("de", "Wasserbrücke Aville 12", "Water bridge Aville 12"),
    ],
)  # fmt: skip
def test_small_words_and_others_have_their_english(language: str, text: str, english: str) -> None:
    assert gloss(text, (language,)).text == english


def test_every_word_of_a_gloss_has_its_place_in_the_text() -> None:
    glossed = gloss(GERMAN, ("de",))
    for start, end, text_start, text_end in glossed.words:
        assert glossed.place(start, end) == (text_start, text_end)
        assert glossed.place(start + 1, end) == (text_start, text_end)
    assert glossed.place(0, len(glossed.text)) == (0, len(GERMAN))
    bracket = glossed.text.index("(")
    assert glossed.place(bracket, bracket + 1) == (GERMAN.index("("), GERMAN.index("(") + 1)


def test_a_text_of_no_other_language_is_its_own_gloss() -> None:
    assert gloss("The house (two years)", ()) == Gloss("The house (two years)", ())
    assert gloss("(zwei)", ()).place(1, 5) == (1, 5)


@each(
    ("query", "languages"),
    [
        ("Wann wurde die Schule geöffnet?", ("de",)), ("When was the school opened?", ()),
        ("cache_size default", ()), ("Kündigungsfrist Wohnung", ("de",)),
        ("pensión alimenticia hijos", ("es", "pt")), ("", ()), ("когда", ()),
    ],
)  # fmt: skip
def test_the_language_of_a_query_is_told_by_how_it_asks_or_its_words(
    query: str, languages: tuple[str, ...]
) -> None:
    assert query_languages(query) == languages


def test_a_text_too_short_to_tell_is_in_the_language_of_its_question() -> None:
    assert text_languages("Hund", ("de",)) == ("de",)
    assert text_languages("The dog is in the house of the man.", ("de",)) == ()
    assert text_languages(GERMAN) == ("de",)


def test_a_text_in_another_language_is_found_by_the_stems_of_its_english() -> None:
    assert {"dog", "two", "year", "hous"} <= set(further_words(GERMAN, ("de",)))
    assert further_words("The dog", ()) == []


def test_words_of_like_meaning_count_in_another_language() -> None:
    near, far = "Dateien werden mit dieser Taste entfernt.", "Die Brücke wurde aus Stahl gebaut."
    reader = FeatureReader(lambda word: 1.0)
    question = "Wie kann ich ein Dokument löschen?"
    first, second = reader.read(question, [Candidate(near), Candidate(far)])
    assert first.score > second.score


class Marking:
    """A reading model that marks a word of what it is handed."""

    figures = Figures("test", "MIT", 64, 200, 1.0, 1.0, 1.0, (0.0, 1.0, 0.0), (0.0, 1.0, 0.0))

    def __init__(self, word: str) -> None:
        self.word = word
        self.seen: list[tuple[str, tuple[str, str]]] = []

    def read(self, question: str, texts: Sequence[tuple[str, str]]) -> list[ModelReading | None]:
        self.seen += [(question, text) for text in texts]
        at = [(text.index(self.word), text.index(self.word) + len(self.word)) for _, text in texts]
        return [ModelReading(1.0, [(*place, 1.0)], place, 1.0) for place in at]


def test_what_the_model_marks_in_a_gloss_is_marked_in_the_text() -> None:
    model = Marking("not")
    reader = OnnxReader(model, FeatureReader(lambda word: 1.0))  # type: ignore[arg-type]
    (reading,) = reader.read("Ist das Haus groß?", [Candidate(GERMAN, heading="Der Hund")])
    ((question, (heading, text)),) = model.seen
    assert question.lower().startswith("is the") and "dog" in text.lower()
    assert heading.lower() == "the dog"
    assert reading.span is not None
    assert GERMAN[slice(*reading.span)] == "nicht"
    assert GERMAN[reading.begins[0][0] : reading.begins[0][1]] == "nicht"


@pytest.mark.parametrize("language", [*STEMMERS, "any"])
def test_lists_of_words_are_sorted_and_have_none_twice(language: str) -> None:
    path = files("tools.data").joinpath("translations").joinpath(f"{language}.txt.gz")
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    keys = [line.split(" ", 1)[0] for line in lines]
    assert lines == sorted(lines) and len(keys) == len(set(keys)) > 10_000
