"""Completion scripts and the manual page come from the table of commands, and shells accept
them."""

import shutil
import subprocess
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine import exports
from ui.terminal import man
from ui.terminal.command_table import COMMANDS
from ui.terminal.commands import completion

OFFERED = [command for command in COMMANDS if command.shell and command.name != "worker"]


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_a_script_knows_every_command(zorora: Callable[..., Any], shell: str) -> None:
    ran = zorora("completion", shell)
    assert ran.code == 0 and "run one queued research" not in ran.out and " worker)" not in ran.out
    for command in OFFERED:
        assert command.name in ran.out
    assert "depth" in ran.out and "completion ids" in ran.out


def test_the_formats_offered_are_the_formats_there_are() -> None:
    assert {form.name for form in exports.FORMATS} == set(completion.EXPORTS)


def test_ids_are_offered(zorora: Callable[..., Any]) -> None:
    every = zorora("completion", "ids").out.split()
    assert every and all(
        candidate.startswith(every[0][:3])
        for candidate in zorora("completion", "ids", every[0][:3]).out.split()
    )
    assert zorora("completion", "ids", "zzz").out.strip() == ""
    assert (
        zorora("tag", every[0], "@naps").code == 0
        and zorora("completion", "ids", "nap").out == "naps\n"
    )
    assert zorora("completion", "tcsh").code == 2


def offered(tmp_path: Path, lines: Sequence[Sequence[str]]) -> list[list[str]]:
    """What bash would offer for the last word of each line."""
    (tmp_path / "script").write_text(completion.bash(OFFERED))
    script = "zorora() { echo sleep_20260101_101010; }; . ./script\n"
    for words in lines:
        listed = " ".join(f"'{word}'" for word in words)
        script += (
            f"COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}; _zorora; echo "
            f'"${{COMPREPLY[@]}}"\n'
        )
    ran = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    return [line.split() for line in ran.stdout.splitlines()]


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_bash_completes(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "my docs").mkdir()
    (tmp_path / "script").write_text(completion.bash(OFFERED))
    script = (
        ". ./script; COMP_WORDS=(zorora ingest my); COMP_CWORD=2; _zorora; printf '<%s>' "
        '"${COMPREPLY[@]}"'
    )
    assert (
        subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True).stdout
        == "<my docs>"
    )
    candidates = offered(
        tmp_path, [*(line.split() for line, _ in LINES), ("zorora", "research", "--depth", "")]
    )
    assert candidates == [*([expected] for _, expected in LINES), ["1", "2", "3"]]


LINES = [  # what is typed, and what stands there after Tab
    ("zorora resea", "research"),
    ("zorora research --dep", "--depth"),
    ("zorora show sl", "sleep_20260101_101010"),
    ("zorora load sl", "sleep_20260101_101010"),
    ("zorora ingest pa", "papers"),
    ("zorora research --docs pa", "papers"),
    ("zorora config g", "get"),
    ("zorora data rem", "remove"),
    ("zorora help rescor", "rescore"),
    ("zorora export last bibt", "bibtex"),
    ("zorora show --format graph", "graphml"),
    ("zorora --home papers undele", "undelete"),
    ("zorora show --hom", "--home"),
]


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not installed")
def test_fish_completes(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "script").write_text(completion.fish(OFFERED))
    commands = "; ".join(
        f"complete -C {completion._quoted(line)} | string collect; echo =" for line, _ in LINES
    )
    script = f"source script; function zorora; echo sleep_20260101_101010; end; {commands}"
    ran = subprocess.run(
        ["fish", "-N", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert ran.stderr == ""
    answers = ran.stdout.split("=\n")
    for (line, expected), answer in zip(LINES, answers, strict=False):
        candidates = [line.split("\t")[0].rstrip("/") for line in answer.splitlines()]
        assert candidates == [expected], (line, candidates)


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
def test_zsh_completes(tmp_path: Path) -> None:
    """Typed into a zsh of its own: Tab, then Enter, which prints what the line has become."""
    (tmp_path / "papers").mkdir()
    (tmp_path / "script").write_text(completion.zsh(OFFERED))
    (tmp_path / "driver").write_text(
        'zmodload zsh/zpty; zpty z zsh -f -i; say() { zpty -w z "$1" }; hear() { zpty -r -m z text '
        '"*$1*" }\n'
        "say \"PS1= PS2= RPS1=; autoload -Uz compinit; compinit -u -D; . ./script; echo read''y\"; "
        "hear ready\n"
        "say 'zorora() { [[ $1 == completion ]] && echo sleep_20260101_101010 || print -r -- "
        "\"<$*>\" }; echo se''t'\n"
        "hear set\n"
        + "".join(
            f"zpty -w -n z {completion._quoted(line)}$'\\t\\n'; hear '<[a-z-]*>'; print -r -- "
            f"${{${{text##*<}}%%>*}}\n"
            for line, _ in LINES
        )
    )
    ran = subprocess.run(
        ["zsh", "-f", "driver"], cwd=tmp_path, capture_output=True, text=True, timeout=20
    )
    answers = [
        line.split()[-1].rstrip("/") if line.split() else "" for line in ran.stdout.splitlines()
    ]
    assert answers == [expected for _, expected in LINES], ran.stdout + ran.stderr


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_the_manual_page_is_well_formed() -> None:
    ran = subprocess.run(
        ["groff", "-man", "-Tascii", "-ww", "-z"],
        input=man.page(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stderr == ""


def test_the_manual_page_is_up_to_date() -> None:
    assert (Path(__file__).resolve().parents[3] / "docs" / "zorora.1").read_text(
        "utf-8"
    ) == man.page()
    assert all(f"\\fB{command.name}" in man.page().replace("\\-", "-") for command in COMMANDS)


def test_the_manual_page_is_installed_where_man_looks() -> None:
    root = Path(__file__).resolve().parents[3]
    targets = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"][
        "targets"
    ]
    assert targets["wheel"]["shared-data"] == {"docs/zorora.1": "share/man/man1/zorora.1"}
    assert "/docs/zorora.1" in targets["sdist"]["include"]  # a wheel may be made of it
    assert all(
        name in man.page()
        for name in (".SH ENVIRONMENT", "ZORORA_HOME", "NO_COLOR", ".SH EXAMPLES")
    )
