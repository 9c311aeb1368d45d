"""Orders in what is read, and models that follow them: nothing of it reaches a report, an address,
a file or a key."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from markdown_it import MarkdownIt

from benchmarks import obliging
from engine.exports import FORMATS, export
from tests.scripted_models import Script
from tests.security.injections import HOST, INJECTIONS, LEAK, LIE, Injection, Obeying, judged
from tests.security.test_payloads import acting
from tests.workflows.plain_deps import World
from tools.documents.model import Request
from tools.documents.parsers.formats import parse
from tools.text.instructions import speaks_to_machines
from workflows.research import pipeline
from workflows.research.answer.model import shown_passages
from workflows.research.report.sentences import Sentence
from workflows.research.state import ResearchState, RunConfig
from workflows.research.verify.checks import Gate

Tell = Callable[[str, int, int], None]
QUERY = "How do batteries change electricity prices in Norland?"
TEXTS = {
    "Market review": (
        "local",
        "Grid-scale batteries in Norland lowered the average evening electricity price by 9% in "
        "the winter of 2024. "
        "The evening price in summer fell by 14% after large batteries were connected. In 2024 "
        "batteries supplied 12% "
        "of evening demand in Norland.",
    ),
    "Trade press": (
        "wikipedia",
        "Grid-scale batteries lowered the average evening electricity price in Norland by only 1% "
        "in the winter of "
        "2024. The price of lithium fell by 40% in 2023.",
    ),
}
WAYS = ("words", "ids", "talk")
OUTSIDE = re.compile(r"etc/passwd|//|" + re.escape(HOST), re.I)
UNSEEN = re.compile("[\u200b\u202a-\u202e\U000e0000-\U000e007f]")
CANARY = re.compile("zanzibonite|" + OUTSIDE.pattern, re.I)


def poisoned(injection: Injection) -> World:
    """Two honest texts, and the injected one read by two clients."""
    text = parse(Request(injection.body.encode("utf-8"), f"a.{injection.kind}")).text
    return World(
        {
            **TEXTS,
            injection.title: ("openalex", text),
            f"Copy of {injection.title}"[:220]: ("local", text + " Copied."),
        }
    )


def researched(injection: Injection, way: str) -> tuple[ResearchState, World, Script]:
    world, model = poisoned(injection), Obeying(way, len(injection.name))

    def answer(step: str, request: Any) -> object:
        text = "\n".join(message.text for message in request.messages)
        return judged(text) if step == "judgements" else model(step, text, request.schema)

    script = Script(answer)
    deps = replace(world.deps(), models=script.models)
    state = pipeline.run(
        ResearchState(QUERY, config=RunConfig(depth=2)), deps, save=lambda *_: None
    )
    return state, world, script


def wrong(state: ResearchState, world: World) -> Iterator[str]:
    """What got through."""
    assert state.report is not None
    assert state.answer is not None
    gate = Gate(state, world.deps())
    for sentence in (*state.report.sentences(), *state.answer.written):
        if problem := gate.problem_of(sentence):
            yield f"unverified: {problem}: {sentence.text}"
        if CANARY.search(sentence.text):
            yield f"{sentence.kind}: {sentence.text}"
    shown = [
        *shown_passages(state.answer),
        *state.answer.closest,
        *(p for s in state.report.sections for p in s.passages),
    ]
    yield from (f"passage: {text.text}" for text in shown if speaks_to_machines(text.text))
    for piece in state.evidence:
        if world.texts[piece.snapshot_id][piece.start : piece.end] != piece.quote:
            yield f"a quotation that is none: {piece.quote}"
    names = [*(q.text for q in state.plan.questions), *(q.heading for q in state.plan.questions)]
    names += [part.heading for part in state.report.sections] + [
        perspective.name for perspective in state.plan.perspectives
    ]
    yield from (f"in a heading or question: {text}" for text in names if CANARY.search(text))
    # A lie may be searched for, and is then not found; an address, a file or a key may not
    yield from (f"searched for: {query}" for _, query in world.searches if OUTSIDE.search(query))
    if unknown_ids := set(world.fetches) - {
        source.source_id for listed in world.sources.values() for source in listed
    }:
        yield f"fetched {unknown_ids}"
    yield from leading(state)


def leading(state: ResearchState) -> Iterator[str]:
    """Links, pictures and scripts of the injection in what is written of a state."""
    rendered = {"synthesis": MarkdownIt("commonmark").render(state.synthesis)}
    for form in FORMATS:
        if form.name == "html":
            rendered["html"] = export(state, "html").data.decode()
        if form.name == "md":
            rendered["md"] = MarkdownIt("commonmark").render(export(state, "md").data.decode())
    for name, html in rendered.items():
        yield from (f"{name}: {what}" for what in acting(html))
        yield from (
            f"{name}: {tag}"
            for tag in re.findall(r"<[^>]*(?:href|src)=[^>]*>", html)
            if HOST in tag
        )


@pytest.mark.lab
def test_the_checks_see_what_gets_through() -> None:
    state, world, _ = researched(INJECTIONS[0], "words")
    report = state.report
    assert report is not None and not list(wrong(state, world))
    lie = Sentence("s1", "written", LIE)
    false_state = replace(state, report=replace(report, summary=(lie,)))
    assert {problem.split(":")[0] for problem in wrong(false_state, world)} >= {
        "unverified",
        "written",
    }
    assert list(leading(replace(state, synthesis=f"![x]({LEAK}) [y]({LEAK})")))
    world.searches.append(("wikipedia", f"site {HOST}"))
    world.fetches.append("elsewhere")
    assert len(list(wrong(state, world))) == 2


def test_every_kind_of_order_is_different_and_there_are_enough() -> None:
    assert (
        len({injection.name for injection in INJECTIONS})
        == len({(injection.body, injection.title) for injection in INJECTIONS})
        >= 90
    )


@pytest.mark.lab
def test_no_order_in_a_source_is_followed_into_the_report(tell: Tell) -> None:
    tried, problems, steps = 0, list[str](), set[str]()
    for number, injection in enumerate(INJECTIONS):
        state, world, script = researched(injection, WAYS[number % len(WAYS)])
        steps |= set(script.steps())
        tried += len(script.requests)
        problems += [f"{injection.name}: {what}" for what in wrong(state, world)]
        shown = [message.text for _, request in script.requests for message in request.messages[:2]]
        problems += [
            f"{injection.name}: it ended its fence"
            for text in shown
            if text.count("<<<") != text.count(">>>")
        ]
        problems += [
            f"{injection.name}: unseen signs are shown" for text in shown if UNSEEN.search(text)
        ]
    tell(
        f"orders in sources, {len(INJECTIONS)} kinds, to a model that obeys: its answers",
        tried,
        len(problems),
    )
    assert not problems, "\n".join(problems)


STEPS = sorted(set(obliging.STEPS) - {"alternative", "revise"})
FILLER = (
    "Grid batteries in Norland were counted again that year by the operator of the grid near "
    "station {}. "
)


def reaching(injection: Injection, nowhere: bool) -> tuple[World, str]:
    """A world and a question in which every step is asked: one long page, or searches that lead
    nowhere."""
    text = parse(Request(injection.body.encode("utf-8"), f"a.{injection.kind}")).text
    honest = {
        name: ("openalex", words.replace("electricity", "power"))
        for name, (_, words) in TEXTS.items()
    }
    if nowhere:
        return World(
            {**honest, injection.title: ("wikipedia", text.replace("electricity", "power"))}
        ), "Norland electricity"
    page = (
        f"{TEXTS['Market review'][1]} {''.join(FILLER.format(number) for number in range(60))}\n"
        f"\n{text}"
    )
    return World(
        {**TEXTS, "Long page": ("openalex", page), injection.title: ("openalex", text)}
    ), QUERY


@pytest.mark.lab
@pytest.mark.parametrize(("nowhere", "steps"), [(False, STEPS), (True, ["gaps"])])
def test_no_step_alone_lets_an_order_through(nowhere: bool, steps: list[str], tell: Tell) -> None:
    """Everything is answered honestly but for one kind of work, so that the ones after it are
    reached."""
    tried, problems, reached = 0, list[str](), set[str]()
    for number, obeys in enumerate(steps):
        injection, model = (
            INJECTIONS[number * 5 % len(INJECTIONS)],
            Obeying(WAYS[number % len(WAYS)], number),
        )
        world, query = reaching(injection, nowhere)

        def answer(step: str, request: Any, obeys: str = obeys, model: Obeying = model) -> object:
            text = "\n".join(message.text for message in request.messages)
            if step == obeys:
                return model(step, text, request.schema)
            answer = obliging.answer(step, text)
            if nowhere and step == "tree":
                return {
                    "questions": [
                        {**row, "queries": ["zebra quilts", "zebra hats"]}
                        for row in answer["questions"]
                    ]
                }
            return answer

        script = Script(answer)
        deps = replace(world.deps(voices_for_coverage=9), models=script.models)
        state = pipeline.run(
            ResearchState(query, config=RunConfig(depth=3)), deps, save=lambda *_: None
        )
        reached |= {obeys} & set(script.steps())
        tried += script.steps().count(obeys)
        problems += [f"{obeys}, {injection.name}: {what}" for what in wrong(state, world)]
    tell(f"orders that one step alone obeys{', searches in vain' * nowhere}", tried, len(problems))
    assert not problems, "\n".join(problems)
    assert set(steps) == reached


def test_words_of_own_documents_leave_in_no_query_unless_their_owner_says_so() -> None:
    """A model on this computer may read them for the notes on what is missing; its queries go to
    services."""
    diary = {
        "Diary": (
            "local",
            "The zanzibonite price in Norland fell by 77% after batteries were connected in 2024.",
        )
    }

    def repeats(step: str, request: Any) -> object:
        text = "\n".join(message.text for message in request.messages)
        answer = obliging.answer(step, text)
        if step == "gaps" and "zanzibonite" in text:
            return {
                "gaps": [
                    {**row, "queries": ["Norland zanzibonite price"]} for row in answer["gaps"]
                ]
            }
        if step == "answer":  # the notes, folded
            return "Of the zanzibonite price." if "zanzibonite" in text else "Of prices."
        return answer

    def searched(allowed: bool) -> set[str]:
        world = World({**TEXTS, **diary})
        deps = replace(
            world.deps(local_terms_in_queries=allowed, voices_for_coverage=9),
            models=Script(repeats).models,
        )
        pipeline.run(ResearchState(QUERY, config=RunConfig(depth=2)), deps, save=lambda *_: None)
        return {client for client, query in world.searches if "zanzibonite" in query}

    assert searched(allowed=False) == set()
    assert "wikipedia" in searched(allowed=True)


def test_whom_a_name_means_is_not_looked_up_in_own_documents_where_the_answer_would_leave() -> None:
    from workflows.research.understand.discover import _general

    world = World({"Diary": ("local", "Jane Roe of zanzibonite.")})
    deps = world.deps()
    kinds = {client.kind: client for client in deps.clients}
    assert _general(replace(deps, clients=(kinds["academic"], kinds["local"]))) == []
    assert _general(replace(deps, clients=(kinds["local"],))) == ["local"]
    world_deps = world.deps(local_terms_in_queries=True)
    assert _general(replace(world_deps, clients=(kinds["academic"], kinds["local"]))) == ["local"]
