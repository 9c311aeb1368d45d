"""From a command line to the words of one program, checked against the tables. No shell reads it,
here or later."""

import re
import shlex
from collections.abc import Iterator, Sequence

from tools.errors import Refused
from tools.host.place import SECRET_FOLDERS, SECRET_NAMES, Workplace
from tools.host.programs import NUMBER, PATH, TEXT, Program

LONGEST = 8000  # characters
# Beside the kinds of values; END: from here on all are operands
FLAG, OPERAND, END = (
    "flag",
    "operand",
    "end",
)
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f\u0085\u2028\u2029]")
_COUNT = re.compile(r"[+-]?\d{1,9}[kKmMgG]?")


def split(command: str) -> list[str]:
    """The words of a command line, as a shell would cut them, but with none of a shell's meanings.

    Raises Refused for everything that a shell would act on: chains, redirections, substitutions,
    line breaks.
    """
    if len(command) > LONGEST:
        raise Refused(f"The command has more than {LONGEST} characters.")
    if _CONTROL.search(command):
        raise Refused(
            "The command contains a line break or a control "
            "character; give one command in one line."
        )
    marks = sorted(set(_live_marks(command)))
    if marks:
        raise Refused(
            f"There is no shell here: {' '.join(marks)} would do nothing. Give one program with "
            "its arguments; "
            "put such characters in single quotes when they are part of an argument."
        )
    try:
        return shlex.split(command)
    except ValueError as error:
        raise Refused(f"The command cannot be cut into words ({str(error).lower()}).") from error


def _live_marks(command: str) -> Iterator[str]:
    """Characters that a shell would act on where they stand."""
    quote, escaped, before = "", False, " "
    for letter in command:
        if escaped:
            escaped = False
        elif letter == "\\" and quote != "'":
            escaped = True
        elif quote:
            quote = "" if letter == quote else quote
            if quote == '"' and letter in "$`":
                yield letter
        elif letter in "'\"":
            quote = letter
        elif letter in ";&|<>$`(){}" or (letter in "~#" and before.isspace()):
            yield letter
        before = letter


def checked(place: Workplace, name: str, program: Program, words: Sequence[str]) -> list[str]:
    """The arguments of one program with what is put before them."""
    cut = list(_dashed(name, program, words) if program.dashed else options(name, program, words))
    operands = words_of(cut, OPERAND)
    kinds = program.operands[1:] if _pattern_given(program, cut) else program.operands
    _check_count(name, program, operands, kinds)
    for at, word in enumerate(operands):
        _check_operand(place, name, program, kinds[min(at, len(kinds) - 1)], word)
    for kind, word in cut:
        if kind in (PATH, NUMBER):
            check_value(place, name, kind, word)
    if program.as_given:
        return [*program.first, *words]
    end = ["--"] if operands else []
    return [*program.first, *joined(cut), *_passed_over(program), *end, *operands]


def words_of(cut: Sequence[tuple[str, str]], *kinds: str) -> list[str]:
    """The words of some kinds, in order."""
    return [word for kind, word in cut if kind in kinds]


def _check_count(
    name: str, program: Program, operands: Sequence[str], kinds: Sequence[str]
) -> None:
    most = program.most if kinds else 0
    if most is not None and len(operands) > most:
        raise Refused(f"{name} takes {f'at most {most}' if kinds else 'no'} further words here.")


def _check_operand(place: Workplace, name: str, program: Program, kind: str, word: str) -> None:
    check_value(place, name, kind, word)
    if program.past_secrets and kind == PATH:
        _check_folder(place, name, word)
    if program.plain and not re.fullmatch(program.plain, word):
        raise Refused(f"{name} {word[:60]!r} is not an argument that can be used here.")


def _passed_over(program: Program) -> list[str]:
    """Options that keep a search through folders away from what usually contains secrets."""
    if not program.past_secrets:
        return []
    files, folders = program.past_secrets
    return [
        *(files.format(either_case(name)) for name in SECRET_NAMES),
        *(folders.format(either_case(folder)) for folder in (*SECRET_FOLDERS, ".git")),
    ]


def either_case(pattern: str) -> str:
    """A pattern of a file name that fits in capitals too."""
    return "".join(
        f"[{character}{character.upper()}]" if character.isalpha() else character
        for character in pattern
    )


