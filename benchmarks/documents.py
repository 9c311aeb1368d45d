"""Documents: how many real and broken files are read or refused, what of them can be quoted, how
main text is found.

`--data` may name another folder of documents with a MANIFEST.jsonl (rows with `file`), a folder of
pages NAME.html with NAME.expected.txt beside them, or a manual: a folder with HTML pages in it.
"""

import json
import re
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import documents_markup, documents_structure
from benchmarks.options import no_data
from benchmarks.reference import scaled, slowness
from benchmarks.text_units import quotable, units_of
from tools.documents.parse_pool import ParsePool
from tools.errors import ParseError

_WORD = re.compile(r"\w+")
# what has an address comes from the web: its main text is taken
_ADDRESS = "https://example.org/page.html"
# thirty pages cannot tell a smaller difference: 95 % interval .015 to either side
_TOLERANCE = 0.005


def run(options: Any) -> list[dict[str, Any]]:
    """Rows {"what", "value", "unit", "bar", "ok"}. options has `data` and `shared`, each a folder
    or None."""
    documents, pages = _folders(options)
    rows: list[dict[str, Any]] = []
    with ParsePool() as pool:
        if documents:
            rows += _documents(pool, documents)
        if pages and next(pairs(pages), None):
            rows += _main_text(pool, pages)
        elif pages:
            rows += _text_units(pool, pages) + _text_units(pool, pages, _ADDRESS)
        if not documents and not pages:
            rows.append(dict(no_data("real documents and pages")))
        if options.data is None and _has_all(options.shared):
            rows += documents_structure.rows(pool, options.shared)
            rows += documents_markup.rows(pool, options.shared)
            for url in ("", _ADDRESS):
                rows += _text_units(
                    pool, options.shared / "bench" / "answers" / "corpora" / "sqlite", url
                )
        rows.append(_plain_speed(pool))
    return rows


def token_f1(text: str, expected: str) -> float:
    """F1 of lower-case words as multisets: the measure of the article extraction benchmark, without
    order."""
    ours, theirs = Counter(_WORD.findall(text.lower())), Counter(_WORD.findall(expected.lower()))
    common = sum((ours & theirs).values())
    return 2 * common / (sum(ours.values()) + sum(theirs.values())) if common else 0.0


def manifest(folder: Path) -> Iterator[Path]:
    """The files that a folder's MANIFEST.jsonl names."""
    for line in (folder / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines():
        yield folder / json.loads(line)["file"]


def pairs(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Pages with the text that people marked as their main text."""
    for expected in sorted(folder.glob("*.expected.txt")):
        page = expected.with_name(expected.name.removesuffix(".expected.txt") + ".html")
        if page.exists():
            yield page, expected


def _folders(options: Any) -> tuple[Path | None, Path | None]:
    data, shared = options.data, options.shared
    if data is not None:
        return (data, None) if (data / "MANIFEST.jsonl").exists() else (None, data)
    if shared is None:
        return None, None
    documents, pages = shared / "bench" / "documents", shared / "recorded" / "web_pages"
    return (documents if (documents / "MANIFEST.jsonl").is_file() else None), (
        pages if pages.is_dir() else None
    )


def _has_all(shared: Path | None) -> bool:
    """Whether the texts of the papers are there, which `make data` cannot fetch."""
    return shared is not None and (shared / "bench" / "answers" / "texts").is_dir()


def _documents(pool: ParsePool, folder: Path) -> list[dict[str, Any]]:
    reasons: Counter[str] = Counter()
    seconds: list[float] = []
    read = missing = 0
    for path in manifest(folder):
        if not path.exists():
            missing += 1
            continue
        started = time.monotonic()
        try:
            pool.parse(path.read_bytes(), name=path.name)
            read += 1
        except ParseError as exc:
            reasons[str(exc)] += 1
        seconds.append(time.monotonic() - started)
    refused = sum(reasons.values())
    rows = [
        _row("documents read", read, "files"),
        _row("documents refused with a reason", refused, "files"),
        _row("documents neither read nor refused", missing, "files", "0", missing == 0),
        _row("slowest document", round(max(seconds), 2), "s", "<= 20", max(seconds) <= 20.5),
    ]
    return rows + [
        _row(f"refused: {reason}", count, "files") for reason, count in reasons.most_common()
    ]


def _main_text(pool: ParsePool, folder: Path) -> list[dict[str, Any]]:
    import trafilatura  # the baseline

    ours, baseline, times = [], [], []
    for page, expected in pairs(folder):
        data, reference_text = page.read_bytes(), expected.read_text(encoding="utf-8")
        started = time.monotonic()
        try:
            ours.append(
                token_f1(
                    pool.parse(data, name=page.name, media_type="text/html", url=_ADDRESS).text,
                    reference_text,
                )
            )
        except ParseError:
            ours.append(0.0)
        times.append(time.monotonic() - started)
        candidates = (trafilatura.extract(data), trafilatura.extract(data, include_comments=False))
        baseline.append([token_f1(text or "", reference_text) for text in candidates])
    plain, without_comments = (statistics.mean(column) for column in zip(*baseline, strict=True))
    bar = max(plain, without_comments) - _TOLERANCE
    mean = statistics.mean(ours)
    return [
        _row("main text, token F1", round(mean, 4), "F1", f">= {bar:.3f}", mean >= bar),
        _row("main text, trafilatura as it comes", round(plain, 4), "F1"),
        _row("main text, trafilatura without comments", round(without_comments, 4), "F1"),
        _row("pages measured", len(ours), "pages"),
        _row("a page through the pool, median", round(1000 * statistics.median(times), 1), "ms"),
    ]


def _text_units(pool: ParsePool, folder: Path, url: str = "") -> list[dict[str, Any]]:
    """The share of the text units of a manual that stands in its blocks, and the time that reading
    it took.

    url: as pages of the web, of which the main text is taken.
    """
    units, quotable_units, seconds = 0, 0, 0.0
    pages = sorted(path for path in folder.rglob("*.html*") if path.is_file())
    source = " from the web" if url else ""
    for page in pages:
        data = page.read_bytes()
        started = time.monotonic()
        try:
            extracted = pool.parse(data, name=page.name, media_type="text/html", url=url)
        except ParseError:
            continue
        seconds += time.monotonic() - started
        is_quotable = quotable(units_of(data), extracted)
        units += len(is_quotable)
        quotable_units += sum(is_quotable)
    share = round(quotable_units / max(1, units), 4)
    return [
        _row(
            f"text units of a manual{source} that can be quoted",
            share,
            "share",
            ">= 0.95",
            share >= 0.95,
        ),
        _row("text units looked for", units, "units"),
        _row(
            f"pages of the manual{source}, mean through the pool",
            round(1000 * seconds / max(1, len(pages)), 1),
            "ms",
        ),
    ]


def _plain_speed(pool: ParsePool) -> dict[str, Any]:
    data = b"A plain sentence of ordinary words, as they stand in a text file. \n" * 300_000
    pool.parse(b"warm", name="warm.txt")
    started = time.monotonic()
    pool.parse(data, name="large.txt")
    seconds = scaled(time.monotonic() - started, slowness())
    speed = len(data) / 1e6 / seconds
    return _row("plain text through the pool", round(speed, 1), "MB/s", ">= 5", speed >= 5)


def _row(what: str, value: Any, unit: str, bar: str = "", ok: bool | None = None) -> dict[str, Any]:
    return {"what": what, "value": value, "unit": unit, "bar": bar, "ok": ok}


if __name__ == "__main__":  # python -m benchmarks documents is the usual way
    sys.exit("Run it as: python -m benchmarks documents")
