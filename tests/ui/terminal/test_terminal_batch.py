"""research --batch: a file of questions."""

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def questions(tmp_path: Path) -> str:
    file = tmp_path / "questions.txt"
    file.write_text("# mine\nWhy do we sleep?\nHow do vaccines work?\n", "utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("research", "Why?", "--batch", "FILE"), "leave it out"),
        (("research", "Why?", "--cluster", "tcp://127.0.0.1:1"), "--batch FILE"),
        (("research", "--batch", "FILE", "-o", "report.html"), "zorora export"),
        (
            ("research", "--batch", "FILE", "--detach", "--cluster", "tcp://127.0.0.1:1"),
            "cannot be combined",
        ),
    ],
)
def test_what_makes_no_sense_is_said(
    zorora: Any, questions: str, words: tuple[str, ...], message: str
) -> None:
    ran = zorora(*(questions if word == "FILE" else word for word in words))
    assert ran.code == 2 and message in ran.err


def test_an_absent_file_is_a_sentence(zorora: Any, tmp_path: Path) -> None:
    ran = zorora("research", "--batch", str(tmp_path / "none.txt"))
    assert ran.code == 1 and "cannot be read" in ran.err and "Traceback" not in ran.err


def test_detached_every_question_is_queued(zorora: Any, fake: Any, questions: str) -> None:
    ran = zorora("research", "--batch", questions, "--detach", "--depth", "1", "--json")
    assert ran.code == 0 and [row["question"] for row in json.loads(ran.out)] == [
        "Why do we sleep?",
        "How do vaccines work?",
    ]
    chosen = [request.options for request in fake.requests]
    assert [option.depth for option in chosen] == [1, 1] and all(
        option.clarify is False for option in chosen
    )


def test_the_same_batch_again_goes_on_where_it_was(zorora: Any, fake: Any, questions: str) -> None:
    zorora("research", "--batch", questions, "--detach")
    ran = zorora("research", "--batch", questions, "--json")
    assert (
        len(fake.requests) == 2
        and "2 of 2 were answered in an earlier run of this file; --again" in ran.err
    )
    assert [row["question"] for row in json.loads(ran.out)] == [
        "Why do we sleep?",
        "How do vaccines work?",
    ]
    assert [row["before"] for row in json.loads(ran.out)] == [True, True]
    zorora("research", "--batch", questions, "--detach", "--again")
    assert len(fake.requests) == 4
    alone = zorora("research", "Why?", "--again")
    assert alone.code == 2 and "--batch FILE" in alone.err
