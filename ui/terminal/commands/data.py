"""Commands on what is fetched and kept: data, sources, cache."""

from engine.answers import ClientStatus
from engine.wiring.source_status import CHECK_COLUMNS, check_rows
from ui.terminal.command import DONE, FAILED, PARTIAL, Arguments, UsageError
from ui.terminal.render.plain import plain
from ui.terminal.screen import ProgressLine
from ui.terminal.session import Session


def data(session: Session, args: Arguments) -> int | None:
    """The lists that credibility rests on: show them, load them anew, remove one."""
    if args.action == "update":
        return _update(session, args)
    if args.retractions or args.journals or args.predatory or args.force:
        raise UsageError("To load them, run: zorora data update")
    if args.action == "remove":
        if not args.name:
            raise UsageError('Name the list: zorora data remove "NAME"')
        session.engine.upkeep.remove_data(args.name)
        session.screen.note(f"{plain(args.name)} is removed.")
    else:
        _lists(session)
    return None


def _lists(session: Session) -> None:
    lists = session.engine.upkeep.data_lists()
    rows = [
        (
            row.name,
            row.kind,
            row.rows or "-",
            row.dated or "-",
            row.loaded_at[:10] or "-",
            row.origin,
        )
        for row in lists
    ]
    session.screen.listing(lists, ("list", "of", "rows", "dated", "loaded", "from"), rows)
    if not session.screen.as_json and not any(row.rows for row in lists):
        session.screen.note(
            "Only the small built-in lists are in use. Load the full ones with: zorora data update"
        )


def _update(session: Session, args: Arguments) -> int:
    with ProgressLine(session.screen) as line:
        updates = session.engine.upkeep.update_data(
            args.retractions,
            args.journals,
            tuple(args.predatory or ()),
            force=args.force,
            progress=line.show,
        )
    failed = [update for update in updates if update.problem]
    if args.json:
        session.screen.json(updates)
    else:
        for updated in updates:
            write = session.screen.note if updated.problem else session.screen.print
            for sentence in updated.sentences():
                write(plain(sentence))
    return DONE if not failed else FAILED if len(failed) == len(updates) else PARTIAL


def sources(session: Session, args: Arguments) -> int:
    """List the source clients: which are on, which need a key, their limits, how they fared;
    --check asks each."""
    statuses = (
        session.engine.check_sources(tuple(args.names)) if args.check else session.engine.sources()
    )
    if args.names and not args.check:
        raise UsageError("Names go with --check: zorora sources --check NAME")
    if args.json:
        session.screen.json(statuses)
    elif args.check:
        session.screen.rows(
            CHECK_COLUMNS,
            check_rows([(status.name, status.checked) for status in statuses if status.checked]),
        )
        session.screen.note(
            "This table contains no keys and no texts, so you "
            "can send it along with a problem report."
        )
    else:
        session.screen.rows(
            ("name", "source", "kind", "state", "key", "limits", "answered", "last problem"),
            [_row(status) for status in statuses],
        )
    failed = any(status.checked and status.checked.state == "failed" for status in statuses)
    return FAILED if failed else DONE


def _row(status: ClientStatus) -> tuple[str, ...]:
    return (
        status.name,
        status.label,
        status.kind,
        state(status),
        "present" if status.has_key else status.key,
        _limits(status),
        (status.last_success or "-")[:16].replace("T", " "),
        status.last_problem or "",
    )


def state(client: ClientStatus) -> str:
    """on, off, needs a key, or resting."""
    if not client.enabled:
        return "off"
    if client.needs_key and not client.has_key:
        return "needs a key"
    return f"resting until {client.resting_until[11:16]} UTC" if client.resting_until else "on"


def _limits(client: ClientStatus) -> str:
    pace = f"{client.min_interval:g} s apart, " if client.min_interval else ""
    return f"{pace}{'/'.join(map(str, client.budget))} a report"


def cache(session: Session, args: Arguments) -> None:
    """The kept answers of services and pages: list them, show one, drop them."""
    if args.older_than is not None and args.action != "clear":
        raise UsageError("--older-than goes with clear: zorora cache clear --older-than DAYS")
    if args.action == "clear":
        count = session.engine.upkeep.clear_cache(args.older_than)
        session.screen.note(f"{count} cached answers were deleted.")
        return
    if args.action == "show":
        return _show(session, args)
    entries = session.engine.upkeep.cache_entries(args.limit)
    session.screen.listing(
        entries,
        ("id", "status", "bytes", "stored", "expires", "address"),
        [
            (
                entry.cache_id,
                entry.status,
                entry.size,
                entry.stored_at[:16],
                entry.expires_at[:16],
                entry.url,
            )
            for entry in entries
        ],
        "The cache is empty; reports fill it with the answers of search services.",
    )


def _show(session: Session, args: Arguments) -> None:
    if not args.id:
        raise UsageError("Name the cached answer: zorora cache show ID")
    entry = session.engine.upkeep.cache_entry(args.id)
    if not args.json:
        session.screen.note(
            f"{plain(entry.url)}  (status {entry.status}, {entry.size} bytes, stored "
            f"{entry.stored_at[:16]})"
        )
    session.screen.result(entry, plain(entry.body, lines=True))
