"""From forms and JSON to what the engine takes. Wrong values raise ConfigError with a sentence."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from engine.answers import RunOptions
from engine.models import SOURCE_TYPES, ConfigError, Filters

QUESTION = 20_000


def question(text: str) -> str:
    """The question as the engine gets it: not empty, not endless."""
    text = text.strip()
    if not text:
        raise ConfigError("Write a question first.")
    if len(text) > QUESTION:
        raise ConfigError(
            f"The question has {len(text):,} characters. Up to {QUESTION:,} are possible."
        )
    return text


def run_options(
    form: Mapping[str, str],
    sources: Sequence[str],
    default_depth: int,
    documents: tuple[str, ...] | None = None,
) -> RunOptions:
    """The choices of the form on the first page. No source ticked is refused, since nothing could
    be found.

    documents: ids of the only documents to search; nothing else is searched then.
    """
    chosen_kinds = tuple(name for name in sources if name in SOURCE_TYPES)
    source_kinds = ("local",) if documents else chosen_kinds
    if not source_kinds:
        raise ConfigError("Choose at least one kind of source.")
    filters = Filters(
        since=iso_date(form.get("since"), "Published since"),
        until=iso_date(form.get("until"), "Published until"),
        sites=sites(form.get("site", "")),
        lang=form.get("lang", "").strip()[:20] or None,
    )
    return RunOptions(
        depth=depth(form.get("depth"), default_depth),
        sources=source_kinds,
        documents=documents,
        filters=filters,
        clarify=True,
    )


def depth(value: Any, default: int) -> int:
    """1, 2 or 3."""
    if value in (None, ""):
        return default
    if str(value) in ("1", "2", "3"):
        return int(value)
    raise ConfigError("Depth is 1 (quick), 2 (balanced) or 3 (thorough).")


def iso_date(value: Any, name: str) -> str | None:
    """A date as year-month-day, or None for nothing."""
    text = str(value or "").strip()
    if not text:
        return None
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ConfigError(f"{name}: {text[:40]} is not a date. Write it as 2024-05-31.") from None


def sites(value: str) -> tuple[str, ...]:
    """Host names from "agency.example, https://other.example/page"."""
    out = []
    words = [(word, entry.strip()) for entry in value.split(",") for word in entry.split()]
    for word, entry in words[:20]:
        try:
            host = urlsplit(word if "//" in word else f"//{word}").hostname
        except ValueError:
            host = None
        if not host or "." not in host:
            raise ConfigError(f"“{entry[:60]}” is not a site. Write it like agency.example.")
        out.append(host)
    return tuple(out)


def fraction(value: Any, name: str) -> float | None:
    """A number from 0 to 1, or None for nothing."""
    text = str(value or "").strip()
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0.0 <= number <= 1.0:
        raise ConfigError(f"{name}: {text[:40]} is not between 0 and 1.")
    return number


def tags(value: str) -> tuple[str, ...]:
    """ "storage, markets" as distinct tags."""
    words = (" ".join(word.split()) for word in value.split(","))
    return tuple(dict.fromkeys(word for word in words if word))
