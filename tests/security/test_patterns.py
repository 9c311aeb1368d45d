"""No regular expression can be made to work for long by the text it is given: all are linear, or
see bounded texts.

A new pattern is found by itself (patterns.py). One that a function builds needs an instance in
BUILT; one whose text is bounded elsewhere may need more than linear time, and is then held to that
bound: BOUNDED, with the reason.
"""

import fnmatch
import re
from collections.abc import Callable, Iterable

import pytest

from engine.history import excerpt
from tests.security.patterns import Unknown, Written, hostile, run, seconds, short, written
from tools.documents.parsers.torn_words import _TAIL_OF_LINE
from tools.host import programs
from tools.models import faults
from tools.reading import answer_type
from tools.registry import TOOLS
from tools.text.asking import intents_table
from workflows.code import symbols
from workflows.research.answer.forms.comparison import _LONGEST, _THINGS_WRITTEN
from workflows.research.understand import intent, parts
from workflows.routing import router_words
from workflows.routing.router import REACH

LENGTH = 20_000  # characters; pages and documents are parsed by child processes that may be ended
MOST = 0.08  # processor seconds for one text of that length; most need a tenth
# A text of a fourth of the length takes a fourth of the time when all is linear, a sixteenth if not
PART, GROWTH = 4, 7
TOO_LONG = 1.0  # processor seconds that nothing may take, however it grows

BOUNDED: dict[str, tuple[int, str]] = {
    "workflows/research/understand/intent.py:intent_patterns": (
        intent._LONGEST,
        "what is read of a question",
    ),
    "workflows/research/answer/forms/comparison.py:": (_LONGEST, "what is read of a question"),
    "tools/documents/parsers/torn_words.py:_ADDRESS": (_TAIL_OF_LINE, "the end of a line"),
    "workflows/research/understand/parts.py:_AGAIN": (
        parts._LONGEST,
        "a longer question stays whole",
    ),
    "workflows/research/understand/parts.py:_AND_ASKS": (
        parts._LONGEST,
        "a longer question stays whole",
    ),
    "workflows/code/symbols.py:_matched": (400, "the beginning of a line"),
    "workflows/routing/router_words.py": (REACH, "a longer line is taken for a question, unread"),
}

# These get no white space but single spaces
SINGLE_SPACES = frozenset(["workflows/research/understand/intent.py:intent_patterns"])


def built() -> dict[str, Callable[[], Iterable[str]]]:
    """Where patterns are made at run time -> the patterns, or instances of them from words of the
    kind they get."""
    return {
        "tools/host/arguments.py:_check_operand": lambda: [
            p.plain for p in programs.PROGRAMS.values() if p.plain
        ],
        "tools/host/edits.py:_applied": lambda: [],  # a text as it is
        "tools/host/edits.py:_block": lambda: [r">{7} ?(?:NEW|REPLACE|UPDATED)\s*"],
        "tools/models/faults.py:of_payload": lambda: [pattern for _, pattern in faults._WORDS],
        "tools/models/faults.py:_kind": lambda: [pattern for _, pattern in faults._WORDS],
        "tools/models/faults.py:_without": lambda: [pattern for _, pattern in faults._WITHOUT],
        "engine/history/excerpt.py:__init__": lambda: [
            excerpt.Marker(["batteries*", "a"])._likely.pattern
        ],
        "tools/reading/answer_type.py:": lambda: [
            pattern
            for listed in (answer_type._ASKED, answer_type._SHOWN.items())
            for _, pattern in listed
        ],
        "workflows/research/answer/forms/comparison.py:": lambda: [
            pattern for pair in _THINGS_WRITTEN for pattern in pair
        ],
        "workflows/research/verify/independence.py:_holds_name": lambda: [
            r"(?<!\w)evening\W+prices\W+in\W+Norland(?!\w)"
        ],
        "tools/library/folder_walk.py:walk": lambda: [  # matched at the beginning alone
            rf"\A(?:{'|'.join(map(fnmatch.translate, ('*.tmp', 'build*', '.git')))})"
        ],
        "workflows/routing/router_words.py:": lambda: [
            pattern.pattern for pattern, _ in router_words.VERB_PHRASES
        ],
        "workflows/code/symbols.py:_matched": lambda: [
            p for listed in symbols._PATTERNS.values() for p in listed
        ],
        "workflows/code/symbols.py:outline": lambda: [
            p for listed in symbols._IMPORTS.values() for p in listed
        ],
        "workflows/research/understand/intent.py:intent_patterns": lambda: [
            entry.pattern
            for languages in ((), *((code,) for code in intents_table()["other_languages"]))
            for listed in intent.intent_patterns(languages).values()
            for entry in listed
        ],
    }


