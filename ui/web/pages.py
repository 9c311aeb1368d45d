"""The page families, in one place. A new one is a file with a blueprint `bp` and a line here."""

from ui.web import (
    asked,
    bring_in,
    compare,
    feed,
    follow_up,
    help,
    history,
    home,
    library,
    marks,
    matrix,
    models,
    questions,
    research,
    settings,
    steer,
)
from ui.web.api import routes

BLUEPRINTS = (
    home.bp,
    research.bp,
    asked.bp,
    follow_up.bp,
    steer.bp,
    marks.bp,
    matrix.bp,
    history.bp,
    compare.bp,
    bring_in.bp,
    library.bp,
    questions.bp,
    settings.bp,
    models.bp,
    help.bp,
    feed.bp,
    routes.bp,
    routes.short,
)
