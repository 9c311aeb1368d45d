"""The first page: the question, and what is going on; and the theme, which every page can set."""

from collections import Counter
from collections.abc import Sequence

from flask import Blueprint, redirect, render_template, request, session
from flask.typing import ResponseReturnValue

from engine.answers import HistoryEntry, HistoryQuery, JobStatus
from engine.models import ConfigError, RunStatus, SourceKind
from engine.reports.figures import hundredths
from ui.web import forms
from ui.web.context import engine, own_path, stored_keys, writer
from ui.web.filters import THEMES
from ui.web.pages import models
from ui.web.scope import Scope, scope
from ui.web.views.labels import day, duration, many, state_name
from ui.web.views.progress_view import usable

bp = Blueprint("home", __name__)

EXAMPLES = (
    "Flow batteries vs lithium-ion batteries for eight-hour storage",
    "Is it true that fast charging shortens the life of a battery?",
    "How does a pumped-hydro plant provide reserve power?",
)
# What the documents that come with Zorora can answer without a network
FIRST_EXAMPLES = (
    "Do grid-scale batteries lower evening electricity prices in Norvalen?",
    "Do street trees lower summer heat in Ostervale?",
)
RELATED = 3
# Seconds: at most, as far as nothing is known of this computer and its network
DEPTHS = (
    (1, "Quick", 35, "one round"),
    (2, "Balanced", 50, "follows citations once"),
    (3, "Thorough", 70, "follows citations twice"),
)


@bp.get("/")
def index() -> str:
    """The question box."""
    return ask_page(request.args.get("q", "")[: forms.QUESTION])


def ask_page(question: str = "", problem: str | None = None) -> str:
    """The first page; after a refused form with what had been chosen, and why it was refused."""
    front = engine()
    recent = front.history(HistoryQuery(limit=8))
    starred = front.history(HistoryQuery(starred=True, limit=3))
    jobs = [job for job in front.jobs() if not job.over]
    listed_ids = {job.research_id for job in jobs}
    listed_ids |= {entry.research_id for entry in starred.entries}
    limited = None
    try:
        limited = scope(request.values)
    except ConfigError as missing:
        problem = problem or str(missing)
    source_kinds = kinds()
    ticked_kinds = _ticked(source_kinds, limited, problem)
    return render_template(
        "home.html",
        question=question,
        problem=problem,
        depth=wanted_depth(),
        depths=depths(ticked_kinds),
        kinds=source_kinds,
        chosen=ticked_kinds,
        scope=limited,
        examples=() if limited else examples(),
        jobs=jobs,
        recent=[entry for entry in recent.entries if entry.research_id not in listed_ids][:5],
        starred=starred.entries,
        total=recent.total,
        entry_words=entry_words,
        running=running,
        setup=configured(),
        may_ask=writer() is not None,
        related=related(question),
        first=first_steps() if not (recent.total or jobs) else [],
    )


def _ticked(
    source_kinds: Sequence[tuple[str, str, str]], limited: Scope | None, problem: str | None
) -> list[str]:
    """The kinds of sources that are ticked: as in the refused form, else all."""
    if limited:
        return ["local"]
    if request.form and problem:
        return request.form.getlist("sources")
    return [name for name, _, _ in source_kinds]


@bp.get("/related")
def nearby() -> str:
    """Finished researches on a question that is being typed, for the first page."""
    entries = related(request.args.get("q", "")[: forms.QUESTION])
    return render_template("fragments/related.html", related=entries, entry_words=entry_words)


def related(question: str, without: str = "") -> list[HistoryEntry]:
    """Finished researches on a related question, the nearest first."""
    if len(question.split()) < 2:
        return []
    return [
        entry for entry in engine().related(question, RELATED + 1) if entry.research_id != without
    ][:RELATED]


def examples() -> tuple[str, ...]:
    """Questions to begin with; those that the example documents answer come first while they are in
    the library."""
    return (*FIRST_EXAMPLES, *EXAMPLES[:1]) if engine().library_size("examples") else EXAMPLES


