"""Long reports go through the user's pager, on a terminal alone, and the answer stays on the
screen."""

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.settings.config import load
from tests.ui.terminal.conftest import SLEEP
from ui.terminal.main import main
from ui.terminal.screen import Screen

QUESTION = "How does sleep help memory?"


class Window:
    """A terminal of 80 columns and 24 lines, with the three streams that a program has there.

    What is written is read at once: a terminal that nobody reads takes some kilobytes and then
    stops the program.
    """

    def __init__(self) -> None:
        self._seen, inside = os.openpty()
        self.out = os.fdopen(os.dup(inside), "w", encoding="utf-8")
        self.err = os.fdopen(os.dup(inside), "w", encoding="utf-8")
        self.source = os.fdopen(inside, "r", encoding="utf-8")
        self._text = b""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def type(self, text: str) -> None:
        os.write(self._seen, text.encode())

    def shown(self) -> str:
        for stream in (self.out, self.err, self.source):
            stream.close()
        self._reader.join(30)
        os.close(self._seen)
        return self._text.decode("utf-8").replace("\r\n", "\n")

    def _read(self) -> None:
        with contextlib.suppress(OSError):  # all of it was read
            while piece := os.read(self._seen, 65536):
                self._text += piece


@pytest.fixture
def run(fake: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    monkeypatch.setenv("TERM", "xterm-256color")

    def run(*argv: str, typed: str = "") -> str:
        window = Window()
        window.type(typed)
        assert (
            main(
                list(argv),
                screen=Screen(window.out, window.err, window.source),
                open_engine=lambda _: fake,
            )
            == 0
        )
        return window.shown()

    return run


@pytest.fixture
def paged(fake: Any, tmp_path: Path) -> Path:
    """The file into which the pager of this user writes what it is handed."""
    script, output = tmp_path / "mine.py", tmp_path / "paged.txt"
    script.write_text(
        f"import sys; open({str(output)!r}, 'w').write(sys.stdin.read()); print('- paged -')"
    )
    fake.config.pager = f"{sys.executable} {script}"
    return output


def test_a_long_report_is_paged_and_its_answer_stays_below(
    run: Callable[..., str], paged: Path
) -> None:
    shown = run("show", SLEEP)
    report = paged.read_text("utf-8")
    assert QUESTION in report and "Naps in schools" in report
    assert "\x1b" not in report  # nobody knows whether this pager takes colours
    before, _, after = shown.partition("- paged -")
    assert "Naps" not in before and QUESTION in after and f"zorora show {SLEEP}" in after


@pytest.mark.parametrize(
    "argv",
    [("show", SLEEP, "--no-pager"), ("--no-pager", "show", SLEEP), ("show", SLEEP, "--json")],
)
def test_no_pager_where_none_is_wanted(
    run: Callable[..., str], paged: Path, argv: tuple[str, ...]
) -> None:
    assert QUESTION in run(*argv) and not paged.exists()


@pytest.mark.parametrize("pager", ["", "cat", "no-such-pager-xyz", "'not closed", "false"])
def test_a_pager_that_shows_nothing_costs_no_report(
    run: Callable[..., str], fake: Any, pager: str
) -> None:
    fake.config.pager = pager
    shown = run("show", SLEEP)
    assert "Naps in schools" in shown and f"zorora show {SLEEP}" in shown


@pytest.mark.parametrize("typed", ["the next question\n", "half a li"])
def test_keys_typed_ahead_are_none_of_the_pager(
    run: Callable[..., str], paged: Path, typed: str
) -> None:
    assert QUESTION in run("show", SLEEP, typed=typed) and not paged.exists()


def test_a_pipe_is_never_paged(zorora: Any, paged: Path) -> None:
    assert QUESTION in zorora("show", SLEEP).out and QUESTION in zorora("show", SLEEP, tty=True).out
    assert not paged.exists()


def test_the_pager_is_the_one_of_the_environment(tmp_path: Path) -> None:
    assert load(tmp_path, environ={"PAGER": "most -s"}).pager == "most -s"
    assert load(tmp_path, environ={}).pager is None


def test_at_the_prompt_an_export_is_a_file_and_says_where(
    zorora: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = zorora(keys=f"/export {SLEEP} html\n/export {SLEEP} html\n/export {SLEEP} md -o -\n")
    assert (tmp_path / f"{SLEEP}.html").exists() and (tmp_path / f"{SLEEP}-2.html").exists()
    assert (
        f"Written: {SLEEP}.html (" in ran.err
        and f"{SLEEP}-2.html" in ran.err
        and QUESTION in ran.out
    )
    assert "Written" in zorora("export", SLEEP, "json", tty=True).err
    assert QUESTION in zorora("export", SLEEP, "md").out  # in a pipe: for the next program
