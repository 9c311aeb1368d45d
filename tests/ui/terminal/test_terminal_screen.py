"""The program in a terminal that people use (tmux): typed at, interrupted, resized, suspended,
closed."""

import json
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import standin_services
from engine.answers import HistoryQuery
from engine.research_engine import ResearchEngine
from tests.model_endpoint import Asked, ModelEndpoint

pytestmark = [
    pytest.mark.lab,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]

ROOT = Path(__file__).resolve().parents[3]
PLAN = {"tasks": [{"title": "Mend the sum", "what": "Use plus.", "files": ["calc.py"]}]}
BLOCK = "<<<<<<< OLD\n    return a - b\n=======\n    return a + b\n>>>>>>> NEW"


class Pane:
    """A terminal of its own, with a shell in it or one program."""

    def __init__(self, socket: Path, command: str, width: int = 80, folder: Path = ROOT) -> None:
        self._tmux = ("tmux", "-S", str(socket), "-f", "/dev/null")
        size = ("-x", str(width), "-y", "30")
        subprocess.run(
            [*self._tmux, "new-session", "-d", *size, "-c", str(folder), command], check=True
        )
        subprocess.run([*self._tmux, "set-option", "-g", "history-limit", "5000"], check=True)

    def type(self, *keys: str) -> None:
        """Keys as tmux names them: text, Enter, C-c, Up, Tab."""
        for key in keys:
            subprocess.run([*self._tmux, "send-keys", key], check=True)

    def paste(self, text: str) -> None:
        subprocess.run([*self._tmux, "set-buffer", text], check=True)
        subprocess.run([*self._tmux, "paste-buffer", "-p"], check=True)

    def resize(self, width: int, height: int) -> None:
        subprocess.run(
            [*self._tmux, "resize-window", "-x", str(width), "-y", str(height)], check=True
        )

    def text(self) -> str:
        """Everything on the screen and above it, lines that were broken joined."""
        shown = subprocess.run(
            [*self._tmux, "capture-pane", "-p", "-J", "-S", "-"], capture_output=True, text=True
        )
        return shown.stdout

    def wait(self, phrase: str, seconds: float = 60.0) -> str:
        """The text, as soon as some words are in it."""
        ends = time.monotonic() + seconds
        while phrase not in (text := self.text()):
            assert time.monotonic() < ends, f"{phrase!r} did not come:\n{text}"
            time.sleep(0.1)
        return text

    def gone(self, seconds: float = 60.0) -> bool:
        """Whether the program ended, and the terminal with it."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            if subprocess.run([*self._tmux, "has-session"], capture_output=True).returncode:
                return True
            time.sleep(0.1)
        return False

    def close(self) -> None:
        """The terminal goes away: its programs get SIGHUP."""
        subprocess.run([*self._tmux, "kill-server"], capture_output=True)


@pytest.fixture
def socket(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "tmux"
    yield place
    subprocess.run(["tmux", "-S", str(place), "kill-server"], capture_output=True)


@pytest.fixture(scope="module")
def slow_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home whose sources take their time."""
    home = tmp_path_factory.mktemp("slow") / "home"
    home.mkdir(mode=0o700)
    with standin_services.start({"page": 0.8, "arxiv": 0.5}) as world:
        tables: dict[str, list[str]] = {}
        for name, value in world.settings.items():
            section, _, key = name.rpartition(".")
            tables.setdefault(section, []).append(f"{key} = {json.dumps(value)}")
        lines = (line for section, rows in tables.items() for line in (f"[{section}]", *rows))
        (home / "config.toml").write_text("\n".join(lines) + "\n", "utf-8")
        yield home


def program(home: Path, *words: str) -> str:
    return shlex.join([sys.executable, "-m", "ui.terminal", "--home", str(home), *words])


def statuses(home: Path, question: str) -> list[tuple[str, str | None]]:
    """How the researches on a question ended."""
    with ResearchEngine(home=home, environ={}) as engine:
        entries = engine.history(HistoryQuery(limit=50)).entries
        return [(entry.status, entry.ended_by) for entry in entries if entry.query == question]


def wait_for_end(home: Path, question: str, seconds: float = 60.0) -> list[tuple[str, str | None]]:
    ends = time.monotonic() + seconds
    while not (states := statuses(home, question)) and time.monotonic() < ends:
        time.sleep(0.3)
    return states


def test_a_question_is_watched_stopped_and_found_again(slow_home: Path, socket: Path) -> None:
    pane = Pane(socket, program(slow_home))
    pane.wait("zorora>")
    pane.type("Does coffee harm sleep?", "Enter")
    pane.wait("texts read")
    for width in (120, 60, 100):
        pane.resize(width, 40)
        time.sleep(0.3)
    pane.type("typed", "Enter", "ahead")
    time.sleep(0.5)
    assert "typed" not in pane.text()  # the picture stays whole; the prompt shows it afterwards
    pane.type("C-c")
    text = pane.wait("page    http://")
    assert "ended early (user)" in text or "cancelled (user)" in text
    assert "Traceback" not in text
    pane.type("C-c", "C-u", "/histo", "Tab")
    pane.wait("zorora> /history")
    pane.type("Enter")
    pane.wait("Does coffee harm sleep?\n2")  # its title, and its date below
    pane.type("Up", "Up", "C-c", "/exit", "Enter")
    assert pane.gone()


