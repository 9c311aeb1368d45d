"""The engine behind a request, opened when the first request needs it."""

from __future__ import annotations

import threading
from typing import Any, cast

from flask import current_app

from engine.models import NotFound, ResearchState, ZororaError
from engine.research_engine import ResearchEngine

KEY = "zorora"


class Opened:
    """Holds the engine of one application. A fake may be handed in; otherwise it is opened at first
    use."""

    def __init__(self, config: Any, db_path: Any, home: Any) -> None:
        self._engine = config
        self._where = (db_path, home)
        self._lock = threading.Lock()

    def get(self) -> ResearchEngine:
        if self._engine is None:
            with self._lock:
                if self._engine is None:
                    self._engine = self._open()
        return cast(ResearchEngine, self._engine)

    def _open(self) -> ResearchEngine:
        from engine import ResearchEngine

        db_path, home = self._where
        return ResearchEngine(db_path=db_path, home=home)


def engine() -> ResearchEngine:
    """The engine of the application that answers this request."""
    return cast(Opened, current_app.extensions[KEY]).get()


def loaded(research_id: str) -> ResearchState:
    """The record of a finished research, or NotFound."""
    state = engine().load_research(research_id)
    if state is None:
        raise NotFound("There is no finished report with this id on this computer.")
    return state


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
