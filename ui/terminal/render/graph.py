"""The citation graph of a research as text: the weightiest sources, each with whom it cites and who
cites it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import RenderableType
from rich.text import Text

from engine.models import ResearchState, Source
from engine.reports.figures import counted, hundredths
from ui.terminal.render.links import linked
from ui.terminal.render.plain import plain, shorten

BAR = 12  # blocks of the longest bar
NEIGHBOURS = 12  # names of one line


@dataclass(frozen=True, slots=True)
class Node:
    """One source. name: its tag, or a number for one the report does not cite. cites, cited_by:
    names, both sides."""

    name: str
    source: Source
    authority: float
    cites: tuple[str, ...]
    cited_by: tuple[str, ...]
    outside: int


def nodes(state: ResearchState) -> list[Node]:
    """All sources by authority, highest first; edges to works that were not read are counted
    only."""
    weights = {entry.source_id: entry.authority for entry in state.authority}
    order = {source_id: place for place, source_id in enumerate(weights)}
    sources = sorted(
        state.sources,
        key=lambda source: (order.get(source.source_id, len(order)), source.source_id),
    )
    names = {
        source.source_id: plain(source.tag) if source.tag else f"#{number}"
        for number, source in enumerate(sources, 1)
    }
    cites: dict[str, list[str]] = defaultdict(list)
    cited_by: dict[str, list[str]] = defaultdict(list)
    for origin, targets in state.citation_graph.items():
        for target in targets:
            if origin in names and target in names:
                cites[origin].append(names[target])
                cited_by[target].append(names[origin])
    return [
        Node(
            names[source.source_id],
            source,
            weights.get(source.source_id, 0.0),
            tuple(sorted(cites[source.source_id], key=_order)),
            tuple(sorted(cited_by[source.source_id], key=_order)),
            len(state.citation_graph.get(source.source_id, ())) - len(cites[source.source_id]),
        )
        for source in sources
    ]


def _order(name: str) -> tuple[bool, int, str]:
    digits = name[1:]
    return (
        name.startswith("#"),
        int(digits[:9]) if digits.isascii() and digits.isdigit() else 0,
        name,
    )


def parts(
    state: ResearchState, width: int, limit: int, with_links: bool = False
) -> list[RenderableType]:
    """The drawing for a terminal of this width: connected sources first, at most `limit` of
    them."""
    node_list = nodes(state)
    parts: list[RenderableType] = [
        Text(shorten(plain(state.original_query), 2 * width), style="bold"),
        Text(_totals(node_list), style="dim"),
        Text(""),
    ]
    connected = [node for node in node_list if node.cites or node.cited_by]
    # Alone they make no graph, but the order of authority is worth a look
    drawable = connected or node_list
    most = max((node.authority for node in node_list), default=0.0)
    name_width = max((len(node.name) for node in drawable[:limit]), default=1)
    for node in drawable[:limit]:
        parts += _drawn(node, most, name_width, width, with_links)
    if len(drawable) > limit:
        parts.append(Text(f"and {len(drawable) - limit} more: --limit", style="dim"))
    if alone := len(node_list) - len(drawable):
        verbs = "neither cites nor is" if alone == 1 else "neither cite nor are"
        parts.append(Text(f"{counted(alone, 'source')} {verbs} cited by another.", style="dim"))
    return parts


def _totals(node_list: Sequence[Node]) -> str:
    between = sum(len(node.cites) for node in node_list)
    outside = sum(node.outside for node in node_list)
    citations = f"{counted(between, 'citation')} among them, {outside} to works that were not read."
    return f"{counted(len(node_list), 'source')}, {citations}"


def _drawn(node: Node, most: float, name_width: int, width: int, with_links: bool) -> list[Text]:
    blocks = round(BAR * node.authority / most) if most else 0
    year = plain(node.source.published or "")[:4]
    room = max(20, width - name_width - BAR - 20)
    line = Text.assemble(
        (node.name.ljust(name_width), linked(node.source.url, "cyan", with_links)),
        "  ",
        ("█" * blocks + "·" * (BAR - blocks), "cyan"),
        f" {hundredths(node.authority):>5}  ",
        (shorten(plain(node.source.title) or "(no title)", room), "bold"),
        (f"  {year}" if year else "", "dim"),
        no_wrap=True,
        overflow="ellipsis",
    )
    indent = " " * (name_width + 2)
    lines = [line]
    if node.cited_by:
        lines.append(Text(f"{indent}◀── {_list(node.cited_by)}", style="dim"))
    if node.cites or node.outside:
        more = f" and {node.outside} not read" if node.cites else f"{node.outside} not read"
        text = _list(node.cites) + (more if node.outside else "")
        lines.append(Text(f"{indent}──▶ {text}", style="dim"))
    return lines


def _list(names: Sequence[str]) -> str:
    more = len(names) - NEIGHBOURS
    return " ".join(names[:NEIGHBOURS]) + (f" and {more} more" if more > 0 else "")
