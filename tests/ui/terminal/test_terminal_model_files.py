"""zorora models get and remove: the facts first, then a question, then the file; with the real
engine."""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.standin import Standin, serve
from tests.file_server import file_route
from tests.model_endpoint import ModelEndpoint
from tests.tiny_reader import tiny_model
from tests.tools.test_model_manifest import list_only
from tools import model_manifest
from ui.terminal.main import main
from ui.terminal.screen import Screen

Ran = tuple[int, str, str]
Zorora = Callable[..., Ran]


class Stream(io.StringIO):
    """A stream that may say that it is a terminal."""

    def __init__(self, text: str = "", tty: bool = False) -> None:
        super().__init__(text)
        self.tty = tty

    def isatty(self) -> bool:
        return self.tty


@pytest.fixture
def server() -> Iterator[Standin]:
    with serve() as running:
        yield running


@pytest.fixture
def zorora(home: Path, server: Standin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Zorora:
    """Run one command; `typed` is what the person types. One reader is listed, which the server
    has."""
    monkeypatch.setattr("tools.models.detect.detect.__defaults__", ((),))
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text(f'[http]\nallow_fetch_hosts = ["{server.place}"]\n')
    path = tiny_model(tmp_path / "plain.onnx")
    list_only(path, tmp_path, monkeypatch)
    listed = tmp_path / "models.toml"
    address = server.on("/plain.onnx", file_route(path.read_bytes()))
    listed.write_text(listed.read_text().replace("https://files.example/plain.onnx", address))
    assert model_manifest.offers()[0].address == address

    def run(*words: str, typed: str | None = None) -> Ran:
        person = typed is not None
        out, err = Stream(), Stream(tty=person)
        status = main(
            ["--home", str(home), "models", *words],
            screen=Screen(out, err, Stream(typed or "", tty=person)),
        )
        return status, out.getvalue(), err.getvalue()

    return run


def placed(home: Path) -> Path:
    return home / "models" / "reader.onnx"


def test_a_person_is_shown_the_facts_and_asked(zorora: Zorora, server: Standin, home: Path) -> None:
    status, _, err = zorora("get", "reader", typed="n\n")
    offer = model_manifest.offers()[0]
    for fact in (
        "A listed reader, licence MIT",
        "For tests.",
        offer.sha256,
        "from 127.0.0.1",
        offer.address,
    ):
        assert fact in err
    assert status != 0 and err.endswith("Nothing was downloaded.\n") and server.requests == []
    status, out, err = zorora("get", "reader", "plain", typed="yes\n")
    assert (
        status == 0 and "tiny reader, licence Apache-2.0" in out and f"sha256 {offer.sha256}" in out
    )
    assert "MB (100%)  A listed reader" in err and "Installed as" in err and placed(home).is_file()


def test_nobody_to_ask_fetches_nothing_without_yes(
    zorora: Zorora, server: Standin, home: Path
) -> None:
    status, _, err = zorora("get", "reader")
    assert status != 0 and "Add --yes to download A listed reader without confirmation." in err
    assert server.requests == [] and not placed(home).exists()
    status, out, err = zorora("get", "reader", "--yes", "--json")
    assert status == 0 and json.loads(out)["path"] == str(placed(home)) and "\r" not in err


def test_what_is_in_place_is_listed_and_removed(zorora: Zorora, home: Path) -> None:
    assert "MB: zorora models get reader plain" in zorora()[1]
    zorora("get", "reader", "--yes")
    assert "reader\tA listed reader\tMIT\t0.0 MB, installed" in zorora()[1]
    assert [file["role"] for file in json.loads(zorora("--json")[1])["files"]] == ["reader"]
    status, _, err = zorora("remove", "reader")
    assert status == 0 and "A listed reader is removed" in err and not placed(home).exists()
    status, _, err = zorora("remove", "reader")
    assert status != 0 and "No reader is installed" in err


def test_a_file_of_ones_own_is_taken_without_a_question(
    zorora: Zorora, home: Path, tmp_path: Path
) -> None:
    model_file = tiny_model(tmp_path / "own.onnx")
    status, out, _ = zorora("get", "reader", "--from", str(model_file))
    assert status == 0 and "tiny reader, licence Apache-2.0" in out
    status, _, err = zorora("get", "reader", "--from", str(model_file), "--sha256", "0" * 64)
    assert (
        status != 0
        and f"{'0' * 64} was expected" in err
        and placed(home).read_bytes() == model_file.read_bytes()
    )
    status, _, err = zorora("get", "reader", "--from", str(tmp_path / "gone.onnx"))
    assert status != 0 and "was not installed" in err


def test_an_address_of_ones_own_is_asked_about_and_shown_without_checksum(
    zorora: Zorora, server: Standin
) -> None:
    address = model_manifest.offers()[0].address
    status, _, err = zorora("get", "reader", "--from", address, typed="\n")
    assert (
        status != 0
        and "No --sha256 was given, so the checksum is not checked." in err
        and server.requests == []
    )


def test_a_running_server_is_offered_before_a_writer(
    zorora: Zorora, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelEndpoint() as running:
        running.models = ("qwen-4b",)
        rows = (("lmstudio", "LM Studio", running.url, "openai"),)
        monkeypatch.setattr("tools.models.detect.detect.__defaults__", (rows,))
        err = " ".join(
            zorora("get", "writer", "--from", "https://files.example/w.gguf", typed="n\n")[
                2
            ].split()
        )
    assert (
        "LM Studio is running with qwen-4b, which writes better. To use it instead: zorora models "
        "set" in err
    )
    assert err.index("LM Studio") < err.index("Download it?")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["get"], "Write it like this: zorora models get reader|judge|writer"),
        (["get", "poet"], "Write it like this"),
        (["get", "reader", "x", "--from", "y"], "Write it like this"),
        (["get", "reader", "--sha256", "0"], "--sha256 needs --from"),
        (["get", "reader", "nobody"], "there is plain"),
        (["get", "judge"], "No judge is offered"),
        (["remove", "judge"], "No judge is installed"),
    ],
)
def test_what_cannot_be_is_a_sentence(zorora: Zorora, words: list[str], problem: str) -> None:
    status, _, err = zorora(*words)
    assert status != 0 and problem in " ".join(err.split())
