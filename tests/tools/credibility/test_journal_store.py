"""Lists of retractions, predatory publishers and journals: real formats, bad rows, lookups, speed
of loading."""

import io
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tables import each
from tools.credibility.data_list import DataList
from tools.credibility.journal_files import (
    iso_date,
    listed_host,
    parse_journals,
    parse_predatory,
    parse_retractions,
)
from tools.credibility.store import JournalStore
from tools.database import Database
from tools.errors import ParseError
from tools.research.credibility_scorer import score_source_credibility
from tools.schema import CORPUS

HEADER = (
    "Record ID,Title,Subject,Institution,Journal,Publisher,Country,Author,URLS,ArticleType,"
    "RetractionDate,RetractionDOI,RetractionPubMedID,OriginalPaperDate,OriginalPaperDOI,OriginalPaperPubMedID,"
    "RetractionNature,Reason,Paywalled,Notes,"
)
REASONS = "+Paper Mill;Error in Data;"


def line(
    doi: str,
    nature: str = "Retraction",
    when: str = "9/27/2023 0:00",
    pmid: str = "0",
    title: str = "A work",
) -> str:
    return (
        f'1,"{title}",,,,,,,,,{when},10.9999/NOTICE,0,1/1/2020 '
        f"0:00,{doi},{pmid},{nature},{REASONS},No,,"
    )


def info(name: str, kind: str) -> DataList:
    return DataList(name, kind, "a test", "2026-11-01", "2026-11-21T00:00:00Z")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[JournalStore]:
    db = Database(tmp_path / "corpus.db", CORPUS, synchronous="NORMAL")
    yield JournalStore(db)
    db.close()


def retractions(*lines: str) -> bytes:
    return "\r\n".join([HEADER, *lines, ""]).encode("utf-8-sig")


def test_rows_are_read_with_trailing_commas_us_dates_and_list_marks() -> None:
    parsed = parse_retractions(retractions(line("10.1234/ABC"), line("unavailable", pmid="77")))
    assert parsed.rows[0] == (
        "10.1234/abc", None, "A work", "retracted", "2023-09-27", "Paper Mill; Error in Data",
        "10.9999/notice"
    )  # fmt: skip
    assert parsed.rows[1][:2] == (None, "77")


@each(
    ("text", "iso"),
    [
        ("9/27/2023 0:00", "2023-09-27"),
        ("12/1/1999", "1999-12-01"),
        ("13/1/2020", None),
        ("2/30/2020", None),
        ("", None),
        ("1/1/1", None),
        ("2020-01-01", None),
    ],
)
def test_dates(text: str, iso: str | None) -> None:
    assert iso_date(text) == iso


def test_bad_rows_cost_only_themselves_and_are_named() -> None:
    bad = [
        line("10.1/x", nature="Whatever"),
        line("no doi"),
        "1,2,3",
        ",,,,",
        '"' + "x" * 200_000 + '"',
        line("10.1234/bad-date", when="31/31/2020"),
        line("10.1234/nul\x00"),
        line("10.1234/pmid", pmid="9" * 5000),
    ]
    parsed = parse_retractions(retractions(*bad, line("10.1234/good")))
    titles = [row[0] for row in parsed.rows]
    assert "10.1234/good" in titles and "10.1234/bad-date" in titles and "10.1234/pmid" in titles
    assert parsed.skipped >= 4
    assert any("unknown nature 'Whatever'" in problem for problem in parsed.problems)
    assert any("no DOI and no PubMed id" in problem for problem in parsed.problems)


@each("data", [b"", b"\xff\xfe\x00", b"<html>502</html>", b"Title,Reason\n1,2\n", HEADER.encode()])
def test_another_kind_of_file_is_refused_with_a_sentence(data: bytes) -> None:
    with pytest.raises(ParseError, match="file of Retraction Watch"):
        parse_retractions(data)


def test_a_refused_file_leaves_the_list_in_use(store: JournalStore) -> None:
    store.load(retractions(line("10.1234/a")), info("RW", "retractions"))
    with pytest.raises(ParseError):
        store.load(b"<html>", info("RW", "retractions"))
    assert [n.mark.kind for n in store.notices(["10.1234/A"], None)] == ["retracted"]


def test_a_file_in_the_encoding_of_a_spreadsheet_is_read() -> None:
    data = "\n".join([HEADER, line("10.1234/a", title="Séance")]).encode("cp1252")
    assert parse_retractions(data).rows[0][2] == "Séance"


