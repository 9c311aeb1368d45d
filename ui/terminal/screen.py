"""Where a command writes: results on standard output, everything else on standard error."""

import io
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from ui.terminal.render.plain import plain, wrapped

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

MOST_COLUMNS = 160
ROWS_BELOW = 8  # of a report: how to come back to it, and the prompt
UNBROKEN = 1_000_000  # columns: no paragraph is longer


class Screen:
    """The three standard streams of one command; tests hand in their own."""

    def __init__(
        self, out: TextIO | None = None, err: TextIO | None = None, source: TextIO | None = None
    ) -> None:
        # Started with a closed descriptor, Python has no such stream at all
        self.out = out or sys.stdout or io.StringIO()
        self.err = err or sys.stderr or io.StringIO()
        self.source = source or sys.stdin or io.StringIO()
        self.as_json = False  # whether a command prints for a program
        self.reword: Callable[[str], str] = str  # how hints name commands where this screen is read

    @property
    def on_terminal(self) -> bool:
        """Results go to a person's terminal: colour and columns are welcome."""
        return self.out.isatty()

    @property
    def live(self) -> bool:
        """Progress may be redrawn in place."""
        return self.err.isatty()

    @property
    def interactive(self) -> bool:
        """A person can be asked something."""
        return not self.source.closed and self.source.isatty() and self.err.isatty()

    def print(self, text: str = "", raw: bool = False) -> None:
        """One line (or several) of the result; on a terminal broken between words. raw: as it is,
        for programs."""
        self.out.write((text if raw or not self.on_terminal else wrapped(text, _width())) + "\n")
        self.out.flush()

    def note(self, text: str = "") -> None:
        """Lines that are not the result."""
        text = self.reword(text)
        try:
            self.err.write((wrapped(text, _width()) if self.live else text) + "\n")
            self.err.flush()
        except BrokenPipeError:
            forget(self.err)

    def json(self, value: Any) -> None:
        """The result for programs. Dataclasses become objects, with the names of their fields."""
        from engine.json_values import json_values  # what people read needs none of it

        self.print(
            json.dumps(json_values(value, _unmarked), ensure_ascii=False, indent=2), raw=True
        )

    def result(self, value: Any, text: str) -> None:
        """The result: the value for programs, the text for people."""
        if self.as_json:
            self.json(value)
        else:
            self.print(text)

    def done(self, value: Any, text: str) -> None:
        """What was done: the value for programs, a remark for people."""
        if self.as_json:
            self.json(value)
        else:
            self.note(text)

    def listing(
        self, value: Any, columns: Sequence[str], rows: Sequence[Sequence[object]], empty: str = ""
    ) -> None:
        """A list: the value for programs, rows for people. empty: said where there are none."""
        if self.as_json:
            self.json(value)
        elif rows or not empty:
            self.rows(columns, rows)
        else:
            self.note(empty)

    def data(self, data: bytes) -> None:
        """The result as bytes, for instance an exported file."""
        self.out.flush()
        stream = getattr(self.out, "buffer", None)
        if stream is None:
            self.out.write(data.decode("utf-8", "replace"))
        else:
            stream.write(data)
            stream.flush()

    def rows(
        self, columns: Sequence[str], rows: Sequence[Sequence[object]], flexible: int | None = None
    ) -> None:
        """A list: aligned columns on a terminal, tab-separated lines for other programs.

        flexible: the column that may be folded when the terminal is narrow (default: the last).
        """
        if not self.on_terminal:
            for row in rows:
                self.print("\t".join(plain(cell) for cell in row))
            return
        if not rows:
            return
        from rich.text import Text

        from ui.terminal.render.columns import grid

        console = self.console()
        cells = [[Text(plain(cell)) for cell in row] for row in rows]
        last = max([len(columns), *map(len, cells)]) - 1
        for part in grid(columns, cells, last if flexible is None else flexible, console.width):
            console.print(part)

    def show(self, parts: "Iterable[RenderableType]", unbroken: bool = False) -> None:
        """Something rich can draw, with its styles on a terminal, without them (and without
        padding) elsewhere.

        unbroken: for another program; no line is wrapped, however long.
        """
        console = self.console()
        if unbroken:
            console.width = UNBROKEN
        if self.on_terminal:
            for part in parts:
                console.print(part)
        else:
            with console.capture() as captured:
                for part in parts:
                    console.print(part)
            self.print("\n".join(line.rstrip() for line in captured.get().rstrip("\n").split("\n")))

    def overflows(self, parts: "Sequence[RenderableType]") -> bool:
        """Whether these are higher than the terminal, so that what stands first scrolls away."""
        if not self.on_terminal:
            return False
        console = self.console()
        with console.capture() as captured:
            for part in parts:
                console.print(part)
        return captured.get().count("\n") > console.height - ROWS_BELOW

    def writer(self) -> Callable[[str], None] | None:
        """Writes text piece by piece as it comes; on a terminal broken between words. None for a
        program, which gets the whole."""
        if self.as_json:
            return None
        from ui.terminal.render.columns import flowed

        column = 0

        def write(piece: str) -> None:
            nonlocal column
            text = plain(piece, lines=True)
            if self.on_terminal:
                text, column = flowed(text, column, _width())
            print(text, end="", file=self.out, flush=True)

        return write

    def ask(self, question: str) -> str:
        """A line typed by the person; "" at the end of input."""
        print(question, end="", file=self.err, flush=True)
        return self.source.readline().strip()

    def confirm(self, question: str) -> bool:
        """Whether the person says yes."""
        return self.ask(f"{question} ").casefold() in ("y", "yes")

    def agrees(self, question: str) -> bool:
        """Whether a person is there and says yes; the question may hold text from elsewhere."""
        return self.interactive and self.confirm(f"{plain(question)} [y/N]")

    def console(self, progress: bool = False) -> "Console":
        """A console that writes text as it is: no markup, no emoji codes, no guessing. NO_COLOR is
        respected.

        progress: for a picture on standard error that is drawn again and again, in whatever width
        the terminal has by then; what is printed once is at most MOST_COLUMNS wide.
        """
        from rich.console import Console

        console = Console(
            file=self.err if progress else self.out, markup=False, emoji=False, highlight=False
        )
        if not progress:
            console.width = min(console.width, MOST_COLUMNS)
        return console


