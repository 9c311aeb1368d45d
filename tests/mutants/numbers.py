"""Finds the numbers that decide what a report says, in modules and in tables."""

import ast
import math
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STEP = 0.2  # how far each number is moved, as a share of it
_COUNTED_IN_CODE = 3  # whole numbers below this in the midst of code are structure: pairs, singles


@dataclass(frozen=True)
class Number:
    """A number in a file, and where a test run learns what depends on it.

    name: the constant or function that it stands in, with its place among the numbers there.
    """

    path: str
    line: int
    start: int  # in bytes of the line, as ast counts
    end: int
    value: float
    name: str
    text: str

    def moved(self) -> tuple[str, str]:
        """The number a fifth smaller and a fifth larger; whole numbers by one at least."""
        if "." not in self.text and "e" not in self.text:
            low, high = math.floor(self.value * (1 - STEP)), math.ceil(self.value * (1 + STEP))
            return str(low), str(high)
        return f"{self.value * (1 - STEP):.12g}", f"{self.value * (1 + STEP):.12g}"


def in_module(path: Path) -> Iterator[Number]:
    """The numbers of a Python file that decide something.

    Constants of a module and defaults of a class, all but 0 (and defaults of 1); in functions
    fractions, and whole numbers above 2 that something is compared with. Places in a list, digits
    of rounding and sizes of caches decide nothing.
    """
    source = path.read_text("utf-8")
    lines = source.encode().splitlines()
    tree = ast.parse(source)
    passed = set(_passed_over(tree))
    for name, node, inside in _constants(tree):
        if id(node) in passed or not _decides(node, inside):
            continue
        text = lines[node.lineno - 1][node.col_offset : node.end_col_offset].decode()
        yield Number(
            path.relative_to(ROOT).as_posix(), node.lineno, node.col_offset,
            node.end_col_offset or 0,
            float(node.value), name, text.replace("_", ""),
        )  # fmt: skip


def in_table(path: Path) -> Iterator[Number]:
    """The numbers of a TOML file, by line; lists of strings have none."""
    section, seen = "", set()
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if match := re.match(r"\[+([\w.-]+)\]+", line):
            section = match.group(1)
        if not (match := re.match(r'("?[\w.-]+"?)\s*=\s*(-?\d+(?:\.\d+)?)\s*(?:#.*)?$', line)):
            continue
        value = float(match.group(2))
        if value == 0:
            continue
        name = f"{section}.{match.group(1)}"
        if name in seen:
            name += f" (line {number})"
        seen.add(name)
        yield Number(
            path.relative_to(ROOT).as_posix(), number, *match.span(2), value, name, match.group(2)
        )
    tomllib.loads(path.read_text("utf-8"))


def _decides(node: ast.Constant, inside: str) -> bool:
    value = abs(node.value)
    if inside == "module":
        return value != 0
    if inside == "class":
        return value not in (0, 1)
    if isinstance(node.value, float):
        return value not in (0, 1)
    return inside == "compare" and value >= _COUNTED_IN_CODE


def _constants(tree: ast.Module) -> Iterator[tuple[str, ast.Constant, str]]:
    """(name, number, where it stands: module, class, compare or code)."""

    def walk(node: ast.AST, name: str, inside: str) -> Iterator[tuple[str, ast.Constant, str]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Constant):
                if isinstance(child.value, int | float) and not isinstance(child.value, bool):
                    yield name, child, inside
            elif isinstance(child, ast.FunctionDef):
                for part in child.body:
                    yield from walk(part, f"{name}.{child.name}".lstrip("."), "code")
            elif isinstance(child, ast.ClassDef):
                yield from walk(child, f"{name}.{child.name}".lstrip("."), "class")
            elif isinstance(child, ast.Assign | ast.AnnAssign) and inside in {"module", "class"}:
                target = child.targets[0] if isinstance(child, ast.Assign) else child.target
                yield from walk(child, f"{name}.{ast.unparse(target)}".lstrip("."), inside)
            else:
                yield from walk(
                    child, name, "compare" if isinstance(child, ast.Compare) else inside
                )

    yield from walk(tree, "", "module")


def _passed_over(tree: ast.Module) -> Iterator[int]:
    """Ids of the nodes of numbers that are no decision."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Constant):
            yield from (id(child) for child in ast.walk(node.slice))
        elif isinstance(node, ast.Subscript):
            yield id(node.slice)
        elif isinstance(node, ast.FormattedValue) and node.format_spec:
            yield from (id(child) for child in ast.walk(node.format_spec))
        elif (
            isinstance(node, ast.Call)
            and getattr(node.func, "id", "") == "round"
            and len(node.args) > 1
        ):
            yield id(node.args[1])
        elif isinstance(node, ast.FunctionDef):
            yield from (
                id(child) for decorator in node.decorator_list for child in ast.walk(decorator)
            )
