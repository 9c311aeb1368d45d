"""A map of a project for a model: files, what they define, who imports whom, and which of them a
request concerns."""

import math
import posixpath
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from tools.errors import ZororaError
from tools.host.files import open_text
from tools.host.place import Workplace
from workflows.code.protected import is_test
from workflows.code.symbols import LANGUAGES, Outline, is_source, outline, suffix_of

_MOST_FILES = 2000  # files whose text is looked at
_MOST_CHARACTERS = 400_000  # of one such file
_MOST_TOTAL = 12_000_000  # of all of them: a few seconds of reading
_SYMBOLS_SHOWN = 30  # of one file
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# What a request says of any change; it tells no file from another
_COMMON = frozenset(
    """the a an and or of to in for with from that this it is are be should must not when so by on
    as if fix bug add make change implement feature function class method file code return use test
    value wrong new into its""".split()
)
_ENDING = re.compile(r"(?:ies|ing|ed|es|s|e|y)$")
_NAMED, _BASENAME, _SYMBOL = 100.0, 60.0, 30.0  # scores of what a request names
_NEIGHBOUR = 0.03  # of a file's score that goes to files it imports and that import it
_K, _B = 3.0, 0.4  # BM25
_OF_PATH, _OF_SYMBOL = 8, 3  # how often a word of the path and of what is defined counts
_OF_TESTS = 0.5  # tests speak of everything


@dataclass(frozen=True, slots=True)
class MappedFile:
    """A source file of the map."""

    name: str
    text: str
    outline: Outline


class RepositoryMap:
    """The source files of a project, those of outer folders first."""

    def __init__(self, files: Sequence[MappedFile]) -> None:
        self.files = {file.name: file for file in files}

    def changed(self, texts: Mapping[str, str]) -> "RepositoryMap":
        """The map after files were changed or made."""
        new = {
            name: MappedFile(name, text, outline(name, text))
            for name, text in texts.items()
            if is_source(name)
        }
        return RepositoryMap([*{**self.files, **new}.values()])

    @cached_property
    def imports(self) -> Mapping[str, tuple[str, ...]]:
        """name -> the files of the project that it imports."""
        return {name: tuple(self._resolved(file)) for name, file in self.files.items()}

    def importers(self, name: str) -> tuple[str, ...]:
        """The files that import a file."""
        return self._importers.get(name, ())

    def described(self, room: int, request: str = "") -> str:
        """A line for each file and one for what it defines, as far as there is room.

        What the request concerns comes first, then the other files, tests last. Of a file that
        defines much, what shares words with the request is shown.
        """
        lines, words, scores = list[str](), _words(request), self._scores(request)
        for file in sorted(
            self.files.values(), key=lambda file: (-scores[file.name], is_test(file.name))
        ):
            users = [other for other in self.importers(file.name) if not is_test(other)]
            importers = f", imported by {', '.join(users[:4])}" if users else ""
            entry = [f"{file.name} ({file.text.count(chr(10)) + 1} lines{importers})"]
            symbols = sorted(
                file.outline.symbols, key=lambda symbol: not words & _words(symbol.name)
            )[:_SYMBOLS_SHOWN]
            entry += [
                f"  {symbol.line}: {symbol.signature}"
                for symbol in sorted(symbols, key=lambda symbol: symbol.line)
            ]
            room -= sum(len(line) + 1 for line in entry)
            if room < 0:
                unlisted = len(self.files) - sum(not line.startswith(" ") for line in lines)
                return "\n".join([*lines, f"(and {unlisted} more files)"])
            lines += entry
        return "\n".join(lines)

    def relevant(self, request: str, most: int = 8) -> list[str]:
        """The files that a request concerns, best first, then the tests of the best two; any where
        it concerns none."""
        scores = self._scores(request)
        for name in sorted(scores, key=lambda name: -scores[name])[:4]:
            for other in (*self.imports[name], *self.importers(name)):
                scores[other] += _NEIGHBOUR * scores[name]
        ranked = sorted(
            (name for name in scores if scores[name] > 0), key=lambda name: (-scores[name], name)
        )
        ranked = ranked[:most] or list(self.files)[:most]
        tests = [test for name in ranked[:2] for test in self.around(name)[:1] if is_test(test)]
        return list(dict.fromkeys([*ranked, *tests]))

    def around(self, name: str) -> list[str]:
        """The files that belong to a file: tests of it, files it imports, its other users; for a
        test what it tests."""
        users, imports = self.importers(name), self.imports.get(name, ())
        stem = posixpath.basename(name).partition(".")[0]
        tests = [other for other in users if is_test(other)]
        if not is_test(name):
            tests += [
                other
                for other in self.files
                if is_test(other) and stem in posixpath.basename(other)
            ]
        return list(
            dict.fromkeys([*tests, *imports, *(other for other in users if other not in tests)])
        )

    @property
    def characters(self) -> int:
        """Of all its files."""
        return sum(len(file.text) for file in self.files.values())

    def _scores(self, request: str) -> dict[str, float]:
        return {name: self._score(file, request) for name, file in self.files.items()}

    def _score(self, file: MappedFile, request: str) -> float:
        """BM25 over the words of the text, those of its path and of what it defines counted more;
        named files first."""
        mention = (
            _NAMED
            if file.name in request
            else _BASENAME
            if posixpath.basename(file.name) in request
            else 0.0
        )
        names = {part for symbol in file.outline.symbols for part in symbol.name.split(".")}
        mention += _SYMBOL * len(names & _identifiers(request))
        counts = self._words[file.name]
        norm = _K * (1 - _B + _B * counts.total() / self._average)
        hits = sum(
            self._rarity[word] * counts[word] / (counts[word] + norm)
            for word in _words(request) & counts.keys()
        )
        return mention + hits * (_OF_TESTS if is_test(file.name) else 1.0)

    @cached_property
    def _words(self) -> dict[str, "Counter[str]"]:
        return {name: _counted(file) for name, file in self.files.items()}

    @cached_property
    def _average(self) -> float:
        return sum(counts.total() for counts in self._words.values()) / max(1, len(self._words))

    @cached_property
    def _rarity(self) -> Mapping[str, float]:
        file_counts = Counter(word for counts in self._words.values() for word in counts)
        return {word: math.log(1 + len(self._words) / count) for word, count in file_counts.items()}

    @cached_property
    def _by_end(self) -> Mapping[str, str]:
        """Every end of a path that begins at a folder -> the first file that has it."""
        ends: dict[str, str] = {}
        for name in self.files:
            parts = name.split("/")
            for at in range(len(parts)):
                ends.setdefault("/".join(parts[at:]), name)
        return ends

    @cached_property
    def _importers(self) -> Mapping[str, tuple[str, ...]]:
        importers: dict[str, list[str]] = {}
        for name, imported in self.imports.items():
            for other in dict.fromkeys(imported):
                importers.setdefault(other, []).append(name)
        return {name: tuple(users) for name, users in importers.items()}

    def _resolved(self, file: MappedFile) -> Iterable[str]:
        """The files of the project that the imports of a file mean."""
        for imported in file.outline.imports:
            target = next(
                (
                    self._by_end[path]
                    for path in _paths(file.name, imported)
                    if path in self._by_end
                ),
                None,
            )
            if target and target != file.name:
                yield target
        if suffix_of(file.name) == ".go":  # a package is its folder
            folder = posixpath.dirname(file.name)
            yield from (
                name
                for name in self.files
                if posixpath.dirname(name) == folder and name != file.name
            )


