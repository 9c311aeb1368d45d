"""The web application in tests."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask
from jinja2 import FileSystemBytecodeCache

from ui.web.app import configure, create_app

ROOT = Path(__file__).resolve().parent.parent
# What a compiled template depends on besides its own text
MAKERS = sorted((ROOT / "ui" / "web").glob("*.py"))


@cache
def _application() -> Flask:
    """The application, with the templates that an earlier process compiled: two seconds in each."""
    app = create_app()
    makers = hashlib.sha256(b"".join(path.read_bytes() for path in MAKERS)).hexdigest()[:16]
    folder = ROOT / "build" / "templates" / makers
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "writable").touch()
    except OSError:
        return app
    app.jinja_env.bytecode_cache = FileSystemBytecodeCache(str(folder))
    return app


def web_app(engine: Any, **config: Any) -> Flask:
    """The application over an engine, as if just started: one for all tests of a process, since to
    make one and to compile its templates takes longer than most of them.
    """
    app = _application()
    configure(app, {"ENGINE": engine, "SECRET_KEY": None, "TESTING": False, **config})
    return app


def wait_for_work(app: Flask, group: str) -> None:
    """Wait until all that goes on behind the pages in a group, named so, has ended."""
    for thread in list(app.extensions[f"zorora_{group}"]._threads.values()):
        thread.join()
