"""Where the program begins: Ctrl+C while it is still being loaded ends it quietly instead of with a
traceback."""

import gc
import signal

# A start loads hundreds of modules and makes few cycles; looking for them every 700 objects takes a
# tenth of it
_OBJECTS_BETWEEN_COLLECTIONS = 50_000


def main() -> int:
    """Run `zorora` with the arguments of the process; returns the exit status."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    former = signal.getsignal(signal.SIGINT)
    if former is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Everything else of ours, and the only slow part of a start
    from ui.terminal.main import main as run

    if former is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return run()
    finally:
        # Python searches all objects for cycles before it ends, which takes longer than a short
        # command
        gc.freeze()
