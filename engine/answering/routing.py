"""The router, handed on to the interfaces: they may import nothing below the engine."""

from dataclasses import replace
from pathlib import Path

from tools.text.asking import marked_document
from workflows.routing.router import Route, route

__all__ = ["Route", "route", "route_here"]


def route_here(line: str) -> Route:
    """The route of a line typed in the working directory, whose files it may name.

    A document that is asked about stands in the query by its name alone, “notes.md”.
    """

    def lookup(name: str) -> str:
        try:
            path = Path.cwd() / Path(name).expanduser()
            return "folder" if path.is_dir() else "file" if path.is_file() else ""
        except (OSError, ValueError, RuntimeError):  # too long, a null character, a home nobody has
            return ""

    matching = route(line, lookup)
    name = matching.arguments.get("document")
    if name is None:
        return matching
    query = matching.arguments["query"].replace(name, marked_document(Path(name).name), 1)
    return replace(matching, arguments={**matching.arguments, "query": query})
