"""The web application in tests."""

from functools import cache
from typing import Any

from flask import Flask

from ui.web.app import configure, create_app

_application = cache(create_app)


def web_app(engine: Any, **config: Any) -> Flask:
    """The application over an engine, as if just started: one for all tests of a process, since to
    make one and to compile its templates takes longer than most of them.
    """
    app = _application()
    configure(app, {"ENGINE": engine, "SECRET_KEY": None, "TESTING": False, **config})
    return app
