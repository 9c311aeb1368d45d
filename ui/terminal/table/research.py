"""Running researches."""

from ui.terminal.command import JSON, Command, flag
from ui.terminal.table.flags import BRIEF, DEPTH, ID, OUTPUT, RESEARCH, switch

COMMANDS: tuple[Command, ...] = (
    Command(
        name="research",
        help="research a question and print the cited report",
        function="research.research",
        flags=(DEPTH, *RESEARCH),
        examples=(
            'research "How do vaccines work?"',
            'research "What do my papers say about sleep?" --docs papers --sources local',
            'research "What was decided?" - < minutes.md',
            'research "Who chairs the group?" --sources local --brief',
            'research "Does coffee raise blood pressure?" --depth 3 --json > record.json',
        ),
    ),
    Command(
        name="deep",
        help="the same at depth 3",
        function="research.deep",
        flags=RESEARCH,
        examples=('deep "How do vaccines work?"',),
    ),
    Command(
        name="jobs",
        help="list what is queued, running or waiting",
        function="jobs.jobs",
        flags=(switch("--all", help="include finished ones"), JSON),
        examples=("jobs", "jobs --all --json"),
    ),
    Command(
        name="watch",
        help="follow a running report live",
        function="research.watch",
        flags=(ID,),
        examples=("watch last",),
    ),
    Command(
        name="answer",
        help="answer the question of a waiting report",
        function="jobs.answer",
        flags=(
            ID,
            flag(
                "answer", help="a number, yes or no, or your own words", nargs="*", metavar="ANSWER"
            ),
        ),
        examples=("answer last 2", 'answer last "the one at MIT"'),
    ),
    Command(
        name="cancel",
        help="stop a report and keep what it found",
        function="jobs.cancel",
        flags=(ID, JSON),
        examples=("cancel last",),
    ),
    Command(
        name="resume",
        help="resume an interrupted report",
        function="research.resume",
        flags=(
            ID,
            switch("--force", help="try again although it stopped three times"),
            *OUTPUT,
            BRIEF,
            JSON,
        ),
        examples=("resume last", "resume last --force"),
    ),
    Command(
        name="worker",
        help="run one queued report in this process (the engine starts these)",
        function="jobs.worker",
        flags=(flag("job", help="id of the report", metavar="JOB"),),
        repl=False,
    ),
)
