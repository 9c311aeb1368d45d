"""Conformance of the biomedical clients: every recorded answer, against values read from the
recordings by hand."""

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.tables import each
from tools.errors import SourceError
from tools.sources.biomedical import biorxiv, europepmc, eutils, pmc, pubmed
from tools.sources.source import Source

pytestmark = pytest.mark.shared
PARSERS: dict[str, Callable[[bytes], list[Source]]] = {
    "europepmc": europepmc.parse,
    "pubmed": pubmed.parse,
    "biorxiv": biorxiv.parse,
    "pmc": pmc.parse,
}
# file -> number of records, then of the first: what its title starts with, date, DOI, PubMed id,
# number of authors, references and marks, times cited; or a string: what the problem says
EXPECTED: dict[str, Any] = {
    "europepmc/record_PMC8071313.json": (
        1, "Suppression of an Invasive Native", "2021-04-15", "10.3390/plants10040775", "33920882",
        4, 0, 0, 0,
    ),
    "europepmc/record_PMC8118396.json": (
        1, "Complete mitochondrial genome sequence of the global invasive species Stictocephala "
           "bisonia (Hemiptera",
        "2021-05-05", "10.1080/23802359.2021.1911705", "34027066", 3, 0, 0, 0,
    ),
    "europepmc/record_PMC8151036.json": (
        1, "A Path Forward: Promoting Microbial", "2021-05-09", "10.3390/plants10050943",
        "34065068", 2, 0, 0, 0,
    ),
    "europepmc/record_PMC8164761.json": (
        1, "Methodology: non-invasive monitoring", "2021-05-29", "10.1186/s13007-021-00757-y",
        "34051795", 10, 0, 0, 0,
    ),
    "europepmc/record_PMC8228099.json": (
        1, "Elevated Temperature Induced", "2021-05-29", "10.3390/plants10061091", "34072415", 8, 0,
        0, 0,
    ),
    "pubmed/biopython_esummary1.xml": (2, "Zirconium granuloma", "1965-08", None, "11850928", 2, 0,
        0, None),
    "pubmed/biopython_esummary8.xml": "Neither query_key nor id specified",
    "pubmed/biopython_espell.xml": "answered in an unknown form",
    "pubmed/biopython_efetch_pmc.xml": "answered in an unknown form",  # a PMC answer; PMC reads it
    "pubmed/biopython_pubmed1.xml": (2, "The treatment of AIDS", "1990", None, "12091962", 1, 0, 0,
        None),
    "pubmed/biopython_pubmed5.xml": (
        1, "Occupational pesticide", "2017-08-03", "10.1136/oemed-2017-104431", "28775130", 12, 40,
        0, None,
    ),
    "pubmed/biopython_pubmed6.xml": (
        1, 'A "Blood Relationship" Between', "2018-07-31", "10.3389/fphys.2018.01034", "30108519",
        2, 53, 0, None,
    ),
    "pubmed/choxos_esummary_retracted.json": (
        1, "Ileal-lymphoid-nodular", "1998-02-28", "10.1016/s0140-6736(97)11096-0", "9500320", 13,
        0, 3, None,
    ),
    "pubmed/efetch_pmid_24449692.xml": (
        1, "Learning dependence", "2014", "10.1504/ijbra.2014.058777", "24449692", 2, 0, 0, None,
    ),
    "pubmed/efetch_pmid_26568896.xml": (
        1, "Titanium Dioxide", "2014-09-06", "10.4172/2161-0525.1000239", "26568896", 4, 33, 0,
        None,
    ),
    "pubmed/efetch_pmid_31712796.xml": (
        1, "The atmospheric chemistry", "2019-11-12", "10.1039/c9em00386j", "31712796", 2, 0, 0,
        None,
    ),
    "pubmed/efetch_pmid_33119379.xml": (
        1, "Review of the Neuro", "2020-10-29", "10.1037/rep0000367", "33119379", 1, 0, 0, None,
    ),
    "pubmed/efetch_pmid_34337106.xml": (
        1, "Understanding What Influences Sexual", "2020", "10.1353/bsr.2020.0005", "34337106", 3,
        19, 0, None,
    ),
    "pubmed/parser_efetch_29768149.xml": (
        1, "Inhaled Combined Budesonide", "2018-05-17", "10.1056/nejmoa1715274", "29768149", 10, 0,
        0, None,
    ),
    "pubmed/rate_limited_429.json": "rate limited; a key of your own",
    "biorxiv/fastpaper_biorxiv_interval.json": (
        79, "Adaptation to heavy-metal contaminated", "2024-12-16", "10.1101/029900", None, 21, 0,
        0, None,
    ),
    "biorxiv/fastpaper_medrxiv_interval.json": (
        99, "Global risk of selection and", "2024-01-01", "10.1101/2023.10.21.23297352", None, 19,
        0, 0, None,
    ),
    "biorxiv/no_posts_found.json": (0,),
    "biorxiv/pu5ha_details.json": (
        3, "Laterality of subcortical", "2026-07-15", "10.64898/2026.07.13.738145", None, 3, 0, 0,
        None,
    ),
    "pmc/europepmc_fulltext_PMC8118396.xml": (
        1, "Complete mitochondrial genome", "2021-05-05", "10.1080/23802359.2021.1911705", None, 3,
        0, 0, None,
    ),
    "pmc/europepmc_fulltext_PMC8164761.xml": (
        1, "Methodology: non-invasive", "2021-05-29", "10.1186/s13007-021-00757-y", None, 10, 21, 0,
        None,
    ),
    "pmc/jats_1471-2180-11-174.xml": (
        1, "Factors influencing lysis time", "2011-08-02", "10.1186/1471-2180-11-174", "21810267",
        2, 60, 0, None,
    ),
    "pmc/jats_1472-6831-8-11.xml": (
        1, "The Dutch version of the Oral", "2008-04-11", "10.1186/1472-6831-8-11", "18405359", 4,
        28, 0, None,
    ),
    "pmc/jats_6605965a.xml": (
        1, "Oral contraceptives, reproductive", "2010-11-02", "10.1038/sj.bjc.6605965", "21045829",
        46, 31, 0, None,
    ),
    "pmc/id_converter_fails_type_param_bad.json": "did not accept the request .ID type 'doi' "
                                                  "mismatch for '28371833'",
    "pmc/ropensci_pmc_414.xml": "answered with a page .Submitted URI too large",
    "pmc/ropensci_pmc_esearch_esummary.json": (
        200, "Nasal Tissue Extraction Is", "2020-12-16", "10.1128/msphere.00562-20", "33328347", 6,
        0, 0, None,
    ),
}  # fmt: skip
CONVERTER = "pmc/choxos_idconv.json"
# Answers that hold ids alone: how many, the first, the last
IDS: dict[str, tuple[int, str, str]] = {
    "pubmed/biopython_elink8.xml": (0, "", ""),
    "pubmed/biopython_esearch1.xml": (20, "41282813", "37810457"),
    "pubmed/biopython_esearch7.xml": (20, "3108048616", "2174081062"),
    "pubmed/biopython_esearch8.xml": (0, "", ""),
    "pubmed/fastpaper_esearch.json": (3, "41884867", "41884685"),
}


