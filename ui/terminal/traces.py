"""Traces of what the program does, for who asks for them (-v) and of its own faults. Most commands
write none and load no logging."""

import logging

from ui.terminal.render.plain import plain, shorten
from ui.terminal.session import Session

log = logging.getLogger("zorora.terminal")


class PlainFormatter(logging.Formatter):
    """Traces quote services and pages; on the screen they are text and nothing else."""

    def format(self, record: logging.LogRecord) -> str:
        return plain(super().format(record), lines=True)


def show_traces(session: Session) -> None:
    """Traces go to standard error: -v what happens, -vv everything."""
    handler = logging.StreamHandler(session.screen.err)
    handler.setFormatter(PlainFormatter("%(name)s: %(message)s"))
    logger = logging.getLogger("zorora")
    others = [other for other in logger.handlers if type(other) is not logging.StreamHandler]
    logger.handlers = [*others, handler]
    logger.setLevel(logging.DEBUG if session.verbose > 1 else logging.INFO)


def report_fault(session: Session, error: Exception) -> None:
    """Say that the program failed, or that a database is damaged; called while the error is being
    handled."""
    # Without -v the traceback goes to the log file only; logging's last resort would print it here
    logging.getLogger("zorora").addHandler(logging.NullHandler())
    log.exception("a command failed")
    if damage := session.damage():
        session.screen.note(f"zorora: {plain(damage)}")
    else:
        session.screen.note(
            f"zorora: this is a bug in Zorora ({type(error).__name__}: "
            f"{shorten(plain(error), 200)}). Nothing saved is lost; `zorora doctor` checks the "
            "installation, -v shows where it happened."
        )
