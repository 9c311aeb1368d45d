"""Serve the web page: `python web_main.py` is the same as `zorora web`."""

import sys

from ui.terminal.main import main

if __name__ == "__main__":
    sys.exit(main(["web", *sys.argv[1:]]))
