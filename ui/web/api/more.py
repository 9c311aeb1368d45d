"""Views of the JSON interface for what came after the first ones: import, compare, again, folders, lists."""

from typing import Any

from flask import request
from werkzeug.exceptions import BadRequest

from engine.answers import ClientStatus, DataList, Imported, JobStatus
from engine.library.folder_watch import WatchState
from engine.models import IngestedFile, Refused, Turn
from engine.reports.about_reports import Comparison
from ui.web import forms
from ui.web.api.research import loaded
from ui.web.background.indexing import Indexed, Prepared, Report
from ui.web.context import engine
from ui.web.pages import research as pages
from ui.web.pages.library import forget_folder, indexing, set_watching
from ui.web.pages.record_import import MOST
from ui.web.pages.settings import updating
from ui.web.security import served_here


def bring_in(params: dict[str, Any]) -> Imported:
    """One record: the file of a multipart form, field "files"."""
    files = [item for item in request.files.getlist("files") if item.filename]
    if len(files) != 1:
        raise BadRequest('Send one record as multipart/form-data in the field "files".')
    return engine().import_record(files[0].stream.read(MOST + 1))


def compare(params: dict[str, Any]) -> Comparison:
    return engine().compare(params["a"], params["b"])


def again(params: dict[str, Any]) -> JobStatus:
    """The same question anew."""
    return engine().status(pages.start_again(params["research_id"], params["deeper"]))


def conversation(params: dict[str, Any]) -> tuple[Turn, ...]:
    return loaded(params["research_id"]).conversation


def further(params: dict[str, Any]) -> JobStatus:
    """Search on, on the same record."""
    return engine().status(
        engine().asking.follow_ups.further(params["research_id"], forms.question(params["question"]))
    )


def add_folder(params: dict[str, Any]) -> Indexed:
    """Add a folder of the computer that the server runs on, and begin to read it."""
    own_computer()
    front, path = engine(), params["path"]
    front.add_root(path)
    return read([path])


def remove_folder(params: dict[str, Any]) -> list[str]:
    """Read a folder no longer; the folders that are left."""
    return forget_folder(params["path"])


def refresh(params: dict[str, Any]) -> Indexed:
    return read(engine().roots())


def read(folders: list[str]) -> Indexed:
    """Read folders in the background; how far it is. One that begins while another goes on waits for a refresh."""
    front = engine()

    def work(report: Report) -> tuple[IngestedFile, ...]:
        return front.ingest(folders, progress=report).files

    indexing().start(work, wait=0.0)
    return indexing().state


def meaning(params: dict[str, Any]) -> Prepared:
    return Prepared(*engine().preparing())


def reading(params: dict[str, Any]) -> Indexed:
    return indexing().state


def stop_reading(params: dict[str, Any]) -> Indexed:
    indexing().stop()
    return indexing().state


def watching(params: dict[str, Any]) -> WatchState:
    return engine().watching()


def watch(params: dict[str, Any]) -> WatchState:
    own_computer()
    return set_watching(params["on"])


def own_computer() -> None:
    if not served_here():
        raise Refused("Folders can be added only while the page is served to this computer alone.")


def data_lists(params: dict[str, Any]) -> list[DataList]:
    return engine().data_lists()


def update_data(params: dict[str, Any]) -> Indexed:
    """Update the lists in the background; how far it is, after `wait` seconds at the latest."""
    front = engine()

    def work(report: Report) -> None:
        front.update_data(progress=report)

    updating().start(work, wait=params["wait"])
    return updating().state


def updating_data(params: dict[str, Any]) -> Indexed:
    return updating().state


def check_sources(params: dict[str, Any]) -> list[ClientStatus]:
    return engine().check_sources(tuple(params["names"] or ()))
