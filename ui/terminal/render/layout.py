"""Building blocks of a report in the terminal: running text with tags of sources, headings, hanging
paragraphs.

Everything that comes from outside passes `plain`; rich never sees markup (Text objects only).
"""

from collections.abc import Iterable, Sequence

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from engine.models import ResearchState, Sentence
from engine.reports.report_document import shown_tag
from ui.terminal.render import links
from ui.terminal.render.plain import plain

MEASURE = 84  # columns of running text: 65 to 84 characters read best
INDENT = 2  # of passages, so that they stand apart from the program's own words

Marks = Sequence[tuple[int, int]]


class Page:
    """Collects the parts of one report, top to bottom.

    width: columns of the terminal, None for no line breaks (a pipe). links: the terminal opens
    links on a click.
    """

    def __init__(self, state: ResearchState, width: int | None, with_links: bool = False) -> None:
        self.state, self.width, self.links = state, width, with_links
        self.text_width = min(width, MEASURE) if width else None
        self.by_id = {source.source_id: source for source in state.sources}
        self.parts: list[RenderableType] = []

    def add(self, text: Text, indent: int = 0) -> None:
        """A paragraph."""
        right = (self.width or 0) - (self.text_width or 0)
        self.parts.append(
            Padding(text, (0, right, 0, indent), expand=False) if indent or right else text
        )

    def gap(self) -> None:
        """An empty line, except at the top."""
        if self.parts:
            self.parts.append(Text(""))

    def heading(self, text: str) -> None:
        """A section heading with an empty line above."""
        self.gap()
        self.add(Text(plain(text), style="bold cyan"))

    def line(self, text: str, style: str = "", indent: int = 0) -> None:
        """A line, or several."""
        self.add(Text(plain(text, lines=True), style=style), indent)

    def paragraph(self, sentences: Sequence[Sentence]) -> Text:
        """Sentences with their tags and indicators as one running text."""
        paragraph = Text()
        for sentence in sentences:
            paragraph.append(" " if paragraph.plain else "").append(plain(sentence.text))
            self.cite(
                paragraph, [(citation.tag, citation.source_id) for citation in sentence.citations]
            )
            if sentence.indicator:
                paragraph.append(f" {plain(sentence.indicator)}", style="dim")
        return paragraph

    def cite(self, text: Text, citations: Iterable[tuple[str | None, str]]) -> None:
        """Append the tags of sources, each a link to its address where the terminal takes links."""
        tags = {plain(shown_tag(tag)): source_id for tag, source_id in citations if tag}
        for number, (tag, source_id) in enumerate(tags.items()):
            source = self.by_id.get(source_id)
            text.append("," if number else " [" if text.plain else "[", style="cyan")
            text.append(tag, style=links.linked(source.url if source else "", "cyan", self.links))
        text.append("]" if tags else "", style="cyan")

    def hanging(self, mark: str, text: Text, indent: int = 0) -> None:
        """A paragraph with a mark hanging left of it."""
        if self.text_width is None:
            self.add(Text.assemble(f"{mark} ", text), indent)
            return
        grid = Table.grid(padding=(0, 1, 0, 0))
        grid.add_column(width=len(mark))
        grid.add_column(width=max(8, self.text_width - indent - len(mark) - 2), overflow="fold")
        grid.add_row(Text(mark, style="cyan"), text)
        self.parts.append(_moved(grid, indent))

    def table(
        self, columns: Sequence[str], rows: Sequence[Sequence[Text]], indent: int = 0
    ) -> None:
        """Columns where they have room to be read, else one paragraph a cell, each with the name of
        its column."""
        names = [plain(name) for name in columns]
        if self.width is None or _side_by_side(names, rows, self.width - indent):
            grid = Table(
                box=None,
                show_header=any(names),
                pad_edge=False,
                padding=(0, 3, 0, 0),
                header_style="dim",
            )
            for name in names:
                grid.add_column(Text(name), overflow="fold")
            for row in rows:
                grid.add_row(*row)
            self.parts.append(_moved(grid, indent))
            return
        for number, row in enumerate(rows):
            if number:
                self.gap()
            for name, cell in zip(names, row, strict=False):
                if cell.plain:
                    self.add(Text.assemble((f"{name}: " if name else "", "dim"), cell), indent)


def marked(text: str, marks: Marks, lines: bool = False) -> Text:
    """Text from outside with the marked spans in bold."""
    result, at = Text(), 0
    for start, end in sorted(marks):
        start = max(start, at)
        if start < end:
            result.append(_safe(text[at:start], lines)).append(
                _safe(text[start:end], lines), style="bold"
            )
            at = end
    result.append(_safe(text[at:], lines))
    return result


def _safe(text: str, lines: bool) -> str:
    """Like plain, keeping the spaces at both ends: the text goes on in the next run."""
    if lines:
        return plain(text, lines=True)
    body = plain(text)
    if not body:
        return " " if text[:1].isspace() else ""
    return (" " if text[:1].isspace() else "") + body + (" " if text[-1:].isspace() else "")


def _moved(thing: RenderableType, indent: int) -> RenderableType:
    return Padding(thing, (0, 0, 0, indent), expand=False) if indent else thing


COLUMN = 12  # columns of text that a column of a table needs at least


def _side_by_side(names: Sequence[str], rows: Sequence[Sequence[Text]], width: int) -> bool:
    """Whether the cells can stand in columns without being broken into strips."""
    needed = 0
    for at, name in enumerate(names):
        longest = max([len(name), *(row[at].cell_len for row in rows if at < len(row))])
        needed += min(longest, 2 * COLUMN) + 2
    return bool(names) and needed <= width and all(len(row) == len(names) for row in rows)