def test_a_new_copy_replaces_the_list_and_removal_empties_it(store: JournalStore) -> None:
    store.load(retractions(line("10.1234/a"), line("10.1234/b")), info("RW", "retractions"))
    loaded = store.load(retractions(line("10.1234/b"), "1,2"), info("RW", "retractions"))
    assert (loaded.rows, loaded.skipped) == (1, 1)
    assert store.notices(["10.1234/a"], None) == []
    assert [listed.name for listed in store.lists()] == ["RW"]
    assert "RW 2026-11-01" in store.data_version()
    store.remove("RW")
    assert store.lists() == [] and store.notices(["10.1234/b"], None) == []


def test_what_the_notices_amount_to(store: JournalStore) -> None:
    rows = [
        line("10.1234/r"),
        line("10.1234/e", "Expression of concern", "1/2/2024 0:00"),
        line("10.1234/er", "Expression of concern", "1/2/2022 0:00"),
        line("10.1234/er", "Retraction", "1/2/2023 0:00"),
        line("10.1234/back", "Retraction", "1/2/2023 0:00"),
        line("10.1234/back", "Reinstatement", "1/2/2023 0:00"),
        line("10.1234/c", "Correction"),
        line("none", pmid="4242"),
    ]
    store.load(retractions(*rows), info("RW", "retractions"))

    def score(doi: str, **more: str) -> float:
        return score_source_credibility(f"https://doi.org/{doi}", lists=store, **more)["score"]  # type: ignore[arg-type]

    assert score("10.1234/R") == 0.0
    assert score("10.1234/e") == pytest.approx(0.325)
    assert score("10.1234/er") == 0.0
    assert score("10.1234/back") == 0.65
    assert score("10.1234/c") == 0.65
    assert (
        score_source_credibility("https://pubmed.ncbi.nlm.nih.gov/4242/", lists=store)["score"]
        == 0.0
    )
    sentence = score_source_credibility("https://doi.org/10.1234/r", lists=store)["breakdown"]
    assert sentence == "RETRACTED - A work (retracted 2023)"
    detail = score_source_credibility("https://doi.org/10.1234/r", lists=store)["detail"]
    assert (detail["date"], detail["reason"], detail["list"]) == (
        "2023-09-27", "Paper Mill; Error in Data", "RW, 2026-11-01",
    )  # fmt: skip


def test_our_own_name_for_a_work_comes_before_the_lists_title(store: JournalStore) -> None:
    doi = "10.1016/S0140-6736(97)11096-0"
    store.load(
        retractions(line(doi, when="2/2/2010 0:00", title="Ileal-lymphoid")),
        info("RW", "retractions"),
    )
    result = score_source_credibility(f"https://doi.org/{doi}", lists=store)
    assert result["breakdown"] == "RETRACTED - Wakefield MMR-autism paper (retracted 2010)"
    assert len(result["detail"]["notices"]) == 2


def test_predatory_lists_name_hosts_and_telling_names(store: JournalStore) -> None:
    data = "\n".join(
        [
            "url,name,abbr,",
            "http://www.bad-press.example/index.php,Bad Press of Nowhere,BPN,",
            "https://sites.google.com/site/badpress,Bad Sites International,,",
            "http://www.college.edu.in/journals/,Chit,,",
            "https://web.archive.org/web/2017/http://gone-press.example/,Gone,,",
            "http://frontiersin.org/,Frontiers,,",
            "http://ok.example/,Nature,,",
        ]
    )
    loaded = store.load(data.encode(), info("Bad list", "predatory"))
    assert loaded.skipped == 1 and "Chit" in loaded.notes[0]

    def category(url: str, **more: str) -> str:
        return score_source_credibility(url, lists=store, **more)["category"]  # type: ignore[arg-type]

    assert category("https://journals.bad-press.example/x") == "predatory_publisher"
    assert category("https://gone-press.example/x") == "predatory_publisher"
    assert category("https://sites.google.com/site/other") == "Google Sites (blog platform)"
    assert category("https://www.college.edu.in/physics") == "Academic institution"
    assert category("https://www.frontiersin.org/x") == "Frontiers (scholarly publisher)"
    assert category("https://x.example/", publisher="bad press of nowhere") == "predatory_publisher"
    assert category("https://x.example/", publisher="Bad Press of Nowhere Else") == "Unknown source"
    assert category("https://x.example/", venue="Nature") == "Nature journal (high impact)"
    result = score_source_credibility("https://bad-press.example/", lists=store)
    assert (
        result["breakdown"] == "PREDATORY PUBLISHER - Bad Press of Nowhere (Bad list, 2026-11-01)"
    )


