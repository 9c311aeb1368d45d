"""A finished report as text for a terminal: the blocks of the report document, drawn one after the
other."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from engine.models import BlockKind, ResearchState, Source, Turn
from engine.reports import report_document as doc
from engine.reports.figures import file_name
from ui.terminal.render import links, sources
from ui.terminal.render.layout import INDENT, Page, marked
from ui.terminal.render.plain import plain, shorten
from ui.terminal.screen import Screen

DEEPEST = 5  # level of a list item that is still indented
LEADS = 3  # repeated below a long report
DISAGREEMENTS = 3  # shown of a report
LISTED = 10  # of a list
GLYPHS = {
    "✓✓": "well supported: 3 or more independent sources",
    "✓": "supported: 2 or more independent sources",
    "⚠": "a single source, or disputed",
}
STATUS = {
    "partial": "This report ended early",
    "cancelled": "This report was cancelled",
    "failed": "This report failed",
}


def show(
    screen: Screen, state: ResearchState, everything: bool = False, again: bool = True
) -> None:
    """The report with its sources.

    everything: also how it was researched, and lists without an end. again: the answer once more
    below a long report.
    """
    console = screen.console()
    drawn = parts(state, console.width, links.supports_links(console), everything)
    if again and screen.overflows(drawn):
        drawn += _again(_page(screen, state))
    screen.show(drawn)


def show_again(screen: Screen, state: ResearchState) -> None:
    """The answer in a few lines, after the pager was left."""
    screen.show(_again(_page(screen, state)))


def show_card(screen: Screen, state: ResearchState) -> None:
    """The answer card alone; in a pipe no line is wrapped."""
    page = _page(screen, state)
    blocks = doc.Document(state).answer(state.answer)
    _draw(page, _capped(page, list(doc.linear(blocks)) or doc.Document(state).blocks()))
    if not page.parts:
        page.line("Nothing was found." if blocks else "No report was written.")
    screen.show(page.parts, unbroken=page.width is None)


def show_turns(
    screen: Screen, state: ResearchState, turns: Sequence[Turn], with_questions: bool = True
) -> None:
    """What was asked after the report, with the answers and the sources that they cite."""
    console = screen.console()
    page = Page(state, console.width, links.supports_links(console))
    document = doc.Document(state)
    for turn in turns:
        if with_questions:
            page.heading(f"> {turn.question}")
        _draw(page, document.turn(turn))
    source_ids = {source_id for turn in turns for source_id in doc.used_by_turn(turn)}
    page.parts += sources.listed(state, source_ids, page.text_width or 80, page.links)
    screen.show(page.parts)


def parts(
    state: ResearchState, width: int, with_links: bool = False, everything: bool = False
) -> list[RenderableType]:
    """The report as renderables, top to bottom, for a terminal of this width."""
    page = Page(state, width, with_links)
    _notices(page)
    blocks = doc.document(replace(state, conversation=()))
    _draw(page, blocks if everything else _capped(page, blocks))
    text_width = page.text_width or width
    page.parts += sources.sources(state, text_width, with_links, everything)
    if everything:
        page.parts += sources.apparatus(state)
    _legend(page)
    return page.parts


def _again(page: Page) -> list[RenderableType]:
    """The answer in a few lines, below a report whose beginning has scrolled away."""
    answer = page.state.answer
    if answer is None:
        return []
    reply = doc.reply_of(answer)
    page.parts.append(Text(""))
    page.add(
        Text(plain(reply.text) if reply else "In short", style="bold" if reply else "bold cyan")
    )
    for passage in doc.shown_passages(answer)[:LEADS]:
        text = Text(_lead(passage.lead.text, passage.text))
        page.cite(text, [(passage.tag, passage.source_id)])
        page.hanging("-", text)
    return page.parts


def _lead(lead: str, passage: str) -> str:
    """The lead of a passage, with a mark where it ends within a sentence."""
    after = passage.partition(lead[-30:])[2]
    is_cut = after.startswith(" ") and lead[-1:] not in '.!?:”"'
    return plain(lead) + "…" * is_cut


def _page(screen: Screen, state: ResearchState) -> Page:
    console = screen.console()
    return Page(state, console.width if screen.on_terminal else None, links.supports_links(console))


def _notices(page: Page) -> None:
    """What a reader must know before the answer."""
    state = page.state
    if state.status in STATUS:
        why = f" ({plain(state.ended_by)})" if state.ended_by else ""
        page.line(f"{STATUS[state.status]}{why}. What follows is what had been found.", "yellow")


def _legend(page: Page) -> None:
    report = page.state.report
    glyphs = {sentence.indicator for sentence in report.sentences()} if report else set()
    lines = [f"{glyph}  {meaning}" for glyph, meaning in GLYPHS.items() if glyph in glyphs]
    if lines:
        page.gap()
        page.line("\n".join(lines), "dim")


# --- blocks ---------------------------------------------------------------------------------------


def _draw(page: Page, blocks: Iterable[doc.Block]) -> None:
    for block in blocks:
        _DRAWN[type(block).__name__](page, block)


def _capped(page: Page, blocks: Sequence[doc.Block]) -> list[doc.Block]:
    """The blocks with the first of many disagreements and of a long list."""
    more = f"more: zorora show {page.state.research_id} --all"
    blocks_shown: list[doc.Block] = []
    facing = 0
    for block in blocks:
        if isinstance(block, doc.Facing):
            facing += 1
            if facing > DISAGREEMENTS:
                continue
        if isinstance(block, doc.Bullets) and len(block.items) > LISTED:
            blocks_shown += [
                doc.Bullets(block.items[:LISTED]),
                doc.Remark(f"{len(block.items) - LISTED} {more}"),
            ]
        else:
            blocks_shown.append(block)
    if facing > DISAGREEMENTS:
        last = max(
            place for place, block in enumerate(blocks_shown) if isinstance(block, doc.Facing)
        )
        blocks_shown.insert(last + 1, doc.Remark(f"{facing - DISAGREEMENTS} {more}"))
    return blocks_shown


def _heading(page: Page, block: doc.Heading) -> None:
    page.heading(block.text)


def _remark(page: Page, block: doc.Remark) -> None:
    page.gap()
    page.line(block.text, "yellow")


def _reply(page: Page, block: doc.Reply) -> None:
    page.gap()
    text = Text(plain(block.text), style="bold" if block.settled else "bold yellow")
    page.cite(text, [(citation.tag, citation.source_id) for citation in block.citations])
    page.add(text)


def _paragraph(page: Page, block: doc.Paragraph) -> None:
    page.gap()
    page.add(page.paragraph(block.sentences))


def _quotation(page: Page, block: doc.Quotation) -> None:
    page.gap()
    if block.path:
        page.line(" › ".join(map(plain, block.path)), "cyan")
    _pieces(page, block.pieces)
    _foot(page, block)


def _closest(page: Page, block: doc.Closest) -> None:
    """The leads of the nearest passages: none of them is an answer."""
    page.heading(f"{doc.CLOSEST}:")
    for quotation in block.passages:
        page.hanging("-", Text(_lead(quotation.passage.lead.text, quotation.passage.text)))
        _foot(page, quotation)


def _foot(page: Page, block: doc.Quotation) -> None:
    """Where a passage stands, and what was counted about it."""
    passage = block.passage
    text = Text()
    page.cite(text, [(passage.tag, passage.source_id)])
    strength = plain(passage.strength)
    where = _where(block.source, strength) if block.source else ""
    facts = ", ".join(part for part in (where, strength) if part)
    page.add(text.append(f" {facts}" if facts else "", style="dim"), INDENT)


def _where(source: Source, strength: str) -> str:
    """The file of a document of the user's; else the title, the site and, where the facts have no
    date, the date."""
    if source.is_local:
        return plain(file_name(source))
    published = plain(source.published or "")[:10]
    parts = [
        shorten(plain(source.title), 100),
        plain(source.venue or "") or sources.site(source.url),
        "" if published in strength else published,
    ]
    return ", ".join(part for part in parts if part)


def _card(page: Page, block: doc.Card) -> None:
    page.heading(block.card.title)
    if facts := plain(doc.card_facts(block.card)):
        page.line(facts, "dim")
    for number, quotation in enumerate(block.passages):
        if number:
            page.gap()
        if quotation.headings:
            page.line(" › ".join(map(plain, quotation.headings)), "cyan")
        _pieces(page, quotation.pieces)
        _foot(page, quotation)


def _items(page: Page, block: doc.ItemList) -> None:
    page.gap()
    for item in block.items:
        text = Text(plain(item.text))
        page.cite(text, [(item.tag, item.source_id)])
        page.hanging("-", text)


def _facing(page: Page, block: doc.Facing) -> None:
    page.gap()
    for sentence in block.sides:
        page.hanging("|", page.paragraph((sentence,)))
    if block.why:
        page.line(block.why, "dim", INDENT)


def _bullets(page: Page, block: doc.Bullets) -> None:
    for item in block.items:
        page.hanging("-", page.paragraph(item))


def _grid(page: Page, block: doc.Grid) -> None:
    page.gap()
    page.table(block.columns, [[page.paragraph(cell) for cell in row] for row in block.rows])


_DRAWN: Mapping[str, Callable[[Page, Any], None]] = {
    "Heading": _heading, "Remark": _remark, "Reply": _reply, "Paragraph": _paragraph,
    "Quotation": _quotation, "Card": _card, "Closest": _closest, "ItemList": _items,
    "Facing": _facing, "Bullets": _bullets, "Grid": _grid,
}  # fmt: skip


# --- passages -------------------------------------------------------------------------------------


def _pieces(page: Page, pieces: Sequence[doc.Piece]) -> None:
    """The blocks of a passage: items of a list together, rows of a table under their header, code
    as it stands."""
    header = doc.table_header(pieces)
    body = [piece for piece in pieces if piece is not header]
    for number, (kind, group) in enumerate(groupby(body, key=lambda piece: piece.kind)):
        if number and kind != BlockKind.LIST_ITEM:
            page.gap()
        _PIECES.get(kind, _text)(page, list(group), header)


def _piece(piece: doc.Piece) -> Text:
    return marked(piece.text, piece.marks, lines=True).append(piece.end)


def _text(page: Page, pieces: Sequence[doc.Piece], header: doc.Piece | None) -> None:
    for number, piece in enumerate(pieces):
        if number:
            page.gap()
        page.add(_piece(piece), INDENT)


def _list(page: Page, pieces: Sequence[doc.Piece], header: doc.Piece | None) -> None:
    for piece in pieces:
        mark = plain(piece.marker) or "-"
        page.hanging(mark, _piece(piece), INDENT * (1 + min(piece.level, DEEPEST)))


def _code(page: Page, pieces: Sequence[doc.Piece], header: doc.Piece | None) -> None:
    for piece in pieces:
        page.add(_piece(piece), 2 * INDENT)


def _table(page: Page, pieces: Sequence[doc.Piece], header: doc.Piece | None) -> None:
    rows = [[marked(cell, marks) for cell, marks in piece.cells()] for piece in pieces]
    widest = max(map(len, rows), default=0)
    columns = [cell for cell, _ in header.cells()] if header else [""] * widest
    page.table(columns, rows, INDENT)


_PIECES: Mapping[str, Callable[..., None]] = {
    BlockKind.LIST_ITEM: _list,
    BlockKind.CODE: _code,
    BlockKind.TABLE_ROW: _table,
}
