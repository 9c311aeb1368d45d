"""Pages that explain: scores and confidence, shortcuts, and what this program is."""

import platform
import sqlite3

from flask import Blueprint, render_template, request

from engine.version import own_version as app_version
from ui.web.api.model import Route

bp = Blueprint("help", __name__)


@bp.get("/help")
def index() -> str:
    return render_template("help.html")


@bp.get("/help/api")
def api() -> str:
    """The JSON interface for people, from the table that also makes the OpenAPI document."""
    from ui.web.api.openapi import PREFIX
    from ui.web.api.table import ROUTES

    groups: dict[str, list[Route]] = {}
    for route in ROUTES:
        groups.setdefault(route.path.split("/")[1], []).append(route)
    return render_template("api.html", groups=groups, prefix=PREFIX, root=request.url_root.rstrip("/"))


@bp.get("/about")
def about() -> str:
    versions = {
        "Zorora": app_version(),
        "Python": platform.python_version(),
        "SQLite": sqlite3.sqlite_version,
        "System": f"{platform.system()} {platform.machine()}",
    }
    return render_template("about.html", versions=versions)
