"""The picture that is drawn over itself: where the cursor waits, what a program leaves behind that
is told to end."""

import io
import os
import re
import signal
import termios
from collections.abc import Iterator

import pytest

from engine.models import Event
from ui.terminal.render.live import BACK, HIDE, HOLD, SHOW, Live
from ui.terminal.render.run_progress import Picture, Progress, watching
from ui.terminal.screen import Screen


@pytest.fixture
def pair() -> Iterator[tuple[int, io.TextIOWrapper]]:
    """A terminal: the side a person sees, and the stream a program has."""
    seen, terminal = os.openpty()
    with os.fdopen(terminal, "w", buffering=1, encoding="utf-8") as stream:
        yield seen, stream
    os.close(seen)


def echoes(stream: io.TextIOWrapper) -> bool:
    return bool(termios.tcgetattr(stream.fileno())[3] & termios.ECHO)


def shown(seen: int) -> str:
    """What came since; the terminal's own carriage returns left out."""
    return os.read(seen, 100_000).decode().replace("\r\n", "\n")


def test_the_cursor_waits_at_the_first_row_of_the_picture(
    pair: tuple[int, io.TextIOWrapper],
) -> None:
    seen, stream = pair
    rows = ["one", "two", "three"]
    live = Live(stream, stream, lambda: rows)
    live.draw()
    body = "\x1b[Kone\x1b[B\r\x1b[Ktwo\x1b[B\r\x1b[Jthree"
    assert shown(seen) == f"{HIDE}\r\n\n\x1b[2A{HOLD}{body}{BACK}"  # room is made once
    live.draw()
    assert shown(seen) == f"\r{HOLD}{body}{BACK}"
    rows.append("four")
    live.draw()
    assert shown(seen).startswith(f"\r\x1b[2B\n\x1b[3A{HOLD}")  # one more row
    live.stop()
    assert shown(seen) == f"\r\x1b[J{SHOW}"
    live.draw()  # a thread that comes too late
    stream.write("after\n")
    assert shown(seen) == "after\n"


def test_keys_are_mute_while_the_picture_stands_and_heard_again_afterwards(
    pair: tuple[int, io.TextIOWrapper],
) -> None:
    _, stream = pair
    live = Live(stream, stream, lambda: ["one"])
    for _ in range(2):  # suspended in between
        live.draw()
        assert not echoes(stream)
        live.leave()
        assert echoes(stream)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_program_told_to_end_gives_the_terminal_back(
    pair: tuple[int, io.TextIOWrapper], number: signal.Signals
) -> None:
    seen, stream = pair
    handlers = [
        signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP)
    ]
    with (
        pytest.raises(KeyboardInterrupt),
        watching(Screen(stream, stream, stream), "Why?") as progress,
    ):
        assert isinstance(progress, Picture)
        while HIDE not in shown(seen):
            continue
        assert not echoes(stream)
        os.kill(os.getpid(), number)
    assert echoes(stream) and shown(seen).endswith(f"\r\x1b[J{SHOW}")
    assert [
        signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP)
    ] == handlers


def test_a_terminal_that_went_away_is_no_failure_of_the_work(
    pair: tuple[int, io.TextIOWrapper],
) -> None:
    _, stream = pair

    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(5, "Input/output error")

    live = Live(Gone(), stream, lambda: ["one"])
    live.run()  # ends by itself
    live.stop()
    assert echoes(stream)


def test_the_picture_is_never_as_high_as_the_terminal(pair: tuple[int, io.TextIOWrapper]) -> None:
    _, stream = pair
    console = Screen(stream, stream, stream).console(progress=True)
    picture = Picture(Screen(stream, stream, stream), "How does sleep help memory? " * 9, console)
    for width, height in ((80, 24), (20, 24), (20, 5), (160, 50), (1, 1)):
        console.size = (width, height)
        rows = picture.rows()
        assert 1 <= len(rows) <= max(1, height - 1)
        assert all(len(re.sub(r"\x1b\[[\d;]*m", "", row)) <= width for row in rows)


def test_sentences_that_passed_are_in_the_picture_with_what_they_cost(
    pair: tuple[int, io.TextIOWrapper],
) -> None:
    _, stream = pair
    console = Screen(stream, stream, stream).console(progress=True)
    picture = Picture(Screen(stream, stream, stream), "How does sleep help memory?", console)
    data = {"text": "Sleep\x1b[31m helps. " * 30, "tags": ["S1"], "section": 0, "heading": ""}
    picture(Event("sentence_passed", "synthesis", "", data))
    picture(
        Event(
            "model_asked",
            "synthesis",
            "",
            {"calls": 2, "tokens_in": 3000, "tokens_out": 400, "cost": 0.01},
        )
    )
    for width, height in ((80, 24), (20, 5)):
        console.size = (width, height)
        rows = picture.rows()
        assert len(rows) <= height - 1
        assert all(len(re.sub(r"\x1b\[[\d;]*m", "", row)) <= width for row in rows)
    console.size = (120, 24)
    text = "\n".join(picture.rows())
    assert (
        "helps. [S1]" in text
        and "2 model calls" in text
        and "3\u202f400 tokens" in text
        and "0.0100 paid" in text
    )


def test_a_terminal_that_cannot_draw_over_gets_lines(
    pair: tuple[int, io.TextIOWrapper], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, stream = pair
    monkeypatch.setenv("TERM", "dumb")
    with watching(Screen(stream, stream, stream), "Why?") as progress:
        assert type(progress) is Progress
