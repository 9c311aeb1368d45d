"""What --json prints has the keys that docs/terminal.md promises, and nothing stands beside it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine import ResearchEngine
from tests.finished import record
from tests.ui.terminal.conftest import Ran, Terminal
from ui.terminal.command_table import COMMANDS
from ui.terminal.main import main
from ui.terminal.screen import Screen

DOCS = (Path(__file__).resolve().parents[3] / "docs" / "terminal.md").read_text("utf-8")
SECTION = DOCS.partition("\n## JSON\n")[2].partition("\n## ")[0]
PROMISED = dict(
    row.strip("| ").split(" | ") for row in SECTION.splitlines() if row.startswith(("| `", "| the"))
)
# What is typed for a row of the table, where its first command alone is not enough
CALLS = {
    "the same": "show last --brief", "`research`": "show last",
    "`export -o": "export last md -o out.md",
    "`follow`": "follow last How many batteries are there?", "`tag`": "tag last trees",
    "`note`": "note last hello",
    "`ingest`": "ingest own.md", "`remember`": "remember the mill", "`recall`": "recall mill",
    "`jobs`": "jobs --all",
    "`route`": "route what is tea", "`backup`": "backup kept.zip",
    "`visualize`": "visualize last", "`star`": "star last",
    "`recheck`": "recheck last", "`delete`": "delete last", "`export --list`": "export --list",
}  # fmt: skip
# They start a process, or ask the network
ELSEWHERE = (
    "`research --detach`",
    "`cancel`",
    "`academic`",
)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Ran]:
    """Runs one command line with --json over an engine that holds one research."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.md").write_text("# Mills\n\nThe mill was built in 1811.\n", "utf-8")

    def opened(_: object = None) -> Any:
        return ResearchEngine(
            home=tmp_path / "home", overrides={"embeddings.enabled": False}, environ={}
        )

    with opened() as engine:
        engine.import_record(record())

    def run(line: str) -> Ran:
        screen = Screen(Terminal(), Terminal(), Terminal())
        code = main([*line.split(), "--json"], screen=screen, open_engine=opened)
        return Ran(code, screen.out.getvalue(), screen.err.getvalue())  # type: ignore[attr-defined]

    return run


def call_of(row: str) -> str:
    return next((line for start, line in CALLS.items() if row.startswith(start)), row.split("`")[1])


def keys_of(promise: str) -> tuple[list[str], str, list[str]]:
    """The keys of the value, the name of a list in it ("" for the value itself), the keys of that
    list's objects."""
    outer, _, inner = promise.partition("[...]`: ")
    name = re.search(r"`(\w*)$", outer)
    return re.findall(r"`(\w+)`", outer), name[1] if name else "", re.findall(r"`(\w+)`", inner)


@pytest.mark.parametrize("row", [row for row in PROMISED if row not in ELSEWHERE])
def test_the_keys_are_the_documented_ones(row: str, run: Callable[[str], Ran]) -> None:
    if "recall" in row:
        run("remember the mill")
    if "library" in row:
        run("ingest own.md")
    ran = run(call_of(row))
    assert ran.code in (0, 4), ran.err
    value = json.loads(ran.out)
    keys, name, inner = keys_of(PROMISED[row])
    assert keys or inner
    assert set(keys) <= set(value) if keys else isinstance(value, list)
    if inner:
        within = value[name] if name else value
        assert all(set(inner) <= set(allowed) for allowed in within) and (within or row == "`jobs`")


def test_every_command_with_json_is_documented() -> None:
    words = {word for row in PROMISED for word in re.findall(r"[a-z-]+", row)}
    with_json = {
        command.name
        for command in COMMANDS
        if any("--json" in flag.names for flag in command.flags)
    }
    # Nothing is promised of these yet
    open_yet = {"ask", "list", "analyst", "image", "vision", "undelete", "exclude", "include",
        "deeper", "rescore",
            "restore", "revisions", "import", "cache", "code", "develop"}  # fmt: skip
    assert with_json - words - open_yet == set() and open_yet <= with_json
