"""A finished research as text for a terminal. Wide terminals get a margin with the sources of each paragraph.

Everything that comes from outside passes `plain`; rich never sees markup (Text objects only).
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from engine.figures import hundredths
from ui.terminal import links, render_sources
from ui.terminal.plain import plain
from ui.terminal.render_sources import LISTED
from ui.terminal.screen import Screen

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from engine.models import Claim, Report, ResearchState, Sentence, Source, Table

MEASURE = 84  # columns of running text: 65 to 84 characters read best
MARGIN_FROM = 124  # from this width on, sources stand beside the text
COLUMN = 24  # columns of text that a column of a table needs at least
NOTES_ABOVE = 3  # remarks that stand under the title; more of them go to the end
GLYPHS = {
    "✓✓": "cross-validated: independent sources agree, confidence 0.80 or more",
    "✓": "verified, confidence 0.60 or more",
    "⚠": "below 0.60, or contested",
}
STATUS = {
    "partial": "This research ended early",
    "cancelled": "This research was cancelled",
    "failed": "This research failed",
}


def show(screen: Screen, state: "ResearchState") -> None:
    """The report with its sources and figures."""
    console = screen.console()
    screen.show(parts(state, console.width, links.taken(console)))


def parts(state: "ResearchState", width: int, with_links: bool = False) -> "list[RenderableType]":
    """The report as renderables, top to bottom, for a terminal of this width. with_links: of the kind one clicks."""
    from engine.models import Report

    page = Page(state, width, with_links)
    report = state.report or Report(title=state.original_query)
    page.title(report.title or state.original_query)
    page.notices()
    page.sentences(report.summary)
    _verdict(page, report)
    _findings(page)
    for table in report.tables:
        _table(page, table)
    for section in report.sections:
        page.heading(section.heading, f"confidence {hundredths(section.confidence)}" if section.confidence else "")
        page.sentences(section.sentences)
    _senses(page, report)
    _disagreements(page, report)
    page.bullets("What stayed open", report.open)
    page.bullets("What could not be verified", _unverified(state))
    page.bullets("Notes", report.notes[NOTES_ABOVE:])
    page.parts += render_sources.sources(state, page.text_width, with_links)
    page.parts += render_sources.quality(state)
    _legend(page, report)
    return page.parts


class Page:
    """Collects the parts of one report. `tags` names each source as the text cites it."""

    def __init__(self, state: "ResearchState", width: int, with_links: bool = False) -> None:
        self.state, self.width, self.links = state, width, with_links
        self.text_width = min(width, MEASURE)
        self.by_id = {source.source_id: source for source in state.sources}
        self.parts: list[RenderableType] = []

    def title(self, text: str) -> None:
        """The title of the report."""
        from rich.text import Text

        self.parts.append(self._column(Text(plain(text), style="bold")))

    def heading(self, text: str, aside: str = "") -> None:
        """A section heading with an empty line above."""
        from rich.text import Text

        line = Text.assemble((plain(text), "bold cyan"), (f"   {aside}" if aside else "", "dim"))
        self.parts += [Text(""), self._column(line)]

    def notices(self) -> None:
        """What a reader must know before the first sentence."""
        state = self.state
        if state.status in STATUS:
            why = f" ({plain(state.ended_by)})" if state.ended_by else ""
            self.line(f"{STATUS[state.status]}{why}. What follows is what had been found.", "yellow")
        for note in (state.report.notes if state.report else ())[:NOTES_ABOVE]:
            self.line(plain(note), "yellow")

    def line(self, text: str, style: str = "") -> None:
        """A paragraph of our own words."""
        from rich.text import Text

        self.parts += [Text(""), self._column(Text(text, style=style))]

    def sentences(self, sentences: "Sequence[Sentence]") -> None:
        """A paragraph of the report; its sources stand in the margin where there is room."""
        from rich.text import Text

        if not sentences:
            return
        self.parts += [Text(""), self._beside(self.paragraph(sentences), self._notes(sentences))]

    def paragraph(self, sentences: "Sequence[Sentence]") -> "Text":
        """Sentences with their tags and indicators as one running text."""
        from rich.text import Text

        paragraph = Text()
        for sentence in sentences:
            paragraph.append(" " if paragraph.plain else "").append(plain(sentence.text))
            self.cite(paragraph, [(citation.tag, citation.source_id) for citation in sentence.citations])
            if sentence.indicator:
                paragraph.append(f" {plain(sentence.indicator)}", style="dim")
        return paragraph

    def cite(self, text: "Text", cited: Iterable[tuple[str | None, str]]) -> None:
        """Append the tags of sources, each a link to its address where the terminal takes links."""
        tags = {plain(tag): source_id for tag, source_id in cited if tag}
        for number, (tag, source_id) in enumerate(tags.items()):
            source = self.by_id.get(source_id)
            text.append("," if number else " [", style="cyan")
            text.append(tag, style=links.linked(source.url if source else "", "cyan", self.links))
        text.append("]" if tags else "", style="cyan")

    def bullets(self, heading: str, lines: Iterable[str]) -> None:
        """A heading and one hanging paragraph per line."""
        from rich.text import Text

        listed = list(lines)
        if listed:
            self.heading(heading)
            self.parts += [self.hanging("-", Text(plain(line))) for line in listed]

    def hanging(self, mark: str, text: "Text", notes: "Text | None" = None) -> "RenderableType":
        """A paragraph with a mark hanging left of it."""
        from rich.table import Table
        from rich.text import Text

        grid = Table.grid(padding=(0, 1, 0, 0))
        grid.add_column(width=2)
        grid.add_column(width=self.text_width - 4)
        grid.add_row(Text(mark, style="cyan"), text)
        return self._beside(grid, notes)

    def _column(self, text: "Text") -> "RenderableType":
        return self._beside(text, None)

    def _beside(self, body: "RenderableType", notes: "Text | None") -> "RenderableType":
        from rich.table import Table
        from rich.text import Text

        grid = Table.grid(padding=(0, 4, 0, 0))
        grid.add_column(width=self.text_width)
        if self.width < MARGIN_FROM:
            grid.add_row(body)
            return grid
        grid.add_column(width=self.width - self.text_width - 4)
        grid.add_row(body, notes or Text(""))
        return grid

    def _notes(self, sentences: "Sequence[Sentence]") -> "Text | None":
        if self.width < MARGIN_FROM:
            return None
        cited = dict.fromkeys(citation.source_id for sentence in sentences for citation in sentence.citations)
        sources = [self.by_id[source_id] for source_id in cited if source_id in self.by_id]
        return render_sources.margin(sources) if sources else None


def _verdict(page: Page, report: "Report") -> None:
    verdict = report.verdict
    if verdict is None:
        return
    page.heading(
        f"Verdict: {plain(verdict.label)}", f"{_voices(verdict.in_favour)} for, {_voices(verdict.against)} against"
    )
    page.sentences(verdict.sentences)


def _findings(page: Page) -> None:
    from rich.text import Text

    claims = {claim.claim_id: claim for claim in page.state.claims}
    said = page.state.report.key_findings if page.state.report else ()
    findings = {finding.claim_id: finding for finding in page.state.findings}
    chosen = [findings[claim_id] for sentence in said for claim_id in sentence.claim_ids if claim_id in findings]
    if not chosen:
        return
    page.heading("Key findings")
    for finding in chosen:
        claim = claims.get(finding.claim_id)
        body = Text(plain(finding.claim))
        page.cite(body, [(page.by_id[name].tag, name) for name in finding.sources if name in page.by_id])
        voices = _voices(claim.independent_sources) if claim else ""
        facts = [finding.confidence, voices, f"mean credibility {hundredths(finding.average_credibility)}"]
        body.append("\n" + ", ".join(fact for fact in facts if fact), style="dim")
        page.parts.append(page.hanging(claim.indicator if claim else "", body))


def _table(page: Page, table: "Table") -> None:
    """Columns where they have room to be read, else one paragraph a cell, each with the name of its column."""
    from rich import box
    from rich.table import Table as Grid
    from rich.text import Text

    page.heading(table.heading)
    columns = [plain(name) for name in table.columns]
    width = min(page.width, 2 * MEASURE)
    if columns and width // len(columns) >= COLUMN:
        grid = Grid(box=box.SIMPLE_HEAD, width=width, pad_edge=False, header_style="bold", show_lines=True)
        for name in columns:
            grid.add_column(Text(name), overflow="fold", ratio=1)
        for row in table.rows:
            grid.add_row(*(page.paragraph(cell) for cell in row))
        page.parts.append(grid)
        return
    for row in table.rows:
        page.parts.append(Text(""))
        for name, cell in zip(columns, row, strict=False):
            if cell:
                page.line(name, "dim")
                page.parts.append(page.hanging("", page.paragraph(cell)))


def _senses(page: Page, report: "Report") -> None:
    """Different answers, each below the name of what it is about."""
    if report.senses:
        page.heading("Different answers")
    for sense in report.senses:
        if sense.thing:
            page.line(plain(sense.thing), "bold")
        page.sentences(sense.sentences)


def _disagreements(page: Page, report: "Report") -> None:
    contradictions = {item.contradiction_id: item for item in page.state.contradictions}
    claims = {claim.claim_id: claim for claim in page.state.claims}
    shown = [item for item in report.disagreements if item.contradiction_id in contradictions]
    if not shown:
        return
    page.heading("Where sources disagree")
    for item in shown:
        contradiction = contradictions[item.contradiction_id]
        quoted = any(sentence.citations for sentence in item.sentences)  # else the summary has both sides
        for claim_id in (contradiction.claim_a, contradiction.claim_b):
            if quoted and claim_id in claims:
                page.parts.append(page.hanging("|", _side(page, claims[claim_id])))
        page.line(f"{plain(contradiction.nature)}: {plain(contradiction.explanation)}", "dim")
        page.sentences([sentence for sentence in item.sentences if sentence.kind == "narration"])


def _unverified(state: "ResearchState") -> list[str]:
    """Statements that no passage supports, each with what the nearest one lacks; the first of many."""
    left = [claim for claim in state.claims if not claim.verified]
    said = [f"{one.text} ({one.differs.rstrip('.') or 'no passage supports it'})" for one in left[:LISTED]]
    return said + [f"and {len(left) - LISTED} more; the page and --json have them all"] * (len(left) > LISTED)


def _legend(page: Page, report: "Report") -> None:
    used = {sentence.indicator for sentence in report.sentences()}
    shown = [f"{glyph}  {meaning}" for glyph, meaning in GLYPHS.items() if glyph in used]
    if shown:
        page.line("\n".join(shown), "dim")


def _side(page: Page, claim: "Claim") -> "Text":
    from rich.text import Text

    sources: list[Source] = [page.by_id[name] for name in claim.supporting_sources if name in page.by_id]
    text = Text(plain(claim.text))
    page.cite(text, [(source.tag, source.source_id) for source in sources])
    scores = [source.credibility.score for source in sources if source.credibility]
    best = f", best source {hundredths(max(scores))}" if scores else ""
    text.append(f"\n{_voices(claim.independent_sources)}{best}", style="dim")
    return text


def _voices(count: int) -> str:
    return f"{count} voice" if count == 1 else f"{count} voices"
