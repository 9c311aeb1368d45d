"""The line editor of the prompt: history in the home directory, completion of commands, ids, paths
and flags."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory, ThreadedHistory
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys

from engine.models import ZororaError
from ui.terminal.command import Command, Flag
from ui.terminal.command_table import COMMANDS, repl_command
from ui.terminal.prompt import plain_commands
from ui.terminal.render.plain import plain, shorten
from ui.terminal.session import Session

HISTORY_FILE = "prompt_history"
LONGEST = 20_000  # characters of a line that is kept
IDS = 30  # how many past researches are offered


def reader(session: Session) -> Callable[[], str]:
    """A function that asks for one line. Raises KeyboardInterrupt (Ctrl+C) and EOFError
    (Ctrl+D)."""

    class Words(Completer):
        """prompt_toolkit's name for something that completes."""

        def get_completions(
            self, document: Document, complete_event: object
        ) -> "Iterator[Completion]":
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


def completions(session: Session, text: str) -> "Iterator[Completion]":
    """What may stand where the cursor is."""

    if not text.startswith("/"):
        return
    name, space, rest = text[1:].partition(" ")
    if not space:
        for command in (*_offered(), "help", "clear", "exit"):
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


def candidates(
    session: Session, name: str, word: str, before: Sequence[str] = ()
) -> Iterator[tuple[str, str]]:
    """Flags, their choices, paths, commands, formats or ids that begin with the word, each with a
    few words about it.

    before: the words between the command and this one.
    """
    if name == "help":
        yield from _beginning(word, [(command, "") for command in _offered()])
    command = repl_command(name)
    if command is None:
        return
    flag = _valued_flag(command, before)
    if word.startswith("-"):
        yield from _flags(command, word)
    elif flag is not None and (choices := flag.settings.get("choices")):
        yield from _beginning(word, [(str(choice), "") for choice in choices])
    elif _is_path(command, flag, word):
        yield from ((path, "") for path in _paths(word))
    else:
        yield from _stored(session, command, flag, word, before)


def _beginning(word: str, pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [pair for pair in pairs if pair[0].startswith(word)]


def _valued_flag(command: Command, before: Sequence[str]) -> Flag | None:
    """The flag whose value stands at the cursor."""
    flag = next((flag for flag in command.flags if before and before[-1] in flag.names), None)
    return None if flag and flag.settings.get("action") in ("store_true", "count") else flag


def _stored(
    session: Session, command: Command, flag: Flag | None, word: str, before: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """What the engine knows: formats, tools, researches."""
    if flag.names == ("--format",) if flag else command.name == "export" and before:
        yield from _beginning(
            word, [(name, label) for name, label, _ in session.engine.export_formats()]
        )
    elif command.name == "tool" and not before:
        tools = session.engine.tools.offered(("read", "research", "host"), place=Path.cwd())
        yield from _beginning(word, [(tool.name, tool.description) for tool in tools])
    elif flag is None and _names_one(command):
        yield from _ids(session, word)


def _is_path(command: Command, flag: Flag | None, word: str) -> bool:
    is_path = flag is not None and flag.settings.get("metavar") in ("PATH", "FILE", "DIR")
    return is_path or command.name in ("ingest", "import") or "/" in word or word.startswith("~")


def _names_one(command: Command) -> bool:
    """Whether a command takes a research or a conversation by its id or name."""
    return command.name == "load" or any(flag.names == ("id",) for flag in command.flags)


def _offered() -> list[str]:
    return [command.name for command in COMMANDS if command.repl]


def _flags(command: Command, word: str) -> Iterator[tuple[str, str]]:
    for flag in command.flags:
        for name in flag.names:
            if name.startswith("--") and name.startswith(word):
                yield name, flag.help


def _ids(session: Session, word: str) -> Iterator[tuple[str, str]]:
    try:
        candidates = [*session.called(word), *session.engine.ids_beginning(word, IDS)]
    except ZororaError:
        return  # completion is a convenience; the command itself will say what is wrong
    yield from ((research_id, shorten(plain(query), 60)) for research_id, query in candidates)


def _paths(word: str) -> list[str]:
    head, _, begins = word.rpartition("/")
    head += "/" if "/" in word else ""
    try:
        paths = list(Path(head or ".").expanduser().iterdir())
    except OSError:
        return []
    fitting = [
        path
        for path in paths
        if path.name.startswith(begins) and (begins or not path.name.startswith("."))
    ]
    return sorted(head + path.name + ("/" if path.is_dir() else "") for path in fitting)


def _behind(session: Session) -> "History":
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


def _history(session: Session) -> "History":
    """The lines typed before, readable by the owner only; in memory where the home cannot be
    written."""

    try:
        path = session.data_home / HISTORY_FILE
        path.touch(mode=0o600)
    except (OSError, ZororaError):
        return InMemoryHistory()
    return FileHistory(str(path))
