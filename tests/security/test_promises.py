"""SECURITY.md names the tests of each promise: they exist, and every test of the security
laboratory is named."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "SECURITY.md").read_text()


def test_every_test_that_is_named_exists() -> None:
    folder, seen = Path("tests/security"), 0
    for group in re.findall(r"\((`[^)]*test_[^)]*)\)", TEXT):
        folder = Path("tests/security")
        for name in re.findall(r"`([\w/]+(?:\.py)?)`", group):
            place = Path(name) if "/" in name else folder / name
            folder = place.parent if place.suffix else folder
            is_here = (ROOT / place).exists() or (ROOT / "tests/security" / place.name).exists()
            assert is_here, name
            seen += 1
    assert seen > 25


def test_every_part_of_the_laboratory_is_named() -> None:
    for file in (ROOT / "tests/security").glob("test_*.py"):
        assert file.name in TEXT or file.name == "test_promises.py", file.name


def test_every_promise_names_its_tests() -> None:
    promises = TEXT.partition("## What is promised")[2].partition("## Who")[0]
    paragraphs = [part for part in promises.split("\n\n") if part.startswith("**")]
    assert len(paragraphs) >= 11 and all("test_" in part for part in paragraphs)
