"""The list of models that can be fetched: whole, with checksums, and readers with their weights."""

import hashlib
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.tiny_reader import FIGURES, tiny_model
from tools import model_manifest
from tools.errors import ModelError
from tools.model_manifest import offers
from tools.reading.reading_model import ModelReading, ReadingModel

FREE = ("Apache-2.0", "MIT", "BSD-3-Clause")
ENTRY = """
[[models]]
role = "reader"
name = "plain"
title = "A plain cross-encoder"
licence = "MIT"
about = "For tests."
size = {size}
sha256 = "{sha256}"
address = "https://files.example/plain.onnx"
download_size = {size}
download_sha256 = "{sha256}"
[models.figures]
format = 2
question_tokens = 8
passage_tokens = 16
relevance = 0.1
span = [-20, 0, 0]
"""


def plain_model(path: Path) -> Path:
    """A cross-encoder as others publish it: one output, and nothing said about it."""
    return tiny_model(path, figures=None, start=None, end=None)


def list_only(path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the list of models one with this file alone."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    (folder / "models.toml").write_text(ENTRY.format(size=path.stat().st_size, sha256=digest))
    monkeypatch.setattr(model_manifest, "MANIFEST", folder / "models.toml")


@pytest.mark.parametrize("offer", offers(), ids=lambda offer: offer.name)
def test_an_entry_says_all_that_a_person_is_shown(offer: model_manifest.Offer) -> None:
    assert offer.role in ("reader", "judge", "writer") and offer.title and offer.about and offer.licence in FREE
    for digest in (offer.sha256, offer.download_sha256):
        assert re.fullmatch("[0-9a-f]{64}", digest)
    assert min(offer.size, offer.download_size) > 1_000_000 and urlsplit(offer.address).scheme == "https"
    assert offer.member or (offer.size, offer.sha256) == (offer.download_size, offer.download_sha256)
    assert [offer.name for offer in offers(offer.role)].count(offer.name) == 1


def test_a_plain_cross_encoder_is_read_with_the_weights_of_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = plain_model(tmp_path / "plain.onnx")
    with pytest.raises(ModelError, match="does not describe a reader"):
        ReadingModel(path).read("Why?", [("", "blue")])
    list_only(path, tmp_path, monkeypatch)
    model = ReadingModel(path)
    assert model.read("Why?", [("", "red"), ("", ""), ("", "blue")]) == [
        ModelReading(-5, None, 0), None, ModelReading(5, None, 0)
    ]  # fmt: skip
    assert (model.figures.name, model.figures.licence) == ("A plain cross-encoder", "MIT")
    assert model.figures.relevance == FIGURES["relevance"] and model.figures.span == (-20, 0, 0)


@pytest.mark.parametrize(("score", "problem"), [("place", "another shape"), ("nothing", "no usable numbers")])
def test_a_plain_model_of_another_shape_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, score: str, problem: str
) -> None:
    path = tiny_model(tmp_path / "plain.onnx", figures=None, score=score, start=None, end=None)
    list_only(path, tmp_path, monkeypatch)
    with pytest.raises(ModelError, match=problem):
        ReadingModel(path).read("Why?", [("", "blue sky")])
