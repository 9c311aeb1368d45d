"""What kind of project is this folder? Languages, framework, entry points, tests, conventions, and
its own checks."""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tools.host.files import files_below, text_if_readable
from tools.host.place import Workplace, is_secret
from workflows.code.protected import is_test
from workflows.code.symbols import LANGUAGES, suffix_of

_LISTED = 200  # files named to a model
_WALKED = 10_000  # files looked at
_OPENED = 200  # test files that are read to see what they are written for
_ENTRIES = re.compile(
    r"(?:^|/)(?:__main__|main|app|manage|cli|wsgi|asgi|server|index)\.(?:py|js|mjs|ts|tsx|go)$|^src/(?:main|lib)\.rs$|^cmd/[^/]+/main\.go$"
)
_PYTEST = re.compile(r"^(?:import pytest|from pytest|(?:async )?def test_)", re.M)
_PYTHON_FRAMEWORKS = ("django", "flask", "fastapi", "starlette", "tornado", "click", "typer")
_NODE_FRAMEWORKS = ("next", "react", "vue", "svelte", "@angular/core", "express", "fastify", "koa")
_OTHER_FRAMEWORKS = ("gin", "echo", "fiber", "chi", "actix-web", "axum", "rocket", "warp")
_SETTINGS_FILES = {
    "ruff.toml": "ruff", ".ruff.toml": "ruff", ".flake8": "flake8", "mypy.ini": "mypy",
    ".mypy.ini": "mypy",
}  # fmt: skip
_MODULE = re.compile(r"^(?:require)?[ \t]{1,8}(\S{1,200}) v\d", re.M)
_VERSION = re.compile(r"/v\d{1,3}$")


@dataclass(frozen=True, slots=True)
class Check:
    """A command of the project itself. kind: lint, types or tests. words: the program and its
    arguments."""

    kind: str
    words: tuple[str, ...]

    @property
    def command(self) -> str:
        """As it would be typed."""
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class Project:
    """A project by its files. languages: most files first. checks: to be run only when a person
    agrees.

    more: there are files that were not looked at.
    """

    languages: tuple[str, ...] = ()
    frameworks: tuple[str, ...] = ()
    entry_points: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    conventions: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    files: tuple[str, ...] = ()
    more: bool = False

    def described(self) -> str:
        """For people and models."""
        rows = (
            ("languages", self.languages), ("frameworks", self.frameworks),
            ("entry points", self.entry_points[:8]),
            ("tests", self.tests[:8]), ("conventions", self.conventions),
            ("checks", tuple(check.command for check in self.checks)),
        )  # fmt: skip
        lines = [f"{name}: {', '.join(values) or 'none found'}" for name, values in rows]
        # Hundreds of pages of documentation must not hide the code
        names = sorted(
            self.files, key=lambda name: "/" in name and suffix_of(name) not in LANGUAGES
        )[:_LISTED]
        more = len(self.files) - _LISTED
        remainder = [f"and {more} more"] if more > 0 else []
        return "\n".join(
            [*lines, "files:", *names, *remainder, *([self.left_out()] if self.more else [])]
        )

    def left_out(self) -> str:
        """What was not looked at, in a sentence."""
        return (
            f"There are more files than the first {len(self.files)}; the deepest folders were "
            "not looked at."
        )


def explore(place: Workplace) -> Project:
    """Read the project of a working directory. Files that hold secrets are neither read nor
    named."""
    listed, more = files_below(place, _WALKED)
    files = tuple(name for name in listed if not is_secret(tuple(name.split("/"))))
    counts = Counter(kind for name in files if (kind := LANGUAGES.get(suffix_of(name))))
    languages = tuple(sorted(counts, key=lambda kind: (-counts[kind], kind)))
    needs = set(_needed(place, files))
    return Project(
        languages=languages,
        frameworks=tuple(
            name
            for name in (*_PYTHON_FRAMEWORKS, *_NODE_FRAMEWORKS, *_OTHER_FRAMEWORKS)
            if name in needs
        ),
        entry_points=tuple(name for name in files if _ENTRIES.search(name) and not is_test(name)),
        tests=tuple(filter(is_test, files)),
        conventions=tuple(_conventions(place, files)),
        checks=tuple(_checks(place, files)),
        files=files,
        more=more,
    )