def test_hijacked_journals_are_told_by_address_only(store: JournalStore) -> None:
    data = (
        b"hijacked,hijackedabbr,hijackedurl,althijackedurl,authentic,authenticabbr,authenticurl\n"
        + (
            b"Acta Bioethica,,http://actabioethica.example/,http://two.example/,Acta Bioethica,,http://www.x.cl\n"
        )
    )
    store.load(data, info("Hijacked", "predatory"))
    assert score_source_credibility("https://two.example/a", lists=store)["score"] == 0.20
    assert (
        score_source_credibility("https://y.example/a", venue="Acta Bioethica", lists=store)[
            "score"
        ]
        == 0.50
    )


def test_an_open_access_journal_outweighs_a_likeness_of_names(store: JournalStore) -> None:
    header = "Journal title,Journal ISSN (print version),Journal EISSN (online version),Publisher\n"
    store.load(
        (header + "Good Open Journal,1234-5679,,Us\nNo Issn,,,\n").encode(),
        info("DOAJ", "journals"),
    )
    store.load(b"url,name\nhttp://fake.example/,Good Open Journal\n", info("Bad", "predatory"))
    listed = {"lists": store, "venue": "Good Open Journal"}
    assert score_source_credibility("https://x.example/", **listed)["score"] == 0.20  # type: ignore[arg-type]
    score = score_source_credibility("https://x.example/", issn="1234-5679", **listed)  # type: ignore[arg-type]
    assert (score["score"], score["detail"]["open_access"]) == (0.50, "Good Open Journal")
    assert score["modifiers"]["journal"] == 1.0


def test_addresses_that_would_strike_others_are_not_listed() -> None:
    assert listed_host("https://www.medium.com/@bad") is None
    assert listed_host("http://bad.webs.com/x") == "bad.webs.com"
    assert listed_host("https://www.ncbi.nlm.nih.gov/x") is None
    assert listed_host("nonsense") is None
    assert listed_host("https://web.archive.org/web/2017/") is None
    assert (
        listed_host("https://web.archive.org/web/1/https://web.archive.org/web/2/http://a.example/")
        == "a.example"
    )


def test_hostile_identifiers_are_only_data(store: JournalStore) -> None:
    store.load(retractions(line("10.1234/a")), info("RW", "retractions"))
    assert store.notices(["' OR 1=1 --", "%", "10.1234/%"] * 50, "' OR 1=1") == []
    assert store.predatory(["' OR 1=1"], ["", "%"]) is None
    assert store.open_access([], "") is None


@pytest.mark.lab
def test_sixty_thousand_rows_load_in_seconds(store: JournalStore) -> None:
    out = io.StringIO(HEADER + "\n")
    out.seek(0, io.SEEK_END)
    out.writelines(line(f"10.{1000 + i % 9000}/x.{i}", pmid=str(i)) + "\n" for i in range(60_000))
    start = time.process_time()
    assert store.load(out.getvalue().encode(), info("RW", "retractions")).rows == 60_000
    assert time.process_time() - start < 10  # a wide bound; the benchmark holds the bar
    assert store.notices(["10.1007/x.7"], None)


@pytest.mark.shared
def test_real_files_are_read_whole(shared: Path, store: JournalStore) -> None:
    recorded = shared / "recorded"
    watch = parse_retractions((recorded / "retraction_watch/rw_rows_even.csv").read_bytes())
    assert (len(watch.rows), watch.skipped) == (30, 0)
    assert all(row[0] and row[4] and row[5] for row in watch.rows)
    for name, least in (("spj_publishers", 1170), ("spj_hijacked", 110), ("spj_metrics", 53)):
        parsed = parse_predatory((recorded / f"predatory_lists/{name}.csv").read_bytes())
        assert len(parsed.rows) >= least, name
    doaj = parse_journals((recorded / "doaj_journals/doaj_sample_rows_5000.csv").read_bytes())
    assert len(doaj.rows) > 60 and doaj.skipped == 0
    store.load(
        (recorded / "retraction_watch/rw_rows_even.csv").read_bytes(), info("RW", "retractions")
    )
    score = score_source_credibility(
        "https://www.thelancet.com/article/PIIS0140-6736(20)31180-6/fulltext", lists=store
    )
    assert (
        score["breakdown"]
        == "RETRACTED - Surgisphere hydroxychloroquine study (The Lancet) (retracted 2020)"
    )
