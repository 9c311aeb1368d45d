"""What is closest to the question comes before what most sources agree on; findings before methods; answers first."""

from dataclasses import replace
from itertools import combinations

import pytest
from plain_deps import World

from tools.corpus.model import Passage
from tools.text.tokens import stems
from workflows.research import pipeline
from workflows.research.deps import Deps
from workflows.research.model import RunConfig
from workflows.research.outline import outline
from workflows.research.ranking import plainness, rank, tells
from workflows.research.selection import Selection
from workflows.research.senses import SENSES
from workflows.research.stance import judge
from workflows.research.state import ResearchState
from workflows.research.topic import content, subject, verb
from workflows.research.understand import read_question

PLANTED = "The city of Halden planted 4,800 street trees between 2019 and 2023."
COOLING = "Street trees cool the air of a city by evaporating water from their leaves."


def research(texts: dict[str, str], question: str) -> ResearchState:
    world = World({title: ("local", text) for title, text in texts.items()})
    state = ResearchState(question, config=RunConfig(), as_of="2026-01-01T00:00:00Z")
    return pipeline.run(state, world.deps(), save=lambda step, state: None)


def summary(state: ResearchState) -> list[str]:
    assert state.report is not None
    return [one.text for one in state.report.summary if one.citations]


def test_the_answer_of_one_voice_opens_before_a_fact_that_all_agree_on() -> None:
    others = (
        "The council met on Monday and spoke about schools, buses and the new swimming hall.",
        "Bread became dearer in spring, and the bakers of the old market blame the price of rye.",
        "A choir from Norland sang in the church, and the mayor thanked its conductor with flowers.",
    )
    worded = (PLANTED, "Between 2019 and 2023, 4,800 street trees were planted in Halden by the city.",
              "In Halden, 4,800 street trees were planted by the city between 2019 and 2023.")  # fmt: skip
    agreed = {f"Paper {n}": f"{one} {other}" for n, (one, other) in enumerate(zip(worded, others, strict=True))}
    state = research({**agreed, "Shade": COOLING}, "How do street trees cool cities?")
    planted = max((one for one in state.claims if "4,800" in one.text), key=lambda one: one.independent_sources)
    assert planted.independent_sources >= 2  # beside the point, and agreed on
    assert summary(state) == [COOLING]


def test_a_claim_about_two_things_is_not_answered_by_a_sentence_about_one_of_them() -> None:
    texts = {
        "Bones": "Vitamin D deficiency worsens osteoporosis and raises the risk of skeletal fractures in adults.",
        "Nerves": "Low vitamin D in childhood was linked with a higher risk of multiple sclerosis in later life.",
        "More bones": "Vitamin D deficiency raises the risk of falls among residents of nursing homes.",
    }
    state = research(texts, "Is it true that vitamin D deficiency raises the risk of multiple sclerosis?")
    assert summary(state)[0] == texts["Nerves"]


@pytest.mark.parametrize(
    ("sentence", "finding"),
    [
        ("Recent results for laminar boundary layers are extended to the turbulent case.", False),
        ("A method is described for the calculation of heat transfer.", False),
        ("Tables of a solution of the boundary-layer equation are given.", False),
        ("Heat-transfer distributions were also measured on a sharp plate in the tunnel.", False),
        ("An analytical study is made for the instability of shells.", False),
        ("A total of 40 patients were randomised.", False),
        ("The interaction of a shock with a laminar layer is shown to produce larger effects.", True),
        ("A round-trip efficiency of 86% was measured at the grid connection.", True),
        ("The law is applied in all courts of England.", True),
        ("The drug was given to soldiers in both world wars.", True),
        ("Autophagy is described as a process that degrades cells.", True),
        ("Trees were planted along the street.", True),
    ],
)  # fmt: skip
def test_a_finding_is_told_from_a_step_of_a_method(sentence: str, finding: bool) -> None:
    assert tells(sentence) is finding
    assert (plainness(sentence) >= 0.45) is finding


def test_a_report_on_physics_opens_with_what_was_found() -> None:
    text = (
        "A method is described for the calculation of heat transfer to a blunt body. The heat transfer to a blunt body "
        "is greatest at the stagnation point. Detailed measurements of heat transfer are presented."
    )
    assert summary(research({"Blunt bodies": text}, "What is known about heat transfer to blunt bodies?")) == [
        "The heat transfer to a blunt body is greatest at the stagnation point."
    ]


