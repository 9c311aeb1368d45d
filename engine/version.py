"""The version of this program, which pyproject.toml reads from here: asking the metadata of
packages is slow."""

VERSION = "0.1.0"


def own_version() -> str:
    """The version of the program that runs."""
    return VERSION
