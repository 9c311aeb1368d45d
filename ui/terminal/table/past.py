"""What can be done with past researches."""

from engine.models import SOURCE_TYPES
from ui.terminal.command import JSON, Command, flag
from ui.terminal.table.flags import ALL, BRIEF, ID, OUTPUT, PERIOD, at_least_one, each, switch

_ONE = flag("id", help="id of a report, its beginning, or `last`", metavar="ID")

COMMANDS: tuple[Command, ...] = (
    Command(
        name="history",
        help="list or search past reports",
        function="history.history",
        flags=(
            flag(
                "query",
                help="words to look for in questions, reports, sources, tags, notes",
                nargs="*",
                metavar="QUERY",
            ),
            flag("--limit", help="how many to list", metavar="N", type=at_least_one, default=20),
            each("--status", "STATUS", "only these: complete, partial, failed, cancelled"),
            switch("--starred", help="only starred ones"),
            flag("--tag", help="only with this tag", metavar="TAG"),
            flag("--source-type", help="only with sources of this kind", choices=SOURCE_TYPES),
            *PERIOD,
            switch("--bin", help="what was deleted in the last 30 days"),
            flag(
                "--before", help="the page after this one (printed below a list)", metavar="CURSOR"
            ),
            JSON,
        ),
        examples=("history", "history vaccines --starred", "history --since 2026-01 --json"),
    ),
    Command(
        name="show",
        help="show a report again; of a running one, its progress",
        function="research.show",
        flags=(ID, ALL, *OUTPUT, BRIEF, JSON),
        aliases=("research-view",),
        examples=("show last", "show last --all", "show last --json --with-snapshots"),
    ),
    Command(
        name="export",
        help="write a report in another format",
        function="history.export",
        flags=(
            ID,
            flag("wanted", help="the format", nargs="?", metavar="FORMAT"),
            *OUTPUT,
            switch("--list", help="list the formats"),
            JSON,
        ),
        examples=("export last html -o report.html", "export last json --with-snapshots"),
    ),
    Command(
        name="open",
        help="open a report in the browser",
        function="web.open_page",
        flags=(ID, switch("--no-browser", help="print the address and open nothing")),
        examples=("open last",),
    ),
    Command(
        name="visualize",
        help="draw the citation graph of a report, here and in the browser",
        function="web.visualize",
        flags=(
            ID,
            flag(
                "--limit",
                help="how many sources to draw",
                metavar="N",
                type=at_least_one,
                default=25,
            ),
            switch("--no-browser", help="draw it here only"),
            JSON,
        ),
        examples=("visualize last", "visualize last --json"),
    ),
    Command(
        name="star",
        help="bookmark a report",
        function="history.star",
        flags=(ID, switch("--off", help="remove the bookmark"), JSON),
        examples=("star last", "star last --off"),
    ),
    Command(
        name="tag",
        help="add tags to a report, or show them",
        function="history.tag",
        flags=(
            ID,
            flag("tags", help="the tags", nargs="*", metavar="TAG"),
            switch("--clear", help="replace the existing tags, but keep a name given by `save`"),
            JSON,
        ),
        examples=("tag last health review",),
    ),
    Command(
        name="note",
        help="write a note on a report, or show it",
        function="history.note",
        flags=(
            ID,
            flag("text", help="the note", nargs="*", metavar="TEXT"),
            switch("--clear", help="remove the note"),
            JSON,
        ),
        examples=('note last "Compare with the trial of 2021"', "note last"),
    ),
    Command(
        name="delete",
        help="move a report to the bin",
        function="history.delete",
        flags=(
            ID,
            switch("--now", help="remove it for good, with everything only it uses"),
            switch("--yes", help="do not ask for confirmation"),
            JSON,
        ),
        examples=("delete last", "delete last --now"),
    ),
    Command(
        name="undelete",
        help="bring a report back from the bin",
        function="history.undelete",
        flags=(ID, JSON),
        examples=("undelete does_coffee_harm_sleep_20260102_101500",),
    ),
    Command(
        name="exclude",
        help="leave a source out of a finished report: a new revision, nothing is fetched",
        function="revisions.revise",
        flags=(
            _ONE,
            flag("source", help="tag (S1), id or address of the source", metavar="SOURCE"),
            JSON,
        ),
        examples=("exclude last S3",),
    ),
    Command(
        name="include",
        help="add a source back to a report, or add a document of the library",
        function="revisions.revise",
        flags=(
            _ONE,
            flag(
                "source",
                help="tag, id or address of the source, or name of a document",
                metavar="SOURCE",
            ),
            JSON,
        ),
        examples=("include last S3", 'include last "minutes.docx"'),
    ),
    Command(
        name="deeper",
        help="search and read on for at least one more round: a new revision",
        function="revisions.revise",
        flags=(ID, JSON),
        examples=("deeper last",),
    ),
    Command(
        name="recheck",
        help="read the cited pages again and report passages that are gone, and retractions",
        function="revisions.recheck",
        flags=(ID, JSON),
        examples=("recheck last --json",),
    ),
    Command(
        name="rescore",
        help="score the sources of a report again by today's tables: a new revision",
        function="revisions.revise",
        flags=(ID, JSON),
        examples=("rescore last",),
    ),
    Command(
        name="revisions",
        help="list the revisions of a report, or show an older one",
        function="revisions.revisions",
        flags=(ID, flag("--show", help="show this revision", metavar="N", type=at_least_one), JSON),
        examples=("revisions last", "revisions last --show 1"),
    ),
    Command(
        name="import",
        help="bring in a record that was exported elsewhere",
        function="history.bring_in",
        flags=(flag("file", help="a record (JSON)", metavar="FILE"), JSON),
        examples=("import heat_pumps.json",),
    ),
)
