"""The one table of tools: name, description, schema, function, safety class. The prompt, the API
and MCP read it.

Every tool is exported by its name and answers with text. TOOL_FUNCTIONS, TOOL_ALIASES,
TOOLS_DEFINITION (the function format of OpenAI) and SPECIALIST_TOOLS are derived from the table.
Safety classes: tools/toolset/tool.py. What tools work with: tools/toolset/context.py. What calls
them: tools/tool_calls.py.
"""

from collections.abc import Callable
from typing import Any

from tools.errors import NotFound
from tools.toolset.functions import (
    academic_search,
    analyze_image,
    deep_research,
    export_research,
    extract_links,
    generate_image,
    get_full_content,
    get_link_summaries,
    get_newsroom_headlines,
    get_relevant_content,
    get_research,
    list_sections,
    query_research_memory,
    research_status,
    save_finding,
    search_documents,
    search_history,
    start_research,
    summarize_section,
    use_coding_agent,
    use_intent_detector,
    use_nehanda,
    use_reasoning_model,
    use_search_model,
    web_image_search,
    web_search,
)
from tools.toolset.tool import HOST, READ, RESEARCH, TEXT_FORMATS, Tool
from tools.toolset.working import (
    apply_patch,
    edit_file,
    get_working_directory,
    list_files,
    make_directory,
    read_file,
    run_shell,
    write_file,
)

_HANDLE = "an http(s) address, or a handle like corpus://cache/0123456789abcdef"
QUERY = {
    "query": "what to look for, in plain words",
    "max_results": "how many at most",
    "limit": "how many at most",
}
SECTION = {
    "section_id": "id or title of a section",
    "section_ref": "handle of a section (corpus://cache/<id>#section=<section-id>); it wins over "
    "section_id",
}

