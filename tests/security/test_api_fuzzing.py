"""The JSON interface asked everything its own document allows and much that it does not, by
schemathesis.

Once over a real engine on a real home, for all that stays inside this process; once over an engine
in memory, for what would start processes, read folders of the machine or ask the network.
"""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings, strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from engine import ResearchEngine
from tests.ui.fake_engine import FakeEngine
from ui.web.access_token import Token
from ui.web.api import research
from ui.web.app import create_app

pytestmark = [pytest.mark.lab, pytest.mark.filterwarnings("ignore")]

EXAMPLES = int(os.environ.get("API_EXAMPLES", "8"))  # noqa: TID251 - how long to work is the caller's choice
OUTWARD = frozenset(
    """start again resume add_folder refresh watch update_data get_model_file check_sources clarify
    quick_search works""".split()
)
# The engine in memory has models that answer
MODELS = frozenset("ask make_image describe_image".split())
# A server that has no models here answers that it cannot be reached
SERVERS = frozenset(("served_models",))
Tell = Callable[[str, int, int], None]
CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)


def call_operations(engine: Any, home: Path, selects: Callable[[str], bool]) -> dict[str, int]:
    """Ask each wanted operation; how often each was answered. Fails at the first wrong answer."""
    secret = Token(home / "web_token").renew()
    app = create_app({"ENGINE": engine, "PORT": 80})
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    counts = {}
    for candidate in schema.get_all_operations():
        operation = candidate.ok()
        name = operation.definition.raw["operationId"]
        if selects(name):
            counts[name] = ask(operation, {"Authorization": f"Bearer {secret}"})
    return counts


def ask(operation: Any, headers: dict[str, str]) -> int:
    """Ask one operation what it allows and what it does not; how many questions that were."""
    questions = []

    @settings(max_examples=EXAMPLES, deadline=None, database=None, derandomize=True,
        phases=[Phase.generate],
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(case=st.one_of(operation.as_strategy(), operation.as_strategy(GenerationMode.NEGATIVE)))
    def send(case: Any) -> None:
        questions.append(case)
        case.call_and_validate(headers=headers, checks=CHECKS)

    send()
    return len(questions)


class Hurry:
    """A clock in which whoever waits has waited at once: any `?wait=` may be asked for."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.ahead

    def sleep(self, seconds: float) -> None:
        self.ahead += seconds


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(research, "time", Hurry())


@pytest.fixture
def engine(home: Path) -> Iterator[ResearchEngine]:
    with ResearchEngine(home=home, environ={}) as engine:
        engine.upload("a.txt", b"Batteries lower evening prices in the grid of the island.")
        yield engine


def test_a_real_engine_answers_within_its_document(
    engine: ResearchEngine, home: Path, tell: Tell
) -> None:
    counts = call_operations(engine, home, lambda name: name not in OUTWARD | SERVERS)
    assert len(counts) >= 30, counts
    tell("questions to the JSON interface, of its schema and against it", sum(counts.values()), 0)


def test_what_reaches_out_answers_within_its_document(tmp_path: Path, tell: Tell) -> None:
    counts = call_operations(FakeEngine(tmp_path), tmp_path, lambda name: name in OUTWARD | MODELS)
    assert set(counts) == OUTWARD | MODELS
    tell("the same to what starts, reads and asks", sum(counts.values()), 0)
