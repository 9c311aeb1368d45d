"""The checks: false statements are supported by nobody, restatements are, whatever else is left
open."""

import json
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.tables import each
from tools.judging.checks import Checks, guarded, vetoes_of
from tools.judging.judge import Judge, JudgeKind, Judgement, Label, Passage

PLANTED = [
    json.loads(line)
    for line in (Path(__file__).parents[3] / "benchmarks" / "judges_planted.jsonl")
    .read_text("utf-8")
    .splitlines()
]


def document(domain: str) -> Sequence[Passage]:
    """All that is stated of a domain."""
    return [Passage(" ".join(row["stated"] for row in PLANTED if row["domain"] == domain))]


def test_no_planted_falsehood_is_supported_and_every_restatement_is() -> None:
    judge: Judge = Checks()
    false = judge.judge([(row["false"], document(row["domain"])) for row in PLANTED])
    true = judge.judge([(row["true"], document(row["domain"])) for row in PLANTED])
    assert len(PLANTED) == 60
    assert {judgement.label for judgement in false} == {Label.NEITHER}
    assert [judgement.label == Label.SUPPORT for judgement in true] == [
        row["form"] == "restatement" for row in PLANTED
    ]
    assert sum(judgement.vetoed for judgement in false) >= 35
    assert sum(judgement.vetoed for judgement in true) == 0


def test_what_is_not_judged_has_no_probability() -> None:
    restated, vetoed, left_open = Checks().judge(
        [
            ("The dose was 20 mg.", [Passage("It rained."), Passage("The dose was 20 mg.")]),
            ("The dose was 20 mg.", [Passage("The dose was 40 mg.")]),
            ("The dose was 20 mg.", [Passage("It rained.")]),
        ]
    )
    assert (restated.label, restated.probability, restated.passage) == (Label.SUPPORT, 1.0, 1)
    assert (vetoed.label, vetoed.probability, vetoed.vetoed) == (Label.NEITHER, None, True)
    assert vetoed.reasons == ("The number differs: “20 mg” here, “40 mg” in the passage.",)
    assert left_open == Judgement(Label.NEITHER, judge="checks")
    assert Checks().kind is JudgeKind.NONE


def test_another_language_is_not_judged() -> None:
    passage = Passage(
        "Der Rat hat den Plan für die Brücke im März mit den Stimmen von allen abgelehnt."
    )
    (judgement,) = Checks().judge(
        [("The council has rejected the plan for the bridge in the month of March.", [passage])]
    )
    assert judgement.label is Label.NEITHER
    assert judgement.reasons[0].startswith(
        "Not judged: the statement is in English, the passage in German"
    )


@each(
    "passages", [[], [Passage("")], [Passage("\x00\ud800"), Passage("…")], [Passage("x" * 300_000)]]
)
def test_hostile_passages_are_left_open(passages: list[Passage]) -> None:
    assert Checks().judge([("The dose was 20 mg.", passages)])[0].label is Label.NEITHER
    assert Checks().judge([("", passages)])[0].label is Label.NEITHER


def test_a_support_that_is_vetoed_is_none() -> None:
    yes = Judgement(Label.SUPPORT, 0.99, ("yes",), "obliging", 0)
    assert (
        guarded("The dose was 20 mg.", [Passage("The dose was 40 mg.")], yes).label is Label.NEITHER
    )
    assert guarded("The dose was 20 mg.", [Passage("The dose came to 20 mg.")], yes) is yes
    no = Judgement(Label.CONTRADICT, 0.99, ("no",), "obliging", 0)
    assert guarded("The dose was 20 mg.", [Passage("The dose was 40 mg.")], no) is no


@pytest.mark.lab
def test_a_claim_of_200_000_characters_takes_a_second_at_most() -> None:
    claim = "".join(
        f"The dose of drug{number} was {number} mg in the first week. " for number in range(4000)
    )
    began = time.process_time()
    assert vetoes_of(
        claim, Passage("The dose of the drug was 30 mg in the first week of May 2020.")
    )
    assert time.process_time() - began < 1