def test_who_asks_for_methods_is_told_of_methods() -> None:
    text = "A method is described for the calculation of heat transfer to a blunt body in a hypersonic stream."
    question = "Which methods are known for the calculation of heat transfer to a blunt body?"
    assert summary(research({"Blunt bodies": text}, question)) == [text]


def test_the_number_asked_for_is_said_although_its_sentence_leaves_the_name_to_the_text() -> None:
    texts = {
        "Broken Mill": (
            "Broken Mill is a city in the hills of Halden. As of the census of 2010, there were 3,559 people, 1,575 "
            "households, and 909 families residing in the city. The city hall of Broken Mill is made of stone."
        ),
        "Wadi": "As of the census of 2010, there were 40,147 people residing in the city of Wadi.",
    }
    said = summary(research(texts, "What is the population of Broken Mill?"))
    assert "3,559 people" in said[0]
    assert not any("40,147" in text for text in said)


def test_a_sentence_of_the_passage_that_answers_may_say_it_in_other_words() -> None:
    text = (
        "Having one partner and infection with HIV were looked at together in Halden, as were the outcomes of "
        "treatment. A stable partnership slowed the progress of HIV by a third. The weather was fine in the whole town."
    )
    world = World({"Partners": ("local", text)})
    whole = [Passage(snapshot_id, 0, len(text), text, 1.0) for snapshot_id in world.texts]
    state = ResearchState("Is it true that having a main partner improves HIV outcomes?", as_of="2026-01-01T00:00:00Z")
    deps = replace(world.deps(), retrieve=lambda query, snapshot_ids, k: whole)
    quotes = [one.quote for one in pipeline.run(state, deps, save=lambda step, state: None).evidence]
    assert "A stable partnership slowed the progress of HIV by a third." in quotes
    assert not any("weather" in quote for quote in quotes)  # to stand beside it is not enough


def test_two_things_nobody_compares_are_each_told_when_there_is_enough_about_them() -> None:
    both = {}
    for name, kind in (("Grey Owls", "folk band from Halden"), ("Red Foxes", "jazz trio from Norland")):
        both[name] = " ".join(
            [
                f"{name} are a {kind}.",
                *(f"{name} released album number {n} in 200{n} with {n + 5} songs about the {w}."
                  for n, w in ((2, "sea"), (4, "moon"), (6, "railway"))),
                f"{name} sold 9,000 records of their best album in one summer.",
            ]
        )  # fmt: skip
    said = summary(research(both, "Grey Owls vs Red Foxes"))
    assert "Grey Owls are a folk band from Halden." in said and "Red Foxes are a jazz trio from Norland." in said


def test_many_findings_make_no_section_above_seven_sentences_and_none_is_said_twice() -> None:
    said_of = (
        ("bark", "shelters 12 kinds of beetle"), ("leaves", "drop 3 tonnes of litter"),
        ("roots", "lift 8 km of paving"), ("crowns", "shade 22% of the ground"),
        ("seeds", "feed 40 kinds of bird"), ("buds", "open 9 days earlier"),
        ("sap", "rises 2 weeks before the swallows"), ("branches", "carry 150 kg of ice"),
        ("blossoms", "draw 11 kinds of bee"), ("trunks", "store 400 kg of carbon"),
    )  # fmt: skip
    texts = {
        town: " ".join(f"The {part} of street trees in {town} {does} every year." for part, does in said_of)
        for town in ("Halden", "Norland", "Ostervale")
    }
    state = research(texts, "What is known about street trees?")
    assert state.report is not None
    assert all(0 < len(part.sentences) <= 7 for part in state.report.sections)
    assert len(state.report.summary) <= 6
    said = [one.text for one in state.report.sentences() if one.citations]
    assert len(said) >= 8
    for a, b in combinations(said, 2):
        first, second = set(stems(a)), set(stems(b))
        assert len(first & second) <= 0.7 * min(len(first), len(second)), (a, b)
    for part, does in said_of:  # figures keep their units
        assert all(does in text for text in said if f"The {part} " in text)


def test_a_clause_is_taken_apart_and_the_words_of_asking_left_out() -> None:
    read = read_question("How do street trees cool cities?")
    assert (subject(read), verb(read)) == ("street trees", "cool")
    read = read_question("What is canopy cover?")
    assert (subject(read), verb(read)) == ("", "")
    assert "true" not in content("Is it true that tea helps?") and content("What is known?") == {"known"}


OWLS = {
    "Owls": "Barn owls hunt voles at night in the meadows of Halden. Barn owls of Halden raised 400 young birds in the"
    " warm winter of 2021.",
    "Farms": "Farmers of Norland count the barn owls that hunt along their hedges in the year 2019.",
}


