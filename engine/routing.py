"""The router, handed on to the interfaces: they may import nothing below the engine."""

from pathlib import Path

from workflows.router import Route, route

__all__ = ["Route", "route", "route_here"]


def route_here(line: str, folder: Path | None = None) -> Route:
    """The route of a line typed in this folder (else the working directory), whose files it may name."""
    root = folder or Path.cwd()

    def lookup(name: str) -> str:
        try:
            path = root / Path(name).expanduser()
            return "folder" if path.is_dir() else "file" if path.is_file() else ""
        except (OSError, ValueError, RuntimeError):  # too long, a null character, a home nobody has
            return ""

    return route(line, lookup)
