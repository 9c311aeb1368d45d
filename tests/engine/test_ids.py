"""Names of researches: safe for any question."""

from datetime import UTC, datetime, timedelta, timezone
from itertools import islice

from hypothesis import given, strategies as st

from engine.ids import candidates, is_research_id, new_research_id, record_name, slug, time_of
from tests.tables import each

AT = datetime(2025, 1, 15, 14, 30, 22, tzinfo=UTC)


def test_the_example_of_the_specification() -> None:
    assert new_research_id("AI trends?", AT) == "ai_trends_20250115_143022"
    assert record_name("ai_trends_20250115_143022") == "2025-01-15_ai_trends_143022.json"


def test_time_is_utc_whatever_the_zone() -> None:
    assert new_research_id("x", AT.astimezone(timezone(timedelta(hours=9)))) == "x_20250115_143022"


def test_a_taken_name_gets_a_suffix() -> None:
    taken = set(islice(candidates("AI trends", AT), 2))
    research_id = new_research_id("AI trends", AT, taken.__contains__)
    assert research_id == "ai_trends_20250115_143022_3"
    assert record_name(research_id) == "2025-01-15_ai_trends_143022_3.json"


@each(
    ("question", "expected"),
    [
        ("", "research"),
        ("   ", "research"),
        ("???", "research"),
        ("电池储能", "research"),
        ("Élan vital à São Paulo", "elan_vital_a_sao_paulo"),
        ("../../etc/passwd", "etc_passwd"),
        ("a\0b\nc", "a_b_c"),
        ('"; rm -rf ~ #', "rm_rf"),
        ("What's new?", "whats_new"),
        ("\ud800 lone", "lone"),
        ("x" * 10_000, "x" * 50),
        (
            "one two three four five six seven eight nine ten eleven",
            "one_two_three_four_five_six_seven_eight_nine_ten",
        ),
    ],
)
def test_slugs(question: str, expected: str) -> None:
    assert slug(question) == expected


@given(st.text(max_size=80))
def test_any_question_gives_a_safe_name(question: str) -> None:
    research_id = new_research_id(question, AT)
    assert is_research_id(research_id)
    assert len(slug(question)) <= 50
    assert record_name(research_id).encode("ascii").endswith(b"_143022.json")
    assert time_of(research_id) == AT


@each(
    "hostile",
    [
        "",
        "../x",
        "a/b",
        "a\\b",
        "A_20250115_143022",
        ".hidden",
        "a\n",
        "a\0",
        "x" * 200,
        "-rf",
        "ä",
        "a b",
        "_a",
    ],
)
def test_what_cannot_be_an_id(hostile: str) -> None:
    assert not is_research_id(hostile)


def test_ids_of_another_form_do_not_share_a_file_with_ours() -> None:
    assert record_name("2025-01-15_ai_trends_143022") != record_name("ai_trends_20250115_143022")
    assert time_of("imported") is None
    assert time_of("x_99999999_999999") is None
