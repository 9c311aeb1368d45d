"""An Atom feed of finished researches (RFC 4287)."""

from flask import Blueprint, Response, make_response, render_template, request

from engine.answers import HistoryQuery
from engine.models import RunStatus
from ui.web.context import engine

bp = Blueprint("feed", __name__)


@bp.get("/feed.atom")
def atom() -> Response:
    page = engine().history(HistoryQuery(status=(RunStatus.COMPLETE, RunStatus.PARTIAL), limit=30))
    answer = make_response(render_template("feed.xml", entries=page.entries, root=request.url_root))
    answer.headers["Content-Type"] = "application/atom+xml; charset=utf-8"
    return answer
