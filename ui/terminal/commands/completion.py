"""Completion of command lines, of the prompt and of shells: `zorora completion bash|zsh|fish`."""

from collections.abc import Sequence
from pathlib import Path

from engine.models import ZororaError
from ui.terminal.command import COMMON, Arguments, Command, Flag
from ui.terminal.command_table import find_command, offered
from ui.terminal.render.plain import plain, shorten
from ui.terminal.session import Session

IDS = 30  # how many past researches are offered
_PATHS = ("PATH", "FILE", "DIR", "PATH|URL")
# The scripts ask the program what may follow the words of a line, the last of them unfinished; it
# answers with lines "candidate<Tab>explanation". Where it has none the shell offers files.
SCRIPTS = {
    "bash": r"""# Completion of zorora for bash: eval "$(zorora completion bash)"
_zorora() {
    local IFS=$'\n'
    COMPREPLY=($(zorora completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
    COMPREPLY=("${COMPREPLY[@]// /\\ }")
}
complete -o default -F _zorora zorora
""",
    "zsh": r"""#compdef zorora
# Completion of zorora for zsh, after compinit: eval "$(zorora completion zsh)"
_zorora() {
    local -a candidates
    candidates=("${(@f)$(zorora completion words -- $words[2,CURRENT-1] "$PREFIX" 2>/dev/null)}")
    candidates=("${(@)${(@)candidates//:/\\:}/$'\t'/:}")
    if [[ -n "$candidates" ]]; then _describe candidate candidates; else _files; fi
}
compdef _zorora zorora
""",
    "fish": r"""# Completion of zorora for fish: save as ~/.config/fish/completions/zorora.fish
function __zorora
    set -l words (commandline -opc) (commandline -ct)
    set -l candidates (zorora completion words -- $words[2..-1] 2>/dev/null)
    set -q candidates[1]; and string join \n -- $candidates; or __fish_complete_path $words[-1]
end
complete -c zorora -f -a '(__zorora)'
""",
}


def completion(session: Session, args: Arguments) -> None:
    """Print the script for one shell, or (for the scripts themselves) what may stand at the end of
    a line."""
    if args.shell == "words":
        for candidate, label in _of_shell(session, args.words or [""]):
            session.screen.print(f"{plain(candidate)}\t{plain(label)}", raw=True)
    else:
        session.screen.print(SCRIPTS[args.shell].rstrip("\n"), raw=True)


def _of_shell(session: Session, words: Sequence[str]) -> list[tuple[str, str]]:
    *before, word = words
    while before and before[0].startswith("-"):
        before = before[2 if before[0] == "--home" else 1 :]
    if before:
        return candidates(session, before[0], word, before[1:])
    if words[-2:-1] == ["--home"]:
        return []
    names = [(command.name, command.help) for command in _offered(session)]
    names.append(("help", "say what a command does"))
    return _beginning(word, _flags(COMMON) if word.startswith("-") else names)


def candidates(
    session: Session, name: str, word: str, before: Sequence[str] = ()
) -> list[tuple[str, str]]:
    """Flags, their choices, paths, commands, formats or ids that begin with the word, each with a
    few words about it. Paths at the prompt only: shells have them themselves.

    before: the words between the command and this one.
    """
    if name == "help":
        return _beginning(word, [(command.name, "") for command in _offered(session)])
    command = find_command(name, session.repl)
    if command is None:
        return []
    if word.startswith("-"):
        flags = command.flags if session.repl else (*command.flags, *COMMON)
        return _beginning(word, _flags(flags))
    flag = _flag_at(command, before)
    return _values(session, command, flag, word) if flag else []


def _values(session: Session, command: Command, flag: Flag, word: str) -> list[tuple[str, str]]:
    """What may stand for a flag: its choices, paths, or what the engine knows: formats, tools,
    reports."""
    if choices := flag.settings.get("choices"):
        return _beginning(word, [(str(choice), "") for choice in choices if choice != "words"])
    if flag.settings.get("metavar") in _PATHS or "/" in word or word.startswith("~"):
        return [(path, "") for path in _paths(word) if session.repl]
    if flag.names in (("--format",), ("wanted",)):
        return _beginning(word, [form[:2] for form in session.engine.export_formats()])
    if flag.names == ("call",):
        tools = session.engine.tools.offered(("read", "research", "host"), place=Path.cwd())
        return _beginning(word, [(tool.name, tool.description) for tool in tools])
    if command.name == "load" or (flag.names == ("id",) and command.name != "cache"):
        return _ids(session, word)
    return []


def _offered(session: Session) -> list[Command]:
    return [command for command in offered(session.repl) if command.name != "worker"]


def _beginning(word: str, pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [pair for pair in pairs if pair[0].startswith(word)]


def _flag_at(command: Command, before: Sequence[str]) -> Flag | None:
    """What stands at the cursor: the value of the flag before it, or a positional argument."""
    valued = _valued(command)
    if before and before[-1] in valued:
        return valued[before[-1]]
    words = [
        word
        for flag, word in zip(["", *before], before, strict=False)
        if flag not in valued and not word.startswith("-")
    ]
    positional = command.positional()
    if len(words) < len(positional):
        return positional[len(words)]
    repeated = positional and positional[-1].settings.get("nargs") in ("*", "+")
    return positional[-1] if repeated else None


def _valued(command: Command) -> dict[str, Flag]:
    """The flags that take a value, by their names."""
    return {
        name: flag
        for flag in command.flags
        for name in flag.names
        if name.startswith("-") and flag.settings.get("action") not in ("store_true", "count")
    }


def _flags(flags: Sequence[Flag]) -> list[tuple[str, str]]:
    return [(name, flag.help) for flag in flags for name in flag.names if name.startswith("--")]


def _ids(session: Session, word: str) -> list[tuple[str, str]]:
    try:
        candidates = [*session.called(word), *session.engine.ids_beginning(word, IDS)]
    except ZororaError:
        return []  # completion is a convenience; the command itself will say what is wrong
    return [(research_id, shorten(plain(query), 60)) for research_id, query in candidates]


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
