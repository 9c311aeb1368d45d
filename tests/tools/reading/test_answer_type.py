"""What kind of answer a question wants, and whether a sentence has it."""

from tests.tables import each
from tools.reading.answer_type import (
    AnswerType,
    asks_whether,
    defined_subject,
    defines,
    expected_answer,
    says_yes_or_no,
)
from tools.reading.features import FeatureReader
from tools.reading.reader import Candidate
from tools.text.tokens import stem


@each(
    ("question", "kind"),
    [
        ("How many seats are there?", AnswerType.NUMBER), ("When was it opened?", AnswerType.DATE),
        ("Who pays?", AnswerType.NAME), ("What is a code of conduct?", AnswerType.DEFINITION),
        ("What does cache_size do?", AnswerType.DEFINITION),
        ("How long does it last?", AnswerType.DURATION), ("Bees in winter", AnswerType.ANY),
        ("What happens when it rains?", AnswerType.ANY),
        ("Since when is it open?", AnswerType.DATE),
        ("How do I start it when it is cold?", AnswerType.METHOD),
        ("Why do people who smoke cough?", AnswerType.REASON), ("For whom is it?", AnswerType.NAME),
        ("What is the capital of Italy?", AnswerType.ANY),
        ("What is the Kashmir issue?", AnswerType.DEFINITION),
        ("What is the minimum age?", AnswerType.NUMBER),
        ("Which law defines waste?", AnswerType.ANY), ("Define waste.", AnswerType.DEFINITION),
    ],
)  # fmt: skip
def test_a_question_wants_a_kind_of_answer(question: str, kind: AnswerType) -> None:
    assert expected_answer(question) == kind


@each(
    ("subject", "sentence", "share"),
    [
        ("code conduct", "A code of conduct is a document that says how people behave.", 1.0),
        ("thalassemias", "Thalassemias (thal-a-SE-me-ahs) are a group of disorders.", 1.0),
        ("sickle disease", "The term sickle disease describes disorders of red cells.", 1.0),
        ("introducer", "Introducer means a device that names others.", 1.0),
        ("migraine", "Migraine is common.", 0.5),
        (
            "migraine",
            "Treatment of migraine is a long story.",
            1.0,
        ),  # a subject of few words may be part of another
        (
            "migraine",
            "There is much that doctors cannot say today about migraine, which is a disease.",
            0.0,
        ),
        ("migraine", "Migraine often begins with a light in one eye.", 0.0),
        ("heart failure", "Failure is an option.", 0.0),
        ("dia", "DIA - Duration of Insulin Action, or how long the insulin is active.", 1.0),
        ("super bolus", "The super bolus (SB): insulin that is given early.", 1.0),
        ("dia", "dia | how long the insulin is active | 4 hours", 1.0),
        ("dia", "insulin | dia | 4 hours", 0.0),
        ("dia", "DIA settings: see the page on settings.", 0.0),
        ("dia", "activity-dia - 3", 0.0),
        ("", "It is a thing.", 0.0),
        ("migraine", "", 0.0),
    ],
)
def test_a_sentence_defines_what_its_subject_is(subject: str, sentence: str, share: float) -> None:
    assert defines(tuple(map(stem, subject.split())), sentence) == share


def test_a_definition_goes_before_what_is_said_of_a_thing() -> None:
    reader = FeatureReader(lambda word: 1.0)
    mention = Candidate(
        "Our code of conduct, your code of conduct: every code of conduct needs somebody who "
        "enforces it."
    )
    defined = Candidate(
        "A code of conduct is a document that says how people behave towards each other."
    )
    for question, better in (
        ("What is a code of conduct?", 1),
        ("Who enforces a code of conduct?", 0),
    ):
        scores = [
            reading.score for reading in reader.read(question, [mention, defined], units=True)
        ]
        assert scores.index(max(scores)) == better, question


def test_a_sentence_that_spells_an_abbreviation_out_goes_before_those_that_use_it() -> None:
    reader = FeatureReader(lambda word: 1.0)
    texts = (
        "The SLO is met when the SLO target of the SLO is met.",
        "A service level objective (SLO) sets out a target.",
    )
    for question in ("What is an SLO?", "What does SLO stand for?"):
        used, spelled_out = reader.read(
            question, [Candidate(text, "", 0.5) for text in texts], units=True
        )
        assert spelled_out.score > used.score


def test_what_is_to_be_defined_stands_before_where() -> None:
    assert defined_subject("What is a hook in Git?") == "What is a hook"
    assert defined_subject("What is rain?") == "What is rain?"
    assert defined_subject("What does DIA stand for?") == "What does DIA"
    assert expected_answer("What does DIA stand for?") == AnswerType.DEFINITION


@each(
    ("question", "expected"),
    [
        ("Is the valve open?", True),
        ("If the pump stops, does the valve close?", True),
        ("What is the valve?", False),
        ("Which valves can close?", False),
    ],
)
def test_whether_yes_or_no_answers_a_question(question: str, expected: bool) -> None:
    assert asks_whether(question) is expected


@each(
    ("text", "expected"),
    [
        ("Yes.", True),
        ("Yes, it is.", True),
        ("Answer: No! It stays open.", True),
        ("Yes and no.", True),
        ("No valve is open.", False),
        ("It is open. Yes.", False),
    ],
)
def test_a_text_begins_with_yes_or_no(text: str, expected: bool) -> None:
    assert says_yes_or_no(text) is expected
