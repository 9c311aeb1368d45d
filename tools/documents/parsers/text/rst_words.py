"""Inline markup of reStructuredText as the words it shows.

https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#inline-markup
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from tools.documents.parsers.text.literals import Literals
from tools.text.sentences import spans

_ROLE = re.compile(
    r":(?P<name>[\w:+.-]{1,60}):`(?P<words>[^`]{1,2000})`|`([^`]{1,2000})`:[\w:+.-]{1,60}:"
)
# Roles that show their name before their number: of docutils, and of Sphinx
_NUMBERED_ROLES = frozenset({"pep", "pep-reference", "rfc", "rfc-reference", "cve", "cwe"})
_WITH_TARGET = re.compile(r"^([^<]*)<[^<>]*>$", re.S)
_LINK = re.compile(r"`([^`<]{1,2000}?)\s*<[^<>`]{1,2000}>`__?|`([^`]{1,2000})`__?")
_LITERAL = re.compile(r"``(.+?)``", re.S)
_STRONG = re.compile(r"(?<![\w*/\\])(\*{1,2})(?=[^\s*])([^*\n]{0,1000}[^\s*])\1(?![\w*/])")
_REFERENCE = re.compile(r"(?<![\w.:+-])([^\W_]+(?:[-._:+][^\W_]+)*)__?(?=[\s.,;:!?)'\"’”/\]}>-]|$)")
_ESCAPE = re.compile(r"\\(?:\s|(.))", re.S)
_SUBSTITUTION = re.compile(r"(?<![\w|\\])\|(?![\s|])([^|\n]{0,99}[^\s|\\])\|(?:__?)?(?![\w|])")
_DEFINITION = re.compile(
    r"^ *\.\. \|([^|\n]{1,100})\| (replace|image)::[ \t]*+(.*(?:\n +\S.*)*)", re.M
)
# A label with the heading that it stands before, or with the first paragraph of the figure
_LABEL = re.compile(
    r"^ *\.\. _`?([^:`\n]{1,100})`?:[ \t]*\n(?=(?:[ \t]*\n| *\.\. _[^:\n]{1,100}:[ \t]*\n){0,9}+(?:"
    r"(?:([^\w\s])\2{2,}+\n)? *(\S[^\n]{0,200}+)\n([^\w\s])\4{2,}+[ \t]*$"
    r"|( *)\.\. figure::[^\n]*+(?:\n\5[ \t]+\S[^\n]*+){0,20}+(?:\n[ \t]*+(?=\n)){1,3}+\n\5[ \t]+"
    r"(\S[^\n]*+(?:\n\5[ \t]+\S[^\n]*+){0,20}+)))",
    re.M,
)
_OTHER_FORMS = re.compile(r"(?:latex|latexpdf|man|texinfo|text|epub|gettext)\b")
# One that begins with "#" has its number from the page
_NOTE_REFERENCE = re.compile(r"(?:\\?[ \t])?\[#[^\]\s]{0,60}\]_|(\[[^\]\s]{1,60}\])_")


class Names(NamedTuple):
    """What stands in a document for names: for each "|name|" words with markup, nothing for a
    picture; for each label the heading or the first sentence of the caption that it stands
    before."""

    between_bars: Mapping[str, str] = MappingProxyType({})
    labels: Mapping[str, str] = MappingProxyType({})

    def label(self, role: str, content: str) -> str:
        """What the label in a role stands before, else ""."""
        return self.labels.get(content.lower(), "") if role in ("ref", "numref") else ""


_NO_NAMES = Names()


def names_defined(text: str) -> Names:
    """What stands for the names of a document."""
    between_bars = {
        match[1]: " ".join(match[3].split()) if match[2] == "replace" else ""
        for match in _DEFINITION.finditer(text)
    }
    labels = {
        match[1].lower(): plain_words(match[3]) if match[3] else _first_sentence(match[6])
        for match in _LABEL.finditer(text)
    }
    return Names(between_bars, labels)


def _first_sentence(caption: str) -> str:
    words = plain_words(caption)
    return words[: spans(words)[0][1]].rstrip(".") if words else ""


def shown_for_pages(condition: str) -> bool:
    """Whether what stands under "only" is part of a web page."""
    return "not html" not in condition and (
        " or " in condition or not _OTHER_FORMS.match(condition)
    )


def plain_words(text: str, names: Names = _NO_NAMES) -> str:
    """Inline markup as the words it shows.

    names: what stands for some; other names stay.
    """
    literals = Literals()
    text = _LITERAL.sub(lambda match: literals.keep(match.group(1)), text.replace("\ue000", ""))
    text = _SUBSTITUTION.sub(lambda match: names.between_bars.get(match[1], match[1]), text)
    text = _ROLE.sub(lambda match: literals.keep(_role_text(match, names)), text)
    text = _LINK.sub(
        lambda match: literals.keep(_ESCAPE.sub(r"\1", match.group(1) or match.group(2))), text
    )
    text = _NOTE_REFERENCE.sub(r"\1", text)
    text = _STRONG.sub(r"\2", text)
    text = _REFERENCE.sub(r"\1", text)
    text = _ESCAPE.sub(r"\1", text.replace("`", ""))
    return " ".join(literals.restored(text).split())


def _role_text(match: re.Match[str], names: Names) -> str:
    """What a role shows: the title of a link, what a label stands before, the last part of the path
    of a document or of a name that begins with ~, "RFC 2822" for a number."""
    content = match["words"] or match[3]
    role = (match["name"] or "").split(":")[-1].lower()
    titled = _WITH_TARGET.match(content)
    title = titled.group(1).strip() if titled else names.label(role, content)
    if title:
        return title
    plain = content.lstrip("!")
    if role in _NUMBERED_ROLES:
        return f"{role.split('-')[0].upper()} {plain}"
    if role == "doc":
        return plain.rstrip("/").rsplit("/", 1)[-1]
    return plain.rsplit(".", 1)[-1] if plain.startswith("~") and "/" not in plain else plain
