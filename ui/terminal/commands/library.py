"""Commands on documents: ingest, library, route."""

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from ui.terminal.command import DONE, FAILED, Arguments, UsageError, text_of
from ui.terminal.commands import elsewhere
from ui.terminal.render.plain import plain
from ui.terminal.screen import ProgressLine
from ui.terminal.session import Session

if TYPE_CHECKING:
    from rich.text import Text

    from engine.answers import IngestReport, LibraryHit
    from engine.models import Document, IngestedFile

MOST_FILES = 50  # that were read, listed on a terminal
LOOK_SECONDS = 0.3
STUCK_SECONDS = 60.0  # without a further vector, after which nobody waits


def ingest(session: Session, args: Arguments) -> int:
    """Read files and folders into the library. A broken file is reported and skipped."""
    if not args.paths:
        if not args.wait:
            raise UsageError("Name the files or folders to read: zorora ingest PATH...")
        _wait(session)
        return DONE
    try:
        with ProgressLine(session.screen) as line, elsewhere.machines(session, args) as machines:
            report = session.engine.ingest(args.paths, progress=line.show, machines=machines)
    except KeyboardInterrupt as stop:
        raise type(stop)(_stopped(line)) from None
    _print_report(session, args, report)
    if (report.added or report.changed) and (sentence := session.engine.only_words()):
        session.screen.note(sentence)
    if args.wait:
        _wait(session)
    else:  # by this process while it lives, else by one of their own
        _say_missing(
            session, "It goes on in the background; zorora ingest --wait shows how far it is."
        )
        if not session.repl:
            session.engine.prepare_after_exit()
    file_count = report.added + report.changed + report.unchanged
    return FAILED if report.failed and not file_count else DONE


def _stopped(line: ProgressLine) -> str:
    """What somebody who stopped it has to know."""
    if not line.total:
        return "Stopped before any file was read."
    return (
        f"Stopped after {line.count:,} of {line.total:,} files. They are in the library; "
        "run the same command again to continue."
    )


def _print_report(session: Session, args: Arguments, report: "IngestReport") -> None:
    if args.json:
        for name, reason in report.failed:
            session.screen.note(f"{plain(name)}: {plain(reason)}")
        session.screen.json(report)
        return
    _files(session, report.files)
    counts = {
        "added": report.added,
        "changed": report.changed,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "refused": len(report.failed),
    }
    parts = [f"{count:,} {word}" for word, count in counts.items() if count]
    session.screen.print(", ".join(parts) or "There is nothing to read there.")


def _files(session: Session, files: "Sequence[IngestedFile]") -> None:
    """What became of each file: the refused with their reasons, the read ones with title and
    date."""
    changed_files = [file for file in files if not file.reason and file.status != "unchanged"]
    for file in files:
        if file.reason:
            session.screen.note(f"{plain(file.shown_name)}: {plain(file.reason)}")
        for sentence in file.unread:
            session.screen.note(f"{plain(file.shown_name)}, in part: {plain(sentence)}")
    first_files = changed_files[:MOST_FILES] if session.screen.on_terminal else changed_files
    session.screen.rows(
        ("", "file", "date", "title"),
        [(file.status, file.shown_name, date_of(file), file.title) for file in first_files],
    )
    if len(first_files) < len(changed_files):
        session.screen.note(
            f"... and {len(changed_files) - len(first_files):,} more: zorora library"
        )


def _wait(session: Session) -> None:
    """Return when search by meaning is prepared, when somebody stops it, or when it does not go
    on."""
    last, since = -1, time.monotonic()
    # What was made stays
    with suppress(KeyboardInterrupt), ProgressLine(session.screen) as line:
        while True:
            ready, total = session.engine.preparing(begin=True)
            if ready > last:
                last, since = ready, time.monotonic()
            if ready >= total or time.monotonic() - since > STUCK_SECONDS:
                break
            line.show("passages prepared for search by meaning", ready, total)
            time.sleep(LOOK_SECONDS)
    _say_missing(session, "The rest follows with the next report, or now: zorora ingest --wait")


