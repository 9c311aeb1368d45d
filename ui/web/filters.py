"""What templates may use: words for values, marked matches, static addresses with the version of
the file."""

import hashlib
import re
from functools import lru_cache, partial
from pathlib import Path

from flask import Flask, current_app, session, url_for
from jinja2 import pass_environment
from jinja2.filters import do_truncate
from markupsafe import Markup, escape

from engine.models import cause
from engine.reports.figures import hundredths, rating_words
from engine.version import own_version as app_version
from ui.web.context import configuration_problems, this_page
from ui.web.security import served_here
from ui.web.views import block_view, labels

THEMES = ("auto", "light", "dark")


def register(app: Flask) -> None:
    """Hand the filters and globals to the templates of an application."""
    words = (labels.day, labels.day_time, labels.clock, labels.duration, labels.size,
        labels.grouped,
             labels.depth_name, labels.state_name, labels.server_name, labels.role_name,
             labels.web_link, labels.site, labels.media_name, hundredths, marked, unmarked, ticked,
             cause)  # fmt: skip
    app.jinja_env.filters.update(
        {word.__name__: word for word in words},
        rating=rating_words,
        # Jinja's own with one character for the ellipsis instead of three dots
        truncate=pass_environment(partial(do_truncate, end="…")),
    )
    app.jinja_env.globals.update(
        block_view=block_view,
        many=labels.many,
        configuration_problems=configuration_problems,
        halt=labels.halt,
        kind_names=labels.KINDS,
        static=static_address,
        theme=theme,
        themes=THEMES,
        here=this_page,
        app_version=app_version,
        local_only=served_here,
    )


def marked(text: str) -> Markup:
    """Escaped text whose matches, between U+0002 and U+0003, become <mark>; stray signs are
    dropped."""
    spans = re.sub("\x02([^\x03]*)\x03?", r"<mark>\1</mark>", str(escape(text)))
    return Markup(unmarked(spans))  # noqa: S704 - all but the spans is escaped


def unmarked(text: str) -> str:
    """Text without the marks, and without NUL, which no page may contain."""
    return text.translate(dict.fromkeys(map(ord, "\x00\x02\x03")))


def ticked(text: str) -> Markup:
    """Escaped text whose parts between backticks become <code>."""
    parts = [escape(part) for part in text.split("`")]
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if n % 2 else part for n, part in enumerate(parts)
    )


def theme() -> str:
    """light, dark or auto, from the cookie."""
    name = session.get("theme")
    return name if name in THEMES else "auto"


def static_address(name: str) -> str:
    """The address of a static file with a version, so that browsers may keep it for a year."""
    folder = current_app.static_folder or ""
    return url_for("static", filename=name, v=_version_of(str(Path(folder) / name)))


@lru_cache(maxsize=32)
def _version_of(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:10]
