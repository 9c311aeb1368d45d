"""Commands that look after the installation: doctor, repair-db, backup, restore, version."""

import sqlite3
import sys
from pathlib import Path

from engine.models import ZororaError
from engine.version import own_version
from ui.terminal.command import DONE, FAILED, Arguments, UsageError
from ui.terminal.render.plain import plain
from ui.terminal.screen import ProgressLine
from ui.terminal.session import Session

MARKS = {"ok": "ok", "warning": "warning", "problem": "PROBLEM"}


def doctor(session: Session, args: Arguments) -> int:
    """Check database, records, disk, keys, sources, versions; each problem with its remedy."""
    from engine.answers import Check  # `zorora version` needs none of it

    try:
        with ProgressLine(session.screen) as line:
            checks = session.engine.upkeep.doctor(
                args.quick, lambda what, number, total: line.show(f"{what}s", number, total)
            )
    except ZororaError as error:
        # What cannot even be opened is what people call the doctor for
        checks = [Check("start", "problem", str(error), "zorora repair-db, or zorora restore FILE")]
    if args.json:
        session.screen.json(checks)
    else:
        for check in checks:
            session.screen.print(
                f"{MARKS.get(check.state, check.state):<8} {plain(check.name)}: "
                f"{plain(check.message)}"
            )
            if check.remedy and check.state != "ok":
                session.screen.print(f"         {plain(check.remedy)}")
    return FAILED if any(check.state == "problem" for check in checks) else DONE


def repair(session: Session, args: Arguments) -> None:
    """Rebuild the database from the records, and the index from snapshots and documents."""
    for line in session.engine.upkeep.repair():
        session.screen.print(plain(line))


def backup(session: Session, args: Arguments) -> None:
    """Write a verified copy of the database."""
    path = session.engine.upkeep.backup(Path(args.path) if args.path else None)
    session.screen.result({"file": path}, plain(path))


def restore(session: Session, args: Arguments) -> None:
    """Put a backup back in place; what was there is kept beside it."""
    if not args.path:
        raise UsageError("Name the backup: zorora restore FILE")
    session.engine.upkeep.restore(Path(args.path))
    session.screen.done({"file": args.path}, f"{plain(args.path)} is in place.")


def version(session: Session, args: Arguments) -> None:
    """Print the versions of zorora and of what it stands on."""
    versions = {
        "zorora": own_version(),
        "python": ".".join(map(str, sys.version_info[:3])),
        "sqlite": sqlite3.sqlite_version,
    }
    session.screen.result(
        versions,
        f"zorora {versions['zorora']} (Python {versions['python']}, SQLite {versions['sqlite']})",
    )
