"""The snapshot form and the joining of PDF lines."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.text.normalise import compounds_of, join_lines, snapshot_text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("a\r\nb\rc\n", "a\nb\nc\n"),
        ("a\x00b\x0bc\x0cd\x1fe\tf", "abcde\tf"),
        ("e\u0301", "é"),
        ("x\ud800y", "x\ufffdy"),
        ("\udc00", "\ufffd"),
        ("\ud83d\ude00", "😀"),
        ("\ud83d", "\ufffd"),
        ("", ""),
        ("e\x00\u0301", "é"),
    ],
)
def test_a_text_gets_its_snapshot_form(raw: str, text: str) -> None:
    assert snapshot_text(raw) == text


@given(st.text(alphabet=st.characters()))
def test_the_snapshot_form_is_stable_clean_and_encodable(raw: str) -> None:
    text = snapshot_text(raw)
    assert snapshot_text(text) == text
    assert unicodedata.is_normalized("NFC", text)
    assert not any(ord(c) < 32 and c not in "\t\n" for c in text)
    assert text.encode("utf-8").decode("utf-8") == text


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["one", "two"], "one two"),
        (["exam-", "ple"], "example"),
        (["exam\u00ad", "ple"], "example"),
        (["exam\ufffe", "ple"], "example"),
        (["co\u00adop", "x"], "coop x"),
        (["Smith-", "Jones"], "Smith-Jones"),
        (["well-", "known"], "well-known"),
        (["10-", "20"], "10- 20"),
        (["", "  a   b ", "", "c"], "a b c"),
        ([], ""),
    ],
)
def test_lines_of_a_paragraph_are_joined(lines: list[str], text: str) -> None:
    assert join_lines(lines, compounds_of("a well-known fact")) == text
