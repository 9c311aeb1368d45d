"""What every page works with: the engine behind a request, opened when the first one needs it; the
answers that several pages give (another page with a message, a part of a live page, a file); the
addresses of this server that stand in links, forms and redirects; what is configured, as several
pages tell it."""

import threading
from pathlib import Path
from typing import Any, cast

from flask import Response, current_app, flash, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from engine.answers import KeyStatus
from engine.llm.about_models import RoleStatus
from engine.models import NotFound, ResearchState, ZororaError
from engine.research_engine import ResearchEngine

KEY = "zorora"


class Opened:
    """Holds the engine of one application. A fake may be handed in; otherwise it is opened at first
    use."""

    def __init__(self, config: Any, db_path: Any, home: Any) -> None:
        self._engine = config
        self._db_path, self._home = db_path, home
        self._lock = threading.Lock()

    def get(self) -> ResearchEngine:
        if self._engine is None:
            with self._lock:
                if self._engine is None:
                    self._engine = ResearchEngine(db_path=self._db_path, home=self._home)
        return cast(ResearchEngine, self._engine)


def find_folder(name: str) -> Path:
    """Where templates, static files and examples lie: beside the packages in a checkout, inside ui/
    in a wheel. FileNotFoundError when an installation lacks them."""
    for parent in Path(__file__).resolve().parents[:3]:
        if (parent / name).is_dir():
            return parent / name
    raise FileNotFoundError(f"The folder {name} of the web page is missing; install Zorora again.")


def engine() -> ResearchEngine:
    """The engine of the application that answers this request."""
    return cast(Opened, current_app.extensions[KEY]).get()


def loaded(research_id: str) -> ResearchState:
    """The record of a finished research, or NotFound."""
    state = engine().load_research(research_id)
    if state is None:
        raise NotFound("There is no finished report with this id on this computer.")
    return state


def writer() -> RoleStatus | None:
    """The role of the model that writes, None while it has no model."""
    return next(
        (role for role in engine().models.roles() if role.role == "reasoning" and role.model), None
    )


def stored_keys() -> list[KeyStatus]:
    """The keys that have a value."""
    keys = engine().keys()
    return [key for key in keys if key.origin != "none"]


def configuration_problems() -> tuple[str, ...]:
    """What is wrong with the configuration, for the head of every page; nothing where it cannot be
    looked at."""
    try:
        return engine().config.problems
    except ZororaError:
        return ()  # the page itself says so


def secret_key() -> bytes:
    """The key that signs cookies and tokens; read once per application."""
    key = current_app.config.get("SECRET_KEY")
    if not key:
        key = engine().secret_key()
        current_app.config["SECRET_KEY"] = key
    return cast(bytes, key)


def see_other(address: str, message: str, category: str = "message") -> AnyResponse:
    """Another page, which begins with a message."""
    flash(message, category)
    return redirect(address, 303)


def live_part(template: str, running: bool, **values: Any) -> Response:
    """The part of a page that changes, for HTMX; at the end the page is loaded again."""
    answer = make_response(render_template(template, **values))
    if not running:
        answer.headers["HX-Refresh"] = "true"
    return answer


def attachment(data: bytes | str, media_type: str, file_name: str) -> Response:
    """A file to keep. It may not run or load anything if a browser shows it after all."""
    answer = Response(data, content_type=media_type)
    answer.headers.set("Content-Disposition", "attachment", filename=file_name)
    answer.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return answer


def own_path(target: str) -> str:
    """A path on this server, never another site: "//x" and "/\\x" would lead away."""
    plain = target.startswith("/") and not target.startswith(("//", "/\\"))
    return target if plain and target.isprintable() else "/"


def this_page() -> str:
    """The address of the page that was asked for, of a form without its query; another site's
    becomes "/".

    A request for `/%5cevil.example/` arrives here as `/\\evil.example/`, which browsers take for
    another site.
    """
    return own_path(request.full_path.rstrip("?") if request.method == "GET" else request.path)