def test_a_terminal_that_goes_away_loses_nothing(slow_home: Path, socket: Path) -> None:
    question = "How does tea change sleep?"
    pane = Pane(socket, program(slow_home, "research", question))
    pane.wait("Read “")  # the log of the picture
    pane.close()
    screen = wait_for_end(slow_home, question)
    # A busy machine may close the pane after the research has ended
    assert screen and screen[0][0] in ("partial", "cancelled", "complete"), screen


def test_a_lower_terminal_and_a_request_to_end_leave_nothing_behind(
    slow_home: Path, socket: Path
) -> None:
    question = "Does cocoa lower blood pressure?"
    pane = Pane(socket, "bash --norc --noprofile -i")
    pane.type(program(slow_home, "research", question), "Enter")
    pane.wait("Read “")
    for height in (12, 30, 9, 30):
        pane.resize(80, height)
        time.sleep(0.5)
    assert (
        pane.text().count(f"\n{question}\n") == 1
    )  # of rows in the scroll-back there would be more
    pane.type("C-z")
    assert "texts read" not in pane.wait("Stopped")
    pane.type("kill %1; fg", "Enter")
    text = pane.wait("page    http://", 30)
    assert "texts read" not in text
    pane.type("stty -a", "Enter")
    assert " -echo " not in pane.wait("echoctl")


def test_a_suspended_run_goes_on(slow_home: Path, socket: Path) -> None:
    question = "Is caffeine addictive?"
    pane = Pane(socket, "bash --norc --noprofile -i")
    pane.type(program(slow_home, "research", question, "--depth", "1", "--lean"), "Enter")
    pane.wait("texts read")
    pane.type("C-z")
    pane.wait("Stopped")
    time.sleep(1)
    pane.type("fg", "Enter")
    pane.wait("page    http://")
    assert statuses(slow_home, question) == [("complete", None)]


def test_pasted_lines_are_one_question(tmp_path: Path, socket: Path) -> None:
    pane = Pane(socket, program(tmp_path / "home"))
    pane.wait("zorora>")
    pane.paste("/route why do files\nget corrupted")
    time.sleep(0.3)
    assert "everything else" not in pane.text()
    pane.type("Enter")
    pane.wait("everything else")


def test_a_change_is_developed_at_the_prompt(tmp_path: Path, socket: Path) -> None:
    place = tmp_path / "project"
    place.mkdir()
    (place / "calc.py").write_text("def add(a, b):\n    return a - b\n")
    (place / "test_calc.py").write_text(
        "import unittest\nimport calc\n\n\nclass T(unittest.TestCase):\n"
        "    def test_it(self):\n        self.assertEqual(calc.add(2, 3), 5)\n"
    )
    for words in ("init -q -b main", "add .", "-c user.name=n -c user.email=e@x commit -qm first"):
        subprocess.run(["git", *words.split()], cwd=place, check=True)
    home = tmp_path / "home"

    def answer(request: Asked) -> str:
        return json.dumps(PLAN) if request.schema else BLOCK

    with ModelEndpoint(answer) as endpoint:
        with ResearchEngine(home=home, environ={}) as engine:
            engine.models.add_endpoint("script", endpoint.url)
            engine.models.set_role("codestral", "script", "small-4b")
        pane = Pane(socket, f"env PYTHONPATH={ROOT} {program(home)}", folder=place)
        pane.wait("zorora>")
        pane.type("/code fix the sum in calc.py", "Enter")
        pane.wait("Apply to calc.py? [y/N]")
        pane.type("n", "Enter")
        pane.wait("Nothing was changed.")
        pane.type("/develop mend the sum", "Enter")
        pane.wait("[a]pprove, [m]odify or [c]ancel?")
        pane.type("a", "Enter")
        assert "python3 -m unittest discover -q" in pane.wait("Run them? [y/N]")
        pane.type("y", "Enter")
        text = pane.wait("drop  git branch -D")
        assert "passed  python3 -m unittest discover -q" in text
        pane.type("C-d")
        assert pane.gone()
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=place, capture_output=True, text=True, check=True
    )
    listed = subprocess.run(
        ["git", "branch"], cwd=place, capture_output=True, text=True, check=True
    )
    assert status.stdout == "" and "zorora/mend-the-sum-" in listed.stdout


def test_an_answer_that_never_comes_is_stopped_by_ctrl_c(tmp_path: Path, socket: Path) -> None:
    (tmp_path / "calc.py").write_text("def add(a, b):\n    return a - b\n")
    home = tmp_path / "home"
    with ModelEndpoint(BLOCK) as endpoint:
        endpoint.fail("silence")
        with ResearchEngine(home=home, environ={}) as engine:
            engine.models.add_endpoint("script", endpoint.url)
            engine.models.set_role("codestral", "script", "small-4b")
        pane = Pane(socket, f"env PYTHONPATH={ROOT} {program(home)}", folder=tmp_path)
        pane.wait("zorora>")
        pane.type("/code fix the sum in calc.py", "Enter")
        pane.wait("Ctrl+C stops.")
        time.sleep(1)
        pane.type("C-c")
        pane.wait("Stopped.", 5)
        pane.type("/version", "Enter")
        pane.wait("SQLite")
