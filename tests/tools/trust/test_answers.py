"""Which sentence answers a question with a short answer, and how surely."""

from tools.trust.answers import answers, wanted


def score(sentence: str) -> float:
    asked = wanted("When was Cove Fort built?", "Cove Fort")
    assert asked is not None
    return answers(asked, sentence, [(0, len(sentence))])[0].score


def test_a_sentence_of_many_small_words_is_no_junk_and_a_row_of_titles_is() -> None:
    plain = "Cove Fort was built in 1867 by a few men who came over the hills in the spring."
    titles = "Cove Fort Built 1867 Home About Us News Events Photos Maps Shop Contact Login Help Search Archive Staff "
    assert score(plain) > 0.8
    assert score(titles) < score(plain) - 0.2
