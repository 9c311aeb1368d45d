"""The application factory, and `app` for WSGI servers: `waitress-serve ui.web.app:app`.

Importing this module opens no database; the engine is opened by the first request that needs it.
"""

import time
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from flask import Flask

from ui.web import errors, filters, security
from ui.web.access_token import Failures
from ui.web.api import routes
from ui.web.context import KEY, Opened, find_folder
from ui.web.pages import (
    compare,
    document_questions,
    follow_up,
    help,
    history,
    home,
    library,
    marks,
    matrix,
    models,
    record_import,
    research,
    revisions,
    run,
    settings,
    side_questions,
    signin,
)
from ui.web.session import DAYS, Cookie

MB = 1024 * 1024

# ENGINE: an engine to use; otherwise DB_PATH and HOME say where to open one. HOST, PORT: what the
# server is bound to. ALLOWED_HOSTS: further names in the Host header. TOKEN: ask for the access
# token; always on beyond loopback, and with a further name, since a server before this one then
# serves it to others. SHOW_FAULTS: say on the page where in the program a fault happened; never
# beyond loopback.
DEFAULTS: dict[str, Any] = {
    "ENGINE": None,
    "DB_PATH": None,
    "HOME": None,
    "HOST": "127.0.0.1",
    "PORT": None,
    "ALLOWED_HOSTS": (),
    "TOKEN": False,
    "SHOW_FAULTS": False,
    "MAX_CONTENT_LENGTH": 200 * MB,
    "MAX_FORM_MEMORY_SIZE": MB,
    "MAX_FORM_PARTS": 2000,
    "SESSION_COOKIE_HTTPONLY": True,
    "SESSION_COOKIE_SAMESITE": "Strict",
    "SESSION_REFRESH_EACH_REQUEST": False,
    "PERMANENT_SESSION_LIFETIME": timedelta(days=DAYS),
    "TRAP_HTTP_EXCEPTIONS": False,
}


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """A new application. `create_app({"ENGINE": fake})` serves from an engine that is handed in."""
    app = Flask(
        __name__,
        template_folder=str(find_folder("templates")),
        static_folder=str(find_folder("static")),
    )
    configure(app, config or {})
    app.session_interface = Cookie()
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    filters.register(app)
    security.protect(app)
    app.register_error_handler(Exception, errors.answer)
    # The page families: a new one is a file with a blueprint `bp` and its name here
    for family in (
        signin, home, research, run, side_questions, follow_up, revisions, marks, matrix, history,
        compare, record_import, library, document_questions, settings, models, help, routes,
    ):  # fmt: skip
        app.register_blueprint(family.bp)
    app.register_blueprint(routes.short)
    return app


def configure(app: Flask, config: Mapping[str, Any]) -> None:
    """Set up an application as if it had just started; what it kept is forgotten."""
    app.config.update({**DEFAULTS, **config})
    if not security.serves_here(app.config["HOST"], app.config["ALLOWED_HOSTS"]):
        app.config["TOKEN"], app.config["SHOW_FAULTS"] = True, False
    opened = Opened(app.config["ENGINE"], app.config["DB_PATH"], app.config["HOME"])
    app.extensions = {
        KEY: opened,
        "zorora_failures": Failures(time.monotonic),
        "zorora_token_path": lambda: Path(opened.get().config.home) / "web_token",
    }


def __getattr__(name: str) -> Any:
    """`app`, made when somebody asks for it."""
    if name == "app":
        app = globals()["app"] = create_app()
        return app
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
