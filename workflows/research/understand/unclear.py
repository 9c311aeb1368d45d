"""Unclear questions: those in which no question can be made out are asked back, and nothing is
searched."""

import re

from workflows.research.understand.intent import Intent, intent_of
from workflows.research.understand.topic import topic_of

_WITHOUT_TOPIC = (Intent.OVERVIEW, Intent.DISAGREEMENT)  # "summarise", "where do they differ?"
_CAPITAL = re.compile(r"(?<=\s)[A-HJ-Z]\b")  # the language C, vitamin D
# Names of programs that are no words; what has only options and paths behind it is a command
_SHELL = re.compile(
    r"(?:ls|ll|la|cd|pwd|rm|cp|mv|mkdir|rmdir|chmod|chown|sudo|ps|df|du|cls)(?:\s+[-./~*]\S*)*"
)
_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "azertyuiop")
_FEWEST_KEYS = 4


def is_unclear(question: str) -> bool:
    """Whether a text is no question that can be searched: signs, words of asking alone, a shell
    command, keys."""
    text = " ".join(question.split())
    if is_noise(text):
        return True
    if topic_of(text).terms or _CAPITAL.search(text):
        return False
    return intent_of(text) not in _WITHOUT_TOPIC


def is_noise(text: str) -> bool:
    """Whether a text says nothing even after another question: signs, one letter, a shell command,
    keys."""
    typed = " ".join(text.split()).lower()
    letters = sum(map(str.isalnum, typed))
    alone = letters == 1 and typed.isascii() and not typed.isdigit()
    return not letters or alone or _SHELL.fullmatch(typed) is not None or _is_run_of_keys(typed)


def _is_run_of_keys(text: str) -> bool:
    return len(text) >= _FEWEST_KEYS and text != "qwerty" and any(text in row for row in _KEYS)
