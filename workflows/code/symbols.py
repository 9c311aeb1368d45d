"""What a source file defines and imports: Python by its syntax tree, other languages by their usual
patterns."""

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

LANGUAGES = {
    ".py": "Python", ".js": "JavaScript", ".mjs": "JavaScript", ".cjs": "JavaScript",
    ".jsx": "JavaScript", ".ts": "TypeScript", ".mts": "TypeScript", ".cts": "TypeScript",
    ".tsx": "TypeScript", ".go": "Go", ".rs": "Rust",
}  # fmt: skip
_NAME = r"([A-Za-z_$][\w$]{0,100})"
_JS = (
    rf"^\s{{0,20}}(?:export\s{{1,5}})?(?:default\s{{1,5}})?(?:async\s{{1,5}})?(?:function\*?|class|interface|type|enum)\s{{1,5}}{_NAME}",
    rf"^\s{{0,20}}(?:export\s{{1,5}})?(?:const|let|var)\s{{1,5}}{_NAME}\s{{0,5}}=\s{{0,5}}(?:async\s{{1,5}})?(?:function|\(|[\w$]{{1,100}}\s{{0,5}}=>)",
    rf"^\s{{0,20}}(?:module\.)?exports\.{_NAME}\s{{0,5}}=",
    rf"^\s{{2,20}}(?:async\s{{1,5}}|static\s{{1,5}}|get\s{{1,5}}|set\s{{1,5}})*(?!if|for|while|switch|catch|return){_NAME}\([^;]{{0,200}}\)\s{{0,5}}\{{",
)
_GO = (rf"^func\s{{1,5}}(?:\([^)]{{1,100}}\)\s{{0,5}})?{_NAME}", rf"^type\s{{1,5}}{_NAME}")
_RUST = (
    rf"^\s{{0,20}}(?:pub(?:\([\w:]{{1,50}}\))?\s{{1,5}})?(?:async\s{{1,5}}|const\s{{1,5}}|unsafe\s{{1,5}})*(?:fn|struct|enum|trait|mod|type|macro_rules!)\s{{1,5}}{_NAME}",
)
_PATTERNS = {"JavaScript": _JS, "TypeScript": _JS, "Go": _GO, "Rust": _RUST}
_IMPORTS = {
    "JavaScript": (r"""(?:\bfrom|\brequire\(|\bimport\(?)\s{0,5}["']([^"'\n]{1,200})["']""",),
    "Go": (r"""^\s{0,8}(?:import\s{1,5})?(?:[\w.]{1,50}\s{1,5})?"([^"\n]{1,200})"$""",),
    "Rust": (
        r"^\s{0,20}(?:pub\s{1,5})?(?:use|mod)\s{1,5}([\w:]{1,200})",
        r"\b([a-z]\w{0,60}(?:::\w{1,60}){1,4})",
    ),
}
_IMPORTS["TypeScript"] = _IMPORTS["JavaScript"]


@dataclass(frozen=True, slots=True)
class Symbol:
    """Something a file defines. line, end: from 1, both inside. signature: its first line,
    shortened."""

    name: str
    line: int
    end: int
    signature: str


@dataclass(frozen=True, slots=True)
class Outline:
    """symbols in the order of their lines; imports as the file writes them."""

    symbols: tuple[Symbol, ...] = ()
    imports: tuple[str, ...] = ()


def suffix_of(name: str) -> str:
    """The suffix of a path with its dot; empty when there is none."""
    return "." + name.rpartition(".")[2] if "." in name.rpartition("/")[2] else ""


def is_source(name: str) -> bool:
    """Whether a path is that of a file in a language that is known, written by a person."""
    return suffix_of(name) in LANGUAGES and not name.endswith((".min.js", ".min.mjs", ".d.ts"))


@lru_cache(maxsize=2000)  # the map of a project is made again after each change of a file
def outline(name: str, text: str) -> Outline:
    """What a file defines and imports; empty for a language that is not known, and for Python that
    does not parse."""
    language = LANGUAGES.get(suffix_of(name), "")
    if language == "Python":
        return _python(text)
    lines = text.split("\n")
    matched = list(_matched(lines, _PATTERNS.get(language, ())))
    ends = [number - 1 for number, _ in matched[1:]] + [len(lines)]
    symbols = (
        Symbol(symbol, number, max(number, end), _short(lines[number - 1]))
        for (number, symbol), end in zip(matched, ends, strict=False)
    )
    imports = (
        name for pattern in _IMPORTS.get(language, ()) for name in re.findall(pattern, text, re.M)
    )
    return Outline(tuple(symbols), tuple(dict.fromkeys(imports)))


def _matched(lines: list[str], patterns: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    compiled = [re.compile(pattern) for pattern in patterns]
    for number, line in enumerate(lines, 1):
        match = next((match for pattern in compiled if (match := pattern.match(line[:400]))), None)
        if match:
            yield number, match[1]


def _python(text: str) -> Outline:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes in foreign strings
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Outline()
    return Outline(tuple(_defined(tree, text.split("\n"))), tuple(dict.fromkeys(_imported(tree))))


def _defined(node: ast.Module | ast.ClassDef, lines: list[str]) -> Iterator[Symbol]:
    for child in node.body:
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            inside = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
            first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
            yield Symbol(
                f"{inside}{child.name}",
                first,
                child.end_lineno or first,
                _short(lines[child.lineno - 1]),
            )
        if isinstance(child, ast.ClassDef):
            yield from _defined(child, lines)


def _imported(tree: ast.Module) -> Iterator[str]:
    for child in ast.walk(tree):
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            start = "." * child.level + (child.module or "")
            yield start
            joint = "" if start.endswith(".") or not start else "."
            yield from (f"{start}{joint}{alias.name}" for alias in child.names)


def _short(line: str) -> str:
    return line.strip().rstrip("{:").strip()[:100]
