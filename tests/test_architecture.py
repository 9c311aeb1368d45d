"""The four floors, and files that stay readable."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ("tools", "workflows", "engine", "ui")  # each may import those before it; ui only engine
FILES = [path for layer in LAYERS for path in sorted((ROOT / layer).rglob("*.py"))]
BROAD = {
    "engine/worker.py": "the job runner",
    "ui/terminal/main.py": "the outermost handler of the terminal",
    "ui/web/errors.py": "the outermost handler of the web page",
    "tools/research/boundary.py": "the source boundary",
    "tools/corpus/parse_worker.py": "the parse worker",
}


def imported_layers(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return {name.split(".")[0] for name in names} & set(LAYERS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down(path: Path) -> None:
    layer = path.relative_to(ROOT).parts[0]
    allowed = {"engine", "ui"} if layer == "ui" else set(LAYERS[: LAYERS.index(layer) + 1])
    assert imported_layers(path) <= allowed


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_stay_readable(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 400


def test_broad_handlers_stand_only_where_they_are_allowed() -> None:
    found = set()
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ExceptHandler) and not isinstance(node.body[-1], ast.Raise):
                kinds = [node.type] if not isinstance(node.type, ast.Tuple) else node.type.elts
                names = {getattr(kind, "id", None) or getattr(kind, "attr", "everything") for kind in kinds}
                if names & {"Exception", "BaseException", "everything"}:
                    found.add(str(path.relative_to(ROOT)))
    assert found <= set(BROAD)


def test_only_the_configuration_reads_the_environment() -> None:
    readers = {str(path.relative_to(ROOT)) for path in FILES if "os.environ" in path.read_text()}
    assert readers <= {"engine/config.py"}
