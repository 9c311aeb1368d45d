"""Flags that several commands share, or that are too many to stand in the table of commands."""

from engine.models import SOURCE_TYPES
from ui.terminal.command import JSON, Flag, flag
from ui.terminal.commands import elsewhere
from ui.terminal.commands.research import at_least_one, iso_date, source_list

ID = flag("id", help="id of a report, its beginning, or `last`", nargs="?", metavar="ID")
OUTPUT = (
    flag("-o", "--output", help="write to this file; its suffix is the format", metavar="FILE"),
    flag(
        "--format", help="print or write this export format instead of the report", metavar="FORMAT"
    ),
    flag("--with-snapshots", help="include the stored texts in a JSON record", action="store_true"),
)
PERIOD = (
    flag("--since", help="only what is dated on or after this day", metavar="DATE", type=iso_date),
    flag("--until", help="only what is dated on or before this day", metavar="DATE", type=iso_date),
)


def switch(*names: str, help: str) -> Flag:
    """A flag without a value."""
    return flag(*names, help=help, action="store_true")


def each(name: str, metavar: str, help: str) -> Flag:
    """A flag that may be given several times."""
    return flag(name, metavar=metavar, help=help, action="append")


DEPTH = flag("--depth", help="1 quick, 2 balanced, 3 thorough", type=int, choices=(1, 2, 3))
BRIEF = switch(
    "--brief", help="print only the answer, and nothing else; in a pipe one line a paragraph"
)
ALL = switch(
    "--all", help="also how it was researched: every source, what was set aside, the figures"
)
RESEARCH: tuple[Flag, ...] = (
    flag(
        "query",
        help="the question; a - after it adds the text of standard input",
        nargs="*",
        metavar="QUESTION",
    ),
    flag("--batch", help="research each line of this file", metavar="FILE"),
    switch("--again", help="with --batch: also the questions answered in an earlier run"),
    elsewhere.FLAG,
    flag("--replay", help="do this report again over its stored texts, and compare", metavar="ID"),
    flag(
        "--sources",
        help="kinds of sources: academic,web,newsroom,local",
        metavar="LIST",
        type=source_list,
    ),
    flag(
        "--docs",
        help="files or folders of your own to use in this run",
        metavar="PATH",
        nargs="+",
        action="extend",
    ),
    switch(
        "--no-clarify", help="never ask for clarification; take the likeliest meaning and say so"
    ),
    switch("--detach", help="start it in the background and print its id"),
    switch("--show-hosts", help="list the services this would search, without searching"),
    switch("--offline", help="open no connection: your documents and the cache only"),
    *PERIOD,
    each("--site", "HOST", "only pages of this site (may be repeated)"),
    each("--exclude-site", "HOST", "no pages of this site (may be repeated)"),
    flag("--lang", help="language of the sources, for instance en", metavar="CODE"),
    each("--url", "URL", "read this page first (may be repeated)"),
    switch("--lean", help="fetch nothing: abstracts and documents only"),
    flag(
        "--workers",
        help="questions worked on at once; 1 is strictly one after the other",
        metavar="N",
        type=at_least_one,
    ),
    switch("--no-follow", help="skip following citations"),
    switch("--no-cross-reference", help="skip comparing sources with each other"),
    flag("--max-sources", help="keep at most this many sources", metavar="N", type=at_least_one),
    *OUTPUT,
    BRIEF,
    JSON,
)
HISTORY: tuple[Flag, ...] = (
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
    flag("--before", help="the page after this one (printed below a list)", metavar="CURSOR"),
    JSON,
)
SERVE = (
    flag("--port", help="listen on this port (0: a free one)", metavar="N", type=int),
    flag("--host", help="listen on this address", metavar="ADDRESS"),
    each("--allow-host", "NAME", "also answer to this host name, with the token (may be repeated)"),
    switch("--new-token", help="make a new access token and print it"),
    switch("--no-browser", help="print the address and open nothing"),
)
DATA = (
    flag(
        "action",
        help="default: list",
        nargs="?",
        choices=("list", "update", "remove"),
        metavar="ACTION",
    ),
    flag("name", help="with remove: the list", nargs="?", metavar="NAME"),
    flag("--retractions", help="load this Retraction Watch CSV instead", metavar="PATH|URL"),
    flag("--journals", help="load this journal CSV of DOAJ instead", metavar="PATH|URL"),
    each(
        "--predatory",
        "PATH|URL",
        "load this list of predatory publishers or journals (may be repeated)",
    ),
    switch("--force", help="accept a file with fewer than half of the current rows"),
    JSON,
)
