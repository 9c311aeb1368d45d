"""Pronouns are replaced where the text leaves no doubt whom they mean, and nowhere else."""

import pytest

from tools.trust.edits import replay, smooth

LIFE = "Ada Okafor (born 3 May 1950) is a Norlandic chemist. She studied in Halden. Her work won two prizes."
SERIES = (
    "Tidewater is a Norlandic television series made by Bo Lind. The series was shown on NTV until 2006. It ran for"
    " eight years. In March of 2007 it was sold to a museum. The series narrative follows three sisters."
)
BAND = "The Night Owls were a rock band from Halden. They broke up in 1999. Their second album sold well."


@pytest.mark.parametrize(
    ("text", "quote", "sentence"),
    [
        (LIFE, "She studied in Halden.", "[Ada Okafor] studied in Halden."),
        (LIFE, "Her work won two prizes.", "[Ada Okafor’s] work won two prizes."),
        (BAND, "They broke up in 1999.", "[The Night Owls] broke up in 1999."),
        (BAND, "Their second album sold well.", "[The Night Owls’] second album sold well."),
        (LIFE + " By December she had finished a book.", "By December she had finished a book.",
         "By December [Ada Okafor] had finished a book."),
        (LIFE + " In August of 1980, she left. In May she came back.", "In May she came back.",
         "In May [Ada Okafor] came back."),
        (SERIES, "The series was shown on NTV until 2006.", "[Tidewater] was shown on NTV until 2006."),
        (SERIES, "In March of 2007 it was sold to a museum.", "In March of 2007 [Tidewater] was sold to a museum."),
        ("Halden Bridge is a bridge. However, it closed in 1990.", "However, it closed in 1990.",
         "[Halden Bridge] closed in 1990."),
    ],
)  # fmt: skip
def test_a_paragraph_about_one_name(text: str, quote: str, sentence: str) -> None:
    made, edits = smooth(quote, text, text.index(quote))
    assert made == sentence
    assert replay(quote, edits) == sentence
    assert "pronoun" in {edit.kind for edit in edits}


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        # wrong answer: [Lake Halden] was a minister
        ("Lake Halden is named for Bo Lind. He was a minister of the king.", "He was a minister of the king."),
        # wrong answer: [The council] cools streets
        ("The council met in May. It cools streets by shade.", "It cools streets by shade."),
        # wrong answer: [Street] is cheap
        ("Street trees cool the air. It is cheap to plant them.", "It is cheap to plant them."),
        # wrong answer: [Ada Okafor] is known that ...
        (LIFE + " It is known that tea cools.", "It is known that tea cools."),
        # another subject stands between
        (LIFE + " Bo Lind paid for the house. He left in 1970.", "He left in 1970."),
        # another paragraph
        (LIFE + "\n\nShe was followed by others.", "She was followed by others."),
        # plural for one
        ("Halden Bridge is a bridge. They closed in 1990.", "They closed in 1990."),
        ("She studied in Halden.", "She studied in Halden."),
        # wrong answer: after Bo Lind [Ada Okafor] left
        (LIFE + " After Bo Lind she left.", "After Bo Lind she left."),
        # wrong answer: [Tidewater] narrative
        (SERIES, "The series narrative follows three sisters."),
        # wrong answer: [Halden] has nine bridges, where the county is meant
        ("Halden is a town in the county of Norland. The county has nine bridges.", "The county has nine bridges."),
        # another thing stands between
        (SERIES + " The Night Owls are a band. The series was banned.", "The series was banned."),
        # nothing was called so
        ("Halden Bridge is a bridge. The film was shot on it.", "The film was shot on it."),
    ],
)
def test_doubt_leaves_the_pronoun(text: str, quote: str) -> None:
    assert smooth(quote, text, text.rindex(quote)) == (quote, ())


def test_what_authors_say_of_themselves_names_them() -> None:
    assert smooth("In 2020 we found that our trees cool streets.")[0] == (
        "In 2020 [the authors] found that [the authors’] trees cool streets."
    )
    assert smooth("However, we found shade.")[0] == "[The authors] found shade."
