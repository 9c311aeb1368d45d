"""What a line typed at the prompt should do: patterns over its imperative and its object, no model, no state.

A line is an order only when it *begins* with the verb of one (polite words aside) and when the thing ordered is of the
right kind. "Save the report" is an order; "how do people save money", "show me the evidence that ..." and "create class
consciousness" are questions, and questions are researched. When in doubt, research: it harms nothing.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from workflows import router_words as words

REACH = 600  # characters; a longer line is no order


@dataclass(frozen=True, slots=True)
class Route:
    """workflow: command, file, code, image or research. rule: the name of the rule that fired.

    arguments of command: rest; of file: object (research, file, folder, library, history), name, destination, several;
    of code: file, request; of image: prompt, file; of research: query.
    """

    workflow: str
    action: str
    arguments: Mapping[str, str] = field(default_factory=dict)
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Order:
    """A line cut up: the text, its first word in lower case, and what follows it."""

    text: str
    verb: str
    rest: str


def route(line: str) -> Route:
    """The route of a line. The same line always has the same route."""
    text = line.strip()
    slash = _slash(text)
    if slash:
        return slash
    order = _order(text)
    for rule in RULES if len(text) <= REACH else ():
        found = rule(order)
        if found:
            return found
    return Route("research", "research", {"query": text}, "everything else")


def _slash(text: str) -> Route | None:
    match = re.match(r"/([a-zA-Z][\w-]*)(?:\s+|$)", text)
    if not match:
        return None
    return Route("command", match.group(1).lower(), {"rest": text[match.end() :].strip()}, "slash command")


def _order(text: str) -> Order:
    bare = words.POLITE.sub("", " ".join(text[:REACH].split()), count=1)
    verb, _, rest = bare.partition(" ")
    return Order(text, verb.lower().rstrip(",.:!?"), rest.strip().rstrip(".!?"))


# ---- 2. file operations


def _file(order: Order) -> Route | None:
    action = words.FILE_VERBS.get(order.verb)
    if action is None or (order.text.rstrip().endswith("?") and order.verb not in ("open", "delete", "save", "load")):
        return None
    rest = re.sub(r"^(?:me|us)\s+", "", order.rest, flags=re.I)
    if not rest or rest.lower() in ("this", "it", "that"):
        return _file_route(action, "research", rest, "") if not rest or action in words.ON_IT else None
    if rest.lower() == "everything":
        return _file_route(action, "research", "", "", several=True) if action in words.DONE_TO else None
    thing, destination = _split_destination(rest)
    if thing.lower() in ("this", "it", "that") and action in words.IT_AS and len(destination.split()) <= 4:
        return _file_route(action, "research", thing, destination)
    if not thing and action in words.IT_AS and _is_name(rest, destination):
        return _file_route(action, "research", "", destination)
    return _named(action, rest) or _kind_of_thing(action, rest)


def _named(action: str, rest: str) -> Route | None:
    """The object is written out: an id of a research or a path."""
    name, destination = _split_destination(rest)
    research_id = words.RESEARCH_ID.fullmatch(words.RESEARCH_WORD.sub("", name, count=1))
    if research_id:
        return _file_route(action, "research", research_id.group(0), destination)
    path = words.FILE_WORD.sub("", name, count=1).strip("\"'")
    if words.PATH.fullmatch(path) and not _is_code(action, path):
        kind = "folder" if path.endswith("/") or words.FOLDER_WORD.match(name) else "file"
        return _file_route(action, kind, path, destination)
    return None


def _kind_of_thing(action: str, rest: str) -> Route | None:
    """The object is a noun: "my last research", "the files in this folder"."""
    match = words.THING.match(rest)
    if not match:
        return None
    after = rest[match.end() :].strip(" ,")
    said = match.group(0).lower().split()
    kind = words.THINGS[said[-1]]
    several = kind in ("research", "conversation") and not words.SEVERAL.isdisjoint(said)
    name, destination = _split_destination(after)
    about = words.ABOUT.match(name)
    if about and (not words.OWNERS.isdisjoint(said) or _there_already(action, said)):
        return _file_route(action, kind, name[about.end() :].strip(), destination, several)
    if not about and (not name or words.NAME.fullmatch(name)):
        return _file_route(action, kind, words.CALLED.sub("", name).strip("\"'"), destination, several)
    return None


def _there_already(action: str, said: list[str]) -> bool:
    """Whether "the research on tea" is one of ours: what is to be done to it leaves nothing else."""
    ours = said[-1] in ("research", "report", "conversation") or said[-1] in words.SEVERAL
    return action in words.DONE_TO and ours and ("the" in said or not words.RECENT.isdisjoint(said))


def _is_name(rest: str, destination: str) -> bool:
    """Whether "as tea", "to notes.md" gives a name to what was found last."""
    first = destination.split(" ", 1)[0].lower()
    return (rest.lower().startswith("as ") or "." in destination) and (
        len(destination.split()) <= 3 and first not in words.NO_NAME
    )


def _split_destination(rest: str) -> tuple[str, str]:
    match = words.DESTINATION.search(f" {rest}")
    if not match:
        return rest, ""
    return rest[: max(0, match.start())].strip(), match.group("to").strip("\"'")


def _file_route(action: str, kind: str, name: str, destination: str, several: bool = False) -> Route:
    given = {"object": kind, "name": name, "destination": destination, "several": "yes" if several else ""}
    return Route("file", action, {key: value for key, value in given.items() if value}, "file operation")


def _is_code(action: str, path: str) -> bool:
    """Editing a source file is code work; opening or deleting one is not."""
    return action == "edit" and bool(words.SOURCE_FILE.fullmatch(path))


# ---- 3. code


def _code(order: Order) -> Route | None:
    if order.verb not in words.CODE_VERBS:
        return None
    named = words.SOURCE_FILE.search(order.rest)
    phrase = _phrase(order.rest)
    if named and not set(phrase.lower().split()) & words.PROSE:
        return Route("code", "edit", {"file": named.group(0), "request": order.text}, "named source file")
    if order.verb in words.ADJECTIVES and " " not in phrase:
        return None
    if _is_code_phrase(phrase, order.rest):
        return Route("code", "generate", {"request": order.text}, "code object")
    return None


def _phrase(rest: str) -> str:
    """The first noun phrase: everything up to the first preposition, relative word or punctuation."""
    return words.PHRASE_END.split(rest, maxsplit=1)[0].strip()


def _is_code_phrase(phrase: str, rest: str) -> bool:
    """Whether the head of the phrase is something one programs. "a yoga class", "the Code of Hammurabi" are not."""
    parts = [word.strip("\"'`()").lower() for word in phrase.split()]
    if not parts or rest[len(phrase) :].lstrip().lower().startswith("of "):
        return False
    head, before = parts[-1], parts[:-1]
    if head in words.STRONG_NOUNS:
        return not set(before) & words.NOT_CODE
    if head in words.OF_ANYTHING and words.TECHNICAL.isdisjoint(before) and _for_people(rest[len(phrase) :]):
        return False
    return head in words.WEAK_NOUNS and all(word in words.PLAIN_MODIFIERS for word in before)


def _for_people(after: str) -> bool:
    """Whether "for ..." names no part of a program ("the parser", "parsing dates", "a function"): "weight loss"."""
    what = after.lower().split()
    if what[:1] != ["for"] or not what[1:]:
        return False
    return not (what[1] in words.DETERMINERS or what[1].endswith("ing") or not words.STRONG_NOUNS.isdisjoint(what))


# ---- 4. images


def _image(order: Order) -> Route | None:
    looked_at = words.IMAGE_FILE.search(order.text)
    if looked_at and (order.verb in words.LOOK_VERBS or words.LOOK_QUESTION.match(order.text)):
        return Route("image", "analyse", {"file": looked_at.group(0), "request": order.text}, "image path")
    if order.verb not in words.PICTURE_VERBS:
        return None
    phrase = [word.lower() for word in _phrase(order.rest).split()]
    if not phrase:
        return None
    if phrase[-1] in words.PICTURES or (order.verb in words.ALWAYS_PICTURES and _drawable(phrase)):
        return Route("image", "generate", {"prompt": order.rest}, "image object")
    return None


def _drawable(phrase: list[str]) -> bool:
    return phrase[0] in words.DETERMINERS and phrase[-1] not in words.NOT_DRAWN


RULES: tuple[Callable[[Order], Route | None], ...] = (_file, _code, _image)
