"""Pages that explain: scores and confidence, shortcuts, and what this program is."""

import platform
import sqlite3
from typing import Any

from flask import Blueprint, render_template, request

from engine.version import own_version as app_version
from ui.web.api.model import BIG, Route

bp = Blueprint("help", __name__)


@bp.get("/help")
def index() -> str:
    from engine.models import factors_in_words

    return render_template("help.html", factors=factors_in_words())


@bp.get("/help/api")
def api() -> str:
    """The OpenAPI document for people."""
    from ui.web.api.openapi import POLLING, PREFIX, document_path
    from ui.web.api.routes import described
    from ui.web.api.table import ROUTES

    groups: dict[str, list[Route]] = {}
    for route in ROUTES:
        groups.setdefault(route.path.split("/")[1], []).append(route)
    document = described()
    shapes = {
        name: {key: shape(part) for key, part in schema["properties"].items()}
        for name, schema in sorted(document["components"]["schemas"].items())
    }
    return render_template(
        "api.html", groups=groups, prefix=PREFIX, root=request.url_root.rstrip("/"),
        polling=POLLING, shapes=shapes,
        shape=shape, limits=limits,
        answers=lambda route: answers(
            document["paths"][document_path(route)][route.method.lower()]
        ),
    )  # fmt: skip


def answers(operation: dict[str, Any]) -> str:
    """What an operation answers with when it succeeds: "202 JobStatus, 200 Record"."""
    contents = {
        status: response["content"]
        for status, response in operation["responses"].items()
        if status != "default"
    }
    return ", ".join(
        f"{status} {shape(next(iter(response.values()))['schema'])}"
        for status, response in contents.items()
    )


def shape(schema: dict[str, Any]) -> str:
    """A schema in words: "list of JobStatus", "string or null"."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(shape(part) for part in schema["anyOf"])
    if schema.get("type") == "array":
        items = shape(schema.get("items", {}))
        return f"list of {'strings' if items == 'string' else items}"
    if schema.get("properties"):
        inner = ", ".join(f"{name}: {shape(part)}" for name, part in schema["properties"].items())
        return f"object ({inner})"
    if "const" in schema:
        return f"“{schema['const']}”"
    if schema.get("format") == "binary":
        return "file"
    kind = schema.get("type", "any value")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def limits(schema: dict[str, Any]) -> str:
    """The values that an input may have, and its default, as sentences."""
    choices = [choice for choice in schema.get("items", schema).get("enum", ()) if choice]
    sentences = [f"One of: {', '.join(choices)}."] if choices else []
    if schema.get("maximum", BIG) < BIG:
        sentences.append(f"{schema['minimum']} to {schema['maximum']}.")
    if schema.get("default"):
        sentences.append(f"Default: {schema['default']}.")
    return "".join(f" {sentence}" for sentence in sentences)


@bp.get("/about")
def about() -> str:
    versions = {
        "Zorora": app_version(),
        "Python": platform.python_version(),
        "SQLite": sqlite3.sqlite_version,
        "System": f"{platform.system()} {platform.machine()}",
    }
    return render_template("about.html", versions=versions)
