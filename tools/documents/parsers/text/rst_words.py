"""What reStructuredText shows within a line: the words of roles, references and names."""

import re
from collections.abc import Iterator

from docutils import nodes

from tools.documents.parsers.text.rst_directives import Held
from tools.text.sentences import spans

# Roles that show their name before their number: of docutils, and of Sphinx
_NUMBERED = frozenset({"pep", "pep-reference", "rfc", "rfc-reference", "cve", "cwe"})
_OF_OBJECTS = frozenset("attr class const data exc func meth mod obj".split())
_WITH_TARGET = re.compile(r"^([^<]*)<[^<>]*>$", re.S)


class Words:
    """The words of the nodes of a document; what a label stands before is its heading, or the first
    sentence of its caption."""

    def __init__(self, document: nodes.document) -> None:
        self._document = document
        self._labels: dict[str, str] = {}
        self._labels = dict(self._labelled())

    def words(self, node: nodes.Element) -> str:
        """The words that a node shows, in one line."""
        return " ".join(self.text(node).split())

    def text(self, node: nodes.Element) -> str:
        """The same with its lines as they stand."""
        pieces = ""
        for child in node.children:
            if isinstance(child, nodes.footnote_reference) and child.get("auto"):
                pieces = pieces.rstrip()  # it has its number from the page
            else:
                pieces += self._shown(child)
        return pieces

    def _shown(self, node: nodes.Node) -> str:
        if isinstance(node, nodes.Text):
            return str(node.astext())
        if isinstance(node, (nodes.footnote_reference, nodes.citation_reference)):
            return f"[{node.astext()}]"
        if isinstance(node, nodes.substitution_reference):
            return self._substituted(node)
        if isinstance(node, nodes.inline) and "role" in node:
            return self._of_role(node["role"], node.astext())
        return "" if isinstance(node, (Held, nodes.system_message)) else self.text(node)

    def _substituted(self, node: nodes.Element) -> str:
        """What stands for a name between bars; the name where nothing does."""
        name = self._document.substitution_names.get(node["refname"].lower())
        definition = self._document.substitution_defs.get(name)
        return node.astext() if definition is None else self.text(definition)

    def _of_role(self, role: str, content: str) -> str:
        """What a role shows: the title of a link, what a label stands before, the last part of the
        path of a document or of a name that begins with ~, "RFC 2822" for a number."""
        role = role.rsplit(":", 1)[-1]
        titled = _WITH_TARGET.match(content)
        label = self._labels.get(" ".join(content.lower().split()), "")
        title = titled[1].strip() if titled else label if role in ("ref", "numref") else ""
        if title:
            return title
        shown = content.lstrip("!")
        if role in _NUMBERED:
            return f"{role.split('-')[0].upper()} {shown}"
        if role == "doc":
            return shown.rstrip("/").rsplit("/", 1)[-1]
        if role in _OF_OBJECTS:
            shown = shown.removeprefix(".")
        return shown.rsplit(".", 1)[-1] if shown.startswith("~") and "/" not in shown else shown

    def _labelled(self) -> Iterator[tuple[str, str]]:
        waiting: list[str] = []
        for node in self._document.findall():
            if isinstance(node, nodes.target):
                waiting += [] if "refuri" in node else node["names"]
            elif isinstance(node, (nodes.section, nodes.Body, Held)):
                shown = self._name_of(node) if waiting else ""
                yield from ((name, shown) for name in waiting)
                waiting = []

    def _name_of(self, node: nodes.Element) -> str:
        if isinstance(node, nodes.section):
            return self.words(node.children[0])
        if not isinstance(node, Held) or node["name"] != "figure":
            return ""
        caption = " ".join(map(self.words, node.children[1:]))
        return caption[: spans(caption)[0][1]].rstrip(".") if caption else ""
