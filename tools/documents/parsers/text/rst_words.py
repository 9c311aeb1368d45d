"""What reStructuredText shows within a line: the words of roles, references and names."""

import re
from collections.abc import Iterable, Iterator

from docutils import nodes

from tools.documents.parsers.text.rst_directives import SILENT, DirectiveNode
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
        self._is_substituting = False
        self._labels: dict[str, str] = {}
        self._labels = dict(self._labelled())

    def words(self, node: nodes.Element) -> str:
        """The words that a node shows, in one line."""
        return " ".join(self.text(node).split())

    def of_blocks(self, blocks: Iterable[nodes.Node]) -> str:
        """The words of some blocks, in one line."""
        return " ".join(filter(None, map(self._of_block, blocks)))

    def _of_block(self, node: nodes.Node) -> str:
        if isinstance(node, nodes.TextElement):
            return self.words(node)
        if isinstance(node, nodes.system_message):
            return self.of_blocks(node.findall(nodes.literal_block))
        if isinstance(node, DirectiveNode) and not node.children:
            return "" if node["name"] in SILENT else " ".join(node["lines"])
        return self.of_blocks(node.children)

    def text(self, node: nodes.Element) -> str:
        """The same with its lines as they stand."""
        pieces = ""
        for child in node.children:
            if isinstance(child, nodes.footnote_reference) and child.get("auto"):
                pieces = pieces.rstrip()  # it has its number from the page
            else:
                pieces += self._text_of(child)
        return pieces

    def _text_of(self, node: nodes.Node) -> str:
        if isinstance(node, nodes.Text):
            return str(node.astext())
        if isinstance(node, (nodes.footnote_reference, nodes.citation_reference)):
            return f"[{node.astext()}]"
        if isinstance(node, nodes.substitution_reference):
            return self._substituted(node)
        if isinstance(node, nodes.inline) and "role" in node:
            return self._of_role(node["role"], node.astext())
        return "" if isinstance(node, (DirectiveNode, nodes.system_message)) else self.text(node)

    def _substituted(self, node: nodes.Element) -> str:
        """What stands for a name between bars; the name where nothing does, or within what stands
        for another."""
        name = self._document.substitution_names.get(node["refname"].lower())
        definition = self._document.substitution_defs.get(name)
        if definition is None or self._is_substituting:
            return str(node.astext())
        self._is_substituting = True
        text = self.text(definition)
        self._is_substituting = False
        return text

    def _of_role(self, role: str, content: str) -> str:
        """What a role shows: the title of a link, what a label stands before, the last part of the
        path of a document or of a name that begins with ~, "RFC 2822" for a number."""
        role = role.rsplit(":", 1)[-1]
        titled = _WITH_TARGET.match(content)
        label = self._labels.get(" ".join(content.lower().split()), "")
        title = titled[1].strip() if titled else label if role in ("ref", "numref") else ""
        if title:
            return title
        text = content.lstrip("!")
        if role in _NUMBERED:
            return f"{role.split('-')[0].upper()} {text}"
        if role == "doc":
            return text.rstrip("/").rsplit("/", 1)[-1]
        if role in _OF_OBJECTS:
            text = text.removeprefix(".")
        return text.rsplit(".", 1)[-1] if text.startswith("~") and "/" not in text else text

    def _labelled(self) -> Iterator[tuple[str, str]]:
        waiting: list[str] = []
        for node in self._document.findall():
            if isinstance(node, nodes.target):
                waiting += [] if "refuri" in node else [*node["names"], *node["dupnames"]]
            elif isinstance(node, (nodes.section, nodes.Body, DirectiveNode)) and not isinstance(
                node, nodes.Invisible
            ):
                text = self._name_of(node) if waiting else ""
                yield from ((name, text) for name in waiting)
                waiting = []

    def _name_of(self, node: nodes.Element) -> str:
        if isinstance(node, nodes.section):
            return self.words(node.children[0])
        if not isinstance(node, DirectiveNode) or node["name"] != "figure":
            return ""
        caption = self.of_blocks(node.children[1:])
        return caption[: spans(caption)[0][1]].rstrip(".") if caption else ""
