"""The sentence splitter on 300 tricky sentences, and on text made to hurt it."""

import time
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.tables import each
from tools.text.sentences import spans

DATA = Path(__file__).parents[2] / "data" / "sentences.txt"
JOINS = {"space": " ", "nothing": "", "newline": "\n", "blank": "\n\n"}


def blocks() -> list[tuple[str, list[str]]]:
    """(joiner, sentences) of every block of the data file."""
    cases: list[tuple[str, list[str]]] = []
    for line in DATA.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            cases.append((JOINS[line[3:].strip()], []))
        elif cases and line.strip():
            cases[-1][1].append(line.strip().replace("⏎", "\n"))
    return cases


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in spans(text)]


def test_there_are_at_least_three_hundred_sentences() -> None:
    assert sum(len(sentences) for _, sentences in blocks()) >= 300


@each("block", blocks())
def test_tricky_sentences_are_split_where_a_reader_would(block: tuple[str, list[str]]) -> None:
    joiner, sentences = block
    assert split(joiner.join(sentences)) == sentences


def test_a_blank_line_always_ends_a_sentence() -> None:
    assert split("See Dr.\n\nsmith, who\n \t\nleft") == ["See Dr.", "smith, who", "left"]


def test_spans_of_a_part_stay_inside_it() -> None:
    text = "One is here. Two is there. Three is gone."
    assert spans(text, 13, 26) == [(13, 26)]
    assert spans(text, 13, 10_000)[-1] == (27, 41)
    assert spans(text, 5, 5) == []


def test_nothing_gives_nothing() -> None:
    assert spans("") == spans(" \n\n\t ") == []


@given(st.text(alphabet=st.sampled_from("aAé1. !?\"')\n-#|。」と…[]*"), max_size=200))
def test_spans_cover_all_but_white_space_in_order(text: str) -> None:
    sentence_spans = spans(text)
    prefix, position = "", 0
    for start, end in sentence_spans:
        assert position <= start < end
        assert not text[position:start].strip()
        assert text[start:end] == text[start:end].strip()
        prefix, position = prefix + text[start:end], end
    assert not text[position:].strip()


@pytest.mark.lab
@pytest.mark.parametrize(
    "piece",
    [
        ".",
        ". ",
        ".x",
        "\n",
        "\n ",
        " ",
        '." ',
        ".[1]",
        "。",
        "。」",
        "A. ",
        '"',
        "e.g. ",
        "x\n",
        "1. ",
        "#",
        ".1,1",
    ],
)
def test_time_grows_with_the_length_only(piece: str) -> None:
    def seconds(size: int) -> float:
        text = "a" + piece * (size // len(piece))
        best = 9.0
        for _ in range(3):
            begun = time.process_time()
            spans(text)
            best = min(best, time.process_time() - begun)
        return best

    small, large = seconds(5_000), seconds(20_000)
    assert large < 12 * small + 0.05
