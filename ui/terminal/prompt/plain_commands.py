"""A line that is a command without its slash: `history`, `load tea`, `jobs --all`, `config get
research.depth`.

Only what is a command to the last word counts: its arguments are flags, one of its listed choices,
or a research that is there. "load balancing", "history of tea" and "show last year's inflation" are
questions, and are researched.
"""

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ui.terminal.command import Command, HelpShown, UsageError, parse
from ui.terminal.command_table import find_command, shell_only, suggestion
from ui.terminal.render.plain import plain, shorten
from ui.terminal.session import NEWEST, Session

if TYPE_CHECKING:
    from engine.answering.routing import Route

LEAVE = ("exit", "quit", "q", "bye")
OWN = (*LEAVE, "help", "clear")  # what only the prompt knows
RULE = "command without its slash"
# "show me my settings", "run doctor": a verb of looking, and nothing but the name of a command
# behind it
_ORDER = re.compile(
    r"(?:(?:please|can you|could you) )?"
    r"(?:(?:show|list|open|run|start|see|view|print|check|clear|get|configure|set up|change)"
    r"|(?:what|which)(?= \S+ (?:are|do)))(?: me)?(?: (?:the|my|all|your))? (?P<name>[a-z-]+)"
    r"(?: (?:page|interface|list|settings|please|are (?:there|configured|available)|do i have))?",
    re.I,
)
_POLITE = re.compile(
    r"(?P<name>help|exit|quit|clear|history|jobs)(?: me| the screen| please| now)+", re.I
)
# Commands that take a text in their own words: "remember that the deadline is Friday"
_TOLD = re.compile(r"(?P<name>remember|recall)(?= (?:that|what|my|to)\b)", re.I)


def understood(session: Session, line: str) -> "Route":
    """The route of a line at this prompt: the router's, unless it would research what is a
    command."""
    from engine.answering import routing  # loaded with the first line

    route = routing.route_here(line)
    if route.workflow == "command" or (
        route.workflow not in ("research", "unclear") and route.action != "other"
    ):
        return route
    if name := _ordered(line):
        rest = line.partition(name)[2] if _TOLD.match(line) else ""
    elif is_command(session, line):
        name, _, rest = _bare(line).partition(" ")
    else:
        return route
    return replace(
        route, workflow="command", action=name.lower(), arguments={"rest": rest.strip()}, rule=RULE
    )


def _ordered(line: str) -> str:
    """The command that a line orders in plain words, or ""."""
    text = " ".join(line.split()).rstrip(".!")
    if match := _POLITE.fullmatch(text) or _TOLD.match(text):
        return match["name"]
    match = _ORDER.fullmatch(text)
    if match is None:
        return ""
    name = match["name"].lower()
    command = find_command(name, repl=True)
    if name in OWN or shell_only(name) or (command is not None and _reads(command, [])):
        return name
    return ""


def asked_back(route: "Route", line: str) -> str:
    """What is said to a line that was not carried out: what it may have meant, and how to research
    it after all."""
    short_line = shorten(plain(line), 60)
    if route.rule == "shell line":
        return (
            "Zorora is not a shell, so nothing was run. To ask the line as a question: "
            f"/research {short_line}"
        )
    close = suggestion(line.lower(), repl=True) if route.rule == "one word" else None
    if close:
        return f"Did you mean /{close}? To ask about the word: /research {short_line}"
    if route.rule == "one word" and any(char.isalpha() for char in line):
        return (
            "Write a few words, for example: How do vaccines work? To ask about this word: "
            f"/research {short_line}"
        )
    return (
        "What do you want to find out? Write a few words, for example: How do vaccines work? "
        "/help lists the commands."
    )


def is_command(session: Session, line: str) -> bool:
    """Whether a line without a slash is a command to its last word."""
    name, _, rest = _bare(line).partition(" ")
    words, command = words_of(rest), find_command(name.lower(), repl=True)
    if name.lower() == "help" and len(words) == 1:
        return find_command(words[0].lstrip("/"), repl=True) is not None
    if name.lower() in OWN:
        return not words
    if command is None:
        return False
    # "zorora show last", as the shell takes it: nothing but a command
    if name != line.partition(" ")[0]:
        return True
    return not words or (_fits(session, command, words) and _reads(command, words))


def at_prompt(text: str) -> str:
    """A hint as it is typed here: of `zorora show ID` the slash command, where there is one."""
    return re.sub(
        r"\bzorora ([a-z-]+)\b",
        lambda match: f"/{match[1]}" if find_command(match[1], repl=True) else match[0],
        text,
    )


def _bare(line: str) -> str:
    return re.sub(r"^zorora\s+(?=[\w-]+)", "", line.strip())


def words_of(rest: str) -> list[str]:
    """The words of a command line. Double quotes hold words together; an apostrophe is only an
    apostrophe."""
    words, word, quoted, open_word = [], "", False, False
    for letter in rest:
        if letter == '"':
            quoted, open_word = not quoted, True
        elif letter.isspace() and not quoted:
            if open_word:
                words.append(word)
            word, open_word = "", False
        else:
            word, open_word = word + letter, True
    return [*words, word] if open_word else words


def _fits(session: Session, command: Command, words: list[str]) -> bool:
    first, rest = words[0], words[1:]
    if first.startswith("-"):
        return any(first.partition("=")[0] in flag.names for flag in command.flags)
    positional = next(iter(command.positional()), None)
    if positional is None:
        return False
    if choices := positional.settings.get("choices"):
        return first in choices and (not rest or any(not word.isalpha() for word in rest))
    if command.name == "load":
        return session.knows(" ".join(words))
    return positional.names == ("id",) and _fits_id(session, command, first, rest)


def _fits_id(session: Session, command: Command, first: str, rest: list[str]) -> bool:
    if first.lower() not in NEWEST:
        return session.knows(first)
    # "last" is also how many a question goes on
    return (
        not rest
        or rest[0].startswith("-")
        or (
            command.name == "export"
            and rest[0] in [name for name, _, _ in session.engine.export_formats()]
        )
    )


def _reads(command: Command, words: list[str]) -> bool:
    try:
        parse(command, words, "/")
    except UsageError:
        return False
    except HelpShown:
        pass
    return True
