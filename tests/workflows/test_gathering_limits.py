"""The numbers of planning, gaps, ranks of hits and whom a name means, each at its edge."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise, repeat
from types import SimpleNamespace

import pytest
from plain_deps import CLIENTS, World

from tests.tables import each
from tools.sources.source import Credibility, Mark, Outcome, Source, make_source
from workflows.research.gather.aggregate import take_in
from workflows.research.gather.follow import follow
from workflows.research.gather.gaps import _covered, _passages_on, mean_coverage, refinement_queries
from workflows.research.gather.shortlist import off_topic, rank, shortlist
from workflows.research.model import Candidate, Plan, Question, RunConfig, Understanding
from workflows.research.report.quality import _credible_share
from workflows.research.revise import further
from workflows.research.state import ResearchState
from workflows.research.understand.discover import _route, choose, discover
from workflows.research.understand.entities import group
from workflows.research.understand.parts import parts_of
from workflows.research.understand.phase import read_question, urls_in
from workflows.research.understand.plan import _queries, alike, aspect_queries, weigh

TIERS = ("primary", "secondary", "tertiary")


# --- what a question says -------------------------------------------------------------------------


@pytest.mark.parametrize(("asked", "answered"), [(4, 4), (5, 1)])
def test_four_questions_are_answered_one_by_one_and_five_as_one(asked: int, answered: int) -> None:
    assert len(parts_of(" ".join(f"What is a {role}?" for role in ROLES[:asked]))) == answered


@pytest.mark.parametrize(("before", "read"), [(1_950, True), (2_050, False)])
def test_two_thousand_characters_of_a_question_are_read(before: int, read: bool) -> None:
    filler = "mills " * (before // 6)
    assert bool(urls_in(f"{filler} https://mills.example/")) == read
    assert ("wheat" in read_question(f"{filler} wheat").anchor_terms) == read


def test_a_long_question_is_about_its_first_24_words_and_is_named_by_14_of_them() -> None:
    words = [f"mill{chr(97 + n)}x" for n in range(26)]
    read = read_question(f"Why do {' '.join(words)} grind?")
    assert read.anchor_terms == tuple(words[:24])
    assert read.primary_anchor == " ".join(words[:14])


# --- plan and gaps --------------------------------------------------------------------------------


def test_a_main_question_counts_as_three_further_ones_and_each_of_these_as_two_of_the_rest() -> (
    None
):
    for tier, other, times in (("primary", "secondary", 3), ("secondary", "tertiary", 2)):
        first, *rest = weigh(
            [Question("", "a", tier, 0.0), *(Question("", "b", other, 0.0) for _ in range(times))]
        )
        assert first.weight == pytest.approx(sum(question.weight for question in rest), abs=1e-5)


def test_coverage_counts_by_weight() -> None:
    questions = weigh(
        [Question("", tier, tier, 0.0, coverage=float(tier == "primary")) for tier in TIERS]
    )
    state = replace(ResearchState("?"), plan=Plan((), questions, ()))
    assert mean_coverage(state) == pytest.approx(2 / 3, abs=1e-5)


@pytest.mark.parametrize(("count", "whole"), [(14, True), (15, False)])
def test_a_question_of_fourteen_words_is_typed_as_it_stands(count: int, whole: bool) -> None:
    question = " ".join(["why", *(f"mill{chr(97 + n)}" for n in range(count - 1))])
    queries = _queries(question, Understanding())
    assert (question in queries) == whole
    assert max(len(query.split()) for query in queries) <= 14


def test_an_aspect_is_searched_for_beside_four_words_of_the_topic() -> None:
    (query,) = aspect_queries(
        "Why do mills grind wheat barley oats rye spelt?", Understanding(), ("history",)
    )
    assert len(query.partition(":")[0].split()) == 4


def test_a_gap_is_searched_for_by_three_words_of_its_topic() -> None:
    (query,) = refinement_queries(
        ResearchState("?"), Question("Q1", "Why do mills grind wheat barley oats?", "primary", 1.0)
    )
    assert len(query.split()) == 3


@pytest.mark.parametrize(("shared", "same"), [(7, True), (6, False)])
def test_questions_that_share_seven_tenths_of_their_words_ask_the_same(
    shared: int, same: bool
) -> None:
    words = [f"mill{chr(97 + n)}" for n in range(10)]
    assert alike(" ".join(words), " ".join(words[:shared])) == same


@pytest.mark.parametrize(("terms", "matching", "covers"), [(9, 5, True), (9, 4, False)])
def test_a_passage_with_half_of_the_terms_is_on_a_question(
    terms: int, matching: int, covers: bool
) -> None:
    words = [f"mill{chr(97 + n)}x" for n in range(terms)]
    world = World({"Text": ("local", f"Here {' '.join(words[:matching])} stand.")})
    (source,) = world.sources["local"]
    state = replace(ResearchState("?"), sources=(source,))
    question = Question("Q1", f"Where are {' '.join(words)}?", "primary", 1.0)
    assert bool(_passages_on(state, question, world.deps())) == covers


def test_a_question_searched_afterwards_counts_as_a_main_one_named_by_eighty_characters() -> None:
    state = replace(
        ResearchState("?"), plan=Plan((), weigh([Question("Q1", "Why?", "primary", 0.0)]), ())
    )
    first, new = further(state, "mill " * 30, "mill").plan.questions
    assert first.weight == new.weight == 0.5
    assert 75 < len(new.heading) <= 80 + len(" …")


# --- what is taken --------------------------------------------------------------------------------


def documents(count: int) -> tuple[World, list[Source]]:
    world = World({f"Text {n}": ("local", f"Ships of kind {n} sail.") for n in range(count)})
    return world, world.sources["local"]


def test_the_first_four_documents_that_a_question_finds_are_taken_whatever_words_they_share() -> (
    None
):
    world, found = documents(6)
    outcomes = [(CLIENTS[-1], Outcome("local", "mills bread", tuple(found)))]
    assert len(take_in(ResearchState("mills bread"), outcomes, world.deps()).sources) == 4


@pytest.mark.parametrize(("depth", "kept"), [(1, 2), (2, 2), (3, 3)])
def test_a_thorough_report_keeps_more_sources(depth: int, kept: int) -> None:
    world, found = documents(4)
    state = ResearchState("ships", config=RunConfig(depth=depth))
    deps = world.deps(max_sources=2, max_sources_thorough=3)
    assert (
        len(take_in(state, [(CLIENTS[-1], Outcome("local", "ships", tuple(found)))], deps).sources)
        == kept
    )


def test_ten_documents_without_room_are_named() -> None:
    world, found = documents(13)
    named = RunConfig(documents=tuple(source.document_id or "" for source in found), max_sources=1)
    take_in(
        ResearchState("ships", config=named),
        [(CLIENTS[-1], Outcome("local", "ships", tuple(found)))],
        world.deps(),
    )
    (message,) = [event.message for event in world.events if "not read" in event.message]
    assert message.count("Text") == 10
    assert message.endswith(" and 2 more.")


def test_a_hop_asks_for_25_works_of_a_source_and_adds_twelve_of_them() -> None:
    world = World({"Study": ("openalex", "The mill grinds wheat.")})
    (study,) = world.sources["openalex"]
    world.references[study.source_id] = [hit(f"w{n}", "academic", f"Mill {n}") for n in range(40)]
    follow(
        ResearchState("mill wheat", round=1, sources=(study,), config=RunConfig(depth=2)),
        world.deps(),
    )
    assert "Following 1 scholarly source: 25 works, 12 of them new." in [
        event.message for event in world.events
    ]


# --- ranks of hits --------------------------------------------------------------------------------


def hit(name: str, kind: str = "web", title: str = "Mills", **more: object) -> Source:
    return make_source(f"https://{name}.example/a", title, source_type=kind, **more)


def first_of(*hits: Source, query: str = "mills bread") -> Source:
    deps = World({}).deps()
    scored = rank(query, hits, deps)
    return max(scored, key=lambda item: item[0])[1]


def score_of(source: Source, others: tuple[Source, ...] = (), query: str = "mills") -> float:
    return rank(query, [source, *others], World({}).deps())[0][0]


def test_documents_rank_before_works_these_before_news_and_these_before_pages() -> None:
    hits = [hit(kind, kind) for kind in ("local", "academic", "newsroom", "web", "other")]
    scores = [score for score, _ in rank("mills", hits, World({}).deps())]
    assert scores == sorted(scores, reverse=True)
    steps = [round((a - b) / (scores[0] - scores[-1]), 3) for a, b in pairwise(scores)]
    assert steps == [
        0.167,
        0.5,
        0.167,
        0.167,
    ]  # a work is nearly a document, news are nearly a page


@pytest.mark.parametrize(("citations", "before"), [(30, False), (60, True)])
def test_news_rank_before_a_page_as_an_abstract_does_citations_lift(
    citations: int, before: bool
) -> None:
    """An abstract lifts as much as about forty citations."""
    with_abstract, cited = hit("a", abstract="Mills."), hit("b", cited_by_count=citations * 2)
    assert (score_of(cited) >= score_of(with_abstract)) == before


def test_citations_lift_no_further_than_ten_thousand_do() -> None:
    assert score_of(hit("a", cited_by_count=9_000)) < score_of(hit("a", cited_by_count=10_000))
    assert score_of(hit("a", cited_by_count=10_000)) == score_of(
        hit("a", cited_by_count=10_000_000)
    )


def test_a_retracted_work_much_cited_ranks_like_a_bare_page() -> None:
    work = hit("a", "academic", cited_by_count=10_000, abstract="Mills.")
    assert score_of(replace(work, marks=(Mark("retracted", "2010"),))) == score_of(hit("b"))


@pytest.mark.parametrize("others", [(), (hit("b"),)])
def test_words_kind_and_meaning_make_up_the_whole_of_a_rank(
    others: tuple[Source, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    set_likeness(monkeypatch, repeat(1.0))
    everything = hit("a", "local", "Mills", abstract="Mills.", cited_by_count=10_000)
    assert rank("mills", [everything, *others], World({}).deps())[0][0] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("kind", "likeness", "share"), [("academic", 0.0, 0.19), ("web", 1.0, 0.54)]
)
def test_of_a_hit_without_the_words_its_meaning_counts_before_its_kind(
    kind: str, likeness: float, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_likeness(monkeypatch, [likeness])
    more = {"abstract": "Ships.", "cited_by_count": 10_000} if kind == "academic" else {}
    ranked = rank("mills", [hit("a", kind, "Ships", **more)], World({}).deps())
    assert ranked[0][0] == pytest.approx(share)


def test_among_documents_alone_no_meaning_counts() -> None:
    (ranked,) = rank("mills", [hit("a", "local", "Mills")], World({}).deps())
    assert ranked[1].relevance == {"words": 1.0, "kind": 0.7}


def test_a_page_of_the_same_site_goes_behind_one_that_is_nearly_as_good() -> None:
    state = ResearchState("mills bread oats rye")
    words = ["mills bread oats rye", "mills bread oats", "mills bread"]

    def order(*hits: Source) -> list[str]:
        return [source.url for source in shortlist(state, hits, World({}).deps(), 9)]

    same = [
        make_source(f"https://one.example/{n}", text, source_type="web")
        for n, text in enumerate(words[:2])
    ]
    other = make_source("https://two.example/a", words[1], source_type="web")
    assert order(*same, other) == [same[0].url, other.url, same[1].url]


def set_likeness(monkeypatch: pytest.MonkeyPatch, values: Iterable[float]) -> None:
    """Let the texts of hits be so alike to the question in meaning, one after the other."""
    rest = iter(values)
    fake = SimpleNamespace(of=lambda text: next(rest))
    monkeypatch.setattr("workflows.research.gather.shortlist.Likeness", lambda question: fake)


def chosen(*hits: tuple[float, Source]) -> list[str]:
    """The order in which hits are taken that rank by these numbers for their meaning, all else the
    same."""
    with pytest.MonkeyPatch.context() as patch:
        set_likeness(patch, [score / 0.45 for score, _ in hits])
        sources = [source for _, source in hits]
        taken = shortlist(ResearchState("mills"), sources, World({}).deps(), 9)
    return [source.url[8:].partition(".")[0] for source in taken]


@pytest.mark.parametrize(
    ("behind", "order"), [(0.11, ["one", "two", "one"]), (0.13, ["one", "one", "two"])]
)
def test_a_second_page_of_a_site_is_taken_after_another_that_is_not_much_behind(
    behind: float, order: list[str]
) -> None:
    again = make_source("https://one.example/b", "Mills", source_type="web")
    assert chosen((0.4, hit("one")), (0.39, again), (0.39 - behind, hit("two"))) == order


@pytest.mark.parametrize(
    ("behind", "order"), [(0.009, ["one", "news", "two"]), (0.011, ["one", "two", "news"])]
)
def test_of_hits_that_are_nearly_as_good_each_kind_has_its_turn(
    behind: float, order: list[str]
) -> None:
    more_by_kind = 0.2 * (score_of_kind("newsroom") - score_of_kind("web"))
    news = (0.39 - behind - more_by_kind, hit("news", "newsroom"))
    assert chosen((0.4, hit("one")), (0.39, hit("two")), news) == order


def score_of_kind(kind: str) -> float:
    return rank("mills", [hit("a", kind)], World({}).deps())[0][1].relevance["kind"]


@pytest.mark.parametrize(("matching", "beside"), [(3, False), (2, True)])
def test_a_document_on_a_question_holds_three_of_its_words(matching: int, beside: bool) -> None:
    terms = "mills bread oats rye spelt barley wheat"
    text = " ".join(terms.split()[:matching])
    world = World({"Text": ("local", text)})
    (source,) = world.sources["local"]
    assert off_topic(ResearchState(f"Which {terms}?"), source, world.deps()) == beside


@pytest.mark.parametrize(("score", "share"), [(0.72, 1.0), (0.68, 0.0)])
def test_a_source_of_seven_tenths_is_credible(score: float, share: float) -> None:
    source = replace(hit("a"), credibility=Credibility(score, "test", score))
    state = replace(ResearchState("?"), sources=(source,))
    assert _credible_share(state, {source.source_id}) == share


# --- whom a name means ----------------------------------------------------------------------------


def person(number: int, role: str) -> Source:
    return make_source(
        f"https://s{number}.example/", f"Jo Mercer ({role})", snippet=f"Jo Mercer is a {role}."
    )


ROLES = "footballer chemist singer poet judge surgeon painter pilot".split()


def test_six_candidates_are_offered() -> None:
    assert len(group("Jo Mercer", [person(n, role) for n, role in enumerate(ROLES)])) == 6


def test_a_name_is_looked_up_in_ten_hits() -> None:
    hits = [*(person(n, "chemist") for n in range(9)), person(9, "poet"), person(10, "singer")]
    deps = replace(
        World({}).deps(),
        search=lambda client, query, limit: Outcome(client, query, tuple(hits[:limit])),
    )
    found = discover(
        ResearchState("Who is Jo Mercer?", understanding=read_question("Who is Jo Mercer?")), deps
    )
    assert [one.description for one in found.understanding.candidates] == ["chemist", "poet"]


def test_nobody_is_surer_than_95_of_a_hundred() -> None:
    assert group("Jo Mercer", [person(0, "chemist")])[0].confidence == 0.95


def test_hits_that_do_not_say_whom_they_are_about_weigh_little() -> None:
    silent = [
        make_source(f"https://q{n}.example/", "Jo Mercer", snippet="Jo Mercer came.")
        for n in range(20)
    ]
    (candidate,) = group(
        "Jo Mercer", [person(0, "chemist"), person(1, "chemist"), person(2, "chemist"), *silent]
    )
    assert candidate.confidence == 0.5  # as much as three of twenty


@pytest.mark.parametrize(
    ("answer", "number"), [("the second one", 1), ("but the second one", None)]
)
def test_an_ordinal_counts_in_an_answer_of_three_words(answer: str, number: int | None) -> None:
    candidates = tuple(Candidate("Jo Mercer", role, (role,), 0.5) for role in ROLES[:3])
    assert choose(answer, candidates) == (candidates[number] if number is not None else None)


def routed(*confidences: float) -> tuple[ResearchState, World]:
    world = World({})
    candidates = tuple(
        Candidate("Jo Mercer", role, (role,), value)
        for role, value in zip(ROLES, confidences, strict=False)
    )
    read = Understanding("person", primary_anchor="Jo Mercer", candidates=candidates)
    state = replace(
        ResearchState("Who is Jo Mercer?", config=RunConfig(clarify=True)), understanding=read
    )
    return _route(state, world.deps()), world


@each(
    ("confidences", "taken", "noted"),
    [
        ((0.87, 0.1), True, False),
        ((0.83, 0.1), True, True),
        ((0.82,), True, False),  # the only one
        ((0.78,), True, True),
        ((0.72, 0.1), True, True),
        ((0.68, 0.1), False, False),
    ],
)
def test_a_name_is_taken_silently_with_a_note_or_asked_about(
    confidences: tuple[float, ...], taken: bool, noted: bool
) -> None:
    state, world = routed(*confidences)
    assert bool(state.understanding.entity) == taken
    assert any(event.kind == "note" for event in world.events) == noted


def test_twelve_passages_are_looked_at_and_three_noted_by_their_beginning() -> None:
    tail = " and the wheat of the valley is ground by hand" * 10
    world = World(
        {
            f"Text {n}": ("openalex", f"The mill of {chr(97 + n) * 4} grinds{tail}.")
            for n in range(20)
        }
    )
    sources = tuple(
        replace(source, snapshot_id=world.by_id[source.source_id])
        for source in world.sources["openalex"]
    )
    state = replace(ResearchState("?"), sources=sources)
    question = Question("Q1", "What does the mill grind?", "primary", 1.0)
    assert len(_passages_on(state, question, world.deps())) == 12
    noted = _covered(state, question, world.deps()).answer
    assert [len(note) for note in noted] == [300, 300, 300]