@cache
def parsed(shared: Path, name: str) -> list[Source]:
    return PARSERS[name.split("/")[0]]((shared / "recorded" / name).read_bytes())


def test_every_recording_has_its_values(shared: Path) -> None:
    lines = (shared / "recorded" / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines()
    names = [entry["file"] for entry in map(json.loads, lines)]
    assert sorted(name for name in names if name.split("/")[0] in PARSERS) == sorted(
        [*EXPECTED, *IDS, CONVERTER]
    )


@each("name", EXPECTED)
def test_a_recording_gives_what_it_says(shared: Path, name: str) -> None:
    expected = EXPECTED[name]
    if isinstance(expected, str):
        with pytest.raises(SourceError, match=expected):
            parsed(shared, name)
        return
    works = parsed(shared, name)
    assert len(works) == expected[0]
    for source in works:
        for text in (source.title, source.abstract, source.venue or "", *source.authors):
            assert not re.search(r"</?\w+>|&(?:amp|lt|gt|quot|#\d+);", text), text
    if works:
        first = works[0]
        assert first.title.startswith(expected[1])
        counts = (len(first.authors), len(first.references), len(first.marks), first.cited_by_count)
        assert (first.published, first.doi, first.pmid, *counts) == expected[2:]


@each("name", [name for name in EXPECTED if name.startswith("europepmc/")])
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


@each("name", IDS)
def test_answers_with_ids_alone_give_them(shared: Path, name: str) -> None:
    ids = eutils.ids((shared / "recorded" / name).read_bytes())
    assert (len(ids), *(ids[:1] or [""]), *(ids[-1:] or [""])) == IDS[name]


def test_pubmed_keeps_labels_dates_and_notices(shared: Path) -> None:
    (asthma,) = parsed(shared, "pubmed/parser_efetch_29768149.xml")
    labels = [line for line in asthma.abstract.split("\n") if line.isupper()]
    assert labels == ["BACKGROUND", "METHODS", "RESULTS", "CONCLUSIONS"]
    assert (asthma.venue, asthma.issn) == ("The New England journal of medicine", "1533-4406")
    (lancet,) = parsed(shared, "pubmed/choxos_esummary_retracted.json")
    assert [(mark.kind, mark.date) for mark in lancet.marks] == [
        ("retracted", "2004-03-06"), ("retracted", "2010-02-06"), ("concern", "2011-11"),
    ]  # fmt: skip
    aids, chromatium = parsed(shared, "pubmed/biopython_pubmed1.xml")
    assert (aids.fields["season"], aids.fields["pages"], aids.abstract) == ("Spring", "113-25", "")
    assert (chromatium.doi, chromatium.published) == ("10.1016/0005-2795(76)90109-4", "1976-09-28")
    (skin,) = parsed(shared, "pubmed/efetch_pmid_26568896.xml")
    assert (skin.pmcid, skin.authors[-1]) == ("PMC4643289", "John Pierce Wise Sr")
    assert all(ref.startswith(("pmid:", "doi:", "pmcid:")) for ref in skin.references)


def test_rows_of_versions_become_one_preprint_each(shared: Path) -> None:
    works = parsed(shared, "biorxiv/fastpaper_biorxiv_interval.json")
    raw = json.loads((shared / "recorded" / "biorxiv/fastpaper_biorxiv_interval.json").read_text())[
        "collection"
    ]
    assert {source.doi for source in works} == {row["doi"] for row in raw}
    withdrawn = {row["doi"] for row in raw if row["type"] == "withdrawn"}
    assert {source.doi for source in works if source.marks} == withdrawn == {
        "10.1101/565721", "10.1101/2019.12.12.874826",
    }  # fmt: skip
    published = {row["doi"]: row["published"].lower() for row in raw if row["published"] != "NA"}
    assert {s.doi: s.fields["versions"][0] for s in works if s.fields.get("versions")} == published
    for source in works:
        rows = [row for row in raw if row["doi"] == source.doi]
        assert source.fields["version"] == max(int(row["version"]) for row in rows)
        assert source.published == min(row["date"] for row in rows)
        assert (source.venue, source.providers) == ("bioRxiv", ("biorxiv",)) and source.abstract
        assert source.fulltext_url in {row["jatsxml"] for row in rows}
        assert "NA" not in source.fields.values()
    served = {
        s.doi: s.abstract.split("\n")
        for s in parsed(shared, "biorxiv/fastpaper_medrxiv_interval.json")
    }
    assert "Methods" in served["10.1101/2024.01.02.24300705"]
    assert served["10.1101/2023.08.09.23293887"][0] == "Background"
    funded = parsed(shared, "biorxiv/pu5ha_details.json")[2]
    assert (funded.fields["funders"], funded.fields["version"]) == (
        ["Agence Nationale de la Recherche"],
        3,
    )


def test_the_id_converter_and_pmc_say_what_they_know(shared: Path) -> None:
    assert pmc.parse_ids((shared / "recorded" / CONVERTER).read_bytes()) == [], (
        "the work is not in PMC"
    )
    with pytest.raises(SourceError, match="mismatch"):
        pmc.parse_ids(
            (shared / "recorded" / "pmc/id_converter_fails_type_param_bad.json").read_bytes()
        )
    (correction,) = pmc.parse(
        (shared / "recorded" / "pubmed/biopython_efetch_pmc.xml").read_bytes()
    )
    assert (correction.pmcid, correction.pmid, correction.published) == (
        "PMC8435807",
        "34527728",
        "2021-09-13",
    )
    assert correction.fields["notice_on"] == [
        {"type": "correction", "doi": "10.1183/23120541.00193-2021"}
    ]
    (trial,) = parsed(shared, "pmc/europepmc_fulltext_PMC8164761.xml")
    assert (trial.pmcid, trial.venue, trial.issn) == ("PMC8164761", "Plant Methods", "1746-4811")
    assert (
        trial.abstract.startswith("Background\nWater content variation")
        and "Results" in trial.abstract
    )
    assert trial.fields["license"] == "https://creativecommons.org/licenses/by/4.0/"
    summaries = parsed(shared, "pmc/ropensci_pmc_esearch_esummary.json")
    assert all(source.pmcid and source.published and source.authors for source in summaries)
