"""LaTeX documents by pylatexenc: sections, paragraphs, lists, tables, captions, notes, equations.

Commands are read, not run: what a macro of the document makes of its arguments is not known; their
words stay.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.blocks import ParsedBlock, TableCell, compose, table_blocks
from tools.documents.parsers.encoding import text_of
from tools.documents.parsers.lines import SUPERSCRIPTS
from tools.documents.parsers.office.equations import UNREADABLE
from tools.documents.parsers.text.front_matter import metadata_of
from tools.documents.parsers.versions import with_version
from tools.errors import ParseError

_HEADINGS = {
    "part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5,
    "subparagraph": 6,
}  # fmt: skip
_LISTS = frozenset("itemize enumerate description compactitem compactenum inparaenum".split())
_CODE = frozenset("verbatim verbatim* lstlisting minted Verbatim alltt".split())
_TABLES = frozenset("tabular tabular* tabularx longtable tabulary supertabular".split())
_QUOTES = frozenset("quote quotation verse displayquote".split())
_MATH = re.compile(
    r"(?:equation|align|gather|multline|displaymath|eqnarray|flalign|alignat|dmath|math)\*?$"
)
_SILENT_ENVIRONMENTS = frozenset(
    "tikzpicture pgfpicture picture comment filecontents filecontents*".split()
)
_SILENT = frozenset(
    "label index vspace hspace includegraphics input include bibliography bibliographystyle "
    "usepackage documentclass newcommand renewcommand setlength addtolength setcounter pagestyle "
    "thispagestyle newtheorem author date title thanks affil address email institute maketitle "
    "tableofcontents centering definecolor lstset hypersetup geometry graphicspath hline toprule "
    "midrule bottomrule cmidrule cline bibitem nocite ref eqref pageref".split()
)
_ARGUMENTS = {
    "caption": "*[{", "footnotetext": "[{", "href": "{{", "url": "{", "textcolor": "{{",
    "multicolumn": "{{{", "multirow": "{{{", "paragraph": "*[{", "subparagraph": "*[{", "item": "[",
    "newcommand": "*{[[{", "renewcommand": "*{[[{", "definecolor": "{{{", "vspace": "*{",
    "hspace": "*{", "affil": "[{", "address": "[{", "institute": "{", "email": "{",
    "cmidrule": "[{", "cline": "{", "includegraphics": "[{", "title": "[{", "author": "[{",
    "date": "{", "thanks": "{", "bibitem": "[{", "SI": "[{{", "si": "[{", "num": "[{",
}  # fmt: skip
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
MAX_CHARACTERS = 5_000_000


def parse(request: Request) -> Extracted:
    """The text of a document without markup; title, authors and date as the file states them."""
    from pylatexenc.latex2text import LatexNodes2Text
    from pylatexenc.latexwalker import LatexWalker

    source = text_of(request)
    if len(source) > MAX_CHARACTERS:
        raise ParseError(f"This LaTeX file is too large to read: {len(source):,} characters.")
    walker = LatexWalker(source, latex_context=_commands(), tolerant_parsing=True)
    try:
        nodes, _, _ = walker.get_latex_nodes()
        reader = _Reader(LatexNodes2Text(math_mode="text", keep_comments=False), nodes)
        composed = compose(reader.read(_document(nodes)))
    except RecursionError as error:
        raise ParseError("The groups of this LaTeX file are nested too deeply to read.") from error
    return composed.extracted(
        with_version("zorora-tex"), reader.metadata(), empty="This LaTeX file contains no text."
    )


def _commands() -> Any:
    """What the library knows of commands, and the arguments of some that it does not."""
    from pylatexenc.latexwalker import get_default_latex_context_db
    from pylatexenc.macrospec import MacroSpec

    context = get_default_latex_context_db()
    more = [MacroSpec(name, arguments) for name, arguments in _ARGUMENTS.items()]
    context.add_context_category("zorora", macros=more, prepend=True)
    return context


def _document(nodes: Sequence[Any]) -> Sequence[Any]:
    """What stands in the document environment; everything where there is none."""
    body = next(
        (node for node in nodes if getattr(node, "environmentname", "") == "document"), None
    )
    return body.nodelist if body is not None else nodes


@dataclass(slots=True)
class _Reader:
    """Reads nodes in order; collects the words of the paragraph that is being read."""

    words: Any
    nodes: Sequence[Any]
    _text: list[str] = field(default_factory=list)
    _notes: list[str] = field(default_factory=list)
    _lists: list[str] = field(default_factory=list)
    _quotes: int = 0
    _marker: str = ""
    _count: int = 0

    def read(self, nodes: Iterable[Any]) -> Iterator[ParsedBlock]:
        """The blocks of some nodes."""
        yield from self._read(nodes)
        yield from self._finish()

    def _read(self, nodes: Iterable[Any]) -> Iterator[ParsedBlock]:
        for node in nodes or ():
            kind = type(node).__name__
            if kind == "LatexCharsNode":
                yield from self._characters(node.chars)
            elif kind == "LatexGroupNode":
                yield from self._read(node.nodelist)
            elif kind == "LatexMacroNode":
                yield from self._macro(node)
            elif kind == "LatexEnvironmentNode":
                yield from self._environment(node)
            elif kind == "LatexMathNode":
                yield from self._math(node)
            elif kind == "LatexSpecialsNode" and node.specials_chars.strip():
                self._text.append(self._node_text(node))
            elif kind == "LatexSpecialsNode":
                yield from self._finish()

    def _characters(self, text: str) -> Iterator[ParsedBlock]:
        first, *others = _PARAGRAPH.split(text)
        self._text.append(first)
        for other in others:
            yield from self._finish()
            self._text.append(other)

    def _macro(self, node: Any) -> Iterator[ParsedBlock]:
        name = node.macroname.rstrip("*")
        if name in _HEADINGS:
            yield from self._finish()
            yield ParsedBlock(self._argument(node), _HEADINGS[name])
        elif name == "item":
            yield from self._finish()
            self._item(node)
        elif name == "caption":
            yield from self._finish()
            yield ParsedBlock(self._argument(node), kind=BlockKind.CAPTION)
        elif name in ("footnote", "footnotetext"):
            self._count += 1
            mark = str(self._count).translate(SUPERSCRIPTS)
            self._text.append(mark)
            self._notes.append(f"{mark} {self._argument(node)}")
        elif "cite" in name.lower():
            self._text.append(f"[{self._argument(node)}]" + node.macro_post_space)
        elif name in ("and", "And", "AND"):
            self._text.append("; ")
        elif name not in _SILENT:
            self._text.append(self._words([node]) + (node.macro_post_space or ""))

    def _words(self, nodes: Sequence[Any]) -> str:
        """The words of nodes on one line: formatting commands are their last argument, others as
        the library knows."""
        return "".join(map(self._word, nodes or ()))

    def _word(self, node: Any) -> str:
        kind = type(node).__name__
        if kind == "LatexGroupNode":
            return self._words(node.nodelist)
        if kind == "LatexMathNode":
            return self._formula(node.nodelist)
        name = getattr(node, "macroname", "").rstrip("*")
        if name in _SILENT:
            return ""
        if name in ("and", "And", "AND"):
            return "; "
        is_command = kind == "LatexMacroNode" and name.isalpha() and len(name) > 1
        if is_command and (arguments := _arguments(node)):
            return self._words([arguments[-1]])
        return self._node_text(node) + getattr(node, "macro_post_space", "")

    def _node_text(self, node: Any) -> str:
        """What the library makes of a node: symbols, accents; what it stumbles over is left out."""
        try:
            return str(self.words.node_to_text(node))
        except (IndexError, AttributeError, KeyError, TypeError, ValueError):
            return ""

    def _formula(self, nodes: Sequence[Any]) -> str:
        try:
            return " ".join(self.words.nodelist_to_text(list(nodes)).replace("&", " ").split())
        except (IndexError, AttributeError, KeyError, TypeError, ValueError):
            return "".join(node.latex_verbatim() for node in nodes)

    def _argument(self, node: Any) -> str:
        """The last argument of a command in words."""
        arguments = _arguments(node)
        return " ".join(self._words([arguments[-1]]).split()) if arguments else ""

    def _item(self, node: Any) -> None:
        enumerated = bool(self._lists) and "enum" in self._lists[-1]
        label = self._argument(node)
        self._marker = "-"
        if label:
            self._text.append(f"{label}: ")
        elif enumerated:
            name, _, count = self._lists[-1].partition(" ")
            self._lists[-1] = f"{name} {int(count or 0) + 1}"
            self._marker = f"{int(count or 0) + 1}."

    def _environment(self, node: Any) -> Iterator[ParsedBlock]:
        name = node.environmentname
        yield from self._finish()
        if _MATH.match(name):
            yield self._equation(node.nodelist)
        elif name in _CODE:
            yield ParsedBlock(_verbatim(node), kind=BlockKind.CODE)
        elif name in _TABLES:
            yield from table_blocks(self._rows(node.nodelist))
        elif name not in _SILENT_ENVIRONMENTS:
            yield from self._inside(node, name)

    def _inside(self, node: Any, name: str) -> Iterator[ParsedBlock]:
        if name == "abstract":
            yield ParsedBlock("Abstract", 2)
        self._quotes += name in _QUOTES
        if name in _LISTS:
            self._lists.append(name)
        yield from self._read(node.nodelist)
        yield from self._finish()
        if name in _LISTS:
            self._lists.pop()
        self._quotes -= name in _QUOTES

    def _math(self, node: Any) -> Iterator[ParsedBlock]:
        if node.displaytype != "display":
            self._text.append(self._formula(node.nodelist))
            return
        yield from self._finish()
        yield self._equation(node.nodelist)

    def _equation(self, nodes: Sequence[Any]) -> ParsedBlock:
        plain = [
            node
            for node in nodes
            if getattr(node, "macroname", "") not in ("label", "nonumber", "notag")
        ]
        return ParsedBlock(self._formula(plain) or UNREADABLE, kind=BlockKind.EQUATION)

    def _rows(self, nodes: Sequence[Any]) -> Iterator[list[TableCell]]:
        """The cells of a table, parted by & and \\\\."""
        rows: list[list[list[Any]]] = [[[]]]
        for node in nodes or ():
            name = getattr(node, "macroname", "")
            if getattr(node, "specials_chars", "") == "&":
                rows[-1].append([])
            elif name == "\\":
                rows.append([[]])
            elif name not in _SILENT:
                rows[-1][-1].append(node)
        for row in rows:
            yield [TableCell(" ".join(self._words(cell).split())) for cell in row]

    def _finish(self) -> Iterator[ParsedBlock]:
        """The paragraph that was read so far, and its notes."""
        text = " ".join("".join(self._text).split())
        depth = len(self._lists)
        if text and self._marker:
            yield ParsedBlock(text, max(1, depth), kind=BlockKind.LIST_ITEM, marker=self._marker)
        elif text:
            yield ParsedBlock(
                text, depth, kind=BlockKind.QUOTATION if self._quotes else BlockKind.PARAGRAPH
            )
        if text:
            self._marker = ""
        yield from (ParsedBlock(note, kind=BlockKind.FOOTNOTE) for note in self._notes)
        self._text, self._notes = [], []

    def metadata(self) -> dict[str, object]:
        """Title, authors and date of the preamble or the document."""
        values: dict[str, str] = {}
        for node in [*self.nodes, *_document(self.nodes)]:
            name = getattr(node, "macroname", "")
            if name in ("title", "author", "date"):
                values.setdefault(name, self._argument(node))
        return metadata_of(values)


def _arguments(node: Any) -> list[Any]:
    """The arguments of a command that are there."""
    described = getattr(node, "nodeargd", None)
    return [
        argument
        for argument in (described.argnlist if described else None) or ()
        if hasattr(argument, "latex_verbatim")
    ]


def _verbatim(node: Any) -> str:
    source = str(node.latex_verbatim())
    body = source[source.find("}") + 1 : source.rfind("\\end{")]
    options = re.match(r"(?:\[[^\]\n]{0,500}\])?(?:\{[^}\n]{0,50}\})?\n", body)
    return body[options.end() :] if options else body
