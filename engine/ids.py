"""Names of researches: a permalink that is also a safe file name, whatever the question was."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import count

from tools.errors import NotFound

SLUG_LENGTH = 50
FALLBACK = "research"

_VALID = re.compile(r"[a-z0-9][a-z0-9_-]{0,119}\Z")
_OURS = re.compile(r"(?P<slug>.+)_(?P<day>\d{8})_(?P<time>\d{6})(?P<suffix>_\d{1,6})?\Z")


def slug(question: str) -> str:
    """The question as at most 50 letters, digits and underscores, cut at a word.

    Diacritics are folded; a question without any ASCII letter or digit becomes "research".
    """
    # The beginning is enough, and keeps a question of megabytes from being normalised whole
    folded = unicodedata.normalize("NFKD", question[:2000]).casefold()
    ascii_only = (
        "".join(c for c in folded if not unicodedata.combining(c))
        .encode("ascii", "replace")
        .decode()
    )
    words = re.findall(r"[a-z0-9]+", ascii_only.replace("'", ""))
    whole = "_".join(words)
    if len(whole) <= SLUG_LENGTH:
        return whole or FALLBACK
    return whole[: SLUG_LENGTH + 1].rpartition("_")[0] or whole[:SLUG_LENGTH]


def candidates(question: str, at: datetime) -> Iterator[str]:
    """The ids a research may take, the plain one first, then with the suffixes _2, _3 ..."""
    base = f"{slug(question)}_{at.astimezone(UTC):%Y%m%d_%H%M%S}"
    yield base
    for number in count(2):
        yield f"{base}_{number}"


def new_research_id(
    question: str, at: datetime, is_taken: Callable[[str], bool] = lambda _: False
) -> str:
    """The id of a research that starts now: `ai_trends_20250115_143022`, a suffix when it is taken
    (time in UTC)."""
    return next(name for name in candidates(question, at) if not is_taken(name))


def time_of(research_id: str) -> datetime | None:
    """The time inside an id; None for an id of another form."""
    match = _OURS.match(research_id)
    try:
        if match:
            return datetime.strptime(match["day"] + match["time"], "%Y%m%d%H%M%S").replace(
                tzinfo=UTC
            )
        return None
    except ValueError:
        return None


def is_research_id(text: str) -> bool:
    """Whether a text from outside may be a research id at all; everything else is unknown by
    definition."""
    return bool(_VALID.match(text))


def unknown(research_id: str) -> NotFound:
    """What is said of an id nobody knows, everywhere."""
    return NotFound(
        f"There is no report called {research_id[:80]!r}; the history lists the ones there are."
    )


def record_name(research_id: str) -> str:
    """The file name of a record: `2025-01-15_ai_trends_143022.json`; an id of another form is put
    behind "record-"."""
    match = _OURS.match(research_id)
    if not match:
        return f"record-{research_id}.json"
    day, suffix = match["day"], match["suffix"] or ""
    return f"{day[:4]}-{day[4:6]}-{day[6:]}_{match['slug']}_{match['time']}{suffix}.json"
