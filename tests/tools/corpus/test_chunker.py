"""Chunks: whole sentences, exact offsets, never across a section, never too long."""

from itertools import pairwise

import pytest
from hypothesis import example, given, strategies as st

from tests.tables import each
from tools.documents.model import Cut, Section
from tools.index.chunker import chunks

MAX_CHARACTERS = Cut().max_characters


def prose(sentences: int, length: int = 100) -> str:
    return " ".join(
        f"Sentence number {n} says {'something ' * (length // 10)}at last."
        for n in range(sentences)
    )


def test_a_short_text_is_one_chunk_without_its_white_space() -> None:
    pieces = chunks("  \n A short text. It ends.\n\n ")
    assert [(c.start, c.end) for c in pieces] == [(4, 26)]


def test_chunks_are_whole_sentences_and_repeat_one() -> None:
    text = prose(30)
    pieces = chunks(text)
    assert len(pieces) > 3
    for chunk in pieces:
        body = text[chunk.start : chunk.end]
        assert len(body) <= MAX_CHARACTERS
        assert body.startswith("Sentence number") and body.endswith("at last.")
    for first, other in pairwise(pieces):
        assert first.start < other.start < first.end < other.end
        assert text[other.start : first.end].count("at last.") == 1


@pytest.mark.parametrize("overlap", [0, 1, 3])
def test_size_and_overlap_can_be_chosen(overlap: int) -> None:
    text = " ".join(f"Sentence {n} here." for n in range(100))
    pieces = chunks(text, (), Cut(120, overlap))
    assert all(c.end - c.start <= 120 for c in pieces)
    for first, other in pairwise(pieces):
        shared = text[other.start : first.end].count("here.") if other.start < first.end else 0
        assert shared == overlap


def test_white_space_between_sentences_counts() -> None:
    text = ("A short sentence. " + "\n \n" * 40) * 60
    assert all(c.end - c.start <= MAX_CHARACTERS for c in chunks(text))


def test_long_sentences_are_not_repeated() -> None:
    text = prose(6, 600)
    pieces = chunks(text)
    assert all(first.end < other.start for first, other in pairwise(pieces))


def test_no_chunk_crosses_a_section() -> None:
    first, second = prose(8), prose(8)
    text = f"# One\n{first}\n# Two\n{second}"
    start = text.index("# Two")
    sections = (
        Section("one", "One", 1, 6, start - 1),
        Section("two", "Two", 1, start + 6, len(text)),
    )
    pieces = chunks(text, sections)
    assert {c.section_id for c in pieces} == {"one", "two"}
    for chunk in pieces:
        section = sections[0] if chunk.section_id == "one" else sections[1]
        assert section.start <= chunk.start < chunk.end <= section.end


def test_a_chunk_belongs_to_the_innermost_section() -> None:
    text = "Outer text here. Inner text here. More outer text."
    sections = (Section("outer", "", 1, 0, len(text)), Section("inner", "", 2, 17, 33))
    assert [(text[c.start : c.end], c.section_id) for c in chunks(text, sections)] == [
        ("Outer text here.", "outer"),
        ("Inner text here.", "inner"),
        ("More outer text.", "outer"),
    ]


def test_reference_lists_are_left_out_unless_there_is_nothing_else() -> None:
    text = "We found it. A. Smith, On things, 1999."
    body, references = (
        Section("b", "", 1, 0, 12),
        Section("r", "References", 1, 13, len(text), "references"),
    )
    assert [c.section_id for c in chunks(text, (body, references))] == ["b"]
    assert [
        c.section_id
        for c in chunks(text[13:], (Section("r", "", 1, 0, len(text) - 13, "references"),))
    ] == ["r"]


def test_advice_under_the_heading_of_references_is_found() -> None:
    text = (
        "We found it. My references: ask the people of the talent team, who call nobody without "
        "your permission."
    )
    body, advice = (
        Section("b", "", 1, 0, 12),
        Section("r", "References", 1, 13, len(text), "references"),
    )
    assert [c.section_id for c in chunks(text, (body, advice))] == ["b", "r"]


def test_broken_sections_do_no_harm() -> None:
    text = "One sentence. Another one."
    wrong = (Section("a", "", 1, -5, 4), Section("b", "", 1, 9, 3), Section("c", "", 1, 0, 999))
    assert [(c.start, c.end) for c in chunks(text, wrong)] == [(0, len(text))]


def test_a_sentence_without_end_is_cut_at_spaces() -> None:
    text = "word " * 2000
    pieces = chunks(text)
    assert all(c.end - c.start <= MAX_CHARACTERS for c in pieces)
    assert all(
        text[c.start : c.end].split() == ["word"] * len(text[c.start : c.end].split())
        for c in pieces
    )
    assert sum(len(text[c.start : c.end].split()) for c in pieces) == 2000


def test_a_run_without_any_border_is_cut_anyway() -> None:
    pieces = chunks("x" * 5500)
    assert [c.end - c.start for c in pieces] == [1000] * 5 + [500]


def test_scripts_without_spaces_get_shorter_chunks() -> None:
    text = "これは長い文章の一部であり何度も繰り返される。" * 60
    pieces = chunks(text)
    assert all(c.end - c.start < MAX_CHARACTERS // 3 for c in pieces)
    endless = chunks("漢" * 3000)
    assert all(c.end - c.start <= MAX_CHARACTERS // 4 for c in endless)


def test_a_letter_keeps_its_marks() -> None:
    text = "e\u0301" * 1500
    assert all(text[c.start] == "e" for c in chunks(text))


@each(
    "text",
    [
        "a. ?",
        "1. one\n2. two",
        "- x\n- y",
        "e. coli grows in warm water.",
        "a.                    b",
        "Note:\n(12) x",
    ],
)
def test_the_marker_of_a_list_item_stands_in_its_chunk(text: str) -> None:
    assert [text[chunk.start : chunk.end] for chunk in chunks(text)] == [text]


@example("a. ?", [])
@example("x- y", [1])
@given(
    st.text(alphabet=st.sampled_from("ab1 .)-\n!?漢。,e\u0301"), max_size=3000),
    st.lists(st.integers(0, 3000), max_size=6),
)
def test_chunks_cover_every_word_in_order(text: str, borders: list[int]) -> None:
    cuts = sorted({0, len(text), *(b for b in borders if b <= len(text))})
    sections = tuple(Section(str(n), "", 1, a, b) for n, (a, b) in enumerate(pairwise(cuts)))
    covered, last = set(), 0
    for chunk in chunks(text, sections):
        assert last <= chunk.start < chunk.end <= len(text)
        assert chunk.end - chunk.start <= MAX_CHARACTERS
        body = text[chunk.start : chunk.end]
        assert body == body.strip()
        covered |= set(range(chunk.start, chunk.end))
        last = chunk.start
    assert all(i in covered or text[i].isspace() for i in range(len(text)))


@pytest.mark.parametrize("text", ["", " \n\t ", "\u200b"[:0]])
def test_nothing_gives_no_chunk(text: str) -> None:
    assert chunks(text) == []
