"""Text from outside as it may reach a terminal: nothing in it moves the cursor, hides or reorders
anything.

Titles, quotes, page texts, file names and model answers are written by strangers. A control
character becomes its picture (U+241B for escape), an invisible or reordering character its code in
angle brackets.
"""

import re

from engine.web_addresses import web_parts

MARK_ON, MARK_OFF = "\x02", "\x03"  # around matches in snippets of the engine's answers

# Bidi controls, zero-width space and byte-order mark, line and paragraph separators, annotation and
# tag characters. Joiners (U+200C, U+200D) stay: Persian, Hindi and many others are written with
# them.
_INVISIBLE = (
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f"
)
_UNSAFE = f"[\x00-\x1f\x7f-\x9f\ud800-\udfff{_INVISIBLE}]"
_SPACES = re.compile(r"[ \t\r\n]+")
_LABEL = r" *\S{1,24}(?: \S{1,12})? {2,}|[ ]*(?:\d+\.|-) +| *"


def plain(text: object, lines: bool = False) -> str:
    """The text with everything unsafe made visible. lines: keep newlines; else all white space is
    one space."""
    string = str(text)
    if not lines:
        return _safe(_SPACES.sub(" ", string)).strip()
    split = string.replace("\r\n", "\n").replace("\t", "    ").split("\n")
    return "\n".join(map(_safe, split))


def marked(text: str) -> list[tuple[str, bool]]:
    """A snippet cut into (plain text, is a match) at the engine's match marks."""
    pieces, inside = [], False
    for piece in re.split(f"([{MARK_ON}{MARK_OFF}])", text):
        if piece in (MARK_ON, MARK_OFF):
            inside = piece == MARK_ON
        elif piece:
            pieces.append((_safe(_SPACES.sub(" ", piece)), inside))
    return pieces


def unmarked(text: str) -> str:
    """A snippet without its match marks, safe to show."""
    return "".join(piece for piece, _ in marked(text)).strip()


def address(url: str) -> str:
    """The URL when it is one of http or https, safe to show; "" for every other scheme."""
    return plain(url).replace(" ", "%20") if web_parts(url) else ""


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters, cut at a word where there is one, with an ellipsis."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    head = cut.rsplit(" ", 1)[0] if " " in cut[limit // 2 :] else cut
    return head.rstrip(" ,;:") + "…"


def wrapped(text: str, width: int) -> str:
    """Text with its long lines broken between words; what hangs below a label stays below its text.

    A word that fits nowhere (a path, an address) has a line of its own and stays whole, so that it
    can be copied.
    """
    return "\n".join(_wrapped_line(line, width) for line in text.split("\n"))


def _wrapped_line(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    import textwrap  # of a terminal that is narrower than its text

    label = re.match(_LABEL, line)
    hang = label.end() if label and label.end() <= width // 2 else 0
    body = textwrap.wrap(line[hang:], width - hang, break_long_words=False, break_on_hyphens=False)
    return line[:hang] + ("\n" + " " * hang).join(body)


def _safe(line: str) -> str:
    # Nothing that can be printed is unsafe, and most commands print nothing else
    return line if line.isprintable() else re.sub(_UNSAFE, _visible, line)


def _visible(match: re.Match[str]) -> str:
    code = ord(match.group(0))
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return f"<U+{code:04X}>"
