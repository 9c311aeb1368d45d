"""What the router's orders mean at the prompt: which slash command an order on a research, a file
or a picture is."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui.terminal.command import UsageError
from ui.terminal.render.plain import plain
from ui.terminal.session import Session

if TYPE_CHECKING:
    from engine.answering.routing import Route

# (action, object) -> command
COMMANDS: Mapping[tuple[str, str], str] = {
    ("list", "research"): "history",
    ("list", "history"): "history",
    ("show", "history"): "history",
    ("open", "history"): "history",
    ("show", "research"): "show",
    ("load", "research"): "load",
    ("save", "research"): "save",
    ("open", "research"): "open",
    ("delete", "research"): "delete",
    ("export", "research"): "export",
    ("star", "research"): "star",
    ("resume", "research"): "resume",
    ("cancel", "research"): "cancel",
    ("rename", "research"): "save",
    ("list", "conversation"): "list",
    ("show", "conversation"): "load",
    ("load", "conversation"): "load",
    ("open", "conversation"): "load",
    ("save", "conversation"): "save",
    ("delete", "conversation"): "delete",
    ("list", "library"): "library",
    ("show", "library"): "library",
    ("open", "library"): "library",
    ("ingest", "file"): "ingest",
    ("ingest", "folder"): "ingest",
    ("edit", "file"): "code",
}
LISTS = ("history", "library", "list")
FILES = {"list": "list_files", "show": "read_file", "load": "read_file", "open": "read_file"}


def command_of(session: Session, route: "Route", line: str) -> tuple[str, list[str]] | None:
    """(name, words) of the slash command that a routed line is; None for what this program does not
    do."""
    arguments = route.arguments
    if route.workflow == "research":
        document = arguments.get("document")
        scope = ["--docs", document, "--sources", "local"] if document else []
        return "research", [*scope, "--", arguments["query"]]
    if route.workflow == "image" and route.action == "generate":
        return "image", ["--", arguments["prompt"]]
    if route.workflow == "image":
        return "vision", [arguments["file"], line]
    command = "code" if route.workflow == "code" else _command_on(route)
    if command is None:
        return None
    name = arguments.get("name", "")
    return command, ["--", line] if command == "code" else _words(session, route, command, name)


def _command_on(route: "Route") -> str | None:
    """The command for an order on a report, a conversation or the library."""
    thing = route.arguments.get("object", "")
    command = COMMANDS.get((route.action, thing))
    if command is None or command in LISTS or not route.arguments.get("several"):
        return command
    if route.action not in FILES:
        raise UsageError(
            f"One at a time: /{command} ID. /history lists the reports, /list the conversations."
        )
    return "list" if thing == "conversation" else "history"


def file_order(session: Session, route: "Route") -> bool:
    """Carry out an order on files of the working directory: list, show or make them. False when it
    is none of these."""
    thing, name = route.arguments.get("object", ""), route.arguments.get("name", "")
    if thing not in ("file", "folder"):
        return False
    if route.action == "delete":
        raise UsageError("Zorora does not delete files. /delete moves a report to the bin.")
    if route.action == "make":
        tool, arguments = _making(session, thing, name)
    elif route.action == "where":
        tool, arguments = "get_working_directory", {}
    elif route.action in FILES:
        tool, arguments = _looking(FILES[route.action], thing, name)
    else:
        return False
    text = session.engine.tools.call(
        tool, arguments, classes=("host",), workplace=session.workplace
    )
    session.screen.print(plain(text, lines=True))
    return True


def _looking(tool: str, thing: str, name: str) -> tuple[str, dict[str, Any]]:
    if tool == "read_file" and name and thing == "file" and not Path(name).expanduser().is_dir():
        return tool, {"path": name}
    if "*" in name:
        folder, _, pattern = name.rpartition("/")
        return "list_files", {"path": folder or ".", "pattern": pattern}
    return "list_files", {"path": _folder(name)}


def _making(session: Session, thing: str, name: str) -> tuple[str, dict[str, Any]]:
    if not name:
        raise UsageError(
            f"Name the {thing}: make a {thing} called drafts{'.md' if thing == 'file' else ''}"
        )
    if thing == "file" and Path(name).expanduser().exists():
        raise UsageError(f"{plain(name)} exists already.")
    if not session.screen.agrees(f"Create the {thing} {name}?"):
        raise UsageError(
            f"The {thing} was not created: a person at the terminal has to confirm it."
        )
    if thing == "folder":
        return ("make_directory", {"path": name})
    return ("write_file", {"path": name, "content": ""})


def agreed(session: Session, research_id: str) -> bool:
    """Whether a line that was understood as an order to delete was meant as one."""
    research = session.find(research_id)
    state = session.engine.load_research(research)
    if not session.screen.interactive:
        raise UsageError(f"To move it to the bin: /delete {plain(research)}")
    return session.screen.agrees(
        f"Move {research}{f' ({state.original_query})' if state else ''} to the bin?"
    )


def _folder(name: str) -> str:
    """A folder's path out of "", "in ./papers", "in this folder"."""
    last = name.split()[-1] if name.split() else "."
    return last if "/" in last or Path(last).is_dir() else "."


def _words(session: Session, route: "Route", command: str, name: str) -> list[str]:
    destination = route.arguments.get("destination", "")
    if command in LISTS:
        return ["--", *name.split()]
    if command == "ingest":
        return ["--", name]
    if command == "save":
        return _save_words(session, name, destination)
    is_talk = route.arguments.get("object") == "conversation" and not name
    research_id = _conversation(session) if is_talk else resolve_name(session, name)
    if command == "export" and destination:
        # "as html" names a format, "to report.html" a file
        if _is_file(destination):
            return [research_id, "-o", destination]
        return [research_id, destination]
    return [research_id]


def _save_words(session: Session, name: str, destination: str) -> list[str]:
    export = f"/export {plain(name or 'last')}"
    if _is_file(destination):
        raise UsageError(f"To write a file: {export} -o {plain(destination)}")
    if destination.lower() in [
        format_name for format_name, _, _ in session.engine.export_formats()
    ]:
        raise UsageError(f"To write it in that format: {export} {plain(destination)}")
    return [
        *(["--id", resolve_name(session, name)] if name else []),
        *(["--", destination] if destination else []),
    ]


def _conversation(session: Session) -> str:
    """The conversation that goes on, or the newest one."""
    newest = session.listed(kind="ask", limit=1)
    if not session.conversation and not newest:
        raise UsageError("No conversation yet. /ask starts one.")
    return session.conversation or newest[0].research_id


def _is_file(destination: str) -> bool:
    return "." in destination or "/" in destination


def resolve_name(session: Session, name: str) -> str:
    """The research an order names: an id or its beginning, a name given to it, words of it, or the
    last one."""
    if not name or name.lower() in ("it", "this", "that"):
        return "last"
    if session.knows(name):
        return name
    entries = session.engine.search_history(name, limit=1)
    if not entries:
        raise UsageError(f'No report matches "{plain(name)}". /history lists them.')
    return entries[0].research_id
