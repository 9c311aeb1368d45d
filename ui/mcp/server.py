"""`zorora mcp`: research, search, documents, memory and exports for other programs.

The host tools (files, programs, patches, the user's models) are never offered: there is no person
at a terminal. Built on the official Python SDK (https://modelcontextprotocol.io), the extra `mcp`.
Async is its way; everything of ours runs in threads.
"""

import importlib.util
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from engine.models import Cancelled, ConfigError, ZororaError
from engine.version import own_version
from ui.mcp.prompts import PROMPTS, Prompt, prompt_text

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from engine.research_engine import ResearchEngine
    from engine.wiring.toolset import Toolset

Result = TypeVar("Result")
OFFERED = ("read", "research")
KEEPS = frozenset(("save_finding",))  # tools of the class `read` that keep something for the user
AT_HOME = frozenset(  # tools that ask nobody beyond this computer
    """search_documents save_finding query_research_memory search_history get_research
    export_research research_status list_sections summarize_section""".split()
)
PREFIX = "zorora://research/"
LISTED = 50
INSTRUCTIONS = (
    "Zorora answers questions from scholarly works, the web, news and the user's documents, and "
    "shows the passages that answer. Its reports begin with the answer, or say that nothing "
    "answers; deep_research and get_research give that part as structured content too "
    "(answer.status: answered, partial or not_found). Ask query_research_memory or search_history "
    "first; a question may have been answered before. deep_research takes minutes: where calls "
    "may not take that long, use start_research, then research_status and get_research. A handle "
    "(corpus://cache/...) names a stored text; get_relevant_content and get_full_content open it."
)


def serve(engine: "ResearchEngine", research_id: str | None = None) -> None:
    """Answer until standard input ends; research_id: about that research."""
    import anyio

    anyio.run(_serve, server(engine, research_id))


def check_installed() -> None:
    """Raises ConfigError where the extra is missing."""
    if importlib.util.find_spec("mcp") is None:
        raise ConfigError("The MCP server needs its extra: pip install 'zorora[mcp]'.")


async def _serve(server: "Server[Any]") -> None:
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


def server(engine: "ResearchEngine", research_id: str | None = None) -> "Server[Any]":
    """The server over an open engine, for any transport of the SDK."""
    import mcp_types as types
    from mcp.server.lowlevel import Server

    tools = engine.tools.over(research_id) if research_id else engine.tools

    async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
        offered = await _in_thread(lambda: tools.offered(OFFERED))
        return types.ListToolsResult(tools=[_tool(types, tool) for tool in offered])

    async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        results: list[dict[str, Any]] = []
        text, wrong = await _call_tool(tools, params.name, params.arguments or {}, context, results)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)],
            is_error=wrong,
            structured_content=results[-1] if results and not wrong else None,
        )

    async def list_prompts(context: Any, params: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[_prompt(types, prompt) for prompt in PROMPTS])

    async def get_prompt(
        context: Any, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        try:
            prompt, text = prompt_text(params.name, params.arguments or {})
        except ZororaError as error:
            raise _wrong(types, str(error)) from error
        message = types.PromptMessage(
            role="user", content=types.TextContent(type="text", text=text)
        )
        return types.GetPromptResult(description=prompt.description, messages=[message])

    async def list_resources(context: Any, params: Any) -> types.ListResourcesResult:
        entries = await _in_thread(lambda: engine.search_history(limit=LISTED))
        resources = [
            types.Resource(
                uri=PREFIX + entry.research_id,
                name=entry.research_id,
                title=entry.query[:200],
                mime_type="text/markdown",
            )
            for entry in entries
        ]
        return types.ListResourcesResult(resources=resources)

    async def read_resource(
        context: Any, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        arguments = {"research_id": str(params.uri).removeprefix(PREFIX)}
        text, wrong = await _call_tool(tools, "get_research", arguments, context, [])
        if wrong:
            raise _wrong(types, text)
        contents = types.TextResourceContents(
            uri=str(params.uri), mime_type="text/markdown", text=text
        )
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
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


def _wrong(types: Any, message: str) -> Exception:
    """An answer that says what is wrong with a request."""
    from mcp.shared.exceptions import MCPError

    return MCPError(code=types.INVALID_PARAMS, message=message)


def _prompt(types: Any, prompt: Prompt) -> Any:
    arguments = [
        types.PromptArgument(name=name, description=about, required=needed)
        for name, (about, needed) in prompt.arguments.items()
    ]
    return types.Prompt(
        name=prompt.name, title=prompt.title, description=prompt.description, arguments=arguments
    )


def _tool(types: Any, offered: Any) -> Any:
    looks = offered.safety == "read" and offered.name not in KEEPS
    hints = types.ToolAnnotations(
        read_only_hint=looks,
        destructive_hint=False,
        idempotent_hint=looks,
        open_world_hint=offered.name not in AT_HOME,
    )
    return types.Tool(
        name=offered.name,
        title=offered.name.replace("_", " ").capitalize(),
        description=f"{offered.description} {offered.guideline}".strip(),
        input_schema=dict(offered.schema),
        output_schema=dict(offered.output) if offered.output else None,
        annotations=hints,
    )


async def _call_tool(
    tools: "Toolset",
    name: str,
    arguments: dict[str, Any],
    context: Any,
    results: list[dict[str, Any]],
) -> tuple[str, bool]:
    """(answer, whether it is an error). A request that is cancelled stops the work. results: gets
    structured ones."""
    import anyio.from_thread

    from engine.wiring.tool_texts import Listener

    stopped = threading.Event()

    def check() -> None:
        if stopped.is_set():
            raise Cancelled("The request was cancelled.")

    def progress(phase: int, message: str) -> None:
        if not stopped.is_set():
            anyio.from_thread.run(context.session.report_progress, float(phase), 6.0, message)

    def work() -> tuple[str, bool]:
        try:
            listener = Listener(progress, results.append)
            return tools.call(
                name, arguments, classes=OFFERED, check=check, listener=listener
            ), False
        except ZororaError as error:
            return str(error), True

    try:
        return await _in_thread(work)
    finally:
        stopped.set()


async def _in_thread(work: Callable[[], Result]) -> Result:
    import anyio.to_thread

    return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
