"""Every kind of bad input: one sentence on standard error, the right exit status, no traceback."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.models import StorageError
from tests.tables import each
from ui.terminal.main import main

ROOT = Path(__file__).resolve().parents[3]
Run = Callable[..., Any]

QUESTIONS = [
    "x" * 10_000,
    "¿Qué es la 光合作用?",
    "it's \"quoted\" and 'quoted' and `so`",
    "../../etc/passwd",
    "a/b\\c:d*e?f",
    "\x1b[31mred\x00",
    "line\nline\ttab",
    "\udcff\udcfe",
    "'; DROP TABLE sources; --",
    "=cmd|' /C calc'!A0",
    "𝕗𝕒𝕟𝕔𝕪 👩‍🔬",
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_any_question_is_passed_on_as_text(zorora: Run, fake: Any, question: str) -> None:
    assert zorora("research", question).code == 0
    query = fake.requests[0].query
    assert query == question.encode("utf-8", "replace").decode().strip()


@pytest.mark.parametrize("words", [(), ("",), ("   ",), ("\n\t",)])
def test_no_question_is_a_mistake_of_usage(zorora: Run, fake: Any, words: tuple[str, ...]) -> None:
    ran = zorora("research", *words)
    assert ran.code == 2 and "no question" in ran.err and not fake.requests and ran.out == ""


def test_a_question_may_begin_with_a_dash(zorora: Run, fake: Any) -> None:
    assert zorora("research", "--", "--why is the sky blue").code == 0
    assert fake.requests[0].query == "--why is the sky blue"


@each(
    "line",
    [
        "research q --depth 9",
        "research q --depth x",
        "research q --nonsense",
        "research q --workers 0",
        "research q --max-sources -3",
        "research q --since yesterday",
        "research q --since 2024-13",
        "research q --since 2024-02-31",
        "research q --sources ,",
        "history --limit nought",
        "config frobnicate",
        "keys set",
        "--home",
        "web --port x",
        "worker",
        "export last nonsense",
        "star a b",
    ],
)
def test_wrong_words_end_with_2_and_one_line(zorora: Run, line: str) -> None:
    ran = zorora(*line.split())
    assert ran.code == 2, ran
    assert ran.err.startswith("zorora: ") and ran.err.count("\n") == 1 and ran.out == ""


@each(
    "line",
    ["show nothing", "export nothing", "star nothing", "delete nothing", "undelete nothing",
        "watch nothing",
             "tag nothing a", "note nothing x", "cancel nothing", "resume nothing",
             "open nothing --no-browser"]
)  # fmt: skip
@each("reference", ["nothing", "../../etc/passwd", "\x1b[2J", "a" * 5000, "\udcff", "%00", "'"])
def test_an_unknown_id_is_said(zorora: Run, line: str, reference: str) -> None:
    ran = zorora(*(reference if word == "nothing" else word for word in line.split()))
    assert ran.code == 1, ran
    assert ran.err.startswith("zorora: ") and "Traceback" not in ran.err and "\x1b" not in ran.err


@pytest.mark.parametrize("command", ["show", "star", "cancel", "resume", "tag", "note", "export"])
def test_an_empty_id_does_not_mean_the_last_one(zorora: Run, command: str) -> None:
    ran = zorora(command, "")
    assert ran.code == 1 and "The id is empty" in ran.err and ran.out == ""


@pytest.mark.parametrize("argv", [("--home", "", "history"), ("--home=", "history")])
def test_an_empty_home_is_not_the_working_directory(zorora: Run, argv: tuple[str, ...]) -> None:
    ran = zorora(*argv)
    assert ran.code == 2 and "--home needs a directory" in ran.err


def test_an_ambiguous_beginning_lists_what_it_may_mean(zorora: Run, fake: Any) -> None:
    research_id = next(iter(fake.states.values()))
    fake.states["sleep_again_20260105_000000"] = replace(
        research_id, research_id="sleep_again_20260105_000000"
    )
    ran = zorora("show", "sleep")
    assert ran.code == 1 and "sleep_again_20260105_000000" in ran.err and "Type more" in ran.err


def test_without_any_research_the_last_one_is_explained(zorora: Run, fake: Any) -> None:
    fake.states.clear()
    ran = zorora("show")
    assert ran.code == 1 and "no reports yet" in ran.err


def test_a_fault_of_ours_is_one_sentence(zorora: Run, fake: Any) -> None:
    fake.raises = KeyError("surprise")
    ran = zorora("research", "q")
    assert ran.code == 1 and "bug in Zorora (KeyError" in ran.err and "Traceback" not in ran.err


def test_a_storage_fault_is_its_own_sentence(zorora: Run) -> None:
    ran = zorora("history", fault=StorageError("The disk is full."))
    assert (ran.code, ran.err) == (1, "zorora: The disk is full.\n")


def test_an_operating_system_fault_names_the_file(zorora: Run, fake: Any) -> None:
    fake.raises = PermissionError(13, "Permission denied", "/x/y")
    ran = zorora("research", "q")
    assert (ran.code, ran.err.splitlines()[-1]) == (1, "zorora: /x/y: Permission denied.")


def test_closed_standard_input_is_no_terminal(zorora: Run) -> None:
    line = f"{sys.executable} -m ui.terminal version <&-"
    ran = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, timeout=30)
    assert ran.returncode == 0, ran.stderr


def test_undecodable_arguments_and_a_poor_terminal_are_survived() -> None:
    environment = {
        **{k: v for k, v in os.environ.items() if k != "PYTHONUTF8"},  # noqa: TID251
        "PYTHONIOENCODING": "ascii",
    }
    command = [
        sys.executable.encode(),
        b"-m",
        b"ui.terminal",
        b"route",
        b"--json",
        b"\xff\xfe caf\xc3\xa9",
    ]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, env=environment, timeout=30)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["workflow"] == "research"


def test_a_file_that_is_no_text_goes_to_a_program_whole_and_never_to_a_terminal() -> None:
    from engine.answers import Exported
    from ui.terminal.command import UsageError
    from ui.terminal.export_files import printable

    word = Exported(b"PK\x03\x04", "application/x", "a.docx")
    assert printable(word, on_terminal=False) == b"PK\x03\x04"
    with pytest.raises(UsageError, match=r"-o a\.docx"):
        printable(word, on_terminal=True)
    assert printable(Exported(b"text", "text/plain", "a.md"), on_terminal=True) == b"text\n"


def test_a_line_that_lacks_something_says_where_to_read_on(zorora: Run) -> None:
    for argv in (("follow",), ("history", "--nonsense")):
        ran = zorora(*argv)
        assert ran.code == 2 and f"`zorora {argv[0]} -h` shows how." in ran.err


def test_a_program_started_without_streams_has_somewhere_to_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(f"sys.{name}", None)
    assert main(["version"]) == 0 and main(["--home", str(tmp_path)]) == 0
