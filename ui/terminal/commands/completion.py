"""Completion for shells, made from the table of commands: `zorora completion bash|zsh|fish`."""

from collections.abc import Iterable, Sequence

from ui.terminal.command import COMMON, Arguments, Command, Flag
from ui.terminal.command_table import COMMANDS
from ui.terminal.render.plain import plain
from ui.terminal.session import Session

SHELLS = ("bash", "zsh", "fish")
IDS = 50
# What `export` writes, said here so that a shell that starts need not load the engine
EXPORTS = ("md", "html", "json", "bibtex", "ris", "csl", "docx", "pdf", "matrix", "graphml", "dot")
_PATHS = ("PATH", "FILE", "DIR", "PATH|URL")


def completion(session: Session, args: Arguments) -> None:
    """Print the script for one shell, or (for the scripts themselves) the ids that begin with a
    word."""
    if args.shell == "ids":
        start = args.start or ""
        # Bash would offer each word of it
        names = [name for name, _ in session.called(start) if " " not in name]
        candidates = [
            *names,
            *(research_id for research_id, _ in session.engine.ids_beginning(start, IDS)),
        ]
        session.screen.print("\n".join(map(plain, candidates)), raw=True)
        return
    offered = [command for command in COMMANDS if command.shell and command.name != "worker"]
    script = {"bash": bash, "zsh": zsh, "fish": fish}[args.shell](offered)
    session.screen.print(script.rstrip("\n"), raw=True)


def bash(commands: Sequence[Command]) -> str:
    """A script for bash: `eval "$(zorora completion bash)"` in ~/.bashrc."""
    names = " ".join(command.name for command in commands)
    cases = "\n".join(map(_bash_case, commands))
    flags = [(command, flag) for command in commands for flag in command.flags]
    values = "\n".join(line for command, flag in flags for line in _bash_values(command, flag))
    paths = "|".join(sorted({name for _, flag in flags if _path(flag) for name in flag.names}))
    ids = "|".join(command.name for command in commands if _wants_id(command))
    return f"""# Completion of zorora for bash: eval "$(zorora completion bash)"
_zorora_files() {{ local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$1")); }}
_zorora() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
    local words="" first="" at=1
    while [ "$at" -lt "$COMP_CWORD" ]; do
        case "${{COMP_WORDS[at]}}" in --home) at=$((at+2)) ;; -*) at=$((at+1)) ;; *) break ;; esac
    done
    local command="${{COMP_WORDS[at]}}"
    COMPREPLY=()
    case "$before" in --home|{paths or "--"}) _zorora_files "$current"; return ;; esac
    if [ "$COMP_CWORD" -le "$at" ]; then
        COMPREPLY=($(compgen -W "{names} help {" ".join(_common())}" -- "$current"))
        return
    fi
    case "$command $before" in
{values}
    esac
    if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); return; fi
    case "$command" in
{cases}
        help) first="{names}" ;;
    esac
    if [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$current")); return; fi
    if [ -n "$first" ] && [ "$COMP_CWORD" -eq $((at+1)) ]; then
        COMPREPLY=($(compgen -W "$first" -- "$current"))
        return
    fi
    if [ "$command" = export ] && [ "$COMP_CWORD" -eq $((at+2)) ]; then
        COMPREPLY=($(compgen -W "{" ".join(EXPORTS)}" -- "$current"))
        return
    fi
    case "$command" in
        {ids}) COMPREPLY=($(compgen -W "$(zorora completion ids "$current" 2>/dev/null)" -- "$current")) ;;
        *) _zorora_files "$current" ;;
    esac
}}
complete -o filenames -F _zorora zorora
"""  # noqa: E501


def _bash_case(command: Command) -> str:
    words, first = " ".join(_options(command)), " ".join(_first(command))
    return f"""        {command.name}) words="{words}" first="{first}" ;;"""


def _bash_values(command: Command, flag: Flag) -> list[str]:
    choices = " ".join(_choices(flag))
    return [
        f'        "{command.name} {name}") words="{choices}" ;;'
        for name in _dashed(flag)
        if choices
    ]


def zsh(commands: Sequence[Command]) -> str:
    """A script for zsh: `eval "$(zorora completion zsh)"` in ~/.zshrc, after compinit."""
    rows = "\n".join(f"        {_quoted(f'{command.name}:{command.help}')}" for command in commands)
    cases = "\n".join(
        f"        {command.name}) {_zsh_arguments(command)} ;;" for command in commands
    )
    return f"""#compdef zorora
# Completion of zorora for zsh: eval "$(zorora completion zsh)"
_zorora_ids() {{ compadd -- ${{(f)"$(zorora completion ids "$PREFIX" 2>/dev/null)"}} }}
_zorora() {{
    local -a commands
    commands=(
{rows}
        'help:say what a command does'
    )
    local -i at=2
    while (( at < CURRENT )) && [[ "$words[at]" == -* ]]; do
        [[ "$words[at]" == --home ]] && (( at++ ))
        (( at++ ))
    done
    if (( CURRENT < at )); then _files; return; fi
    if (( CURRENT == at )); then
        if [[ "$PREFIX" == -* ]]; then compadd -- {" ".join(_common())}; return; fi
        _describe command commands
        return
    fi
    local command="$words[at]"
    words=("${{(@)words[at,-1]}}")
    (( CURRENT -= at - 1 ))
    case "$command" in
{cases}
        help) _describe command commands ;;
    esac
}}
compdef _zorora zorora
"""