def _toml(place: Workplace, name: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads(text_if_readable(place, name))
    except tomllib.TOMLDecodeError:
        return {}


def _package(place: Workplace) -> Mapping[str, Any]:
    try:
        package = json.loads(text_if_readable(place, "package.json") or "{}")
    except ValueError:
        return {}
    return package if isinstance(package, dict) else {}


def _table(data: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    for name in names:
        data = data.get(name, {}) if isinstance(data, dict) else {}
    return data if isinstance(data, dict) else {}


def _needed(place: Workplace, files: Sequence[str]) -> Iterator[str]:
    """Names of the packages a project needs, also for its tests. A file that is not there is read
    as empty."""
    yield from _needed_by_python(_toml(place, "pyproject.toml"))
    for name in files:
        if re.fullmatch(
            r"(?:requirements/)?[\w-]{0,60}requirements[\w-]{0,60}\.txt|requirements/[\w-]{1,60}\.txt",
            name,
        ):
            yield from (_name_of(line) for line in text_if_readable(place, name).splitlines())
    package = _package(place)
    for table in ("dependencies", "devDependencies"):
        yield from _table(package, table)
    yield from _table(_toml(place, "Cargo.toml"), "dependencies")
    yield from (
        _VERSION.sub("", name).rpartition("/")[2]
        for name in _MODULE.findall(text_if_readable(place, "go.mod"))
    )


def _needed_by_python(data: Mapping[str, Any]) -> Iterator[str]:
    """By pyproject.toml, in the standard's tables and in those of Poetry."""
    project, poetry = _table(data, "project"), _table(data, "tool", "poetry")
    groups = {**_table(project, "optional-dependencies"), **_table(data, "dependency-groups")}
    for listed in (project.get("dependencies", []), *groups.values()):
        yield from (_name_of(str(line)) for line in listed if isinstance(listed, list))
    dependency_groups = _table(poetry, "group")
    for table in (poetry, *(_table(dependency_groups, name) for name in dependency_groups)):
        yield from (name.lower() for name in _table(table, "dependencies"))


def _name_of(requirement: str) -> str:
    match = re.match(r"\s*([A-Za-z0-9_.-]+)", requirement)
    return match[1].lower() if match else ""


def _checks(place: Workplace, files: Sequence[str]) -> Iterator[Check]:
    """The project's own linters, type checkers and tests, by its files."""
    if any(suffix_of(name) == ".py" for name in files):
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
    tools = {*_table(_toml(place, "pyproject.toml"), "tool"), *_tools_with_settings(place, files)}
    if "ruff" in tools:
        yield Check("lint", ("ruff", "check", "."))
    elif "flake8" in tools:
        yield Check("lint", ("flake8",))
    if "mypy" in tools:
        yield Check("types", ("mypy", "."))
    tests = [name for name in files if is_test(name) and name.endswith(".py")]
    if tests:
        pytest = "pytest" in tools or _written_for_pytest(place, files, tests)
        words = ("-m", "pytest", "-q") if pytest else ("-m", "unittest", "discover", "-q")
        yield Check("tests", ("python3", *words))


def _tools_with_settings(place: Workplace, files: Sequence[str]) -> Iterator[str]:
    """The tools that have a file of settings, or a section in one of the older shared ones."""
    yield from (tool for file, tool in _SETTINGS_FILES.items() if file in files)
    for file in ("setup.cfg", "tox.ini", "pytest.ini", ".pytest.ini"):
        if file in files:
            yield from re.findall(
                r"^\[(?:tool:)?([\w-]{1,60})\]", text_if_readable(place, file), re.M
            )


def _written_for_pytest(place: Workplace, files: Sequence[str], tests: Sequence[str]) -> bool:
    """Tests as plain functions are none to unittest, which finds nothing there and is content."""
    if any(name.rpartition("/")[2] == "conftest.py" for name in files) or "pytest" in _needed(
        place, files
    ):
        return True
    return any(_PYTEST.search(text_if_readable(place, name)) for name in tests[:_OPENED])


def _conventions(place: Workplace, files: Sequence[str]) -> Iterator[str]:
    """Indentation, quotes and line length, as the first files of the main language have them."""
    names = [name for name in files if suffix_of(name) in LANGUAGES][:12]
    text = "\n".join(text_if_readable(place, name)[:20_000] for name in names)
    indents = Counter(
        len(m[1]) if m[1][0] == " " else 0 for m in re.finditer(r"^([ \t]+)\S", text, re.M)
    )
    if indents:
        tabs = indents.get(0, 0) > sum(indents.values()) / 2
        yield (
            "indented by tabs"
            if tabs
            else f"indented by {2 if indents.get(2, 0) > indents.get(4, 0) else 4} spaces"
        )
    if text.strip():
        yield "double quotes" if text.count('"') >= text.count("'") else "single quotes"
        yield (
            "lines up to "
            f"{max(80, min(120, max(map(len, text.splitlines()), default=80)))} characters"
        )
