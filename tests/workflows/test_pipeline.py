"""The whole way from a question to a report, over plain fakes."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from plain_deps import World

from tools.errors import Cancelled
from tools.sources.source import FetchedPage, Outcome, Source, id_of
from workflows.research import pipeline
from workflows.research.deps import Deps
from workflows.research.kinds import RunStatus
from workflows.research.model import Filters, RunConfig
from workflows.research.report import source_notes
from workflows.research.state import ResearchState, with_answer

QUESTION = "Do grid-scale batteries lower evening electricity prices?"


def research(
    world: World, question: str = QUESTION, deps: Deps | None = None, **config: object
) -> ResearchState:
    state = ResearchState(question, config=RunConfig(**config), as_of="2026-01-01T00:00:00Z")  # type: ignore[arg-type]
    return pipeline.run(state, deps or world.deps(), save=lambda step, state: None)


def test_every_passage_is_made_of_pieces_of_its_text(world: World) -> None:
    state = research(world)
    assert state.status == "complete"
    assert state.report is not None and state.report.title == QUESTION
    assert state.answer is not None and state.answer.status == "answered"
    evidence = {piece.evidence_id: piece for piece in state.evidence}
    for piece in state.evidence:
        assert world.texts[piece.snapshot_id][piece.start : piece.end] == piece.quote
    shown = [
        *state.answer.passages,
        *(passage for section in state.report.sections for passage in section.passages),
    ]
    assert shown
    for passage in shown:
        whole = "".join(
            world.texts[evidence[evidence_id].snapshot_id] for evidence_id in passage.evidence_ids
        )
        assert all(
            evidence[evidence_id].quote in passage.text for evidence_id in passage.evidence_ids
        )
        assert passage.lead.text in passage.text and passage.lead.text in whole
        assert passage.lead.citations and all(
            c.source_id == passage.source_id for c in passage.lead.citations
        )


def test_the_passage_that_answers_stands_first(world: World) -> None:
    answer = research(
        world, "How much of evening demand did batteries supply in Norland in 2024?"
    ).answer
    assert answer is not None and answer.intent == "fact"
    assert "12%" in answer.passages[0].lead.text


def test_nothing_is_claimed_that_no_judge_judged(world: World) -> None:
    state = research(world)
    assert state.report is not None and state.answer is not None
    assert state.report.verdict is None and state.answer.verdict is None
    assert state.answer.judge.kind == "none"
    assert all(claim.confidence is None and claim.level is None for claim in state.claims)
    assert not [sentence for sentence in state.report.sentences() if sentence.kind == "written"]


def test_a_comparison_shows_each_thing() -> None:
    texts = {
        "Guide": (
            "local",
            "Lithium batteries store energy for four hours. They are built in a year.",
        ),
        "Handbook": ("local", "Pumped hydro stores energy for ten hours. It needs a mountain."),
    }
    answer = research(World(texts), "lithium batteries vs pumped hydro").answer
    assert answer is not None and answer.intent == "comparison"
    leads = " ".join(passage.lead.text for passage in answer.passages)
    assert "four hours" in leads and "ten hours" in leads


def test_the_record_reads_back_as_the_same_state(world: World) -> None:
    state = research(world)
    record = json.loads(json.dumps(state.to_dict()))
    assert record["query"] == record["original_query"] == QUESTION
    assert ResearchState.from_dict(record) == state
    del record["original_query"]
    assert ResearchState.from_dict(record).original_query == QUESTION
    record = state.to_dict()
    assert ResearchState.from_dict(record).to_dict() == record


def test_the_same_run_gives_the_same_record(world: World) -> None:
    first, second = (research(World_again(world), workers=workers) for workers in (5, 1))
    assert without_times(first) == without_times(second)


def World_again(world: World) -> World:
    fresh = World({})
    fresh.texts, fresh.sources, fresh.by_id = world.texts, world.sources, world.by_id
    return fresh


def without_times(state: ResearchState) -> dict[str, object]:
    record = replace(state, clients=(), config=RunConfig()).to_dict()
    for entry in record["trajectory"]:
        entry["time"] = ""
    return record


def test_a_run_stopped_after_any_step_ends_like_one_that_was_not(world: World) -> None:
    saved: list[tuple[str, str, set[str]]] = []

    def save(step: str, state: ResearchState) -> None:
        saved.append((step, json.dumps(state.to_dict()), set(world.fetches)))

    whole = without_times(pipeline.run(whole_start(), world.deps(), save=save))
    assert len(saved) >= 8 and saved[-1][0] == pipeline.DONE
    for number, (step, record, fetched) in enumerate(saved[:-1], 1):
        again = World_again(world)
        state = ResearchState.from_dict(json.loads(record))
        ended = pipeline.run(state, again.deps(), save=lambda s, st: None, step=step)
        assert without_times(ended) == whole, step
        if number > 2:
            assert not set(again.fetches) & fetched, f"a finished fetch was repeated after {step}"


def whole_start() -> ResearchState:
    return ResearchState(QUESTION, as_of="2026-01-01T00:00:00Z")


def test_a_client_that_fails_costs_only_its_hits_and_is_named(world: World) -> None:
    world.fails["wikipedia"] = "Wikipedia: no answer within 5 s."
    state = research(world)
    assert state.status == "complete"
    assert any("Wikipedia: no answer" in end.message for end in state.dead_ends)
    assert state.report is not None
    assert "Not every source answered: 1 of 3 did not (Wikipedia)." in state.report.notes
    assert source_notes.reasons(state) == ["Wikipedia: no answer within 5 s."]


def test_when_every_client_fails_the_run_says_so(world: World) -> None:
    world.fails = dict.fromkeys(("openalex", "wikipedia", "local"), "Service: unavailable")
    world.sources["local"] = []
    state = research(world)
    assert state.status == "failed"
    assert state.report is not None and state.report.notes[0] == source_notes.failure(state)
    assert "zorora sources --check" in state.trajectory[-1].message
    assert (
        state.answer is not None
        and state.answer.status == "not_found"
        and not state.answer.passages
    )


def test_what_is_not_found_is_said_and_complete() -> None:
    state = research(
        World({"Cooking": ("local", "Butter is made of milk and salt by churning cream.")})
    )
    assert state.status == "complete"
    assert state.answer is not None and state.answer.status == "not_found"
    assert "batteries" in state.answer.absent_terms
    assert not state.answer.passages and state.answer.searched.sources == 1


@pytest.mark.parametrize(
    "question",
    ["", "   ", "?" * 10_000, "\x00\x01", "'; DROP TABLE x; --", "../../etc", "电池", "🔋"],
)
def test_any_question_ends_in_a_state(world: World, question: str) -> None:
    assert research(world, question).status == "complete"


def test_switches_leave_phases_out_and_say_so(world: World) -> None:
    state = research(world, follow=False, cross_reference=False)
    assert any(
        entry.kind == "phase_skipped" and entry.phase == "follow" for entry in state.trajectory
    )


def test_lean_fetches_nothing(world: World) -> None:
    research(world, lean=True)
    local = {source.source_id for source in world.sources["local"]}
    assert set(world.fetches) <= local


def test_addresses_named_in_the_question_are_read_first(world: World) -> None:
    state = research(
        world, "What does https://agency.example/review say about batteries and evening prices?"
    )
    assert state.sources
    assert any(source.url == "https://agency.example/review" for source in state.sources)
    assert any(end.url == "https://agency.example/review" for end in state.dead_ends)


def test_a_document_named_for_the_run_is_kept_whatever_it_says_and_who_finds_no_room_is_told() -> (
    None
):
    texts = {
        f"Report {n}": ("local", f"Batteries lower evening electricity prices by {n + 3}%.")
        for n in range(5)
    }
    world = World(texts | {"Log": ("local", "The batteries were charged at noon.")})
    ids = tuple(source.document_id or "" for source in world.sources["local"])
    assert "Log" in [source.title for source in research(world, documents=ids).sources]
    research(world, documents=ids, max_sources=2)
    assert [
        event.message for event in world.events if "documents beyond the 2 sources" in event.message
    ]


def test_named_filters_reach_the_record(world: World) -> None:
    state = research(world, filters=Filters(since="2020-01-01"))
    assert state.to_dict()["config"]["filters"]["since"] == "2020-01-01"


def cancelling(after: int) -> Callable[[], None]:
    calls = [0]

    def check() -> None:
        calls[0] += 1
        if calls[0] > after:
            raise Cancelled("stopped")

    return check


@pytest.mark.parametrize("after", [0, 1, 5, 10, 20])
def test_cancelling_keeps_what_was_found(world: World, after: int) -> None:
    saved: list[tuple[str, ResearchState]] = [("understand", whole_start())]
    deps = replace(world.deps(), check_cancelled=cancelling(after))
    with pytest.raises(Cancelled):
        pipeline.run(whole_start(), deps, save=lambda step, state: saved.append((step, state)))
    ended = pipeline.finish_partial(saved[-1][1], world.deps())
    assert ended.status in ("partial", "cancelled")
    assert (ended.status == "partial") == any(source.snapshot_id for source in ended.sources)


def test_citations_are_followed_and_edges_kept(world: World) -> None:
    from tools.sources.source import make_source

    study = world.sources["openalex"][0]
    cited = make_source(
        "https://doi.org/10.1000/cited", "Cited work", doi="10.1000/cited", source_type="academic"
    )
    world.references[study.source_id] = [
        replace(cited, abstract="Batteries lowered evening prices by 5% in Sudland.")
    ]
    state = research(world)
    assert state.citation_graph[study.source_id] == (cited.source_id,)
    followed = state.source(cited.source_id)
    assert followed is not None
    assert followed.hop == 1
    assert any(authority.in_degree == 1 for authority in state.authority)


def test_a_work_known_by_its_id_alone_becomes_a_source_when_it_is_completed(world: World) -> None:
    from tools.sources.source import make_source

    study = world.sources["openalex"][0]
    bare = make_source("https://doi.org/10.1000/bare", "", source_type="academic")
    world.references[study.source_id] = [bare]
    messages: list[str] = []

    def complete(sources: Sequence[Source]) -> tuple[Sequence[Source], Sequence[Outcome]]:
        messages.extend(source.source_id for source in sources)
        abstract = "Batteries lowered evening electricity prices by 5% in Sudland."
        done = [
            replace(source, title="Evening prices", abstract=abstract, venue="J. of Grids")
            for source in sources
        ]
        return done, (Outcome("crossref", "records", tuple(done)),)

    assert research(world).source(bare.source_id) is None
    state = research(world, deps=replace(world.deps(), complete=complete))
    source = state.source(bare.source_id)
    assert source is not None and (source.venue, source.hop) == ("J. of Grids", 1)
    assert bare.source_id in messages and any(
        report.client == "crossref" for report in state.clients
    )


def test_the_reference_list_of_a_page_gives_edges(world: World) -> None:
    study = world.sources["openalex"][0]
    fetch = world.fetch

    def with_references(source: Source) -> FetchedPage:
        page = fetch(source)
        return (
            replace(page, references=("doi:10.1000/listed",))
            if source.source_id == study.source_id
            else page
        )

    state = research(world, deps=replace(world.deps(), fetch=with_references))
    assert state.citation_graph[study.source_id] == (id_of("doi:10.1000/listed"),)


def test_a_person_with_several_meanings_is_asked_for() -> None:
    world = World(
        {
            "Jo Mercer (footballer)": ("wikipedia", "Jo Mercer is a footballer of Norland United."),
            "Jo Mercer (chemist)": (
                "wikipedia",
                "Jo Mercer is a chemist who studied salts in Norland.",
            ),
        }
    )
    state = research(world, "Who is Jo Mercer?", clarify=True)
    assert state.status == RunStatus.WAITING
    assert state.understanding.clarification is not None
    assert len(state.understanding.clarification.choices) == 2
    answered = with_answer(state, "the chemist")
    ended = pipeline.run(answered, world.deps(), save=lambda step, state: None, step="understand")
    assert ended.status == "complete"
    assert ended.understanding.entity == "Jo Mercer (chemist)"
