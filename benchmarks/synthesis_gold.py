"""Questions whose right passages or answers are known, and the documents each is asked of.

Nothing here reads a question the way the pipeline does: relevant documents, supporting sentences and answers are those
that the public sets publish. The questions of a set are ordered by the sha256 of their text; the first are the ones
that synthesis is worked on with, the next are held out and only their figures are looked at.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.synthesis_questions import nearest, rarity
from tools.text.tokens import stems

EACH = 8  # questions of a half of a set
WORKED_ON, HELD_OUT = "worked on", "held out"
HALVES = (WORKED_ON, HELD_OUT)
_AROUND = 20  # documents beside the right ones, those nearest to the question


@dataclass(frozen=True, slots=True)
class Gold:
    """A question with what answers it: texts of documents, sentences that support or refute it, answers in words."""

    text: str
    half: str
    documents: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldSet:
    """A library and its questions."""

    name: str
    folder: Path
    questions: tuple[Gold, ...]


@dataclass(frozen=True, slots=True)
class _Published:
    """All documents (title, text) of a set and all its questions."""

    documents: Sequence[tuple[str, str]]
    questions: Sequence[Gold]


def gold_sets(shared: Path | None, scratch: Path, names: Sequence[str] = (), each: int = EACH) -> Iterator[GoldSet]:
    """Every public set that is there, its documents in a folder below `scratch`."""
    for name, read in _READERS.items():
        if shared is None or (names and name not in names):
            continue
        published = read(shared / "bench")
        if published is not None:
            yield _made(name, published, scratch / f"gold-{name}", each)


def _made(name: str, published: _Published, folder: Path, each: int) -> GoldSet:
    asked = {one.text: one for one in published.questions}  # a question that is there twice is one
    ordered = sorted(asked.values(), key=lambda one: hashlib.sha256(one.text.encode()).hexdigest())[: 2 * each]
    chosen = [_halved(one, WORKED_ON if place < each else HELD_OUT) for place, one in enumerate(ordered)]
    folder.mkdir(parents=True, exist_ok=True)
    for place in _places(chosen, published.documents):
        title, text = published.documents[place]
        (folder / f"{place:05d}.md").write_text(f"# {title}\n\n{text}\n" if title else f"{text}\n", "utf-8")
    return GoldSet(name, folder, tuple(chosen))


def _halved(one: Gold, half: str) -> Gold:
    return Gold(one.text, half, one.documents, one.sentences, one.answers)


def _places(chosen: Sequence[Gold], documents: Sequence[tuple[str, str]]) -> list[int]:
    """The right documents of all questions, and for each question those nearest to it in words."""
    held = [stems(f"{title} {title} {text}") for title, text in documents]
    weight = rarity(held)
    right = {text for one in chosen for text in one.documents}
    found = {place for place, (_, text) in enumerate(documents) if text in right}
    for one in chosen:
        found.update(nearest(one.text, held, weight, _AROUND))
    return sorted(found)


def _judged(name: str) -> Callable[[Path], _Published | None]:
    """Reads a retrieval set: documents, questions, and which documents are right for each."""

    def read(bench: Path) -> _Published | None:
        folder = bench / "retrieval" / name
        if not (folder / "corpus.jsonl").exists():
            return None
        rows = {
            row["id"]: (" ".join(row.get("title", "").split()), row["text"]) for row in _rows(folder / "corpus.jsonl")
        }
        right: dict[str, list[str]] = {}
        for line in (folder / "qrels.tsv").read_text("utf-8").splitlines():
            query, document, gain = line.split("\t")[:3]
            if gain.replace(".", "").isdigit() and float(gain) > 0 and document in rows:
                right.setdefault(query, []).append(rows[document][1])
        questions = [
            Gold(" ".join(row["text"].split()).rstrip(" ."), "", tuple(right[row["id"]]))
            for row in _rows(folder / "queries.jsonl")
            if row["id"] in right
        ]
        return _Published(list(rows.values()), questions)

    return read


def _claims(name: str, keep: Callable[[Mapping[str, Any]], list[int]]) -> Callable[[Path], _Published | None]:
    """Reads a verification set: each claim is asked of the texts of all; wanted are the sentences that decide it."""

    def read(bench: Path) -> _Published | None:
        path = bench / "verification" / name
        if not path.exists():
            return None
        documents: dict[str, None] = {}
        questions = []
        for row in _rows(path):
            text = "\n\n".join(" ".join(one.split()) for one in row["evidence"])
            documents[text] = None
            if wanted := keep(row):
                told = tuple(" ".join(row["evidence"][one].split()) for one in wanted)
                questions.append(Gold(f"Is it true that {row['claim'].rstrip(' .')}?", "", (text,), told))
        return _Published([("", text) for text in documents], questions)

    return read


def _decisive(row: Mapping[str, Any]) -> list[int]:
    """SciFact: the sentences that decide a claim."""
    return list(row["support"]) if row["label"] in ("SUPPORT", "CONTRADICT") else []


def _supporting(row: Mapping[str, Any]) -> list[int]:
    """WiCE: the sentences of every set that supports a claim in full."""
    return sorted({one for group in row["support_sets"] for one in group}) if row["label"] == "supported" else []


def _ramdocs(bench: Path) -> _Published | None:
    path = bench / "contradiction" / "ramdocs_dev.jsonl"
    if not path.exists():
        return None
    rows = list(_rows(path))
    documents = [("", one["text"]) for row in rows for one in row["documents"]]
    questions = [Gold(row["question"], "", _right(row), answers=tuple(row["gold_answers"])) for row in rows]
    return _Published(documents, questions)


def _right(row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(one["text"] for one in row["documents"] if one["type"] == "correct")


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip())


_READERS: Mapping[str, Callable[[Path], _Published | None]] = {
    "cranfield": _judged("cranfield"),
    "kag_hotpot": _judged("kag_hotpot"),
    "kag_musique": _judged("kag_musique"),
    "scifact": _claims("scifact_train.jsonl", _decisive),
    "wice": _claims("wice_dev.jsonl", _supporting),
    "ramdocs": _ramdocs,
}
