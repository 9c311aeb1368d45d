"""Flags that several commands share, or that are too many to stand in the table of commands."""

import re
from argparse import ArgumentTypeError
from datetime import date

from engine.models import SOURCE_TYPES
from ui.terminal.command import JSON, Flag, did_you_mean, flag
from ui.terminal.commands import elsewhere
from ui.terminal.render.plain import plain

_DATE = re.compile(r"^\d{4}(-\d{2}(-\d{2})?)?$")


def source_list(text: str) -> tuple[str, ...]:
    """argparse type of --sources: comma-separated kinds of sources."""
    names = tuple(dict.fromkeys(name.strip().lower() for name in text.split(",") if name.strip()))
    for name in names:
        if name not in SOURCE_TYPES:
            raise ArgumentTypeError(
                f'"{plain(name)}" is not one of {", ".join(SOURCE_TYPES)}.'
                + did_you_mean(name, SOURCE_TYPES)
            )
    if not names:
        raise ArgumentTypeError(f"name at least one of {', '.join(SOURCE_TYPES)}")
    return names


def iso_date(text: str) -> str:
    """argparse type of --since and --until: 2024, 2024-05 or 2024-05-31."""
    first_day = text + "-01-01"[len(text) - 4 :]  # of a year or a month alone
    try:
        date.fromisoformat(first_day if _DATE.match(text) else "")
    except ValueError:
        raise ArgumentTypeError(
            f'"{plain(text)}" is not a date like 2024, 2024-05 or 2024-05-31'
        ) from None
    return text


def at_least_one(text: str) -> int:
    """argparse type of counts."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= 1000:
        raise ArgumentTypeError(f'"{plain(text)}" is not a number from 1 to 1000')
    return int(text)


def days(text: str) -> float:
    """argparse type of --older-than: days, also a part of one."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 36_500:
        raise ArgumentTypeError(f'"{plain(text)}" is not a number of days')
    return number


def switch(*names: str, help: str) -> Flag:
    """A flag without a value."""
    return flag(*names, help=help, action="store_true")


def each(name: str, metavar: str, help: str) -> Flag:
    """A flag that may be given several times."""
    return flag(name, metavar=metavar, help=help, action="append")


ID = flag("id", help="id of a report, its beginning, or `last`", nargs="?", metavar="ID")
OUTPUT = (
    flag("-o", "--output", help="write to this file; its suffix is the format", metavar="FILE"),
    flag(
        "--format", help="print or write this export format instead of the report", metavar="FORMAT"
    ),
    switch("--with-snapshots", help="include the stored texts in a JSON record"),
)
PERIOD = (
    flag("--since", help="only what is dated on or after this day", metavar="DATE", type=iso_date),
    flag("--until", help="only what is dated on or before this day", metavar="DATE", type=iso_date),
)


DEPTH = flag("--depth", help="1 quick, 2 balanced, 3 thorough", type=int, choices=(1, 2, 3))
BRIEF = switch(
    "--brief", help="print only the answer, and nothing else; in a pipe no line is wrapped"
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
