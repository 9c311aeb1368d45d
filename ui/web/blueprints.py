"""The page families, in one place. A new one is a file with a blueprint `bp` and a line here."""

from ui.web.api import routes
from ui.web.pages import (
    compare,
    document_questions,
    follow_up,
    help,
    history,
    home,
    library,
    marks,
    matrix,
    models,
    record_import,
    research,
    revisions,
    run,
    settings,
    side_questions,
)

BLUEPRINTS = (
    home.bp,
    research.bp,
    run.bp,
    side_questions.bp,
    follow_up.bp,
    revisions.bp,
    marks.bp,
    matrix.bp,
    history.bp,
    compare.bp,
    record_import.bp,
    library.bp,
    document_questions.bp,
    settings.bp,
    models.bp,
    help.bp,
    routes.bp,
    routes.short,
)
