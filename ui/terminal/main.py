"""The program `zorora`."""

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    raise NotImplementedError
