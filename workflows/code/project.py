"""What kind of project is this folder? Languages, framework, entry points, tests, conventions, and its own checks."""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tools.errors import ZororaError
from tools.host.files import list_files, open_text
from tools.host.place import Workplace, is_secret

_LISTED = 200  # files named to a model
_SUFFIXES = {
    ".py": "Python", ".js": "JavaScript", ".mjs": "JavaScript", ".jsx": "JavaScript", ".ts": "TypeScript",
    ".tsx": "TypeScript", ".go": "Go", ".rs": "Rust",
}  # fmt: skip
_ENTRIES = re.compile(
    r"(?:^|/)(?:__main__|main|app|manage|cli|wsgi|asgi|server|index)\.(?:py|js|mjs|ts|tsx|go)$|^src/(?:main|lib)\.rs$|^cmd/[^/]+/main\.go$"
)
_TESTS = re.compile(r"(?:^|/)(?:tests?|__tests__)/|(?:^|/)test_[^/]+\.py$|_test\.(?:py|go)$|\.(?:test|spec)\.[jt]sx?$")
_PYTHON_FRAMEWORKS = ("django", "flask", "fastapi", "starlette", "tornado", "click", "typer")
_NODE_FRAMEWORKS = ("next", "react", "vue", "svelte", "@angular/core", "express", "fastify", "koa")


@dataclass(frozen=True, slots=True)
class Check:
    """A command of the project itself. kind: lint, types or tests. words: the program and its arguments."""

    kind: str
    words: tuple[str, ...]

    @property
    def shown(self) -> str:
        """As it would be typed."""
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class Project:
    """A project by its files. languages: most files first. checks: to be run only when a person agrees."""

    languages: tuple[str, ...] = ()
    frameworks: tuple[str, ...] = ()
    entry_points: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    conventions: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    files: tuple[str, ...] = ()

    def described(self) -> str:
        """For people and models."""
        rows = (
            ("languages", self.languages), ("frameworks", self.frameworks), ("entry points", self.entry_points[:8]),
            ("tests", self.tests[:8]), ("conventions", self.conventions),
            ("checks", tuple(check.shown for check in self.checks)),
        )  # fmt: skip
        lines = [f"{name}: {', '.join(values) or 'none found'}" for name, values in rows]
        more = len(self.files) - _LISTED
        files = [*self.files[:_LISTED], *([f"and {more} more"] if more > 0 else [])]
        return "\n".join([*lines, "files:", *files])


def explore(place: Workplace) -> Project:
    """Read the project of a working directory. Files that hold secrets are neither read nor named."""
    listed = [line.strip() for line in list_files(place, ".", recursive=True).splitlines()]
    files = tuple(name for name in listed if place_of_file(place, name))
    counts = Counter(kind for name in files if (kind := _SUFFIXES.get(_suffix(name))))
    languages = tuple(sorted(counts, key=lambda kind: (-counts[kind], kind)))
    needs = set(_needed(place, files))
    return Project(
        languages=languages,
        frameworks=tuple(name for name in (*_PYTHON_FRAMEWORKS, *_NODE_FRAMEWORKS) if name in needs),
        entry_points=tuple(name for name in files if _ENTRIES.search(name) and not _TESTS.search(name)),
        tests=tuple(name for name in files if _TESTS.search(name)),
        conventions=tuple(_conventions(place, files)),
        checks=tuple(_checks(place, files)),
        files=files,
    )


def place_of_file(place: Workplace, name: str) -> bool:
    """Whether a listed line names a plain file that may be shown."""
    if not name or name.endswith("/") or is_secret(tuple(name.split("/"))):
        return False
    return (place.root / name).is_file()


def _suffix(name: str) -> str:
    return "." + name.rpartition(".")[2] if "." in name.rpartition("/")[2] else ""


def _read(place: Workplace, name: str) -> str:
    try:
        return open_text(place, name)
    except ZororaError:
        return ""  # a project is described by what can be read


