"""Tools that look, ask and remember, as models see them: their signatures. The work is done in
tools/research, tools/shelf and tools/models; the engine hands in what they work with."""

from pathlib import Path
from typing import TYPE_CHECKING

from tools.errors import ConfigError, ModelError, NotFound
from tools.toolset.context import Memory, Researches, current, need

if TYPE_CHECKING:
    from tools.shelf.shelf import Shelf
    from tools.shelf.telling import Summary
    from tools.sources.combined import Desk

INTENTS = Path(__file__).with_name("intent.txt")


def _desk() -> "Desk":
    return need(current().desk, "Source clients")


def academic_search(query: str, max_results: int = 10) -> str:
    """Scholarly works: address, DOI, year and citations, open copy, abstract."""
    from tools.research import academic_search as beneath

    return beneath.academic_search(query, max_results, desk=_desk())


def web_search(
    query: str,
    max_results: int | None = None,
    search_type: str = "general",
    enable_content_extraction: bool = False,
) -> str:
    """Web pages, news, scholarly works or images, by search_type."""
    from tools.research import web_search as beneath

    return beneath.web_search(
        query, max_results, search_type, enable_content_extraction, desk=_desk()
    )


def web_image_search(query: str, max_results: int = 10) -> str:
    """Images on the web with the pages they are on."""
    return web_search(query, max_results, "images")


def get_newsroom_headlines(
    query: str | None = None, days_back: int = 90, max_results: int = 25
) -> str:
    """Headlines of the newsroom and of the feeds; without a query the newest."""
    from tools.research import newsroom as beneath

    return beneath.get_newsroom_headlines(query, days_back, max_results, desk=_desk())


def _shelf() -> "Shelf":
    return need(current().shelf, "Stored texts")


def _summary() -> "Summary":
    from tools.shelf import telling

    context = current()
    return telling.summariser(context.models() if context.models else None, context.check)


def extract_links(url: str, query: str | None = None, max_links: int = 20) -> str:
    """The links of a page, ranked by the query; the page is kept."""
    from tools.shelf import telling

    return telling.extract_links(_shelf(), url, query, max_links)


def get_link_summaries(urls: list[str], query: str | None = None) -> str:
    """A few sentences on each of up to ten pages."""
    from tools.shelf import telling

    return telling.get_link_summaries(_shelf(), urls, query, _summary())


def get_relevant_content(
    query: str,
    sources: list[str] | None = None,
    section_id: str | None = None,
    section_ref: str | None = None,
    max_passages: int = 6,
) -> str:
    """The best passages for a query out of addresses, handles or a section; without any, out of the
    documents."""
    from tools.shelf import telling

    return telling.get_relevant_content(
        _shelf(), query, sources or [], section_id, section_ref, max_passages
    )


def get_full_content(source: str, page: int = 1) -> str:
    """The whole text of an address or a handle, in pages."""
    from tools.shelf import telling

    return telling.get_full_content(_shelf(), source, page)


def list_sections(source: str) -> str:
    """The sections of a stored text."""
    from tools.shelf import telling

    return telling.list_sections(_shelf(), source)


def summarize_section(
    source: str = "", section_id: str | None = None, section_ref: str | None = None
) -> str:
    """What one section says, at some length."""
    from tools.shelf import telling

    return telling.summarize_section(_shelf(), source, section_id, section_ref, _summary())


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


def _ask(role: str, text: str, system: str = "") -> str:
    from tools.models.model import Message, Request

    context = current()
    models = context.models() if context.models else None
    if models is None or not models.has(role):
        raise ModelError(
            f"No model is configured for {role}. Choose one with `zorora models`.", "absent"
        )
    messages = (*((Message("system", system),) if system else ()), Message("user", text))
    return models.ask(role, Request(messages), check_cancelled=context.check).text.strip()


def use_reasoning_model(prompt: str) -> str:
    """The reasoning model's answer. It searches nothing."""
    return _ask("reasoning", prompt)


def use_coding_agent(request: str, context: str = "") -> str:
    """The coding model's answer; context: files or errors it should see."""
    from tools.models.prompts import RULE, fence

    task = f"{request}\n\n{fence(context, 'context')}" if context else request
    return _ask(
        "codestral", task, f"You write code. Answer with the code and nothing around it. {RULE}"
    )


def use_search_model(query: str) -> str:
    """The search model's answer, as it stands: nothing in it is checked."""
    return _ask("search", query)


def use_intent_detector(line: str) -> str:
    """What a line at the prompt asks for, in the opinion of a model. The router itself asks
    none."""
    from tools.models.prompts import fence, load

    prompt = load(INTENTS)
    return _ask(
        "intent_detector", prompt.messages(line=fence(line, "line"))[-1].text, prompt.system
    )


def use_nehanda(query: str) -> str:
    """Policy documents: the configured endpoint, or the user's own documents."""
    ask = current().policy
    if ask is None:
        raise ConfigError(
            "Policy documents cannot be asked here: call the tool through "
            "ResearchEngine.tools.call."
        )
    return ask(query)


def analyze_image(path: str, question: str = "") -> str:
    """What a picture in the working directory shows."""
    from tools.models import images
    from tools.toolset.working import _place

    context = current()
    place = _place()
    place.check_secret(path, "Read")
    data = place.read(path).data
    models = context.models() if context.models else None
    if models is None:
        raise ModelError(
            "No model is configured for vision. Choose one with `zorora models`.", "absent"
        )
    return images.analyze_image(models, data, question, check_cancelled=context.check).text.strip()


def generate_image(prompt: str, size: str = "1024x1024") -> str:
    """Make a picture; the name of the file it is in."""
    draw = current().picture
    if draw is None:
        raise NotFound("Pictures are made at the prompt only; choose a model with `zorora models`.")
    return draw(prompt, size)
