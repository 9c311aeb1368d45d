"""What a user may put on a research: tags, a note and checked sentences, tidied."""

from collections.abc import Iterable

from engine.records.indexing import clean
from tools.errors import NotFound, Refused
from workflows.research.model import Check

MAX_TAG, MAX_TAGS, MAX_NOTE = 60, 50, 20_000
MAX_CHECKS, MAX_TEXT = 5_000, 20_000
CHECKS = ("yes", "part", "no")


def tags(texts: Iterable[str]) -> tuple[str, ...]:
    """Distinct tags in alphabetical order, white space tidied, empty ones left out. Raises
    Refused."""
    result = tuple(sorted({tag for raw in texts if (tag := " ".join(clean(raw).split()))}))
    if len(result) > MAX_TAGS:
        raise Refused(f"A report can have {MAX_TAGS} tags at most.")
    for tag in result:
        if len(tag) > MAX_TAG:
            raise Refused(
                f"A tag can have {MAX_TAG} characters at most, {tag[:30]}… has {len(tag)}."
            )
    return result


def note(text: str) -> str:
    """A note without control characters; line ends stay. Raises Refused."""
    result = clean(text.replace("\r\n", "\n")).strip()
    if len(result) > MAX_NOTE:
        raise Refused(f"A note can have {MAX_NOTE} characters at most, this one has {len(result)}.")
    return result


def checked(before: Iterable[Check], new: Check) -> tuple[Check, ...]:
    """The checks with a new one in place of that of the same sentence and source; a mark of ""
    takes it back."""
    if new.mark and new.mark not in CHECKS:
        raise NotFound(f"A sentence is marked {', '.join(CHECKS)}, not {new.mark[:20]!r}.")
    others = [
        check for check in before if (check.source_id, check.text) != (new.source_id, new.text)
    ]
    return (*others, new) if new.mark else tuple(others)


def checks(candidates: Iterable[Check]) -> tuple[Check, ...]:
    """Checks of a record from elsewhere. Raises Refused."""
    result = tuple(candidates)
    are_marks = all(len(check.text) <= MAX_TEXT and check.mark in CHECKS for check in result)
    if len(result) > MAX_CHECKS or not are_marks:
        raise Refused("The checked sentences of the record cannot be read.")
    return tuple(Check(clean(check.source_id), clean(check.text), check.mark) for check in result)
