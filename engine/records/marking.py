"""What a user may put on a research: tags and a note, tidied."""

from collections.abc import Iterable

from engine.records.indexing import clean
from tools.errors import Refused

MAX_TAG, MAX_TAGS, MAX_NOTE = 60, 50, 20_000


def tags(texts: Iterable[str]) -> tuple[str, ...]:
    """Distinct tags in alphabetical order, white space tidied, empty ones left out. Raises Refused."""
    result = tuple(sorted({tag for raw in texts if (tag := " ".join(clean(raw).split()))}))
    if len(result) > MAX_TAGS:
        raise Refused(f"A research can have {MAX_TAGS} tags at most.")
    for tag in result:
        if len(tag) > MAX_TAG:
            raise Refused(f"A tag can have {MAX_TAG} characters at most, {tag[:30]}… has {len(tag)}.")
    return result


def note(text: str) -> str:
    """A note without control characters; line ends stay. Raises Refused."""
    result = clean(text.replace("\r\n", "\n")).strip()
    if len(result) > MAX_NOTE:
        raise Refused(f"A note can have {MAX_NOTE} characters at most, this one has {len(result)}.")
    return result
