"""Care of the installation."""

from ui.terminal.command import JSON, Command, flag
from ui.terminal.table.flags import switch

COMMANDS: tuple[Command, ...] = (
    Command(
        name="doctor",
        help="check this installation",
        function="upkeep.doctor",
        flags=(switch("--quick", help="look at a sample of the records and texts"), JSON),
        examples=("doctor", "doctor --quick", "doctor --json"),
    ),
    Command(
        name="repair-db",
        help="rebuild the database from the records",
        function="upkeep.repair",
        repl=False,
        examples=("repair-db",),
    ),
    Command(
        name="backup",
        help="write a verified copy of the database",
        function="upkeep.backup",
        flags=(
            flag(
                "path",
                help="file to write (default: in the folder backups)",
                nargs="?",
                metavar="PATH",
            ),
            JSON,
        ),
        examples=("backup", "backup /media/stick/zorora.db"),
    ),
    Command(
        name="restore",
        help="put a backup back in place",
        function="upkeep.restore",
        flags=(flag("path", help="the backup", nargs="?", metavar="FILE"), JSON),
        repl=False,
        examples=("restore zorora-20260102-101500-manual.db",),
    ),
    Command(
        name="completion",
        help="print the completion script of a shell",
        function="completion.completion",
        flags=(
            flag(
                "shell",
                help="bash, zsh or fish",
                choices=("bash", "zsh", "fish", "words"),
                metavar="SHELL",
            ),
            flag("words", help="with words: of the line so far", nargs="*", metavar="WORD"),
        ),
        examples=(
            "completion bash >> ~/.bashrc",
            "completion fish > ~/.config/fish/completions/zorora.fish",
        ),
        repl=False,
    ),
    Command(
        name="version",
        help="print the versions",
        function="upkeep.version",
        flags=(JSON,),
        examples=("version --json",),
    ),
)
