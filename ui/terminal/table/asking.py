"""Asking: about a finished research, a model, the news and the web, documents, pictures."""

from ui.terminal import do_ask
from ui.terminal.command import Command

COMMANDS: tuple[Command, ...] = (
    Command(
        name="follow",
        help="ask about a finished report: answered from its stored texts, kept with it",
        run=do_ask.follow,
        flags=do_ask.FOLLOW,
        examples=('follow last "How large was the sample?"', 'follow last "And in children?" --further'),
    ),
    Command(
        name="search",
        help="a quick search of your documents, the newsroom and the web",
        run=do_ask.search,
        flags=do_ask.SEARCH,
        text=True,
        examples=('search "heat pump subsidies 2026"',),
    ),
    Command(
        name="academic",
        help="scholarly works as a table",
        run=do_ask.academic,
        flags=do_ask.ACADEMIC,
        examples=('academic "sleep spindles memory" --limit 10',),
    ),
    Command(
        name="ask",
        help="ask the reasoning model; nothing is searched, the conversation is kept",
        run=do_ask.ask,
        flags=do_ask.ASK,
        text=True,
        examples=('ask "What is a confounder?"', 'ask "And an example?" --in what_is_a'),
    ),
    Command(
        name="list",
        help="list the conversations",
        run=do_ask.conversations,
        flags=do_ask.CONVERSATIONS,
        examples=("list",),
    ),
    Command(
        name="save",
        help="name the last report or conversation",
        run=do_ask.save,
        flags=do_ask.SAVE,
        examples=("save heat pumps", "load heat pumps"),
    ),
    Command(
        name="load",
        help="reopen a conversation or a report by its name or id; without one the newest conversation",
        run=do_ask.load,
        flags=do_ask.LOAD,
        examples=("load what_is_a", "load heat pumps"),
    ),
    Command(
        name="analyst",
        help="ask policy documents: the configured endpoint (role nehanda), or your library",
        run=do_ask.analyst,
        flags=do_ask.ANALYST,
        text=True,
        examples=('analyst "What does the plan say about storage?"',),
    ),
    Command(
        name="image",
        help="make a picture from words",
        run=do_ask.image,
        flags=do_ask.IMAGE,
        examples=('image "a water mill in winter" -o mill.png',),
    ),
    Command(
        name="vision",
        help="describe a picture, or ask about it",
        run=do_ask.vision,
        flags=do_ask.VISION,
        examples=('vision chart.png "Read out the values"',),
    ),
)
