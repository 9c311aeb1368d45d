"""Settings: models, keys, sources, defaults, storage, and every row of the configuration table."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import (
    Blueprint,
    current_app,
    get_flashed_messages,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue

from engine.answers import ClientStatus, SettingRow
from engine.llm.about_models import RoleStatus
from engine.models import ConfigError, Conflict, NotFound, Refused, SourceKind
from engine.settings import settings_permissions
from ui.web.background.work import DOWNLOADS, LISTS, Group, background
from ui.web.context import engine, see_other, stored_keys, writer
from ui.web.security import served_here, token
from ui.web.views.labels import many, server_name
from ui.web.views.progress_view import usable

bp = Blueprint("settings", __name__)

DEFAULTS = (
    "research.depth", "research.clarify", "research.min_confidence", "newsroom.days_back",
    "http.contact", "privacy.documents_to_remote_models", "privacy.local_terms_in_queries",
)  # fmt: skip
FACTS = (
    ("research_findings", "Reports"), ("in_bin", "In the bin"), ("texts", "Texts kept"),
    ("documents", "Documents"),
    ("chunks", "Passages indexed"), ("bytes", "Used on the disk"), ("last_backup", "Last backup"),
)  # fmt: skip


@bp.get("/settings")
def index() -> str:
    looked = request.args.get("models") == "look"
    return page(models={"looked": True, "found": engine().models.detect()} if looked else None)


def page(
    problem: str | None = None,
    place: str = "",
    values: Mapping[str, str] | None = None,
    clients: Sequence[ClientStatus] = (),
    ticked: Sequence[str] | None = None,
    models: Mapping[str, Any] | None = None,
) -> str:
    """The page; after a refused form with the reason above that form and what had been typed.

    clients: the sources as they were just checked; ticked: those that were ticked then, saved or
    not. models: what the last button among the models found (ui/web/pages/models.py).
    """
    rows = {row.name: row for row in engine().settings()}
    grouped: dict[str, list[SettingRow]] = {}
    for row in (
        rows.values()
    ):  # rows of one section do not stand together where several have the same names
        grouped.setdefault(row.section, []).append(row)
    sources = clients or engine().sources()
    return render_template(
        "settings.html",
        basics=basics(sources),
        opened=opened(place if problem else "", bool(models), bool(clients)),
        problem=problem,
        place=place,
        given=values or {},
        rows=rows,
        closed={name for name in rows if settings_permissions.is_closed(name, served_here())},
        sections=list(grouped.items()),
        defaults=[rows[name] for name in DEFAULTS if name in rows],
        desk=engine().models,
        shown=models or {},
        keys=engine().keys(),
        clients=sources,
        ticked=ticked,
        lists=engine().upkeep.data_lists(),
        updating=background(LISTS).state,
        downloading=background(DOWNLOADS).state,
        stats=engine().get_stats(),
        facts=FACTS,
        faults=engine().config.problems,
        has_token=token().exists(),
        must_sign_in=current_app.config["TOKEN"],
    )


def basics(clients: Sequence[ClientStatus]) -> list[tuple[str, str, str, str]]:
    """(question, answer, address, link) of what most people come for: the model, keys, sources,
    folders."""
    front = engine()
    role = writer()
    keys = [key.purpose or key.name for key in stored_keys()]
    services = [client for client in clients if client.kind != SourceKind.LOCAL]
    on = sum(map(usable, services))
    folders, files = front.roots(), front.library_size()
    return [
        (
            "Which model writes?",
            _writer_words(role),
            "#models",
            "Change" if role else "Choose a model",
        ),
        (
            "Which keys are stored?",
            f"{', '.join(keys)}." if keys else "None, and none is needed.",
            "#keys",
            "Change" if keys else "Add a key",
        ),
        (
            "Which sources are searched?",
            f"{on} of {many(len(services), 'search service')}, and your documents.",
            "#clients",
            "Change",
        ),
        (
            "Which folders are read?",
            f"{', '.join(folders) or 'None'}. The library has {many(files, 'document')} in all.",
            url_for("library.index"),
            "Open the library",
        ),
    ]


def _writer_words(role: RoleStatus | None) -> str:
    if role is None:
        return "None. Reports are made of passages from the sources, word for word."
    place = "" if role.local else ", not on this computer"
    checked = "Every sentence it writes is checked against the sources."
    return f"{role.model} on {server_name(role.endpoint)}{place}. {checked}"


def opened(problem: str, models: bool, clients: bool) -> set[str]:
    """The sections that are open when the page comes: those that have something to say."""
    flashed: Any = get_flashed_messages(with_categories=True)
    categories = {category for category, _ in flashed}
    groups = {
        "models": models or background(DOWNLOADS).state.running,
        "clients": clients,
        "data": background(LISTS).state.running,
    }
    return categories | {problem} | {name for name, is_open in groups.items() if is_open}


def saved_page(message: str, place: str) -> ResponseReturnValue:
    """Back to a section of the page, which says there what was done; "" is its head."""
    return see_other(url_for("settings.index", _anchor=place or None), message, place or "message")


def begun_page(
    begin: Callable[[], None], group: Group, place: str, running: str, over: str, undone: str
) -> ResponseReturnValue:
    """Begin work in the background, and go back to a section that says how far it came."""
    try:
        begin()
    except Conflict as problem:
        return saved_page(str(problem), place)
    state = background(group).state
    if state.running:
        return saved_page(running, place)
    return saved_page(undone if state.failed or state.problem else over, place)


@bp.post("/settings")
def save() -> ResponseReturnValue:
    """Save what was changed in one form. The first value that is refused stops it and is shown."""
    place = request.form.get("place", "")[:40]
    rows = {row.name: row for row in engine().settings()}
    changed = _changed(rows)
    try:
        for name in changed:  # nothing is changed where one of them may not be
            settings_permissions.check(name, served_here())
        for name, value in changed.items():
            change(name, value)
    except (ConfigError, Refused) as problem:
        return page(str(problem), place, changed), 403 if isinstance(problem, Refused) else 400
    message = "Saved." if changed else "Nothing was changed."
    if any(rows[name].next_start for name in changed):
        message += " It takes effect the next time Zorora starts."
    return saved_page(message, place if place in ("defaults", "all") else "")


def _changed(rows: Mapping[str, SettingRow]) -> dict[str, str]:
    """The settings of the form that differ from what holds; of a box with its hidden field the last
    value counts."""
    values = {name: values[-1].strip() for name, values in request.form.lists() if name in rows}
    return {name: value for name, value in values.items() if value != rows[name].value.strip()}


def change(name: str, text: str) -> None:
    """Change a setting that may be changed from here. Raises Refused, ConfigError."""
    settings_permissions.change(engine().set_setting, name, text, served_here())


@bp.post("/settings/clients")
def clients() -> ResponseReturnValue:
    """Switch source clients on and off: those ticked are on."""
    ticked = set(request.form.getlist("client"))
    for client in engine().sources():
        if client.kind != SourceKind.LOCAL and client.enabled != (client.name in ticked):
            engine().set_setting(
                f"sources.{client.name}.enabled", "true" if client.name in ticked else "false"
            )
    return saved_page("Saved.", "clients")


@bp.post("/settings/clients/check")
def check_client() -> str:
    """Ask one source a question now, or all that are on; the page then says how each fared."""
    name = request.form.get("check", "")
    return page(
        clients=engine().check_sources([name] if name else []),
        ticked=request.form.getlist("client"),
    )


@bp.post("/settings/data")
def data() -> ResponseReturnValue:
    """Load the lists of retractions and journals anew, in the background."""
    return begun_page(
        load_lists,
        LISTS,
        "data",
        "The lists are being loaded in the background.",
        "The lists were loaded.",
        "Some lists were not loaded.",
    )


def load_lists(wait: float | None = None) -> None:
    """Begin to load them; Conflict while that goes on."""
    update = engine().upkeep.update_data
    background(LISTS).start(lambda reporter: update(progress=reporter.count), wait=wait)


@bp.post("/settings/keys")
def keys() -> ResponseReturnValue:
    """Replace a key, or remove it after the page that asks once more. It is written, never
    shown."""
    name, value = request.form.get("name", ""), request.form.get("value", "").strip()
    statuses = engine().keys()
    key = next((key for key in statuses if key.name == name), None)
    if key is None:
        raise NotFound("There is no key of this name.")
    removing = request.form.get("remove") == "1"
    if removing and request.form.get("sure") != "1":
        return render_template("remove_key.html", key=key)
    if not value and not removing:
        return page("Paste the key first.", "keys"), 400
    try:
        engine().set_key(name, "" if removing else value)
    except ConfigError as problem:
        return page(str(problem), "keys"), 400
    return saved_page(
        "The key was removed." if removing else "The key was saved. It is not shown again.", "keys"
    )


@bp.post("/settings/token")
def new_token() -> str:
    """Make a new access token; this page is the only one that ever shows it."""
    return render_template("token.html", secret=token().renew())


@bp.post("/settings/backup")
def backup() -> ResponseReturnValue:
    path = engine().upkeep.backup()
    return saved_page(f"Backed up as {path.name} in the folder of backups.", "storage")


@bp.get("/settings/check")
def check() -> str:
    """What `zorora doctor --quick` says: all records of years would take longer than a page may."""
    return render_template("check.html", checks=engine().upkeep.doctor(quick=True))
