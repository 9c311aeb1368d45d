"""Hard checks: what differs is found with its counterpart; what is missing or spelled otherwise is
left alone."""

import pytest

from tests.tables import each
from tools.judging import vetoes as module
from tools.judging.judge import Passage
from tools.judging.vetoes import VetoKind, vetoes

BLOCKS = "Each node keeps three copies of a block."
PRESS = "The printing press was invented in the town by Jost Merian."


def kinds(claim: str, passage: str) -> list[VetoKind]:
    """The kinds of the vetoes."""
    return [veto.kind for veto in vetoes(claim, Passage(passage))]


@each(
    ("kind", "claim", "passage"),
    [
        (VetoKind.NUMBER, "Each node keeps five copies of a block.", BLOCKS),
        (
            VetoKind.NUMBER,
            "The Falkenried wind farm has 83 turbines.",
            "The Falkenried wind farm has 38 turbines.",
        ),
        (
            VetoKind.UNIT,
            "The battery of the plant stores 400 m.",
            "The battery of the plant stores 400 kg.",
        ),
        (
            VetoKind.DATE,
            "The dam was licensed on 3 May 2019.",
            "The dam was licensed on 3 May 2016.",
        ),
        (VetoKind.NAME, "The printing press was invented in the town by Karl Abele.", PRESS),
        (
            VetoKind.NEGATION,
            "Dogs are allowed in Wexley Park.",
            "Dogs are not allowed in Wexley Park.",
        ),
        (VetoKind.NEGATION, "The king never visited the colony.", "The king visited the colony."),
        (
            VetoKind.ANTONYM,
            "Ralutin raised blood pressure in four weeks.",
            "Ralutin lowered blood pressure in four weeks.",
        ),
    ],
)
def test_each_kind_of_difference_is_found(kind: VetoKind, claim: str, passage: str) -> None:
    contradictions = vetoes(claim, Passage(f"It rained on the way home. {passage} Nobody minded."))
    assert kind in [veto.kind for veto in contradictions]
    assert all(veto.claim and veto.passage and veto.reason.endswith(".") for veto in contradictions)


@each(
    ("claim", "passage"),
    [
        ("Each node keeps 3 copies of a block.", BLOCKS),
        (
            "Each node keeps five copies of a block.",
            "Each node keeps copies of a block.",
        ),  # merely missing
        ("The press was invented by Jost Mérian.", "The press was invented by Jost Merian."),
        ("The press was invented by the US.", "The press was invented by the United States."),
        ("All patients survived the trial.", "No patient died during the trial."),
        (
            "Every one of the three bids was above the price limit.",
            "None of the three bids met the price limit.",
        ),
        ("The town is bigger than the village.", "The village is smaller than the town."),
        ("The tunnel is 4.2 km long.", "The tunnel is 4,200 m long."),
        ("More than 5% of the plants died.", "Of the plants 9% died."),
        ("They have not won a cup since then.", "They won a cup in the year before."),
        ("The card was authorised.", "Why is my card not authorised?"),
        ("Some ponds hold fish.", "All ponds hold fish."),
        ("", "Some ponds hold fish."),
        ("Some ponds hold fish.", ""),
        (
            "The study was paid for in Bern.",
            "The study was paid for in Birne.",
        ),  # a short name spelled otherwise
        (
            "The wet season of the year is long.",
            "The dry season of the year is long.",
        ),  # short words mean much
    ],
)
def test_what_is_missing_or_put_otherwise_vetoes_nothing(claim: str, passage: str) -> None:
    assert kinds(claim, passage) == []


# Pairs at the edge of each constant: moved by a fifth in this direction, another answer comes out
@pytest.mark.parametrize(
    ("constant", "factor", "claim", "passage"),
    [
        (
            "SAME_THING", 0.8,
            "Each node keeps five copies of a block for the region beside an abandoned quarry "
            "without much noise.",
            BLOCKS,
        ),
        ("SAME_THING", 1.2, "Each node keeps five copies of a block to general surprise for the "
                            "whole region.", BLOCKS),
        (
            "SAME_PLACE", 0.8,
            "The last coal unit was closed local in December 2022.", "The last coal unit was "
                                                                     "closed in December 2019.",
        ),
        ("SAME_PLACE", 1.2, "The printing press was heavy invented in the town by Karl Abele.",
            PRESS),
        (
            "SAME_SENTENCE", 0.8,
            "Ralutin raised blood pressure within four weeks to general surprise with great care.",
            "Ralutin lowered blood southern pressure within four weeks.",
        ),
        (
            "SAME_SENTENCE", 1.2,
            "Bus fares fell after the new contract was signed according to plan.",
            "Bus fares rose after the new contract was signed for the whole region.",
        ),
        (
            "SAME_CLAUSE", 0.8,
            "Passwords are stored in plain text for the whole region to general old surprise.",
            "Passwords are never stored in plain text according to plan for the whole region "
            "without much noise.",
        ),
        (
            "SAME_CLAUSE", 1.2,
            "Three patients died during the trial.",
            "No patient died during the grand trial with great care for the whole region by strict "
            "order.",
        ),
        (
            "ALIKE", 0.8,
            "The study was paid for by the Orman Institute.",
            "The study was paid for by grand the Lindqvist Foundation.",
        ),
        ("ALIKE", 1.2, "The study was paid for by Orman.", "The study was paid for by Arman."),
        ("ALIKE_SHORT", 0.8, "The cable comes ashore at Ostra Bay.", "The cable comes ashore at "
                                                                     "Pellworm Head."),
        ("ALIKE_SHORT", 1.2, "Marta Kessel was born in Graz.", "Marta Kessel was born in Linz."),
    ],
)  # fmt: skip
def test_each_constant_holds(
    constant: str, factor: float, claim: str, passage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = kinds(claim, passage)
    monkeypatch.setattr(module, constant, getattr(module, constant) * factor)
    assert kinds(claim, passage) != before


def test_a_name_of_four_letters_is_no_abbreviation() -> None:
    assert kinds("The study was paid for in Bern.", "The study was paid for in Brunnen.") == [
        VetoKind.NAME
    ]


@pytest.mark.parametrize(("before", "vetoes"), [(5, [VetoKind.NUMBER]), (6, [])])
def test_the_six_sentences_that_say_most_of_a_claim_are_compared(
    before: int, vetoes: list[VetoKind]
) -> None:
    passage = (
        "Each node keeps copies of a block. " * before + "Each node keeps three copies of a block."
    )
    assert kinds("Each node keeps five copies of a block.", passage) == vetoes


@pytest.mark.parametrize(
    ("between", "vetoes"), [("grey tall mossy", [VetoKind.NUMBER]), ("grey tall mossy brick", [])]
)
def test_what_a_number_counts_stands_within_six_words_of_it(
    between: str, vetoes: list[VetoKind]
) -> None:
    passage = f"The harbour pumping station {between} moves 60 litres."
    assert kinds("The harbour pumping station moves 40 litres.", passage) == vetoes


@pytest.mark.parametrize(
    ("between", "denied"), [("in all of it", True), ("in all of this it", False)]
)
def test_a_negation_reaches_five_words_far(between: str, denied: bool) -> None:
    veto_kinds = kinds(
        "The king visited the colony.", f"The king did not {between} visit the colony."
    )
    assert veto_kinds == ([VetoKind.NEGATION] if denied else [])
