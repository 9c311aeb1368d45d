"""A map of a project for a model: files, what they define, who imports whom, and which of them a request concerns."""

import posixpath
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tools.errors import ZororaError
from tools.host.files import open_text
from tools.host.place import Workplace
from workflows.code.protected import is_test
from workflows.code.symbols import LANGUAGES, Outline, outline, suffix_of

_MOST_FILES = 600  # files whose text is looked at
_MOST_CHARACTERS = 400_000  # of one such file
_SYMBOLS_SHOWN = 30  # of one file
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# What a request says of any change; it tells no file from another
_COMMON = frozenset(
    """the a an and or of to in for with from that this it is are be should must not when so by on as if fix bug add
    make change implement feature function class method file code return use test value wrong new into its""".split()
)
_NAMED, _BASENAME, _SYMBOL, _WORD_OF_NAME, _NEIGHBOUR = 100.0, 60.0, 30.0, 6.0, 0.35


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

    @cached_property
    def imports(self) -> Mapping[str, tuple[str, ...]]:
        """name -> the files of the project that it imports."""
        return {name: tuple(self._resolved(file)) for name, file in self.files.items()}

    def importers(self, name: str) -> tuple[str, ...]:
        """The files that import a file."""
        return tuple(other for other, imported in self.imports.items() if name in imported)

    def described(self, room: int) -> str:
        """A line for each file and one for what it defines, as far as there is room; tests last."""
        lines: list[str] = []
        for file in sorted(self.files.values(), key=lambda one: is_test(one.name)):
            users = [other for other in self.importers(file.name) if not is_test(other)]
            used = f", imported by {', '.join(users[:4])}" if users else ""
            entry = [f"{file.name} ({file.text.count(chr(10)) + 1} lines{used})"]
            entry += [f"  {symbol.line}: {symbol.signature}" for symbol in file.outline.symbols[:_SYMBOLS_SHOWN]]
            room -= sum(len(line) + 1 for line in entry)
            if room < 0:
                left = len(self.files) - sum(not line.startswith(" ") for line in lines)
                return "\n".join([*lines, f"(and {left} more files)"])
            lines += entry
        return "\n".join(lines)

    def relevant(self, request: str, most: int = 8) -> list[str]:
        """The files that a request concerns, best first: named in it, defining what it names, sharing rare words."""
        scores = {name: self._score(file, request) for name, file in self.files.items()}
        best = sorted(scores, key=lambda name: -scores[name])[:4]
        for name in best:
            for other in (*self.imports[name], *self.importers(name)):
                scores[other] += _NEIGHBOUR * scores[name]
        ranked = sorted((name for name in scores if scores[name] > 0), key=lambda name: (-scores[name], name))
        return (ranked or list(self.files))[:most]

    def around(self, name: str) -> list[str]:
        """The files that belong to a file: tests of it, files it imports, its other users; for a test what it tests."""
        users, own = self.importers(name), self.imports.get(name, ())
        tests = [other for other in users if is_test(other)]
        return list(dict.fromkeys([*tests, *own, *(other for other in users if other not in tests)]))

    def _score(self, file: MappedFile, request: str) -> float:
        stem = posixpath.basename(file.name)
        mentioned = _NAMED if file.name in request else _BASENAME if stem in request else 0.0
        names = {part for symbol in file.outline.symbols for part in symbol.name.split(".")}
        exact = len(names & set(_WORD.findall(request)))
        words = _words(request)
        of_names = _words(file.name) | {word for name in names for word in _words(name)}
        in_text = sum(self._rarity[word] for word in words & self._texts[file.name])
        return mentioned + _SYMBOL * exact + _WORD_OF_NAME * len(words & of_names) + in_text

    @cached_property
    def _texts(self) -> dict[str, set[str]]:
        return {name: _words(file.text) for name, file in self.files.items()}

    @cached_property
    def _rarity(self) -> Mapping[str, float]:
        counts = Counter(word for words in self._texts.values() for word in words)
        return {word: 3.0 / count for word, count in counts.items()}

    def _resolved(self, file: MappedFile) -> Iterable[str]:
        """The files of the project that the imports of a file mean."""
        for imported in file.outline.imports:
            for path in _paths(file.name, imported):
                found = [name for name in self.files if name == path or name.endswith(f"/{path}")]
                if found and found[0] != file.name:
                    yield found[0]
                    break
        if suffix_of(file.name) == ".go":  # a package is its folder
            folder = posixpath.dirname(file.name)
            yield from (name for name in self.files if posixpath.dirname(name) == folder and name != file.name)


def repository_map(place: Workplace, names: Collection[str]) -> RepositoryMap:
    """The map of those of the named files that are source code. One that cannot be read is left out."""
    files = []
    for name in [name for name in names if suffix_of(name) in LANGUAGES][:_MOST_FILES]:
        try:
            text = open_text(place, name)
        except ZororaError:
            continue
        if len(text) <= _MOST_CHARACTERS:
            files.append(MappedFile(name, text, outline(name, text)))
    return RepositoryMap(files)


def _paths(name: str, imported: str) -> list[str]:
    """Where a file that is imported may lie, most exact first. name: who imports it."""
    folder, suffix = posixpath.dirname(name), suffix_of(name)
    if suffix == ".py":
        return _python_paths(folder, imported)
    if suffix == ".rs":
        parts = [part for part in imported.split("::") if part not in ("crate", "self", "super")]
        ends = [parts[0], parts[1] if len(parts) > 1 else parts[0]] if parts else []
        return [path for end in reversed(ends) for path in (f"{end}.rs", f"{end}/mod.rs")] + ["src/lib.rs"]
    if not imported.startswith("."):
        return []
    path = posixpath.normpath(posixpath.join(folder, imported))
    bare = re.sub(r"\.[cm]?jsx?$", "", path)
    return [path, *(f"{bare}{end}" for end in LANGUAGES), *(f"{path}/index{end}" for end in (".js", ".ts"))]


def _python_paths(folder: str, imported: str) -> list[str]:
    dots = len(imported) - len(imported.lstrip("."))
    parts = [part for part in imported[dots:].split(".") if part]
    for _ in range(dots - 1):
        folder = posixpath.dirname(folder)
    path = "/".join([*([folder] if dots and folder else []), *parts])
    return [f"{path}.py", f"{path}/__init__.py"] if path else []


def _words(text: str) -> set[str]:
    """The words of a text and of the names in it, in lower case, without endings that only inflect them."""
    found = {part.lower() for part in _PART.findall(text)}
    return {re.sub(r"(?:ies|ing|ed|es|s)$", "", word) for word in found - _COMMON if len(word) > 2}
