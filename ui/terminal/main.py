"""The program `zorora`: finds the command, runs it, and turns every failure into a sentence and an
exit status.

0 done, 1 failed, 2 usage, 3 partial result, 4 nothing found, 130 interrupted.
"""

import codecs
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from engine.models import Cancelled, ZororaError
from ui.terminal.command import DONE, FAILED, INTERRUPTED, USAGE, HelpShown, UsageError, parse
from ui.terminal.command_table import find_command, no_command
from ui.terminal.render.plain import plain
from ui.terminal.screen import Screen, forget
from ui.terminal.session import Session

if TYPE_CHECKING:
    from engine.research_engine import ResearchEngine

# What Zorora draws with, for terminals that know plain ASCII alone
_ASCII = str.maketrans(
    {
        **dict(zip("✓⚠✗×●·█▶◀–—─━│┃“”‘’", "+!xx*.#><----||\"\"''", strict=True)),
        **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯", "+"),
        "…": "...",
        "→": "->",
    }
)


def main(
    argv: Sequence[str] | None = None,
    *,
    screen: Screen | None = None,
    open_engine: "Callable[[Path | None], ResearchEngine] | None" = None,
) -> int:
    """Run one command, or the REPL without one; returns the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    with closing(Session(screen or _standard(), open_engine=open_engine)) as session:
        return _guarded(session, words)


def _guarded(session: Session, words: list[str]) -> int:
    try:
        return _run(session, words)
    except HelpShown as help_text:
        session.screen.print(str(help_text))
        return DONE
    except UsageError as error:
        session.screen.note(f"zorora: {plain(error)}")
        return USAGE
    except (KeyboardInterrupt, Cancelled) as error:
        session.screen.note(plain(error) or "Interrupted.")
        return INTERRUPTED
    except ZororaError as error:
        session.screen.note(f"zorora: {plain(error, lines=True)}")
        return FAILED
    except BrokenPipeError:
        forget(sys.stdout)
        return DONE
    except OSError as error:
        where = f"{plain(error.filename)}: " if error.filename else ""
        session.screen.note(f"zorora: {where}{plain(error.strerror or error)}.")
        return FAILED
    except Exception as error:  # noqa: BLE001
        from ui.terminal.traces import report_fault

        report_fault(session, error)
        return FAILED


def _run(session: Session, words: list[str]) -> int:
    words = _leading_flags(session, words)
    if not words:
        from ui.terminal.prompt import repl  # a command of the shell has no prompt

        return repl.run(session)
    name, rest = words[0], words[1:]
    if name in ("-h", "--help", "help"):
        from ui.terminal.manual import show_help

        return show_help(session, rest)
    if name in ("-V", "--version"):
        name = "version"
    command = find_command(name)
    if command is None and _is_question(name):
        command, rest = find_command("research"), words
    if command is None:
        raise no_command(name)
    args = parse(command, rest)
    session.home = Path(args.home) if getattr(args, "home", None) else session.home
    session.pager = session.pager and not getattr(args, "no_pager", False)
    session.verbose = max(session.verbose, getattr(args, "verbose", 0) or 0)
    if session.verbose:
        from ui.terminal.traces import show_traces

        show_traces(session)
    return command.run(session, args)


def _leading_flags(session: Session, words: list[str]) -> list[str]:
    """--home, -v and --no-pager may stand before the command too."""
    while words and words[0].startswith("-"):
        first = words[0]
        flag, equals, value = first.partition("=")
        if flag == "--home":
            value = value if equals else "".join(words[1:2])
            if not value:
                raise UsageError("--home needs a directory.")
            session.home = Path(value)
            words = words[1:] if equals else words[2:]
        elif first in ("-v", "-vv", "--verbose"):
            session.verbose += first.count("v") if first != "--verbose" else 1
            words = words[1:]
        elif first == "--no-pager":
            session.pager, words = False, words[1:]
        else:
            return words
    return words


def _is_question(name: str) -> bool:
    """Whether the first word of a command line is a whole question in quotation marks; a mistyped
    command never is."""
    return not name.startswith("/") and (" " in name.strip() or name.endswith("?"))


def _standard() -> Screen:
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets one it can, not a traceback
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="legible")
    return Screen()


def _legible(error: UnicodeError) -> tuple[str, int]:
    """The characters that cannot be encoded, each as something that can, and where to go on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    replaced = error.object[error.start : error.end].translate(_ASCII)
    return "".join(char if char.isascii() else "?" for char in replaced), error.end


codecs.register_error("legible", _legible)
