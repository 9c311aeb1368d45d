"""Counts and lists in words."""

from collections.abc import Sequence


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """ "1 source", "3 sources"; `plural` where an s is not enough."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def listed(items: Sequence[str], most: int) -> str:
    """ "a, b and 3 more": the first items, and how many others there are."""
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(items[:most]) + more
