"""Orders are carried out, questions are researched, whatever words they contain."""

import re
import time
from pathlib import Path

from tests.tables import each
from workflows.routing.router import route

LINES = [
    tuple(line.split("\t"))
    for line in (Path(__file__).parent / "data" / "routes.tsv").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


@each(("line", "workflow", "action"), LINES)
def test_a_line_goes_where_it_is_meant(line: str, workflow: str, action: str) -> None:
    choice = route(line)
    assert (choice.workflow, choice.action) == (workflow, action), choice


def test_there_are_enough_examples() -> None:
    assert len({line[0] for line in LINES}) >= 150


def test_the_documented_examples_go_where_it_is_said() -> None:
    text = (Path(__file__).parent.parent / "docs" / "terminal.md").read_text("utf-8")
    rules = " ".join(text.partition("1. A slash command.")[2].partition("\n\n")[0].split())
    for number, workflow in enumerate(("file", "code", "image", "research"), 2):
        rule = rules.partition(f"{number}. ")[2].partition(f" {number + 1}. ")[0]
        examples = re.findall(r'"([^"]+)"', rule)
        assert len(examples) >= 2
        assert {line: route(line).workflow for line in examples} == dict.fromkeys(
            examples, workflow
        )


def test_names_and_destinations_are_found() -> None:
    assert route("rename the file a.txt to b.txt").arguments == {
        "object": "file",
        "name": "a.txt",
        "destination": "b.txt",
    }
    assert route('save my report as "summer notes"').arguments["destination"] == "summer notes"
    assert route("show my research on sleep").arguments == {"object": "research", "name": "sleep"}
    assert route("delete sleep_20260102_101500").arguments == {
        "object": "research",
        "name": "sleep_20260102_101500",
    }
    assert (
        route("fix the bug in engine/records/storage.py").arguments["file"]
        == "engine/records/storage.py"
    )


def test_a_question_keeps_every_character() -> None:
    assert route("  what is   osmosis?\n").arguments == {"query": "what is   osmosis?"}


@each(
    "line", ["", " ", "/", "//", "/ x", "\x00", "'", '"', "\ud800", "a" * 1_000_000, "/" * 100_000]
)
def test_any_line_has_a_route(line: str) -> None:
    assert route(line).workflow


@each(
    "line",
    [
        "please " * 20_000,
        "the " * 50_000,
        "save " + "the " * 50_000,
        "write a " + "x " * 50_000,
        "show " + "a/" * 9000,
    ],
)
def test_hostile_lines_cost_no_time(line: str) -> None:
    began = time.process_time()
    route(line)
    assert time.process_time() - began < 0.05
