"""The lower half of a report in the terminal: its sources with their credibility, and the quality
table."""

from collections.abc import Sequence, Set
from urllib.parse import urlsplit

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from engine.models import ResearchState, Source
from engine.reports import figures
from engine.reports.report_document import used_sources
from ui.terminal.render.links import linked
from ui.terminal.render.plain import address, plain, shorten

AUTHORS = 3
AUTHORITIES = 10
CITED = 10  # sources that are listed below a report
LISTED = 20  # sources of one short list


def sources(
    state: ResearchState, width: int, with_links: bool = False, everything: bool = False
) -> list[RenderableType]:
    """The cited sources; everything: without an end, and also those that were only read or found,
    or set aside."""
    used_ids = used_sources(state)
    rows = listed(state, used_ids, width, with_links, None if everything else CITED)
    if everything:
        texts = {snapshot.source_id for snapshot in state.snapshots}
        others: dict[str, list[Source]] = {
            "Read but not cited": [],
            "Found but not read": [],
            "Set aside": [],
        }
        for source in state.sources:
            if source.source_id not in used_ids:
                heading = (
                    "Read but not cited" if source.source_id in texts else "Found but not read"
                )
                others["Set aside" if source.rejected else heading].append(source)
        for heading, group in others.items():
            rows += [_heading(heading), _short(group, width)] if group else []
    return rows


def listed(
    state: ResearchState,
    used_ids: Set[str],
    width: int,
    with_links: bool = False,
    limit: int | None = None,
) -> list[RenderableType]:
    """The sources with these ids, in the order of their tags."""
    used_list = sorted(
        (source for source in state.sources if source.source_id in used_ids), key=figures.by_tag
    )
    if not used_list:
        return []
    rows: list[RenderableType] = [
        _heading("Sources"),
        _entries(used_list[:limit], width, with_links),
    ]
    if limit is not None and len(used_list) > limit:
        rows.append(
            Text(
                f"{len(used_list) - limit} more: zorora show {plain(state.research_id)} --all",
                style="dim",
            )
        )
    return rows


def apparatus(state: ResearchState) -> list[RenderableType]:
    """How it was researched: what weighs most, what could not be verified, the quality table."""
    used_ids = used_sources(state)
    ranked = state.get_authoritative_sources(len(state.sources))
    tags = [
        plain(source.tag or "-")
        for source in ranked
        if source.source_id in used_ids and not source.is_local
    ]
    rows: list[RenderableType] = []
    if len(tags) > 1:
        words = (
            "\nMost authoritative, by credibility and by how often the others cite them: "
            f"{', '.join(tags[:AUTHORITIES])}."
        )
        rows.append(Text(words, style="dim"))
    return [*rows, *_unverified(state), *quality(state)]


def _unverified(state: ResearchState) -> list[RenderableType]:
    claims = [claim for claim in state.claims if not claim.verified]
    lines = [
        Text(
            f"- {plain(claim.text)} "
            f"({plain(claim.differs).rstrip('.') or 'no passage supports it'})"
        )
        for claim in claims
    ]
    return [_heading("What could not be verified"), *lines] if claims else []


def byline(source: Source) -> str:
    """Authors, venue or site, date; plain text."""
    names = [plain(name) for name in source.authors[:AUTHORS]]
    more = " and others" if len(source.authors) > AUTHORS else ""
    place = plain(source.venue or site(source.url) or ("your document" if source.is_local else ""))
    parts = [", ".join(names) + more if names else "", place, plain(source.published or "")]
    return ". ".join(part for part in parts if part)


def quality(state: ResearchState) -> list[RenderableType]:
    """The quality table."""
    table = Table.grid(padding=(0, 3, 0, 0))
    for label, value in figures.quality(state):
        table.add_row(Text(label, style="dim"), Text(plain(value)))
    return [_heading("Quality"), table]


def _heading(text: str) -> RenderableType:
    return Text(f"\n{text}", style="bold cyan")


def _entries(sources: Sequence[Source], width: int, with_links: bool) -> RenderableType:
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=4)
    grid.add_column(width=width - 5, overflow="fold")
    for source in sources:
        grid.add_row(Text(plain(source.tag or ""), style="cyan"), _entry(source, with_links))
    return grid


def _entry(source: Source, with_links: bool) -> Text:
    """A source: a document of the user's in a line, others with their credibility and its
    derivation."""
    body = Text(plain(source.title) or "(no title)")
    if source.is_local:
        facts = (plain(figures.file_name(source)), plain(source.published or "")[:10])
        fact_line = ", ".join(fact for fact in facts if fact and fact != body.plain)
        return body.append(f"  {fact_line}" if fact_line else "", style="dim")
    body.append(f"  {_score(source)}", style="bold")
    url = address(source.url)
    for line in (byline(source), url, _why(source), *_marks(source)):
        style = linked(url, "dim", with_links) if line == url else "dim"
        body.append(f"\n{line}" if line else "", style=style)
    return body


def _short(sources: Sequence[Source], width: int) -> RenderableType:
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=4)
    grid.add_column(width=width - 5)
    for source in sources[:LISTED]:
        reason = plain(source.rejected or "")
        is_local = source.is_local
        body = Text(
            shorten(plain(source.title) or "(no title)", 120)
            + ("" if is_local else f", {_score(source)}")
        )
        place = plain(figures.file_name(source)) if is_local else site(source.url)
        body.append(f"  {place}" if place else "", style="dim")
        body.append(f"\n{reason}" if reason else "", style="dim")
        grid.add_row(Text("-", style="dim"), body)
    if len(sources) > LISTED:
        grid.add_row(
            "",
            Text(
                f"and {len(sources) - LISTED} more; the page and --json have them all", style="dim"
            ),
        )
    return grid


def _why(source: Source) -> str:
    """The derivation of the score, and that the work may be outdated where it is old for its
    field."""
    if not source.credibility:
        return ""
    note = str(source.credibility.detail.get("outdated") or "")
    return plain(
        ". ".join(part.rstrip(".") for part in (source.credibility.breakdown, note) if part)
    )


def _marks(source: Source) -> list[str]:
    return [
        plain(
            " ".join(
                part
                for part in (mark.kind.upper(), f"({mark.by})", mark.date or "", mark.reason or "")
                if part
            )
        )
        for mark in source.marks
    ]


def _score(source: Source) -> str:
    return figures.rating_words(figures.rating_of(source)) or "-"


def site(url: str) -> str:
    """The host of an address, safe to show."""
    return plain(urlsplit(url).hostname or "") if address(url) else ""
