"""The time as the record writes it: ISO 8601, UTC."""

from datetime import UTC, datetime, timedelta


def present() -> datetime:
    """This moment."""
    return datetime.now(UTC)


def now() -> str:
    """This moment, to the millisecond: 2025-01-15T14:30:22.120Z."""
    return iso(present())


def iso(moment: datetime) -> str:
    """A moment as ISO text in UTC."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def at(seconds: float) -> str:
    """A moment in seconds since 1970."""
    return iso(datetime.fromtimestamp(seconds, UTC))


def days_ago(days: float) -> str:
    """The moment this many days ago."""
    return iso(present() - timedelta(days=days))
