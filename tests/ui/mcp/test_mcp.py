"""Other programs get research, search, documents, memory and exports over MCP, and nothing of this
machine."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from engine.research_engine import ResearchEngine
from tools.registry import TOOLS
from tools.sources.source import Source
from workflows.research.answer.model import Answer, AnswerPassage, Lead
from workflows.research.state import ResearchState

ROOT = Path(__file__).resolve().parents[3]
HOST = {tool.name for tool in TOOLS if tool.safety == "host"}
NAPS = "Naps help memory."
ANSWER = Answer(
    "answered",
    "yes_no",
    passages=(AnswerPassage(Lead(NAPS), "paragraph", (), NAPS, source_id="n"),),
)
pytestmark = pytest.mark.skipif(find_spec("mcp") is None, reason="the extra mcp is not installed")


@pytest.fixture
def engine(home: Path) -> Iterator[ResearchEngine]:
    with ResearchEngine(home=home, environ={}, overrides={"embeddings.enabled": False}) as engine:
        engine._opened.storage.save_research(
            ResearchState(
                "Do naps help memory?",
                status="complete",
                synthesis="Naps help.",
                started_at="2026-01-02T10:00:00Z",
                sources=(Source("n", "https://example.org/n", "Naps", tag="S1"),),
                answer=ANSWER,
            )
        )
        yield engine


def talk(target: Any, conversation: Any, mode: str = "auto") -> Any:
    """Run a conversation of the SDK's own client, which checks structured results against their
    schemas."""
    import anyio
    from mcp import Client

    async def run() -> Any:
        async with Client(target, mode=mode) as client:
            return await conversation(client)

    with ThreadPoolExecutor(
        1
    ) as aside:  # browser tests of the same process may keep a loop running in this thread
        return aside.submit(anyio.run, run).result()


@pytest.mark.lab
def test_what_is_offered_and_what_is_not(engine: ResearchEngine) -> None:
    from ui.mcp.server import server

    async def conversation(client: Any) -> None:
        offered = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert not HOST & set(offered) and len(offered) >= 18
        assert {
            "deep_research",
            "academic_search",
            "search_documents",
            "save_finding",
            "export_research",
        } <= set(offered)
        assert offered["web_search"].input_schema["required"] == ["query"]
        hints = {name: tool.annotations for name, tool in offered.items()}
        assert {name for name, hint in hints.items() if not hint.read_only_hint} == {
            "save_finding", "deep_research", "start_research",
        }  # fmt: skip
        assert (
            not any(hint.destructive_hint for hint in hints.values())
            and hints["web_search"].open_world_hint
        )
        assert not hints["search_documents"].open_world_hint
        for name in [*sorted(HOST), "bash", "search", "cat", "nope"]:
            answer = await client.call_tool(name, {})
            assert answer.is_error and (
                "not offered" in answer.content[0].text or "no tool" in answer.content[0].text
            ), name

    talk(server(engine), conversation)


def test_memory_documents_and_exports_answer(engine: ResearchEngine) -> None:
    from ui.mcp.server import server

    async def conversation(client: Any) -> None:
        async def call(name: str, **arguments: Any) -> str:
            answer = await client.call_tool(name, arguments)
            return ("Error: " if answer.is_error else "") + answer.content[0].text

        assert (await call("save_finding", text="Naps help memory.", tags=["sleep"])).startswith(
            "Note 1 is kept"
        )
        assert "1. Naps help memory." in await call("query_research_memory", query="naps")
        history = await call("search_history", query="naps")
        research_id = history.split("Id: ")[1].split()[0]
        assert (await call("get_research", research_id=research_id)).startswith("Naps help.")
        card = (
            await client.call_tool("get_research", {"research_id": research_id})
        ).structured_content
        assert (
            card["answer"]["status"] == "answered"
            and card["answer"]["passages"][0]["text"] == "Naps help memory."
        )
        assert card["sources"] == [
            {**card["sources"][0], "tag": "S1", "title": "Naps", "url": "https://example.org/n"}
        ]
        past = (await client.call_tool("search_history", {})).structured_content
        assert past["total"] == 1 and past["entries"][0]["query"] == "Do naps help memory?"
        assert (
            await client.call_tool("research_status", {"research_id": research_id})
        ).structured_content["over"]
        text = await client.call_tool(
            "export_research", {"research_id": research_id, "format": "md"}
        )
        assert text.structured_content is None
        assert '"format": "zorora-research/1"' in await call(
            "export_research", research_id=research_id, format="json"
        )
        assert (await call("search_documents")).endswith("0 documents.")
        resources = (await client.list_resources()).resources
        assert [resource.uri for resource in resources] == [f"zorora://research/{research_id}"]
        assert (
            (await client.read_resource(resources[0].uri)).contents[0].text.startswith("Naps help.")
        )
        for name, arguments, words in (
            ("get_research", {"research_id": "nope"}, "no report called"),
            ("save_finding", {"text": ""}, "empty"),
            ("web_search", {}, "web_search needs the argument 'query'"),
            ("web_search", {"query": 1}, "must be string"),
            ("web_search", {"query": "x", "search_type": "y"}, "one of general"),
            ("get_full_content", {"source": "/etc/passwd"}, "on this machine"),
            ("export_research", {"research_id": research_id, "format": "pdf"}, "one of md"),
            ("deep_research", {"query": "x", "max_depth": 9}, "depth is 1"),
            ("academic_search", {"query": "x", "secret": 1}, "has no argument 'secret'"),
            ("deep_research", {"query": " "}, "question"),
            ("deep_research", {"query": "ls"}, "What do you want to find out"),
            ("start_research", {"query": "Sum up /etc/passwd"}, "none of your document folders"),
        ):  # fmt: skip
            answer = await call(name, **arguments)
            assert answer.startswith("Error: ") and words in answer, answer

    talk(server(engine), conversation)


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_both_eras_of_the_protocol_get_tools_prompts_and_results(
    engine: ResearchEngine, mode: str
) -> None:
    from mcp.shared.exceptions import MCPError

    from ui.mcp.server import server

    async def conversation(client: Any) -> None:
        assert len((await client.list_tools()).tools) >= 18
        assert (await client.call_tool("search_history", {})).structured_content["total"] == 1
        prompts = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
        assert set(prompts) == {"research_question", "check_claim", "ask_documents"}
        assert [argument.required for argument in prompts["research_question"].arguments] == [
            True,
            False,
        ]
        prompt = await client.get_prompt(
            "research_question", {"question": "Do {depth} naps\n\nhelp?"}
        )
        text = prompt.messages[0].content.text
        assert "Do {depth} naps help?" in text and "max_depth 2;" in text and "not_found" in text
        for name, arguments in (
            ("nope", {}),
            ("check_claim", {}),
            ("check_claim", {"claim": "x" * 20_001}),
        ):
            with pytest.raises(MCPError):
                await client.get_prompt(name, arguments)

    talk(server(engine), conversation, mode)


@pytest.mark.lab
def test_every_structured_result_follows_its_schema(engine: ResearchEngine, tmp_path: Path) -> None:
    """The SDK's client refuses a result that does not."""
    from engine.wiring.tool_results import OUTPUTS
    from ui.mcp.server import server

    (tmp_path / "trees.md").write_text(
        "# Trees\n\nTrees cool streets by three degrees at noon in July.\n"
    )
    engine.ingest([tmp_path / "trees.md"])
    calls = {
        "search_documents": {"query": "trees"}, "search_history": {"query": "naps"},
        "web_image_search": {"query": "x"},
        "academic_search": {"query": "x"}, "web_search": {"query": "x"},
        "get_newsroom_headlines": {},
    }  # fmt: skip

    async def conversation(client: Any) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {name for name, tool in tools.items() if tool.output_schema} == set(OUTPUTS)
        for name, arguments in calls.items():
            answer = await client.call_tool(name, arguments)
            assert not answer.is_error and set(OUTPUTS[name]["required"]) == set(
                answer.structured_content
            ), name
        (hit,) = (
            await client.call_tool("search_documents", {"query": "trees"})
        ).structured_content["passages"]
        assert hit["handle"].startswith("corpus://cache/") and "\x02" not in hit["text"]
        listed = (await client.call_tool("search_documents", {})).structured_content
        assert [document["name"] for document in listed["documents"]] == ["trees.md"]

    talk(server(engine), conversation)


