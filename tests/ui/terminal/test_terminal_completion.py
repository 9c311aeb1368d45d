"""Completion and the manual page come from the table of commands, and shells accept them."""

import os
import pty
import select
import shutil
import subprocess
import time
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests import doc_modules
from ui.terminal.command_table import COMMANDS

MANUAL = doc_modules.load("manual_page").page()
OFFERED = [command for command in COMMANDS if command.name != "worker"]
Run = Callable[..., Any]
LINES = [  # what is typed, and what may stand there
    ("resea", ["research"]),
    ("--hom", ["--home"]),
    ("research --dep", ["--depth"]),
    ("research --depth ", ["1", "2", "3"]),
    ("research-view sl", ["sleep_and_memory_20260102_101500"]),
    ("load sl", ["sleep_and_memory_20260102_101500"]),
    ("show --brief sl", ["sleep_and_memory_20260102_101500"]),
    ("cache delete sl", []),
    ("research --docs pa", []),
    ("ingest pa", []),
    ("--home pa", []),
    ("config g", ["get"]),
    ("data rem", ["remove"]),
    ("help rescor", ["rescore"]),
    ("completion ", ["bash", "zsh", "fish"]),
    ("export last ht", ["html"]),
    ("export last -o x.html --format ht", ["html"]),
    ("--home papers undele", ["undelete"]),
    ("show --hom", ["--home"]),
    ("nothing ", []),
]


@pytest.mark.parametrize("line, expected", LINES)
def test_a_line_is_completed(zorora: Run, line: str, expected: Sequence[str]) -> None:
    ran = zorora("completion", "words", "--", *line.split(" "))
    assert ran.code == 0 and [row.split("\t")[0] for row in ran.out.splitlines()] == expected


def test_every_command_is_offered_with_what_it_does(zorora: Run) -> None:
    rows = dict(row.split("\t") for row in zorora("completion", "words").out.splitlines())
    assert rows == {
        **{command.name: command.help for command in OFFERED},
        "help": "say what a command does",
    }


def test_names_of_reports_are_offered(zorora: Run) -> None:
    assert zorora("tag", "sleep", "@naps").code == 0
    assert zorora("completion", "words", "--", "show", "nap").out.split("\t")[0] == "naps"
    assert zorora("completion", "tcsh").code == 2


# What the program would say to each line of the shells' tests
PROGRAM = """zorora() {
    local IFS=" "
    case "$*" in
        "completion words -- resea") printf 'research\\tfind: it out\\n' ;;
        "completion words -- show --format graph") printf 'graphml\\t\\n' ;;
        "completion words -- load tea") printf 'tea time\\tWhat is tea?\\n' ;;
        completion*) ;;
        *) echo "<$1 $2 $3>" ;;
    esac
}
"""
TYPED = [
    ("zorora resea", "<research  >"),
    ("zorora show --format graph", "<show --format graphml>"),
    ("zorora load tea", "<load tea time >"),
    ("zorora ingest pa", "<ingest papers"),
]


@pytest.mark.parametrize("shell", ["bash", pytest.param("zsh", marks=pytest.mark.lab)])
def test_a_shell_completes(zorora: Run, tmp_path: Path, shell: str) -> None:
    """Typed into a shell of its own: Tab, then Enter, which prints what the line has become."""
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "papers").mkdir()
    (tmp_path / "script").write_text(PROGRAM + zorora("completion", shell).out)
    setup = "autoload -Uz compinit; compinit -u -D; " if shell == "zsh" else ""
    options = {"bash": ["--norc", "--noprofile"], "zsh": ["-f"]}[shell]
    master, slave = pty.openpty()
    ran = subprocess.Popen(
        [shell, *options, "-i"],
        cwd=tmp_path,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    )
    os.close(slave)
    try:
        os.write(master, f"{setup}. ./script; echo rea''dy\n".encode())
        heard(master, "ready")
        for line, expected in TYPED:
            os.write(master, f"{line}\t\n".encode())
            heard(master, expected)
    finally:
        ran.kill()
        ran.wait()
        os.close(master)


def heard(terminal: int, expected: str) -> None:
    """Read what a shell prints until it has printed this."""
    text, until = "", time.monotonic() + 20
    while expected not in text:
        assert time.monotonic() < until, text
        if select.select([terminal], [], [], 1)[0]:
            text += os.read(terminal, 10_000).decode(errors="replace")


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not installed")
def test_fish_completes(zorora: Run, tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "script").write_text(zorora("completion", "fish").out)
    commands = "; ".join(f"complete -C '{line}' | string collect; echo =" for line, _ in TYPED)
    script = (
        "source script; function zorora; test \"$argv[3..-1]\" = '-- resea'; "
        f"and printf 'research\\tfind out\\n'; end; {commands}"
    )
    ran = subprocess.run(
        ["fish", "-N", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    answers = [answer.strip() for answer in ran.stdout.split("=\n")]
    assert ran.stderr == "" and answers[0] == "research\tfind out" and answers[3] == "papers/"


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_the_manual_page_is_well_formed() -> None:
    ran = subprocess.run(
        ["groff", "-man", "-Tascii", "-ww", "-z"],
        input=MANUAL,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stderr == ""


def test_the_manual_page_is_up_to_date() -> None:
    assert (Path(__file__).resolve().parents[3] / "docs" / "zorora.1").read_text("utf-8") == MANUAL
    assert all(f"\\fB{command.name}" in MANUAL.replace("\\-", "-") for command in COMMANDS)


def test_the_manual_page_is_installed_where_man_looks() -> None:
    root = Path(__file__).resolve().parents[3]
    targets = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"][
        "targets"
    ]
    assert targets["wheel"]["shared-data"] == {"docs/zorora.1": "share/man/man1/zorora.1"}
    assert "/docs/zorora.1" in targets["sdist"]["include"]  # a wheel may be made of it
    assert all(
        name in MANUAL for name in (".SH ENVIRONMENT", "ZORORA_HOME", "NO_COLOR", ".SH EXAMPLES")
    )