@pytest.fixture(scope="module")
def every_pattern() -> list[Written | Unknown]:
    """Every pattern of the program, read once."""
    return list(written())


@pytest.fixture(scope="module")
def patterns(every_pattern: list[Written | Unknown]) -> list[Written]:
    """Those with a text, and instances of those that are built."""
    built_patterns = [
        Written(where, re.compile(text, re.I), False)
        for where, get in built().items()
        for text in get()
    ]
    return [pattern for pattern in every_pattern if isinstance(pattern, Written)] + built_patterns


def bound(pattern: Written) -> int:
    """How long a text it meets."""
    file = pattern.where.partition(":")[0]
    return BOUNDED.get(pattern.where, BOUNDED.get(file, (LENGTH, "")))[0]


def worst(pattern: Written, size: int) -> str:
    """What is wrong with a pattern: its place and the text that is slow; empty when nothing is.

    Slow is what takes long and grows faster than the text: a slow machine alone makes nothing
    quadratic.
    """
    for whole, part in zip(
        hostile(pattern.pattern, size), hostile(pattern.pattern, size // PART), strict=True
    ):
        text, less = (
            " ".join(t.split()) if pattern.where in SINGLE_SPACES else t for t in (whole, part)
        )
        if (spent := least(pattern, text, 1)) > MOST and (spent := least(pattern, text, 3)) > MOST:
            before = least(pattern, less, 3)
            if spent >= TOO_LONG or spent > GROWTH * before:
                problem = (
                    f"{spent:.2f} s for {len(text)} characters like {text[:40]!r}, "
                    f"{before:.2f} s for {len(less)}"
                )
                return f"{pattern.where}: {problem}"
    return ""


def least(pattern: Written, text: str, times: int) -> float:
    """Processor seconds a pattern needs for a text: the shortest of some attempts."""
    return min(seconds(lambda: run(pattern, text), TOO_LONG) for _ in range(times))


@pytest.mark.lab
def test_every_pattern_built_at_run_time_has_an_instance_here(
    every_pattern: list[Written | Unknown],
) -> None:
    assert {pattern.where for pattern in every_pattern if isinstance(pattern, Unknown)} == set(
        built()
    )
    assert len(every_pattern) > 400


@pytest.mark.lab
def test_every_bound_belongs_to_a_pattern(patterns: list[Written]) -> None:
    places = {pattern.where for pattern in patterns} | {
        pattern.where.partition(":")[0] for pattern in patterns
    }
    assert set(BOUNDED) <= places


def explodes(pattern: Written) -> bool:
    """Whether the shorter texts already take a quarter of a second together."""
    return seconds(lambda: [run(pattern, text) for text in short(pattern.pattern)], 0.25) >= 0.25


@pytest.mark.lab
def test_no_pattern_explodes(patterns: list[Written]) -> None:
    assert [pattern.where for pattern in patterns if explodes(pattern)] == []


def test_no_schema_of_a_tool_brings_a_pattern() -> None:
    """Who is offered the tools would run it on what a model answers."""

    def inside(schema: object) -> bool:
        if isinstance(schema, dict):
            return isinstance(schema.get("pattern"), str) or any(map(inside, schema.values()))
        return isinstance(schema, list | tuple) and any(map(inside, schema))

    properties = [value for tool in TOOLS for value in tool.schema["properties"].values()]
    assert properties and not any(map(inside, properties))


@pytest.mark.lab
def test_every_pattern_is_linear_or_sees_bounded_texts(
    patterns: list[Written], tell: Callable[..., None]
) -> None:
    slow = [problem for pattern in patterns if (problem := worst(pattern, bound(pattern)))]
    tell("regular expressions against texts made from them", len(patterns), len(slow))
    assert slow == []


@pytest.mark.lab
@pytest.mark.parametrize("bad", [r"\b(?:(?:briefly|\w+ly) )*end"])
def test_the_texts_find_patterns_known_to_be_bad(bad: str) -> None:
    assert explodes(Written("here", re.compile(bad), False))


@pytest.mark.lab
@pytest.mark.parametrize("bad", [r"\s+and\s+", r"<[^>]+>", r"\w+@\w+", r"\s*$", r"\[[^\]]*\]\("])
def test_the_texts_find_patterns_that_are_quadratic(bad: str) -> None:
    assert worst(Written("here", re.compile(bad), False), LENGTH)
