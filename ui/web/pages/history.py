"""Past researches: search, filters, paging, and what can be done with several at once."""

import io
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any, TypeVar

from flask import (
    Blueprint,
    Response,
    flash,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue

from engine.answers import HistoryEntry, HistoryPage, HistoryQuery, JobStatus
from engine.models import ConfigError, Conflict, NotFound, RecordKind, RunStatus
from ui.web import forms
from ui.web.context import attachment, engine, own_path, see_other
from ui.web.views.labels import many

bp = Blueprint("history", __name__)

PER_PAGE = 20
STATUSES = (
    ("complete", "Complete", ("complete",)),
    ("running", "Running or waiting", ("queued", "running", "waiting_for_input")),
    ("partial", "Ended early", ("partial",)),
    ("failed", "Failed or stopped", ("failed", "cancelled")),
)
KINDS = (("research", "Reports"), ("search", "Quick searches"), ("ask", "Conversations"))
SOURCES = (
    ("academic", "scholarly"),
    ("web", "web pages"),
    ("newsroom", "newsroom"),
    ("local", "your documents"),
)
TAGS = 12
# Days before today
PERIODS = (
    ("today", "Today", 0),
    ("week", "Last week", 7),
    ("month", "Last month", 30),
)
MOST = 500  # reports that one action takes
T = TypeVar("T")


@bp.get("/history")
def index() -> ResponseReturnValue:
    """A page of researches; a filter that makes no sense is said and left out."""
    query, problems = query_of_address()
    jobs = {job.research_id: job for job in engine().jobs()}
    page = with_jobs(engine().history(query), query, jobs.values())
    statuses = [
        (name, label, sum(page.statuses.get(s, 0) for s in members))
        for name, label, members in STATUSES
    ]
    html = render_template(
        "history.html", page=page, query=query, problem=" ".join(problems), statuses=statuses,
        ticked=request.args.getlist("status"),
        tags=sorted(page.tags.items(), key=lambda item: (-item[1], item[0]))[:TAGS],
        address=address, jobs=jobs,
        kinds=KINDS, source_types=SOURCES, periods=PERIODS, period=request.args.get("period", ""),
        most=MOST,
        formats=engine().export_formats(),
    )  # fmt: skip
    return html, 400 if problems else 200


@bp.get("/feed.atom")
def feed() -> Response:
    """An Atom feed of finished reports (RFC 4287)."""
    page = engine().history(HistoryQuery(status=(RunStatus.COMPLETE, RunStatus.PARTIAL), limit=30))
    return Response(
        render_template("feed.xml", entries=page.entries, root=request.url_root),
        content_type="application/atom+xml; charset=utf-8",
    )


def with_jobs(page: HistoryPage, query: HistoryQuery, jobs: Iterable[JobStatus]) -> HistoryPage:
    """Open jobs stand above the first page, where nothing was asked for that they cannot have."""
    ids = {entry.research_id for entry in page.entries}
    mine = [job for job in jobs if job.research_id not in ids]
    counts = Counter(page.statuses) + Counter(
        job.status for job in mine if job.status not in page.statuses
    )
    kind = None if query.kind == RecordKind.RESEARCH else query.kind
    if replace(query, status=(), kind=kind) != HistoryQuery(limit=query.limit):
        return replace(page, statuses=counts)
    rows = [entry_of(job) for job in mine if not query.status or job.status in query.status]
    rows.sort(key=lambda entry: entry.created_at, reverse=True)
    return replace(
        page, entries=(*rows, *page.entries), total=page.total + len(rows), statuses=counts
    )


def entry_of(job: JobStatus) -> HistoryEntry:
    count = job.counts.get("sources", 0)
    return HistoryEntry(
        job.research_id,
        job.query,
        job.status,
        job.created_at,
        None,
        job.depth,
        count,
        0.0,
        False,
        (),
        "",
    )


def query_of_address() -> tuple[HistoryQuery, list[str]]:
    """The query of this address, without what was not understood of it; sentences that name
    that."""
    problems: list[str] = []

    def convert(name: str, label: str, reader: Callable[[Any, str], T]) -> T | None:
        try:
            return reader(request.args.get(name), label)
        except ConfigError as wrong:
            problems.append(str(wrong))
            return None

    text = request.args.get("q", "").strip()[:500] or None
    sort = request.args.get("sort", "")
    query = HistoryQuery(
        text=text,
        status=_states(request.args.getlist("status")),
        starred=request.args.get("starred") == "1",
        tag=request.args.get("tag", "")[:60] or None,
        min_confidence=convert("min_confidence", "Confidence from", forms.fraction),
        since=convert("since", "Since", forms.iso_date) or begin_of(request.args.get("period", "")),
        until=convert("until", "Until", forms.iso_date),
        kind=one_of(request.args.get("kind"), KINDS),
        source_type=one_of(request.args.get("source_type"), SOURCES),
        sort=sort
        if sort in ("newest", "oldest", "best", "confidence")
        else "best"
        if text
        else "newest",
        bin=request.args.get("bin") == "1",
        limit=PER_PAGE,
        before=request.args.get("before", "")[:200] or None,
    )
    if query.since and query.until and query.since > query.until:
        problems.append(
            f"Since {query.since} is later than until {query.until}, so nothing can match."
        )
    return query, problems


def _states(names: list[str]) -> tuple[str, ...]:
    """The states that the boxes of the filter stand for."""
    return tuple(state for name, _, states in STATUSES if name in names for state in states)


def begin_of(period: str) -> str | None:
    """The local midnight at which a period begins, with its offset; None for no such period."""
    days = next((days for name, _, days in PERIODS if name == period), None)
    if days is None:
        return None
    return datetime.combine(date.today() - timedelta(days=days), time()).astimezone().isoformat()


def one_of(value: str | None, choices: Sequence[tuple[str, str]]) -> str | None:
    """What was chosen from a list; None for everything else."""
    return value if value in dict(choices) else None


def address(**changes: str | None) -> str:
    """The address of this list with something changed; paging starts anew unless it is what
    changes."""
    params: dict[str, Any] = {
        key: values for key, values in request.args.lists() if key != "before" and any(values)
    }
    for key, value in changes.items():
        params.pop(key, None)
        if value is not None:
            params[key] = [value]
    return url_for("history.index", **params)


@bp.post("/history")
def change() -> ResponseReturnValue:
    """One star, one put back, or one action on all that are ticked."""
    target = own_path(request.form.get("next") or "/history")
    if binned := request.form.get("back"):
        return see_other(target, act("undelete", [binned]))
    if starred_id := request.form.get("star"):
        engine().star(starred_id, request.form.get(f"on-{starred_id}") == "1")
        return redirect(target, 303)
    if request.form.get("every"):
        ids = every()
    else:
        ids = list(dict.fromkeys(request.form.getlist("id")))[:MOST]
    action = request.form.get("do", "")
    if not ids:
        flash("Select the reports first.")
    elif action == "export":
        try:
            return export(ids, request.form.get("format", "md"))
        except (
            ConfigError,
            NotFound,
            Conflict,
        ) as problem:  # an extra is not installed, or nothing has a report
            flash(str(problem))
    elif action == "compare":
        return compare(ids, target)
    elif action == "purge":
        return purge(ids)
    else:
        single = f"bin {ids[0]}" if action == "delete" and len(ids) == 1 else "message"
        flash(act(action, ids), single)
    return redirect(target, 303)


def every() -> list[str]:
    """The ids of all that this address lists, not only of the page that is shown; MOST at most."""
    query, _ = query_of_address()
    query = replace(query, limit=100, before=None)
    ids: list[str] = []
    while len(ids) < MOST:
        page = engine().history(query)
        ids += [entry.research_id for entry in page.entries]
        if not page.next or not page.entries:
            break
        query = replace(query, before=page.next)
    return ids[:MOST]


def compare(ids: Sequence[str], target: str) -> ResponseReturnValue:
    """The two that are ticked, side by side."""
    if len(ids) == 2:
        return redirect(url_for("compare.index", a=ids[0], b=ids[1]), 303)
    return see_other(target, "Select exactly two reports to compare them.")


def purge(ids: Sequence[str]) -> ResponseReturnValue:
    """For good, after the page that asks once more."""
    if request.form.get("sure") != "1":
        deletable = {
            entry.research_id: entry.query
            for entry in engine().history(HistoryQuery(bin=True, limit=200)).entries
        }
        return render_template("purge.html", chosen=[(key, deletable.get(key, key)) for key in ids])
    return see_other(
        url_for("history.index", bin=1),
        each(ids, lambda research_id: engine().delete(research_id, now=True), "deleted for good"),
    )


def act(action: str, ids: Sequence[str]) -> str:
    """Do it to each; the sentence that says what was done."""
    front = engine()
    new = forms.tags(request.form.get("tags", ""))
    if action == "delete":
        return each(ids, front.delete, "moved to the bin")
    if action == "undelete":
        return each(ids, front.undelete, "put back")
    if action == "tag" and new:
        return each(
            ids, lambda research_id: front.tag(research_id, (*tags_of(research_id), *new)), "tagged"
        )
    return "Write a tag first." if action == "tag" else "Nothing was done."


def each(ids: Sequence[str], do: Callable[[str], None], verb: str) -> str:
    """Do it to every research that is still there; what was done to how many, and the reason for
    each other one."""
    problems = []
    for research_id in ids:
        try:
            do(research_id)
        except (NotFound, Conflict) as problem:
            problems.append(str(problem))
    count = len(ids) - len(problems)
    first = f"{many(count, 'report')} {verb}." if count else "Nothing was done."
    return " ".join([first, *dict.fromkeys(problems)])


def tags_of(research_id: str) -> tuple[str, ...]:
    """The tags that a research has."""
    state = engine().load_research(research_id)
    return state.user.tags if state else ()


def export(ids: Sequence[str], name: str = "md") -> Response:
    """Several reports as files of one format in one archive. What has no report is named in a list
    beside them.

    Raises NotFound or Conflict when none has one.
    """
    buffer, missing = io.BytesIO(), list[str]()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, research_id in enumerate(ids, 1):
            try:
                file = engine().export(research_id, name)
            except (NotFound, Conflict) as problem:
                missing.append(f"{research_id}: {problem}")
                if len(missing) == len(ids):
                    raise
                continue
            archive.writestr(f"{number:03d}_{file.file_name}", file.data)
        if missing:
            archive.writestr("not-exported.txt", "\n".join(missing) + "\n")
    return attachment(buffer.getvalue(), "application/zip", "zorora-reports.zip")
