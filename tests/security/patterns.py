"""Every regular expression of the program, and texts made from each one to make it slow.

A pattern is found where it is written: a literal is taken from the source, an expression at the top
of a module is evaluated there, and what a function builds while it runs stands in BUILT below with
an instance of it.
"""

import ast
import importlib
import re
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from re import (
    _constants as codes,  # type: ignore[attr-defined]
    _parser as parser,  # type: ignore[attr-defined]
)
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FLOORS = ("tools", "engine", "workflows", "ui")
CALLS = frozenset("compile match search fullmatch sub subn split findall finditer".split())
ANCHORED = frozenset(("match", "fullmatch"))


@dataclass(frozen=True, slots=True)
class Written:
    """A pattern and where it stands: `file:name`, or `file:line` without a name.

    anchored: only ever tried at the start of a text.
    """

    where: str
    pattern: re.Pattern[Any]
    anchored: bool


@dataclass(frozen=True, slots=True)
class Unknown:
    """A pattern that is put together while the program runs: `file:function`."""

    where: str


def written() -> Iterator[Written | Unknown]:
    """All patterns of the four floors, in the order of files."""
    for floor in FLOORS:
        for file in sorted((ROOT / floor).rglob("*.py")):
            text = file.read_text()
            if "re." in text:
                yield from _Reader(file, text).patterns()


class _Reader:
    """Reads one module."""

    def __init__(self, file: Path, text: str) -> None:
        self.file = file
        self.name = str(file.relative_to(ROOT))
        self.tree = ast.parse(text)
        self._module: dict[str, Any] | None = None
        self._used = self._methods()

    def patterns(self) -> Iterator[Written | Unknown]:
        yield from self._inside(self.tree, "")

    def _inside(self, node: ast.AST, function: str) -> Iterator[Written | Unknown]:
        for child in ast.iter_child_nodes(node):
            is_function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            here = child.name if is_function and not function else function  # type: ignore[attr-defined]
            if _is_call(child):
                yield from self._read(child, node, here)  # type: ignore[arg-type]
            yield from self._inside(child, here)

    def _read(self, call: ast.Call, parent: ast.AST, function: str) -> Iterator[Written | Unknown]:
        names = [t.id for t in getattr(parent, "targets", ()) if isinstance(t, ast.Name)]
        where = f"{self.name}:{names[0] if names else call.lineno}"
        try:
            pattern = self._value(call)
        except (NameError, AttributeError, KeyError, TypeError):
            yield Unknown(f"{self.name}:{function}")
            return
        method = call.func.attr  # type: ignore[attr-defined]
        used = self._used.get(names[0], set()) if names else set()
        anchored = method in ANCHORED or (method == "compile" and bool(used) and used <= ANCHORED)
        yield Written(where, pattern, anchored)

    def _value(self, call: ast.Call) -> re.Pattern[Any]:
        """Evaluated as it stands: a literal alone, anything else with the names of its module."""
        first = _Escaped().visit(call.args[0])
        space: dict[str, Any] = {"re": re} if isinstance(first, ast.Constant) else self._names()
        pattern = _evaluated(first, space)
        flags = 0
        for argument in [a for a in call.args[1:] if "re." in ast.unparse(a)] + [
            k.value for k in call.keywords
        ]:
            value = _evaluated(argument, {**space, "re": re})
            flags |= int(value) if isinstance(value, re.RegexFlag) else 0
        return re.compile(pattern, flags)

    def _names(self) -> dict[str, Any]:
        if self._module is None:
            self._module = vars(
                importlib.import_module(self.name[:-3].replace("/", ".").removesuffix(".__init__"))
            )
        return self._module

    def _methods(self) -> dict[str, set[str]]:
        """Name of a variable -> the methods that are called on it in this module; "" when it is
        used otherwise."""
        attributes: dict[str, set[str]] = {}
        called: set[int] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                attributes.setdefault(node.value.id, set()).add(node.attr)
                called.add(id(node.value))
        for node in ast.walk(self.tree):
            if (
                isinstance(node, ast.Name)
                and isinstance(node.ctx, ast.Load)
                and id(node) not in called
            ):
                attributes.setdefault(node.id, set()).add("")
        return attributes


class _Escaped(ast.NodeTransformer):
    """Escaped words in a pattern stand for any word: "aa" is one."""

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.expr:
        is_escaped = ast.unparse(node.value).startswith("re.escape(")
        return ast.copy_location(ast.Constant("aa"), node) if is_escaped else node


def _is_call(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in CALLS
    )


def _evaluated(node: ast.expr, space: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "<pattern>", "eval"), space)  # our own source


# -- texts that hurt -------------------------------------------------------------------------------

ENDS = ("\x00", "\n")
# What stands in no pattern by itself is tried with all of them
PLAIN = (*"a0 \n.<([", "A ", "a.", "0,", "a-", "a\n", " \n", "<a ")


