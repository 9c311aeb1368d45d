"""One research: starting it, reading it, and reading its sources."""

from functools import partial
from itertools import chain
from typing import Any

from flask import (
    Blueprint,
    Response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue

from engine.answers import HistoryQuery
from engine.models import ConfigError, RecordKind, Refused, ResearchState
from engine.reports import figures
from engine.reports.report_document import Document as ReportDocument, PartKind
from engine.wiring.source_status import advice
from ui.web import forms
from ui.web.background import page_cache
from ui.web.context import attachment, engine, loaded, see_other
from ui.web.pages import follow_up, run, side_questions
from ui.web.pages.home import ask_page, entry_words, related
from ui.web.scope import scope
from ui.web.views import report_view
from ui.web.views.citations import MARKS, Citing, byline, research_address
from ui.web.views.claim_view import places, reasons, sum_rows
from ui.web.views.graph_svg import Wanted, draw
from ui.web.views.log_view import trajectory
from ui.web.views.reader_view import reader_text
from ui.web.views.sources_view import source_lists, source_row

bp = Blueprint("research", __name__)

ON_SHELF = 200  # documents to choose from
LOOKED_AT = 2 * ON_SHELF  # the first by title, some of which the report has


@bp.post("/research")
def start() -> ResponseReturnValue:
    """Start a research, or what another button of the form says; what cannot be used comes back
    with the reason."""
    text = request.form.get("q", "")
    try:
        if (way := request.form.get("to", "")) in side_questions.WAYS:
            return side_questions.begun(way, forms.question(text))
        limited = scope(request.form)
        options = forms.run_options(
            request.form,
            request.form.getlist("sources"),
            engine().config.get("research.depth"),
            limited.ids if limited else None,
        )
        research_id = engine().start(forms.question(text), options)
    except (ConfigError, Refused) as problem:
        return ask_page(text[: forms.QUESTION], str(problem)), 400
    return redirect(url_for("research.show", research_id=research_id), 303)


@bp.get("/search")
def search() -> ResponseReturnValue:
    """A bookmark of a question: its newest research, else the form filled in. Starts nothing."""
    text = " ".join(request.args.get("q", "")[: forms.QUESTION].split())
    if not text:
        return redirect(url_for("home.index"))
    page = engine().history(
        HistoryQuery(text=text, sort="newest", limit=50, kind=RecordKind.RESEARCH)
    )
    depth = request.args.get("depth", "")
    for entry in page.entries:
        same = " ".join(entry.query.split()).casefold() == text.casefold()
        if same and (depth not in ("1", "2", "3") or entry.depth == int(depth)):
            return redirect(url_for("research.show", research_id=entry.research_id))
    return ask_page(text)


@bp.get("/research/<research_id>")
def show(research_id: str) -> ResponseReturnValue:
    """The report when there is one, else the run as it goes on or as it ended."""
    front = engine()
    # Open jobs are few; asking for the status of a finished research could load its whole record a
    # second time
    job = next((job for job in front.jobs() if job.research_id == research_id), None)
    if job:
        return render_template(
            "progress.html",
            related=related(job.query, research_id),
            entry_words=entry_words,
            **run.progress_values(front.status(research_id)),
        )
    version = front.page_version(research_id)
    if not version:
        return finished_page(research_id)
    # What a report shows besides its record: documents to add, and retractions since
    retractions = [row.loaded_at for row in front.upkeep.data_lists()]
    return page_cache.page(
        version, partial(finished_page, research_id), front.titles(LOOKED_AT), retractions
    )


def finished_page(research_id: str) -> str:
    """The page of a research that runs no more."""
    front = engine()
    state = front.load_research(research_id)
    if state is None or state.report is None:
        return render_template(
            "ended.html", state=state, **run.progress_values(front.status(research_id))
        )
    if state.is_conversation:
        return render_template(
            "talk.html",
            state=state,
            turns=follow_up.turns_of(state),
            formats=front.export_formats(of_conversation=True),
            citing=Citing(state),
        )
    return render_template("report.html", **report(state))


def on_shelf(state: ResearchState) -> list[tuple[str, str]]:
    """(id, title) of documents that a report could take in: those with a text that are no source of
    it."""
    document_ids = {source.document_id for source in state.sources if not source.rejected}
    return [
        (name, title) for name, title in engine().titles(LOOKED_AT) if name not in document_ids
    ][:ON_SHELF]


def report(state: ResearchState, older: bool = False) -> dict[str, Any]:
    """What the report page shows. older: the record is a kept revision, which is read and not
    changed."""
    citing = Citing(state, older)
    parts = list(ReportDocument(state).parts())
    pairs = report_view.pairs(chain.from_iterable(part.blocks for part in parts), citing)
    if not pairs:  # of an older record, without the evidence of their sides
        parts = [part for part in parts if part.kind != PartKind.DISAGREEMENTS]
    whole = request.args.get("all") == "1"
    caps = report_view.caps(state, whole)
    return {
        "state": state,
        "parts": parts,
        "citing": citing,
        "facts": report_view.facts(state),
        "effort": report_view.effort(state),
        "older": older,
        "retracted": () if older else engine().steering.withdrawn(state),
        "shelf": () if older else on_shelf(state),
        "notices": report_view.notices(state),
        "unanswered": report_view.unanswered(state),
        "clashes": report_view.clashes(pairs, caps.pairs),
        "as_question": partial(report_view.as_question, state),
        "caps": caps,
        "whole": whole,
        "everything": f"{citing.home}?all=1",
        "unverified": [claim for claim in state.claims if not claim.verified],
        "judged": any(claim.confidence is not None for claim in state.claims),
        "ledger": figures.quality(state),
        "lists": source_lists(state, citing),
        "turns": follow_up.turns_of(state),
        "formats": engine().export_formats(),
    }


@bp.get("/research/<research_id>/log")
def log(research_id: str) -> Response:
    """What a finished run did, and why."""
    return page_cache.page(engine().page_version(research_id), partial(log_page, research_id))


def log_page(research_id: str) -> str:
    state = loaded(research_id)
    return render_template(
        "log.html",
        state=state,
        lines=trajectory(state),
        ends=[(end, advice(end)) for end in figures.dead_ends(state)],
        unasked=[client for client in state.clients if client.unasked],
        late=[client for client in state.clients if client.late],
    )


@bp.get("/research/<research_id>/graph")
def graph(research_id: str) -> Response:
    """The citation graph on its own page; the address says what of it is drawn."""
    return page_cache.page(engine().page_version(research_id), partial(graph_page, research_id))


def graph_page(research_id: str) -> str:
    state = loaded(research_id)
    hops = frozenset(int(hop) for hop in request.args.getlist("hop") if hop in ("0", "1", "2", "3"))
    kinds = frozenset(request.args.getlist("kind"))
    drawing = Wanted(hops or None, kinds or None, request.args.get("layout") == "rings")
    return render_template(
        "graph.html",
        state=state,
        home=research_address(research_id),
        wanted=drawing,
        graph=draw(state, drawing),
    )


@bp.get("/research/<research_id>/source/<source_id>")
def reader(research_id: str, source_id: str) -> Response:
    """The stored text of a source, its used passages marked."""
    number = request.args.get("revision", type=int)
    version = "" if number else engine().page_version(research_id)  # older revisions are not kept
    return page_cache.page(version, partial(reader_page, research_id, source_id, number))


def reader_page(research_id: str, source_id: str, number: int | None) -> str:
    page = engine().reader(research_id, source_id, number)
    home = research_address(research_id)
    if number:
        home = url_for("steer.revision", research_id=research_id, number=number)
    state = None if number else engine().load_research(research_id)
    blocks, hidden = reader_text(
        page, request.args.get("show") == "all", home, state.user.checks if state else ()
    )
    return render_template(
        "reader.html",
        page=page,
        blocks=blocks,
        hidden=hidden,
        parts=len({part for segment in page.segments for _, part, _ in segment.used_by}),
        row=source_row(page.source, page.snapshot),
        home=home,
        checkable=state is not None,
        mark_words=MARKS,
    )


@bp.get("/research/<research_id>/claim/<claim_id>")
def claim(research_id: str, claim_id: str) -> str:
    """Why a statement has the confidence it has."""
    number = request.args.get("revision", type=int)
    state = engine().steering.revision(research_id, number) if number else loaded(research_id)
    citing, why = Citing(state, bool(number)), reasons(state, claim_id)
    return render_template(
        "claim.html",
        state=state,
        citing=citing,
        why=why,
        glyph=citing.claim_glyph(why.claim),
        sum=sum_rows(why.sum),
        places=places(state, why.claim),
        byline=byline,
        rating_of=figures.rating_of,
    )


@bp.get("/research/<research_id>/export/<name>")
def export(research_id: str, name: str) -> ResponseReturnValue:
    """The research as a file."""
    try:
        return exported(research_id, name, request.args.get("texts") == "1")
    except ConfigError:  # the extra is not installed: the browser prints
        if name != "pdf":
            raise
        return see_other(
            url_for("research.show", research_id=research_id, all=1),
            "Print this page to a PDF in the print dialog of your browser (Ctrl+P); the page has a "
            "print layout.",
            "print",
        )


def exported(research_id: str, name: str, texts: bool) -> Response:
    """A file to keep. texts: with the stored texts, where the format can contain them."""

    def make() -> Response:
        file = engine().export(research_id, name, with_snapshots=texts)
        return attachment(file.data, file.media_type, file.file_name)

    return page_cache.file(engine().page_version(research_id), make, research_id, name, texts)
