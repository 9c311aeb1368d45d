"""The line editor of the prompt: history in the home directory, completion of commands, ids, paths
and flags."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory, ThreadedHistory
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys

from engine.models import ZororaError
from ui.terminal.command_table import offered
from ui.terminal.commands.completion import candidates
from ui.terminal.prompt import plain_commands
from ui.terminal.session import Session

HISTORY_FILE = "prompt_history"
LONGEST = 20_000  # characters of a line that is kept


def reader(session: Session) -> Callable[[], str]:
    """A function that asks for one line. Raises KeyboardInterrupt (Ctrl+C) and EOFError
    (Ctrl+D)."""

    class Words(Completer):
        """prompt_toolkit's name for something that completes."""

        def get_completions(
            self, document: Document, complete_event: object
        ) -> Iterator[Completion]:
            yield from completions(session, document.text_before_cursor)

    keys = KeyBindings()
    # The mouse is not asked for: what looks like it is a colour in a pasted text, and would be
    # taken apart in vain
    keys.add(Keys.Vt100MouseEvent, eager=True)(lambda event: None)
    prompt: PromptSession[str] = PromptSession(
        history=_behind(session),
        completer=Words(),
        complete_while_typing=False,
        enable_open_in_editor=False,
        key_bindings=keys,
    )
    return lambda: prompt.prompt("zorora> ")


def completions(session: Session, text: str) -> Iterator[Completion]:
    """What may stand where the cursor is."""
    if not text.startswith("/"):
        return
    name, space, rest = text[1:].partition(" ")
    if not space:
        commands = [command.name for command in offered(repl=True)]
        for command in (*commands, "help", "clear", "exit"):
            if command.startswith(name):
                yield Completion(command, -len(name))
        return
    before, word = _cut(rest)
    for candidate, label in candidates(
        session, name, word.replace('"', ""), plain_commands.words_of(before)
    ):
        yield Completion(_in_one(candidate), -len(word), display_meta=label)


def _cut(rest: str) -> tuple[str, str]:
    """What stands before the word at the cursor, and that word with the quotation mark it may begin
    with."""
    begins, quoted = 0, False
    for at, letter in enumerate(rest):
        quoted ^= letter == '"'
        if letter.isspace() and not quoted:
            begins = at + 1
    return rest[:begins], rest[begins:]


def _in_one(candidate: str) -> str:
    """A candidate as one word of the line; a folder's quotation mark stays open for what is in
    it."""
    if not any(letter.isspace() for letter in candidate):
        return candidate
    return f'"{candidate}' + ("" if candidate.endswith("/") else '"')


def _behind(session: Session) -> History:
    """The same, read while the prompt stands already; meanwhile the engine is loaded, for the first
    line."""

    class Behind(History):
        """prompt_toolkit's name for something that keeps lines."""

        @cached_property
        def history(self) -> History:
            return _history(session)

        def load_history_strings(self) -> Iterable[str]:
            with suppress(OSError):  # a file that cannot be read holds no lines
                yield from self.history.load_history_strings()
            import engine.research_engine  # noqa: F401

        def store_string(self, string: str) -> None:
            # On a full disk a line is remembered until the prompt is left; a book that was pasted
            # is no line
            with suppress(OSError):
                if len(string) <= LONGEST:
                    self.history.store_string(string)

    return ThreadedHistory(Behind())


def _history(session: Session) -> History:
    """The lines typed before, readable by the owner only; in memory where the home cannot be
    written."""
    try:
        path = session.data_home / HISTORY_FILE
        path.touch(mode=0o600)
    except (OSError, ZororaError):
        return InMemoryHistory()
    return FileHistory(str(path))
