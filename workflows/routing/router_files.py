"""Lines about files, folders and saved reports, and lines that were meant for a shell."""

from workflows.routing import router_words as words
from workflows.routing.router_line import Order, Route

_IT = ("this", "it", "that")


def file_route(order: Order) -> Route | None:
    """An order on a file, a folder or a report: its verb comes first, and its object is all that
    follows."""
    if words.WHERE_AM_I.fullmatch(f"{order.verb} {order.rest}"):
        return _route("where", "folder", "", "")
    action = words.FILE_VERBS.get(order.verb)
    return _new_file(order) or (_order_on(action, order) if action else None)


def _new_file(order: Order) -> Route | None:
    """ "Make a folder notes"."""
    match = words.NEW_FILE.fullmatch(order.rest) if order.verb in words.MAKING_VERBS else None
    if match is None:
        return None
    kind = "file" if match["path"] or match["kind"].lower() == "file" else "folder"
    return _route("make", kind, match["path"] or match["name"] or "", "")


def _order_on(action: str, order: Order) -> Route | None:
    """What an action is to be done to: the report that is shown, all of them, or what is named."""
    rest = words.INTO_LIBRARY.sub("", words.OBJECT_LEAD.sub("", order.rest, count=1))
    if not rest:
        return _route(action, "research", "", "")
    if rest.lower() in _IT:
        return _route(action, "research", rest, "") if action in words.ON_IT else None
    if rest.lower() == "everything":
        return _route(action, "research", "", "", several=True) if action in words.DONE_TO else None
    return (
        _report_as(action, rest)
        or _route_object(order, action, rest)
        or _kind_of_thing(action, rest)
    )


def _report_as(action: str, rest: str) -> Route | None:
    """ "Export it as notes.md", "load @tea": the report that is shown, under a name or in a form,
    or a kept one."""
    if action == "load" and words.NAME_OF_REPORT.fullmatch(rest):
        return _route(action, "research", rest.removeprefix("@"), "")
    if action not in words.IT_AS:
        return None
    thing, destination = _split_destination(rest)
    if thing.lower() in _IT and len(destination.split()) <= 4:
        return _route(action, "research", thing, destination)
    names_it = rest.lower().startswith("as ") or "." in destination
    if not thing and names_it and len(destination.split()) <= 3:
        return _route(action, "research", "", destination)
    return None


def shell_route(order: Order) -> Route | None:
    """A line for a shell: a program with options, paths or an operator behind it, not a sentence.

    What a file tool does for the program is that tool's; every other such line is asked back.
    """
    if " " not in order.text and (alone := order.first("source", "document", "folder", local=True)):
        return _route("show", "folder" if alone.kind == "folder" else "file", alone.name, "")
    program, _, rest = order.text.partition(" ")
    program, tokens = program.lower(), rest.split()
    if program.startswith("./") or words.ASSIGNMENT.match(order.text):
        return _shell(order)
    if order.text.endswith("?") or (tokens and not _reads_like_shell(order, program, tokens)):
        return None
    return _program(order, program, tokens) if program in words.PROGRAMS else None


def _program(order: Order, program: str, tokens: list[str]) -> Route | None:
    """A program with what stands behind it; alone, only one that lists a folder is an order."""
    names = [token for token in tokens if not token.startswith("-") and not token.isdigit()]
    if (
        program in words.FILE_PROGRAMS
        and len(names) <= 1
        and not words.PIPED.search(" ".join(tokens))
    ):
        action, kind = words.FILE_PROGRAMS[program]
        return _route(action, kind, "".join(names), "") if names or kind == "folder" else None
    return _shell(order) if tokens else None


def _reads_like_shell(order: Order, program: str, tokens: list[str]) -> bool:
    if any(map(words.SHELL_SIGN.search, tokens)):
        return True
    if program == "make" and len(tokens) == 1 and order.lookup("Makefile"):
        return True
    wraps = program in words.WRAPPERS
    if all(_is_path(order, token) or (wraps and token in words.PROGRAMS) for token in tokens):
        return True
    is_word = program in words.ENGLISH_PROGRAMS
    return not is_word and len(tokens) <= 3 and words.PROSE.isdisjoint(map(str.lower, tokens))


