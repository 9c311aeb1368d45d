"""A line at the prompt cut up: its verb, its object, and the files of this machine that it
names."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from workflows.routing import router_words as words

REACH = 600  # characters; a longer line is no order
FileKind = Literal["image", "source", "document", "folder"]
# "file", "folder" or "" for a name in the working directory, as it is on the disk
Lookup = Callable[[str], str]

_SUFFIX_KINDS: tuple[tuple[FileKind, re.Pattern[str]], ...] = (
    ("image", words.IMAGE_FILE),
    ("source", words.SOURCE_FILE),
    ("document", words.DOCUMENT_FILE),
)


@dataclass(frozen=True, slots=True)
class Route:
    """workflow: command, file, code, image, research or unclear. rule: the name of the rule that
    fired.

    arguments of command: rest; of file: object (research, file, folder, library, history), name,
    destination, several; of code: file, request; of image: prompt, file; of research: query,
    document (a file it is asked about); of unclear: query.
    """

    workflow: str
    action: str
    arguments: dict[str, str] = field(default_factory=dict)
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    """A file or folder in a line. local: it is there, or its folders are written out; else it may
    be a mere word."""

    name: str
    kind: FileKind
    local: bool


@dataclass(frozen=True, slots=True)
class Order:
    """text: the line. verb: its first word in lower case, polite words aside. rest: what follows
    the verb.

    mentions: the files it names. lookup: what a name is in the working directory.
    """

    text: str
    verb: str
    rest: str
    mentions: tuple[Mention, ...]
    lookup: Lookup

    @property
    def asks(self) -> bool:
        """Whether the line has the form of a question."""
        return self.text.endswith("?") or self.verb in words.QUESTION_WORDS

    def first(self, *kinds: FileKind, local: bool = False) -> Mention | None:
        """The first mention of one of these kinds."""
        return next(
            (
                mention
                for mention in self.mentions
                if mention.kind in kinds and (mention.local or not local)
            ),
            None,
        )


def order_of(text: str, lookup: Lookup) -> Order:
    """The parts of a line; only its beginning is read."""
    bare = words.POLITE_END.sub(
        "", words.POLITE.sub("", " ".join(text[:REACH].split()), count=1), count=1
    )
    for pattern, verb in words.VERB_PHRASES:
        bare = pattern.sub(verb, bare, count=1)
    verb, _, rest = bare.partition(" ")
    tokens = (token.strip("\"'`(),;:!?").removesuffix(".") for token in text[:REACH].split())
    mentions = tuple(filter(None, (_mention(token, lookup) for token in tokens)))
    return Order(text, verb.lower().rstrip(",.:!?"), rest.strip().rstrip(".!?"), mentions, lookup)


def _mention(token: str, lookup: Lookup) -> Mention | None:
    if not words.FILE_NAME.fullmatch(token):
        return None
    there, placed = lookup(token), token.startswith(("./", "../", "~/"))
    if there == "folder" or (placed and token.endswith("/")):
        # "src" may be a mere word, "src/" and "docs/api" are folders
        return Mention(token, "folder", True) if "/" in token else None
    for kind, pattern in _SUFFIX_KINDS:
        if pattern.fullmatch(token):
            return Mention(token, kind, there == "file" or "/" in token)
    # LICENSE and .env have no suffix; "notes" is a word that a file may be called
    is_named = there == "file" and not (token.isalpha() and token.islower())
    return Mention(token, "document", True) if is_named or placed else None