def configured() -> list[tuple[str, str, str, str]]:
    """What is configured: name, state, and the link that changes it."""
    files, keys = engine().library_size(), len(stored_keys())
    if role := writer():
        model, change = (
            f"{role.model} writes; every sentence is checked.",
            ("/settings#models", "Change"),
        )
    elif offered := models.offer():
        model, change = (
            f"{offered.label} is running with {offered.best}.",
            ("/settings?models=look#models", "Use it"),
        )
    else:
        model, change = (
            "None. Reports quote the sources word for word.",
            ("/settings#models", "Choose one"),
        )
    return [
        ("Model", model, *change),
        (
            "Keys",
            f"{keys} stored." if keys else "None stored; none is needed.",
            "/settings#keys",
            "Add a key",
        ),
        (
            "Documents",
            f"{many(files, 'file')}, read on this computer." if files else "None yet.",
            "/library",
            "Add some",
        ),
    ]


def first_steps() -> list[tuple[str, str, str, str]]:
    """For somebody new: what works now, and what a key, documents or a model would add, each with
    its link."""
    clients = [client for client in engine().sources() if client.kind != SourceKind.LOCAL]
    free = sum(map(usable, clients))
    locked = [client.label for client in clients if client.needs_key and not client.has_key]
    if locked:
        more = f"{', '.join(locked[:4])} can be searched as well."
    else:
        more = "Some services allow more requests with one."
    return [
        ("Works now", f"{many(free, 'source')} can be searched without a key or an account. "
                      "Reports quote "
                      "the sources; every sentence leads to the passage it comes from.", "/help",
                      "How it works"),
        ("With your own documents", "They are read on this computer and searched too, also without "
                                    "a network.",
         "/library", "Add documents"),
        ("With a key", more, "/settings#keys", "Add a key"),
        ("With a model on this computer", "It can write the report in its own words; each sentence "
                                          "is checked "
                                          "against the passages.", "/settings#models",
                                          "Find a model"),
    ]  # fmt: skip


def wanted_depth() -> int:
    """From the form or address, else the setting."""
    value = request.values.get("depth", "")
    return int(value) if value in ("1", "2", "3") else int(engine().config.get("research.depth"))


def depths(ticked_kinds: Sequence[str]) -> list[tuple[int, str, str]]:
    """Number, name and hint of each depth: how long it took here over these kinds of sources, where
    that is known."""
    usual = {number: engine().usual_seconds(number, ticked_kinds) for number, *_ in DEPTHS}
    rows = []
    for number, name, most, what in DEPTHS:
        if seconds := usual[number]:
            long = f"about {duration(max(1, round(seconds))).replace('.0', '')}, "
        else:  # beside a time that was measured the most that it may take would mislead
            long = "" if any(usual.values()) else f"up to {most} s, "
        rows.append((number, name, f"{long}{what}"))
    return rows


def kinds() -> list[tuple[str, str, str]]:
    """The four kinds of sources: name, label, and what stands behind it."""
    count = Counter(client.kind for client in engine().sources() if usable(client))
    files = engine().library_size()
    return [
        ("academic", "Scholarly", many(count["academic"], "index", "indexes")),
        ("web", "Web", many(count["web"], "search service")),
        ("newsroom", "Newsroom", "the last 90 days" if count["newsroom"] else "switched off"),
        (
            "local",
            "My documents",
            f"{many(files, 'file')}, they stay here" if files else "none yet",
        ),
    ]


def entry_words(entry: HistoryEntry) -> str:
    """The line under a finished research."""
    words = [day(entry.created_at, year=False)]
    if entry.status != RunStatus.COMPLETE:
        words.append(state_name(entry.status, entry.ended_by).lower())
    if entry.confidence:
        words.append(f"confidence {hundredths(entry.confidence)}")
    return ", ".join(words)


def running(job: JobStatus) -> str:
    """The line under a research that is not over."""
    if job.status in (RunStatus.QUEUED, RunStatus.WAITING):
        return state_name(job.status)
    where = f"Phase {job.phase_number} of 6" if job.phase_number else state_name(job.status)
    return f"{where}, {job.elapsed:.0f} s"


@bp.post("/theme")
def theme() -> ResponseReturnValue:
    """Keep the chosen theme in the cookie and go back."""
    name = request.form.get("theme", "")
    if name in THEMES:
        session["theme"] = name
        session.permanent = True
    return redirect(own_path(request.form.get("next", "/")), 303)
