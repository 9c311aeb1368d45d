"""Documents that a question names by their path: read for that research, and shown by their names
from then on."""

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from engine.answers import RunOptions
from engine.resources import Opened
from tools.documents.model import Document
from tools.errors import Refused
from tools.library.named_files import Named, documents_by_name, find_named, may_name
from tools.sources.source import SourceKind
from tools.text.asking import marked_document
from workflows.research.understand.intent import Intent, intent_of

_PATHS_LOOKED_AT = 20  # passages, for a path that is talked about
_MOST_NAMED = 5  # documents of one name that a refusal names


def with_named(query: str, options: RunOptions, opened: Opened) -> tuple[str, RunOptions]:
    """The question with names in place of paths (“notes.md”), and the options with those documents.

    No path of this machine stands in what is kept, asked or shown. As with --docs, the research
    uses of the library what was named for it. Raises Refused for a path outside the document
    folders, a file that cannot be read, or a summary of a name that several documents have.
    """
    if not may_name(query):
        return query, options
    matches = _find_named(query, opened, options)
    if not matches:
        return query, options
    folders = [match.path for match in matches if match.path and match.path.is_dir()]
    if len(folders) == len(matches) and options.documents is None:
        # A folder may hold thousands of files: the run reads them, and tells each
        docs = (*options.docs, *map(str, folders))
        titles = [folder.name for folder in folders]
        return _replace_names(query, matches, titles), replace(
            _with_local(options, opened), docs=docs
        )
    return _with_documents(query, matches, options, opened)


def _with_documents(
    query: str, matches: Sequence[Named], options: RunOptions, opened: Opened
) -> tuple[str, RunOptions]:
    """The question and its options with documents that are read now, those of --docs and of named
    folders too."""
    readings = [_reading(match, opened) for match in matches]
    more = opened.tools.ingest(
        [Path(path).expanduser().absolute() for path in options.docs], None
    ).document_ids
    ids = [
        *(options.documents or ()),
        *more,
        *(document_id for _, _, those in readings for document_id in those),
    ]
    new_options = replace(
        _with_local(options, opened), docs=(), documents=tuple(dict.fromkeys(ids))
    )
    return _replace_names(query, matches, [name for _, name, _ in readings]), new_options


def titled(query: str, opened: Opened) -> str:
    """A question that is no research (to a model, a quick search) with titles in place of paths.
    Raises Refused."""
    names = _find_named(query, opened) if may_name(query) else []
    titles = [
        name.path.name if name.path and name.path.is_dir() else _reading(name, opened)[0]
        for name in names
    ]
    return _replace_names(query, names, titles)


def _find_named(query: str, opened: Opened, options: RunOptions | None = None) -> list[Named]:
    """options: of a research, which may be put to a document by the name of its file alone."""

    @cache
    def documents() -> Sequence[Document]:
        return opened.tools.library.documents()

    def document(name: str) -> str | None:
        return next(
            (d.document_id for d in documents() if name in (d.document_id, d.name, d.title)), None
        )

    @cache
    def ending_in(word: str) -> list[Document]:
        return [d for d in documents() if d.name.casefold().endswith(word)]

    def by_name(name: str) -> str | None:
        # The files of --docs are read only later
        if options is None or options.docs:
            return None
        # A library may hold thousands, and a question a hundred names
        some = ending_in(name.split()[-1].rpartition("/")[2].casefold())
        selected = [d for d in some if d.document_id in (options.documents or ())]
        return _only_one(
            name, documents_by_name(name, selected) or documents_by_name(name, some), query
        )

    def is_written(path: str) -> bool:
        hits = opened.tools.corpus.search(path, _PATHS_LOOKED_AT, dense=False)
        return any(path in passage.text for passage in hits)

    config = opened.config
    roots = [config.paths.documents, *(Path(root) for root in config.get("corpus.roots"))]
    home = os.path.expanduser("~")  # noqa: PTH111  (never raises)
    return find_named(query, roots, home, document, by_name, is_written)


def _only_one(name: str, documents: Sequence[Document], query: str) -> str | None:
    """The id of the one document of a name.

    Raises Refused where several are to be summarised. To any other question the rest of the library
    may have the answer, and the name is one of its words.
    """
    if len(documents) > 1 and intent_of(query) == Intent.OVERVIEW:
        paths = sorted(f"{d.folder}/{d.name}".lstrip("/") for d in documents)
        more = len(paths) - _MOST_NAMED
        others = f" and {more} more" if more > 0 else ""
        raise Refused(
            f"{len(paths)} documents are called {name!r}: {', '.join(paths[:_MOST_NAMED])}{others}."
            " Write the folder before the name."
        )
    return documents[0].document_id if len(documents) == 1 else None


def _reading(match: Named, opened: Opened) -> tuple[str, str, tuple[str, ...]]:
    """The title of a document or folder, its name in a question, and the ids of what is in it.

    A document is named by its file, marked: its title would blur what is asked of it.
    """
    tools = opened.tools
    if match.path is None:
        document = tools.library.document(str(match.document_id))
        name = marked_document(Path(document.name).name)
        return document.title, name, (document.document_id,)
    report = tools.ingest([match.path], None)
    if match.path.is_dir():
        return match.path.name, match.path.name, report.document_ids
    if report.failed or not report.document_ids:
        reason = report.failed[0][1] if report.failed else "There is no text in it."
        raise Refused(f"{match.path.name!r} cannot be read: {reason}")
    title = tools.library.document(report.document_ids[0]).title
    return title, marked_document(match.path.name), report.document_ids


def _replace_names(query: str, matches: Sequence[Named], titles: Sequence[str]) -> str:
    """The question with each name replaced, the last first, so that the places before it stay where
    they are."""
    for match, title in reversed(list(zip(matches, titles, strict=True))):
        query = f"{query[: match.start]}{' '.join(title.split())}{query[match.end :]}"
    return query.strip()


def _with_local(options: RunOptions, opened: Opened) -> RunOptions:
    """Whoever names a document wants it read, whatever kinds of sources are on."""
    kinds = tuple(
        options.sources if options.sources is not None else opened.config.get("research.sources")
    )
    return options if SourceKind.LOCAL in kinds else replace(options, sources=(*kinds, "local"))
