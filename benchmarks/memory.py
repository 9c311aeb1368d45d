"""Memory of a thorough research: 200 works and more at depth 3 from the stand-in; the process and
all its children.

Resident memory of the research and of the parsers it starts, looked at ten times a second. The
parsers are forked from one process and share most of their pages; the figure with a bar counts a
shared page once (the kernel's proportional share), the sum that counts it for each process is shown
as well.
"""

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import standin_services
from benchmarks.meter import with_bytecode
from benchmarks.options import ROOT, Options, Row, at_least, at_most, shown
from benchmarks.standin_texts import QUESTION

MEGABYTES = 250
WORKS, KEPT = 330, 200
_EVERY = 0.1  # seconds between two looks
_SIZE = re.compile(r"^(Rss|Pss): +(\d+) kB", re.M)
SETTINGS = {
    "embeddings.enabled": False, "research.candidates": 500, "research.fetch": 200,
    "research.max_sources_thorough": 260, "research.enough_coverage": 1.0,
    **{f"sources.{name}.max_results": 110 for name in ("openalex", "crossref", "arxiv")},
}  # fmt: skip


def run(options: Options) -> list[Row]:
    """The rows; the same at every setting."""
    with standin_services.start(works=WORKS) as world, tempfile.TemporaryDirectory() as home:
        settings_file = Path(home) / "settings.json"
        settings_file.write_text(json.dumps({**world.settings, **SETTINGS}), "utf-8")
        words = [
            sys.executable,
            "-m",
            "benchmarks.pipeline",
            str(settings_file),
            str(Path(home) / "home"),
            "3",
            QUESTION,
        ]
        peak_parts, peak = watched(words)
    return [
        at_most("depth 3, 200 works and more: peak of all processes", peak[0], "MB", MEGABYTES, 0),
        shown("the same with shared pages counted for each process", round(peak[1]), "MB"),
        at_least("works kept", peak_parts["sources"], "", KEPT, 0),
        shown("of them with their whole page read, of 50 kB", peak_parts["pages"]),
        shown("wall time of it", round(peak_parts["seconds"], 1), "s"),
    ]


def watched(words: Sequence[str]) -> tuple[dict[str, Any], tuple[float, float]]:
    """What a program printed as JSON, and the most memory that it and its children had at once (see
    `resident`)."""
    with subprocess.Popen(
        words, cwd=ROOT, env=with_bytecode(), stdout=subprocess.PIPE, text=True
    ) as process:
        most = (0.0, 0.0)
        while process.poll() is None:
            shared_once, each = resident(process.pid)
            most = max(most[0], shared_once), max(most[1], each)
            time.sleep(_EVERY)
        output = process.stdout.read() if process.stdout else ""
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, list(words), output)
    return json.loads(output.strip().splitlines()[-1]), most


def resident(pid: int) -> tuple[float, float]:
    """MB in memory of a process and all its descendants (Linux): shared pages counted once, and for
    each."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            fields = _read(entry / "stat").rpartition(")")[2].split()
            if len(fields) > 1:
                parents[int(entry.name)] = int(fields[1])
    family = [pid]
    for member in family:
        family += [child for child, parent in parents.items() if parent == member]
    processes = [
        dict(_SIZE.findall(_read(Path("/proc") / str(pid) / "smaps_rollup"))) for pid in family
    ]
    once, each = (
        sum(int(sizes.get(name, 0)) for sizes in processes) / 1024 for name in ("Pss", "Rss")
    )
    return once, each


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""  # it has ended meanwhile
