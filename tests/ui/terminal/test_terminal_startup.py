"""The terminal starts without anything heavy, and its errors are sentences."""

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[3]
HEAVY = (
    "flask", "requests", "lxml", "pypdfium2", "pylatexenc", "docutils", "prompt_toolkit", "rich",
    "numpy",
    "onnxruntime", "waitress", "tomlkit", "markdown_it", "nh3", "mcp", "engine.resources",
    "engine.answers", "workflows.research.state", "workflows.research.pipeline", "tools.registry",
)  # fmt: skip


class Lean(NamedTuple):
    """What a command may load: modules of ours (folders not counted), their patterns and
    dataclasses, each of which Python makes anew in every start; and what none of its work needs.

    There is room for a few: a source or a kind of answer more is no mistake, a room of them is."""

    modules: int
    patterns: int
    dataclasses: int
    unused: tuple[str, ...]


LEAN = {
    "version": Lean(22, 3, 1, (*HEAVY, "logging", "tomllib", "ui.terminal.manual")),
    "library": Lean(
        64,
        16,
        6,
        (
            *("numpy", "ssl", "hashlib", "gzip", "logging", "textwrap", "tomllib"),
            *("engine.answers", "engine.records.storage", "engine.runs.queries"),
            *("engine.settings.settings_toml", "engine.wiring.sources", "tools.http"),
            *("tools.documents.blocks", "tools.documents.model", "tools.documents.parse_pool"),
            *("tools.index.chunker", "tools.index.vectors.embeddings", "tools.judging.judge"),
            *("tools.library.file_reading", "tools.library.folder_walk", "tools.library.uploads"),
            *("tools.models", "tools.sources.source", "ui.terminal.prompt.plain_commands"),
            *("ui.terminal.traces", "workflows.research.events", "workflows.research.kinds"),
        ),
    ),
    "web": Lean(
        240,
        170,
        255,
        (
            "numpy",
            "engine.runs.worker",
            "engine.records.storage",
            "engine.runs.revisions",
            "workflows.research.pipeline",
        ),
    ),
}


@pytest.mark.parametrize("command", LEAN)
@pytest.mark.lab
def test_a_command_loads_what_it_uses(command: str, tmp_path: Path) -> None:
    lean = LEAN[command]
    ours = ("engine", "tools", "ui", "workflows")
    # A quotation mark beyond ASCII, as most texts have some
    (tmp_path / "wal.txt").write_text(
        "The “write-ahead” log is checkpointed when it has a thousand pages."
    )
    begin = f"--home {tmp_path / 'home'}"
    if command == "library":
        subprocess.run(
            f"{sys.executable} -m ui.terminal {begin} ingest {tmp_path / 'wal.txt'}",
            shell=True,
            check=True,
            cwd=ROOT,
        )
    run = {
        "version": "from ui.terminal.main import main; assert main(['version']) == 0",
        "library": f"from ui.terminal.main import main; main('{begin} library write-ahead "
        "log'.split())",
        "web": "import ui.web.app; from ui.web import server; ui.web.app.app",
    }[command]
    look = (
        f"import sys; {run}; import re; loaded = dict(sys.modules)\n"
        f"ours = [m for n, m in loaded.items() if n.partition('.')[0] in {ours!r} and not "
        "hasattr(m, '__path__')]\n"
        "bindings = [(m.__name__, value) for m in ours for value in vars(m).values()]\n"
        "patterns = {value for _, value in bindings if isinstance(value, re.Pattern)}\n"
        "made = {value for name, value in bindings if isinstance(value, type) and "
        "value.__module__ == name and '__dataclass_fields__' in vars(value)}\n"
        f"print(len(ours), len(patterns), len(made), sorted(set(loaded) & set({lean.unused!r})))"
    )
    # Where a home would be made
    empty = tmp_path / "empty"
    empty.mkdir()
    environment = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": str(ROOT),
        "HOME": str(empty),
        "ZORORA_EMBEDDINGS_ENABLED": "false",
    }
    ran = subprocess.run(
        [sys.executable, "-c", look],
        cwd=empty,
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    *counts, heavy = ran.stdout.splitlines()[-1].split(" ", 3)
    assert heavy == "[]"
    over = [
        f"{count} {name}, at most {most}"
        for name, count, most in zip(Lean._fields, counts, lean[:3], strict=False)
        if int(count) > most
    ]
    assert not over, f"`{command}` loads {over}: import them where they are used, or raise LEAN"
    assert command != "library" or "wal.txt" in ran.stdout
    assert command != "version" or ran.stdout.startswith("zorora ")
    assert list(empty.iterdir()) == [], "nothing is opened before it is used"


def test_the_module_is_the_program(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "ui.terminal", "histroy"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == 'zorora: There is no command "histroy". Did you mean history?\n'


def test_a_reader_that_goes_away_is_no_error() -> None:
    line = f"{sys.executable} -m ui.terminal help | head -1"
    ran = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, timeout=30)
    assert ran.returncode == 0 and "Traceback" not in ran.stderr and "Exception" not in ran.stderr


@pytest.mark.lab
def test_a_reader_of_progress_that_goes_away_costs_a_research_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Streets\n\nTrees cool a street by two degrees in summer.\n")
    program = f"ZORORA_HOME={tmp_path}/home {sys.executable} -m ui.terminal"
    what = (
        f"research 'how do trees cool a street' --docs {tmp_path}/a.md --sources local --depth "
        "1 --offline"
    )
    line = (
        f"set -o pipefail; {program} {what} 2>&1 >{tmp_path}/report.txt | head -1; {program} "
        "history"
    )
    ran = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (
        "failed" not in ran.stdout
        and "Trees cool a street" in (tmp_path / "report.txt").read_text()
    ), ran.stdout
