"""Views of the JSON interface for finished reports: their sources, reasons, graph, files,
comparison, changes and revisions."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from flask import Response
from werkzeug.exceptions import BadRequest

from engine.answers import Imported, ReaderPage
from engine.models import NotFound, ResearchState, Turn
from engine.reports.about_reports import Comparison, Rechecked, Withdrawn
from engine.reports.figures import score_of
from ui.web.api.model import BIG, Field, Files, ReportId, Revision, Wait
from ui.web.background.work import CHANGES, background
from ui.web.context import engine, loaded
from ui.web.pages import history, record_import, research
from ui.web.pages.revisions import begin
from ui.web.views.claim_view import Reasons, reasons

MOST_REPORTS = 200  # in one archive


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A source in the graph of citations. authority, pagerank, in_degree: null where nothing cites
    or is cited."""

    source_id: str
    tag: str | None
    title: str
    credibility: float | None
    authority: float | None
    pagerank: float | None
    in_degree: int | None


@dataclass(frozen=True, slots=True)
class Cites:
    """That a source cites another."""

    source: str
    cites: str


@dataclass(frozen=True, slots=True)
class Graph:
    nodes: tuple[GraphNode, ...]
    edges: tuple[Cites, ...]


@dataclass(frozen=True, slots=True)
class Format:
    """An export format."""

    name: str
    label: str
    suffix: str


@dataclass(frozen=True, slots=True)
class Change:
    """A piece of work on a finished research. differs: of a replay, what came out otherwise. pages:
    of a recheck.

    problem: why it ended without a result. revision: of the record now.
    """

    action: str
    running: bool
    log: tuple[str, ...]
    problem: str | None
    revision: int
    differs: tuple[str, ...]
    pages: tuple[Rechecked, ...]


def research_sources(research_id: ReportId) -> list[dict[str, Any]]:
    """The sources of a finished report."""
    sources: list[dict[str, Any]] = loaded(research_id).to_dict()["sources"]
    return sources


def conversation(research_id: ReportId) -> tuple[Turn, ...]:
    """What was asked afterwards, with the answers."""
    return loaded(research_id).conversation


def reader(
    research_id: ReportId, source_id: Annotated[str, Field(length=200)], revision: Revision = None
) -> ReaderPage:
    """The stored text of a source, cut at the passages used."""
    return engine().reader(research_id, source_id, revision)


def claim(
    research_id: ReportId,
    claim_id: Annotated[str, Field("A claim_id of the record.", length=200)],
    revision: Revision = None,
) -> Reasons:
    """The evidence for a statement: each source with its passage, the judge, and how the confidence
    adds up."""
    state = loaded(research_id)
    state = engine().steering.revision(research_id, revision) if revision else state
    return reasons(state, claim_id)


def retracted(research_id: ReportId) -> tuple[Withdrawn, ...]:
    """Sources that were retracted since the report was written."""
    return engine().steering.withdrawn(loaded(research_id))


def graph(research_id: ReportId) -> Graph:
    """Who cites whom."""
    state = loaded(research_id)
    authority = {entry.source_id: entry for entry in state.authority}
    nodes = []
    for source in state.sources:
        entry = authority.get(source.source_id)
        rank = (entry.authority, entry.pagerank, entry.in_degree) if entry else (None, None, None)
        nodes.append(GraphNode(source.source_id, source.tag, source.title, score_of(source), *rank))
    edges = (
        Cites(source, other)
        for source, targets in state.citation_graph.items()
        for other in targets
    )
    return Graph(tuple(nodes), tuple(edges))


def export(
    research_id: ReportId,
    format: Annotated[str, Field("A name of /formats.", length=40)],
    texts: Annotated[
        bool, Field("With the stored texts, where the format can contain them.")
    ] = False,
) -> Response:
    """The report as a file."""
    return research.exported(research_id, format, texts)


def archive(
    id: Annotated[tuple[str, ...], Field("The reports.", length=200)],
    format: Annotated[str, Field("A name of /formats.", length=40)] = "md",
) -> Response:
    """Several reports as files of one format in a ZIP archive."""
    names = list(dict.fromkeys(id))
    if len(names) > MOST_REPORTS:
        raise BadRequest(f"Up to {MOST_REPORTS} reports at once.")
    return history.export(names, format)


def formats() -> list[Format]:
    """Export formats."""
    return [Format(*row) for row in engine().export_formats()]


def import_(files: Files) -> Imported:
    """Import one exported record; nothing is overwritten."""
    if len(files) != 1:
        raise BadRequest("Send one record at a time.")
    return engine().import_record(files[0].stream.read(record_import.MOST + 1))


def compare(
    a: Annotated[str, Field("One report.", length=200)],
    b: Annotated[str, Field("The other report.", length=200)],
) -> Comparison:
    """Two finished reports side by side."""
    return engine().compare(a, b)


def change(
    research_id: ReportId,
    action: Annotated[
        Literal["exclude", "include", "deepen", "rescore", "replay", "recheck"],
        Field("What to do."),
    ],
    source: Annotated[
        str,
        Field(
            "For exclude and include: tag, id or address of a source, or the name of a document.",
            length=2000,
        ),
    ] = "",
    wait: Wait = 0.0,
) -> Change:
    """Change or check a finished report in the background; a change is a new revision."""
    begin(research_id, action, source, wait)
    return changing(research_id)


def changing(research_id: ReportId) -> Change:
    """Its progress, or its result."""
    state, work = loaded(research_id), background(CHANGES).of(research_id)
    if work is None:
        raise NotFound("This report has not been changed or checked since the server started.")
    return Change(
        work.action,
        work.running,
        work.lines,
        work.problem,
        revision=state.revision,
        differs=tuple(work.result or ()) if work.action == "replay" else (),
        pages=tuple(work.result or ()) if work.action == "recheck" else (),
    )


def stop_change(research_id: ReportId) -> Change:
    """Stop it; the report stays as it was."""
    background(CHANGES).stop(research_id)
    return changing(research_id)


def revisions(research_id: ReportId) -> list[int]:
    """The numbers of all revisions, the current one last."""
    loaded(research_id)
    return engine().steering.revisions(research_id)


def revision(
    research_id: ReportId, number: Annotated[int, Field(low=1, high=BIG)]
) -> ResearchState:
    """The record of a revision."""
    loaded(research_id)
    return engine().steering.revision(research_id, number)