def forget(stream: TextIO) -> None:
    """The reader of a pipe has gone: what is still buffered, or comes later, must not raise
    again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _width() -> int:
    """Columns of the terminal, for text that is no picture."""
    return min(shutil.get_terminal_size().columns, MOST_COLUMNS)


def _unmarked(text: str) -> str:
    """A text without the marks of matches; a lone surrogate (from undecodable bytes on the command
    line) is no JSON text."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x02", "").replace("\x03", "")


class ProgressLine:
    """A line on standard error that is drawn again and again while a person watches, and erased at
    the end of its `with`.

    megabytes: what is counted are bytes.
    """

    def __init__(self, screen: Screen, megabytes: bool = False) -> None:
        self.screen, self.megabytes = screen, megabytes
        self.count = self.total = 0

    def __enter__(self) -> "ProgressLine":
        return self

    def show(self, name: str, count: int, total: int, problem: str | None = None) -> None:
        """How much of how much is done; called by what does it."""
        self.count, self.total = count, total
        if self.megabytes:
            of, share = (f" of {total / 1e6:.1f}", f" ({count / total:.0%})") if total else ("", "")
            amount = f"{count / 1e6:.1f}{of} MB{share}"
        else:
            amount = f"{count:,} of {total:,}"
        self._draw(f"{amount}  {plain(name)[:60]}")

    def __exit__(self, *_: object) -> None:
        if self.count or self.total:
            self._draw("")

    def _draw(self, text: str) -> None:
        if self.screen.live:
            print(f"\r\x1b[2K{text}", end="", file=self.screen.err, flush=True)
