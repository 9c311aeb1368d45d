"""Which numbers are moved, and which tests reach the code that reads them."""

import ast
import re
import sqlite3
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from coverage.numbits import numbits_to_nums

from tests.mutants.numbers import ROOT, Number, in_module, in_table

MEASURED = ROOT / "build" / "mutants" / "coverage"
_TIMES = MEASURED.with_name("times.xml")
_SCOPE = tomllib.loads(Path(__file__).with_name("scope.toml").read_text("utf-8"))
# Of the time of all tests, which those of a mutant may take that are not of its room, fastest
# first: about four seconds, more where the machine was busy while they were measured
_SHARE = 1 / 60
_UNTIMED = 0.05


def numbers_in_scope() -> Iterator[Number]:
    """The numbers of the files in scope, without those that scope.toml names as no decision."""
    for pattern in _SCOPE["modules"]:
        for path in sorted(ROOT.glob(pattern)):
            name = path.relative_to(ROOT).as_posix()
            if name not in _SCOPE["no_decision_modules"]:
                yield from (number for number in in_module(path) if not _passed_over(number))
    for name in _SCOPE["tables"]:
        yield from in_table(ROOT / name)


def _passed_over(number: Number) -> bool:
    names = _SCOPE["no_decision"].get(number.path, {})
    return any(number.name == name or number.name.startswith(f"{name}.") for name in names)


def measure() -> None:
    """Runs the tests once, noting which lines of the product each reaches, and how long it
    takes."""
    MEASURED.parent.mkdir(parents=True, exist_ok=True)
    command = [
        sys.executable, "-m", "pytest", "-n", "2", "-q", *_SCOPE["measured"]["tests"],
        *(f"--ignore={path}" for path in _SCOPE["measured"]["ignored"]),
        "--cov=tools", "--cov=workflows", "--cov-context=test", "--cov-report=",
        f"--junitxml={_TIMES}",
    ]  # fmt: skip
    environment = {"COVERAGE_FILE": str(MEASURED)}
    subprocess.run(
        ["env", *(f"{k}={v}" for k, v in environment.items()), *command], cwd=ROOT, check=False
    )


class Reach:
    """What the measured run says."""

    def __init__(self) -> None:
        self._database = sqlite3.connect(MEASURED)
        self._contexts = dict(self._database.execute("SELECT id, context FROM context"))
        files = (
            (number, Path(path))
            for number, path in self._database.execute("SELECT id, path FROM file")
        )
        self._files = {path.relative_to(ROOT).as_posix(): number for number, path in files}
        self._seconds = _read_times()
        self._most_seconds = _SHARE * sum(self._seconds.values())

    def tests_of(self, number: Number) -> list[str]:
        """The tests that reach what reads this number: all of its own room, then the fast ones, for
        a share of the time of all."""
        near = _near(number.path)
        tests = {test for path, lines in _readers(number) for test in self._reaching(path, lines)}
        tests |= {test for test in self._seconds if test.startswith(near)} if near else set()
        ordered = sorted(
            tests,
            key=lambda test: (not test.startswith(near), self._seconds.get(test, _UNTIMED), test),
        )
        chosen, spent = [], 0.0
        for test in ordered:
            if not test.startswith(near):
                spent += self._seconds.get(test, _UNTIMED)
            if spent > self._most_seconds:
                break
            chosen.append(test)
        return chosen

    def _reaching(self, path: str, lines: frozenset[int]) -> Iterator[str]:
        rows = self._database.execute(
            "SELECT context_id, numbits FROM line_bits WHERE file_id = ?",
            (self._files.get(path, -1),),
        )
        for context, bits in rows:
            if lines & set(numbits_to_nums(bits)) and (name := self._contexts[context]):
                yield name.partition("|")[0]


def _near(path: str) -> tuple[str, ...]:
    return tuple(
        test
        for prefix, tests in _SCOPE["near"].items()
        if path.startswith(prefix)
        for test in tests
    )


def _readers(number: Number) -> Iterator[tuple[str, frozenset[int]]]:
    """(file, lines) of the code that reads a number: its own line, or each function that names the
    constant."""
    if number.path.endswith(".toml"):
        for path in _SCOPE["tables"][number.path]:
            yield path, frozenset(range(1, 2000))
        return
    yield number.path, frozenset({number.line})
    if re.fullmatch(r"[\w., ()]+", number.name):
        for name in re.findall(
            r"\w+", number.name.rpartition(".")[2] if "(" not in number.name else number.name
        ):
            yield from _using(name, number.path)


def _using(name: str, home: str) -> Iterator[tuple[str, frozenset[int]]]:
    for path, names in _named_lines().items():
        if name in names and (path == home or not name.startswith("_")):
            yield path, frozenset(names[name])


@cache
def _named_lines() -> dict[str, dict[str, set[int]]]:
    """By file the lines inside functions in which each name is read; a line of several statements
    is its first one."""
    uses: dict[str, dict[str, set[int]]] = {}
    for floor in ("tools", "workflows"):
        for path in sorted((ROOT / floor).rglob("*.py")):
            names = uses.setdefault(path.relative_to(ROOT).as_posix(), {})
            for function in ast.walk(ast.parse(path.read_text("utf-8"))):
                if not isinstance(function, ast.FunctionDef):
                    continue
                for node in ast.walk(function):
                    name = getattr(node, "id", None) or getattr(node, "attr", None)
                    if name and isinstance(getattr(node, "ctx", None), ast.Load):
                        names.setdefault(name, set()).update(
                            {node.lineno, function.body[-1].lineno}
                        )
    return uses


def _read_times() -> dict[str, float]:
    """Seconds of each test."""
    times: dict[str, float] = {}
    for case in ElementTree.parse(_TIMES).iter("testcase"):
        path = case.get("classname", "").replace(".", "/") + ".py"
        times[f"{path}::{case.get('name')}"] = float(case.get("time", 0))
    return times
