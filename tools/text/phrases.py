"""Counts in words."""


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """ "1 source", "3 sources"; `plural` where an s is not enough."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
