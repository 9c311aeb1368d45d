"""The lower half of a report in the terminal: its sources with their credibility, and the quality table."""

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from engine import figures
from ui.terminal.links import linked
from ui.terminal.plain import address, plain, shorten

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from engine.models import ResearchState, Source

AUTHORS = 3
AUTHORITIES = 10
LISTED = 20  # sources of one short list


def margin(sources: "Sequence[Source]") -> "Text":
    """Sidenotes: which works a paragraph stands on, each with its credibility."""
    from rich.text import Text

    text = Text(style="dim")
    for source in sources:
        text.append("\n" if text.plain else "")
        text.append(f"{plain(source.tag or '-')} ", style="cyan")
        text.append(f"{shorten(plain(source.title), 100)}, {_score(source)}")
    return text


def sources(state: "ResearchState", width: int, with_links: bool = False) -> "list[RenderableType]":
    """All sources: the cited ones with breakdown, others in one line each, rejected ones with the reason."""
    sentences = state.report.sentences() if state.report else ()
    cited = {citation.source_id for sentence in sentences for citation in sentence.citations}
    used = [source for source in state.sources if source.source_id in cited]
    unused = [source for source in state.sources if source.source_id not in cited and not source.rejected]
    rejected = [source for source in state.sources if source.rejected and source.source_id not in cited]
    made: list[RenderableType] = []
    if used:
        made += [_heading("Sources"), _entries(sorted(used, key=_number), width, with_links), _weightiest(state, cited)]
    texts = {snapshot.source_id for snapshot in state.snapshots}
    for heading, read in (("Read but not used", True), ("Found but not read", False)):
        if listed := [source for source in unused if (source.source_id in texts) is read]:
            made += [_heading(heading), _short(listed, width)]
    if rejected:
        made += [_heading("Set aside"), _short(rejected, width)]
    return made


def _weightiest(state: "ResearchState", cited: set[str]) -> "RenderableType":
    from rich.text import Text

    ranked = [source for source in state.get_authoritative_sources(len(state.sources)) if source.source_id in cited]
    tags = ", ".join(plain(source.tag or "-") for source in ranked[:AUTHORITIES])
    return Text(f"Most authoritative, by credibility and by how often the others cite them: {tags}.", style="dim")


def byline(source: "Source") -> str:
    """Authors, venue or site, date; plain text."""
    names = [plain(name) for name in source.authors[:AUTHORS]]
    more = " and others" if len(source.authors) > AUTHORS else ""
    place = plain(source.venue or _site(source.url) or ("your document" if source.source_type == "local" else ""))
    parts = [", ".join(names) + more if names else "", place, plain(source.published or "")]
    return ". ".join(part for part in parts if part)


def quality(state: "ResearchState") -> "list[RenderableType]":
    """The quality table."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 3, 0, 0))
    for label, value in figures.quality(state):
        table.add_row(Text(label, style="dim"), Text(plain(value)))
    return [_heading("Quality"), table]


def _heading(text: str) -> "RenderableType":
    from rich.text import Text

    return Text(f"\n{text}", style="bold cyan")


def _entries(sources: "Sequence[Source]", width: int, with_links: bool) -> "RenderableType":
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=4)
    grid.add_column(width=width - 5)
    for source in sources:
        body = Text(plain(source.title) or "(no title)")
        body.append(f"  {_score(source)}", style="bold")
        url = address(source.url)
        for line in (byline(source), url, _why(source), *_marks(source)):
            style = linked(url, "dim", with_links) if line == url else "dim"
            body.append(f"\n{line}" if line else "", style=style)
        grid.add_row(Text(plain(source.tag or ""), style="cyan"), body)
    return grid


def _short(sources: "Sequence[Source]", width: int) -> "RenderableType":
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=4)
    grid.add_column(width=width - 5)
    for source in sources[:LISTED]:
        reason = plain(source.rejected or "")
        site = _site(source.url)
        body = Text(f"{shorten(plain(source.title) or '(no title)', 120)}, {_score(source)}")
        body.append(f" {site}" if site else "", style="dim")
        body.append(f"\n{reason}" if reason else "", style="dim")
        grid.add_row(Text("-", style="dim"), body)
    if len(sources) > LISTED:
        grid.add_row("", Text(f"and {len(sources) - LISTED} more; the page and --json have them all", style="dim"))
    return grid


def _why(source: "Source") -> str:
    """The derivation of the score, and that the work may be outdated where it is old for its field."""
    if not source.credibility:
        return ""
    note = str(source.credibility.detail.get("outdated") or "")
    return plain(". ".join(part.rstrip(".") for part in (source.credibility.breakdown, note) if part))


def _marks(source: "Source") -> list[str]:
    return [
        plain(
            " ".join(part for part in (mark.kind.upper(), f"({mark.by})", mark.date or "", mark.reason or "") if part)
        )
        for mark in source.marks
    ]


def _score(source: "Source") -> str:
    return figures.hundredths(source.credibility.score) if source.credibility else "-"


def _site(url: str) -> str:
    return plain(urlsplit(url).hostname or "") if address(url) else ""


def _number(source: "Source") -> tuple[int, str]:
    digits = "".join(letter for letter in source.tag or "" if letter.isascii() and letter.isdigit())
    return (int(digits[:9]) if digits else 0, source.source_id)
