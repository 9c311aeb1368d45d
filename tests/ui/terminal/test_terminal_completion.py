"""Completion scripts and the manual page come from the table of commands, and shells accept them."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ui.terminal import completion, man
from ui.terminal.commands import COMMANDS

OFFERED = [command for command in COMMANDS if command.shell and command.name != "worker"]


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_a_script_knows_every_command(zorora: Callable[..., Any], shell: str) -> None:
    ran = zorora("completion", shell)
    assert ran.code == 0 and "run one queued research" not in ran.out and " worker)" not in ran.out
    for command in OFFERED:
        assert command.name in ran.out
    assert "depth" in ran.out and "completion ids" in ran.out


def test_ids_are_offered(zorora: Callable[..., Any]) -> None:
    every = zorora("completion", "ids").out.split()
    assert every and all(one.startswith(every[0][:3]) for one in zorora("completion", "ids", every[0][:3]).out.split())
    assert zorora("completion", "ids", "zzz").out.strip() == ""
    assert zorora("completion", "tcsh").code == 2


def offered(tmp_path: Path, *words: str) -> list[str]:
    """What bash would offer for the last word."""
    (tmp_path / "script").write_text(completion.bash(OFFERED))
    listed = " ".join(f"'{word}'" for word in words)
    asked = f"COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}; _zorora"
    script = f'zorora() {{ echo sleep_20260101_101010; }}; . ./script; {asked}; printf "%s\\n" "${{COMPREPLY[@]}}"'
    return subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout.split()


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_bash_completes(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    assert offered(tmp_path, "zorora", "resea") == ["research"]
    assert offered(tmp_path, "zorora", "research", "--dep") == ["--depth"]
    assert offered(tmp_path, "zorora", "research", "--depth", "") == ["1", "2", "3"]
    assert offered(tmp_path, "zorora", "show", "sl") == ["sleep_20260101_101010"]
    assert offered(tmp_path, "zorora", "ingest", "pa") == ["papers"]
    assert offered(tmp_path, "zorora", "research", "--docs", "pa") == ["papers"]


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_the_manual_page_is_well_formed() -> None:
    ran = subprocess.run(
        ["groff", "-man", "-Tascii", "-ww", "-z"], input=man.page(), capture_output=True, text=True, check=True
    )
    assert ran.stderr == ""


def test_the_manual_page_is_up_to_date() -> None:
    assert (Path(__file__).resolve().parents[3] / "docs" / "zorora.1").read_text("utf-8") == man.page()
    assert all(f"\\fB{command.name}" in man.page().replace("\\-", "-") for command in COMMANDS)