def repository_map(place: Workplace, names: Collection[str]) -> RepositoryMap:
    """The map of those of the named files that are source code, as many as can be read in a few
    seconds. One that cannot be read is left out."""
    files, room = list[MappedFile](), _MOST_TOTAL
    for name in list(filter(is_source, names))[:_MOST_FILES]:
        try:
            text = open_text(place, name)
        except ZororaError:
            continue
        room -= len(text)
        if room < 0:
            break
        if len(text) <= _MOST_CHARACTERS:
            files.append(MappedFile(name, text, outline(name, text)))
    return RepositoryMap(files)


def _paths(name: str, imported: str) -> list[str]:
    """Where a file that is imported may lie, most exact first. name: who imports it."""
    folder, suffix = posixpath.dirname(name), suffix_of(name)
    if suffix == ".py":
        return _python_paths(folder, imported)
    if suffix == ".rs":
        return _rust_paths(folder, imported)
    if not imported.startswith("."):
        return []
    path = posixpath.normpath(posixpath.join(folder, imported))
    bare = re.sub(r"\.[cm]?jsx?$", "", path)
    return [
        path,
        *(f"{bare}{end}" for end in LANGUAGES),
        *(f"{path}/index{end}" for end in (".js", ".ts")),
    ]


def _rust_paths(folder: str, imported: str) -> list[str]:
    parts = [part for part in imported.split("::") if part not in ("crate", "self", "super")]
    ends = [parts[0], parts[1] if len(parts) > 1 else parts[0]] if parts else []
    above = [f"{folder}/mod.rs"] if imported.startswith("super") else []
    return (
        above
        + [path for end in reversed(ends) for path in (f"{end}.rs", f"{end}/mod.rs")]
        + ["src/lib.rs"]
    )


def _python_paths(folder: str, imported: str) -> list[str]:
    dots = len(imported) - len(imported.lstrip("."))
    parts = [part for part in imported[dots:].split(".") if part]
    for _ in range(dots - 1):
        folder = posixpath.dirname(folder)
    path = "/".join([*([folder] if dots and folder else []), *parts])
    return [f"{path}.py", f"{path}/__init__.py"] if path else []


def _counted(file: MappedFile) -> "Counter[str]":
    """The words of a file: once each time in its text, more often in its path and in the names it
    defines."""
    counts = Counter(_each_word(file.text))
    for names, weight in (
        ((file.name,), _OF_PATH),
        ([symbol.name for symbol in file.outline.symbols], _OF_SYMBOL),
    ):
        for word in {word for name in names for word in _each_word(name)}:
            counts[word] += weight
    return counts


def _words(text: str) -> set[str]:
    return set(_each_word(text))


def _each_word(text: str) -> Iterator[str]:
    """The words of a text and of the names in it, in lower case, without endings that only inflect
    them."""
    return (
        _stem(part.lower())
        for part in _PART.findall(text)
        if len(part) > 2 and part.lower() not in _COMMON
    )


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    return _ENDING.sub("", word) if len(word) > 4 else word


def _identifiers(request: str) -> set[str]:
    """The words of a request that can only be names of code: with an underscore or a capital
    inside, or marked."""
    marked = {
        word for quoted in re.findall(r"`([^`]{1,200})`", request) for word in _WORD.findall(quoted)
    }
    calls = set(re.findall(r"(?<![\w$])([A-Za-z_$][\w$]{0,100})\(", request))
    return (
        marked
        | calls
        | {word for word in _WORD.findall(request) if "_" in word or re.search(r"[a-z][A-Z]", word)}
    )
