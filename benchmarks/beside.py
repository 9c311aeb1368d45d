"""Ours beside what somebody would use instead: recoll, FTS5 alone, tantivy, datasette, those that
are installed.

    python -m benchmarks beside [--data FOLDER] [--quick]

Adding 1,200 web pages and 1,000 small notes, searching, the command, a report page. CPU of all
processes; the programs take turns, so that a busy machine is busy for all of them; medians. Each is
asked for its own best, twenty results. FOLDER: web pages to use (bench/answers otherwise). tantivy
and datasette are looked for beside this interpreter, recoll on the path.
"""

import json
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks import memory
from benchmarks.meter import measure, with_bytecode
from benchmarks.options import ROOT, Options, Row, no_data, shown
from engine import ResearchEngine
from engine.answers import RunOptions
from tools.text.tokens import STOP, words
from ui.web.app import create_app

PAGES, NOTES, RUNS = 1200, 1000, 3
QUICK_PAGES, QUICK_NOTES = 150, 100
WARM, QUESTIONS, RESULTS, LOOKS = 5, 60, 20, 40
ENVIRONMENT = {"ZORORA_EMBEDDINGS_ENABLED": "false"}
# The same extraction, and a table of whole texts: what an evening's program does
PLAIN = """
import sqlite3, sys
from pathlib import Path
from tools.documents.parsers.formats import parse
from tools.documents.model import Request
table = sqlite3.connect(sys.argv[2])
table.execute("CREATE VIRTUAL TABLE texts USING fts5 (title, body, tokenize = 'porter unicode61')")
for path in sorted(Path(sys.argv[1]).iterdir()):
    data = path.read_bytes()
    found = parse(Request(data, path.name, None, "")) if path.suffix == ".html" else None
    table.execute("INSERT INTO texts VALUES (?, ?)", (found.title, found.text) if found else (path.name, data.decode()))
table.commit()
"""  # noqa: E501


def run(options: Options) -> list[Row]:
    """For each work ours, then the others with the ratio of ours to theirs."""
    originals = options.data or (
        options.shared / "bench" / "answers" / "corpora" if options.shared else None
    )
    documents = sorted(originals.rglob("*.html")) if originals else []
    if not documents:
        return [no_data("web pages to add")]
    runs = 1 if options.quick else RUNS
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        pages = _pages(place / "pages", documents, QUICK_PAGES if options.quick else PAGES)
        notes = _notes(place / "notes", documents, QUICK_NOTES if options.quick else NOTES)
        rows = [
            *_adding("web pages", pages, place, runs),
            *_adding("small notes", notes, place, runs),
        ]
        return [
            *rows,
            *_memory(pages, place),
            *_searching(pages, place, runs),
            *_report(place, runs),
        ]


# --- what is added --------------------------------------------------------------------------------


def _pages(folder: Path, originals: Sequence[Path], count: int) -> Path:
    """Web pages; where there are too few, copies that say which they are."""
    folder.mkdir()
    for number in range(count):
        source = originals[number % len(originals)]
        text = source.read_text("utf-8", "replace")
        mark = f"<p>Edition {number} of this page.</p>"
        (folder / f"{number:04d}-{source.stem}.html").write_text(
            re.sub(r"(?i)(<body[^>]*>)", rf"\1{mark}", text) + mark
        )
    return folder


def _notes(folder: Path, originals: Sequence[Path], count: int) -> Path:
    """Notes of three short paragraphs each."""
    folder.mkdir()
    plain = " ".join(
        re.sub(r"<[^>]*>|&\w+;", " ", page.read_text("utf-8", "replace")) for page in originals[:40]
    )
    words = plain.split()
    for number in range(count):
        parts = [words[start : start + 50] for start in range(number * 97, number * 97 + 150, 50)]
        text = "\n\n".join(" ".join(part) for part in parts)
        (folder / f"note{number:04d}.md").write_text(f"# Note {number}\n\n{text}\n")
    return folder


# --- the works ------------------------------------------------------------------------------------


