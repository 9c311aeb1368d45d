"""History search: what matches, in which order, page by page, whatever is typed."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from engine.answers import HistoryPage, HistoryQuery
from engine.history import query as expression, store as history_store
from engine.history.excerpt import CLOSE, OPEN, Marker
from engine.records import store
from engine.records.files import Fingerprint
from engine.records.storage import LocalStorage
from tests.tables import each
from tools.errors import NotFound
from tools.sources.source import Source
from workflows.research.model import Claim, Quality, UserMarks
from workflows.research.report.model import Report, Sentence
from workflows.research.state import ResearchState

BEGIN = datetime(2025, 1, 1, tzinfo=UTC)


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[LocalStorage]:
    opened = LocalStorage(tmp_path / "zorora.db")
    yield opened
    opened.close()


def add(storage: LocalStorage, name: str, query: str, day: int = 0, **more: Any) -> str:
    """A research straight into the database: no record is needed to search."""
    state = ResearchState(
        query,
        research_id=name,
        started_at=(BEGIN + timedelta(days=day)).isoformat(),
        status="complete",
    )
    with storage.database.write() as connection:
        store.put_record(connection, replace(state, **more), f"{name}.json", Fingerprint("", 0, 0))
    return name


def find_ids(storage: LocalStorage, text: str | None = None, **more: Any) -> list[str]:
    return [entry.research_id for entry in storage.history(HistoryQuery(text=text, **more)).entries]


def report(*sentences: str) -> Report:
    return Report(
        "Title", summary=tuple(Sentence(f"s{n}", "quote", text) for n, text in enumerate(sentences))
    )


def test_every_searched_part_is_found(storage: LocalStorage) -> None:
    add(
        storage, "all", "Questionword here",
        report=report("Reportword stands here."),
        claims=(Claim("C1", "Claimword was refused."),),
        sources=(Source("s", "http://x", "Sourceword title"),),
        user=UserMarks(tags=("tagword",), note="Noteword too"),
    )  # fmt: skip
    add(storage, "other", "Nothing")
    for word in (
        "questionword",
        "REPORTWORD",
        "claimword",
        "sourceword",
        "tagword",
        "noteword",
        "reportw",
    ):
        assert find_ids(storage, word) == ["all"], word


def test_forms_of_a_word_and_diacritics_do_not_matter(storage: LocalStorage) -> None:
    add(storage, "a", "Batteries in São Paulo")
    assert (
        find_ids(storage, "battery")
        == find_ids(storage, "sao")
        == find_ids(storage, "SÃO")
        == find_ids(storage, "batter")
        == ["a"]
    )


def test_scripts_without_spaces_are_found_by_a_part(storage: LocalStorage) -> None:
    add(storage, "a", "电池储能系统的价格")
    add(storage, "b", "ราคาแบตเตอรี่")
    page = storage.history(HistoryQuery(text="储能"))
    assert [entry.research_id for entry in page.entries] == ["a"]
    assert page.entries[0].title == f"电池{OPEN}储能{CLOSE}系统的价格"
    assert find_ids(storage, "แบตเตอรี่") == ["b"]


def test_one_of_several_words_is_enough_and_more_words_rank_higher(storage: LocalStorage) -> None:
    add(storage, "both", "wind and solar", day=0)
    add(storage, "one", "wind alone", day=1)
    add(storage, "none", "tides", day=2)
    assert find_ids(storage, "solar wind", sort="best") == ["both", "one"]
    assert find_ids(storage, "solar wind", sort="newest") == ["one", "both"]
    assert find_ids(storage, "solar wind", sort="oldest") == ["both", "one"]


def test_a_word_of_the_question_ranks_before_one_in_a_source(storage: LocalStorage) -> None:
    add(storage, "source", "Something else", day=1, sources=(Source("s", "http://x", "Lithium"),))
    add(storage, "question", "Lithium", day=0)
    for filler in range(5):
        add(storage, f"filler{filler}", "Quite different things", day=2)
    assert find_ids(storage, "lithium", sort="best") == ["question", "source"]


def test_matches_are_marked_in_title_and_excerpt(storage: LocalStorage) -> None:
    long = "Nothing of interest stands in this sentence. " * 20
    other = long.replace("interest", "value")
    add(
        storage,
        "a",
        "Flow battery costs",
        report=report(long, "The batteries were twice as costly.", other),
    )
    entry = storage.history(HistoryQuery(text="battery cost")).entries[0]
    assert entry.title == f"Flow {OPEN}battery{CLOSE} {OPEN}costs{CLOSE}"
    assert f"{OPEN}batteries{CLOSE}" in entry.snippet
    assert len(entry.snippet) < 300
    assert entry.snippet.startswith("… ")
    assert entry.snippet.endswith(" …")


def test_without_a_match_in_the_texts_the_summary_is_shown(storage: LocalStorage) -> None:
    add(storage, "a", "Lithium", report=report("A summary sentence."))
    assert storage.history(HistoryQuery(text="lithium")).entries[0].snippet == "A summary sentence."
    assert storage.history(HistoryQuery()).entries[0].title == "Lithium"


def test_marks_in_the_text_itself_never_reach_the_page(storage: LocalStorage) -> None:
    add(storage, "a", "evil \x02 word \x03", report=report("a \x02 b \x03 word"))
    entry = storage.history(HistoryQuery(text="word")).entries[0]
    assert entry.title.count(OPEN) == entry.title.count(CLOSE) == 1
    assert entry.snippet.count(OPEN) == entry.snippet.count(CLOSE) == 1


HOSTILE = [
    '"', '""', "*", "a*b", "NEAR(a b)", "a AND", "OR", "NOT", "query:", "{query}: x", "-a", "^a",
    "(", ")", "a' OR 1=1",
    "\0", "\ud800", "+", "a + b", "x" * 10_000, "a " * 5000, "𝒳", "e\u0301", "it's", "C++", "3.14",
    "a-b-c", "_",
]  # fmt: skip


@each("text", HOSTILE)
def test_syntax_of_the_search_engine_is_only_text(storage: LocalStorage, text: str) -> None:
    add(storage, "a", "near or not and query: a b c 3.14 it's")
    for sort in ("best", "newest"):
        assert set(find_ids(storage, text, sort=sort)) <= {"a"}


LETTERS = (
    st.characters(max_codepoint=0x4FF, categories=("L", "N", "P", "S", "Z"))
    | st.characters(min_codepoint=0x300, max_codepoint=0x36F)
    | st.sampled_from("电池储能ไทยアイ한글ﬁß…—“”\n\x00")
)


@pytest.mark.lab
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(LETTERS, max_size=60))
def test_any_text_can_be_searched_and_finds_itself(storage: LocalStorage, text: str) -> None:
    with storage.database.write() as connection:
        store.remove(connection, "a")
    add(storage, "a", text)
    terms = expression.terms(text)
    if terms:
        assert find_ids(storage, text) == ["a"]
    storage.history(HistoryQuery(text=text, sort="best"))


def test_a_text_without_words_finds_nothing_and_blank_text_lists_all(storage: LocalStorage) -> None:
    add(storage, "a", "x")
    assert find_ids(storage, "?!…") == []
    assert find_ids(storage, "   ") == ["a"]
    assert find_ids(storage, "the") == []
    add(storage, "b", "the who")
    assert find_ids(storage, "the who") == ["b"]


def test_filters(storage: LocalStorage) -> None:
    web, paper = Source("w", "http://w", "W"), Source("p", "http://p", "P", source_type="academic")
    add(
        storage,
        "a",
        "x",
        0,
        sources=(web,),
        quality=Quality(overall_confidence=0.9),
        user=UserMarks(starred=True, tags=("t",)),
    )
    add(
        storage,
        "b",
        "x",
        1,
        sources=(paper, replace(web, rejected="low")),
        status="partial",
        user=UserMarks(tags=("t", "u")),
    )
    add(storage, "c", "x", 2, status="failed", quality=Quality(overall_confidence=0.5))
    add(storage, "d", "x", 3, user=UserMarks(deleted_at="2025-02-01T00:00:00+00:00"))
    for text in (None, "x"):
        assert find_ids(storage, text) == ["c", "b", "a"]
        assert find_ids(storage, text, status=("partial", "failed")) == ["c", "b"]
        assert find_ids(storage, text, starred=True) == ["a"]
        assert find_ids(storage, text, tag="t") == ["b", "a"]
        assert find_ids(storage, text, tag="T") == []
        assert find_ids(storage, text, source_type="web") == ["a"]
        assert find_ids(storage, text, source_type="academic") == ["b"]
        assert find_ids(storage, text, source_type="gossip") == []
        assert find_ids(storage, text, min_confidence=0.5) == ["c", "a"]
        assert find_ids(storage, text, since="2025-01-02") == ["c", "b"]
        assert find_ids(storage, text, until="2025-01-02") == ["b", "a"]
        assert find_ids(storage, text, since="2025-01-02", until="2025-01-02T23:00:00Z") == ["b"]
        assert find_ids(storage, text, bin=True) == ["d"]
        assert find_ids(storage, text, sort="confidence") == ["a", "c", "b"]
        assert storage.history(HistoryQuery(text=text, tag="t", limit=1)).total == 2
    page = storage.history(HistoryQuery(text="x"))
    assert page.statuses == {"complete": 1, "failed": 1, "partial": 1}
    assert page.tags == {"t": 2, "u": 1}
    assert storage.history(HistoryQuery(bin=True)).statuses == {"complete": 1}


def all_pages(storage: LocalStorage, query: HistoryQuery) -> list[str]:
    seen: list[str] = []
    while True:
        page: HistoryPage = storage.history(query)
        assert len(page.entries) <= query.limit
        seen += [entry.research_id for entry in page.entries]
        if page.next is None:
            assert len(seen) == page.total
            return seen
        query = replace(query, before=page.next)


def test_the_pages_together_are_every_match_once(
    storage: LocalStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(23):
        words = [
            "common",
            "third" if n % 3 == 0 else "",
            "rare" if n == 7 else "",
            "common" * (n % 2),
        ]
        # equal times and equal confidences: the order must still be one order
        add(
            storage,
            f"r{n}",
            " ".join(words),
            day=n // 2,
            quality=Quality(overall_confidence=(n % 4) / 4),
        )
    texts, sorts = (
        (None, "common", "common third", "common third rare"),
        ("best", "newest", "oldest", "confidence"),
    )
    for text, sort, ranked in product(texts, sorts, (8000, 8, 0)):
        monkeypatch.setattr(history_store, "RANKED", ranked)
        seen = all_pages(storage, HistoryQuery(text=text, sort=sort, limit=4))
        assert sorted(seen) == sorted(f"r{n}" for n in range(23)), (text, sort, ranked)
        assert seen == find_ids(storage, text, sort=sort, limit=100), (text, sort, ranked)
        if text == "common third rare" and sort == "best" and ranked:
            assert seen[0] == "r7"


@each(
    "cursor",
    [
        "x",
        "",
        "W10",
        "WzEsMl0",
        "ä",
        "WyJhIiwxLDJd",
        "/" * 5000,
        "WzEsMixOYU5d",
        "WzAsTmFOLDFd",
        "WzEsMCwxMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwXQ",
    ],
)
def test_a_cursor_that_is_none_is_not_found(storage: LocalStorage, cursor: str) -> None:
    add(storage, "a", "x")
    if not cursor:
        return
    with pytest.raises(NotFound, match="page of the history does not exist"):
        storage.history(HistoryQuery(before=cursor))


def test_hostile_filters_find_nothing_and_raise_nothing(storage: LocalStorage) -> None:
    add(storage, "a", "x")
    for text in (None, "x"):
        assert find_ids(storage, text, tag="\ud800") == []
        assert find_ids(storage, text, status=("\ud800", "'; --")) == []
        assert find_ids(storage, text, status=("x",) * 50_000) == []
        assert find_ids(storage, text, min_confidence=float("inf")) == []
        assert find_ids(storage, text, min_confidence=float("nan")) == []
        assert find_ids(storage, text, sort="; DROP TABLE marks") == ["a"]
    for time in ("yesterday", "2025-13-45", "\0", "9" * 50):
        assert find_ids(storage, since=time, until=time) == ["a"]
    assert find_ids(storage, until="9999-12-31", since="0001-01-01") == ["a"]


def test_a_limit_out_of_range_is_moved_into_it(storage: LocalStorage) -> None:
    add(storage, "a", "x")
    add(storage, "b", "y")
    assert len(storage.history(HistoryQuery(limit=-5)).entries) == 1
    assert len(storage.history(HistoryQuery(limit=10**9)).entries) == 2


def test_the_marker_finds_forms_and_beginnings_only() -> None:
    marker = Marker(expression.terms("storing batt"))
    assert marker.mark("Stored, a store of battery-made bats; Batté.") == (
        f"{OPEN}Stored{CLOSE}, a {OPEN}store{CLOSE} of {OPEN}battery{CLOSE}-made bats; "
        f"{OPEN}Batté{CLOSE}."
    )
    assert marker.excerpt("nothing here") is None
    assert Marker(['"a"']).mark("") == ""


@pytest.mark.lab
@given(st.text(max_size=400), st.text(max_size=40))
def test_marking_changes_nothing_but_the_marks(text: str, query: str) -> None:
    text = text.replace(OPEN, "").replace(CLOSE, "")
    terms = expression.terms(query) or ['"a"']
    marked = Marker(terms).mark(text)
    assert marked.replace(OPEN, "").replace(CLOSE, "") == text
    excerpt = Marker(terms).excerpt(text)
    assert excerpt is None or excerpt.count(OPEN) == excerpt.count(CLOSE) > 0
