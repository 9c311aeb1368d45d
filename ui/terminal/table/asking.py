"""Asking: about a finished research, a model, the news and the web, documents, pictures."""

from ui.terminal.command import Command
from ui.terminal.commands import ask

COMMANDS: tuple[Command, ...] = (
    Command(
        name="follow",
        help="ask about a finished report: answered from its stored texts, kept with it",
        run=ask.follow,
        flags=ask.FOLLOW,
        examples=(
            'follow last "How large was the sample?"',
            'follow last "And in children?" --further',
        ),
    ),
    Command(
        name="search",
        help="a quick search of your documents, the newsroom and the web",
        run=ask.search,
        flags=ask.SEARCH,
        text=True,
        examples=('search "heat pump subsidies 2026"',),
    ),
    Command(
        name="academic",
        help="scholarly works as a table",
        run=ask.academic,
        flags=ask.ACADEMIC,
        examples=('academic "sleep spindles memory" --limit 10',),
    ),
    Command(
        name="ask",
        help="ask the reasoning model; nothing is searched, the conversation is kept",
        run=ask.ask,
        flags=ask.ASK,
        text=True,
        examples=('ask "What is a confounder?"', 'ask "And an example?" --in what_is_a'),
    ),
    Command(
        name="list",
        help="list the conversations",
        run=ask.conversations,
        flags=ask.CONVERSATIONS,
        examples=("list",),
    ),
    Command(
        name="save",
        help="name the last report or conversation",
        run=ask.save,
        flags=ask.SAVE,
        examples=("save heat pumps", "load heat pumps"),
    ),
    Command(
        name="load",
        help="reopen a conversation or a report by its name or id; without one the newest "
        "conversation",
        run=ask.load,
        flags=ask.LOAD,
        examples=("load what_is_a", "load heat pumps"),
    ),
    Command(
        name="analyst",
        help="ask policy documents: the configured endpoint (role nehanda), or your library",
        run=ask.analyst,
        flags=ask.ANALYST,
        text=True,
        examples=('analyst "What does the plan say about storage?"',),
    ),
    Command(
        name="image",
        help="make a picture from words",
        run=ask.image,
        flags=ask.IMAGE,
        examples=('image "a water mill in winter" -o mill.png',),
    ),
    Command(
        name="vision",
        help="describe a picture, or ask about it",
        run=ask.vision,
        flags=ask.VISION,
        examples=('vision chart.png "Read out the values"',),
    ),
)
