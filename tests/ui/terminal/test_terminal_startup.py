"""The terminal starts without anything heavy, and its errors are sentences."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
HEAVY = (
    "flask", "requests", "lxml", "pypdfium2", "pylatexenc", "prompt_toolkit", "rich", "numpy",
    "onnxruntime", "waitress", "tomlkit", "markdown_it", "nh3", "mcp", "engine.resources",
    "engine.answers", "workflows.research.state", "workflows.research.pipeline", "tools.registry",
)  # fmt: skip


def test_version_loads_nothing_heavy() -> None:
    code = (
        "import sys; from ui.terminal.main import main; code = main(['version']);"
        f"loaded = [name for name in {HEAVY!r} if name in sys.modules];"
        "print(loaded, file=sys.stderr); sys.exit(code or bool(loaded))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=30
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("zorora ")


# How many modules of ours a command may load (folders not counted), and those that none of its work
# needs
LEAN = {
    "version": (65, HEAVY),
    "library": (
        106,
        (
            *(
                "numpy",
                "ssl",
                "engine.records.storage",
                "engine.wiring.sources",
                "tools.http",
                "tools.models",
                "tools.judging.judge",
            ),
            *(
                "engine.answers",
                "tools.index.chunker",
                "tools.library.file_reading",
                "tools.documents.parse_pool",
            ),
            *("tools.index.vectors.embeddings", "tools.sources.source"),
        ),
    ),
    "web": (
        245,
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
def test_a_command_loads_what_it_uses(command: str, tmp_path: Path) -> None:
    most, unused = LEAN[command]
    ours = ("engine", "tools", "ui", "workflows")
    (tmp_path / "wal.txt").write_text(
        "The write-ahead log is checkpointed when it has a thousand pages."
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
        "version": "from ui.terminal.main import main; main(['version'])",
        "library": f"from ui.terminal.main import main; main('{begin} library write-ahead "
        "log'.split())",
        "web": "from ui.web.app import create_app; from ui.web import server; create_app()",
    }[command]
    look = (
        f"import sys; {run}; loaded = set(sys.modules)\n"
        f"ours = [n for n in loaded if n.partition('.')[0] in {ours!r} and not "
        "hasattr(sys.modules[n], '__path__')]\n"
        f"print(len(ours), sorted(loaded & set({unused!r})))"
    )
    environment = {"PATH": "/usr/bin:/bin", "ZORORA_EMBEDDINGS_ENABLED": "false"}
    ran = subprocess.run(
        [sys.executable, "-c", look],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    count, _, heavy = ran.stdout.splitlines()[-1].partition(" ")
    assert heavy == "[]" and int(count) <= most
    assert command != "library" or "wal.txt" in ran.stdout


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
