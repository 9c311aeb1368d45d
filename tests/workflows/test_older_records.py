"""Records that say in words what newer ones have fields for are read as if they had them."""

from dataclasses import replace

from tests.tables import each
from tools.sources.source import Credibility, make_source
from workflows.research.model import ClientReport, DeadEnd, Search
from workflows.research.report.source_notes import reasons, unanswered
from workflows.research.state import ResearchState

OFFLINE = "arXiv: the name is not known (or there is no network); skipped"


def read(state: ResearchState, part: str, *left_out: str) -> ResearchState:
    """A state as it comes back from a record whose entries lack some fields."""
    record = state.to_dict()
    record[part] = [
        {name: value for name, value in row.items() if name not in left_out} for row in record[part]
    ]
    return ResearchState.from_dict(record)


@each(("problem", "reason", "line"), [
    (OFFLINE, "unreachable", "You were offline, so only your own documents were searched."),
    ("arXiv: rate limited; skipped", "error", "Not every source answered: 1 of 2 did not (arXiv)."),
])  # fmt: skip
def test_the_name_and_the_kind_of_a_problem_come_from_its_sentence(
    problem: str, reason: str, line: str
) -> None:
    clients = (ClientReport("arxiv", problem=problem), ClientReport("local", 2, answers=1))
    sources = (make_source("local://1", "Notes", source_type="local"),)
    state = read(
        ResearchState("How?", sources=sources, clients=clients), "clients", "label", "reason"
    )
    assert [(client.label, client.reason) for client in state.clients] == [
        ("arXiv", reason),
        ("", ""),
    ]
    assert unanswered(state) == [line] and reasons(state)[0].startswith("arXiv: ")


@each(
    ("outcome", "hit_count"),
    [("3 hits", 3), ("1 hit", 1), ("nothing either", 0), ("not asked", None), (None, None)],
)
def test_what_an_alternative_found_is_counted(outcome: str | None, hit_count: int | None) -> None:
    end = DeadEnd("q", None, "arxiv", "no_results", "other", outcome=outcome)
    assert (
        read(ResearchState("How?", dead_ends=(end,)), "dead_ends", "found").dead_ends[0].found
        == hit_count
    )


def test_what_a_place_was_computed_from_stands_apart_from_why_it_was_read() -> None:
    source = replace(
        make_source("https://a.example/", "A"), reasons=("cited by B", "meaning 0.83", "kind 0.40")
    )
    (old,) = read(ResearchState("How?", sources=(source,)), "sources", "relevance").sources
    assert (old.reasons, old.relevance) == (("cited by B",), {"meaning": 0.83, "kind": 0.4})


@each(("category", "is_preprint", "overrides"), [
    ("ArXiv preprint (NOT peer-reviewed)", True, ()), ("Leading journal", False, ()),
    ("retracted", False, ("retracted",)),
])  # fmt: skip
def test_the_rule_behind_a_score_comes_from_its_category(
    category: str, is_preprint: bool, overrides: tuple[str, ...]
) -> None:
    source = replace(
        make_source("https://a.example/", "A"), credibility=Credibility(0.5, category, 0.5)
    )
    (old,) = read(ResearchState("How?", sources=(source,)), "sources").sources
    assert (
        old.is_preprint == is_preprint
        and old.credibility
        and old.credibility.overrides == overrides
    )


def test_searches_come_from_their_lines() -> None:
    record = {
        **ResearchState("How?").to_dict(),
        "asked": ["arxiv\ttwo words", "earlier\tlocal\tone\ttab"],
    }
    searches = ResearchState.from_dict(record).asked
    assert searches == (Search("arxiv", "two words"), Search("local", "one\ttab", earlier=True))
