"""Answers that must follow a schema: found, checked, repaired once, given up with a reason."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.tables import each
from tools.errors import Cancelled, ModelError
from tools.models.model import Message, Reply, Request
from tools.models.schema import closed, schema_problems
from tools.models.structured import ask_structured, parse_json
from tools.models.thinking import Visible, refuses, strip

SCHEMA = {
    "type": "object",
    "properties": {
        "items": {
            "type": "array",
            "minItems": 1,
            "maxItems": 3,
            "items": {
                "type": "object",
                "properties": {
                    "kind": {"enum": ["a", "b"]},
                    "text": {"type": "string", "minLength": 1, "maxLength": 9},
                    "weight": {"type": "number", "minimum": 0, "maximum": 1},
                },
                "required": ["kind"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["items"],
}
GOOD = '{"items": [{"kind": "a", "text": "x"}]}'
DATA = json.loads(GOOD)


class Script:
    """Answers in order; remembers what it was asked."""

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)
        self.requests: list[Request] = []

    def ask(
        self,
        role: str,
        request: Request,
        *,
        on_text: Callable[[str], object] | None = None,
        check_cancelled: Callable[[], None] | None = None,
    ) -> Reply:
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return Reply(answer, model="m", finish="length" if answer.endswith("…") else "stop")


def request() -> Request:
    return Request((Message("user", "List them."),), schema=SCHEMA)


def test_a_right_answer_is_used() -> None:
    result = ask_structured(Script(GOOD), "reasoning", request())
    assert (result.data, result.outcome, result.problem, result.model) == (DATA, "used", None, "m")


def test_one_repair_shows_the_error_and_the_answer() -> None:
    script = Script('{"items": [{"kind": "c"}]}', GOOD)
    result = ask_structured(script, "reasoning", request())
    assert (result.data, result.outcome, len(script.requests)) == (DATA, "repaired", 2)
    assert "items[0].kind must be one of a, b" in str(result.problem)
    repair = script.requests[1].messages
    assert repair[:1] == request().messages and '{"kind": "c"}' in repair[1].text
    assert "items[0].kind must be one of a, b" in repair[2].text


def test_there_is_no_second_repair() -> None:
    script = Script("no", "nothing", GOOD)
    result = ask_structured(script, "reasoning", request())
    assert (result.data, result.outcome, len(script.requests)) == (None, "fell_back", 2)
    assert result.problem == (
        "The answer could not be used: it contains no JSON. The repaired answer could not be used: "
        "it contains no JSON."
    )


def test_what_follows_the_schema_may_still_be_refused_by_the_validation() -> None:
    def validate(data: Any) -> list[str]:
        return [] if data["items"][0]["text"] == "right" else ["the text is not right"]

    script = Script(GOOD, GOOD.replace('"x"', '"right"'))
    result = ask_structured(script, "reasoning", request(), validate)
    assert result.outcome == "repaired" and result.data["items"][0]["text"] == "right"
    assert "the text is not right" in script.requests[1].messages[-1].text


def test_a_refusal_is_not_argued_with() -> None:
    script = Script("I'm sorry, but I can't assist with that request.", GOOD)
    result = ask_structured(script, "reasoning", request())
    assert (
        result.outcome == "fell_back"
        and "refused" in str(result.problem)
        and len(script.requests) == 1
    )


def test_a_failing_endpoint_means_falling_back_and_a_stop_is_a_stop() -> None:
    result = ask_structured(Script(ModelError("It is gone.", "absent")), "reasoning", request())
    assert (result.data, result.outcome, result.problem) == (
        None,
        "fell_back",
        "It is gone.",
    )
    result = ask_structured(Script("prose", ModelError("It is gone.")), "reasoning", request())
    assert result.outcome == "fell_back" and str(result.problem).endswith("no JSON. It is gone.")
    with pytest.raises(Cancelled):
        ask_structured(Script(Cancelled("stop")), "reasoning", request())


def test_an_answer_that_breaks_off_is_not_completed_by_guessing() -> None:
    result = ask_structured(Script(GOOD[:-3] + "…", GOOD), "reasoning", request())
    assert result.outcome == "repaired" and "broke off" in str(result.problem)


def test_a_bare_list_is_put_where_it_belongs() -> None:
    assert (
        ask_structured(Script('[{"kind": "a", "text": "x"}]'), "reasoning", request()).data == DATA
    )


@each(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Sure! Here it is:\n\n```\n{GOOD}\n```\nAnything else?",
        f"The items [1] and [2] are these: {GOOD} as {{you}} asked.",
        f"\ufeff  {GOOD}  ",
        '{"items": [{"kind": "a", "text": "x",},],}',
        f'{{"note": 1}} and, longer, {GOOD}',
        f"```json\n{GOOD}",
    ],
)
def test_json_is_found_wherever_it_stands(text: str) -> None:
    assert parse_json(text) == DATA


@each(
    "text",
    ["", "none", "as said in [3]", GOOD[:-1], "{'items': 1}", '{"a": NaN}', '{"a": Infinity}',
        "[" * 100_000,
     '{"a":' * 100_000, '{"a": ' + "9" * 5000 + "}", "42", '"text"', "<html>{}</html><b>"],
)  # fmt: skip
def test_what_is_no_json_is_none_and_takes_no_time(text: str) -> None:
    begun = time.thread_time()
    assert parse_json(text) in (None, {})
    assert time.thread_time() - begun < 0.5


def test_half_characters_never_get_through() -> None:
    value = parse_json('{"a\\ud800": ["x\\udfff", {"b": "\\ud83d\\ude00"}]}')
    assert value == {"a?": ["x?", {"b": "😀"}]}


@each(
    ("schema", "data", "problem"),
    [
        ({"type": "object"}, [], "the answer must be object"),
        (SCHEMA, {}, "the answer lacks items"),
        (SCHEMA, {"items": []}, "items must have at least 1 entries"),
        (SCHEMA, {"items": [{"kind": "a"}] * 4}, "items must have at most 3 entries"),
        (SCHEMA, {"items": [{"kind": "a", "text": " "}]}, "items[0].text must not be empty"),
        (
            SCHEMA,
            {"items": [{"kind": "a", "text": "x" * 10}]},
            "items[0].text must have at most 9 characters",
        ),
        (SCHEMA, {"items": [{"kind": "a", "weight": 2}]}, "items[0].weight must be at most 1"),
        (SCHEMA, {"items": [{"kind": "a", "weight": True}]}, "items[0].weight must be number"),
        (SCHEMA, {"items": [{"kind": "a", "x": 1}]}, "items[0] must not have x"),
        ({"type": ["string", "null"]}, 1, "the answer must be string or null"),
        ({"type": "integer"}, 1.5, "the answer must be integer"),
        ({"enum": ["a"]}, {"not": "hashable"}, "the answer must be one of a"),
    ],
)
def test_what_is_wrong_is_said_in_words(schema: Any, data: Any, problem: str) -> None:
    assert schema_problems(schema, data) == [problem]


def test_right_data_has_no_problems_and_wrong_data_not_endlessly_many() -> None:
    assert schema_problems(SCHEMA, DATA) == [] and schema_problems({"type": "integer"}, 2.0) == []
    assert schema_problems({"type": ["string", "null"]}, None) == []
    many = {"type": "array", "items": {"type": "string"}}
    assert len(schema_problems(many, [1] * 1000)) == 8


def test_only_closed_schemas_are_strict() -> None:
    assert closed({"type": "object", "properties": {}, "additionalProperties": False})
    assert not closed(SCHEMA)
    inner = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": [],
        "additionalProperties": False,
    }
    assert not closed({"type": "array", "items": inner})


@each(
    ("text", "answer"),
    [
        ("plain", "plain"),
        ("<think>a</think>b", "b"),
        ("<THINK>a</THINK>\n\nb", "b"),
        ("a</think>b", "b"),
        ("<think>never ends", ""),
        ("b<thinking>x</thinking>c", "bc"),
        ("<reasoning>1</reasoning><think>2</think>b", "b"),
        ("5 < 6 and <b>bold</b>", "5 < 6 and <b>bold</b>"),
        (
            "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>b<|return|>",
            "b",
        ),
        ("◁think▷a◁/think▷b", "b"),
        ("I think <i>so</i>", "I think <i>so</i>"),
    ],
)
def test_thinking_is_taken_out(text: str, answer: str) -> None:
    assert strip(text) == answer


@each("size", [1, 2, 3, 7, 100])
def test_thinking_is_held_back_while_the_answer_comes(size: int) -> None:
    text = "<think>secret <i>x</i> 5 < 6</think>It is 5 < 6, <b>so</b> there: a<b"
    shown: list[str] = []
    visible = Visible(shown.append)
    for at in range(0, len(text), size):
        visible.feed(text[at : at + size])
    visible.end()
    assert "".join(shown) == "It is 5 < 6, <b>so</b> there: a<b"


def test_refusals_are_told_from_answers() -> None:
    assert refuses("I'm sorry, but I can't help with that.") and refuses(
        "I cannot provide this information."
    )
    assert refuses("As an AI, I am unable to browse.")
    assert not refuses("Unfortunately, the trial ended early.")
    assert not refuses("The authors cannot rule out an effect.")
    assert not refuses("I'm sorry, but I can't. " + "But here is a long answer. " * 40)
