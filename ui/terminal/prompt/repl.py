"""The prompt: `zorora` alone. A slash command does what the same subcommand does; any other line is
routed."""

from collections.abc import Callable, Iterator

from engine.models import Cancelled, ZororaError
from ui.terminal import manual
from ui.terminal.command import DONE, HelpShown, UsageError, parse
from ui.terminal.command_table import find_command, no_command
from ui.terminal.hangup import HungUp, interrupted_by_hangup
from ui.terminal.prompt import plain_commands, routed_lines
from ui.terminal.render.plain import plain
from ui.terminal.session import Session

WELCOME = "Zorora. A line is a question; /help lists the commands; Ctrl+D leaves."


def run(session: Session) -> int:
    """Read lines until the end of input."""
    session.repl = True
    session.screen.reword = plain_commands.at_prompt
    person = session.screen.interactive and session.screen.on_terminal
    if person:
        session.screen.note(WELCOME)
    for line in _lines(session) if person else iter(session.screen.source.readline, ""):
        if person:  # not before the prompt stands, which need not wait for the engine
            from ui.terminal.commands import models

            models.offer(session)
            person = False
        if line.strip() and not execute(session, line.strip()):
            break
    return DONE


def execute(session: Session, line: str) -> bool:
    """Carry out one line; False when it asked to leave. No failure ends the prompt."""
    try:
        session.say_problems()
        return _execute(session, line)
    except HelpShown as help_text:
        session.screen.print(str(help_text))
    except UsageError as error:
        session.screen.note(plain(error))
    except HungUp:
        return False
    except (KeyboardInterrupt, Cancelled) as error:
        session.screen.note(plain(error) or "Stopped.")
    except ZororaError as error:
        session.screen.note(plain(error, lines=True))
    except BrokenPipeError:
        raise  # whoever read the results has gone
    except OSError as error:
        session.screen.note(
            f"{plain(error.filename or '')} {plain(error.strerror or error)}".strip()
        )
    return True


def _execute(session: Session, line: str) -> bool:
    route, note = plain_commands.understood(session, line), session.screen.note
    if route.workflow == "command":
        if route.rule == plain_commands.RULE and route.action not in plain_commands.OWN:
            note(f"/{plain(line)}   (as a question: /research {plain(line)})")
        return _command(session, route.action, route.arguments.get("rest", ""))
    if route.workflow == "unclear":
        note(plain_commands.asked_back(route, line))
    elif not routed_lines.file_order(session, route):
        name, words = routed_lines.command_of(session, route, line) or ("", [])
        if find_command(name, repl=True) is None:
            note("Zorora cannot do that; /help lists the commands.")
            note(f"To ask the line as a question: /research {plain(line)}")
        else:
            _run_routed(session, name, words)
    return True


def _run_routed(session: Session, name: str, words: list[str]) -> None:
    if name != "research":
        # Said, so that it can be typed the next time, and seen before it is done
        session.screen.note(
            f"/{name} {plain(' '.join(word for word in words if word != '--'))}".rstrip()
        )
    if name == "delete" and not routed_lines.agreed(session, words[0]):
        session.screen.note("Nothing was deleted.")
    else:
        _run(session, name, words)


def _command(session: Session, name: str, rest: str) -> bool:
    if name in plain_commands.LEAVE:
        return False
    if name == "help":
        manual.show_help(session, plain_commands.words_of(rest), repl=True)
    elif name == "clear":
        if session.screen.on_terminal:
            print("\x1b[2J\x1b[H", end="", file=session.screen.out, flush=True)
    else:
        _run(session, name, _words(name, rest))
    return True


def _words(name: str, rest: str) -> list[str]:
    """The words of a command; of one that takes a text, the text as it was typed, with its
    quotation marks."""
    command = find_command(name, repl=True)
    if command is None or not command.text or not rest or rest.startswith("-"):
        return plain_commands.words_of(rest)
    return ["--", rest]


def _run(session: Session, name: str, words: list[str]) -> None:
    command = find_command(name, repl=True)
    if command is None:
        raise no_command(name, repl=True)
    args = parse(command, words, "/")
    pager = session.pager
    session.pager = pager and not getattr(args, "no_pager", False)
    try:
        command.run(session, args)  # the exit status matters to the shell only
    finally:
        session.pager = pager


def _lines(session: Session) -> Iterator[str]:
    """Lines with editing, history and completion; Ctrl+C empties the line, Ctrl+D ends the loop."""
    from ui.terminal.prompt import line_editor

    ask: Callable[[], str] = line_editor.reader(session)
    while True:
        try:
            with interrupted_by_hangup():
                line = ask()
            yield line
        except HungUp:
            return
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
