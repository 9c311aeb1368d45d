"""The names of authors as documents of all formats write them."""

import re

MAX_AUTHORS = 100
_URL = re.compile(r"^(?:https?:)?//|^www\.", re.I)


def clean_authors(values: list[str]) -> list[str]:
    """Names without "By", addresses and doubles, in order; "A and B" and "A; B" are several."""
    names: list[str] = []
    for value in values:
        for part in re.split(r"(?:(?<!\s)\s+)?;\s*|(?<!\s)\s+(?:and|&)\s+|\n", value):
            name = re.sub(r"^(?:by|von|par|por)\s+", "", part.strip(" ,@"), flags=re.I)
            if (
                name
                and len(name) <= 120
                and not _URL.search(name)
                and name.lower() not in map(str.lower, names)
            ):
                names.append(name)
    return names[:MAX_AUTHORS]
