"""Models as files: placed whole after a trial, described by doctor, used by researches, never a reason to fail."""

import hashlib
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.standin import Reply, serve
from engine import doctor
from engine.answers import RunOptions
from engine.collection import RunCollection, collections
from engine.research_engine import ResearchEngine
from tests.tiny_reader import FIGURES, tiny_model
from tools.errors import ModelError, NotFound
from tools.reading.features import FeatureReader
from tools.reading.onnx_reader import OnnxReader
from ui.terminal.main import main
from workflows.research.answer.selection import rank_chunks, select
from workflows.research.answer.short import sure_enough
from workflows.research.model import RunConfig
from workflows.research.state import ResearchState
from workflows.research.understand.parts import parts_of

DOCUMENT = "# Weather\n\nThe sky over the harbour is blue in June.\n\nThe quay was closed in May.\n"
OPTIONS = RunOptions(depth=1, sources=("local",), clarify=False, offline=True)


@pytest.fixture
def engine(home: Path) -> Iterator[ResearchEngine]:
    with ResearchEngine(home=home, environ={}, overrides={"embeddings.enabled": False}) as engine:
        yield engine


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return tiny_model(tmp_path / "tiny.onnx")


def check_of(engine: ResearchEngine) -> tuple[str, str]:
    (found,) = [check for check in doctor.checks(engine.config) if check.name == "reading model"]
    return found.state, found.message


def collection_of(engine: ResearchEngine) -> RunCollection:
    tools = engine._opened.tools
    state = ResearchState("q", "id", config=RunConfig(sources=("local",)))
    return collections(tools, False, tools.reading_model, print)(state)


def test_a_model_is_placed_from_a_file_and_described(engine: ResearchEngine, model: Path) -> None:
    assert check_of(engine) == ("ok", "None is installed; passages are ranked by the features of their words.")
    placed = engine.models.place_file("reader", str(model))
    assert (placed.title, placed.licence, placed.size) == ("tiny reader", "Apache-2.0", model.stat().st_size)
    assert placed.sha256 == hashlib.sha256(model.read_bytes()).hexdigest()
    target = engine.config.paths.models / "reader.onnx"
    assert target.read_bytes() == model.read_bytes() and target.stat().st_mode & 0o077 == 0
    assert check_of(engine)[1].startswith("tiny reader, Apache-2.0, ")


def test_a_model_is_placed_from_an_address(engine: ResearchEngine, model: Path) -> None:
    with serve() as server:
        url = server.on("/reader.onnx", Reply(model.read_bytes(), media_type="application/octet-stream"))
        engine.models.place_file("reader", url, hashlib.sha256(model.read_bytes()).hexdigest().upper())
        assert (engine.config.paths.models / "reader.onnx").is_file()
        with pytest.raises(ModelError, match="status 404"):
            engine.models.place_file("reader", server.on("/gone", Reply(b"", status=404)))


@pytest.mark.parametrize("damage", ["no model", "truncated", "another sha256", "not there", "a folder"])
def test_what_is_no_reader_is_refused_and_what_was_there_stays(
    engine: ResearchEngine, model: Path, tmp_path: Path, damage: str
) -> None:
    engine.models.place_file("reader", str(model))
    target = engine.config.paths.models / "reader.onnx"
    before = target.read_bytes()
    source, sha256 = tmp_path / "other.onnx", ""
    if damage == "no model":
        source.write_text("<html>")
    elif damage == "truncated":
        source.write_bytes(before[:-100])
    elif damage == "another sha256":
        source, sha256 = model, "0" * 64
    elif damage == "a folder":
        source.mkdir()
    with pytest.raises(ModelError, match=r"not taken.*\.$"):
        engine.models.place_file("reader", str(source), sha256)
    assert [path.name for path in target.parent.iterdir()] == ["reader.onnx"] and target.read_bytes() == before


def test_other_names_are_refused(engine: ResearchEngine, model: Path) -> None:
    with pytest.raises(NotFound, match="there is reader"):
        engine.models.place_file("../reader", str(model))


def test_the_command_shows_what_was_placed(home: Path, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--home", str(home), "models", "get", "reader", str(model)]) == 0
    printed = capsys.readouterr()
    assert "tiny reader, licence Apache-2.0" in printed.out and "sha256 " in printed.out
    assert main(["--home", str(home), "models", "get", "reader", str(home / "gone.onnx")]) != 0
    assert "was not taken" in capsys.readouterr().err


def test_a_research_reads_with_the_model_and_without_one_that_is_damaged(
    engine: ResearchEngine, model: Path, tmp_path: Path
) -> None:
    (tmp_path / "weather.md").write_text(DOCUMENT)
    engine.models.place_file("reader", str(model))
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
    assert len([note for note in notes if note.startswith("The reading model could not be opened")]) == 1


@pytest.mark.parametrize(("probability", "expected"), [(0.95, True), (0.8, False)])
def test_words_that_answer_stand_alone_where_nine_of_ten_are_right(
    engine: ResearchEngine, tmp_path: Path, probability: float, expected: bool
) -> None:
    (tmp_path / "weather.md").write_text(DOCUMENT)
    figures = FIGURES | {"span": [math.log(probability / (1 - probability)), 0, 0]}
    engine.models.place_file("reader", str(tiny_model(tmp_path / "tiny.onnx", figures=figures)))
    engine.ingest([tmp_path / "weather.md"])
    collection = collection_of(engine)
    (part,) = parts_of("When is the sky over the harbour blue?")
    first = select(part, rank_chunks(part, collection), collection)[0]
    assert first.span and collection.text(first.snapshot_id)[slice(*first.span)] == "blue"
    assert sure_enough(part, first) is expected


def test_passages_are_read_by_the_model(engine: ResearchEngine, model: Path) -> None:
    assert isinstance(collection_of(engine).reader, FeatureReader)
    engine.models.place_file("reader", str(model))
    assert isinstance(collection_of(engine).reader, OnnxReader)
