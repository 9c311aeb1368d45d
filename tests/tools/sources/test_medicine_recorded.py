"""Conformance of the biomedical clients: every recorded answer, against values read from the recordings by hand."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tools.errors import SourceError
from tools.research import europepmc
from tools.research.source import Source

pytestmark = pytest.mark.shared
PARSERS: dict[str, Callable[[bytes], list[Source]]] = {"europepmc": europepmc.parse}
# file -> number of records, then of the first: what its title starts with, date, DOI, PubMed id, number of authors,
# references and marks, times cited; or a string: what the problem says
EXPECTED: dict[str, Any] = {
    "europepmc/record_PMC8071313.json": (
        1, "Suppression of an Invasive Native", "2021-04-15", "10.3390/plants10040775", "33920882", 4, 0, 0, 0,
    ),
    "europepmc/record_PMC8118396.json": (
        1, "Complete mitochondrial genome sequence of the global invasive species Stictocephala bisonia (Hemiptera",
        "2021-05-05", "10.1080/23802359.2021.1911705", "34027066", 3, 0, 0, 0,
    ),
    "europepmc/record_PMC8151036.json": (
        1, "A Path Forward: Promoting Microbial", "2021-05-09", "10.3390/plants10050943", "34065068", 2, 0, 0, 0,
    ),
    "europepmc/record_PMC8164761.json": (
        1, "Methodology: non-invasive monitoring", "2021-05-29", "10.1186/s13007-021-00757-y", "34051795", 10, 0, 0, 0,
    ),
    "europepmc/record_PMC8228099.json": (
        1, "Elevated Temperature Induced", "2021-05-29", "10.3390/plants10061091", "34072415", 8, 0, 0, 0,
    ),
}  # fmt: skip


def parsed(shared: Path, name: str) -> list[Source]:
    return PARSERS[name.split("/")[0]]((shared / "recorded" / name).read_bytes())


def test_every_recording_has_its_values(shared: Path) -> None:
    lines = (shared / "recorded" / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines()
    names = [entry["file"] for entry in map(json.loads, lines)]
    assert sorted(name for name in names if name.split("/")[0] in PARSERS) == sorted(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_recording_gives_what_it_says(shared: Path, name: str) -> None:
    wanted = EXPECTED[name]
    if isinstance(wanted, str):
        with pytest.raises(SourceError, match=wanted):
            parsed(shared, name)
        return
    found = parsed(shared, name)
    assert len(found) == wanted[0]
    if found:
        first = found[0]
        assert first.title.startswith(wanted[1])
        counts = (len(first.authors), len(first.references), len(first.marks), first.cited_by_count)
        assert (first.published, first.doi, first.pmid, *counts) == wanted[2:]


@pytest.mark.parametrize("name", [name for name in EXPECTED if name.startswith("europepmc/")])
def test_nothing_of_a_europe_pmc_record_is_lost_or_invented(shared: Path, name: str) -> None:
    (work,) = parsed(shared, name)
    raw = json.loads((shared / "recorded" / name).read_text(encoding="utf-8"))
    journal = raw["journalInfo"]["journal"]
    assert (work.pmcid, work.venue, work.issn) == (raw["pmcid"], journal["title"], journal["ISSN"])
    assert (work.language, work.url) == ("en", f"https://doi.org/{work.doi}")
    assert work.fulltext_url == f"https://europepmc.org/articles/{work.pmcid}?pdf=render"
    assert len(work.abstract) > 500 and "<" not in work.abstract
    people = raw["authorList"]["author"]
    assert list(work.authors) == [f"{p['firstName']} {p['lastName']}" for p in people]
    assert work.fields["license"] == "cc by" and work.fields["open_access"] == "open"
    assert work.fields["keywords"] == raw["keywordList"]["keyword"]
