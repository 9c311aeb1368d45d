"""Once a day, beside a run: what keeps a home in order. Nobody waits for it, and a kill in the
middle harms nothing."""

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

from engine.settings.config import Config
from tools.errors import ZororaError

DAY = 86_400.0
MARK = ".tidied"
log = logging.getLogger("zorora.engine")


def when_due(config: Config, work: Callable[[], None]) -> threading.Thread | None:
    """Start `work` in a daemon thread, unless it was done within the last day."""
    mark = config.paths.home / MARK
    if not _due(mark):
        return None

    def tidy() -> None:
        try:
            mark.touch(mode=0o600)
            work()
        except (ZororaError, OSError) as error:
            log.warning("The daily tidying was not finished: %s", error)

    thread = threading.Thread(target=tidy, name="tidy", daemon=True)
    thread.start()
    return thread


def _due(mark: Path) -> bool:
    try:
        age = time.time() - mark.stat().st_mtime
    except OSError:
        return True
    return not 0 <= age < DAY
