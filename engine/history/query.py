"""What a person types into the history search, as an FTS5 expression that can hold nothing of
FTS5's own syntax."""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from dataclasses import dataclass

from tools.errors import NotFound
from tools.text.tokens import STOP, words

MAX_TERMS = 16
PREFIX_LENGTH = 4  # of a shorter beginning there are too many words
# Of query, tags, note, report, claims, sources, forms, state: a word of the question says more than
# one in the report
WEIGHTS = (8.0, 6.0, 4.0, 1.0, 1.0, 1.0, 1.0, 0.0)

_TOKEN = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where the next page begins. stage: 0 the ranked part, 1 the rest. value: rank or confidence,
    number: research."""

    stage: int
    value: float
    number: int


def terms(text: str) -> list[str]:
    """The quoted terms of a search text; the last word also as the beginning of a longer one.

    Stop words are left out unless there is nothing else. An empty list means that the text holds no
    word at all.
    """
    parts = [part for word in words(text[:1000]) for part in _TOKEN.findall(word)]
    telling = [word for word in parts if word not in STOP] or parts
    quoted = [quote(word) for word in dict.fromkeys(telling)][:MAX_TERMS]
    if quoted and quoted[-1] == quote(parts[-1]) and len(parts[-1]) >= PREFIX_LENGTH:
        quoted[-1] += "*"
    return quoted


def quote(word: str) -> str:
    """A word as an FTS5 string."""
    return '"' + word.replace('"', '""') + '"'


def any_of(quoted: list[str]) -> str:
    """A MATCH expression for texts that hold one of the terms."""
    return " OR ".join(quoted)


def encode(cursor: Cursor) -> str:
    """A cursor as a word that can stand in an address."""
    data = json.dumps([cursor.stage, cursor.value, cursor.number]).encode()
    return urlsafe_b64encode(data).decode().rstrip("=")


def decode(word: str) -> Cursor:
    """The cursor of such a word. Raises NotFound for one that was not made by `encode`."""
    try:
        stage, value, number = json.loads(urlsafe_b64decode(word.encode("ascii") + b"==="))
        cursor = Cursor(int(stage), float(value), int(number))
    except (ValueError, TypeError, OverflowError, Base64Error, RecursionError) as error:
        raise NotFound(
            "This page of the history does not exist; start with the first one."
        ) from error
    if abs(cursor.number) >= 2**62 or cursor.value != cursor.value:
        raise NotFound("This page of the history does not exist; start with the first one.")
    return cursor
