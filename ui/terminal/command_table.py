"""The table of commands. Each line is a subcommand of the shell, a slash command of the REPL, and a
row of the docs."""

from ui.terminal.command import Command, UsageError, nearest
from ui.terminal.render.plain import plain, shorten
from ui.terminal.table import asking, code, configuration, documents, past, research, upkeep

GROUPS: tuple[tuple[str, tuple[Command, ...]], ...] = (
    ("Research", research.COMMANDS),
    ("Asking", asking.COMMANDS),
    ("Past reports", past.COMMANDS),
    ("Documents and sources", documents.COMMANDS),
    ("Code", code.COMMANDS),
    ("Configuration", configuration.COMMANDS),
    ("Upkeep", upkeep.COMMANDS),
)
# Of the prompt, beside its commands; the shell has the first
BUILT_IN = ("help", "clear", "exit", "quit")
COMMANDS = tuple(command for _, commands in GROUPS for command in commands)


def offered(repl: bool = False) -> list[Command]:
    """The commands of the shell, or of the prompt."""
    return [command for command in COMMANDS if command.repl or not repl]


def find_command(name: str, repl: bool = False) -> Command | None:
    """The command of `zorora NAME`, or of `/NAME`, by its name or alias."""
    return next((each for each in offered(repl) if name == each.name or name in each.aliases), None)


def suggestion(name: str, repl: bool = False) -> str | None:
    """The command whose name is nearest to a mistyped one."""
    names = [word for command in offered(repl) for word in (command.name, *command.aliases)]
    return nearest(name, [*names, *(BUILT_IN if repl else BUILT_IN[:1])])


def no_command(name: str, repl: bool = False) -> UsageError:
    """What to say to the name of no command, with the nearest there is."""
    if repl and (advice := shell_only(name)):
        return UsageError(advice)
    short_name, close = shorten(plain(name), 60), suggestion(name.lstrip("/"), repl)
    if repl:
        hint = f"Did you mean /{close}?" if close else "/help lists them."
        return UsageError(f"There is no command /{short_name}. {hint}")
    hint = f"Did you mean {close}?" if close else "`zorora help` lists them."
    return UsageError(f'There is no command "{short_name}". {hint}')


def shell_only(name: str) -> str | None:
    """The sentence for somebody at the prompt who asks for a command of the shell."""
    if find_command(name, repl=True) or not find_command(name):
        return None
    return f"There is no command /{name} at the prompt; in the shell it is: zorora {name}"
