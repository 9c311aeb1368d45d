"""Names in running text."""

from tests.tables import each
from tools.text.names import names


@each(
    ("text", "expected"),
    [
        (
            "Brother is a song by the American rock band Pearl Jam.",
            ["brother", "american", "pearl jam"],
        ),
        ("He moved to Nashville, Tennessee, in 1949.", ["nashville", "tennessee"]),
        ("the Journal of Mathematical Physics is published", ["journal of mathematical physics"]),
        ("The Treaty of Rome 1957 was signed.", ["treaty of rome 1957"]),
        ("Water boils. The water is hot.", []),
        ("She said that it rained. They left.", []),
        ("It was written by Johann Strauss II", ["johann strauss ii"]),
        ("Aschenbrödel was finished by Josef Bayer", ["aschenbrodel", "josef bayer"]),
        ("in the University of", ["university"]),
        ("O'Brien and Saint-Denis", ["o brien", "saint denis"]),
        ("東京は日本の首都です。", []),
        ("all words are small here", []),
        ("", []),
    ],
)
def test_names_are_runs_of_capitals(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_a_text_of_capitals_takes_no_time() -> None:
    assert len(names("ABBA " * 5_000)) == 1
    assert names("A" * 100_000) == ["a" * 100_000]
