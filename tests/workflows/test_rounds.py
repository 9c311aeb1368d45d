"""How often a research goes out to search, and for what: no query twice, none without a rare word
of the topic."""

from dataclasses import replace

import pytest
from plain_deps import World

from tools.sources.queries import topic_of
from tools.text.tokens import stems
from workflows.research import pipeline
from workflows.research.model import RunConfig
from workflows.research.state import ResearchState

QUESTIONS = (
    "Do grid-scale batteries lower evening electricity prices?",
    "How does the write-ahead log of SQLite work?",
    "What are the risks of microplastics in drinking water?",
    "Which is cheaper, pumped hydro or lithium batteries?",
    "Who was Ada Lovelace?",
)


def research(world: World, question: str, only_local: bool = False) -> ResearchState:
    """A thorough research of up to three rounds."""
    deps = world.deps()
    if only_local:
        deps = replace(
            deps, clients=tuple(client for client in deps.clients if client.kind == "local")
        )
    config = RunConfig(depth=3, clarify=False)
    state = ResearchState(question, config=config, as_of="2026-01-01T00:00:00Z")
    return pipeline.run(state, deps, save=lambda step, state: None)


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_client_is_asked_the_same_twice(world: World, question: str) -> None:
    searches = [
        (search.client, search.query.casefold()) for search in research(world, question).asked
    ]
    assert searches and len(searches) == len(set(searches))


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_query_holds_one_of_the_rarest_words_of_the_topic(
    world: World, question: str
) -> None:
    research(world, question)
    rare = set(stems(topic_of(question, 3)))
    assert [query for _, query in world.searches if rare.isdisjoint(stems(query))] == []


def test_own_documents_alone_are_searched_in_one_round(world: World) -> None:
    state = research(world, QUESTIONS[0], only_local=True)
    queries = [query for _, query in world.searches]
    assert state.round == 1 and queries and len(queries) == len(set(queries))


def test_a_round_that_adds_nothing_is_the_last() -> None:
    silent = World({})
    assert research(silent, QUESTIONS[0]).round <= 2 and silent.searches
