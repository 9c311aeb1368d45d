"""What a line typed at the prompt should do: patterns over its verb, its object and the files it
names, no model.

A line is an order when it *begins* with the verb of one (polite words aside) and the thing ordered
is of the right kind: "save the report", but not "how do people save money" or "create class
consciousness". A line that is researched leaves this machine as a query. So one that names a file
that is here, that reads like a shell line or code, or that says too little is never researched
unasked.
"""

import re
from collections.abc import Callable

from workflows.routing import router_words as words
from workflows.routing.router_files import file_route, shell_route
from workflows.routing.router_line import REACH, Lookup, Order, Route, order_of

__all__ = ["REACH", "Route", "route"]


def route(line: str, lookup: Lookup = lambda name: "") -> Route:
    """The route of a line. The same line in the same folder always has the same route.

    lookup: "file", "folder" or "" for a name in the working directory.
    """
    text = line.strip()
    slash = _slash(text)
    if slash:
        return slash
    if len(text) <= REACH:
        order = order_of(text, lookup)
        for rule in RULES:
            if match := rule(order):
                return match
    return Route("research", "research", {"query": text}, "everything else")


def _slash(text: str) -> Route | None:
    match = re.match(r"/([a-zA-Z][\w-]*)(?:\s+|$)", text)
    if not match:
        return None
    return Route(
        "command", match.group(1).lower(), {"rest": text[match.end() :].strip()}, "slash command"
    )


# ---- code


def _named_code(order: Order) -> Route | None:
    """Work on a file of code that the line names."""
    changes = order.verb in words.CHANGE_VERBS
    mention = order.first("source") or (
        order.first("document") if order.verb in words.CODE_VERBS else None
    )
    if mention and (mention.local or changes):
        action = "edit" if changes else "explain"
        return Route(
            "code", action, {"file": mention.name, "request": order.text}, "named source file"
        )
    return None


def _described_code(order: Order) -> Route | None:
    """Work on code that the line describes: "write a parser", "explain this function"."""
    if order.asks:
        return None
    phrase = _phrase(order.rest)
    is_code = (
        _is_own_code(phrase) or _is_code_work(order, phrase) or words.IDENTIFIER.search(order.rest)
    )
    if order.verb in words.CHANGE_VERBS and is_code:
        return Route("code", "generate", {"request": order.text}, "code object")
    if order.verb in words.EXPLAIN_VERBS and _is_own_code(phrase):
        return Route("code", "explain", {"request": order.text}, "code object")
    return None


def _phrase(rest: str) -> str:
    """The first noun phrase: everything up to the first preposition, relative word or
    punctuation."""
    return words.PHRASE_END.split(rest, maxsplit=1)[0].strip()


def _is_own_code(phrase: str) -> bool:
    """Whether "this code", "my parser function" is what is to be explained."""
    first, _, rest = phrase.lower().partition(" ")
    return first in words.POINTING and _is_code_phrase(rest, rest)


def _is_code_work(order: Order, phrase: str) -> bool:
    """Whether the object of a verb of making or changing is something one programs."""
    if order.verb not in words.CODE_VERBS:
        return bool(words.INTO_CODE.search(order.rest))
    if order.verb in words.PROGRAMMING_VERBS:
        return bool(phrase) and ":" not in order.text
    return bool(
        _is_code_phrase(phrase, order.rest) or words.IN_LANGUAGE.search(order.rest)
    ) or bool(words.INTO_CODE.search(order.rest))


def _is_code_phrase(phrase: str, rest: str) -> bool:
    """Whether the head of the phrase is something one programs. "a yoga class", "the Code of
    Hammurabi" are not."""
    parts = [word.strip("\"'`()") for word in phrase.split()]
    if len(parts) > 1 and parts[-1][:1].isupper():
        parts.pop()  # "a class User"
    after = rest[len(phrase) :]
    if not parts or after.lstrip().lower().startswith("of "):
        return False
    *before, head = map(str.lower, parts)
    if head in words.STRONG_NOUNS:
        return True
    plain = words.PLAIN_MODIFIERS.issuperset(before)
    return head in words.WEAK_NOUNS and (plain or not words.LANGUAGES.isdisjoint(before))


# ---- images


def _image(order: Order) -> Route | None:
    looked_at = order.first("image")
    if looked_at and (looked_at.local or order.verb in words.LOOK_VERBS or order.asks):
        return Route(
            "image", "analyse", {"file": looked_at.name, "request": order.text}, "image path"
        )
    if order.verb not in words.PICTURE_VERBS:
        return None
    phrase = _phrase(order.rest).lower().split()
    if not phrase:
        return None
    if phrase[-1] in words.PICTURES or (order.verb in words.ALWAYS_PICTURES and _drawable(phrase)):
        return Route("image", "generate", {"prompt": order.rest}, "image object")
    return None


def _drawable(phrase: list[str]) -> bool:
    return phrase[0] in words.DETERMINERS and phrase[-1] not in words.NOT_DRAWN


# ---- what must not be researched as it stands


def _local_file(order: Order) -> Route | None:
    """A line that names a file that is here: a question about a document is put to that document
    alone."""
    document = order.first("document", local=True)
    if document and order.asks and order.lookup(document.name) == "file":
        arguments = {"query": order.text, "document": document.name}
        return Route("research", "research", arguments, "question about a document")
    imperative = order.verb in words.FILE_VERBS and order.first("document", "source", "image")
    file = order.first("document", "source", "image", "folder", local=True) or imperative
    if file and not order.asks:
        return Route("file", "other", {"object": "file", "name": file.name}, "named file")
    return None


def _too_little(order: Order) -> Route | None:
    """One word, words of courtesy, a line of code: nothing that could be looked for."""
    tokens = [word.strip(".,!?").lower() for word in order.text.split()]
    # Chinese writes no spaces
    one_word = len(tokens) < 2 and not any(char > "\u2e7f" for char in order.text)
    unclear = _is_unclear(order)
    if (
        one_word
        or unclear
        or words.COURTESIES.issuperset(tokens)
        or words.CODE_LINE.search(order.text)
    ):
        rule = "one word" if one_word and not unclear else "no question"
        return Route("unclear", "ask", {"query": order.text}, rule)
    return None


def _is_unclear(order: Order) -> bool:
    if len(order.text.split()) > words.FEW_WORDS:
        return False
    from workflows.research.understand.unclear import is_unclear  # loaded with the first short line

    return is_unclear(order.text)


RULES: tuple[Callable[[Order], Route | None], ...] = (
    shell_route, file_route, _image, _named_code, _described_code, _local_file, _too_little,
)  # fmt: skip
