"""The table of commands. Each line is a subcommand of the shell, a slash command of the REPL, and a
row of the docs."""

from ui.terminal.command import Command, find, nearest
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
BUILT_IN = (
    "help",
    "clear",
    "exit",
    "quit",
)
COMMANDS = tuple(
    command._replace(group=group) for group, commands in GROUPS for command in commands
)


def shell_command(name: str) -> Command | None:
    """The command of `zorora NAME`."""
    return find((command for command in COMMANDS if command.shell), name)


def repl_command(name: str) -> Command | None:
    """The command of `/NAME`."""
    return find((command for command in COMMANDS if command.repl), name)


def suggestion(name: str, repl: bool = False) -> str | None:
    """The command whose name is nearest to a mistyped one."""
    offered = [command for command in COMMANDS if (command.repl if repl else command.shell)]
    names = BUILT_IN if repl else BUILT_IN[:1]
    return nearest(
        name, [*names, *(word for command in offered for word in (command.name, *command.aliases))]
    )


def shell_only(name: str) -> str | None:
    """The sentence for somebody at the prompt who asks for a command of the shell."""
    if repl_command(name) or not shell_command(name):
        return None
    return f"There is no command /{name} at the prompt; in the shell it is: zorora {name}"
