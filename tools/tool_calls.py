"""Calls of tools by name: which of them a context and a safety class allow, and the answer."""

from collections.abc import Collection, Mapping
from typing import Any

from tools.errors import Refused
from tools.registry import TOOLS, find_tool
from tools.toolset.context import Context, using
from tools.toolset.tool import READ, RESEARCH, Tool, checked_arguments

OPEN_CLASSES = (READ, RESEARCH)  # what the API and MCP may offer
ACQUIRING = frozenset(("extract_links", "get_link_summaries", "get_full_content"))
OF_DOCUMENTS = frozenset(("list_sections", "summarize_section"))


def offered(context: Context, classes: Collection[str] = OPEN_CLASSES) -> list[Tool]:
    """The tools of these classes that have something to work with in this context.

    A web-only run has no documents; where a run's texts are there already, nothing more is fetched.
    """
    left_out = (ACQUIRING if context.loaded else frozenset()) | (
        OF_DOCUMENTS if context.web_only else frozenset()
    )
    return [
        tool
        for tool in TOOLS
        if tool.safety in classes
        and tool.name not in left_out
        and (context.place is not None or tool.function.__module__ != "tools.toolset.working")
    ]


def call(
    name: str,
    arguments: Mapping[str, Any],
    context: Context,
    classes: Collection[str] = OPEN_CLASSES,
) -> str:
    """What a tool answers. Raises ZororaError: Refused for a tool not offered or for wrong
    arguments."""
    tool = find_tool(name)
    if tool not in offered(context, classes):
        raise Refused(f"The tool {tool.name} is not offered here.")
    checked = checked_arguments(tool, arguments)
    with using(context):
        return tool.function(**checked)
