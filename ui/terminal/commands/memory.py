"""Commands on the research memory, and the server for other programs: remember, recall, mcp."""

from contextlib import suppress
from dataclasses import asdict

from engine.memory.telling import recalled_text
from ui.terminal.command import Arguments, UsageError
from ui.terminal.render.plain import plain
from ui.terminal.session import Session


def remember(session: Session, args: Arguments) -> None:
    """Keep a note of this session; list or delete sessions."""
    if args.sessions:
        return _sessions(session)
    memory = session.engine.memory
    if args.forget:
        count = memory.forget_session(args.forget)
        session.screen.done(
            {"session": args.forget, "deleted": count},
            f"{count} {'note is' if count == 1 else 'notes are'} deleted.",
        )
        return
    text = " ".join(args.note)
    if not any(char.isalnum() for char in text):
        raise UsageError('Enter the note: zorora remember "..."')
    note = memory.remember(text, args.source or "", args.tag or ())
    session.screen.done(note, f"Note {note.note_id} is kept.")


def _sessions(session: Session) -> None:
    rows = [(name, count, newest[:10]) for name, count, newest in session.engine.memory.sessions()]
    columns = ("session", "notes", "newest")
    session.screen.listing([dict(zip(columns, row, strict=True)) for row in rows], columns, rows)


def recall(session: Session, args: Arguments) -> None:
    """Notes and verified claims that fit a query. From the shell every note is of another session,
    so all are read."""
    wide = args.all_sessions or not session.repl
    recalled = session.engine.memory.recall(" ".join(args.query), args.limit, wide)
    session.screen.result(asdict(recalled), plain(recalled_text(recalled), lines=True))


def mcp(session: Session, args: Arguments) -> None:
    """Serve other programs over standard input and output, or over HTTP."""
    from ui.mcp import client_config, http, server

    if args.port is not None and not args.http:
        raise UsageError("--port needs --http.")
    server.check_installed()
    research_id = session.find(args.research) if args.research else None
    port = http.PORT if args.port is None else args.port
    if args.print_config:
        home = session.engine.config.paths.config.parent.absolute()
        session.screen.json(
            client_config.over_http(port)
            if args.http
            else client_config.over_stdio(home, research_id)
        )
    elif args.http:
        with suppress(KeyboardInterrupt):
            http.serve(session.engine, port, research_id, session.screen.note)
    else:
        server.serve(session.engine, research_id)