TOOLS: tuple[Tool, ...] = (
    Tool(
        academic_search,
        "Search scholarly works. Gives address, DOI, year, "
        "citations, open copy and abstract of each.",
        READ,
        QUERY,
        ("scholar_search", "search_academic"),
        "Use it for anything that has been studied.",
    ),
    Tool(
        web_search,
        "Search the web. Gives address, date and extract of each page.",
        READ,
        QUERY
        | {
            "search_type": "what to look for",
            "enable_content_extraction": "read the first three pages and give how their text "
            "begins",
        },
        ("internet_search",),
        "Use it for what is new or outside research; open a page before relying on its extract.",
    ),
    Tool(
        web_image_search,
        "Search images on the web, with the pages they are on.",
        READ,
        QUERY,
        ("image_search",),
    ),
    Tool(
        get_newsroom_headlines,
        "Headlines of the newsroom: outlet, date, address, tags.",
        READ,
        QUERY | {"query": "words to look for; the newest without", "days_back": "how far back"},
        ("newsroom", "get_headlines"),
    ),
    Tool(
        extract_links,
        "Fetch a page, keep its text, and list its links, those that fit the query first.",
        READ,
        {
            "url": "address of the page",
            "query": "what the links should be about",
            "max_links": "how many at most",
        },
    ),
    Tool(
        get_link_summaries,
        "A few sentences on each of up to ten pages, with a handle for reading on.",
        READ,
        {"urls": "addresses or handles", "query": "what is wanted of them"},
    ),
    Tool(
        get_relevant_content,
        "The passages that answer a query, from addresses, handles or a section; otherwise from "
        "the user's documents.",
        READ,
        QUERY | SECTION | {"sources": _HANDLE, "max_passages": "how many at most"},
        guideline="Quote from these passages, not from summaries.",
    ),
    Tool(
        get_full_content,
        "The whole text of a page or a stored text, in numbered pages.",
        READ,
        {"source": _HANDLE, "page": "which page of the text, from 1"},
        ("get_content",),
    ),
    Tool(
        list_sections,
        "The sections of a stored text: title, length, handle.",
        READ,
        {"source": "a corpus:// handle"},
    ),
    Tool(
        summarize_section,
        "A longer summary of one section of a stored text.",
        READ,
        SECTION | {"source": "a corpus:// handle"},
    ),
    Tool(
        search_documents,
        "Passages of the user's own documents that match a query; "
        "without a query a list of the documents.",
        READ,
        QUERY,
        ("search_library",),
    ),
    Tool(
        save_finding,
        "Keep a note, with where it comes from and tags, for this session.",
        READ,
        {
            "text": "the note",
            "source": "address, DOI or handle it comes from",
            "tags": "a few words",
        },
        ("remember",),
    ),
    Tool(
        query_research_memory,
        "Earlier findings: notes of this session, and verified claims of all finished reports.",
        READ,
        QUERY | {"all_sessions": "also notes of other sessions"},
        ("recall",),
        "Use it first: the question may have been answered before.",
    ),
    Tool(
        search_history,
        "Past reports that match a query, or the newest ones.",
        READ,
        QUERY,
        ("list_researches",),
    ),
    Tool(
        get_research,
        "A finished report with citations.",
        READ,
        {"research_id": "its id"},
        ("show_research",),
    ),
    Tool(
        export_research,
        "A finished report as text in another format.",
        READ,
        {
            "research_id": "its id",
            "format": f"{', '.join(TEXT_FORMATS[:-1])} or {TEXT_FORMATS[-1]}",
        },
    ),
    Tool(research_status, "The progress of a report.", READ, {"research_id": "its id"}),
    Tool(
        deep_research,
        "Research a question to the end: sources searched and read, claims checked against each "
        "other, a cited report.",
        RESEARCH,
        {"query": "the question", "max_depth": "1 quick, 2 balanced, 3 thorough"},
        ("research",),
        "It takes minutes; for one fact a search is enough.",
    ),
    Tool(
        start_research,
        "Start such a research in the background; research_status and "
        "get_research give its state and report.",
        RESEARCH,
        {"query": "the question", "max_depth": "1 quick, 2 balanced, 3 thorough"},
    ),
    Tool(use_nehanda, "Ask the policy documents.", READ, QUERY, ("nehanda",), specialist=True),
    Tool(
        use_reasoning_model,
        "Ask the reasoning model. It searches nothing.",
        HOST,
        {"prompt": "the question with all it needs to know"},
        ("reason", "use_reasoning"),
        specialist=True,
    ),
    Tool(
        use_search_model,
        "Ask the search model. Nothing in its answer is checked.",
        HOST,
        QUERY,
        ("search",),
        specialist=True,
    ),
    Tool(
        use_intent_detector,
        "What a line asks for, according to a model.",
        HOST,
        {"line": "the line as typed"},
        ("detect_intent",),
        specialist=True,
    ),
    Tool(
        use_coding_agent,
        "Ask the coding model for code.",
        HOST,
        {"request": "what to write", "context": "files or errors it should see"},
        ("use_codestral", "code"),
        specialist=True,
    ),
    Tool(
        generate_image,
        "Make a picture.",
        HOST,
        {"prompt": "what it shows", "size": "width x height in pixels"},
        ("draw",),
        specialist=True,
    ),
    Tool(
        analyze_image,
        "Describe a picture in the working directory.",
        HOST,
        {"path": "the file", "question": "what is wanted of it"},
        ("analyse_image",),
        specialist=True,
    ),
    Tool(
        read_file,
        "Read a text file of the working directory, with line numbers.",
        HOST,
        {
            "path": "path from the working directory",
            "start": "first line",
            "lines": "how many lines",
        },
        ("cat", "open_file"),
        "Read a file before editing it.",
    ),
    Tool(
        write_file,
        "Make a file with this content, or replace one that was read.",
        HOST,
        {"path": "path from the working directory", "content": "all of the file"},
        guideline="To change part of a file, use edit_file.",
    ),
    Tool(
        edit_file,
        "Replace a text that occurs exactly once in a file that was read.",
        HOST,
        {
            "path": "path from the working directory",
            "old": "the text as it stands there, with enough lines to be unique",
            "new": "the text that takes its place",
            "replace_all": "replace it wherever it stands",
        },
    ),
    Tool(
        make_directory,
        "Make a folder.",
        HOST,
        {"path": "path from the working directory"},
        ("mkdir",),
    ),
    Tool(
        list_files,
        "List a folder of the working directory.",
        HOST,
        {"path": "the folder", "pattern": "like *.py", "recursive": "with everything below"},
        ("ls",),
    ),
    Tool(
        get_working_directory,
        "The working directory for files and programs.",
        HOST,
        aliases=("pwd",),
    ),
    Tool(
        run_shell,
        "Run one program that changes nothing (ls, grep, find, git log ...), without a shell.",
        HOST,
        {
            "command": "one program with its arguments; no pipes, no redirection",
            "timeout": "seconds",
        },
        ("bash", "shell"),
    ),
    Tool(
        apply_patch,
        "Apply a unified diff to files that were read: all of "
        "it, or nothing when a line does not fit.",
        HOST,
        {"patch": "the diff, with exact context"},
        ("patch",),
    ),
)

TOOL_FUNCTIONS: dict[str, Callable[..., str]] = {tool.name: tool.function for tool in TOOLS}
TOOL_ALIASES: dict[str, str] = {alias: tool.name for tool in TOOLS for alias in tool.aliases}
TOOLS_DEFINITION: list[dict[str, Any]] = [
    {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": tool.schema},
    }
    for tool in TOOLS
]
SPECIALIST_TOOLS: tuple[str, ...] = tuple(tool.name for tool in TOOLS if tool.specialist)


def find_tool(name: str) -> Tool:
    """The tool of a name or an alias. NotFound names the nearest."""
    for tool in TOOLS:
        if tool.name == TOOL_ALIASES.get(name, name):
            return tool
    import difflib

    near = difflib.get_close_matches(name, [*TOOL_FUNCTIONS, *TOOL_ALIASES], n=1)
    raise NotFound(f"There is no tool {name[:60]!r}.{f' Did you mean {near[0]}?' if near else ''}")
