"""What the corpus tools answer: numbered text over the shelf, with handles to go on with."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from tools.documents.model import Link, Passage
from tools.errors import Cancelled, ModelError, NotFound, Refused, ZororaError
from tools.models.model import Request
from tools.models.prompts import fence, load
from tools.models.roles import Models
from tools.shelf.handles import handle_of, is_handle
from tools.shelf.shelf import Opened, Shelf
from tools.text.digest import digest
from tools.text.phrases import counted
from tools.text.tokens import stems

PAGE = 8000  # characters of one page of a text
MAX_TARGETS = 10
SMALLEST_SECTION = 600  # characters below which a summary would be longer than what it sums up
_AT_ONCE = 4
_SUMMARISED = 24_000  # characters that a model is shown at once
PROMPT = Path(__file__).with_name("summary.txt")

Summary = Callable[[Opened, str, int], str]


def extract_links(shelf: Shelf, url: str, query: str | None = None, max_links: int = 20) -> str:
    """The links of a page, those that fit the query first."""
    page = shelf.open(url)
    links = ranked(page.links, query or "")[: max(1, min(max_links, 200))]
    head = f"{page.title or url}\nHandle: {page.handle}"
    if not links:
        return f"{head}\n\nNo links found on this page. get_full_content shows its text."
    entries = [
        f"{number}. {link.text or link.url}\n   URL: {link.url}"
        for number, link in enumerate(links, 1)
    ]
    return "\n\n".join([head, *entries, f"{len(links)} of {counted(len(page.links), 'link')}."])


def ranked(links: Sequence[Link], query: str) -> list[Link]:
    """Each address once; those whose words fit the query first, then in the order of the page."""
    terms = set(stems(query))
    unique = {link.url: link for link in reversed(links)}
    inorder = [link for at, link in enumerate(links) if unique[link.url] is link]

    def fit(link: Link) -> float:
        words = link.url.translate(str.maketrans("/-_.?=&%+", "         "))
        return 2.0 * len(terms & set(stems(link.text))) + len(terms & set(stems(words)))

    return sorted(inorder, key=lambda link: -fit(link)) if terms else inorder


def get_link_summaries(
    shelf: Shelf, urls: Sequence[str], query: str | None, summary: Summary
) -> str:
    """A few sentences on each page. A page that cannot be read is named with the reason."""
    targets = list(dict.fromkeys(urls))[:MAX_TARGETS]
    if not targets:
        raise NotFound("Name the addresses to sum up.")

    def summarize(url: str) -> str:
        try:
            page = shelf.open(url)
            text = summary(page, query or "", 3)
            return (
                f"{page.title or url}\n   URL: {page.url or url}\n   Handle: {page.handle}\n   "
                f"{text}"
            )
        except Cancelled:
            raise
        except ZororaError as error:
            return f"{url}\n   {error}"

    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="summaries") as pool:
        summaries = list(pool.map(summarize, targets))
    omitted = len(set(urls)) - len(targets)
    more = f" {omitted} more were left out; ask for them separately." if omitted else ""
    entries = [f"{number}. {entry}" for number, entry in enumerate(summaries, 1)]
    return "\n\n".join([*entries, f"{counted(len(targets), 'page')}.{more}"])


def get_relevant_content(
    shelf: Shelf,
    query: str,
    sources: Sequence[str],
    section_id: str | None,
    section_ref: str | None,
    limit: int,
) -> str:
    """The passages that answer a query, in the given texts, or in the user's documents when none is
    given."""
    limit = max(1, min(limit, 30))
    if not sources and not section_ref:
        passages, titles = shelf.own_passages(query, limit)
        return _passages_told(query, passages, titles, {}, [])
    problems: list[str] = []
    opened = _all_opened(shelf, sources, section_id, section_ref, problems)
    passages = shelf.passages(query, limit, opened) if opened else []
    titles = {entry.snapshot_id: entry.title for entry in opened}
    return _passages_told(
        query, passages, titles, {entry.snapshot_id: entry.url for entry in opened}, problems
    )


def _passages_told(
    query: str,
    passages: Sequence[Passage],
    titles: Mapping[str, str],
    urls: Mapping[str, str],
    problems: Sequence[str],
) -> str:
    notes = [f"Note: {problem}" for problem in problems]
    if not passages:
        advice = (
            "Try other words, or other sources."
            if titles
            else "Add documents with `zorora ingest`, or name a URL."
        )
        return "\n".join([f'Nothing found for "{query}". {advice}', *notes])
    entries: list[str] = []
    for number, passage in enumerate(passages, 1):
        url = urls.get(passage.snapshot_id, "")
        lines = [
            f"{number}. {titles[passage.snapshot_id] or url or 'Untitled'}",
            f"   Handle: {handle_of(passage.snapshot_id, passage.section_id)}",
            *([f"   URL: {url}"] if url else []),
            f"   Characters {passage.start}-{passage.end}",
            f"   {' '.join(passage.text.split())}",
        ]
        entries.append("\n".join(lines))
    return "\n\n".join(
        [*entries, "\n".join([f"{counted(len(passages), 'passage')} found.", *notes])]
    )


def _all_opened(
    shelf: Shelf,
    sources: Sequence[str],
    section_id: str | None,
    section_ref: str | None,
    problems: list[str],
) -> list[Opened]:
    opened: list[Opened] = []
    for target in sources[:MAX_TARGETS] if not section_ref else [""]:
        try:
            opened.append(shelf.open(target, section_id, section_ref))
        except Cancelled:
            raise
        except ZororaError as error:
            if isinstance(error, Refused) and len(sources) < 2:
                raise
            problems.append(str(error))
    return opened


def get_full_content(shelf: Shelf, source: str, page: int = 1) -> str:
    """A stored text, a page at a time."""
    opened = shelf.open(source)
    pages = list(page_spans(opened.part))
    if not 1 <= page <= len(pages):
        raise NotFound(
            f"{opened.handle} has {counted(len(pages), 'page')}; there is no page {page}."
        )
    start, end = pages[page - 1]
    head = [opened.title, f"URL: {opened.url}" if opened.url else "", f"Handle: {opened.handle}"]
    count = f"Page {page} of {len(pages)} ({len(opened.part)} characters)."
    return "\n".join([*filter(None, head), count, "", opened.part[start:end].strip("\n")])


def page_spans(text: str) -> list[tuple[int, int]]:
    """Pages of about PAGE characters that end where a paragraph, a line or a word does; together
    the whole text."""
    spans: list[tuple[int, int]] = []
    start = 0
    while len(text) - start > PAGE:
        window = text[start : start + PAGE]
        cut = (
            next(
                (at for mark in ("\n\n", "\n", " ") if (at := window.rfind(mark)) > PAGE // 2),
                PAGE - 1,
            )
            + 1
        )
        spans.append((start, start + cut))
        start += cut
    return [*spans, (start, len(text))]


def list_sections(shelf: Shelf, source: str) -> str:
    """The parts of a stored text: title, length, handle."""
    _only_handles(source)
    opened = shelf.open(source)
    if not opened.sections:
        return f"{opened.title or opened.handle} has no sections. get_full_content shows its text."
    depth = min(section.level for section in opened.sections)
    lines: list[str] = []
    for number, section in enumerate(opened.sections, 1):
        kind = "" if section.kind == "body" else f", {section.kind.replace('_', ' ')}"
        indent = "  " * (section.level - depth)
        lines += [
            f"{number}. {indent}{section.title} ({section.end - section.start} characters{kind})",
            f"   Handle: {handle_of(opened.snapshot_id, section.section_id)}",
        ]
    return "\n".join([opened.title, *lines, f"{counted(len(opened.sections), 'section')}."])


def summarize_section(
    shelf: Shelf, source: str, section_id: str | None, section_ref: str | None, summary: Summary
) -> str:
    """What a section says, at some length. Refused for one too short to sum up."""
    _only_handles(section_ref or source)
    opened = shelf.open(source, section_id, section_ref)
    if opened.section is None:
        raise NotFound(f"Name a section of {opened.handle}; list_sections shows them.")
    if len(opened.part) < SMALLEST_SECTION:
        raise Refused(
            f"The section {opened.section.title!r} has only {len(opened.part)} characters; "
            "read it with get_full_content."
        )
    count = max(4, min(12, len(opened.part) // 1500))
    return (
        f"{opened.title}: {opened.section.title}\nHandle: {opened.handle}\n\n"
        f"{summary(opened, '', count)}"
    )


def _only_handles(target: str) -> None:
    if not is_handle(target):
        raise Refused("Sections are looked up in stored texts only; give a corpus:// handle.")


def summariser(models: Models | None, check: Callable[[], None] | None = None) -> Summary:
    """Sums up with the reasoning model where there is one that may see the text, else with the
    text's own sentences."""

    def summary(opened: Opened, query: str, sentences: int) -> str:
        may_see = models and (not opened.is_private or models.may_see_documents("reasoning"))
        text = ""
        if models and may_see and models.has("reasoning"):
            prompt = load(PROMPT)
            messages = prompt.messages(
                text=fence(opened.part[:_SUMMARISED], opened.title or "text"),
                sentences=str(sentences),
                question=query or "(none)",
            )
            request = Request(messages, prompt=prompt.label, private=opened.is_private)
            with suppress(ModelError):
                text = models.ask("reasoning", request, check_cancelled=check).text.strip()
        if not models or not text:
            return _own_words(opened, query, sentences)
        is_cut = len(opened.part) > _SUMMARISED
        cut = f" (of the first {_SUMMARISED} characters)" if is_cut else ""
        return (
            f"{text}\n   (summed up by {models.name('reasoning')}{cut}; not checked "
            "against the text)"
        )

    return summary


def _own_words(opened: Opened, query: str, sentences: int) -> str:
    text = digest(opened.part, sentences, query)
    return "\n   ".join(text) if text else "It contains no text that can be summarised."
