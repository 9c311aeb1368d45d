"""Other programs get research, search, documents, memory and exports over MCP, and nothing of this machine."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from engine.research_engine import ResearchEngine
from tools.registry import TOOLS
from tools.research.source import Source
from workflows.research.answer.model import Answer, AnswerPassage, Lead
from workflows.research.state import ResearchState

ROOT = Path(__file__).resolve().parents[3]
HOST = {tool.name for tool in TOOLS if tool.safety == "host"}
NAPS = "Naps help memory."
ANSWER = Answer("answered", "yes_no", passages=(AnswerPassage(Lead(NAPS), "paragraph", (), NAPS, source_id="n"),))
pytest.importorskip("mcp")


@pytest.fixture
def engine(home: Path) -> Iterator[ResearchEngine]:
    with ResearchEngine(home=home, environ={}, overrides={"embeddings.enabled": False}) as made:
        made._opened.storage.save_research(
            ResearchState(
                "Do naps help memory?",
                status="complete",
                synthesis="Naps help.",
                started_at="2026-01-02T10:00:00Z",
                sources=(Source("n", "https://example.org/n", "Naps", tag="S1"),),
                answer=ANSWER,
            )
        )
        yield made


def talk(target: Any, conversation: Any) -> Any:
    """Run a conversation of the SDK's own client."""
    import anyio
    from mcp import Client

    async def run() -> Any:
        async with Client(target) as client:
            return await conversation(client)

    with ThreadPoolExecutor(1) as aside:  # browser tests of the same process may keep a loop running in this thread
        return aside.submit(anyio.run, run).result()


def test_what_is_offered_and_what_is_not(engine: ResearchEngine) -> None:
    from ui.mcp.server import server

    async def conversation(client: Any) -> None:
        offered = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert not HOST & set(offered) and len(offered) >= 18
        assert {"deep_research", "academic_search", "search_documents", "save_finding", "export_research"} <= set(
            offered
        )
        assert offered["web_search"].input_schema["required"] == ["query"]
        for name in [*sorted(HOST), "bash", "search", "cat", "nope"]:
            answer = await client.call_tool(name, {})
            assert answer.is_error and (
                "not offered" in answer.content[0].text or "no tool" in answer.content[0].text
            ), name

    talk(server(engine), conversation)


def test_memory_documents_and_exports_answer(engine: ResearchEngine) -> None:
    from ui.mcp.server import server

    async def conversation(client: Any) -> None:
        async def said(name: str, **arguments: Any) -> str:
            answer = await client.call_tool(name, arguments)
            return ("Error: " if answer.is_error else "") + answer.content[0].text

        assert (await said("save_finding", text="Naps help memory.", tags=["sleep"])).startswith("Note 1 is kept")
        assert "1. Naps help memory." in await said("query_research_memory", query="naps")
        history = await said("search_history", query="naps")
        research_id = history.split("Id: ")[1].split()[0]
        assert (await said("get_research", research_id=research_id)).startswith("Naps help.")
        card = (await client.call_tool("get_research", {"research_id": research_id})).structured_content
        assert card["answer"]["status"] == "answered" and card["answer"]["passages"][0]["text"] == "Naps help memory."
        assert card["sources"] == [{**card["sources"][0], "tag": "S1", "title": "Naps", "url": "https://example.org/n"}]
        assert (await client.call_tool("search_history", {})).structured_content is None
        assert '"format": "zorora-research/1"' in await said("export_research", research_id=research_id, format="json")
        assert (await said("search_documents")).endswith("0 documents.")
        resources = (await client.list_resources()).resources
        assert [one.uri for one in resources] == [f"zorora://research/{research_id}"]
        assert (await client.read_resource(resources[0].uri)).contents[0].text.startswith("Naps help.")
        for name, arguments, words in (
            ("get_research", {"research_id": "nope"}, "no research called"), ("save_finding", {"text": ""}, "empty"),
            ("web_search", {}, "needs the argument 'query'"), ("web_search", {"query": 1}, "type string"),
            ("web_search", {"query": "x", "search_type": "y"}, "one of general"),
            ("get_full_content", {"source": "/etc/passwd"}, "on this machine"),
            ("export_research", {"research_id": research_id, "format": "pdf"}, "one of md"),
            ("deep_research", {"query": "x", "max_depth": 9}, "depths 1"),
            ("academic_search", {"query": "x", "secret": 1}, "no argument 'secret'"),
            ("deep_research", {"query": " "}, "question"),
            ("deep_research", {"query": "ls"}, "What do you want to find out"),
            ("start_research", {"query": "Sum up /etc/passwd"}, "none of your document folders"),
        ):  # fmt: skip
            answer = await said(name, **arguments)
            assert answer.startswith("Error: ") and words in answer, answer

    talk(server(engine), conversation)


@pytest.mark.lab
def test_a_program_can_talk_to_zorora_mcp(engine: ResearchEngine, tmp_path: Path) -> None:
    """The real thing: a child process, standard input and output, a whole research over the user's documents."""
    from mcp import StdioServerParameters

    text = (
        "Trees cool streets by three degrees at noon in July. " * 3 + "A street without trees stays hot at night. " * 3
    )
    (tmp_path / "trees.md").write_text(f"# Trees\n\n{text}")
    engine.ingest([tmp_path / "trees.md"])
    engine.set_setting("embeddings.enabled", "false")
    home = str(engine.config.paths.config.parent)
    command = ["-m", "ui.terminal", "--home", home, "mcp"]

    async def conversation(client: Any) -> None:
        assert not HOST & {tool.name for tool in (await client.list_tools()).tools}
        found = await client.call_tool("search_documents", {"query": "trees cool streets"})
        assert "corpus://cache/" in found.content[0].text and str(tmp_path) not in found.content[0].text
        refused = await client.call_tool("read_file", {"path": "pyproject.toml"})
        assert refused.is_error and "not offered" in refused.content[0].text

    talk(StdioServerParameters(command=sys.executable, args=command, cwd=str(ROOT)), conversation)