def owls() -> tuple[ResearchState, Deps]:
    world = World({title: ("local", text) for title, text in OWLS.items()})
    asked = ResearchState("What do barn owls hunt at night?", config=RunConfig(), as_of="2026-01-01T00:00:00Z")
    return pipeline.run(asked, world.deps(), save=lambda step, state: None), world.deps()


def test_a_short_summary_goes_on_with_the_text_it_quotes_and_with_no_other() -> None:
    state, deps = owls()
    assert len(state.claims) == 3
    assert summary(state) == [f"{text.strip('.')}." for text in OWLS["Owls"].split(". ")]
    ranking = rank(state, deps)
    voles = max(state.claims, key=lambda claim: ranking.closeness[claim.claim_id])
    far = replace(ranking, closeness={one.claim_id: 1.0 if one == voles else 0.5 for one in state.claims})
    assert outline(state, far, None, Selection(state, deps.text), 600).summary == (voles,)


def test_the_answer_of_one_sense_may_open_the_report() -> None:
    state, deps = owls()
    marked = tuple(replace(one, section=SENSES) if "voles" in one.text else one for one in state.claims)
    made = outline(replace(state, claims=marked), rank(state, deps), None, Selection(state, deps.text), 600)
    assert "voles" in made.summary[0].text


def test_a_contradiction_that_says_all_that_is_asked_opens_though_another_sentence_is_closer() -> None:
    texts = {
        "Wind report": "In 2023 wind power supplied 34% of the electricity of Norland.",
        "Norland energy": "In 2023 wind power supplied 54% of the electricity of Norland.",
        "Norland grid": "Wind power supplied 340 GW of power to Norland in 2023.",
    }
    world = World({title: ("local", text) for title, text in texts.items()})
    deps, start = world.deps(), ResearchState("How much electricity does wind power supply in Norland?")
    state = pipeline.run(start, deps, save=lambda step, state: None)
    ranking = rank(state, deps)
    sides = {claim.claim_id for claim in state.claims if "%" in claim.text}
    assert len(sides) == 2 and all(ranking.named[one] == 1 for one in sides)
    farther = {one: 0.85 if one in sides else 1.0 for one in ranking.closeness}
    made = outline(state, replace(ranking, closeness=farther), None, Selection(state, deps.text), 600)
    assert {claim.claim_id for claim in made.opening} == sides
    partly = replace(ranking, closeness=farther, named=dict.fromkeys(ranking.named, 0.9))
    assert outline(state, partly, None, Selection(state, deps.text), 600).opening == ()


def test_a_side_of_a_verdict_has_its_strongest_sentence_however_far_from_the_question() -> None:
    texts = {
        "Farmers of Brenna": "Wolves attack the cattle of many farms in Brenna.",
        "Survey of losses": "Wolves did not attack cattle in Brenna in 2021, a survey of 340 farms found.",
    }
    world = World({title: ("local", text) for title, text in texts.items()})
    deps, start = world.deps(), ResearchState("Do wolves attack cattle in Brenna?")
    state = pipeline.run(start, deps, save=lambda step, state: None)
    state = replace(state, contradictions=())
    ranking = rank(state, deps)
    judged = judge(state, ranking.ordered(state.claims), deps)
    assert judged is not None and len(judged.opposing) == 1
    far = {one: 0.1 if one == judged.opposing[0].claim_id else 1.0 for one in ranking.closeness}
    made = outline(state, replace(ranking, closeness=far), judged, Selection(state, deps.text), 600)
    assert made.opposing == judged.opposing


def test_what_is_said_is_not_set_beside_every_sentence_on_another_year() -> None:
    shares = {2019: 21, 2021: 34, 2023: 54}
    said = {
        year: f"In {year} wind power supplied {share}% of the electricity of Norland." for year, share in shares.items()
    }
    world = World({str(year): ("local", text) for year, text in said.items()})
    deps, start = world.deps(), ResearchState("How much electricity does wind power supply in Norland?")
    state = pipeline.run(start, deps, save=lambda step, state: None)
    assert [one.nature for one in state.contradictions] == ["scope"] * 3
    ranking = rank(state, deps)
    lately = {claim.claim_id: 1.0 if claim.text == said[2023] else 0.1 for claim in state.claims}
    made = outline(state, replace(ranking, closeness=lately), None, Selection(state, deps.text), 600)
    assert [claim.text for claim in made.summary] == [said[2023]]
    assert [{side.text for side in clash.sides} for clash in made.clashes] == [{said[2019], said[2021]}]
