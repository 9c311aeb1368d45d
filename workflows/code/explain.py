"""Explain a file or a named thing of a project: nothing is written."""

from tools.errors import NotFound
from tools.host.files import open_text
from tools.host.place import Workplace
from tools.models.prompts import fence
from workflows.code.asking import Coder
from workflows.code.context import around
from workflows.code.edit import files_named
from workflows.code.project import explore
from workflows.code.repository_map import RepositoryMap, repository_map
from workflows.code.windows import file_excerpt


def explain(place: Workplace, request: str, coder: Coder) -> str:
    """What the model says of the file or symbol that a request names. NotFound when it names
    neither."""
    repo_map = repository_map(place, explore(place).files)
    names = files_named(place, request) or _defining(repo_map, request)
    if not names:
        raise NotFound(
            "Name a file or something that is defined in one: `/code explain prices.py`, `/code "
            "explain add`."
        )
    name = names[0]
    values = {
        "request": fence(request, "request"),
        "file": fence(file_excerpt(name, open_text(place, name), request, coder.file_room), "file"),
        "context": fence(around(place, repo_map, name, (), request, coder.room - 2000), "context"),
    }
    return coder.text("explain", values).strip()


def _defining(repo_map: RepositoryMap, request: str) -> list[str]:
    """The files that define a name of the request, the first ones of the map first."""
    words = {word.strip("`'\"().,:?") for word in request.split()}
    return [
        name
        for name, file in repo_map.files.items()
        if any(
            words & {symbol.name, symbol.name.rpartition(".")[2]} for symbol in file.outline.symbols
        )
    ]