def _say_missing(session: Session, then: str) -> None:
    """How far search by meaning is, while passages wait for their vectors."""
    from engine.library import document_vectors  # a search needs none of it

    if progress := document_vectors.sentence(*session.engine.preparing()):
        session.screen.note(f"{progress}. {then}")


def date_of(item: "IngestedFile | Document") -> str:
    """The date of a document; one that only says when its file was made is marked."""
    if not item.published:
        return ""
    return f"({item.published})" if item.published_from == "created" else item.published


def library(session: Session, args: Arguments) -> None:
    """List the documents, search inside them, add a folder or remove a document."""
    if args.add:
        session.engine.add_root(args.add)
        session.screen.note(
            f"{plain(args.add)} is now a document folder. Read it with: zorora ingest "
            f"{plain(args.add)}"
        )
    elif args.remove:
        session.engine.remove_document(args.remove)
        session.screen.note(
            f"{plain(args.remove)} is removed from the library; the file stays where it is."
        )
    elif args.folders:
        session.screen.rows(("folder",), [(folder,) for folder in session.engine.roots()])
    elif args.query:
        _search(session, " ".join(args.query), args)
    else:
        from engine.reports.figures import size  # a search needs none of it

        documents = session.engine.library()
        if session.screen.on_terminal and documents and not args.json:
            return session.screen.show(map(_entry, documents))
        rows = [
            (item.document_id, item.status, size(item.bytes), item.name, date_of(item), _what(item))
            for item in documents
        ]
        columns = ("id", "status", "size", "file", "date", "title or problem")
        session.screen.listing(
            documents,
            columns,
            rows,
            "The library is empty. Add documents with: zorora ingest PATH...",
        )


def _entry(item: "Document") -> "Text":
    """The title, and below it why it could not be read, its file, size, date and id."""
    from rich.text import Text

    from engine.reports.figures import size

    facts = [item.problem or "", item.name, size(item.bytes), date_of(item), item.document_id]
    words = " · ".join(plain(fact) for fact in facts if fact)
    return Text.assemble((plain(item.title), "bold"), (f"\n  {words}", "dim"))


def _search(session: Session, query: str, args: Arguments) -> None:
    hits = session.engine.search_library(query, limit=args.limit)
    if args.json:
        session.screen.json(hits)
        return
    if not hits:
        session.screen.note(
            "Nothing in the library matches. Documents are added with: zorora ingest PATH..."
        )
    elif not any(hit.worded for hit in hits):
        session.screen.note("No passage contains these words. Closest in meaning:")
    if session.screen.on_terminal:
        session.screen.show(map(_hit, hits))
    else:
        session.screen.rows((), [(hit.document_id, hit.name, hit.passage.text) for hit in hits])


def _hit(hit: "LibraryHit") -> "Text":
    """The title and the file of a passage, and the passage with its matches."""
    from rich.text import Text

    from ui.terminal.render.columns import matches

    return Text.assemble(
        (plain(hit.title or hit.name), "bold"),
        (f"  {plain(hit.name)}\n", "dim"),
        matches(hit.text, "", "cyan"),
        "\n",
    )


def route(session: Session, args: Arguments) -> None:
    """Say what a line typed at the REPL would do, and by which rule."""
    line = text_of(args.line, 'Write a line: zorora route "What is osmosis?"')
    from ui.terminal.prompt import plain_commands  # the lines of the prompt, as patterns

    matching = plain_commands.understood(session, line)
    arguments = ", ".join(
        f"{plain(name)}={plain(value)}" for name, value in matching.arguments.items()
    )
    session.screen.listing(
        matching,
        ("workflow", "action", "rule", "arguments"),
        [(matching.workflow, matching.action, matching.rule, arguments)],
    )


def _what(document: "Document") -> str:
    if document.status == "indexed":
        return f"{document.title} ({document.problem})" if document.problem else document.title
    return document.problem or document.title
