"""What is said where documents are searched by words alone."""

from pathlib import Path
from typing import Any

import pytest

from engine import ResearchEngine
from tests.tables import each
from tools.index.vectors import embeddings


def opened(home: Path, **overrides: Any) -> ResearchEngine:
    settings = {f"embeddings.{name}": value for name, value in overrides.items()}
    return ResearchEngine(home=home, overrides=settings, environ={})


@each(("enabled", "hint"), [(True, "pip install 'zorora[embeddings]'"), (False, "")])
def test_a_missing_extra_is_named_unless_meaning_is_switched_off(
    enabled: bool, hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embeddings.importlib.util, "find_spec", lambda name: None)
    with opened(tmp_path, enabled=enabled) as engine:
        sentence = engine.only_words()
    assert hint in sentence and bool(sentence) == bool(hint)


def test_nothing_is_said_where_meaning_is_searched(tmp_path: Path) -> None:
    with opened(tmp_path) as engine:
        assert engine.only_words() == ""


def test_a_model_that_does_not_open_is_named(tmp_path: Path) -> None:
    (tmp_path / "junk.onnx").write_bytes(b"junk")
    (tmp_path / "note.md").write_text("# Mill\n\nThe mill is old.\n")
    with opened(tmp_path / "home", path=str(tmp_path / "junk.onnx")) as engine:
        engine.ingest([tmp_path / "note.md"])
        engine._opened.tools.corpus.embed_pending()
        assert "embedding model" in engine.only_words()
