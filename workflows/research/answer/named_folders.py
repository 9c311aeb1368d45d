"""The folders that a question names: their names stand in the collection as words of its texts do,
and an overview that names some is one of the texts in them."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from tools.text.asking import document_words
from tools.text.tokens import STOP, fold, stem
from workflows.research.answer.collection import TextCollection, TextInfo
from workflows.research.answer.folders import Path
from workflows.research.understand.intent import Intent
from workflows.research.understand.parts import Part

Name = tuple[str, ...]  # the words of a folder's name, folded, with letters and digits apart
_WORD = re.compile(r"[^\W\d_]+|\d+")
# What may be typed as the name of a folder: "India2024_Report", "meetings/2019", "docs/"
_TYPED = re.compile(r"[\w.-]+(?:/[\w.-]+)*/?")
_MARKED = re.compile(r"[_/-]|[^\W\d_]\d")
_FOLDER = frozenset(("folder", "directory", "subfolder", "subdirectory"))


class FolderTexts(NamedTuple):
    """texts: in the folders that a question names, and below them. is_whole: whether it asks for
    nothing else of them."""

    texts: Sequence[TextInfo]
    is_whole: bool

    def among(self, texts: Sequence[TextInfo]) -> list[TextInfo]:
        """Those of some texts that are among these."""
        ids = {info.snapshot_id for info in self.texts}
        return [info for info in texts if info.snapshot_id in ids]


class _Question(NamedTuple):
    """sequence: its words, letters and digits apart. topic: stems of what it is about. typed: what
    stands there like a name; paths: what can be nothing else."""

    sequence: Name
    topic: frozenset[str]
    typed: frozenset[tuple[Name, ...]]
    paths: frozenset[tuple[Name, ...]]


def in_folder_names(terms: Collection[str], texts: Sequence[TextInfo]) -> frozenset[str]:
    """Those of some folded words that stand in the path of a folder, in any form of the same stem,
    or call it a folder."""
    if not terms:
        return frozenset()
    paths = [set(_stems(_name(folder))) for folder in {info.folder for info in texts} if folder]
    return frozenset(
        term
        for term in terms
        for path in paths
        if term in _FOLDER or path.issuperset(_stems(_name(term)))
    )


def texts_of_folders(part: Part, collection: TextCollection) -> FolderTexts | None:
    """The texts of the folders that an overview names; None of one that names none.

    A folder is named by its name or the end of its path: typed as such ("meetings/2019"), or beside
    the word folder. Plain words name a topic, for what they mean cannot be told: "the
    retrospectives" are a folder of 98 texts, "instructor training" is one with one text, and what
    forty others speak of.
    """
    if part.intent != Intent.OVERVIEW:
        return None
    question = _question_of(part)
    texts = collection.texts()
    spoken = frozenset(_stems(question.sequence))
    paths = filter(lambda path: _content_of(path[-1]) <= spoken, _paths(texts))
    named_paths = {path for path in paths if _is_named(path, question)}
    if not named_paths:
        return None
    infos = list(filter(lambda info: named_paths & _paths([info]), texts))
    content = _content(_name(" ".join(chain.from_iterable(named_paths))))
    return FolderTexts(infos, question.topic <= content)


def _paths(texts: Sequence[TextInfo]) -> set[Path]:
    """The folders that some texts lie in, and those that these lie in."""
    folders = [tuple(info.folder.split("/")) for info in texts if info.folder]
    return {path[:length] for path in folders for length in range(1, len(path) + 1)}


def _question_of(part: Part) -> _Question:
    typed = [token.rstrip(".") for token in _TYPED.findall(part.question)]
    without = {stem(word) for word in document_words() | _FOLDER}
    return _Question(
        _name(part.question),
        _content(_name(" ".join(part.topic.terms))) - without,
        frozenset(_names(token) for token in typed if _MARKED.search(token)),
        frozenset(_names(token) for token in typed if "_" in token or "/" in token),
    )


def _is_named(path: Path, question: _Question) -> bool:
    """Whether a question names a folder by its name or by the end of its path."""
    return any(_is_called(path[-length:], question) for length in range(1, len(path) + 1))


def _is_called(run: Path, question: _Question) -> bool:
    names = tuple(map(_name, run))
    content = _content(tuple(chain.from_iterable(names)))
    if not content:
        return False
    is_all = question.topic <= content <= set(_stems(question.sequence))
    is_typed = names in question.paths or (is_all and names in question.typed)
    return is_typed or _is_called_folder(names, question.sequence)


def _is_called_folder(names: tuple[Name, ...], sequence: Name) -> bool:
    """Whether names stand beside the word folder in a question: "the folder minutes", "the minutes
    folder"; but in "say about the docs folder" they are what it is about."""
    flat = tuple(chain.from_iterable(names))
    for place in (place for place, word in enumerate(sequence) if word in _FOLDER):
        starts = (place + 1, place - len(flat))
        for start in (start for start in starts if start >= 0):
            before = sequence[max(0, min(start, place) - 2) : min(start, place)]
            if sequence[start : start + len(flat)] == flat and "about" not in before:
                return bool(flat)
    return False


def _names(typed: str) -> tuple[Name, ...]:
    return tuple(map(_name, typed.strip("/").split("/")))


def _name(text: str) -> Name:
    return tuple(_WORD.findall(fold(text)))


@lru_cache(maxsize=8192)
def _content_of(name: str) -> frozenset[str]:
    """Remembered: a library may have thousands of folders, and few names for them."""
    return _content(_name(name))


def _content(name: Name) -> frozenset[str]:
    return frozenset(stem(word) for word in name if word not in STOP)


def _stems(name: Name) -> tuple[str, ...]:
    return tuple(map(stem, name))
