"""The package `zorora` as a program uses it: what docs/library.md shows runs, and its names are
typed."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import zorora
from tests.tables import each
from zorora import ConfigError, Extensions, Refused, ResearchEngine, RunOptions
from zorora.sources import Client, make_source

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "library.md").read_text("utf-8")
CODE = "\n".join(re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.M | re.S))


def client(name: str = "wiki", kind: str = "web") -> Client:
    return Client(
        name, "A wiki", kind, "https://wiki.example/", lambda query, limit, access, filters: []
    )


def answering() -> Client:
    """A client with one page."""
    source = make_source(
        "https://wiki.example/shade",
        "Shade",
        abstract="Trees cool streets by three degrees at noon.",
    )
    return Client("wiki", "A wiki", "web", "", lambda query, limit, access, filters: [source])


@pytest.mark.lab
def test_the_code_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for name, value in (("HOME", "home"), ("OFFLINE", "true"), ("EMBEDDINGS_ENABLED", "false")):
        monkeypatch.setenv(f"ZORORA_{name}", str(tmp_path / value) if name == "HOME" else value)
    names: dict[str, object] = {"__name__": "library"}
    exec(compile(CODE, "docs/library.md", "exec"), names)
    assert "<html" in (tmp_path / "report.html").read_text("utf-8")
    assert not (tmp_path / "home" / "jobs").exists()


def test_every_public_name_is_there_and_importing_the_package_is_cheap() -> None:
    assert all(hasattr(zorora, name) for name in zorora.__all__)
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", zorora.__version__)
    with pytest.raises(AttributeError):
        _ = zorora.no_such_name  # type: ignore[attr-defined]
    heavy = (
        "requests lxml flask rich prompt_toolkit numpy engine.research_engine "
        "tools.sources.registry"
    ).split()
    code = (
        f"import sys, zorora; zorora.RunOptions; print([name for name in {heavy!r} if name in "
        "sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.strip() == "[]"


@each(
    "clients", [(client("arxiv"),), (client("local"),), (client(), client()), (client("a", "x"),)]
)
def test_a_source_that_cannot_be_told_apart_or_placed_is_refused(
    clients: tuple[Client, ...],
) -> None:
    with pytest.raises(ConfigError):
        Extensions(sources=clients)


def test_a_background_process_cannot_know_a_source_of_this_one(home: Path) -> None:
    with ResearchEngine(
        home=home, environ={}, extensions=Extensions(sources=(client(),))
    ) as engine:
        with pytest.raises(Refused, match="another process"):
            engine.start("Do trees cool streets?", RunOptions(clarify=False))
        assert engine.jobs(over=True) == []
        assert [status.enabled for status in engine.sources() if status.name == "wiki"] == [True]


def test_a_source_that_breaks_costs_only_its_hits(home: Path) -> None:
    def broken(*args: object) -> list[zorora.Source]:
        raise RuntimeError("boom")

    added = Extensions(sources=(Client("broken", "Broken", "web", "", broken), answering()))
    with ResearchEngine(home=home, environ={"ZORORA_OFFLINE": "true"}, extensions=added) as engine:
        report = engine.run(
            "Do trees cool streets?",
            RunOptions(depth=1, sources=("web",), lean=True, clarify=False),
        )
        messages = [event.message for event in engine.events(report.research_id)]
    assert report.status == "complete" and [source.title for source in report.sources] == ["Shade"]
    assert any("Broken" in message for message in messages) and not any(
        "boom" in message for message in messages
    )


@pytest.mark.lab
def test_the_code_of_the_page_is_typed(tmp_path: Path) -> None:
    (tmp_path / "page.py").write_text(CODE)
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file",
        str(ROOT / "pyproject.toml"),
    ]
    done = subprocess.run(
        [*command, str(tmp_path / "page.py")], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stdout
