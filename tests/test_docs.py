"""The documentation names what there is, its generated parts are up to date, and its links and
examples hold."""

import json
import re
import shlex
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_type_hints

import pytest

from engine.settings.settings_table import SETTINGS
from tests import doc_modules
from tests.tables import each
from tools.errors import SourceError
from tools.sources.registry import SOURCES
from ui.terminal.command import UsageError, parse
from ui.terminal.command_table import COMMANDS, find_command
from workflows.research.events import EventKind
from workflows.research.state import ResearchState

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "benchmarks" / "README.md"]
)
BY_NAME = {str(page.relative_to(ROOT)): page.read_text("utf-8") for page in PAGES}
# Fields of the record whose names are said otherwise: `for` is a word of Python
RENAMED = {"in_favour": "for"}


@pytest.fixture(scope="module")
def build() -> ModuleType:
    """docs/build.py."""
    return doc_modules.load("build")


def test_generated_parts_are_up_to_date(build: ModuleType) -> None:
    stale = [
        name
        for name, text in BY_NAME.items()
        if name.startswith("docs/") and build.rendered(text) != text
    ]
    assert not stale, f"`make docs` writes them anew: {stale}"
    used = {name for text in BY_NAME.values() for name in re.findall(r"<!-- begin (\w+) -->", text)}
    assert set(build.BLOCKS) <= used


@each("command", COMMANDS)
def test_every_command_is_documented_with_its_flags(command: Any) -> None:
    section = BY_NAME["docs/terminal.md"].split(f"#### `{command.usage()}`")[1].split("\n#### ")[0]
    for flag in command.flags:
        assert all(name in section for name in flag.names if name.startswith("-"))


@each("setting", SETTINGS)
def test_every_setting_is_documented(setting: Any) -> None:
    assert f"`{setting.name}`" in BY_NAME["docs/configuration.md"]


@each("client", SOURCES)
def test_every_source_client_is_documented(client: Any) -> None:
    assert f"`{client.name}`" in BY_NAME["docs/adding-a-source.md"]
    assert client.label.lower() in BY_NAME["README.md"].lower()


def test_the_example_of_a_source_reads_an_answer_and_refuses_what_is_none() -> None:
    example = BY_NAME["docs/adding-a-source.md"].split("```python\n")[1].split("```")[0]
    names: dict[str, Any] = {}
    exec(example, names)
    record = {"title": "<i>Mills</i>", "url": "https://a.example/1", "date": "2020"}
    (source,) = names["parse"](json.dumps({"items": [record, {}]}).encode())
    assert (source.title, source.published) == ("Mills", "2020")
    assert names["parse"](b'{"items": []}') == []
    for data in (b"", b"3", b"[[[", b'{"error": "busy"}', b'{"items": [{"id": 7}]}'):
        with pytest.raises(SourceError):
            names["parse"](data)


@pytest.mark.parametrize("page", BY_NAME)
def test_a_name_with_its_file_stands_in_that_file(page: str) -> None:
    places = re.findall(r"`(\w+)` \(`?([\w/]+/\w+\.py)\b", BY_NAME[page])
    gone = [place for place in places if not _stands_in(*place)]
    assert gone == []


def _stands_in(name: str, file: str) -> bool:
    path = ROOT / file
    return path.is_file() and re.search(rf"\b{name}\b", path.read_text("utf-8")) is not None


@each("kind", EventKind)
def test_every_kind_of_event_is_documented(kind: str) -> None:
    assert f"`{kind}`" in BY_NAME["docs/pipeline.md"]


def names_in_the_record(kind: Any, seen: set[Any]) -> set[str]:
    if not is_dataclass(kind) or kind in seen:
        return set().union(*(names_in_the_record(part, seen) for part in get_args(kind)))
    seen.add(kind)
    names = {RENAMED.get(field.name, field.name) for field in fields(kind)}
    return names.union(*(names_in_the_record(hint, seen) for hint in get_type_hints(kind).values()))


def test_every_field_of_the_record_is_documented() -> None:
    text = BY_NAME["docs/record.md"]
    missing = [
        name
        for name in sorted(names_in_the_record(ResearchState, set()))
        if f"`{name}`" not in text
    ]
    assert not missing


@each("name", BY_NAME)
def test_links_between_pages_lead_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", BY_NAME[name]):
        if not target.startswith(("http:", "https:", "mailto:")):
            assert (ROOT / name).parent.joinpath(target).exists(), target


@each("name", BY_NAME)
def test_command_lines_in_the_documentation_are_understood(name: str) -> None:
    for line in re.findall(
        r"^(?:    |)(?:\.venv/bin/)?zorora (\w[^|&>#\n]*)", BY_NAME[name], flags=re.M
    ):
        words = shlex.split(line)
        command = find_command(words[0])
        assert command is not None, line
        try:
            parse(command, words[1:])
        except UsageError as error:
            pytest.fail(f"{name}: zorora {line}: {error}")


@each("name", BY_NAME)
def test_pages_name_no_place_of_one_computer(name: str) -> None:
    assert not re.search(r"(?<![\w~.])/(?:home|root|work|Users)/", BY_NAME[name])


def test_files_the_pages_speak_of_are_there() -> None:
    for name in ("ARCHITECTURE.md", "CONTRIBUTING.md", "docs/credibility.md", "docs/pipeline.md"):
        for path in re.findall(
            r"(?<![\w./-])((?:engine|tools|ui|workflows|docs|static|tests|benchmarks)/[\w/-]+\.[a-z]+)",
            BY_NAME[name],
        ):
            assert (ROOT / path).exists(), f"{name}: {path}"


def test_make_and_gate_are_whole() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), flags=re.M))
    for text in BY_NAME.values():
        for target in re.findall(r"^ {4}make ([a-z]+)|`make ([a-z]+)", text, flags=re.M):
            assert "".join(target) in targets
    gate = (ROOT / ".ci" / "run").read_text("utf-8")
    for part in ("ruff", "mypy", "--cov", "-m lab", "check_install.py", "chromium"):
        assert part in gate
