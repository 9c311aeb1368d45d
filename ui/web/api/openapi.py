"""The OpenAPI 3.1 document, made from the table of routes."""

import re
from typing import Any

from flask import Response

from engine.version import own_version as app_version
from ui.web.api.model import Param, Route
from ui.web.api.schema import PROBLEM, RECORD, Schema, schema_of
from ui.web.errors import PROBLEM_TYPE

PREFIX = "/api/v1"
POLL_SECONDS = 2  # between two looks at something that runs


def document(routes: tuple[Route, ...]) -> dict[str, Any]:
    """The whole document."""
    components: dict[str, Schema] = {"Problem": PROBLEM, "Record": RECORD}
    paths: dict[str, Any] = {}
    for route in routes:
        paths.setdefault(document_path(route), {})[route.method.lower()] = operation(
            route, components
        )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Zorora",
            "version": app_version(),
            "description": f"{ACCESS} {POLLING}",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}, {}],
    }


def document_path(route: Route) -> str:
    """The path of a route as OpenAPI writes it."""
    return PREFIX + re.sub(r"<(\w+)>", r"{\1}", route.path)


def operation(route: Route, components: dict[str, Schema]) -> dict[str, Any]:
    """One method of one path."""
    operation: dict[str, Any] = {
        "operationId": route.name,
        "summary": route.help,
        "parameters": [parameter(param) for param in route.params if param.where != "body"],
        "responses": {
            **{str(status): answer(kind, components) for status, kind in route.answers.items()},
            "default": {
                "description": "A problem (RFC 9457).",
                "content": {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
            },
        },
    }
    if route.events:
        streamed = {"text/event-stream": {"schema": {"type": "string", "description": EVENTS}}}
        operation["responses"][str(route.status)]["content"].update(streamed)
    if route.upload:
        files = {"type": "array", "items": {"type": "string", "format": "binary"}}
        schema: Schema = {"type": "object", "required": ["files"], "properties": {"files": files}}
        operation["requestBody"] = {
            "required": True,
            "content": {"multipart/form-data": {"schema": schema}},
        }
    elif route.body:
        required = [param.name for param in route.body if param.required]
        schema = {
            "type": "object",
            "required": required,
            "properties": {param.name: param.schema for param in route.body},
            "additionalProperties": False,
        }
        operation["requestBody"] = {"required": bool(required), "content": json_of(schema)}
    return operation


ACCESS = "Changes need the access token (Authorization: Bearer) or a form of the page itself."
POLLING = (
    f"To follow a running report, ask for its status or events at most once in {POLL_SECONDS} "
    "seconds (the header "
    "`Retry-After` of an answer 202 says so), or send `wait` (up to 300 seconds): the answer then "
    "comes when there is "
    "news. Six such requests wait at a time; further ones are answered at once."
)
EVENTS = (
    "Server-sent events, with `Accept: text/event-stream`: piece (a text) and step (a sentence) as "
    "they come, then "
    "done (the answer as in JSON) or problem (a sentence); the data of each is JSON."
)


def json_of(schema: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def answer(kind: Any, components: dict[str, Schema]) -> dict[str, Any]:
    schema = schema_of(kind, components)
    if kind is Response:
        return {"description": "A file.", "content": {"*/*": {"schema": schema}}}
    return {"description": "Done.", "content": json_of(schema)}


def parameter(param: Param) -> dict[str, Any]:
    return {
        "name": param.name,
        "in": param.where,
        "required": param.required,
        "description": param.help,
        "schema": param.schema,
    }
