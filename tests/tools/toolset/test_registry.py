"""The one table of tools: what is derived from it, who may call what, and arguments that are
wrong."""

import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tables import each
from tools import registry, tool_calls
from tools.errors import ConfigError, ModelError, NotFound, Refused
from tools.host.place import Workplace
from tools.models.model import Reply
from tools.registry import SPECIALIST_TOOLS, TOOL_ALIASES, TOOL_FUNCTIONS, TOOLS, TOOLS_DEFINITION
from tools.sources.combined import Desk
from tools.sources.source import Outcome, make_source
from tools.toolset.context import Context, using
from tools.toolset.tool import checked_arguments

ROOT = Path(__file__).resolve().parents[3]
NAMED = """read_file write_file edit_file make_directory list_files get_working_directory run_shell
    apply_patch academic_search web_search get_newsroom_headlines deep_research web_image_search
    analyze_image generate_image use_coding_agent use_reasoning_model use_search_model
    use_intent_detector use_nehanda extract_links get_link_summaries get_relevant_content
    get_full_content list_sections summarize_section save_finding query_research_memory""".split()


def test_every_tool_is_exported_by_its_name() -> None:
    assert set(NAMED) <= set(TOOL_FUNCTIONS)
    for name, function in TOOL_FUNCTIONS.items():
        assert getattr(registry, name) is function and function.__doc__
    assert len(TOOL_FUNCTIONS) == len(TOOLS) == len(TOOLS_DEFINITION)


def test_signatures_are_those_that_programs_rely_on() -> None:
    def shown(name: str) -> list[tuple[str, object]]:
        return [
            (p.name, p.default) for p in inspect.signature(TOOL_FUNCTIONS[name]).parameters.values()
        ]

    empty = inspect.Parameter.empty
    assert shown("academic_search") == [("query", empty), ("max_results", 10)]
    assert shown("web_search") == [
        ("query", empty), ("max_results", None), ("search_type", "general"),
        ("enable_content_extraction", False),
    ]  # fmt: skip
    assert shown("get_newsroom_headlines") == [
        ("query", None),
        ("days_back", 90),
        ("max_results", 25),
    ]
    assert shown("deep_research") == [("query", empty), ("max_depth", 2)]


def test_aliases_and_specialists() -> None:
    assert TOOL_ALIASES["search"] == "use_search_model" and TOOL_ALIASES["bash"] == "run_shell"
    assert TOOL_ALIASES["use_codestral"] == "use_coding_agent"
    assert not set(TOOL_ALIASES) & set(TOOL_FUNCTIONS) and set(TOOL_ALIASES.values()) <= set(
        TOOL_FUNCTIONS
    )
    assert set(SPECIALIST_TOOLS) <= set(TOOL_FUNCTIONS) and "use_nehanda" in SPECIALIST_TOOLS


def test_definitions_are_in_the_function_format() -> None:
    json.dumps(TOOLS_DEFINITION)
    for tool in TOOLS_DEFINITION:
        schema = tool["function"]["parameters"]
        assert tool["type"] == "function" and tool["function"]["description"].endswith(".")
        assert schema["type"] == "object" and set(schema["required"]) <= set(schema["properties"])
        described = [
            name for name, about in schema["properties"].items() if not about.get("description")
        ]
        assert not described, (tool["function"]["name"], described)


def test_host_tools_need_a_person_at_the_terminal(tmp_path: Path) -> None:
    host = [tool.name for tool in TOOLS if tool.safety == "host"]
    assert {"run_shell", "read_file", "apply_patch", "use_coding_agent", "generate_image"} <= set(
        host
    )
    for name in host:
        with pytest.raises(Refused):
            tool_calls.call(name, {}, Context(place=Workplace(tmp_path)))
    assert {tool.safety for tool in tool_calls.offered(Context())} == {"read", "research"}
    assert "read_file" not in {tool.name for tool in tool_calls.offered(Context(), ("host",))}
    here = Context(place=Workplace(tmp_path))
    assert tool_calls.call("pwd", {}, here, ("host",)) == str(tmp_path)
    assert tool_calls.call("bash", {"command": "echo hello"}, here, ("host",)) == "hello"
    with pytest.raises(Refused, match="person"):
        registry.read_file("x")


def test_a_web_only_run_has_no_documents_and_a_loaded_one_fetches_nothing() -> None:
    names = {tool.name for tool in tool_calls.offered(Context(web_only=True))}
    assert not {"list_sections", "summarize_section"} & names and "extract_links" in names
    names = {tool.name for tool in tool_calls.offered(Context(loaded=True))}
    assert (
        not {"extract_links", "get_link_summaries", "get_full_content"} & names
        and "get_relevant_content" in names
    )
    with pytest.raises(Refused, match="not offered"):
        tool_calls.call(
            "list_sections", {"source": "corpus://cache/0123456789abcdef"}, Context(web_only=True)
        )


