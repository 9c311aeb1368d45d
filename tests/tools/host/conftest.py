"""A folder to work in, with something outside that must stay out of reach."""

from pathlib import Path

import pytest

from tools.host.place import Workplace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The working directory: a few files, links that lead out, and a secret beside it."""
    root = tmp_path / "work"
    (root / "src").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text("TOP SECRET\n")
    (root / "a.txt").write_text("one\ntwo\nthree\n")
    (root / "src" / "b.py").write_text("def f():\n    return 1\n")
    (root / ".env").write_text("KEY=TOP SECRET\n")
    (root / "link").symlink_to(tmp_path / "outside" / "secret.txt")
    (root / "way-out").symlink_to(tmp_path / "outside")
    (root / "dangling").symlink_to(tmp_path / "outside" / "not-there-yet")
    (root / "inner").symlink_to(root / "a.txt")
    return root


@pytest.fixture
def place(folder: Path) -> Workplace:
    """That folder as a workplace where nobody answers questions."""
    return Workplace(folder)
