"""The line editor of the prompt: history in the home directory, completion of commands, ids, paths and flags."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from engine.answers import HistoryQuery
from engine.models import ZororaError
from ui.terminal.command import Command
from ui.terminal.commands import COMMANDS, repl_command
from ui.terminal.plain import plain, shorten
from ui.terminal.session import Session

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completion
    from prompt_toolkit.history import History

HISTORY_FILE = "prompt_history"
IDS = 30  # how many past researches are offered


def reader(session: Session) -> Callable[[], str]:
    """A function that asks for one line. Raises KeyboardInterrupt (Ctrl+C) and EOFError (Ctrl+D)."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer
    from prompt_toolkit.document import Document

    class Words(Completer):
        """prompt_toolkit's name for something that completes."""

        def get_completions(self, document: Document, complete_event: object) -> "Iterator[Completion]":
            yield from completions(session, document.text_before_cursor)

    prompt: PromptSession[str] = PromptSession(
        history=_history(session), completer=Words(), complete_while_typing=False, enable_open_in_editor=False
    )
    return lambda: prompt.prompt("zorora> ")


def completions(session: Session, text: str) -> "Iterator[Completion]":
    """What may stand where the cursor is."""
    from prompt_toolkit.completion import Completion

    if not text.startswith("/"):
        return
    name, space, rest = text[1:].partition(" ")
    if not space:
        for command in (*_offered(), "help", "clear", "exit"):
            if command.startswith(name):
                yield Completion(command, -len(name))
        return
    word = rest.rpartition(" ")[2]
    for candidate, shown in candidates(session, name, word):
        yield Completion(candidate, -len(word), display_meta=shown)


def candidates(session: Session, name: str, word: str) -> Iterator[tuple[str, str]]:
    """Flags, paths or ids that begin with the word, each with a few words about it."""
    command = repl_command(name)
    if command is None:
        return
    if word.startswith("-"):
        yield from _flags(command, word)
    elif command.name == "ingest" or "/" in word or word.startswith("~"):
        yield from ((path, "") for path in _paths(word))
    elif any(flag.names == ("id",) for flag in command.flags):
        yield from _ids(session, word)


def _offered() -> list[str]:
    return [command.name for command in COMMANDS if command.repl]


def _flags(command: Command, word: str) -> Iterator[tuple[str, str]]:
    for flag in command.flags:
        for name in flag.names:
            if name.startswith("--") and name.startswith(word):
                yield name, flag.help


def _ids(session: Session, word: str) -> Iterator[tuple[str, str]]:
    try:
        entries = session.engine.history(HistoryQuery(limit=IDS)).entries
    except ZororaError:
        return  # completion is a convenience; the command itself will say what is wrong
    for entry in entries:
        if entry.research_id.startswith(word):
            yield entry.research_id, shorten(plain(entry.query), 60)


def _paths(word: str) -> list[str]:
    typed = Path(word).expanduser()
    folder = typed if word.endswith("/") else typed.parent
    try:
        names = sorted(path.name + ("/" if path.is_dir() else "") for path in folder.iterdir())
    except OSError:
        return []
    head = word if word.endswith("/") else word[: len(word) - len(Path(word).name)]
    begins = "" if word.endswith("/") else typed.name
    return [head + name for name in names if name.startswith(begins) and not (name.startswith(".") and not begins)]


def _history(session: Session) -> "History":
    """The lines typed before, readable by the owner only; in memory where the home cannot be written."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    try:
        path = Path(session.engine.config.home) / HISTORY_FILE
        path.touch(mode=0o600)
    except (OSError, ZororaError):
        return InMemoryHistory()
    return FileHistory(str(path))
