"""Work on code."""

from ui.terminal.command import JSON, Command, flag

_FLAGS = (flag("request", help="the task", nargs="*", metavar="REQUEST"), JSON)

COMMANDS: tuple[Command, ...] = (
    Command(
        name="code",
        help="edit the file that is named, or plan and make new ones; every change is shown first",
        function="code.code",
        flags=_FLAGS,
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
        function="code.develop",
        flags=_FLAGS,
        text=True,
        examples=('develop "add a --verbose flag to the command line"',),
    ),
    Command(
        name="tool",
        help="call a tool by hand, or list them; what writes or starts a program asks first",
        function="tools.tool",
        flags=(
            flag(
                "call",
                help="a tool and its arguments as JSON; the list of tools without",
                nargs="*",
                metavar="NAME JSON",
            ),
            JSON,
        ),
        text=True,
        examples=(
            "tool",
            'tool list_files \'{"path": "."}\'',
            'tool search_documents \'{"query": "tea"}\'',
        ),
    ),
)
