"""Documents, sources, memory."""

from ui.terminal.command import JSON, Command, flag
from ui.terminal.commands import data, elsewhere, library, memory
from ui.terminal.commands.flags import DATA, switch
from ui.terminal.commands.research import at_least_one

COMMANDS: tuple[Command, ...] = (
    Command(
        name="ingest",
        help="read your documents into the library",
        run=library.ingest,
        flags=(
            flag("paths", help="files or folders", nargs="*", metavar="PATH"),
            switch(
                "--wait",
                help="return when search by meaning is prepared too; Ctrl+C leaves the rest for "
                "later",
            ),
            elsewhere.FLAG,
            JSON,
        ),
        examples=("ingest papers notes.md", "ingest --wait", elsewhere.EXAMPLE),
    ),
    Command(
        name="library",
        help="list your documents, or search inside them",
        run=library.library,
        flags=(
            flag("query", help="words to look for", nargs="*", metavar="QUERY"),
            flag("--limit", help="how many passages", metavar="N", type=at_least_one, default=20),
            flag("--add", help="let reports and the page read this folder", metavar="DIR"),
            flag("--remove", help="take a document out of the library", metavar="DOCUMENT"),
            switch("--folders", help="list the document folders"),
            JSON,
        ),
        examples=(
            "library",
            "library spindles and memory",
            "library --add ~/papers",
        ),
    ),
    Command(
        name="sources",
        help="list the source clients and how they are doing",
        run=data.sources,
        flags=(
            flag("names", help="with --check: only these", nargs="*", metavar="NAME"),
            switch("--check", help="ask each that is on one question now, past the cache"),
            JSON,
        ),
        examples=("sources", "sources --check openalex arxiv"),
    ),
    Command(
        name="data",
        help="list, load and remove the lists of retractions, open-access journals and predatory "
        "publishers",
        run=data.data,
        flags=DATA,
        examples=("data", "data update", "data update --retractions retraction_watch.csv"),
    ),
    Command(
        name="cache",
        help="list, show and delete cached answers and pages",
        run=data.cache,
        flags=(
            flag(
                "action",
                help="default: list",
                nargs="?",
                choices=("list", "show", "clear"),
                metavar="ACTION",
            ),
            flag("id", help="id of a cached answer", nargs="?", metavar="ID"),
            flag("--limit", help="how many to list", metavar="N", type=at_least_one, default=50),
            flag("--older-than", help="delete only older ones", metavar="DAYS", type=data.days),
            JSON,
        ),
        examples=("cache list", "cache clear --older-than 30"),
    ),
    Command(
        name="remember",
        help="save a note in the research memory",
        run=memory.remember,
        flags=memory.REMEMBER,
        examples=('remember "Spindles predict memory" --source 10.1000/xyz --tag sleep',),
    ),
    Command(
        name="recall",
        help="look up notes and verified claims of past reports",
        run=memory.recall,
        flags=memory.RECALL,
        examples=("recall sleep and memory",),
    ),
    Command(
        name="route",
        help="say what a line typed at the prompt would do",
        run=library.route,
        flags=(flag("line", help="the line", nargs="*", metavar="LINE"), JSON),
        examples=('route "why do files get corrupted"',),
    ),
)
