"""Plain text: decoded and brought into snapshot form, nothing else."""

from tools.corpus.detect import TEXT
from tools.corpus.model import Extracted
from tools.corpus.parsers.encoding import decode
from tools.corpus.parsers.request import Request
from tools.errors import ParseError
from tools.text.normalise import snapshot_text


def parse(request: Request) -> Extracted:
    """The text as it stands; the first line is the title when it looks like one."""
    text = snapshot_text(decode(request.data, request.media_type))
    if not text.strip():
        raise ParseError("This file holds no text.")
    return Extracted(text, TEXT, "zorora-text 1", title=_title(text))


def _title(text: str) -> str:
    """A short first line with an empty line after it, else nothing."""
    lines = text.lstrip()[:400].split("\n")
    first = lines[0].strip()
    alone = len(lines) < 2 or not lines[1].strip()
    return first if alone and len(first) <= 120 and not first.endswith((".", ",", ";")) else ""
