"""Documents, sources, memory."""

from ui.terminal.command import JSON, Command, flag
from ui.terminal.commands import elsewhere
from ui.terminal.table.flags import at_least_one, days, each, switch

COMMANDS: tuple[Command, ...] = (
    Command(
        name="ingest",
        help="read your documents into the library",
        function="library.ingest",
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
        function="library.library",
        flags=(
            flag("query", help="words to look for", nargs="*", metavar="QUERY"),
            flag("--limit", help="how many passages", metavar="N", type=at_least_one, default=20),
            flag("--add", help="let reports and the page read this folder", metavar="DIR"),
            flag("--remove", help="take a document out of the library", metavar="DOCUMENT"),
            switch("--folders", help="list the document folders"),
            JSON,
        ),
        examples=("library", "library spindles and memory", "library --add ~/papers"),
    ),
    Command(
        name="sources",
        help="list the source clients and how they are doing",
        function="data.sources",
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
        function="data.data",
        flags=(
            flag(
                "action",
                help="default: list",
                nargs="?",
                choices=("list", "update", "remove"),
                metavar="ACTION",
            ),
            flag("name", help="with remove: the list", nargs="?", metavar="NAME"),
            flag(
                "--retractions", help="load this Retraction Watch CSV instead", metavar="PATH|URL"
            ),
            flag("--journals", help="load this journal CSV of DOAJ instead", metavar="PATH|URL"),
            each(
                "--predatory",
                "PATH|URL",
                "load this list of predatory publishers or journals (may be repeated)",
            ),
            switch("--force", help="accept a file with fewer than half of the current rows"),
            JSON,
        ),
        examples=("data", "data update", "data update --retractions retraction_watch.csv"),
    ),
    Command(
        name="cache",
        help="list, show and delete cached answers and pages",
        function="data.cache",
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
            flag("--older-than", help="delete only older ones", metavar="DAYS", type=days),
            JSON,
        ),
        examples=("cache list", "cache clear --older-than 30"),
    ),
    Command(
        name="remember",
        help="save a note in the research memory",
        function="memory.remember",
        flags=(
            flag("note", help="the note", nargs="*", metavar="NOTE"),
            flag("--source", help="where it comes from: an address, a DOI", metavar="SOURCE"),
            each("--tag", "TAG", "a word to find it by (may be repeated)"),
            switch("--sessions", help="list the sessions that notes belong to"),
            flag("--forget", help="delete the notes of a session", metavar="SESSION"),
            JSON,
        ),
        examples=('remember "Spindles predict memory" --source 10.1000/xyz --tag sleep',),
    ),
    Command(
        name="recall",
        help="look up notes and verified claims of past reports",
        function="memory.recall",
        flags=(
            flag(
                "query",
                help="what to look for; without it, the newest notes",
                nargs="*",
                metavar="QUERY",
            ),
            flag("--limit", help="how many of each", metavar="N", type=at_least_one, default=10),
            switch("--all-sessions", help="also notes of other sessions"),
            JSON,
        ),
        examples=("recall sleep and memory",),
    ),
    Command(
        name="route",
        help="say what a line typed at the prompt would do",
        function="library.route",
        flags=(flag("line", help="the line", nargs="*", metavar="LINE"), JSON),
        examples=('route "why do files get corrupted"',),
    ),
)
