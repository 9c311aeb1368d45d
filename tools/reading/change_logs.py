"""Change logs: that something was mended in a release says little of how it is."""

import re
from collections.abc import Sequence

# "Version 1.1.11 (2020-03-08)", "Scrapy 2.13.0", "4.3.0 RC1", "2023-11-01 (3.44.0)"; neither the
# number of a section ("2.1 Overview") nor a name that ends with one
_RELEASE = re.compile(
    r"\W{0,3}(?:[\w-]{1,40} ){0,2}v?\d{1,4}(?:\.\d{1,4}){1,3}[\w.+-]{0,12}"
    r"(?: ?(?:rc|alpha|beta) ?\d?)?"
    r"(?:\W{0,5}\([^()]{0,60}\)|\W{1,5}\d{4}\W[^()]{0,20}|\W{0,3})$"
    r"|\W{0,3}\d{4}-\d\d-\d\d\W{1,5}v?\d{1,4}\.\d",
    re.I,
)
_ASKS_FOR_CHANGES = re.compile(
    r"\b(?:when|since|versions?|releases?|released|changed?|changes|new)\b|\d\.\d", re.I
)


def tells_of_release(heading_path: Sequence[str]) -> bool:
    """Whether a section tells what changed in a release: it, or one around it, is headed by a
    version."""
    return any(map(_RELEASE.match, heading_path))


def asks_for_changes(question: str) -> bool:
    """Whether a question asks when something changed, or about a version."""
    return _ASKS_FOR_CHANGES.search(question) is not None