def _adding(what: str, folder: Path, place: Path, runs: int) -> list[Row]:
    def ours() -> float:
        shutil.rmtree(_home(place, folder), ignore_errors=True)
        return measure(
            _zorora(place, folder, "ingest", str(folder)), {**with_bytecode(), **ENVIRONMENT}
        ).cpu

    def plain() -> float:
        (place / "plain.db").unlink(missing_ok=True)
        return measure([sys.executable, "-c", PLAIN, str(folder), str(place / "plain.db")]).cpu

    others = {"the same extraction and FTS5 alone": plain, "recoll": _recoll(place, folder)}
    return _beside(f"add {len(list(folder.glob('*.*')))} {what}", "s", runs, ours, others, 2)


def _memory(folder: Path, place: Path) -> list[Row]:
    """The most that all processes of an ingest had at once, shared pages counted once."""
    home = place / "memory"
    programs = {
        "zorora": [sys.executable, "-m", "ui.terminal", "--home", str(home), "ingest", str(folder)]
    }
    if shutil.which("recollindex"):
        shutil.rmtree(_configured(place, folder) / "xapiandb", ignore_errors=True)
        programs["recoll"] = ["recollindex", "-c", str(_configured(place, folder))]
    return [
        shown(f"peak memory adding web pages, {name}", _peak(words), "MB")
        for name, words in programs.items()
    ]


