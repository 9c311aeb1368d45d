"""Views of the JSON interface for the tools: those that look and those that research, never those of this machine."""

from typing import Any

from engine.wiring.toolset import READ, RESEARCH, OfferedTool
from ui.web.context import engine

OFFERED = (READ, RESEARCH)


def listed(params: dict[str, Any]) -> list[OfferedTool]:
    return engine().tools.offered(OFFERED)


def called(params: dict[str, Any]) -> dict[str, str]:
    """Refused (403) for a tool that is not offered, and for arguments that do not follow its schema."""
    return {"text": engine().tools.call(params["name"], params["arguments"] or {}, classes=OFFERED)}
