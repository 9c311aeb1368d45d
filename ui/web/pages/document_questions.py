"""Documents against questions: one column a question, the best passage of each document in its
cell."""

from flask import Blueprint, Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.library.document_questions import DocumentRow, filter_rows, table_csv
from engine.models import ConfigError, Passage
from engine.reports.matrix import figure_in
from ui.web.context import attachment, engine
from ui.web.scope import Scope, scope
from ui.web.views.quote_trimming import cut

bp = Blueprint("questions", __name__)

QUESTIONS, LONGEST = 8, 500  # questions, and characters of one
ROWS = 50
SHORT = 180  # characters of a passage
SORTS = {"title": "Title", "date": "Date, newest first", "filled": "Cells filled"}


@bp.get("/library/questions")
def show() -> ResponseReturnValue:
    """?ask= (questions, one a line), ?doc= or ?folder=, ?sort=, ?q= (words), ?all=1."""
    questions, problem, limited = questions_asked(), "", None
    try:
        limited = scope(request.args)
    except ConfigError as error:
        problem, questions = str(error), []
    sort = request.args.get("sort", "")
    rows = table_rows(questions, limited, sort)
    most = len(rows) if request.args.get("all") == "1" else ROWS
    page = render_template(
        "questions.html", questions=questions, problem=problem, scope=limited, total=len(rows),
        left=len(rows) - most,
        rows=[(row.document, _cells(row, questions)) for row in rows[:most]],
        sort=sort, sorts=SORTS, text=request.args.get("q", ""), most=QUESTIONS,
    )  # fmt: skip
    return page, 400 if problem else 200


@bp.get("/library/questions.csv")
def as_csv() -> Response:
    """The same table, whole."""
    questions = questions_asked()
    rows = table_rows(questions, scope(request.args), request.args.get("sort", ""))
    return attachment(
        table_csv(questions, rows), "text/csv; charset=utf-8", "documents-and-questions.csv"
    )


def questions_asked() -> list[str]:
    """The questions of the address, each once."""
    lines = (
        " ".join(line.split())[:LONGEST]
        for text in request.args.getlist("ask")
        for line in text.splitlines()
    )
    return list(dict.fromkeys(line for line in lines if line))[:QUESTIONS]


def table_rows(questions: list[str], limited: Scope | None, sort: str) -> list[DocumentRow]:
    if questions:
        rows = engine().asking.document_table(questions, limited.ids if limited else None)
    else:
        rows = ()
    return filter_rows(rows, sort, request.args.get("q", "")[:200])


def _cells(row: DocumentRow, questions: list[str]) -> list[tuple[str, str, str]]:
    """For each question a passage in short, its first figure, and where it stands; empty where the
    document says nothing."""
    return [
        _cell(passage, row.document.document_id, question) if passage else ("", "", "")
        for passage, question in zip(row.passages, questions, strict=True)
    ]


def _cell(passage: Passage, document_id: str, question: str) -> tuple[str, str, str]:
    quote = cut(passage.text, question, SHORT)
    href = url_for(
        "library.document",
        document_id=document_id,
        start=passage.start,
        end=passage.end,
        _anchor="p1",
    )
    return quote, figure_in(quote), href
