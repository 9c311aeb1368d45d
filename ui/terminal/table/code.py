"""Work on code."""

from ui.terminal.command import Command
from ui.terminal.commands import code, tools

COMMANDS: tuple[Command, ...] = (
    Command(
        name="code",
        help="edit the file that is named, or plan and make new ones; every change is shown first",
        run=code.code,
        flags=code.FLAGS,
        text=True,
        examples=(
            'code "fix the rounding in prices.py"',
            'code "a script that renames photos by date"',
            'code "explain prices.py"',
        ),
    ),
    Command(
        name="develop",
        help="plan a change, make it on a new branch in a copy, run the project's checks, offer "
        "the branch",
        run=code.develop,
        flags=code.FLAGS,
        text=True,
        examples=('develop "add a --verbose flag to the command line"',),
    ),
    Command(
        name="tool",
        help="call a tool by hand, or list them; what writes or starts a program asks first",
        run=tools.tool,
        flags=tools.FLAGS,
        text=True,
        examples=(
            "tool",
            'tool list_files \'{"path": "."}\'',
            'tool search_documents \'{"query": "tea"}\'',
        ),
    ),
)
