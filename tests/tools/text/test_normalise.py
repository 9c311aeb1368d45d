"""The snapshot form of texts."""

import unicodedata

from hypothesis import given, strategies as st

from tests.tables import each
from tools.text.normalise import snapshot_text


@each(
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
