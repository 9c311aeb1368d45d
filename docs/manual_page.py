"""The manual page, made from the table of commands: docs/zorora.1, in man's own macros (man 7
groff_man)."""

from ui.terminal.command import COMMON, Command, Flag
from ui.terminal.command_table import GROUPS
from ui.terminal.manual import REPL_ONLY

STATUS = (
    ("0", "done"),
    ("1", "failed, or no source could be searched"),
    ("2", "wrong usage"),
    ("3", "partial: it ended early"),
    ("4", "the sources that were searched do not answer"),
    ("130", "interrupted"),
)
ENVIRONMENT = (
    ("ZORORA_HOME", "where everything is kept, instead of ~/.zorora"),
    (
        "ZORORA_SECTION_KEY",
        "any setting of `zorora config list`, before the file: ZORORA_RESEARCH_DEPTH=3",
    ),
    ("NO_COLOR", "set to anything: no colours"),
)
EXAMPLES = (
    (
        'zorora research "Does coffee raise blood pressure?"',
        "the answer, with its passages and their sources",
    ),
    (
        'zorora research "Who chairs the board?" --sources local --brief || echo none',
        "the answer alone, for scripts",
    ),
    (
        'zorora research "..." --docs ~/papers --sources local --offline',
        "from your own documents alone",
    ),
    ("zorora export last html -o report.html", "the newest report as a web page"),
    ('zorora history coffee --json | jq -r ".entries[].research_id"', "for scripts"),
    ("zorora web", "the same in the browser"),
)
FILES = (
    ("~/.zorora", "everything Zorora keeps; another place with --home or ZORORA_HOME"),
    ("~/.zorora/config.toml", "settings; `zorora config list` explains each"),
)
SECTIONS = (
    ("AT THE PROMPT ONLY", REPL_ONLY),
    ("EXIT STATUS", STATUS),
    ("ENVIRONMENT", ENVIRONMENT),
    ("FILES", FILES),
    ("EXAMPLES", EXAMPLES),
)


def page() -> str:
    """The whole page."""
    lines = [
        '.TH ZORORA 1 "" "Zorora" "User Commands"',
        ".SH NAME",
        "zorora \\- deep research that shows its evidence",
        ".SH SYNOPSIS",
        ".B zorora",
        "[\\fB\\-\\-home\\fR \\fIDIR\\fR] [\\fB\\-v\\fR] [\\fICOMMAND\\fR ...]",
        ".SH DESCRIPTION",
        "Answers a question from scholarly works, the web, news and your own documents, with the "
        "passages that answer",
        "and the place of each. Without a command it opens a prompt, where a line is a",
        "question and every command below is written with a slash.",
        ".SH COMMANDS",
    ]
    for group, commands in GROUPS:
        lines.append(f".SS {_text(group)}")
        for command in commands:
            lines += _command(command)
    lines.append(".SH EVERYWHERE")
    for flag in COMMON:
        lines += _flag(flag)
    for heading, entries in SECTIONS:
        lines.append(f".SH {heading}")
        for name, text in entries:
            lines += _entry(name, text)
    return "\n".join(lines) + "\n"


def _command(command: Command) -> list[str]:
    words = command.usage().split(" ", 1)
    arguments = f" \\fI{_text(words[1])}\\fR" if len(words) > 1 else ""
    lines = [".TP", f"\\fB{_text(words[0])}\\fR{arguments}", _sentence(command.help)]
    flags = [flag for flag in command.flags if flag.names[0].startswith("-")]
    if flags:
        lines += [".RS", *(line for flag in flags for line in _flag(flag)), ".RE"]
    return lines


def _flag(flag: Flag) -> list[str]:
    return _entry(flag.usage_text(), flag.help)


def _entry(name: str, text: str) -> list[str]:
    return [".TP", f"\\fB{_text(name)}\\fR", _sentence(text)]


def _sentence(text: str) -> str:
    return _text(text[:1].upper() + text[1:] + ("" if text.endswith((".", ")")) else "."))


def _text(text: str) -> str:
    """Plain text for groff: backslashes, hyphens and a first dot or quote are its own."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped
