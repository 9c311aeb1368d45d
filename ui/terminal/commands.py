"""The table of commands. Each line is a subcommand of the shell, a slash command of the REPL, and a row of the docs."""

from dataclasses import replace

from ui.terminal import (
    completion,
    do_data,
    do_history,
    do_library,
    do_memory,
    do_models,
    do_research,
    do_settings,
    do_steer,
    do_upkeep,
    do_web,
)
from ui.terminal.command import JSON, Command, find, flag, nearest
from ui.terminal.do_research import at_least_one
from ui.terminal.flags import DATA, DEPTH, HISTORY, ID, OUTPUT, RESEARCH, SERVE, switch


def _table(group: str, *commands: Command) -> tuple[Command, ...]:
    return tuple(replace(command, group=group) for command in commands)


_ONE = flag("id", help="id of a research, its beginning, or `last`", metavar="ID")

COMMANDS: tuple[Command, ...] = (
    *_table(
        "Research",
        Command(
            name="research",
            help="research a question and print the cited report",
            run=do_research.research,
            flags=(DEPTH, *RESEARCH),
            examples=(
                'research "How do vaccines work?"',
                'research "What do my papers say about sleep?" --docs papers --sources local',
                'research "Does coffee raise blood pressure?" --depth 3 --json > record.json',
            ),
        ),
        Command(
            name="deep",
            help="the same at depth 3",
            run=do_research.deep,
            flags=RESEARCH,
            examples=('deep "How do vaccines work?"',),
        ),
        Command(
            name="jobs",
            help="list what is queued, running or waiting",
            run=do_research.jobs,
            flags=(switch("--all", help="also what is over"), JSON),
        ),
        Command(name="watch", help="follow a running research live", run=do_research.watch, flags=(ID,)),
        Command(
            name="answer",
            help="answer what a research asked",
            run=do_research.answer,
            flags=(ID, flag("answer", help="a number, yes or no, or your own words", nargs="*", metavar="ANSWER")),
            examples=("answer last 2", 'answer last "the one at MIT"'),
        ),
        Command(
            name="cancel",
            help="stop a research and keep what it found",
            run=do_research.cancel,
            flags=(ID, JSON),
        ),
        Command(
            name="resume",
            help="take over an interrupted research and bring it to its end",
            run=do_research.resume,
            flags=(ID, switch("--force", help="try again although it stopped three times"), *OUTPUT, JSON),
        ),
        Command(
            name="worker",
            help="run one queued research in this process (the engine starts these)",
            run=do_research.worker,
            flags=(flag("job", help="id of the research", metavar="JOB"),),
            repl=False,
        ),
    ),
    *_table(
        "Past researches",
        Command(
            name="history",
            help="list or search past researches",
            run=do_history.history,
            flags=HISTORY,
            examples=("history", "history vaccines --starred", "history --since 2026-01 --json"),
        ),
        Command(
            name="show",
            help="show a research again; of a running one, its progress",
            run=do_history.show,
            flags=(ID, *OUTPUT, JSON),
            aliases=("research-view",),
            examples=("show last", "show last --json --with-snapshots"),
        ),
        Command(
            name="export",
            help="write a research in another format",
            run=do_history.export,
            flags=(
                ID,
                flag("wanted", help="the format", nargs="?", metavar="FORMAT"),
                *OUTPUT,
                switch("--list", help="list the formats"),
            ),
            examples=("export last html -o report.html", "export last json --with-snapshots"),
        ),
        Command(
            name="open",
            help="open a research in the browser",
            run=do_web.open_page,
            flags=(ID, switch("--no-browser", help="print the address and open nothing")),
        ),
        Command(
            name="star",
            help="bookmark a research",
            run=do_history.star,
            flags=(ID, switch("--off", help="take the bookmark away")),
        ),
        Command(
            name="tag",
            help="add tags to a research, or show them",
            run=do_history.tag,
            flags=(
                ID,
                flag("tags", help="the tags", nargs="*", metavar="TAG"),
                switch("--clear", help="remove the tags there are first"),
            ),
            examples=("tag last health review",),
        ),
        Command(
            name="note",
            help="write a note on a research, or show it",
            run=do_history.note,
            flags=(
                ID,
                flag("text", help="the note", nargs="*", metavar="TEXT"),
                switch("--clear", help="remove the note"),
            ),
        ),
        Command(
            name="delete",
            help="move a research to the bin",
            run=do_history.delete,
            flags=(
                ID,
                switch("--now", help="remove it for good, with everything only it uses"),
                switch("--yes", help="do not ask back"),
            ),
        ),
        Command(name="undelete", help="bring a research back from the bin", run=do_history.undelete, flags=(ID,)),
        Command(
            name="exclude",
            help="leave a source out of a finished research: a new revision, nothing is fetched",
            run=do_steer.exclude,
            flags=(_ONE, flag("source", help="tag (S1), id or address of the source", metavar="SOURCE"), JSON),
            examples=("exclude last S3",),
        ),
        Command(
            name="include",
            help="take a source back into a research, or a document of the library in",
            run=do_steer.include,
            flags=(
                _ONE,
                flag("source", help="tag, id or address of the source, or name of a document", metavar="SOURCE"),
                JSON,
            ),
            examples=("include last S3", 'include last "minutes.docx"'),
        ),
        Command(
            name="deeper",
            help="search and read on for at least one more round: a new revision",
            run=do_steer.deeper,
            flags=(ID, JSON),
        ),
        Command(
            name="recheck",
            help="read the cited pages again and report passages that are gone, and retractions",
            run=do_steer.recheck,
            flags=(ID, JSON),
        ),
        Command(
            name="rescore",
            help="score the sources of a research by the tables of today: a new revision",
            run=do_steer.rescore,
            flags=(ID, JSON),
        ),
        Command(
            name="revisions",
            help="list the revisions of a research, or show an older one",
            run=do_steer.revisions,
            flags=(ID, flag("--show", help="show this revision", metavar="N", type=at_least_one), JSON),
        ),
        Command(
            name="import",
            help="bring in a record that was exported elsewhere",
            run=do_history.bring_in,
            flags=(flag("file", help="a record (JSON)", metavar="FILE"), JSON),
            examples=("import heat_pumps.json",),
        ),
    ),
    *_table(
        "Documents and sources",
        Command(
            name="ingest",
            help="read your documents into the library",
            run=do_library.ingest,
            flags=(flag("paths", help="files or folders", nargs="*", metavar="PATH"), JSON),
            examples=("ingest papers notes.md",),
        ),
        Command(
            name="library",
            help="list your documents, or search inside them",
            run=do_library.library,
            flags=(
                flag("query", help="words to look for", nargs="*", metavar="QUERY"),
                flag("--limit", help="how many passages", metavar="N", type=at_least_one, default=20),
                flag("--add", help="let researches and the page read this folder", metavar="DIR"),
                flag("--remove", help="take a document out of the library", metavar="DOCUMENT"),
                switch("--folders", help="list the document folders"),
                JSON,
            ),
        ),
        Command(
            name="sources",
            help="list the source clients and how they are doing",
            run=do_data.sources,
            flags=(
                flag("names", help="with --check: only these", nargs="*", metavar="NAME"),
                switch("--check", help="ask each that is on one question now, past the cache"),
                JSON,
            ),
            examples=("sources", "sources --check openalex arxiv"),
        ),
        Command(
            name="data",
            help="list, load and remove the lists of retractions, open-access journals and predatory publishers",
            run=do_data.data,
            flags=DATA,
            examples=("data", "data update", "data update --retractions retraction_watch.csv"),
        ),
        Command(
            name="cache",
            help="list, show and drop the kept answers of services and pages",
            run=do_data.cache,
            flags=(
                flag("action", help="default: list", nargs="?", choices=("list", "show", "clear"), metavar="ACTION"),
                flag("id", help="id of a kept answer", nargs="?", metavar="ID"),
                flag("--limit", help="how many to list", metavar="N", type=at_least_one, default=50),
                flag("--older-than", help="drop only what is older", metavar="DAYS", type=do_data.days),
                JSON,
            ),
            examples=("cache list", "cache clear --older-than 30"),
        ),
        Command(
            name="remember",
            help="keep a note in the research memory",
            run=do_memory.remember,
            flags=do_memory.REMEMBER,
            examples=('remember "Spindles predict memory" --source 10.1000/xyz --tag sleep',),
        ),
        Command(
            name="recall",
            help="what is known already: notes, and verified claims of past researches",
            run=do_memory.recall,
            flags=do_memory.RECALL,
            examples=("recall sleep and memory",),
        ),
        Command(
            name="route",
            help="say what a line typed at the prompt would do",
            run=do_library.route,
            flags=(flag("line", help="the line", nargs="*", metavar="LINE"), JSON),
            examples=('route "why do files get corrupted"',),
        ),
    ),
    *_table(
        "Configuration",
        Command(
            name="config",
            help="list, read and change settings",
            run=do_settings.config,
            flags=(
                flag(
                    "action", help="default: list", nargs="?", choices=("list", "get", "set", "path"), metavar="ACTION"
                ),
                flag("words", help="NAME, or NAME VALUE", nargs="*", metavar="NAME VALUE"),
                JSON,
            ),
            examples=(
                "config list research",
                "config get research.depth",
                "config set research.depth 3",
                "config path",
            ),
        ),
        Command(
            name="keys",
            help="list keys, or store one",
            run=do_settings.keys,
            flags=(
                flag("action", help="list or set", nargs="?", choices=("list", "set"), metavar="ACTION"),
                flag("name", help="name of the key", nargs="?", metavar="NAME"),
                JSON,
            ),
            examples=("keys list", "keys set BRAVE_SEARCH_API_KEY"),
        ),
        Command(
            name="models",
            help="list models and model servers; look for local ones, choose, test",
            run=do_models.models,
            flags=do_models.FLAGS,
            examples=(
                "models",
                "models detect",
                "models set reasoning ollama llama3.1:8b",
                "models test",
                "models add lab http://10.0.0.5:8000/v1 --key LAB_API_KEY",
            ),
        ),
        Command(
            name="web",
            help="serve the web page and open it",
            run=do_web.web,
            flags=SERVE,
            examples=("web", "web --port 8080 --no-browser"),
            repl=False,
        ),
        Command(
            name="mcp",
            help="serve other programs over the Model Context Protocol (standard input and output)",
            run=do_memory.mcp,
            repl=False,
        ),
    ),
    *_table(
        "Upkeep",
        Command(name="doctor", help="check this installation", run=do_upkeep.doctor, flags=(JSON,)),
        Command(
            name="repair-db",
            help="rebuild the database from the records",
            run=do_upkeep.repair,
            repl=False,
        ),
        Command(
            name="backup",
            help="write a verified copy of the database",
            run=do_upkeep.backup,
            flags=(flag("path", help="where to (default: the folder backups)", nargs="?", metavar="PATH"),),
        ),
        Command(
            name="restore",
            help="put a backup back in place",
            run=do_upkeep.restore,
            flags=(flag("path", help="the backup", nargs="?", metavar="FILE"),),
            repl=False,
        ),
        Command(
            name="completion",
            help="print the completion script of a shell",
            run=completion.completion,
            flags=completion.FLAGS,
            examples=("completion bash >> ~/.bashrc", "completion fish > ~/.config/fish/completions/zorora.fish"),
            repl=False,
        ),
        Command(name="version", help="print the versions", run=do_upkeep.version, flags=(JSON,)),
    ),
)


def shell_command(name: str) -> Command | None:
    """The command of `zorora NAME`."""
    return find((command for command in COMMANDS if command.shell), name)


def repl_command(name: str) -> Command | None:
    """The command of `/NAME`."""
    return find((command for command in COMMANDS if command.repl), name)


def suggestion(name: str, repl: bool = False) -> str | None:
    """The command whose name is nearest to a mistyped one."""
    offered = [command for command in COMMANDS if (command.repl if repl else command.shell)]
    return nearest(name, [word for command in offered for word in (command.name, *command.aliases)])
