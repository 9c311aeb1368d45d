"""Tags of sources: S1 in a research; of a quick search a letter for each kind, shown with its
name."""

from tools.sources.source import Source

_LABELS = {"N": "Newsroom", "W": "Web", "D": "Document"}


def letter_of(source: Source) -> str:
    """The letter of a source's kind in a quick search."""
    return {"newsroom": "N", "local": "D"}.get(source.source_type, "W")


def shown_tag(tag: str) -> str:
    """A tag with the kind of its source, where its letter says one: "Newsroom N1"."""
    label = _LABELS.get(tag[:1])
    return f"{label} {tag}" if label else tag
