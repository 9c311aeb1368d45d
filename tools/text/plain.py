"""Text from outside as it may be shown."""

import re

# Controls, and the marks that make text run the other way: they change what a reader believes to
# see
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def line(text: str | None) -> str:
    """Text from outside as one line without invisible controls."""
    return " ".join(UNSEEN.sub(" ", text or "").split())