def _toml(place: Workplace, name: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads(_read(place, name))
    except tomllib.TOMLDecodeError:
        return {}


def _package(place: Workplace) -> Mapping[str, Any]:
    try:
        found = json.loads(_read(place, "package.json") or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _table(data: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    for name in names:
        data = data.get(name, {}) if isinstance(data, dict) else {}
    return data if isinstance(data, dict) else {}


def _needed(place: Workplace, files: Sequence[str]) -> Iterator[str]:
    """Names of the packages a project needs."""
    if "pyproject.toml" in files:
        listed = _table(_toml(place, "pyproject.toml"), "project").get("dependencies", [])
        yield from (_name_of(str(line)) for line in listed if isinstance(listed, list))
    for name in files:
        if re.fullmatch(r"requirements[\w-]*\.txt", name):
            yield from (_name_of(line) for line in _read(place, name).splitlines())
    package = _package(place)
    for table in ("dependencies", "devDependencies"):
        yield from _table(package, table)


def _name_of(requirement: str) -> str:
    found = re.match(r"\s*([A-Za-z0-9_.-]+)", requirement)
    return found[1].lower() if found else ""


def _checks(place: Workplace, files: Sequence[str]) -> Iterator[Check]:
    """The project's own linters, type checkers and tests, by its files."""
    if any(_suffix(name) == ".py" for name in files):
        yield from _python_checks(place, files)
    if "package.json" in files:
        scripts = _table(_package(place), "scripts")
        if "lint" in scripts:
            yield Check("lint", ("npm", "run", "--silent", "lint"))
        if "tsconfig.json" in files:
            yield Check("types", ("tsc", "--noEmit"))
        if "test" in scripts:
            yield Check("tests", ("npm", "test", "--silent"))
    if "go.mod" in files:
        yield Check("lint", ("go", "vet", "./..."))
        yield Check("tests", ("go", "test", "./..."))
    if "Cargo.toml" in files:
        yield Check("lint", ("cargo", "check", "--quiet"))
        yield Check("tests", ("cargo", "test", "--quiet"))


def _python_checks(place: Workplace, files: Sequence[str]) -> Iterator[Check]:
    tools = _table(_toml(place, "pyproject.toml"), "tool") if "pyproject.toml" in files else {}
    if "ruff" in tools or {"ruff.toml", ".ruff.toml"} & set(files):
        yield Check("lint", ("ruff", "check", "."))
    elif ".flake8" in files:
        yield Check("lint", ("flake8",))
    if "mypy" in tools or "mypy.ini" in files:
        yield Check("types", ("mypy", "."))
    if any(_TESTS.search(name) for name in files if name.endswith(".py")):
        pytest = "pytest" in tools or any(
            "import pytest" in _read(place, name) for name in files if _TESTS.search(name)
        )
        words = ("-m", "pytest", "-q") if pytest else ("-m", "unittest", "discover", "-q")
        yield Check("tests", ("python3", *words))


def _conventions(place: Workplace, files: Sequence[str]) -> Iterator[str]:
    """Indentation, quotes and line length, as the first files of the main language have them."""
    shown = [name for name in files if _suffix(name) in _SUFFIXES][:12]
    text = "\n".join(_read(place, name)[:20_000] for name in shown)
    indents = Counter(len(m[1]) if m[1][0] == " " else 0 for m in re.finditer(r"^([ \t]+)\S", text, re.M))
    if indents:
        tabs = indents.get(0, 0) > sum(indents.values()) / 2
        yield "indented by tabs" if tabs else f"indented by {2 if indents.get(2, 0) > indents.get(4, 0) else 4} spaces"
    if text:
        yield "double quotes" if text.count('"') >= text.count("'") else "single quotes"
        yield f"lines up to {max(80, min(120, max(map(len, text.splitlines()), default=80)))} characters"
