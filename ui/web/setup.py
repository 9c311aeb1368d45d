"""What is configured, as the first page and the settings tell it."""

from __future__ import annotations

from engine.answers import KeyStatus
from engine.llm.about_models import RoleStatus
from ui.web.context import engine


def writer() -> RoleStatus | None:
    """The role of the model that writes, None while it has no model."""
    return next(
        (role for role in engine().models.roles() if role.role == "reasoning" and role.model), None
    )


def stored_keys() -> list[KeyStatus]:
    """The keys that have a value."""
    keys = engine().keys()
    return [key for key in keys if key.origin != "none"]
