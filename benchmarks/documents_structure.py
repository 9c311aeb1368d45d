"""How well documents keep their structure: what can be quoted, torn words, titles and dates, text
that is not language.

Units are cut from the source files by rules of their own, never by the parsers that are measured: a
paragraph, list item, table row, code block or line. A unit can be quoted when its words stand, in
their order, in one block that is no heading; what is a heading is left out of the count.
"""

import csv
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tools.documents.model import BlockKind, Extracted
from tools.documents.parse_pool import ParsePool
from tools.documents.parsers.legibility import is_language
from tools.documents.sections import plain_title
from tools.errors import ParseError

LABELS = Path(__file__).parent / "document_labels.csv"
QUOTABLE, TITLES, DATES, READABLE, BROKEN = 0.95, 0.90, 0.80, 1.0, 0.90
CORPORA = {
    "papers": "*.pdf",
    "inaugural": "*.txt",
    "data": "*.csv",
    "handbook": "*.md",
    "secwg": "*.md",
}
_WORD = re.compile(r"[^\W_]+")
_FEWEST = 3  # words of a unit
_FENCE = re.compile(r"^\s*(```|~~~)")
_MARKER = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s)?")
_RULE = re.compile(r"^[\s|:+=*_-]+$")
_LINK = re.compile(
    r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])|<https?:[^>]*>|\{%.*?%\}|\{\{.*?\}\}|\{:[^}]*\}|</?[a-zA-Z][^>]*>"
)
_DEFINITION = re.compile(r"^\s*\[[^\]]+\]:\s")


def rows(pool: ParsePool, shared: Path) -> list[dict[str, Any]]:
    """The figures over bench/answers and bench/documents."""
    corpora, documents = shared / "bench" / "answers" / "corpora", shared / "bench" / "documents"
    quotable_rows = [
        _quotable(pool, corpora / name, name, pattern) for name, pattern in CORPORA.items()
    ]
    return [
        *quotable_rows,
        *_torn(pool, corpora, documents),
        *_labelled(pool, documents),
        *_legible(shared),
    ]


def _quotable(pool: ParsePool, folder: Path, name: str, pattern: str) -> dict[str, Any]:
    quotable_count = total = 0
    for path in sorted(folder.rglob(pattern)):
        extracted = _parsed(pool, path)
        if extracted is not None:
            counts = quotable(path, extracted)
            quotable_count, total = quotable_count + counts[0], total + counts[1]
    share = quotable_count / max(1, total)
    return _row(f"units of {name} that can be quoted, of {total}", share, QUOTABLE)


def quotable(path: Path, extracted: Extracted) -> tuple[int, int]:
    """(units that stand in one block, units) of a document; units that are headings are left
    out."""
    text = extracted.text
    headings: set[str] = set()
    blocks = []
    for block in extracted.blocks:
        words = " ".join(_words(text[block.start : block.end]))
        if block.kind == BlockKind.HEADING:
            headings.add(words)
        else:
            blocks.append(f" {words} ")
    # a unit never spans two: the words of one have no line end between them
    whole = "\n".join(blocks)
    units = [
        unit for unit in _units(path) if len(unit) >= _FEWEST and " ".join(unit) not in headings
    ]
    if path.suffix == ".csv":
        bags = [set(block.split()) for block in blocks]
        return sum(any(bag.issuperset(unit) for bag in _near(bags, unit)) for unit in units), len(
            units
        )
    return sum(f" {' '.join(unit)} " in whole for unit in units), len(units)


def _near(bags: Sequence[set[str]], unit: Sequence[str]) -> Iterable[set[str]]:
    """The blocks that hold the first and last word of a row (a table has thousands)."""
    return (bag for bag in bags if unit[0] in bag and unit[-1] in bag)


def _units(path: Path) -> Iterator[list[str]]:
    if path.suffix == ".pdf":
        yield from _units_of_pdf(path)
        return
    source = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
    if path.suffix == ".csv":
        for cells in csv.reader(source.splitlines()):
            yield _words(" ".join(cells))
    elif path.suffix == ".md":
        yield from (_words(unit) for unit in _units_of_markdown(source))
    else:
        yield from (_words(line) for line in source.split("\n"))


def _units_of_markdown(source: str) -> Iterator[str]:
    """Paragraphs, list items, table rows and code; front matter, comments, headings and link
    targets left out."""
    source = re.sub(r"\A---\n.*?\n---\n", "", source, flags=re.S)
    source = re.sub(r"<!--.*?-->", "", source, flags=re.S)
    unit: list[str] = []
    fenced = False
    for line in [*source.split("\n"), ""]:
        if _FENCE.match(line):
            fenced = not fenced
        starts = (
            _MARKER.match(line) or line.lstrip().startswith(("|", "#", ">")) or _FENCE.match(line)
        )
        if (unit and not fenced and (starts or not line.strip())) or (
            unit and fenced and _FENCE.match(line)
        ):
            yield " ".join(unit)
            unit = []
        skipped = _RULE.match(line) or _DEFINITION.match(line) or _FENCE.match(line)
        if fenced and not _FENCE.match(line):
            unit.append(line)
        elif line.strip() and not skipped and not line.lstrip().startswith("#"):
            unit.append(_LINK.sub(lambda match: match.group(1) or " ", _MARKER.sub("", line)))
        elif skipped and unit and re.match(r"^\s*(=+|-{2,})\s*$", line):
            unit = []  # the line above was a heading


