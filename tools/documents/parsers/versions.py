"""Which version of each reader of documents is today's: a number that grows when it makes another
text, or other blocks, of the same file."""

from functools import lru_cache

VERSIONS = {
    "layout": 4,  # of the pages of a PDF
    "zorora-asciidoc": 2,
    "zorora-bibtex": 1,
    "zorora-csv": 2,
    "zorora-docx": 3,
    "zorora-epub": 3,
    "zorora-html": 8,
    "zorora-jats": 2,
    "zorora-json": 2,
    "zorora-mail": 1,
    "zorora-markdown": 23,
    "zorora-notebook": 3,
    "zorora-odf": 2,
    "zorora-org": 2,
    "zorora-pptx": 2,
    "zorora-ris": 1,
    "zorora-rst": 8,
    "zorora-rtf": 2,
    "zorora-tex": 1,
    "zorora-text": 7,
    "zorora-xlsx": 1,
}


def with_version(name: str) -> str:
    """What a document says of the reader that read it: "zorora-csv 2"."""
    return f"{name} {VERSIONS[name]}"


@lru_cache
def is_current(extractor: str) -> bool:
    """Whether the readers that a document names, with commas between several, are today's; one that
    is not listed has no versions of ours."""
    readers = (reader.rpartition(" ") for reader in extractor.split(", "))
    return all(version == str(VERSIONS.get(name, version)) for name, _, version in readers)
