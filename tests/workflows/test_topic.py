"""Questions of the templates name what they ask about; nothing is left to a bare "it"."""

import re

import pytest
from plain_deps import World

from workflows.research.model import Gap, Perspective, Plan, Question
from workflows.research.plan import plan
from workflows.research.state import ResearchState
from workflows.research.synthesis import _open
from workflows.research.topic import topic
from workflows.research.understand import read_question

ASKED = [
    ("How do street trees cool cities?", "street trees"),
    ("How does a boundary layer become turbulent?", "a boundary layer"),
    ("Does low vitamin D raise the risk of MS?", "low vitamin D"),
    ("Does vitamin D deficiency raise the risk of MS?", "vitamin D deficiency"),
    ("Reign of Terror in the French Revolution", "the French Revolution"),
    ("Who is Jo Mercer?", "Jo Mercer"),
    ("What is autophagy?", "autophagy"),
    ("How do whales sleep?", "whales"),
    ("How do glass batteries work?", "glass batteries"),
    ("Do trees?", "“trees”"),
]


@pytest.mark.parametrize(("question", "phrase"), ASKED)
def test_the_topic_is_a_phrase_that_stands_in_a_sentence(question: str, phrase: str) -> None:
    assert topic(question, read_question(question)) == phrase


@pytest.mark.parametrize("question", [*dict(ASKED), "Tin versus zinc roofs", "Tell me about Norland Bank"])
def test_no_question_of_a_plan_has_a_bare_it(question: str) -> None:
    read = read_question(question)
    made = plan(ResearchState(question, understanding=read), World({}).deps()).plan
    asked = [one.text for one in made.questions] + [text for one in made.perspectives for text in one.questions]
    own = [text for text in asked if text != question]
    assert own and not [text for text in own if re.search(r"\bit\b|\{", text)]


def test_a_claim_keeps_all_its_words() -> None:
    question = "Is it true that vitamin D deficiency raises the risk of multiple sclerosis?"
    anchor = read_question(question).primary_anchor
    assert anchor == "vitamin D deficiency raises the risk of multiple sclerosis"


def test_what_is_known_about_a_thing_is_no_question_for_a_definition() -> None:
    read = read_question("What is known about APOE4 and dementia?")
    assert (read.query_type, read.primary_anchor) == ("general", "APOE4 and dementia")


def test_a_silent_perspective_is_told_once_and_a_short_question_opens_no_others() -> None:
    def state(query: str) -> ResearchState:
        questions = (
            Question("Q1", query, "primary", 0.5, "Introduction"),
            Question("Q2", "What is doubtful?", "tertiary", 0.1, "", "Critic"),
            Question("Q3", "What comes next?", "tertiary", 0.1, "Outlook"),
        )
        gaps = tuple(Gap(one.id, one.text, 1.0, ()) for one in questions)
        made = Plan((Perspective("Critic", "doubt", ("What is doubtful?",)),), questions, ())
        return ResearchState(query, understanding=read_question(query), plan=made, gaps=gaps)

    told = _open(state("Costs of roofs in towns"))
    assert "What is doubtful? (nothing was found)" not in told
    assert told[-1] == "Nothing was found from the point of view of the critic."
    short = "What is the population of Norland Bow?"
    assert _open(state(short)) == (f"{short} (nothing was found)",)


def test_what_the_summary_speaks_of_is_not_said_to_be_missing() -> None:
    query = "How do roofs cool?"
    made = Plan((), (Question("Q1", query, "primary", 0.5), Question("Q2", "What comes next?", "tertiary", 0.1)), ())
    gaps = tuple(Gap(one.id, one.text, 1.0, ()) for one in made.questions)
    state = ResearchState(query, understanding=read_question(query), plan=made, gaps=gaps)
    assert _open(state) == ("How do roofs cool? (nothing was found)", "What comes next? (nothing was found)")
    assert _open(state, told=True) == ("What comes next? (nothing was found)",)