def _searching(folder: Path, place: Path, runs: int) -> list[Row]:
    home = _home(place, folder)
    with ResearchEngine(home=home, environ=ENVIRONMENT) as engine:
        chunks = engine.get_stats()["passages"]
        rows = (
            sqlite3.connect(home / "corpus.db").execute("SELECT title, body FROM chunks").fetchall()
        )
        questions = [
            " ".join([word for word in words(body) if word not in STOP][:8])
            for _, body in rows[:: max(1, len(rows) // (QUESTIONS + WARM))]
        ]
        table = sqlite3.connect(":memory:")
        table.execute(
            "CREATE VIRTUAL TABLE texts USING fts5 (title, body, tokenize = 'porter unicode61')"
        )
        table.executemany("INSERT INTO texts VALUES (?, ?)", rows)

        def plain(question: str) -> object:
            words = " OR ".join(f'"{word}"' for word in question.split())
            sql = (
                "SELECT rowid, snippet(texts, 1, '[', ']', '', 30) FROM texts WHERE texts MATCH "
                "? ORDER BY rank LIMIT ?"
            )
            return table.execute(sql, (words, RESULTS)).fetchall()

        def timed(search: Callable[[str], object] | None) -> Callable[[], float] | None:
            return (lambda: _median_of(search, questions)) if search else None

        medians = _beside(
            f"search {chunks} passages, p50", "ms", runs,
            lambda: _median_of(lambda question: engine.search_library(question, RESULTS),
                questions),
            {"FTS5 alone": timed(plain), "tantivy": timed(_tantivy(rows))}, 2,
        )  # fmt: skip

    def command() -> float:
        words = _zorora(place, folder, "library", questions[0])
        return measure(words, {**with_bytecode(), **ENVIRONMENT}).cpu * 1000

    recollq = ["recollq", "-c", str(_configured(place, folder)), "-n", str(RESULTS), questions[0]]
    others = {"recollq": (lambda: measure(recollq).cpu * 1000) if shutil.which("recollq") else None}
    return [*medians, *_beside("zorora library QUERY", "ms", 2 * runs + 1, command, others, 0)]


def _report(place: Path, runs: int) -> list[Row]:
    """A report page that is looked at again, the same as a browser that has it asks, and one whose
    star changed."""
    with ResearchEngine(home=place / "home-pages", environ=ENVIRONMENT) as engine:
        state = engine.run(
            "How does a checkpoint work?", RunOptions(depth=3, sources=("local",), clarify=False)
        )
        client, path = (
            create_app({"ENGINE": engine}).test_client(),
            f"/research/{state.research_id}",
        )
        etag = client.get(path).headers["ETag"]

        def changed(number: int) -> None:
            engine.star(state.research_id, number % 2 == 0)

        def looks(prepare: Callable[[int], None] = lambda number: None, etag: str = "") -> float:
            times = []
            for number in range(LOOKS):
                prepare(number)
                began = time.process_time()
                client.get(path, headers={"If-None-Match": etag})
                times.append(time.process_time() - began)
            return statistics.median(times) * 1000

        size = round(len(client.get(path).data) / 1000)
        medians = _beside(
            f"report page of {size} kB",
            "ms",
            runs,
            looks,
            {"a row page of datasette": _datasette(place)},
            2,
        )
        asked_again = looks(etag=etag)
        return [*medians,
            shown("  asked for again by who has it (304)", round(asked_again, 2), "ms"),
                shown("  after its star changed", round(looks(changed), 2), "ms")]  # fmt: skip


# --- the others -----------------------------------------------------------------------------------


def _recoll(place: Path, folder: Path) -> Callable[[], float] | None:
    if not shutil.which("recollindex"):
        return None

    def index() -> float:
        configuration = _configured(place, folder)
        shutil.rmtree(configuration / "xapiandb", ignore_errors=True)
        return measure(["recollindex", "-c", str(configuration)]).cpu

    return index


def _configured(place: Path, folder: Path) -> Path:
    configuration = place / f"recoll-{folder.name}"
    configuration.mkdir(exist_ok=True)
    (configuration / "recoll.conf").write_text(
        f"topdirs = {folder}\nloglevel = 1\nlogfilename = /dev/null\n"
    )
    return configuration


def _tantivy(rows: Sequence[tuple[str, str]]) -> Callable[[str], object] | None:
    if not find_spec("tantivy"):
        return None
    import tantivy  # type: ignore[import-not-found,unused-ignore]

    builder = tantivy.SchemaBuilder()
    for name in ("title", "body"):
        builder.add_text_field(name, stored=True, tokenizer_name="en_stem")
    index = tantivy.Index(builder.build())
    writer = index.writer()
    for title, body in rows:
        writer.add_document(tantivy.Document(title=title, body=body))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def search(question: str) -> object:
        hits = searcher.search(index.parse_query(question, ["title", "body"]), RESULTS).hits
        return [searcher.doc(address)["body"] for _, address in hits]

    return search


def _datasette(place: Path) -> Callable[[], float] | None:
    """A page of datasette with one row, through its own test client."""
    if not find_spec("datasette"):
        return None
    path = place / "rows.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE IF NOT EXISTS texts (id INTEGER PRIMARY KEY, body TEXT)")
        database.execute(
            "INSERT OR IGNORE INTO texts VALUES (1, ?)", ("A report of so many words. " * 1500,)
        )
    code = (
        "import asyncio, json, statistics, sys, time\n"
        "from datasette.app import Datasette\n"
        "async def look():\n"
        "    app, times = Datasette([sys.argv[1]]), []\n"
        "    for _ in range(40):\n"
        "        began = time.process_time()\n"
        "        answer = await app.client.get('/rows/texts/1')\n"
        "        times.append(time.process_time() - began)\n"
        "        assert answer.status_code == 200\n"
        "    print(json.dumps(statistics.median(times) * 1000))\n"
        "asyncio.run(look())\n"
    )
    return lambda: float(json.loads(measure([sys.executable, "-c", code, str(path)]).output))


# --- measuring ------------------------------------------------------------------------------------


def _beside(
    what: str,
    unit: str,
    runs: int,
    ours: Callable[[], float],
    others: Mapping[str, Callable[[], float] | None],
    digits: int,
) -> list[Row]:
    """Medians of runs that take turns; what is not installed is said."""
    programs = {"": ours, **{name: measured for name, measured in others.items() if measured}}
    times: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(runs):
        for name, measured in programs.items():
            times[name].append(measured())
    medians = {name: statistics.median(values) for name, values in times.items()}
    rows = [shown(what, round(medians[""], digits), unit)]
    for name in others:
        value = round(medians[name], digits) if name in medians else None
        ratio = (
            f", ours {medians[''] / medians[name]:.2f} x" if name in medians else ", not installed"
        )
        rows.append(shown(f"  {name}{ratio}", value, unit if name in medians else ""))
    return rows


def _median_of(search: Callable[[str], object], questions: Sequence[str]) -> float:
    times = []
    for question in questions:
        began = time.process_time()
        search(question)
        times.append(time.process_time() - began)
    return statistics.median(times[WARM:]) * 1000


def _zorora(place: Path, folder: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "ui.terminal", "--home", str(_home(place, folder)), *words]


def _home(place: Path, folder: Path) -> Path:
    return place / f"home-{folder.name}"


def _peak(words: Sequence[str]) -> int:
    environment: dict[str, Any] = {**with_bytecode(), **ENVIRONMENT}
    most = 0.0
    with subprocess.Popen(
        words, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        while process.poll() is None:
            most = max(most, memory.resident(process.pid)[0])
            time.sleep(0.05)
    return round(most)
