"""Tools for the memory and for whole researches. The engine hands in what they work with."""

from tools.toolset.context import Memory, Researches, current, need


def _memory() -> Memory:
    return need(current().memory, "The research memory")


def _researches() -> Researches:
    return need(current().researches, "Past reports")


def save_finding(text: str, source: str = "", tags: list[str] | None = None) -> str:
    """Keep a note of this session."""
    return _memory().save(text, source, tags or [])


def query_research_memory(query: str, limit: int = 10, all_sessions: bool = False) -> str:
    """Notes of this session and verified claims of all researches that fit a query."""
    return _memory().recall(query, limit, all_sessions)


def deep_research(query: str, max_depth: int = 2) -> str:
    """A whole research, to its end; the cited report."""
    return _researches().deep(query, max_depth)


def start_research(query: str, max_depth: int = 2) -> str:
    """Begin a research in the background; its id."""
    return _researches().start(query, max_depth)


def research_status(research_id: str) -> str:
    """The progress of a report."""
    return _researches().status(research_id)


def search_history(query: str = "", limit: int = 10) -> str:
    """Past reports that match a query; without a query the newest."""
    return _researches().past(query, limit)


def get_research(research_id: str) -> str:
    """The report of a finished research with its sources."""
    return _researches().report(research_id)


def export_research(research_id: str, format: str = "md") -> str:
    """A research in one of the text formats."""
    return _researches().export(research_id, format)


def search_documents(query: str = "", limit: int = 10) -> str:
    """Passages of the user's documents; without a query their list."""
    return _researches().documents(query, limit)