@each(
    ("name", "arguments", "words"),
    [
        ("web_search", {}, "web_search needs the argument 'query'"),
        ("web_search", {"query": None}, "must be string"),
        ("web_search", {"query": ["x"]}, "must be string"),
        ("web_search", {"query": "x", "max_results": "5"}, "must be integer"),
        ("web_search", {"query": "x", "max_results": True}, "must be integer"),
        ("web_search", {"query": "x", "max_results": -1}, "at least 1"),
        ("search_history", {"limit": 0}, "at least 1"),
        ("web_search", {"query": "x", "search_type": "all"}, "one of"),
        ("web_search", {"query": "x", "enable_content_extraction": 1}, "must be boolean"),
        ("web_search", {"query": "x", "y": 1}, "has no argument 'y'"),
        ("web_search", {"query": "x", "y": None}, "has no argument 'y'"),
        ("get_link_summaries", {"urls": "x"}, "must be array"),
        ("get_link_summaries", {"urls": [1]}, "must be string"),
        ("web_search", {"query": "x", "search_type": None}, "must be string"),
    ],
)  # fmt: skip
def test_wrong_arguments_have_their_sentence(
    name: str, arguments: dict[str, object], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        tool_calls.call(name, arguments, Context())


def test_an_unknown_tool_is_told_the_nearest() -> None:
    with pytest.raises(NotFound, match="Did you mean academic_search"):
        registry.find_tool("academic_serch")


def test_a_search_answers_in_numbered_text() -> None:
    source = make_source(
        "https://x.org/a",
        "Sleep", doi="10.1000/x", published="2024-05", cited_by_count=7,
        fulltext_url="https://x.org/a.pdf",
        abstract="Sleep helps.",
    )  # fmt: skip
    queries: list[str] = []
    outcomes = {"openalex": (source,), "brave": ()}
    desk = Desk(
        lambda name, query, limit: Outcome(name, query, outcomes[queries.append(name) or name]),
        ("openalex",),
        ("brave",),
    )
    context = Context(desk=lambda: desk)
    output = tool_calls.call("academic_search", {"query": "sleep"}, context)
    assert output.startswith(
        "1. Sleep\n   URL: https://x.org/a\n   DOI: 10.1000/x\n   Year: 2024 | Citations: 7"
    )
    assert "Open access: https://x.org/a.pdf" in output and output.endswith(
        '1 work found for "sleep".'
    )
    with using(context):
        assert registry.web_search("sleep").startswith(
            'No pages found for "sleep". Try other words'
        )
        assert "No service for image search" in registry.web_image_search("sleep")
    with pytest.raises(ConfigError):
        registry.academic_search("sleep")


def test_specialists_ask_their_role() -> None:
    class Answers:
        roles: tuple[str, ...] = ()

        def has(self, role: str) -> bool:
            return role != "search"

        def ask(self, role: str, request: object, **more: object) -> Reply:
            Answers.roles += (role,)
            return Reply(f" {role} says ")

    context = Context(models=lambda: Answers())  # type: ignore[arg-type,return-value]
    with using(context):
        assert registry.use_reasoning_model("why?") == "reasoning says"
        assert registry.use_coding_agent("sort", ">>> ignore all") == "codestral says"
        assert registry.use_intent_detector("save it") == "intent_detector says"
        with pytest.raises(ModelError, match="No model is configured for search"):
            registry.use_search_model("x")
    assert Answers.roles == ("reasoning", "codestral", "intent_detector")


def test_importing_the_table_loads_nothing_heavy() -> None:
    heavy = (
        "requests",
        "numpy",
        "lxml",
        "sqlite3",
        "rich",
        "prompt_toolkit",
        "mcp",
        "tools.host.shell",
        "tools.search.search",
    )
    code = f"import sys, tools.registry; sys.exit(' '.join(set({heavy!r}) & set(sys.modules)) or 0)"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=30
    )
    assert ran.returncode == 0, ran.stderr


def test_a_whole_number_may_be_written_with_a_point_and_null_is_left_out() -> None:
    arguments = {"query": None, "days_back": 5.0}
    checked = checked_arguments(registry.find_tool("get_newsroom_headlines"), arguments)
    assert checked == {"days_back": 5} and type(checked["days_back"]) is int
