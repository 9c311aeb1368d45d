"""What a program that takes MCP servers is told about this one (`zorora mcp --print-config`)."""

import os
import shutil
import sys
from pathlib import Path
from typing import Any

from ui.mcp.http import HOST, PATH


def over_stdio(home: Path, research_id: str | None) -> dict[str, Any]:
    """The command with absolute paths: such programs start it from any folder and without the
    user's PATH."""
    program, *first = command()
    further = ["--research", research_id] if research_id else []
    where = ["--home", str(home)] if home != Path.home() / ".zorora" else []
    return {
        "mcpServers": {"zorora": {"command": program, "args": [*first, *where, "mcp", *further]}}
    }


def over_http(port: int) -> dict[str, Any]:
    """The address; the token has to be filled in, since nobody can read it again."""
    return {
        "mcpServers": {
            "zorora": {
                "type": "http",
                "url": f"http://{HOST}:{port}{PATH}",
                "headers": {"Authorization": "Bearer TOKEN"},
            }
        }
    }


def command() -> list[str]:
    """How this installation is started: its console script, else its Python."""
    for place in (
        Path(sys.argv[0]),
        Path(sys.executable).with_name("zorora"),
        Path(shutil.which("zorora") or "zorora"),
    ):
        if place.name == "zorora" and place.is_file() and os.access(place, os.X_OK):
            return [str(place.absolute())]
    return [sys.executable, "-m", "ui.terminal"]
