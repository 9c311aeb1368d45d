"""Directives and roles of reStructuredText, of whatever extension: docutils knows its own alone,
and drops what holds another, or an option that it does not know."""

import re
from collections.abc import Sequence
from functools import cache
from textwrap import dedent
from typing import Any

from docutils import frontend, nodes, utils
from docutils.parsers.rst import Directive, Parser, directives, roles
from docutils.statemachine import StringList

from tools.documents.parsers.blocks import csv_rows

CODE = frozenset(
    "code code-block sourcecode parsed-literal doctest testcode testoutput prompt "
    "productionlist highlight ipython console graphviz digraph mermaid plantuml".split()
)
SILENT = frozenset(
    "toctree contents include index raw meta currentmodule module role default-role "
    "sectnum target-notes highlightlang tabularcolumns automodule autoclass autofunction "
    "automethod literalinclude date todo testsetup testcleanup header footer "
    "sectionauthor codeauthor".split()
)
OF_FILES = frozenset(("figure", "image"))
_DESCRIBED = frozenset(
    "function class method option envvar data attribute conf confval setting".split()
)
STATED = ("type", "required", "default", "value")  # of what is described
_OF_DOCUTILS = frozenset(("replace", "unicode"))  # they define what stands between bars
_UNPARSED = (CODE | SILENT | {"math"}) - {"parsed-literal"}
# As docutils tells them: several blanks may stand before a name, and one behind it
_DIRECTIVE = re.compile(r"\.\.[ ]{1,99}(?:\|[^|\n]{1,100}\|[ ]{1,99})?([\w:.+-]{1,60})[ ]?::")
_ROLE = re.compile(r":([\w:+.-]{1,60}):`|`:([\w:+.-]{1,60}):")
_OPTION = re.compile(r":([^:\n]{1,60}):(?:[ \t]++(.*))?$")
_ESCAPED = re.compile(r"\\([`<>*\\])")


class DirectiveNode(nodes.Inline, nodes.Element):
    """What a directive holds: its name, its options, its lines as they stand (`lines`); the words
    behind its name as a first child, and what is below them as the others."""


def is_described(name: str) -> bool:
    """Whether a directive describes something that has a name: a function, a setting."""
    return name in _DESCRIBED or ":" in name


class _AnyDirective(Directive):
    has_content = True

    def run(self) -> list[nodes.Node]:
        name, lines = self.name.lower(), self.block_text.split("\n")
        has_argument = bool(lines[0].partition("::")[2].strip())
        # docutils leaves out an empty line at the beginning
        empty = [""] if not has_argument and not "".join(lines[1:2]).strip() else []
        argument, options, body = _parts(name, [*empty, *self.content], has_argument)
        node = DirectiveNode(name=name, argument=argument, options=options, lines=body)
        if name in _UNPARSED:
            return [node]
        if name == "parsed-literal":
            node += self._inline("\n".join(body))
            return [node]
        node += nodes.term("", argument) if is_described(name) else self._inline(argument)
        node["stated"] = {key: self._inline(options[key]) for key in STATED if key in options}
        if name == "csv-table":
            rows = [*csv_rows([options["header"]] if "header" in options else []), *csv_rows(body)]
            node += [nodes.row("", *map(self._inline, row)) for row in rows]
        else:
            lines = _with_terms_in_one_line(body) if name == "glossary" else body
            self.state.nested_parse(StringList(lines, source=""), 0, node)
        return [node]

    def _inline(self, text: str) -> nodes.term:
        children, _ = self.state.inline_text(text, self.lineno)
        return nodes.term("", "", *children)


def _parts(
    name: str, lines: Sequence[str], has_argument: bool
) -> tuple[str, dict[str, str], list[str]]:
    """What stands behind the name of a directive, its options, and what is below. Behind an empty
    line no options stand."""
    at, argument = 0, list[str]()
    # The name of a file may stand in the next line
    if has_argument or (name in OF_FILES and lines):
        argument, at = [lines[0].strip()], 1
        while at < len(lines) and name not in CODE and _goes_on(lines[at]):
            argument.append(lines[at].strip())
            at += 1
    options: dict[str, str] = {}
    while at < len(lines) and (option := _OPTION.match(lines[at].strip())):
        indent, value = _indent(lines[at]), [option[2] or ""]
        at += 1
        while at < len(lines) and lines[at].strip() and _indent(lines[at]) > indent:
            value.append(lines[at].strip())
            at += 1
        options[option[1].lower()] = " ".join(value).strip()
    body = dedent("\n".join(lines[at:])).strip("\n")
    return " ".join(argument), options, body.split("\n") if body else []


def _goes_on(line: str) -> bool:
    return bool(line.strip()) and not _OPTION.match(line.strip())


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _with_terms_in_one_line(lines: Sequence[str]) -> list[str]:
    """The lines of a glossary, where several terms may stand above one meaning, each in its line,
    and an empty line between."""
    joined: list[str] = []
    is_below_term = False
    for line in lines:
        is_term = bool(line) and not line.startswith(" ")
        if is_term and is_below_term and joined[-1]:
            joined[-1] += f", {line}"
            continue
        if line.startswith(" ") and is_below_term and not joined[-1]:
            joined.pop()
        joined.append(line)
        is_below_term = is_term if line else is_below_term
    return joined


def _any_role(
    name: str, rawtext: str, text: str, lineno: int, inliner: Any, *_: Any, **__: Any
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    content = _ESCAPED.sub(r"\1", utils.unescape(text, restore_backslashes=True))
    return [nodes.inline(rawtext, content, role=name.lower())], []


def _register(text: str) -> None:
    """Make the directives and roles of a text known to docutils."""
    for name in {name.lower() for name in _DIRECTIVE.findall(text)} - _OF_DOCUTILS:
        directives.register_directive(name, _AnyDirective)
    for names in set(_ROLE.findall(text)):
        roles.register_local_role("".join(names).lower(), _any_role)


def parsed(text: str) -> nodes.document:
    """What docutils makes of a text."""
    _register(text)
    document = utils.new_document("", _settings())
    Parser().parse(text, document)
    return document


@cache
def _settings() -> Any:
    """Nothing is read from elsewhere, nothing is reported, and nothing stops the parser."""
    settings = frontend.get_default_settings(Parser)
    settings.file_insertion_enabled = settings.raw_enabled = False
    settings.report_level = settings.halt_level = 6
    settings.warning_stream = ""
    settings.syntax_highlight = "none"
    return settings
