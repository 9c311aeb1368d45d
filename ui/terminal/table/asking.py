"""Asking: about a finished research, a model, the news and the web, documents, pictures."""

from ui.terminal.command import JSON, Command, flag
from ui.terminal.table.flags import at_least_one, switch

_QUESTION = flag("question", help="the question", nargs="*", metavar="QUESTION")

COMMANDS: tuple[Command, ...] = (
    Command(
        name="follow",
        help="ask about a finished report: answered from its stored texts, kept with it",
        function="ask.follow",
        flags=(
            flag(
                "id",
                help="id of a report, its beginning, or `last` (the last report)",
                metavar="ID",
            ),
            _QUESTION,
            switch("--further", help="search for it on the network: a new revision of the report"),
            switch("--list", help="what was asked so far, with the answers"),
            JSON,
        ),
        examples=(
            'follow last "How large was the sample?"',
            'follow last "And in children?" --further',
        ),
    ),
    Command(
        name="search",
        help="a quick search of your documents, the newsroom and the web",
        function="ask.search",
        flags=(_QUESTION, switch("--brief", help="print only the answer"), JSON),
        text=True,
        examples=('search "heat pump subsidies 2026"',),
    ),
    Command(
        name="academic",
        help="scholarly works as a table",
        function="ask.academic",
        flags=(
            _QUESTION,
            flag("--limit", help="how many works", metavar="N", type=at_least_one, default=20),
            JSON,
        ),
        examples=('academic "sleep spindles memory" --limit 10',),
    ),
    Command(
        name="ask",
        help="ask the reasoning model; nothing is searched, the conversation is kept",
        function="ask.ask",
        flags=(
            _QUESTION,
            flag(
                "--in",
                help="continue this conversation (default at the prompt: the one before)",
                metavar="ID",
                dest="within",
            ),
            switch("--new", help="begin a new conversation"),
            JSON,
        ),
        text=True,
        examples=('ask "What is a confounder?"', 'ask "And an example?" --in what_is_a'),
    ),
    Command(
        name="list",
        help="list the conversations",
        function="ask.conversations",
        flags=(flag("--limit", help="how many", metavar="N", type=at_least_one, default=20), JSON),
        examples=("list",),
    ),
    Command(
        name="save",
        help="name the last report or conversation",
        function="ask.save",
        flags=(
            flag("name", help="the name", nargs="*", metavar="NAME"),
            flag("--id", help="which one (default: the last)", metavar="ID"),
        ),
        examples=("save heat pumps", "load heat pumps"),
    ),
    Command(
        name="load",
        help="reopen a conversation or a report by its name or id; without one the newest "
        "conversation",
        function="ask.load",
        flags=(
            flag("name", help="the name, the id or its beginning", nargs="*", metavar="NAME"),
            JSON,
        ),
        examples=("load what_is_a", "load heat pumps"),
    ),
    Command(
        name="analyst",
        help="ask policy documents: the configured endpoint (role nehanda), or your library",
        function="ask.analyst",
        flags=(_QUESTION, JSON),
        text=True,
        examples=('analyst "What does the plan say about storage?"',),
    ),
    Command(
        name="image",
        help="make a picture from words",
        function="ask.image",
        flags=(
            flag("prompt", help="what the picture shows", nargs="*", metavar="PROMPT"),
            flag(
                "--size",
                help="WIDTHxHEIGHT in pixels (default: 1024x1024)",
                metavar="SIZE",
                default="1024x1024",
            ),
            flag("-o", "--output", help="file to write", metavar="FILE"),
            JSON,
        ),
        examples=('image "a water mill in winter" -o mill.png',),
    ),
    Command(
        name="vision",
        help="describe a picture, or ask about it",
        function="ask.vision",
        flags=(
            flag("file", help="a PNG, JPEG, GIF or WebP picture", metavar="FILE"),
            flag("task", help="what to look for (default: describe it)", nargs="*", metavar="TASK"),
            JSON,
        ),
        examples=('vision chart.png "Read out the values"',),
    ),
)
