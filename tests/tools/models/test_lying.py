"""Endpoints that answer with anything at all: every answer is read, or refused in words, never a
crash."""

import json
import random
from typing import Any

import pytest

from tests.tables import each
from tools.errors import ModelError
from tools.models.calling import DIALECTS
from tools.models.detect import _served
from tools.models.dialect import Gathered
from tools.models.faults import Fault, of_answer, sentence
from tools.models.model import Endpoint, Role
from tools.models.schema import schema_problems
from tools.models.structured import parse_json
from tools.models.thinking import Visible, strip

ROLE = Role("reasoning", Endpoint("lab", "http://localhost:1/v1", key="sk-secret-12345678"), "m")
SEEDS: dict[str, list[Any]] = {
    "openai": [
        {
            "model": "m",
            "choices": [{"message": {"content": "x", "refusal": None}, "finish_reason": "stop"}],
        },
        {
            "choices": [
                {"delta": {"content": "x", "tool_calls": [{"function": {"arguments": "{}"}}]}}
            ]
        },
        {"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 2, "cost": 0.5}},
        {"error": {"message": "no", "code": 429, "type": "x"}},
    ],
    "anthropic": [
        {
            "content": [{"type": "text", "text": "x"}, {"type": "tool_use", "input": {}}],
            "usage": {"input_tokens": 1},
        },
        {"type": "message_start", "message": {"model": "m", "usage": {"input_tokens": 1}}},
        {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "x"}},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn"},
            "usage": {"output_tokens": 3},
        },
        {"type": "error", "error": {"type": "overloaded_error", "message": "no"}},
    ],
    "ollama": [
        {
            "model": "m",
            "message": {"content": "x"},
            "done": True,
            "eval_count": 3,
            "done_reason": "stop",
        },
        {"error": "no"},
    ],
}
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 3.5, 10**30, "", "x", "\ud800", "\x00", [], [None], {}, {"a": 1},
    [[]], "stop", [1, "x"], {"message": {"error": {"error": {}}}},
)  # fmt: skip


def bent(value: Any, chance: random.Random) -> Any:
    """The value with something in it replaced, dropped or wrapped."""
    if chance.random() < 0.12:
        return chance.choice(ODD)
    if isinstance(value, dict):
        return {key: bent(item, chance) for key, item in value.items() if chance.random() > 0.05}
    if isinstance(value, list):
        return [bent(item, chance) for item in value] * chance.choice((1, 1, 1, 2))
    return value


@pytest.mark.parametrize("name", DIALECTS)
def test_no_answer_breaks_a_dialect(name: str) -> None:
    chance, dialect = random.Random(11), DIALECTS[name]
    read = 0
    for _ in range(1500):
        payload = bent(chance.choice(SEEDS[name]), chance)
        for take in (dialect.whole, dialect.event):
            gathered = Gathered()
            try:
                take(payload, gathered)
            except Fault as fault:
                assert isinstance(sentence(fault, ROLE), ModelError)
            else:
                read += 1
                assert isinstance("".join(gathered.text + gathered.arguments), str)
                assert gathered.input_tokens is None or gathered.input_tokens >= 0
                assert isinstance(gathered.model, str) and isinstance(gathered.finish, str)
    assert read > 500  # not everything was bent beyond reading


def test_no_error_answer_breaks_its_reader() -> None:
    chance = random.Random(12)
    statuses = (199, 301, 400, 401, 402, 403, 404, 408, 413, 418, 422, 429, 500, 502, 503, 529, 999)
    for _ in range(1500):
        body = json.dumps(
            bent({"error": {"message": "sk-secret-12345678 no", "code": "x"}}, chance)
        ).encode()
        body = chance.choice((body, body[:-3], b"<html>", b"", b"\xff\xfe", b"no"))
        after = chance.choice(
            (
                "",
                "5",
                "-1",
                "never",
                "99999999999999999999",
                "Wed, 21 Oct 2015 07:28:00 GMT",
                "1e999",
            )
        )
        fault = of_answer(chance.choice(statuses), {"retry-after": after}, body, 0.0)
        text = str(sentence(fault, ROLE))
        assert "sk-secret" not in text and "\n" not in text and len(text) < 700
        assert fault.wait is None or 0 <= fault.wait <= 86400


def test_no_text_breaks_the_search_for_data_or_thinking() -> None:
    chance = random.Random(13)
    parts = ('{"a": 1}', "[", "]", "{", "}", '"', "```json\n", "```", "<think>", "</think>",
        "<|channel|>", "\\u", ",",
             "NaN", " ", "x", "\n", "\ud83d", "[1]", ":", "<", "◁think▷", "\x00")  # fmt: skip
    for _ in range(2000):
        text = "".join(chance.choice(parts) for _ in range(chance.randrange(30)))
        value = parse_json(text)
        assert value is None or isinstance(value, dict | list)
        json.dumps(value).encode("utf-8")
        shown: list[str] = []
        visible = Visible(shown.append)
        for at in range(0, len(text), 4):
            visible.feed(text[at : at + 4])
        visible.end()
        assert isinstance("".join(shown), str) and isinstance(strip(text), str)


def test_no_data_breaks_the_check_of_a_schema() -> None:
    chance = random.Random(14)
    item = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    schema = {
        "type": "object",
        "properties": {"items": {"type": "array", "items": item, "maxItems": 3}},
    }
    for _ in range(500):
        problems = schema_problems(schema, bent({"items": [{"a": "x"}, {"a": "y"}]}, chance))
        assert all(isinstance(problem, str) and problem for problem in problems)


@each("entry", ODD)
def test_no_entry_breaks_a_list_of_models(entry: Any) -> None:
    for candidate in (
        entry,
        {"id": entry},
        {"id": "m", "context_length": entry},
        {"id": "m", "meta": entry},
    ):
        model = _served(candidate)
        assert model is None or (model.name and (model.window is None or model.window > 0))
