"""Which version of each reader of documents is today's: a number that grows when it makes another
text, or other blocks, of the same file."""

from functools import lru_cache

VERSIONS = {
    "layout": 4,  # of the pages of a PDF
    "zorora-asciidoc": 2,
    "zorora-bibtex": 1,
    "zorora-csv": 2,
    "zorora-docx": 2,
    "zorora-epub": 2,
    "zorora-html": 7,
    "zorora-jats": 2,
    "zorora-json": 2,
    "zorora-mail": 1,
    "zorora-markdown": 22,
    "zorora-notebook": 3,
    "zorora-odf": 1,
    "zorora-org": 2,
    "zorora-pptx": 2,
    "zorora-ris": 1,
    "zorora-rst": 8,
    "zorora-rtf": 1,
    "zorora-tex": 1,
    "zorora-text": 6,
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
