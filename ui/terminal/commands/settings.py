"""Commands on the configuration: config and keys."""

import getpass

from engine.answers import SettingRow
from ui.terminal.command import Arguments, UsageError, did_you_mean, take_words
from ui.terminal.hangup import interrupted_by_hangup
from ui.terminal.render.pager import paging
from ui.terminal.render.plain import plain
from ui.terminal.session import PROBLEMS, Session


def config(session: Session, args: Arguments) -> None:
    """config list | get NAME | set NAME VALUE | path."""
    action, words = args.action or "list", args.words
    if action == "path":
        path = session.engine.config.home / "config.toml"
        session.screen.result({"path": path}, plain(path))
    elif action == "list":
        _list(session, words[0] if words else "")
    elif action == "get":
        (name,) = take_words(words, 1, 1, "config get NAME")
        row = _row(session, name)
        session.screen.result(row, plain(row.value))
    else:
        name, *value = take_words(words, 2, len(words), "config set NAME VALUE")
        session.engine.set_setting(_row(session, name).name, " ".join(value))
        row = _row(session, name)
        session.screen.done(row, f"{plain(name)} = {plain(row.value)}")


def keys(session: Session, args: Arguments) -> None:
    """keys list | set NAME. The value is typed unseen or read from standard input, never an
    argument."""
    if args.action == "set":
        return _set_key(session, args.name)
    statuses = session.engine.keys()
    session.screen.listing(
        statuses,
        ("name", "for", "from", "value", "where to get one"),
        [
            (key.name, key.purpose, key.origin, key.masked or "-", key.where_to_get)
            for key in statuses
        ],
    )


def _set_key(session: Session, name: str | None) -> None:
    names = [key.name for key in session.engine.keys()]  # noqa: SIM118 - no dict
    if name not in names:
        raise UsageError(
            f"Name the key: zorora keys set NAME. Names: {', '.join(names)}."
            + did_you_mean(name or "", names)
        )
    with interrupted_by_hangup():  # so that the keys are heard again
        if session.screen.interactive:
            value = getpass.getpass(f"{name}: ")
        else:
            value = session.screen.source.readline()
    session.engine.set_key(name, value.strip())
    session.screen.note(f"{name} is {'stored' if value.strip() else 'removed'}")


def _list(session: Session, beginning: str) -> None:
    rows = [row for row in session.engine.settings() if row.name.startswith(beginning)]
    if session.screen.as_json:
        session.screen.json(rows)
    else:
        with paging(session):
            session.screen.rows(
                ("setting", "value", "from", "meaning"),
                [(row.name, row.value, row.origin, row.help) for row in rows],
            )
        for problem in session.engine.config.problems[
            PROBLEMS:
        ]:  # the first ones are said before every command
            session.screen.note(plain(problem))


def _row(session: Session, name: str) -> SettingRow:
    rows = {row.name: row for row in session.engine.settings()}
    if name not in rows:
        raise UsageError(f'There is no setting "{plain(name)}".{did_you_mean(name, rows)}')
    return rows[name]
