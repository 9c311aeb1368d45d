"""WordPiece: the ids of the published tokenizer (recorded from it), and text made to hurt."""

import time

import pytest
from hypothesis import given, strategies as st

from tests.tables import each
from tools.index.vectors.wordpiece import WordPiece

PIECES = WordPiece()


@pytest.fixture(scope="module")
def pieces() -> WordPiece:
    """The tokenizer with the vocabulary of the model."""
    return WordPiece()


@each(
    ("text", "ids"),
    [
        ("How tall is the Eiffel Tower?", [2129, 4206, 2003, 1996, 1041, 13355, 2884, 3578, 1029]),
        ("Ünïcödé ñ İstanbul ﬁne ligature", [27260, 1050, 9960, 1984, 2638, 8018, 11244]),
        (
            "東京は日本の首都です。",
            [1879, 1755, 1672, 1864, 1876, 1671, 100, 1961, 1665, 30184, 1636],
        ),
        ("한국어", [1469, 30006, 30021, 29991, 30014, 30020, 29999, 30008]),
        ("zero\u200bwidth \u00adsoft", [5717, 9148, 11927, 2232, 3730]),
        ("👩‍🔬 emoji ✓ £5 €3 x²", [100, 7861, 29147, 2072, 100, 27813, 1574, 2509, 1060, 10701]),
        (
            "1.2-4_5 a@b …—“",
            [1015, 1012, 1016, 1011, 1018, 1035, 1019, 1037, 1030, 1038, 1529, 1517, 1523],
        ),
        ("\u2028line\x85sep\x00nul", [3210, 13699, 11231, 2140]),
        ("ǅ ß ẞ Σς", [100, 1096, 1096, 1173, 19579]),
        ("", []),
    ],
)
def test_ids_are_those_of_the_published_tokenizer(
    pieces: WordPiece, text: str, ids: list[int]
) -> None:
    assert pieces.encode(text) == [101, *ids, 102]


def test_long_text_is_cut_and_closed(pieces: WordPiece) -> None:
    ids = pieces.encode("tower " * 1000, limit=16)
    assert len(ids) == 16 and ids[0] == 101 and ids[-1] == 102


def test_a_word_longer_than_any_is_unknown(pieces: WordPiece) -> None:
    assert pieces.encode("x" * 101) == [101, 100, 102]


def test_huge_words_and_texts_take_no_time(pieces: WordPiece) -> None:
    begun = time.process_time()
    for text in (
        "x" * 5_000_000,
        "é" * 1_000_000,
        "a b " * 1_000_000,
        "\u0301" * 1_000_000,
        "\ud800" * 10,
    ):
        assert len(pieces.encode(text)) <= 256
    assert time.process_time() - begun < 1.0


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("How tall is it?", ["How", "tall", "is", "it", "?"]),
        ("Ünïcödé (the Eiffel)", ["Ünïcödé", "(", "the", "E", "iff", "el", ")"]),
        ("zero\u200bwidth  1.2", ["zero", "wi", "dt", "h", "1", ".", "2"]),
        ("caf\u0065\u0301 now", ["caf\u0065\u0301", "now"]),
        ("", []),
    ],
)
def test_tokens_know_what_they_stand_for(pieces: WordPiece, text: str, cut: list[str]) -> None:
    assert [text[token.start : token.end].lower() for token in pieces.tokens(text)] == [
        piece.lower() for piece in cut
    ]


@given(st.text())
def test_tokens_are_those_of_encode_and_stand_in_order(text: str) -> None:
    tokens = PIECES.tokens(text)
    assert [token.id for token in tokens] == PIECES.encode(text, limit=10_000)[1:-1]
    places = [(token.start, token.end) for token in tokens]
    assert places == sorted(places) and all(0 <= start < end <= len(text) for start, end in places)
