"""Views of the JSON interface for documents, settings, sources and the state of the installation."""

from typing import Any

from flask import Response, request
from werkzeug.exceptions import BadRequest

from engine.answers import Check, ClientStatus, KeyStatus, LibraryHit, SettingRow
from engine.models import Document, NotFound, Refused, ZororaError
from engine.version import own_version as app_version
from ui.web.api.model import plain
from ui.web.context import engine
from ui.web.pages import history
from ui.web.pages import research as pages
from ui.web.pages.library import FILE_MB, FILES, plain_name
from ui.web.pages.settings import change

MANY = 200


def health(params: dict[str, Any]) -> dict[str, str]:
    return {"status": "ok", "version": app_version()}


def documents(params: dict[str, Any]) -> list[Document]:
    return engine().library()


def upload(params: dict[str, Any]) -> dict[str, Any]:
    """Index the files of a multipart form, field "files"."""
    files = [item for item in request.files.getlist("files") if item.filename]
    if not files:
        raise BadRequest('Send files as multipart/form-data in the field "files".')
    if len(files) > FILES:
        raise BadRequest(f"Up to {FILES} files at once.")
    added, failed = [], []
    for item in files:
        name, data = plain_name(item.filename or ""), item.stream.read(FILE_MB * 1024 * 1024 + 1)
        if len(data) > FILE_MB * 1024 * 1024:
            failed.append({"name": name, "reason": f"larger than {FILE_MB} MB"})
            continue
        try:
            added.append(engine().upload(name, data))
        except ZororaError as problem:
            failed.append({"name": name, "reason": str(problem)})
    return {"documents": added, "failed": failed}


def search_documents(params: dict[str, Any]) -> list[LibraryHit]:
    return engine().search_library(params["q"], limit=params["limit"])


def document_text(params: dict[str, Any]) -> dict[str, Any]:
    document = next(iter(engine().library([params["document_id"]])), None)
    if document is None:
        raise NotFound("This document is not in the library.")
    text = engine().snapshot_text(document.snapshot_id) if document.snapshot_id else ""
    return {"document": document, "text": text, "sections": engine().document_sections(document.document_id)}


def remove_document(params: dict[str, Any]) -> dict[str, bool]:
    engine().remove_document(params["document_id"])
    return {"done": True}


def folders(params: dict[str, Any]) -> list[str]:
    return engine().roots()


def settings(params: dict[str, Any]) -> list[SettingRow]:
    return engine().settings()


def set_setting(params: dict[str, Any]) -> SettingRow:
    change(params["name"], params["value"])
    row = next((row for row in engine().settings() if row.name == params["name"]), None)
    if row is None:
        raise NotFound(f"There is no setting {params['name']}.")
    return row


def keys(params: dict[str, Any]) -> list[KeyStatus]:
    return engine().keys()


def set_key(params: dict[str, Any]) -> dict[str, bool]:
    names = engine().keys()
    if params["name"] not in [key.name for key in names]:
        raise NotFound("There is no key of this name.")
    engine().set_key(params["name"], params["value"].strip())
    return {"done": True}


def clients(params: dict[str, Any]) -> list[ClientStatus]:
    return engine().sources()


def switch(params: dict[str, Any]) -> ClientStatus:
    """Switch a source client on or off; new researches go by it."""
    service = next((client for client in engine().sources() if client.name == params["name"]), None)
    if service is None:
        raise NotFound("There is no source of this name.")
    if service.kind == "local":
        raise Refused(
            "Your documents are not a search service. To leave them out, drop the source kind “local” from a report."
        )
    engine().set_setting(f"sources.{service.name}.enabled", "true" if params["enabled"] else "false")
    return next(client for client in engine().sources() if client.name == service.name)


def stats(params: dict[str, Any]) -> dict[str, Any]:
    counts: dict[str, Any] = plain(engine().get_stats())
    return counts


def checks(params: dict[str, Any]) -> list[Check]:
    return engine().doctor(quick=True)


def backup(params: dict[str, Any]) -> dict[str, str]:
    return {"file": engine().backup().name}


def export(params: dict[str, Any]) -> Response:
    return pages.exported(params["research_id"], params["format"], params["texts"])


def archive(params: dict[str, Any]) -> Response:
    """Several researches in one ZIP archive."""
    names = list(dict.fromkeys(params["id"]))
    if len(names) > MANY:
        raise BadRequest(f"Up to {MANY} reports at once.")
    return history.export(names, params["format"])


def formats(params: dict[str, Any]) -> list[dict[str, str]]:
    return [{"name": name, "label": label, "suffix": suffix} for name, label, suffix in engine().export_formats()]
