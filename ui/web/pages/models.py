"""Models on the settings page: who answers for which role, model servers, looking for local ones,
tests.

A test shows the class of its result alone (reached, wrong key, not a model server): what a server
answers may be anything, and stays out of the page.
"""

import contextlib
from functools import partial
from typing import cast

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from engine.llm.about_models import FoundServer
from engine.models import ConfigError, Conflict, ModelError, NotFound, ZororaError
from engine.settings import settings_permissions
from ui.web.background.work import DOWNLOADS, Group, Reporter, background
from ui.web.context import engine
from ui.web.errors import describe
from ui.web.pages import settings
from ui.web.security import served_here

bp = Blueprint("models", __name__, url_prefix="/settings/models")

PLACE = "models"
SERVERS = Group("servers", again="", fault="", wait=0.3)  # the look for a local server, once


@bp.errorhandler(ConfigError)
@bp.errorhandler(NotFound)
@bp.errorhandler(Conflict)
def refuse(problem: ZororaError) -> ResponseReturnValue:
    """The settings with the reason."""
    return settings.page(str(problem), PLACE), describe(problem).status


def offer() -> FoundServer | None:
    """A local server that runs while no role has a model yet; None too while it is being looked
    for.

    The first page waits a moment for it: what runs here answers at once, and a page is seldom
    loaded twice.
    """
    search, look = background(SERVERS), engine().models.to_offer

    def do(reporter: Reporter) -> FoundServer | None:
        with contextlib.suppress(OSError):  # a home that cannot be read is reported elsewhere
            return look()
        return None

    if search.of("") is None:
        search.start(do)
    return cast(FoundServer | None, search.state.result)


@bp.post("/role")
def role() -> ResponseReturnValue:
    """Assign a model of a server, by its name or address, to a role; an empty model removes it."""
    name, model = _word("role"), _word("model")
    place = _word("address") or _word("endpoint")
    settings_permissions.check_server(place, served_here())
    engine().models.set_role(name, place, "" if request.form.get("clear") else model)
    return settings.saved_page("Saved. New reports use it." if model else "Saved.", PLACE)


@bp.post("/test")
def test() -> ResponseReturnValue:
    """Ask the model of a role for one word."""
    name = _word("role")
    result = engine().models.test(name)
    message = f"{name.replace('_', ' ').capitalize()}: {result.result}."
    took = f" The answer took {result.seconds:.1f} s." if result.ok and result.seconds else ""
    return settings.page(
        models={"tested": name, "said": message + took, "ok": result.ok, "served": result.models}
    )


@bp.post("/detect")
def detect() -> ResponseReturnValue:
    """Look for servers on this computer; the page lists what runs, each with a button that uses
    it."""
    return settings.page(models={"looked": True, "found": engine().models.detect()})


@bp.post("/served")
def served() -> ResponseReturnValue:
    """List the models of a server, for the forms to offer."""
    name = _word("endpoint")
    settings_permissions.check_server(name, served_here())
    try:
        names = engine().models.served(name)
    except ModelError:
        return settings.page(
            models={"listed": name, "served": (), "said": f"{name} could not be reached."}
        )
    return settings.page(models={"listed": name, "served": names})


@bp.post("/endpoint")
def endpoint() -> ResponseReturnValue:
    """Add a server, or change one."""
    add(_word("name"), _word("url"), _word("provider"), _word("key"))
    return settings.saved_page(
        "The server was saved." + (" Enter its key under Keys." if _word("key") else ""), PLACE
    )


def add(name: str, url: str, provider: str, key_name: str) -> None:
    """Add a server, or change one. Raises Refused, ConfigError."""
    settings_permissions.check(f"endpoints.{name}.url", served_here())
    engine().models.add_endpoint(name, url, provider, key_name, by_page=True)


def forget(name: str) -> None:
    """Forget a server. Raises Refused, NotFound, Conflict."""
    settings_permissions.check(f"endpoints.{name}.url", served_here())
    engine().models.remove_endpoint(name)


@bp.post("/endpoint/remove")
def remove() -> ResponseReturnValue:
    forget(_word("name"))
    return settings.saved_page("The server was removed.", PLACE)


@bp.post("/file")
def get_file() -> ResponseReturnValue:
    """Download a model of the list; the page has shown what it is and where it comes from."""
    return settings.begun_page(
        partial(begin_file, _word("role"), _word("name")),
        DOWNLOADS,
        PLACE,
        "The model is being downloaded in the background.",
        "The model is installed.",
        "The model was not downloaded.",
    )


def begin_file(role: str, name: str, wait: float | None = None) -> None:
    """Begin to download a model in the background. Raises NotFound, Conflict while another download
    runs."""
    desk = engine().models
    offer = desk.find_file(role, name)

    background(DOWNLOADS).start(lambda reporter: desk.get_file(offer, reporter.count), wait=wait)


@bp.post("/file/remove")
def remove_file() -> ResponseReturnValue:
    removed = engine().models.remove_file(_word("role"))
    return settings.saved_page(f"{removed.title} was removed.", PLACE)


def _word(name: str) -> str:
    return request.form.get(name, "").strip()[:2000]