def _zsh_arguments(command: Command) -> str:
    parts = ["_arguments -s"]
    for flag in (*command.flags, *COMMON):
        parts += [
            _quoted(f"{name}[{_bare(flag.help)}]{_zsh_value(flag)}") for name in _dashed(flag)
        ]
    first = (
        f"({' '.join(_first(command))})"
        if _first(command)
        else "_zorora_ids"
        if _wants_id(command)
        else "_files"
    )
    rest = (
        f"({' '.join(EXPORTS)})"
        if command.name == "export"
        else " "
        if _wants_id(command)
        else "_files"
    )
    return " ".join([*parts, _quoted(f"1:argument:{first}"), _quoted(f"*:argument:{rest}")])


def _zsh_value(flag: Flag) -> str:
    if flag.settings.get("action") in ("store_true", "count"):
        return ""
    choices = _choices(flag)
    if choices:
        return f":value:({' '.join(choices)})"
    return ":file:_files" if _path(flag) else ":value: "


def fish(commands: Sequence[Command]) -> str:
    """A script for fish: `zorora completion fish > ~/.config/fish/completions/zorora.fish`."""
    lines = [_FISH.strip()]
    for command in commands:
        lines += [f"complete -c zorora {line}" for line in _fish_command(command)]
    lines += [f"complete -c zorora {_fish_flag(flag)}" for flag in COMMON]
    return "\n".join(
        [*lines, "complete -c zorora -n __zorora_none -a help -d 'say what a command does'", ""]
    )


def _fish_command(command: Command) -> Iterable[str]:
    at = f"-n '__zorora_at {command.name}'"
    yield f"-n __zorora_none -a {command.name} -d {_quoted(_bare(command.help))}"
    yield f"-n '__zorora_at help' -a {command.name}"
    yield from (f"{at} {_fish_flag(flag)}" for flag in command.flags if _dashed(flag))
    first = f"-n '__zorora_at {command.name} 0'"
    if _first(command):
        yield f"{first} -a {_quoted(' '.join(_first(command)))}"
    elif _wants_id(command):
        yield f"{first} -a '(zorora completion ids (commandline -ct) 2>/dev/null)'"
    elif any(_path(flag) for flag in command.flags if not _dashed(flag)):
        yield f"{at} -F"
    if command.name == "export":
        yield f"-n '__zorora_at export 1' -a {_quoted(' '.join(EXPORTS))}"


# __zorora_words: the words before the cursor from the command on. __zorora_at NAME [N]: the line is
# of this command, and N words that are no flags follow it already.
_FISH = """
# Completion of zorora for fish
function __zorora_words
    set -l words (commandline -opc)
    set -e words[1]
    while set -q words[1]; and string match -q -- '-*' $words[1]
        test "$words[1]" = --home; and set -e words[1]
        set -e words[1]
    end
    string join \\n -- $words
end
function __zorora_none
    test (count (__zorora_words)) -eq 0
end
function __zorora_at
    set -l words (__zorora_words)
    test "$words[1]" = "$argv[1]"; or return 1
    set -q argv[2]; or return 0
    set -e words[1]
    test (count (string match -v -- '-*' $words)) -eq $argv[2]
end
complete -c zorora -f
"""


def _fish_flag(flag: Flag) -> str:
    parts = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in flag.names]
    if flag.settings.get("action") not in ("store_true", "count"):
        choices = _choices(flag)
        parts.append(
            f"-x -a {_quoted(' '.join(choices))}" if choices else "-r -F" if _path(flag) else "-x"
        )
    return " ".join([*parts, "-d", _quoted(_bare(flag.help))])


def _options(command: Command) -> Iterable[str]:
    return [name for flag in (*command.flags, *COMMON) for name in _dashed(flag)]


def _dashed(flag: Flag) -> Sequence[str]:
    """The names of a flag; none of a positional argument."""
    return [name for name in flag.names if name.startswith("-")]


def _common() -> Sequence[str]:
    return [name for flag in COMMON for name in flag.names]


def _choices(flag: Flag) -> Sequence[str]:
    """What the value of a flag may be, where that is a short list."""
    if flag.names == ("--format",):
        return EXPORTS
    return [str(choice) for choice in flag.settings.get("choices") or () if choice != "ids"]


def _first(command: Command) -> Sequence[str]:
    """What may stand first after a command, where that is a short list."""
    positional = next((flag for flag in command.flags if not flag.names[0].startswith("-")), None)
    return _choices(positional) if positional else ()


def _path(flag: Flag) -> bool:
    return flag.settings.get("metavar") in _PATHS


def _wants_id(command: Command) -> bool:
    return command.name == "load" or (
        any(flag.names == ("id",) for flag in command.flags) and command.name != "cache"
    )


def _bare(text: str) -> str:
    """A help text without what shells read in a description."""
    return text.replace("[", "(").replace("]", ")").replace(":", ";").replace("`", "")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
