"""`zorora mcp`: research, search, documents, memory and exports for other programs, over standard input and output.

The host tools (files, programs, patches, the user's models) are never offered: there is no person at a terminal.
Built on the official Python SDK (https://modelcontextprotocol.io), the extra `mcp`. Async is its way; everything of
ours runs in threads.
"""

import importlib.util
import threading
from typing import TYPE_CHECKING, Any

from engine.models import Cancelled, ConfigError, ZororaError
from engine.version import own_version

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from engine.research_engine import ResearchEngine
    from engine.toolset import Toolset

OFFERED = ("read", "research")
PREFIX = "zorora://research/"
LISTED = 50
INSTRUCTIONS = (
    "Zorora answers questions from scholarly works, the web, news and the user's documents, and shows the passages "
    "that answer. Its reports begin with the answer, or say that nothing answers; deep_research and get_research give "
    "that part as structured content too (answer.status: answered, partial or not_found). "
    "Ask query_research_memory or search_history first; a question may have been researched before. deep_research "
    "takes minutes: where calls may not take that long, use start_research, then research_status and get_research. "
    "A handle (corpus://cache/...) names a stored text; get_relevant_content and get_full_content open it."
)


def serve(engine: "ResearchEngine", research_id: str | None = None) -> None:
    """Answer until standard input ends; research_id: about that research. ConfigError when the extra is missing."""
    if importlib.util.find_spec("mcp") is None:
        raise ConfigError("The MCP server needs its extra: pip install 'zorora[mcp]'.")
    import anyio

    anyio.run(_serve, server(engine, research_id))


async def _serve(made: "Server[Any]") -> None:
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (read, write):
        await made.run(read, write, made.create_initialization_options())


def server(engine: "ResearchEngine", research_id: str | None = None) -> "Server[Any]":
    """The server over an open engine, for any transport of the SDK."""
    import mcp_types as types
    from mcp.server.lowlevel import Server

    tools = engine.tools.over(research_id) if research_id else engine.tools

    async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
        offered = await _in_thread(lambda: tools.offered(OFFERED))
        return types.ListToolsResult(tools=[_tool(types, one) for one in offered])

    async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        reports: list[str] = []
        text, wrong = await _called(tools, params.name, params.arguments or {}, context, reports)
        card = await _in_thread(lambda: _card(engine, reports[-1])) if reports else None
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)], is_error=wrong, structured_content=card
        )

    async def list_resources(context: Any, params: Any) -> types.ListResourcesResult:
        entries = await _in_thread(lambda: engine.search_history(limit=LISTED))
        kind = "text/markdown"
        listed = [
            types.Resource(uri=PREFIX + e.research_id, name=e.research_id, title=e.query[:200], mime_type=kind)
            for e in entries
        ]
        return types.ListResourcesResult(resources=listed)

    async def read_resource(context: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        arguments = {"research_id": str(params.uri).removeprefix(PREFIX)}
        text, wrong = await _called(tools, "get_research", arguments, context, [])
        if wrong:
            from mcp.shared.exceptions import MCPError

            raise MCPError(code=types.INVALID_PARAMS, message=text)
        contents = types.TextResourceContents(uri=str(params.uri), mime_type="text/markdown", text=text)
        return types.ReadResourceResult(contents=[contents])

    return Server(
        "zorora",
        version=own_version(),
        title="Zorora",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )


def _tool(types: Any, offered: Any) -> Any:
    looks = offered.safety == "read" and offered.name != "save_finding"
    description = f"{offered.description} {offered.guideline}".strip()
    hints = types.ToolAnnotations(read_only_hint=looks, destructive_hint=False)
    return types.Tool(
        name=offered.name, description=description, input_schema=dict(offered.schema), annotations=hints
    )  # fmt: skip


def _card(engine: "ResearchEngine", research_id: str) -> dict[str, Any] | None:
    """The answer card of a report, beside its text."""
    from engine.report_document import answer_card

    state = engine.load_research(research_id)
    return answer_card(state) if state else None


async def _called(
    tools: "Toolset", name: str, arguments: dict[str, Any], context: Any, reports: list[str]
) -> tuple[str, bool]:
    """(answer, whether it is an error). A request that is cancelled stops the work. reports: gets ids of reports."""
    import anyio.from_thread

    from engine.toolset import Listener

    stopped = threading.Event()

    def check() -> None:
        if stopped.is_set():
            raise Cancelled("The request was cancelled.")

    def progress(phase: int, message: str) -> None:
        if not stopped.is_set():
            anyio.from_thread.run(context.session.report_progress, float(phase), 6.0, message)

    def work() -> tuple[str, bool]:
        try:
            listener = Listener(progress, reports.append)
            return tools.call(name, arguments, classes=OFFERED, check=check, listener=listener), False
        except ZororaError as error:
            return str(error), True

    try:
        text, wrong = await _in_thread(work)
        return text, wrong
    finally:
        stopped.set()


async def _in_thread(work: Any) -> Any:
    import anyio.to_thread

    return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
