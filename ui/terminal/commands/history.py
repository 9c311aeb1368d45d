"""Commands on past researches: history, show, export, star, tag, note, delete, undelete."""

from pathlib import Path

from rich.text import Text

from engine.answers import HistoryEntry, HistoryQuery
from engine.files import read_file
from engine.models import RecordKind, RunStatus
from engine.reports.figures import hundredths
from ui.terminal import export_files
from ui.terminal.command import Arguments, UsageError
from ui.terminal.render.plain import plain, unmarked
from ui.terminal.session import Session

KINDS = {"ask": "conversation", "search": "quick search"}  # what is no research with a depth


def history(session: Session, args: Arguments) -> None:
    """List researches, newest first, or those that match some words."""
    query = HistoryQuery(
        text=" ".join(args.query).strip() or None,
        status=tuple(args.status or ()),
        starred=args.starred,
        tag=args.tag,
        source_type=args.source_type,
        since=args.since,
        until=args.until,
        bin=args.bin,
        limit=args.limit,
        before=args.before,
    )
    page = session.engine.history(query)
    if args.json:
        session.screen.json(page)
        return
    if not page.entries:
        session.screen.note(
            "Nothing matches."
            if query != HistoryQuery(limit=args.limit)
            else 'No reports yet. Make one: zorora research "..."'
        )
    elif session.screen.on_terminal:
        session.screen.show(_entry(entry, bool(args.query)) for entry in page.entries)
    else:
        rows = [
            (
                entry.research_id,
                entry.created_at,
                entry.status,
                hundredths(entry.confidence) if entry.confidence else "",
                entry.query,
            )
            for entry in page.entries
        ]
        session.screen.rows(("id", "time", "status", "confidence", "question"), rows)
    if page.next:
        session.screen.note(
            f"{len(page.entries)} of {page.total}. Older ones: --before {page.next}"
        )


def export(session: Session, args: Arguments) -> None:
    """Write a research in another format."""
    if args.list:
        return _list_formats(session)
    research_id = session.find(args.id)
    # Which tells of the file; the record is a format like the others
    as_json, args.json = args.json, False
    args.format = args.format or args.wanted
    if not args.output:
        args.format = args.format or ("json" if as_json else "md")
        if not as_json and (session.repl or session.screen.on_terminal):
            args.output = export_files.free_name(session, research_id, args.format)
    delivery = export_files.Delivery.chosen(session, args)
    if as_json and delivery.to_standard_output and delivery.format != "json":
        raise UsageError("--json prints which file was written, so it needs -o FILE.")
    session.record(research_id)
    export_files.deliver(session, research_id, delivery, as_json)


def _list_formats(session: Session) -> None:
    formats = session.engine.export_formats()
    session.screen.listing(
        [{"format": name, "label": label, "suffix": suffix} for name, label, suffix in formats],
        ("format", "what", "suffix"),
        formats,
    )


def bring_in(session: Session, args: Arguments) -> None:
    """Bring in the record of a research that was exported elsewhere."""
    path = Path(args.file).expanduser()
    try:
        data = read_file(path)
    except OSError as problem:
        raise UsageError(f"{plain(args.file)} cannot be read: {problem.strerror}.") from problem
    imported = session.engine.import_record(data)
    session.last = imported.research_id
    became = "was imported" if imported.new else "is already here"
    lines = [f"{plain(imported.research_id)} {became}", *map(plain, imported.notes)]
    session.screen.done(imported, "\n".join(lines))


def star(session: Session, args: Arguments) -> None:
    """Bookmark a research, or remove the bookmark."""
    research_id = session.find(args.id)
    session.engine.star(research_id, not args.off)
    session.screen.done(
        {"research_id": research_id, "starred": not args.off},
        f"{plain(research_id)}: {'no longer starred' if args.off else 'starred'}",
    )


def tag(session: Session, args: Arguments) -> None:
    """Set the tags of a research; without tags, show them."""
    state = session.record(args.id)
    research_id, tags = state.research_id, state.user.tags
    if args.tags or args.clear:
        tags = _new_tags(args, tags)
        session.engine.tag(research_id, tags)
        words = ", ".join(map(plain, tags)) or "no tags"
        session.screen.done(
            {"research_id": research_id, "tags": tags}, f"{plain(research_id)}: {words}"
        )
    else:
        words = ", ".join(map(plain, tags))
        session.screen.result({"research_id": research_id, "tags": tags}, words)


def _new_tags(args: Arguments, tags: tuple[str, ...]) -> tuple[str, ...]:
    # A name given by `save` is no tag to its user, and keeps meaning this research
    remaining = [name for name in tags if name.startswith("@") or not args.clear]
    added = [name.strip() for word in args.tags for name in word.split(",") if name.strip()]
    return tuple(dict.fromkeys([*remaining, *added]))


def note(session: Session, args: Arguments) -> None:
    """Write a note on a research; without text, show it."""
    state = session.record(args.id)
    research_id = state.research_id
    if args.text or args.clear:
        text = "" if args.clear else " ".join(args.text)
        session.engine.note(research_id, text)
        session.screen.done(
            {"research_id": research_id, "note": text}, f"{plain(research_id)}: noted"
        )
    else:
        note = state.user.note
        session.screen.result({"research_id": research_id, "note": note}, plain(note, lines=True))


def delete(session: Session, args: Arguments) -> None:
    """Move a research to the bin, or with --now remove it for good."""
    if not args.id:
        raise UsageError("Name the report to delete: zorora delete ID")
    research_id = session.find(args.id)
    must_agree = args.now and not args.yes and session.screen.interactive
    if must_agree and not session.screen.confirm(
        f"Remove {plain(research_id)} for good? Type yes:"
    ):
        session.screen.note("Nothing was removed.")
        return
    session.engine.delete(research_id, now=args.now)
    if session.last == research_id:
        session.last = None
    name = plain(research_id)
    session.screen.done(
        {"research_id": research_id, "in_bin": not args.now},
        f"{name} is gone"
        if args.now
        else f"{name} is in the bin for 30 days; `zorora undelete {name}` brings it back",
    )


def undelete(session: Session, args: Arguments) -> None:
    """Bring a research back from the bin."""
    if not args.id:
        raise UsageError(
            "Name the report to bring back; `zorora history --bin` lists what is in the bin."
        )
    session.engine.undelete(args.id)
    session.screen.done({"research_id": args.id}, f"{plain(args.id)} is back")


def _entry(entry: HistoryEntry, searched: bool) -> Text:
    from ui.terminal.render.columns import matches

    text = matches(entry.title or entry.query, "bold", "bold cyan")
    words = plain(" · ".join(_facts(entry)))
    text.append(f"\n{words}\n{plain(entry.research_id)}", style="dim")
    if searched and entry.snippet and unmarked(entry.snippet) != plain(entry.query):
        text.append("\n").append_text(matches(entry.snippet, "", "cyan"))
    return text.append("\n")


def _facts(entry: HistoryEntry) -> list[str]:
    facts = [
        entry.created_at[:16].replace("T", " "),
        KINDS.get(entry.kind, f"depth {entry.depth}"),
        "" if entry.kind == RecordKind.ASK else f"{entry.total_sources} sources found",
        f"confidence {hundredths(entry.confidence)}" if entry.confidence else "",
        "" if entry.status == RunStatus.COMPLETE else entry.status,
        "starred" if entry.starred else "",
        *(f"#{name}" for name in entry.tags),
    ]
    return [fact for fact in facts if fact]
