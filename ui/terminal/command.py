"""What a command is, and how its words become arguments. One description serves the shell, the REPL
and the docs."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple, NoReturn, TypeAlias

from ui.terminal.session import Session

Arguments: TypeAlias = argparse.Namespace

DONE, FAILED, USAGE, PARTIAL, NOT_FOUND, INTERRUPTED = 0, 1, 2, 3, 4, 130


class UsageError(Exception):
    """The words of a command line make no sense; the message is a sentence."""


class HelpShown(Exception):
    """The user asked for help; the text is the message."""


class Flag(NamedTuple):
    """A flag ("--depth") or a positional argument ("id"); `settings` are argparse's own
    keywords."""

    names: tuple[str, ...]
    help: str
    settings: Mapping[str, Any]

    def usage_text(self) -> str:
        """The flag as the documentation writes it."""
        metavar = str(self.settings.get("metavar") or self.names[-1].lstrip("-").upper())
        if not self.names[0].startswith("-"):
            return metavar
        if self.settings.get("action") in ("store_true", "count"):
            return ", ".join(self.names)
        choices = self.settings.get("choices")
        return f"{', '.join(self.names)} {'|'.join(map(str, choices)) if choices else metavar}"


class Command(NamedTuple):
    """One line of the table COMMANDS.

    function: what does the work, as "module.function" of ui/terminal/commands; that module is
    loaded when the command runs. repl: whether it is offered as `/NAME` at the prompt too. text:
    what follows it at the prompt is one text, whose quotation marks belong to it.
    """

    name: str
    help: str
    function: str
    flags: tuple[Flag, ...] = ()
    aliases: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    repl: bool = True
    text: bool = False

    def run(self, session: Session, args: Arguments) -> int:
        """Do it; the exit status."""
        session.screen.as_json = getattr(args, "json", False)
        module, _, name = self.function.partition(".")
        function = getattr(import_module(f"ui.terminal.commands.{module}"), name)
        return function(session, args) or DONE

    def usage(self) -> str:
        """Name and positional arguments."""
        return " ".join([self.name, *(flag.usage_text() for flag in self.positional())])

    def positional(self) -> list[Flag]:
        """The arguments that are told by their place."""
        return [flag for flag in self.flags if not flag.names[0].startswith("-")]


def flag(*names: str, help: str, **settings: Any) -> Flag:
    """A Flag with argparse's keywords written as keywords."""
    return Flag(names, help, settings)


JSON = flag("--json", help="print machine-readable JSON on standard output", action="store_true")
COMMON = (
    flag(
        "--home",
        help="use this directory instead of ~/.zorora",
        metavar="DIR",
        default=argparse.SUPPRESS,
    ),
    flag(
        "-v",
        "--verbose",
        help="say more on standard error (-vv: everything)",
        action="count",
        default=argparse.SUPPRESS,
    ),
    flag(
        "--no-pager",
        help="print long reports at once",
        action="store_true",
        default=argparse.SUPPRESS,
    ),
)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        sentence = f"{message[:1].upper()}{message[1:].removesuffix('.')}."
        if "required" in message or "unrecognized" in message:
            sentence += f" `{self.prog} -h` shows how."
        raise UsageError(sentence)

    def print_help(self, file: Any = None) -> None:
        raise HelpShown(self.format_help().rstrip())


def parser(command: Command, prefix: str = "zorora ") -> argparse.ArgumentParser:
    """The argparse parser of one command. It raises UsageError and HelpShown instead of ending the
    program."""
    parser = _Parser(
        prog=prefix + command.name,
        description=command.help,
        epilog="\n".join(["examples:", *(f"  {prefix}{line}" for line in command.examples)])
        if command.examples
        else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(command=command.name)
    for item in (*command.flags, *COMMON):
        parser.add_argument(*item.names, help=item.help, **item.settings)
    return parser


def parse(command: Command, words: Sequence[str], prefix: str = "zorora ") -> Arguments:
    """The arguments of a command; raises UsageError with a sentence, HelpShown after -h."""
    return parser(command, prefix).parse_intermixed_args(list(words))


def text_of(words: Iterable[str], otherwise: str) -> str:
    """Words as one text, of which every character can be stored; raises UsageError with this
    sentence when they say nothing."""
    text = " ".join(words).encode("utf-8", "replace").decode("utf-8").strip()
    if not text:
        raise UsageError(otherwise)
    return text


def take_words(words: list[str], least: int, most: int, usage: str) -> list[str]:
    """The words, when there are as many as a command takes; else UsageError with its usage."""
    if not least <= len(words) <= most:
        raise UsageError(f"Write it like this: zorora {usage}")
    return words


def did_you_mean(name: str, choices: Iterable[str]) -> str:
    """The end of a sentence about a name that there is not; "" where none looks like it."""
    close = nearest(name, choices)
    return f" Did you mean {close}?" if close else ""


def nearest(name: str, choices: Iterable[str]) -> str | None:
    """The known name that begins so, or looks most like this one, if any does."""
    import difflib  # of a mistyped command

    names = sorted(choices)
    begun = [
        candidate for candidate in names if len(name) > 1 and candidate.startswith(name.lower())
    ]
    close = begun or difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.6)
    return close[0] if close else None
