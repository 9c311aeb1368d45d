"""Completion for shells, made from the table of commands: `zorora completion bash|zsh|fish`."""

from collections.abc import Iterable, Sequence

from ui.terminal import command as made
from ui.terminal.command import COMMON, DONE, Arguments, Command, Flag
from ui.terminal.plain import plain
from ui.terminal.session import Session

SHELLS = ("bash", "zsh", "fish")
FLAGS = (
    made.flag("shell", help="bash, zsh or fish", choices=(*SHELLS, "ids"), metavar="SHELL"),
    made.flag("start", help="with ids: how they begin", nargs="?", metavar="START"),
)
IDS = 50
_PATHS = ("PATH", "FILE", "DIR", "PATH|URL")


def completion(session: Session, args: Arguments) -> int:
    """Print the script for one shell, or (for the scripts themselves) the ids that begin with a word."""
    from ui.terminal.commands import COMMANDS  # this command stands in that table

    if args.shell == "ids":
        start = args.start or ""
        session.screen.print("\n".join(plain(one) for one, _ in session.engine.ids_beginning(start, IDS)), raw=True)
        return DONE
    offered = [command for command in COMMANDS if command.shell and command.name != "worker"]
    session.screen.print({"bash": bash, "zsh": zsh, "fish": fish}[args.shell](offered).rstrip("\n"), raw=True)
    return DONE


def bash(commands: Sequence[Command]) -> str:
    """A script for bash: `eval "$(zorora completion bash)"` in ~/.bashrc."""
    cases = "\n".join(f'        {command.name}) words="{" ".join(_options(command))}" ;;' for command in commands)
    values = "\n".join(
        f'        "{command.name} {name}") words="{" ".join(map(str, flag.settings["choices"]))}" ;;'
        for command, flag, name in _with_choices(commands)
    )
    paths = "|".join(
        sorted({name for command in commands for flag in command.flags if _path(flag) for name in flag.names})
    )
    ids = "|".join(command.name for command in commands if _wants_id(command))
    return f"""# Completion of zorora for bash: eval "$(zorora completion bash)"
_zorora() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
    local command="${{COMP_WORDS[1]}}" words=""
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{" ".join(command.name for command in commands)} help" -- "$current"))
        return
    fi
    case "$before" in {paths or "--"}) COMPREPLY=($(compgen -f -- "$current")); return ;; esac
    case "$command $before" in
{values}
    esac
    if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); return; fi
    case "$command" in
{cases}
    esac
    case "$current" in
        -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
        *) case "$command" in
            {ids}) COMPREPLY=($(compgen -W "$(zorora completion ids "$current" 2>/dev/null)" -- "$current")) ;;
            *) COMPREPLY=($(compgen -f -- "$current")) ;;
        esac ;;
    esac
}}
complete -o filenames -F _zorora zorora
"""


def zsh(commands: Sequence[Command]) -> str:
    """A script for zsh: `eval "$(zorora completion zsh)"` in ~/.zshrc, after compinit."""
    named = "\n".join(f"        {_quoted(f'{command.name}:{command.help}')}" for command in commands)
    cases = "\n".join(f"        {command.name}) {_zsh_arguments(command)} ;;" for command in commands)
    return f"""#compdef zorora
# Completion of zorora for zsh: eval "$(zorora completion zsh)"
_zorora_ids() {{ compadd -- ${{(f)"$(zorora completion ids "$PREFIX" 2>/dev/null)"}} }}
_zorora() {{
    local -a commands
    commands=(
{named}
    )
    if (( CURRENT == 2 )); then _describe command commands; return; fi
    local command="$words[2]"
    shift words; (( CURRENT-- ))
    case "$command" in
{cases}
    esac
}}
compdef _zorora zorora
"""


def _zsh_arguments(command: Command) -> str:
    parts = ["_arguments -s"]
    for flag in (*command.flags, *COMMON):
        for name in flag.names:
            if name.startswith("-"):
                parts.append(_quoted(f"{name}[{_bare(flag.help)}]{_zsh_value(flag)}"))
    rest = "_zorora_ids" if _wants_id(command) else "_files"
    return " ".join([*parts, _quoted(f"*:argument:{rest}")])


def _zsh_value(flag: Flag) -> str:
    if flag.settings.get("action") in ("store_true", "count"):
        return ""
    choices = flag.settings.get("choices")
    if choices:
        return f":value:({' '.join(map(str, choices))})"
    return ":file:_files" if _path(flag) else ":value: "


def fish(commands: Sequence[Command]) -> str:
    """A script for fish: `zorora completion fish > ~/.config/fish/completions/zorora.fish`."""
    lines = ["# Completion of zorora for fish", "complete -c zorora -f"]
    for command in commands:
        help_text = _quoted(_bare(command.help))
        lines.append(f"complete -c zorora -n __fish_use_subcommand -a {command.name} -d {help_text}")
        used = f"'__fish_seen_subcommand_from {command.name}'"
        lines += [
            f"complete -c zorora -n {used} {_fish_flag(flag)}" for flag in command.flags if flag.names[0][0] == "-"
        ]
        if _wants_id(command):
            lines.append(f"complete -c zorora -n {used} -a '(zorora completion ids (commandline -ct) 2>/dev/null)'")
        elif any(_path(flag) for flag in command.flags):
            lines.append(f"complete -c zorora -n {used} -F")
    return "\n".join(lines) + "\n"


def _fish_flag(flag: Flag) -> str:
    parts = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in flag.names]
    if flag.settings.get("action") not in ("store_true", "count"):
        choices = flag.settings.get("choices")
        parts.append(f"-x -a {_quoted(' '.join(map(str, choices)))}" if choices else "-r -F" if _path(flag) else "-x")
    return " ".join([*parts, "-d", _quoted(_bare(flag.help))])


def _options(command: Command) -> Iterable[str]:
    return [name for flag in (*command.flags, *COMMON) for name in flag.names if name.startswith("-")]


def _with_choices(commands: Sequence[Command]) -> Iterable[tuple[Command, Flag, str]]:
    for command in commands:
        for flag in command.flags:
            if flag.settings.get("choices") and flag.names[0].startswith("-"):
                yield from ((command, flag, name) for name in flag.names)


def _path(flag: Flag) -> bool:
    return flag.settings.get("metavar") in _PATHS


def _wants_id(command: Command) -> bool:
    return any(flag.names == ("id",) for flag in command.flags) and command.name != "cache"


def _bare(text: str) -> str:
    """A help text without what shells read in a description."""
    return text.replace("[", "(").replace("]", ")").replace(":", ";").replace("`", "")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
