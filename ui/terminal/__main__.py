"""`python -m ui.terminal` is the program `zorora`."""

import sys

from ui.terminal.start import main

if __name__ == "__main__":
    sys.exit(main())
