"""Type, anchor and subjects of a question, by patterns."""

import time

import pytest

from workflows.research.model import Task
from workflows.research.plan import check_acyclic, plan, task_graph
from workflows.research.state import ResearchState
from workflows.research.templates import TEMPLATES
from workflows.research.understand import read_question, urls_in


@pytest.mark.parametrize(
    ("question", "kind", "anchor"),
    [
        ("Do street trees cool cities?", "claim_check", "street trees cool cities"),
        ("Is it true that fast charging shortens the life of a battery?", "claim_check",
         "fast charging shortens the life of a battery"),
        ("Does coffee cause insomnia?", "claim_check", "coffee cause insomnia"),
        ("Are there any rivers in Norland?", "general", "rivers"),
        ("Who is Ada Okafor?", "person", "Ada Okafor"),
        ("Ada Okafor at Norland Institute", "person", "Ada Okafor"),
        ("What is grid-forming control?", "concept", "grid-forming control"),
        ("What is the effect of urban trees on summer heat?", "general", "urban trees"),
        ("How does a heat pump work?", "technical", "heat pump"),
        ("How are tidal barrages built?", "technical", "tidal barrages"),
        ("urban trees summer heat", "general", "urban trees summer heat"),
        ('the role of "sponge cities" in floods', "general", "sponge cities"),
    ],
)  # fmt: skip
def test_type_and_anchor(question: str, kind: str, anchor: str) -> None:
    read = read_question(question)
    assert (read.query_type, read.primary_anchor) == (kind, anchor)


@pytest.mark.parametrize(
    ("question", "subjects"),
    [
        ("Flow batteries vs lithium-ion batteries for eight-hour storage", ("Flow batteries", "lithium-ion batteries")),
        ("Compare heat pumps and gas boilers", ("heat pumps", "gas boilers")),
        ("What is the difference between weather and climate?", ("weather", "climate")),
        ("Which is cheaper, rail or road?", ("rail", "road")),
    ],
)
def test_subjects_of_a_comparison(question: str, subjects: tuple[str, str]) -> None:
    read = read_question(question)
    assert (read.query_type, read.subjects) == ("comparison", subjects)


def test_addresses_in_a_question() -> None:
    assert urls_in("see example.org/a, and https://example.net/b?c=1.") == (
        "https://example.org/a",
        "https://example.net/b?c=1",
    )


@pytest.mark.parametrize("text", ["A" * 10_000, "A a " * 3_000, "a.b." * 3_000, "vs " * 3_000, "compare " * 1_500])
def test_no_question_takes_long(text: str) -> None:
    began = time.process_time()
    read_question(text)
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize("kind", sorted(TEMPLATES))
def test_every_template_is_a_tree_of_the_right_size(kind: str) -> None:
    tiers = [row.tier for row in TEMPLATES[kind]]
    assert 3 <= tiers.count("primary") <= 4
    assert 2 <= tiers.count("secondary") <= 3
    assert 1 <= tiers.count("tertiary") <= 2


def test_weights_sum_to_one_and_every_query_carries_the_anchor(world: object) -> None:
    read = read_question("What is grid-forming control?")
    planned = plan(ResearchState("What is grid-forming control?", understanding=read), world.deps())  # type: ignore[attr-defined]
    assert sum(q.weight for q in planned.plan.questions) == pytest.approx(1.0, abs=1e-5)
    for question in planned.plan.questions:
        assert 2 <= len(question.queries) <= 3
        assert all("grid-forming control" in query for query in question.queries)
    assert 3 <= len(planned.plan.perspectives) <= 5


def test_tasks_in_a_circle_are_rejected() -> None:
    with pytest.raises(ValueError, match="circle"):
        check_acyclic((Task("a", "x", ("b",)), Task("b", "x", ("a",))))
    with pytest.raises(ValueError, match="do not exist"):
        check_acyclic((Task("a", "x", ("z",)),))
    assert task_graph(())[-1].kind == "synthesise"
