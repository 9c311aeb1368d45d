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

CODE = frozenset(
    "code code-block sourcecode parsed-literal literalinclude doctest testcode testoutput prompt "
    "productionlist highlight ipython console graphviz digraph mermaid plantuml".split()
)
SILENT = frozenset(
    "toctree contents include index raw meta currentmodule module role default-role "
    "sectnum target-notes highlightlang tabularcolumns automodule autoclass autofunction "
    "automethod literalinclude date todo testsetup testcleanup header footer "
    "sectionauthor codeauthor".split()
)
OF_FILES = frozenset(("figure", "image"))
_OF_DOCUTILS = frozenset(("replace", "unicode"))  # they define what stands between bars
_UNPARSED = (CODE | SILENT | {"math", "csv-table"}) - {"parsed-literal"}
_DIRECTIVE = re.compile(r"\.\. (?:\|[^|\n]{1,100}\| )?([\w:.+-]{1,60})::")
_ROLE = re.compile(r":([\w:+.-]{1,60}):`|`:([\w:+.-]{1,60}):")
_OPTION = re.compile(r":([^:\n]{1,60}):(?:[ \t]++(.*))?$")


class Held(nodes.Inline, nodes.Element):
    """What a directive holds: its name, its options, its lines as they stand (`lines`); the words
    behind its name as a first child, and what is below them as the others."""


class _AnyDirective(Directive):
    has_content = True

    def run(self) -> list[nodes.Node]:
        name = self.name.lower()
        has_argument = bool(self.block_text.partition("\n")[0].partition("::")[2].strip())
        argument, options, body = _parts(name, list(self.content), has_argument)
        held = Held(name=name, argument=argument, options=options, lines=body)
        if name == "parsed-literal":
            held += self._inline("\n".join(body))
        elif name not in _UNPARSED:
            held += self._inline(argument)
            lines = _with_terms_in_one_line(body) if name == "glossary" else body
            self.state.nested_parse(StringList(lines, source=""), 0, held)
        return [held]

    def _inline(self, text: str) -> nodes.term:
        children, _ = self.state.inline_text(text, self.lineno)
        return nodes.term("", "", *children)


def _parts(
    name: str, lines: Sequence[str], has_argument: bool
) -> tuple[str, dict[str, str], list[str]]:
    """What stands behind the name of a directive, its options, and what is below. Behind an empty
    line no options stand."""
    at, argument = 0, list[str]()
    if has_argument or (
        name in OF_FILES and lines
    ):  # the name of a file may stand in the next line
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
    for line in lines:
        before = next((line for line in reversed(joined) if line), " ")
        is_below_term = not before.startswith(" ")
        if line and not line.startswith(" ") and joined and joined[-1] and is_below_term:
            joined[-1] += f", {line}"
        else:
            if line.startswith(" ") and is_below_term and not joined[-1]:
                joined.pop()
            joined.append(line)
    return joined


def _any_role(
    name: str, rawtext: str, text: str, lineno: int, inliner: Any, *_: Any, **__: Any
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    return [nodes.inline(rawtext, utils.unescape(text), role=name.lower())], []


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
