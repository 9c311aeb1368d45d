"""Help on the screen, and the reference in docs/terminal.md: both written from the table of
commands."""

from ui.terminal.command import COMMON, DONE, Command, parser
from ui.terminal.command_table import GROUPS, find_command, no_command
from ui.terminal.session import Session

REPL_ONLY = (
    ("/help [COMMAND]", "this list, or one command"),
    ("/clear", "clear the screen"),
    ("/exit", "leave (Ctrl+D)"),
)

USAGE = "usage: zorora [--home DIR] [-v] COMMAND ...   (without a command: the prompt)"
END = (
    "zorora help COMMAND explains one.\n"
    "Exit status: 0 done, 1 failed, 2 usage, 3 partial, 4 not found in the sources, 130 "
    "interrupted."
)
END_OF_PROMPT = "\n".join(
    [
        *(f"  {name:<16}{text}" for name, text in REPL_ONLY),
        "\nA line without a slash is a question. Ctrl+C stops the work and keeps what was found.",
    ]
)


def show_help(session: Session, words: list[str], repl: bool = False) -> int:
    """`help` lists the commands, `help NAME` explains one."""
    session.screen.print(_explained(words[0].lstrip("/"), repl) if words else overview(repl))
    return DONE


def _explained(name: str, repl: bool) -> str:
    for usage, text in REPL_ONLY:
        if repl and usage.split()[0] == f"/{name}":
            return f"{usage:<16}{text}"
    command = find_command(name, repl)
    if command is not None:
        return parser(command, "/" if repl else "zorora ").format_help().rstrip()
    raise no_command(name, repl)


def overview(repl: bool = False) -> str:
    """All commands by group, one line each."""
    mark = "/" if repl else ""
    lines = [] if repl else [USAGE, ""]
    for group, commands in GROUPS:
        lines += [
            group,
            *(
                f"  {mark}{command.name:<12}{command.help}"
                for command in commands
                if command.repl or not repl
            ),
            "",
        ]
    return "\n".join([*lines, END_OF_PROMPT if repl else END])


def reference() -> str:
    """The commands with their flags and examples, as Markdown for docs/terminal.md."""
    lines: list[str] = []
    for group, commands in GROUPS:
        lines += [f"### {group}", ""]
        for command in commands:
            lines += _section(command)
    common = "; ".join(f"`{item.usage_text()}` {item.help}" for item in COMMON)
    return "\n".join([*lines, f"Everywhere: {common}."])


def _section(command: Command) -> list[str]:
    where = "" if command.repl else " (not at the prompt)"
    aliases = f" Also `{'`, `'.join(command.aliases)}`." if command.aliases else ""
    lines = [
        f"#### `{command.usage()}`",
        "",
        f"{command.help[:1].upper()}{command.help[1:]}{where}.{aliases}",
        "",
    ]
    flags = [item for item in command.flags if item.names[0].startswith("-")]
    if flags:
        lines += ["| flag | what it does |", "|---|---|"]
        lines += [
            f"| `{item.usage_text().replace('|', chr(92) + '|')}` | {item.help} |" for item in flags
        ]
        lines.append("")
    if command.examples:
        lines += ["```", *(f"zorora {example}" for example in command.examples), "```", ""]
    return lines