def _units_of_pdf(path: Path) -> Iterator[list[str]]:
    """Lines of the page as pdfium gives them, without markers, cut words, and those that stand on
    several pages."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    pages = [
        page.get_textpage().get_text_range().replace("\ufffe", "-\r\n").split("\r\n")
        for page in document
    ]
    document.close()
    often = Counter(key for page in pages for key in {re.sub(r"\d", "#", line) for line in page})
    for page in pages:
        torn = False
        for line in page:
            words = _words(_MARKER.sub("", line))
            inner = words[1 if torn else 0 : -1 if line.endswith("-") else len(words)]
            torn = line.endswith("-")
            if often[re.sub(r"\d", "#", line)] < 2:
                yield inner


def _torn(pool: ParsePool, corpora: Path, documents: Path) -> Iterator[dict[str, Any]]:
    """Words in two pieces, for each 10 000 words of the PDF files: their join is a word, one of the
    pieces is none."""
    counts = Counter(
        word
        for folder in ("handbook", "secwg", "inaugural")
        for path in sorted((corpora / folder).rglob("*.*"))
        for word in _words(path.read_bytes().decode("utf-8", "replace"))
    )
    for name, paths in (
        ("papers", corpora.glob("papers/*.pdf")),
        ("bench/documents", documents.rglob("*.pdf")),
    ):
        torn = words = 0
        for path in sorted(paths):
            extracted = _parsed(pool, path)
            if extracted is not None:
                torn += torn_words(extracted.text, counts)
                words += len(_words(extracted.text))
        yield _row(
            f"torn words in 10 000 words, PDFs of {name}", 10_000 * torn / max(1, words), None
        )


def torn_words(text: str, counts: Counter[str]) -> int:
    """How many neighbouring pieces of a text are one word."""
    pairs = re.findall(r"(?=\b([a-z]{2,}|[A-Z][a-z]+)(-?) ([a-z]{2,})\b)", text)
    return sum(_is_torn(first.lower(), hyphen, second, counts) for first, hyphen, second in pairs)


def _is_torn(first: str, hyphen: str, second: str, counts: Counter[str]) -> bool:
    if counts[first + second] < 2:
        return False
    return bool(hyphen) or counts[first] < 2 or counts[second] < 2


def _labelled(pool: ParsePool, folder: Path) -> Iterator[dict[str, Any]]:
    """Titles and dates against what a person found by opening the files (document_labels.csv)."""
    right: Counter[str] = Counter()
    stated: Counter[str] = Counter()
    with LABELS.open(encoding="utf-8", newline="") as file:
        for label in csv.DictReader(file):
            extracted = _parsed(pool, folder / label["file"])
            about = extracted.metadata if extracted else {}
            titles = [plain_title(title) for title in label["title"].split("|") if title]
            if titles:
                stated["titles"] += 1
                right["titles"] += plain_title(str(about.get("title", ""))) in titles
            if label["date"]:
                stated["dates"] += 1
                right["dates"] += about.get("published") == label["date"]
    for what, bar in (("titles", TITLES), ("dates", DATES)):
        yield _row(
            f"{what} right, of {stated[what]} stated", right[what] / max(1, stated[what]), bar
        )


def _legible(shared: Path) -> Iterator[dict[str, Any]]:
    """Texts that pass as language, and the same texts as broken fonts show them; the thresholds
    come from others."""
    corpora = shared / "bench" / "answers" / "corpora"
    papers = (shared / "bench" / "answers" / "texts" / "papers").glob("*.txt")
    paths = [
        *sorted(papers),
        *sorted((corpora / "inaugural").glob("*.txt")),
        *sorted((corpora / "secwg").glob("*.md")),
    ]
    texts = [path.read_text(encoding="utf-8", errors="replace")[:8000] for path in paths]
    texts = [text for text in texts if len(text) > 400]
    yield _row(
        f"readable texts taken for language, of {len(texts)}",
        _share(map(is_language, texts)),
        READABLE,
    )
    for name, broken in (
        ("shifted by 29", _shifted),
        ("in the order of their use", _ordered),
        ("permuted", _permuted),
    ):
        share = _share(not is_language(broken(text)) for text in texts)
        yield _row(
            f"broken fonts recognised, letters {name}",
            share,
            BROKEN if name != "permuted" else None,
        )


def _shifted(text: str) -> str:
    """Numbers of glyphs in place of letters: the commonest way for a font to lose its
    characters."""
    return "".join(chr(ord(sign) - 29) if 32 <= ord(sign) < 127 else sign for sign in text)


def _ordered(text: str) -> str:
    """Subsets of fonts number their glyphs as they come."""
    places: dict[str, str] = {}
    return "".join(
        sign if sign in " \n" else places.setdefault(sign, chr(33 + len(places))) for sign in text
    )


def _permuted(text: str) -> str:
    letters = "abcdefghijklmnopqrstuvwxyz"
    other = "".join(random.Random(len(text)).sample(letters, len(letters)))
    return text.translate(str.maketrans(letters + letters.upper(), other + other.upper()))


def _parsed(pool: ParsePool, path: Path) -> Extracted | None:
    try:
        return pool.parse(path.read_bytes(), name=path.name)
    except (ParseError, OSError):
        return None


def _words(text: str) -> list[str]:
    """Lower-case words; a raised digit is a digit, as pdfium gives it."""
    return [word.lower() for word in _WORD.findall(unicodedata.normalize("NFKC", text))]


def _share(outcomes: Iterable[bool]) -> float:
    values = list(outcomes)
    return sum(values) / max(1, len(values))


def _row(what: str, value: float, bar: float | None) -> dict[str, Any]:
    unit = "share" if bar is not None else ""
    return {
        "what": what, "value": round(value, 4), "unit": unit,
        "bar": f">= {bar}" if bar is not None else "",
        "ok": None if bar is None else round(value, 4) >= bar,
    }  # fmt: skip
