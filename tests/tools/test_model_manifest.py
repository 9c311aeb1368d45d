"""The list of models that can be fetched: whole, with checksums."""

import hashlib
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tools import model_manifest
from tools.model_manifest import offers

FREE = ("Apache-2.0", "MIT", "BSD-3-Clause")
ENTRY = """
[[models]]
role = "reader"
name = "plain"
title = "A listed reader"
licence = "MIT"
about = "For tests."
size = {size}
sha256 = "{sha256}"
address = "https://files.example/plain.onnx"
download_size = {size}
download_sha256 = "{sha256}"
"""


def list_only(path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the list of models one with this file alone."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    (folder / "models.toml").write_text(ENTRY.format(size=path.stat().st_size, sha256=digest))
    monkeypatch.setattr(model_manifest, "MANIFEST", folder / "models.toml")


@pytest.mark.parametrize("offer", offers(), ids=lambda offer: offer.name)
def test_an_entry_says_all_that_a_person_is_shown(offer: model_manifest.Offer) -> None:
    assert (
        offer.role in ("reader", "judge", "writer")
        and offer.title
        and offer.about
        and offer.licence in FREE
    )
    for digest in (offer.sha256, offer.download_sha256):
        assert re.fullmatch("[0-9a-f]{64}", digest)
    assert (
        min(offer.size, offer.download_size) > 1_000_000
        and urlsplit(offer.address).scheme == "https"
    )
    assert offer.member or (offer.size, offer.sha256) == (
        offer.download_size,
        offer.download_sha256,
    )
    assert [offer.name for offer in offers(offer.role)].count(offer.name) == 1
