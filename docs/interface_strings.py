"""Every text that people read: of the pages, their scripts, the terminal, and everything below
both.

`docs/build.py` writes them to docs/strings.md, to be read from top to bottom; a test compares the
file.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

HEAD = """# Texts of the interface

Written by `make docs`; a test of the lab holds it up to date. Not here: the parts that the derivation of a score is put together from. Read it from top to bottom after a change of words.
`…` stands for a value.
"""  # noqa: E501
# Attributes that people read
NAMED = (
    "placeholder",
    "aria-label",
    "title",
    "alt",
    "data-words",
    "data-waiting",
)
INLINE = {
    "a",
    "abbr",
    "b",
    "bdi",
    "br",
    "code",
    "em",
    "i",
    "kbd",
    "mark",
    "q",
    "small",
    "span",
    "strong",
    "sup",
    "time",
}
# Patterns, and what goes to the log
UNREAD = (
    "compile",
    "sub",
    "debug",
    "info",
    "warning",
    "exception",
)
TYPES = ("annotation", "returns")  # parts of a statement that name types
# Nothing below them is a text
SILENT = (
    ast.Name,
    ast.expr_context,
    ast.operator,
    ast.cmpop,
    ast.alias,
)
SKIPPED = {"script", "style", "svg"}
# A text and not a name, a pattern, a query or a path: words with a space between, from a capital or
# to a full stop
_SENTENCE = re.compile(r"^(?=.*[a-z]{2})(?:[A-Z“…{][^\n]*\s\S|[^\n]*[a-z]\s[^\n]*[.?!:]$)", re.S)
_WORD = re.compile(r"[A-Z][a-z]{2,}:?")
_PHRASE = re.compile(r"^[a-z“(].*[a-z]{2} [a-z(\"'…]")
_CODE = re.compile(
    r"\w \| None$|\? ORDER BY|= \?|BETWEEN \?|^SET |__|^complete "
    r"-|\\[bdsSw]|\(\?|^[<{].*[>}]$|[A-Z]:\d"
    r"|\b(?:SELECT|INSERT|UPDATE|DELETE FROM|CREATE|PRAGMA|WHERE)\b"
)
_JINJA = re.compile(r"\{\{(.*?)\}\}|\{%(.*?)%\}|\{#.*?#\}", re.S)
_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
_SCRIPT = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
_LABEL = re.compile(r"[A-Z][a-z]+(?: [\w,’'-]+)*[.?!]?|[a-z]+(?: [\w,’'-]+)+[.?!]?")


class Page(HTMLParser):
    """The texts of one template without its logic, each block of words as one text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self._words = ""
        self._skipped = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._skipped += tag in SKIPPED
        if tag not in INLINE:
            self.end()
        self.texts += [value for name, value in attrs if name in NAMED and value]

    def handle_endtag(self, tag: str) -> None:
        self._skipped -= tag in SKIPPED
        if tag not in INLINE:
            self.end()

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self._words += data

    def end(self) -> None:
        self.texts.append(self._words)
        self._words = ""


def of_template(text: str) -> Iterator[str]:
    """Words between tags, attributes that are read, and words that an expression chooses
    between."""
    literals = [
        literal
        for match in _JINJA.finditer(text)
        for literal in _LITERAL.findall(match.group(1) or match.group(2) or "")
    ]
    page = Page()
    page.feed(_JINJA.sub(_plain, text))
    page.end()
    yield from page.texts
    yield from (words for words in literals if _LABEL.fullmatch(words.strip()))


def _plain(match: re.Match[str]) -> str:
    """What stands for an expression or a statement of a template."""
    if match.group(1):
        return "…"
    return " / " if (match.group(2) or "").strip("- ").startswith(("else", "elif")) else ""


def of_script(text: str) -> Iterator[str]:
    """Texts in quotes; values in them become `…`."""
    for plain, filled in _SCRIPT.findall(
        re.sub(r"^\s*//[^\n]*$|/\*.*?\*/", "", text, flags=re.M | re.S)
    ):
        words = re.sub(r"\$\{[^}]*\}", "…", plain or filled)
        if _SENTENCE.search(words) and not _CODE.search(words) and "querySelector" not in words:
            yield words