def _is_path(order: Order, token: str) -> bool:
    if token in (".", "..") or token.isdigit():
        return True
    return bool(order.lookup(token)) or words.PATH.fullmatch(token) is not None


def _shell(order: Order) -> Route:
    return Route("unclear", "ask", {"query": order.text}, "shell line")


def _route_object(order: Order, action: str, rest: str) -> Route | None:
    """The object is written out: an id of a report, a path, or the name of a file that is there."""
    name, destination = _split_destination(rest)
    research_id = words.RESEARCH_ID.fullmatch(words.RESEARCH_WORD.sub("", name, count=1))
    if research_id:
        return _route(action, "research", research_id.group(0), destination)
    path = words.FILE_WORD.sub("", name, count=1).strip("\"'")
    path = path[: -len(after[0])] if (after := words.FOLDER_AFTER.search(path)) else path
    path, there = _on_disk(order, path)
    if not there and not words.PATH.fullmatch(path) and not (after and " " not in path):
        return None
    if _is_content_asked_for(order, action, path):
        return None
    folder = there == "folder" or path.endswith("/") or after or words.FOLDER_WORD.match(name)
    return _route(action, "folder" if folder else "file", path, destination)


def _is_content_asked_for(order: Order, action: str, path: str) -> bool:
    """Whether code is to be edited or a picture to be looked at, unlike opening or deleting the
    file."""
    if action == "edit" and words.SOURCE_FILE.fullmatch(path):
        return True
    return order.verb in words.LOOK_VERBS and words.IMAGE_FILE.fullmatch(path) is not None


def _on_disk(order: Order, name: str) -> tuple[str, str]:
    """The name of a file that is there, and what it is: "the readme" may be README.md."""
    if name.lower() in words.THINGS or not words.FILE_NAME.fullmatch(name):
        return name, ""
    if name.isalpha():
        tried = [name, name.upper(), f"{name.upper()}.md", f"{name}.md", f"{name}.txt"]
    else:
        tried = [name]
    return next(((path, kind) for path in tried if (kind := order.lookup(path))), (name, ""))


def _kind_of_thing(action: str, rest: str) -> Route | None:
    """The object is a noun: "my last research", "the files in this folder"."""
    match = words.THING.match(rest)
    if not match:
        return None
    after = rest[match.end() :].strip(" ,")
    noun_words = match.group(0).lower().split()
    kind = words.THINGS[noun_words[-1]]
    several = kind in ("research", "conversation") and not words.SEVERAL.isdisjoint(noun_words)
    name, destination = _split_destination(after)
    about = words.ABOUT.match(name)
    ours = not words.OWNERS.isdisjoint(noun_words) or _is_present(action, noun_words)
    if about and ours and kind not in ("file", "folder"):
        return _route(action, kind, name[about.end() :].strip(), destination, several)
    if not name or words.NAME.fullmatch(name):
        return _route(action, kind, words.CALLED.sub("", name).strip("\"'"), destination, several)
    return None


def _is_present(action: str, noun_words: list[str]) -> bool:
    """Whether "the research on tea" is one of ours: what is to be done to it leaves nothing
    else."""
    ours = (
        noun_words[-1] in ("research", "report", "conversation") or noun_words[-1] in words.SEVERAL
    )
    return (
        action in words.DONE_TO
        and ours
        and ("the" in noun_words or not words.RECENT.isdisjoint(noun_words))
    )


def _split_destination(rest: str) -> tuple[str, str]:
    match = words.DESTINATION.search(f" {rest}")
    if not match:
        return rest, ""
    return rest[: max(0, match.start())].strip(), match.group("to").strip("\"'")


def _route(action: str, kind: str, name: str, destination: str, several: bool = False) -> Route:
    arguments = {
        "object": kind,
        "name": name,
        "destination": destination,
        "several": "yes" if several else "",
    }
    return Route(
        "file", action, {key: value for key, value in arguments.items() if value}, "file operation"
    )