def _check_folder(place: Workplace, name: str, word: str) -> None:
    """A folder of secrets that a search would begin in: there the options that pass it over mean
    nothing."""
    parts = place.parts(word) if word != "-" else ()
    if any(part.lower() in (*SECRET_FOLDERS, ".git") for part in parts[-1:]):
        raise Refused(f"{name}: {word[:60]!r} usually contains secrets; name the file itself.")


def _pattern_given(program: Program, cut: Sequence[tuple[str, str]]) -> bool:
    """Whether the pattern of a search came with an option, so that every operand is a file."""
    has_pattern = any(kind == FLAG and word in ("-e", "--regexp", "--files") for kind, word in cut)
    return has_pattern and program.operands == (TEXT, PATH)


def joined(cut: Sequence[tuple[str, str]]) -> list[str]:
    """The options again as words: a long one with its value behind "=", a short one with it in the
    next word."""
    words: list[str] = []
    for kind, word in cut:
        if kind in (OPERAND, END):
            continue
        if kind != FLAG and words[-1].startswith("--"):
            words[-1] = f"{words[-1]}={word}"
        else:
            words.append(word)
    return words


def options(name: str, program: Program, words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(kind, word) of every part: flag, operand, or the kind of an option's value."""
    rest = iter(words)
    for word in rest:
        if word == "--":
            yield END, word
            yield from ((OPERAND, other) for other in rest)
        elif word.startswith("--"):
            yield from _long(name, program, word, rest)
        elif word.startswith("-") and word != "-":
            yield from _short(name, program, word, rest)
        else:
            yield OPERAND, word


def _long(name: str, program: Program, word: str, rest: Iterator[str]) -> Iterator[tuple[str, str]]:
    option, equals, value = word.partition("=")
    if option in program.values:
        yield FLAG, option
        # What may be left out must be joined; without it the next word is an operand
        if equals or option not in ("--color", "--colour"):
            yield program.values[option], value if equals else _next(name, option, rest)
    elif option in program.flags and not equals:
        yield FLAG, option
    else:
        raise Refused(f"{name} {option[:60]} is not an option that can be used here.")


def _short(
    name: str, program: Program, word: str, rest: Iterator[str]
) -> Iterator[tuple[str, str]]:
    if program.numbers and word[1:].isdecimal():
        yield FLAG, word
        return
    for at, letter in enumerate(word[1:], 1):
        option = f"-{letter}"
        if option in program.values:
            yield FLAG, option
            yield program.values[option], word[at + 1 :] or _next(name, option, rest)
            return
        if option not in program.flags:
            raise Refused(f"{name} {option} is not an option that can be used here.")
        yield FLAG, option


def _dashed(name: str, program: Program, words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The arguments of find: starting points, then tests. A starting point cannot begin with a
    dash."""
    rest = iter(words)
    testing = False
    for word in rest:
        if word in program.values or word in program.flags:
            testing = True
            yield FLAG, word
            if word in program.values:
                yield program.values[word], _next(name, word, rest)
        elif word.startswith("-") or testing:
            raise Refused(f"{name} {word[:60]} is not an argument that can be used here.")
        else:
            yield OPERAND, word


def _next(name: str, option: str, rest: Iterator[str]) -> str:
    value = next(rest, None)
    if value is None or value == "--":  # programs do not agree whether "--" can be a value
        raise Refused(f"{name} {option} needs a value.")
    return value


def check_value(place: Workplace, name: str, kind: str, word: str) -> None:
    """The value of an option, or an operand, of a kind. Raises Refused."""
    if kind == NUMBER and not _COUNT.fullmatch(word):
        raise Refused(f"{name}: {word[:60]!r} is not a number.")
    if kind == PATH and word != "-":
        check_path(place, name, word)


def check_path(place: Workplace, name: str, word: str) -> None:
    """A file that a program is told to read: inside, and no secret. A pattern that nothing expands
    is told as one."""
    place.parts(word)
    place.check_secret(word, f"Let {name} read")
    if any(mark in word for mark in "*?[") and not place.exists(word):
        raise Refused(
            f"Patterns like {word[:60]!r} are not expanded here; use list_files or find -name."
        )
