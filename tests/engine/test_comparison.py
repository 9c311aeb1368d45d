"""Two researches side by side: the same claim in other words, claims that clash, sources found by
both."""

import time
from dataclasses import replace

import pytest

from engine.reports.comparison import compare
from tools.sources.source import Source, make_source
from workflows.research.model import Claim
from workflows.research.report.model import Citation, Report, Sentence
from workflows.research.state import ResearchState


def state(name: str, *texts: str, urls: tuple[str, ...] = ()) -> ResearchState:
    claims = tuple(
        Claim(f"C{n}", text, verified=True, confidence=0.7) for n, text in enumerate(texts, 1)
    )
    sources: tuple[Source, ...] = tuple(make_source(url, url) for url in urls)
    return ResearchState("Why?", f"{name}_20260101_000000", claims=claims, sources=sources)


A = state(
    "a",
    "Batteries lowered the winter evening price by 9% in Norvalen.",
    "Pumped hydro plants did not change the evening price in Norvalen.",
    "Street trees lower the summer heat.",
    urls=("https://one.example/a", "https://two.example/b?utm_source=x"),
)
B = state(
    "b",
    "Batteries lowered the winter evening price by 14% in Norvalen.",
    "Pumped hydro plants did not change the evening price in Norvalen at all.",
    "Coffee raises blood pressure.",
    urls=("https://two.example/b", "https://three.example/"),
)


def test_the_same_claim_a_clash_and_what_only_one_says() -> None:
    comparison = compare(A, B)
    assert [(pair.a.claim_id, pair.b.claim_id) for pair in comparison.both] == [("C2", "C2")]
    assert [(pair.a.claim_id, pair.b.claim_id, pair.nature) for pair in comparison.clashes] == [
        ("C1", "C1", "figures")
    ]
    assert [[claim.claim_id for claim in claims] for claims in comparison.only] == [["C3"], ["C3"]]
    assert "9%" in comparison.clashes[0].explanation and "14%" in comparison.clashes[0].explanation


def test_a_source_is_the_same_by_its_canonical_address() -> None:
    comparison = compare(A, B)
    assert [(source.url, other.url) for source, other in comparison.shared_sources] == [
        ("https://two.example/b?utm_source=x", "https://two.example/b")
    ]
    assert [len(sources) for sources in comparison.only_sources] == [1, 1]


def test_files_that_a_report_never_cites_are_not_shared() -> None:
    def cites(base: ResearchState, *numbers: int) -> ResearchState:
        names = [base.sources[number].source_id for number in numbers]
        cited = tuple(
            Sentence("s", "quote", "Said.", citations=(Citation("E1", name, "S1"),))
            for name in names
        )
        return replace(base, report=Report("Why?", summary=cited))

    both = ("https://one.example/a", "https://two.example/b")
    first, other = state("a", urls=both), state("b", urls=both)
    comparison = compare(cites(first, 0), cites(other, 1))
    assert comparison.shared_sources == () and [
        len(sources) for sources in comparison.only_sources
    ] == [1, 1]
    assert len(compare(cites(first, 0, 1), cites(other, 1)).shared_sources) == 1


def test_the_other_way_round_is_the_same_the_other_way_round() -> None:
    there, back = compare(A, B), compare(B, A)
    assert [(pair.b, pair.a) for pair in back.both] == [(pair.a, pair.b) for pair in there.both]
    assert back.only == there.only[::-1] and compare(A, B) == there


def test_numbers_and_denials_that_differ_are_never_the_same_claim() -> None:
    first = state(
        "a", "Batteries lowered evening prices by 9%.", "Trees lower the heat in the city."
    )
    other = state(
        "b", "Batteries lowered evening prices by 8%.", "Trees do not lower the heat in the city."
    )
    assert compare(first, other).both == ()


def test_unverified_claims_and_empty_researches_are_left_out() -> None:
    lone = replace(A, claims=tuple(replace(claim, verified=False) for claim in A.claims))
    assert compare(lone, lone).both == () and compare(state("a"), state("b")).only == ((), ())


def test_a_research_with_itself_agrees_in_everything() -> None:
    comparison = compare(A, A)
    assert len(comparison.both) == 3 and comparison.clashes == () and comparison.only == ((), ())


@pytest.mark.lab
def test_two_hundred_claims_against_as_many_take_no_time() -> None:
    words = "alpha beta gamma delta epsilon zeta eta theta iota kappa".split()
    texts = [
        f"Storage of {words[n % 10]} lowered the {words[n // 10 % 10]} price by {n}% there."
        for n in range(200)
    ]
    began = time.process_time()
    comparison = compare(state("a", *texts), state("b", *texts))
    assert len(comparison.both) == 200 and time.process_time() - began < 3.0
