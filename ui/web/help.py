"""Pages that explain: scores and confidence, shortcuts, and what this program is."""

import platform
import sqlite3

from flask import Blueprint, render_template

from ui.web.filters import app_version

bp = Blueprint("help", __name__)


@bp.get("/help")
def index() -> str:
    return render_template("help.html")


@bp.get("/about")
def about() -> str:
    versions = {
        "Zorora": app_version(),
        "Python": platform.python_version(),
        "SQLite": sqlite3.sqlite_version,
        "System": f"{platform.system()} {platform.machine()}",
    }
    return render_template("about.html", versions=versions)