def of_module(text: str, has_phrases: bool = False) -> Iterator[str]:
    """Sentences in a module, without its docstrings. has_phrases: also words in lower case, as of
    commands."""
    for words in _strings(ast.parse(text)):
        is_text = (
            _SENTENCE.search(words)
            or _WORD.fullmatch(words)
            or (has_phrases and _PHRASE.search(words))
        )
        if is_text and not _CODE.search(words):
            yield words


def of_api(text: str) -> Iterator[str]:
    """Texts of the interface for programs: its page shows docstrings of views and what signatures
    say of inputs."""
    has_views = text.startswith('"""Views of the JSON interface')
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and has_views and not node.name.startswith("_"):
            yield ast.get_docstring(node) or ""
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "Field" and node.args:
            yield str(ast.literal_eval(node.args[0]))
    yield from of_module(text, True)


def _strings(tree: ast.AST) -> Iterator[str]:
    """Texts below a node that may be for people."""
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values
            )
            left += [part for part in node.values[::-1] if not isinstance(part, ast.Constant)]
        elif not _is_unread(node):
            parts = [
                part
                for name in node._fields
                if name not in TYPES
                for part in _nodes(getattr(node, name, None))
            ]
            left += reversed(parts)


def _is_unread(node: ast.AST) -> bool:
    """Docstrings, patterns, what goes to the log, and lists of public names."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Call):
        return getattr(node.func, "attr", "") in UNREAD
    return isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__"


def _nodes(value: object) -> list[ast.AST]:
    parts = value if isinstance(value, list) else [value]
    return [part for part in parts if isinstance(part, ast.AST) and not isinstance(part, SILENT)]


@cache
def find_strings(root: Path) -> tuple[tuple[str, str, list[str]], ...]:
    """(part, file, texts) in the order in which they are listed."""
    return tuple(_listed(root))


def _listed(root: Path) -> Iterator[tuple[str, str, list[str]]]:
    parts = (
        ("Pages", "templates", "*.html", lambda path: of_template(path.read_text("utf-8"))),
        ("Scripts of the pages", "static", "*.js", lambda path: of_script(path.read_text("utf-8"))),
        ("Pages, from the program", "ui/web", "*.py", _of_page),
        ("Terminal", "ui/terminal", "*.py", lambda path: of_module(path.read_text("utf-8"), True)),
        (
            "Model Context Protocol",
            "ui/mcp",
            "*.py",
            lambda path: of_module(path.read_text("utf-8"), True),
        ),
        ("Engine", "engine", "*.py", lambda path: of_module(path.read_text("utf-8"))),
        ("Workflows", "workflows", "*.py", lambda path: of_module(path.read_text("utf-8"))),
        ("Tools", "tools", "*.py", lambda path: of_module(path.read_text("utf-8"))),
    )
    for part, folder, names, read in parts:
        for path in sorted((root / folder).rglob(names)):
            if path.name != "htmx.min.js":
                texts = dict.fromkeys(
                    words
                    for text in read(path)
                    if (words := " ".join(text.split())).strip("…·– ,.:;()[]→")
                )
                texts = {text: None for text in texts if re.search("[a-zA-Z]{2}", text)}
                if texts:
                    yield part, path.relative_to(root).as_posix(), list(texts)


def _of_page(path: Path) -> Iterator[str]:
    text = path.read_text("utf-8")
    return of_api(text) if path.parent.name == "api" else of_module(text, True)


def listed(root: Path) -> str:
    """The whole list as Markdown."""
    lines, before = [HEAD], ""
    for part, name, texts in find_strings(root):
        if part != before:
            lines.append(f"## {part}\n")
            before = part
        lines.append(f"### {name}\n")
        lines += [f"- {text.replace('`', chr(39))}" for text in texts]
        lines.append("")
    return "\n".join(lines)
