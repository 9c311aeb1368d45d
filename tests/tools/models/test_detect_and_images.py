"""Local servers found, lists read, connections tested, pictures made and described."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.model_endpoint import PICTURE, Answer, ModelEndpoint, Status
from tools.errors import ModelError, ParseError
from tools.models import detect
from tools.models.calling import Caller
from tools.models.detect import Served
from tools.models.images import analyze_image, generate_image, media_type
from tools.models.model import Endpoint, Role, Timing
from tools.models.roles import Models
from tools.models.wire import Wire

Make = Callable[..., Role]
DEAD = ("dead", "Dead", "http://127.0.0.1:9/v1", "openai")


def test_servers_that_run_are_found(
    endpoint: ModelEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a busy machine needs more than a second
    monkeypatch.setattr(detect, "DETECTING", Timing(60.0, 60.0, 60.0))
    endpoint.models = ("text-embedding-small", "qwen-4b", "llama-8b")
    with ModelEndpoint(models=()) as empty, ModelEndpoint() as silent:
        rows = (
            DEAD,
            ("lmstudio", "LM Studio", endpoint.url, "openai"),
            ("ollama", "Ollama", endpoint.root, "ollama"),
            ("vllm", "vLLM", empty.url, "openai"),
            ("other", "Something else", silent.root + "/nothing", "openai"),
        )
        servers = detect.detect(Wire(), rows)
    assert [(server.label, server.best) for server in servers] == [
        ("LM Studio", "qwen-4b"), ("Ollama", "qwen-4b"), ("vLLM", ""),
    ]  # fmt: skip
    assert servers[0].models == ("qwen-4b", "llama-8b")
    listed = detect.listed(Wire(), Endpoint("x", endpoint.url))
    assert [model.name for model in listed] == ["qwen-4b", "llama-8b", "text-embedding-small"]


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (
            {
                "data": [
                    {"id": "a"},
                    {"id": "a"},
                    {"id": ""},
                    {"id": 5},
                    None,
                    {"id": "b\x1b[2J"},
                    {"id": "c" * 300},
                ]
            },
            ["a"],
        ),
        ({"models": [{"name": "a", "context_length": 4096}]}, ["a"]),
        ([{"id": "a"}], ["a"]),
        ({"data": []}, []),
    ],
)
def test_lists_of_models_are_read_with_care(
    monkeypatch: pytest.MonkeyPatch, body: Any, names: list[str]
) -> None:
    monkeypatch.setattr(detect, "fetch_json", lambda *_: body)
    assert [
        model.name for model in detect.listed(Wire(), Endpoint("x", "http://localhost:1/v1"))
    ] == names


def test_a_window_that_is_told_is_shown_where_none_is_set(
    endpoint: ModelEndpoint, caller: Caller, role: Make
) -> None:
    entries = (
        {"id": "m", "max_model_len": 32768},
        {"id": "n", "meta": {"n_ctx_train": 2048}},
        {"id": "o"},
    )
    served = [model for entry in entries if (model := detect._served(entry))]
    assert served == [Served("m", 32768), Served("n", 2048), Served("o", None)]
    endpoint.listing = '{"data": [{"id": "small-4b", "context_length": 16384}]}'
    assert "models.reasoning.window = 16384" in detect.test(caller, role()).message
    assert "window" not in detect.test(caller, role(window=4096)).message


@pytest.mark.parametrize("body", ["<html>", "[1, 2", '{"data": 5}', '"models"'])
def test_something_else_at_the_address_is_no_model_server(
    endpoint: ModelEndpoint, body: str
) -> None:
    endpoint.listing = body
    with pytest.raises(ModelError, match="not a model server") as caught:
        detect.listed(Wire(), Endpoint("x", endpoint.url))
    assert caught.value.kind == "shape"


def test_a_connection_test_says_what_it_found(
    endpoint: ModelEndpoint, caller: Caller, role: Make
) -> None:
    good = detect.test(caller, role())
    assert good.ok and good.models == ("small-4b",) and "answers with small-4b in " in good.message
    for failure, kind in (
        ("wrong_key", "key"),
        ("wrong_model", "model"),
        ("html", "shape"),
        ("silence", "silent"),
    ):
        endpoint.fail(failure)
        bad = detect.test(caller, role(timing=Timing(5, 0.1, 20) if kind == "silent" else Timing()))
        assert not bad.ok and bad.result == detect.RESULTS[kind] and bad.models
    endpoint.answers = lambda _: Answer("", thinking="Let me see", finish="length")
    assert detect.test(caller, role()).ok  # a thinking model works, though not in so few tokens
    away = Role("reasoning", Endpoint("x", "http://127.0.0.1:9/v1"), "m")
    assert detect.test(caller, away).result == "not reachable"


# --- pictures -------------------------------------------------------------------------------------


def test_a_picture_is_made(endpoint: ModelEndpoint, role: Make) -> None:
    image = generate_image(Wire(), role(name="image_generation"), "A red square.", "256x256")
    assert (image.data, image.media_type, image.model) == (PICTURE, "image/png", "small-4b")
    assert endpoint.calls[0].body == {
        "model": "small-4b",
        "prompt": "A red square.",
        "n": 1,
        "size": "256x256",
    }
    assert endpoint.calls[0].path == "/v1/images/generations"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"data": []}, "shape"),
        ({"data": [{"b64_json": "%%%"}]}, "shape"),
        ({"data": [{"b64_json": base64.b64encode(b"<html>").decode()}]}, "shape"),
        ({"data": [{"url": "http://127.0.0.1/x.png"}]}, "shape"),
        ({"data": [{"url": "file:///etc/passwd"}]}, "shape"),
        ({"data": "x"}, "shape"),
        ([], "shape"),
        ("not json", "shape"),
    ],
)
def test_what_is_no_picture_ends_in_a_sentence(
    endpoint: ModelEndpoint, role: Make, body: Any, kind: str
) -> None:
    endpoint.answers = lambda _: Status(200, body)
    with pytest.raises(ModelError) as caught:
        generate_image(Wire(), role(), "A square.", fetch=lambda url: PICTURE)
    assert caught.value.kind == kind


def test_a_picture_at_an_address_is_fetched_through_the_door_that_is_handed_in(
    endpoint: ModelEndpoint, role: Make
) -> None:
    endpoint.answers = lambda _: Status(
        200, {"data": [{"url": "https://pictures.example/1.png", "revised_prompt": "r"}]}
    )
    urls: list[str] = []

    def fetch(url: str) -> bytes:
        urls.append(url)
        return PICTURE

    image = generate_image(Wire(), role(), "A square.", fetch=fetch)
    assert (
        image.data == PICTURE
        and image.revised == "r"
        and urls == ["https://pictures.example/1.png"]
    )
    with pytest.raises(ModelError):
        generate_image(Wire(), role(), "A square.")
    with pytest.raises(ModelError, match="Say what"):
        generate_image(Wire(), role(), "  ")


def test_failures_of_the_service_are_the_usual_ones(endpoint: ModelEndpoint, role: Make) -> None:
    for failure, kind in (
        ("wrong_key", "key"),
        ("no_quota", "limit"),
        ("server_error", "server"),
        ("hang_up", "cut"),
    ):
        endpoint.fail(failure)
        with pytest.raises(ModelError) as caught:
            generate_image(Wire(), role(), "A square.")
        assert caught.value.kind == kind


def test_a_picture_is_described(endpoint: ModelEndpoint, caller: Caller, role: Make) -> None:
    endpoint.answers = "A white point."
    models = Models({"vision": role(name="vision")}, caller)
    assert analyze_image(models, PICTURE).text == "A white point."
    assert "Describe this image" in endpoint.calls[0].question
    analyze_image(models, PICTURE, "Which colour?")
    assert endpoint.calls[1].question == "Which colour?"
    for bad in (b"", b"%PDF-1.7", b"<svg onload=x>", b"GIF8"):
        with pytest.raises(ParseError, match="not a PNG"):
            analyze_image(models, bad)
    with pytest.raises(ParseError, match="at most 20"):
        analyze_image(models, b"\x89PNG\r\n\x1a\n" + b"0" * 21_000_000)


@pytest.mark.shared
def test_recorded_pictures(shared: Any, role: Make, endpoint: ModelEndpoint) -> None:
    folder = shared / "recorded" / "openai_images"
    expected = {
        "otel_test_image_gen_metrics.json": "address",
        "rb_images_generate_A_baby_sea_otter_cooking_pasta_wearing_a_hat_of_some_sort.json": "address",  # noqa: E501
        "rb_images_generate_A_lion_cooking_pasta_wearing_a_hat_of_some_sort.json": "address",
        "rb_images_edit_image_png_A_solid_red_Ruby_on_a_blue_background.json": "address",
        "rb_images_edit_image_png_A_solid_red_Ruby_on_a_blue_background_1.json": "address",
        "rbllm_te_urls_rejects_edits_with_a_url_having_invalid_content_type.json": "server",
        "rbllm_y_with_remote_urls_rejects_edits_with_a_url_that_returns_404.json": "server",
    }
    places = {}
    for file in sorted(folder.iterdir()):
        body = json.loads(file.read_bytes())
        endpoint.answers = lambda _, body=body: Status(400 if "error" in body else 200, body)
        urls: list[str] = []
        try:
            image = generate_image(
                Wire(), role(), "?", fetch=lambda url, urls=urls: urls.append(url) or PICTURE
            )
            places[file.name] = "address" if urls else "inside"
            assert media_type(image.data)
        except ModelError as error:
            places[file.name] = error.kind
    assert places == expected
