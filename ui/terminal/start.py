"""Where the program begins: Ctrl+C while it is still being loaded ends it quietly instead of with a traceback."""

import signal


def main() -> int:
    """Run `zorora` with the arguments of the process; returns the exit status."""
    former = signal.getsignal(signal.SIGINT)
    if former is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from ui.terminal.main import main as run  # everything else of ours, and the only slow part of a start

    if former is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return run()