def hostile(pattern: re.Pattern[Any], size: int) -> Iterator[str]:
    """Texts of about `size` characters: repetitions of what the pattern repeats, after what leads
    there."""
    for lead, unit in _repeated(pattern, [("", unit) for unit in PLAIN]):
        for end in ENDS:
            yield lead + unit * max(1, size // len(unit)) + end


def short(pattern: re.Pattern[Any]) -> Iterator[str]:
    """The same with 24 repetitions, enough for anything exponential."""
    for lead, unit in _repeated(pattern, []):
        yield lead + unit * 24 + "\x00"
        yield lead + unit * 24 + "x"


def _repeated(pattern: re.Pattern[Any], more: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """(lead, what to repeat), each once."""
    pumps = more + list(_pumps(list(parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)), ""))
    yield from dict.fromkeys(
        pair for lead, body in pumps if body for pair in ((lead, body), ("", lead + body))
    )


def _pumps(nodes: list[Any], before: str) -> Iterator[tuple[str, str]]:
    """(what stands before, what is repeated) for each repetition in a parsed pattern."""
    for code, value in nodes:
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            _, most, inner = value
            if most > 8:
                for sample in _samples(list(inner)):
                    yield before, sample
            yield from _pumps(list(inner), before)
        for inner in _children(code, value):
            yield from _pumps(list(inner), before)
        before += next(_samples([(code, value)]), "")


def _children(code: Any, value: Any) -> list[Any]:
    if code is codes.SUBPATTERN:
        return [value[3]]
    if code is codes.BRANCH:
        return list(value[1])
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [value[1]]
    if code is codes.ATOMIC_GROUP:
        return [value]
    return []


def _samples(nodes: list[Any], most: int = 12) -> Iterator[str]:
    """Some texts that the nodes match, the plainest first."""
    texts = [""]
    for node in nodes:
        texts = [text + piece for piece in _pieces(*node) for text in texts][:most]
    yield from dict.fromkeys(texts)


def _pieces(code: Any, value: Any) -> list[str]:
    if code is codes.LITERAL:
        return [chr(value)]
    if code is codes.NOT_LITERAL:
        return [next(c for c in "a 0\n" if ord(c) != value)]
    if code is codes.ANY:
        return ["a", " "]
    if code is codes.IN:
        return _of_class(value)
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        inner = list(islice(_samples(list(value[2])), 4))
        return [piece * max(1, value[0]) for piece in inner] + ([""] if value[0] == 0 else [])
    if code is codes.BRANCH:
        return [next(_samples(list(branch)), "") for branch in value[1]][:12]
    if code is codes.SUBPATTERN:
        return list(islice(_samples(list(value[3])), 6))
    if code is codes.ATOMIC_GROUP:
        return list(islice(_samples(list(value)), 6))
    return [""]


CATEGORY = {
    codes.CATEGORY_DIGIT: "0", codes.CATEGORY_NOT_DIGIT: "a", codes.CATEGORY_SPACE: " ",
    codes.CATEGORY_NOT_SPACE: "a", codes.CATEGORY_WORD: "a", codes.CATEGORY_NOT_WORD: " ",
}  # fmt: skip


def _of_class(value: Any) -> list[str]:
    """A few characters of [...]."""
    if value[0][0] is codes.NEGATE:
        wrong = {chr(v) for code, v in value if code is codes.LITERAL}
        return [sign for sign in 'a 0."\n<(' if sign not in wrong][:3]
    characters = []
    for code, inner in value:
        if code is codes.LITERAL:
            characters.append(chr(inner))
        elif code is codes.RANGE:
            characters.append(chr(inner[0]))
        elif code is codes.CATEGORY:
            characters.append(CATEGORY.get(inner, "a"))
    return list(dict.fromkeys(characters))[:6]


# -- time ------------------------------------------------------------------------------------------


class TooSlow(Exception):
    """A pattern took longer than it may."""


def seconds(work: Callable[[], object], limit: float) -> float:
    """Processor seconds of a call; `limit` when it was stopped there."""

    def stop(signum: int, frame: FrameType | None) -> None:
        raise TooSlow

    previous = signal.signal(signal.SIGVTALRM, stop)
    begun = time.process_time()
    try:
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, limit)
            work()
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except TooSlow:
        return max(limit, time.process_time() - begun)
    finally:
        signal.signal(signal.SIGVTALRM, previous)
    return time.process_time() - begun


def run(pattern: Written, text: str) -> None:
    """Use a pattern as its module does, on a text of its kind."""
    subject: Any = (
        text if isinstance(pattern.pattern.pattern, str) else text.encode("utf-8", "replace")
    )
    if pattern.anchored:
        pattern.pattern.match(subject)
        pattern.pattern.fullmatch(subject)
        return
    for _ in pattern.pattern.finditer(subject):
        pass
