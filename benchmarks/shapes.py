"""Makes tools/data/source_shapes.json from the recorded answers: `python -m benchmarks.shapes
[FOLDER]`."""

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.options import ROOT, public_data
from benchmarks.sources import CLIENTS, MODULES, NOT_ASKED, parsers, read
from tools.sources.answer_shapes import filled, names
from tools.sources.source import Source

WRITTEN = ROOT / "tests" / "data" / "sources"
# Who is asked for them
BY_WAY_OF = {
    "biorxiv": ("europepmc",),
    "medrxiv": ("biorxiv", "europepmc"),
    "pmc": ("pubmed",),
}
MOST = 0.8  # of the records of a service that have a field, for its absence to be news


def collect(folder: Path) -> dict[str, dict[str, list[str]]]:
    """The shapes of all services of which answers with records were recorded."""
    lines = (folder / "MANIFEST.jsonl").read_text("utf-8").splitlines()
    by_service: dict[str, list[Any]] = defaultdict(list)
    for entry in map(json.loads, filter(str.strip, lines)):
        if entry["service"] in CLIENTS and entry["file"] not in NOT_ASKED:
            by_service[entry["service"]].append((folder / entry["file"]).read_bytes())
    shapes = {
        MODULES.get(service, service): _shape(service, answers)
        for service, answers in sorted(by_service.items())
    }
    for (
        service,
        shape,
    ) in shapes.items():  # recordings of single records lack what stands around them in a search
        ours = [path.read_bytes() for path in sorted(WRITTEN.glob(f"{service.rstrip('s')}*"))]
        shape["names"] = sorted(set(shape["names"]).union(*map(names, ours)))
    for service, others in BY_WAY_OF.items():
        merged = shapes.setdefault(service, {"fields": [], "names": []})
        merged["names"] = sorted(
            set(merged["names"]).union(*(shapes[other]["names"] for other in others))
        )
    return shapes


def _shape(service: str, answers: Iterable[bytes]) -> dict[str, list[str]]:
    """All names, and the usual fields of the fullest recording: others were asked for a part of
    them."""
    field_names, fullest = set[str](), (False, 0, list[str]())
    for answer in answers:
        outcome = read(parsers(service), answer)
        if isinstance(outcome, str):
            continue
        field_names |= names(answer)
        sources = [source for source in outcome if isinstance(source, Source)]
        counts = Counter(name for source in sources for name in filled(source))
        usual = [name for name, count in counts.items() if count >= MOST * len(sources)]
        fullest = max(fullest, (len(sources) > 1, len(usual), sorted(usual)))
    return {"fields": fullest[2], "names": sorted(field_names)}


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else (public_data() or ROOT) / "recorded"
    target = ROOT / "tools" / "data" / "source_shapes.json"
    target.write_text(json.dumps(collect(folder), indent=0, ensure_ascii=False) + "\n", "utf-8")
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size} bytes")
