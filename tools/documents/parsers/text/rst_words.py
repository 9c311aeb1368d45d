"""Inline markup of reStructuredText as the words it shows.

https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#inline-markup
"""

import re

_ROLE = re.compile(r":[\w:+.-]{1,60}:`([^`]{1,2000})`|`([^`]{1,2000})`:[\w:+.-]{1,60}:")
_WITH_TARGET = re.compile(r"^([^<]*)<[^<>]*>$", re.S)
_LINK = re.compile(r"`([^`<]{1,2000}?)\s*<[^<>`]{1,2000}>`__?|`([^`]{1,2000})`__?")
_LITERAL = re.compile(r"``(.+?)``", re.S)
_STRONG = re.compile(r"(?<![\w*/\\])(\*{1,2})(?=[^\s*])([^*\n]{0,1000}[^\s*])\1(?![\w*/])")
_REFERENCE = re.compile(r"(?<![\w.:+-])([^\W_]+(?:[-._:+][^\W_]+)*)__?(?=[\s.,;:!?)]|$)")
_ESCAPE = re.compile(r"\\(?:\s|(.))", re.S)
_NOTE_REFERENCE = re.compile(r"\[([^\]\s]{1,60})\]_")


def plain_words(text: str) -> str:
    """Inline markup as the words it shows."""
    plain_pieces: list[str] = []

    def keep(words: str) -> str:
        plain_pieces.append(words)
        return f"\ue000{len(plain_pieces) - 1}\ue001"

    text = _LITERAL.sub(lambda match: keep(match.group(1)), text.replace("\ue000", ""))
    text = _ROLE.sub(lambda match: keep(_link_text(match.group(1) or match.group(2))), text)
    text = _LINK.sub(lambda match: keep(_ESCAPE.sub(r"\1", match.group(1) or match.group(2))), text)
    text = _NOTE_REFERENCE.sub(r"[\1]", text)
    text = _STRONG.sub(r"\2", text)
    text = _REFERENCE.sub(r"\1", text)
    text = _ESCAPE.sub(r"\1", text.replace("`", ""))
    for _ in range(2):  # a link may hold a literal
        text = re.sub("\ue000(\\d+)\ue001", lambda match: plain_pieces[int(match.group(1))], text)
    return " ".join(text.split())


def _link_text(content: str) -> str:
    """What a role shows: the title of a link, the last part of a name that begins with ~."""
    titled = _WITH_TARGET.match(content)
    if titled and titled.group(1).strip():
        return titled.group(1).rstrip()
    plain = content.lstrip("!")
    return plain.rsplit(".", 1)[-1] if plain.startswith("~") and "/" not in plain else plain