def ask_guard(guard: Any, *headers: tuple[bytes, bytes]) -> tuple[int, bytes]:
    """(status, body) of one request; 200 where it is let in."""
    import asyncio

    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "http", "headers": list(headers), "client": ("127.0.0.1", 5)}
    asyncio.run(guard(scope, None, send))
    return sent[0]["status"], sent[1]["body"] if len(sent) > 1 else b""


def test_http_wants_the_token_and_stops_guessing(tmp_path: Path) -> None:
    from ui.mcp.http import Guard
    from ui.web.access_token import Token

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200})

    token = Token(tmp_path / "web_token")
    secret = token.renew().encode()
    guard = Guard(inner, token)
    assert ask_guard(guard)[0] == 401 and b"access token" in ask_guard(guard)[1]
    assert ask_guard(guard, (b"authorization", b"Bearer " + secret))[0] == 200
    assert ask_guard(guard, (b"authorization", b"Basic " + secret))[0] == 401
    statuses = [ask_guard(guard, (b"authorization", b"Bearer \xff%d" % n))[0] for n in range(12)]
    assert statuses[0] == 401 and statuses[-1] == 429
    assert ask_guard(guard, (b"authorization", b"Bearer " + secret))[0] == 200


def printed(*words: str) -> Any:
    """The configuration that a terminal prints."""
    done = subprocess.run(
        [sys.executable, "-m", "ui.terminal", *words], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["mcpServers"]["zorora"]


def test_the_printed_configuration_names_an_absolute_program(engine: ResearchEngine) -> None:
    home = str(engine.config.paths.config.parent)
    stdio = printed("--home", home, "mcp", "--print-config")
    assert Path(stdio["command"]).is_absolute() and os.access(stdio["command"], os.X_OK)
    assert stdio["args"][-3:] == ["--home", home, "mcp"]
    web = printed("mcp", "--http", "--port", "5999", "--print-config")
    assert web["url"] == "http://127.0.0.1:5999/mcp" and web["headers"] == {
        "Authorization": "Bearer TOKEN"
    }


@pytest.mark.lab
def test_the_printed_command_answers_from_any_folder(
    engine: ResearchEngine, tmp_path: Path
) -> None:
    from mcp import StdioServerParameters

    printed_config = printed(
        "--home", str(engine.config.paths.config.parent), "mcp", "--print-config"
    )

    async def conversation(client: Any) -> None:
        assert (await client.call_tool("search_history", {})).structured_content["total"] == 1

    for mode in ("legacy", "auto"):
        talk(
            StdioServerParameters(
                command=printed_config["command"], args=printed_config["args"], cwd=str(tmp_path)
            ),
            conversation,
            mode,
        )


@pytest.fixture
def served(engine: ResearchEngine) -> Iterator[tuple[str, str]]:
    """(address, token) of `zorora mcp --http`, the real thing."""
    command = [
        sys.executable,
        "-m",
        "ui.terminal",
        "--home",
        str(engine.config.paths.config.parent),
        "mcp",
        "--http",
    ]
    process = subprocess.Popen(
        [*command, "--port", "0"], cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr
    try:
        lines = [process.stderr.readline() for _ in range(2)]
        yield lines[0].split()[-1], lines[1].split()[-1]
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
        process.stderr.close()


@pytest.mark.lab
def test_every_revision_of_the_protocol_is_spoken_over_http(served: tuple[str, str]) -> None:
    import requests
    from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
    from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

    @asynccontextmanager
    async def connect() -> AsyncIterator[Any]:
        headers = {"Authorization": f"Bearer {secret}"}
        async with (
            create_mcp_http_client(headers) as carrier,
            streamable_http_client(address, http_client=carrier) as streams,
        ):
            yield streams

    address, secret = served
    request_headers = {
        "Authorization": f"Bearer {secret}",
        "Accept": "application/json, text/event-stream",
    }
    about = {"capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}

    def shake(version: str, **headers: str) -> requests.Response:
        params = {"protocolVersion": version, **about}
        body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
        return requests.post(address, json=body, headers={**request_headers, **headers}, timeout=20)

    for version in HANDSHAKE_PROTOCOL_VERSIONS:
        assert f'"protocolVersion":"{version}"' in shake(version).text
    assert shake("2025-11-25", Authorization="Bearer no").status_code == 401
    assert shake("2025-11-25", Host="evil.example").status_code == 421
    assert shake("2025-11-25", Origin="http://evil.example").status_code == 403

    async def conversation(client: Any) -> None:
        assert (await client.call_tool("search_history", {})).structured_content["total"] == 1

    for mode in ("legacy", "auto", "2026-07-28"):
        talk(connect(), conversation, mode)


@pytest.mark.lab
def test_a_program_can_talk_to_zorora_mcp(engine: ResearchEngine, tmp_path: Path) -> None:
    """The real thing: a child process, standard input and output, a whole research over the user's
    documents."""
    from mcp import StdioServerParameters

    text = (
        "Trees cool streets by three degrees at noon in July. " * 3
        + "A street without trees stays hot at night. " * 3
    )
    (tmp_path / "trees.md").write_text(f"# Trees\n\n{text}")
    engine.ingest([tmp_path / "trees.md"])
    engine.set_setting("embeddings.enabled", "false")
    home = str(engine.config.paths.config.parent)
    command = ["-m", "ui.terminal", "--home", home, "mcp"]

    async def conversation(client: Any) -> None:
        assert not HOST & {tool.name for tool in (await client.list_tools()).tools}
        result = await client.call_tool("search_documents", {"query": "trees cool streets"})
        assert (
            "corpus://cache/" in result.content[0].text
            and str(tmp_path) not in result.content[0].text
        )
        refused = await client.call_tool("read_file", {"path": "pyproject.toml"})
        assert refused.is_error and "not offered" in refused.content[0].text

    talk(StdioServerParameters(command=sys.executable, args=command, cwd=str(ROOT)), conversation)
