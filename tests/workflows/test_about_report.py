"""Questions about a report itself are answered from its record; questions about the matter are left
to its texts."""

from dataclasses import replace

import pytest

from tests.tables import each
from tests.workflows.plain_deps import World
from tools.sources.source import Source
from workflows.conversation.about_report import about_report
from workflows.conversation.follow_up import answer
from workflows.research import pipeline
from workflows.research.model import DeadEnd, Search
from workflows.research.state import ResearchState, RunConfig

TEXTS = {
    "Review": (
        "local",
        "Grid-scale batteries lowered evening prices in Norland by 9% in 2024, the review says.",
    ),
    "Log": (
        "local",
        "Grid-scale batteries lowered evening prices in Norland by only 1% in 2024, the log says.",
    ),
}
WORLD = World(TEXTS)


@pytest.fixture(scope="module")
def state() -> ResearchState:
    state = pipeline.run(
        ResearchState("Do batteries lower evening prices in Norland?", config=RunConfig(depth=1)),
        WORLD.deps(),
        save=lambda *_: None,
    )  # fmt: skip
    dates = {"Review": "2023-05-01", "Log": "2025-02"}
    sources = [replace(source, published=dates.get(source.title)) for source in state.sources]
    blog = Source("w1", "https://a.example/", "A blog", rejected="Its credibility is too low.")
    gone = DeadEnd(None, "https://b.example/", "web", "error", message="The page is gone (404).")
    quality = replace(state.quality, sources_found=3, sources_rejected=1)
    return replace(
        state, sources=(*sources, blog), dead_ends=(*state.dead_ends, gone), quality=quality
    )


def answer_text(state: ResearchState, question: str) -> str:
    return " ".join(sentence.text for sentence in about_report(state, question))


@each(
    ("question", "message"),
    [
        ("Which of these sources is the newest?", "The newest is “Log” ["),
        ("what is the oldest document", "The oldest is “Review” ["),
        ("How many sources did you use?", "3 were found, 2 read and 1 set aside"),
        ("What did you set aside and why?", "“A blog” was set aside: Its credibility is too low."),
        (
            "Which sources were not used?",
            "https://b.example/ could not be read: The page is gone (404).",
        ),
        ("What did you search for?", "Asked: "),
        ("Which sources disagree?", "by 9% in 2024, the review says.” [S1] against “"),
        ("Which questions are still open?", "No part of the question was left unanswered."),
        ("Which model wrote this?", "No language model worked on it"),
        ("List the sources", "“Review” ["),
    ],
)
def test_a_question_about_the_report_is_answered_from_the_record(
    state: ResearchState, question: str, message: str
) -> None:
    assert message in answer_text(state, question)


def test_what_was_searched_for_a_revision_before_is_told_alike(state: ResearchState) -> None:
    searches = (Search("local", "night prices", earlier=True), Search("arxiv", "night prices"))
    answer = answer_text(replace(state, asked=searches), "What did you search for?")
    assert answer == "1 query: “night prices”. Asked: your documents, arxiv."


@each(
    "question",
    [
        "How many sources say that batteries fail?",
        "What is the newest battery?",
        "Which study is the largest?",
        "How many batteries are there?",
        "Do the documents differ on prices?",
        "What did the review leave out about prices?",
        "Who wrote the report on Norland?",
        "How many were there?",
        "?!",
        "",
    ],
)
def test_a_question_about_the_matter_is_not(state: ResearchState, question: str) -> None:
    assert not about_report(state, question)


def test_such_an_answer_needs_no_text_and_no_model(state: ResearchState) -> None:
    reply, citations = answer(state, "How many sources did you use?", WORLD.deps())
    assert reply.is_answered and not reply.model and citations.evidence == ()
    assert all(
        sentence.kind == "narration" and not sentence.citations for sentence in reply.sentences
    )
