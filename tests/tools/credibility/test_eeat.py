"""E-E-A-T facets: each number as specified, and thin pages told from deep ones."""

import time

import pytest

from tests.tables import each
from tools.credibility.eeat import WEIGHTS, facets, freshness, quality
from tools.sources.source import Source, make_source

DEEP = "\n\n".join(
    f"Paragraph {n}. In 20{n:02d} the share rose to {n}.5% [3]. Table {n} shows more (Nyman et "
    "al., 2021)." + " Words make a text long and deep." * 15
    for n in range(1, 14)
)
THIN = "Click here for the best tricks. You will not believe it."
BLOG = make_source("https://random-blog.xyz/post", "Post")


def test_weights_sum_to_one_and_overall_is_the_weighted_sum() -> None:
    assert WEIGHTS == {"domain_trust": 0.30, "freshness": 0.15, "authority": 0.25, "quality": 0.30}
    parts = facets(BLOG, DEEP, 0.5, "2026-11-01")
    assert parts["overall"] == pytest.approx(
        sum(WEIGHTS[name] * parts[name] for name in WEIGHTS), abs=1e-5
    )


@each(
    ("published", "expected"),
    [
        (None, 0.7),
        ("2026-10-01", 1.0),
        ("2024-11-02", 1.0),
        ("2020-11-01", 0.7),
        ("2016-11-01", 0.4),
        ("1900", 0.4),
        ("2030", 1.0),
    ],
)
def test_freshness(published: str | None, expected: float) -> None:
    assert freshness(published, "2026-11-01") == pytest.approx(expected, abs=0.001)


def test_domain_trust_is_the_base() -> None:
    assert facets(BLOG, THIN, 0.5, "2026-11-01")["domain_trust"] == 0.5


def test_a_deep_page_passes_and_a_thin_one_on_a_weak_platform_does_not() -> None:
    assert facets(BLOG, DEEP, 0.5, "2026-11-01")["overall"] > 0.5
    assert (
        facets(make_source("https://reddit.com/r/x", "x"), THIN, 0.25, "2026-11-01")["overall"]
        < 0.35
    )


def test_what_was_not_read_is_not_judged() -> None:
    assert quality(BLOG, " \n") == 0.5
    assert facets(BLOG, "", 0.5, "2026-11-01")["overall"] >= 0.35


def test_authority_grows_with_each_feature() -> None:
    bare = Source("a", "https://x.example/", "x")
    full = Source(
        "b", "https://x.example/", "x", authors=("A. Nyman",), cited_by_count=2000,
        references=tuple(f"doi:10.1/{n}" for n in range(20)),
        fields={"affiliations": ["An institute"]},
    )  # fmt: skip
    assert facets(bare, "", 0.5, "")["authority"] == 0.0
    assert facets(full, "", 0.5, "")["authority"] == 1.0
    assert facets(Source("c", "u", "t", authors=("  ",)), "", 0.5, "")["authority"] == 0.0


@pytest.mark.lab
def test_hostile_text_is_read_in_linear_time() -> None:
    start = time.process_time()
    for text in (
        "(" * 500_000,
        "10." * 300_000,
        "A et al. " * 100_000,
        "[1" * 300_000,
        "9" * 900_000,
    ):
        assert 0.0 <= quality(BLOG, text) <= 1.0
    assert time.process_time() - start < 5
