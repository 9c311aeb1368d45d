"""Which sentence answers a question with a short answer, and how surely."""

import pytest

from tools.trust.answers import answers, differ, wanted


def score(sentence: str) -> float:
    asked = wanted("When was Cove Fort built?", "Cove Fort")
    assert asked is not None
    return answers(asked, sentence, [(0, len(sentence))])[0].score


def test_a_sentence_of_many_small_words_is_no_junk_and_a_row_of_titles_is() -> None:
    plain = "Cove Fort was built in 1867 by a few men who came over the hills in the spring."
    titles = "Cove Fort Built 1867 Home About Us News Events Photos Maps Shop Contact Login Help Search Archive Staff "
    assert score(plain) > 0.8
    assert score(titles) < score(plain) - 0.2


@pytest.mark.parametrize(
    ("question", "subject", "plain", "longer", "other"),
    [
        (
            "What is the broadcast format of WCNA?",
            "WCNA",
            "WCNA is a radio station broadcasting a Classical Music format.",
            "Radio station WCNA Eastport, Norland Branding Cima 103.7 Format Classical Music Owner Aker Media",
            "Radio station WCNA Eastport, Norland Branding Cima 103.7 Format Country Owner Aker Media",
        ),
        (
            'Who is the artist of the album "Interiors"?',
            "Interiors",
            "Interiors is the third album by the rock band Stone Quarry.",
            "The album Interiors was praised by the critic Lin Aker of Oslo, for whom Stone Quarry had come back.",
            "The album Interiors was praised by the critic Lin Aker of Oslo, for whom Red Larch had come back.",
        ),
        (
            'Who directed the film "Baby Doll"?',
            "Baby Doll",
            "Baby Doll is a film directed by Lin Aker.",
            "The film Baby Doll rests on a play by Jo Mercer of Eastport, in whose memoirs director Lin Aker appears.",
            "The film Baby Doll rests on a play by Jo Mercer of Eastport, in whose memoirs director Ian Marsh appears.",
        ),
    ],
)
def test_a_sentence_with_the_same_answer_among_other_names_is_no_other_answer(
    question: str, subject: str, plain: str, longer: str, other: str
) -> None:
    """The town, the owner, the critic and the play beside the answer are none of it."""
    asked = wanted(question, subject)
    assert asked is not None
    first, same, rival = (answers(asked, text, [(0, len(text))])[0] for text in (plain, longer, other))
    assert not differ(first, same) and not differ(same, first)
    assert differ(first, rival)


@pytest.mark.parametrize(
    ("question", "a", "b", "apart"),
    [
        ("How high is the Kelm Dam?", "The Kelm Dam is 112 metres high.", "The Kelm Dam is 367 feet high.", False),
        ("How high is the Kelm Dam?", "The Kelm Dam is 112 metres high.", "The Kelm Dam is 95 metres high.", True),
        ("How high is the Kelm Dam?", "The Kelm Dam is 112 metres high.", "The Kelm Dam is 112 feet high.", True),
        ("How many people live in Kelm?", "Kelm has 3,171 people.", "Kelm has 3,172 people.", True),
    ],
)
def test_one_length_in_two_units_is_one_answer(question: str, a: str, b: str, apart: bool) -> None:
    asked = wanted(question, "Kelm Dam" if "Dam" in question else "Kelm")
    assert asked is not None
    first, second = (answers(asked, text, [(0, len(text))])[0] for text in (a, b))
    assert differ(first, second) is apart and differ(second, first) is apart


def test_an_answer_has_the_words_of_its_number_or_date() -> None:
    for question, text, said in (
        ("How high is the Kelm Dam?", "The Kelm Dam is 112 metres high.", "112 metres"),
        ("When was the Kelm Dam opened?", "The Kelm Dam was opened on 3 April 1967.", "3 April 1967"),
    ):
        asked = wanted(question, "Kelm Dam")
        assert asked is not None
        assert answers(asked, text, [(0, len(text))])[0].said == said
