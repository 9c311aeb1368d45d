"""The program with the real engine, as a person and as a shell would use it, on the example
documents."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import standin_services
from ui.terminal.main import main

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.lab
def test_a_record_proves_itself(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = [
        "--home",
        str(tmp_path),
        "research",
        "Do trees make summers cooler?",
        "--docs",
        "examples/trees",
    ]
    assert main([*words, "--sources", "local", "--depth", "1", "--json", "--with-snapshots"]) == 0
    printed = capfd.readouterr()
    record = json.loads(printed.out)
    texts = {snapshot["snapshot_id"]: snapshot["text"] for snapshot in record["snapshots"]}
    evidence = {item["evidence_id"]: item for item in record["evidence"]}
    assert evidence and all(
        texts[e["snapshot_id"]][e["start"] : e["end"]] == e["quote"] for e in evidence.values()
    )
    passages = record["answer"]["passages"]
    assert passages
    for passage in passages:
        quotes = [
            evidence[name]["quote"] for name in (*passage["context"], *passage["evidence_ids"])
        ]
        assert all(quote in passage["text"] for quote in quotes)
        assert passage["lead"]["text"] in passage["text"]
        assert passage["lead"]["citations"] and all(
            c["evidence_id"] in evidence for c in passage["lead"]["citations"]
        )
    assert "Phase 1 of 6" in printed.err
    assert main(["--home", str(tmp_path), "history", "trees"]) == 0
    assert record["research_id"] in capfd.readouterr().out
    assert main(["--home", str(tmp_path), "show", "last"]) == 0
    shown = capfd.readouterr().out
    assert "Do trees make summers cooler?" in shown
    assert passages[0]["lead"]["text"] in " ".join(shown.split())


@pytest.fixture
def slow_world(tmp_path: Path) -> Path:
    """A home whose sources take their time; the services run until the test is over."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    return home


def configured(home: Path, world: standin_services.World) -> None:
    tables: dict[str, list[str]] = {}
    for name, value in world.settings.items():
        section, _, key = name.rpartition(".")
        tables.setdefault(section, []).append(f"{key} = {json.dumps(value)}")
    lines = (line for section, rows in tables.items() for line in (f"[{section}]", *rows))
    (home / "config.toml").write_text("\n".join(lines) + "\n", "utf-8")


def main_thread(process: int) -> int:
    return process


def another_thread(process: int) -> int:
    """The kernel may hand a signal to any thread of a program; Python's handlers run in the main
    one alone, which somebody has to wake."""
    threads = (int(task.name) for task in Path(f"/proc/{process}/task").iterdir())
    return next(thread for thread in threads if thread != process)


@pytest.mark.lab
@pytest.mark.parametrize("thread", [main_thread, another_thread])
def test_ctrl_c_keeps_what_was_found_and_ends_with_130(
    slow_world: Path, thread: Callable[[int], int]
) -> None:
    with standin_services.start({"page": 5.0}) as world:
        configured(slow_world, world)
        words = [
            sys.executable,
            "-m",
            "ui.terminal",
            "--home",
            str(slow_world),
            "research",
            "Does coffee harm sleep?",
        ]
        run = subprocess.Popen(
            words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert run.stderr is not None
        lines = []
        while not lines or (lines[-1] and "Reading" not in lines[-1]):
            lines.append(run.stderr.readline())
        os.kill(thread(run.pid), signal.SIGINT)
        out, err = run.communicate(timeout=120)
    assert run.returncode == 130, (lines, err)
    assert "Traceback" not in err
    assert "ended early" in out or "cancelled" in out


@pytest.mark.lab
def test_the_prompt_survives_ctrl_c_and_leaves_at_ctrl_d(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    words = [sys.executable, "-m", "ui.terminal", "--home", str(tmp_path)]
    prompt = subprocess.Popen(
        words, cwd=ROOT, stdin=slave, stdout=slave, stderr=slave, close_fds=True
    )
    os.close(slave)
    try:
        assert "zorora>" in read_until(master, "zorora>")
        os.write(master, b"half a line\x03")
        time.sleep(0.5)
        os.write(master, b"/version\r")
        assert "SQLite" in read_until(master, "SQLite")
        os.write(master, b"/histroy\r")
        assert "Did you mean /history?" in read_until(master, "mean /history?")
        time.sleep(0.5)
        os.write(master, b"\x04")
        read_until(master, "nothing more", seconds=3)
        assert prompt.wait(60) == 0
    finally:
        prompt.kill()
        prompt.wait(10)
        os.close(master)


def read_until(master: int, phrase: str, seconds: float = 60.0) -> str:
    """What the program printed up to some text, or all of it in that time."""
    text, ends = "", time.monotonic() + seconds
    while phrase not in text and time.monotonic() < ends:
        ready, _, _ = select.select([master], [], [], 0.2)
        if ready:
            try:
                text += os.read(master, 65536).decode("utf-8", "replace")
            except OSError:  # the other side has closed
                break
    return text
