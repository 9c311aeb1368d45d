"""Inline markup of reStructuredText as the words it shows.

https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#inline-markup
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from tools.documents.parsers.text.literals import Literals

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
_OTHER_FORMS = re.compile(r"(?:latex|latexpdf|man|texinfo|text|epub|gettext)\b")
_NONE: Mapping[str, str] = MappingProxyType({})
# One that begins with "#" has its number from the page
_NOTE_REFERENCE = re.compile(r"[ \t]?\[#[^\]\s]{0,60}\]_|(\[[^\]\s]{1,60}\])_")


def substitutions(text: str) -> dict[str, str]:
    """What a document defines to stand for each "|name|": words with markup, nothing for a
    picture."""
    return {
        match[1]: " ".join(match[3].split()) if match[2] == "replace" else ""
        for match in _DEFINITION.finditer(text)
    }


def shown_for_pages(condition: str) -> bool:
    """Whether what stands under "only" is part of a web page."""
    return "not html" not in condition and (
        " or " in condition or not _OTHER_FORMS.match(condition)
    )


def plain_words(text: str, substitutions: Mapping[str, str] = _NONE) -> str:
    """Inline markup as the words it shows.

    substitutions: what stands for "|name|"; for others the name does.
    """
    literals = Literals()
    text = _LITERAL.sub(lambda match: literals.keep(match.group(1)), text.replace("\ue000", ""))
    text = _SUBSTITUTION.sub(lambda match: substitutions.get(match[1], match[1]), text)
    text = _ROLE.sub(lambda match: literals.keep(_role_text(match)), text)
    text = _LINK.sub(
        lambda match: literals.keep(_ESCAPE.sub(r"\1", match.group(1) or match.group(2))), text
    )
    text = _NOTE_REFERENCE.sub(r"\1", text)
    text = _STRONG.sub(r"\2", text)
    text = _REFERENCE.sub(r"\1", text)
    text = _ESCAPE.sub(r"\1", text.replace("`", ""))
    return " ".join(literals.restored(text).split())


def _role_text(match: re.Match[str]) -> str:
    """What a role shows: the title of a link, the last part of the path of a document or of a name
    that begins with ~, "RFC 2822" for a number."""
    content = match["words"] or match[3]
    titled = _WITH_TARGET.match(content)
    if titled and titled.group(1).strip():
        return titled.group(1).rstrip()
    plain = content.lstrip("!")
    role = (match["name"] or "").split(":")[-1].lower()
    if role in _NUMBERED_ROLES:
        return f"{role.split('-')[0].upper()} {plain}"
    if role == "doc":
        return plain.rstrip("/").rsplit("/", 1)[-1]
    return plain.rsplit(".", 1)[-1] if plain.startswith("~") and "/" not in plain else plain
