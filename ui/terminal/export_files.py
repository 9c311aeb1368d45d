"""Delivering an export: to standard output, or to a file that never ends half-written."""

import os
from pathlib import Path
from typing import NamedTuple

from engine.answers import Exported
from engine.files import publish, refuse_open, stage
from engine.maintenance.leftovers import clear_folder
from ui.terminal.command import Arguments, UsageError, did_you_mean
from ui.terminal.render.plain import plain
from ui.terminal.session import Session

UNFINISHED = ".zorora-"  # how the names of unfinished exports begin
# What people write for a format, besides its name
SPELLINGS = {"markdown": "md", "htm": "html", "csl-json": "csl", "bib": "bibtex"}


class Delivery(NamedTuple):
    """What to do with a finished report: show it, or, where there is a format, write it so to this
    file. brief: only its answer."""

    format: str | None = None
    output: str | None = None
    with_snapshots: bool = False
    brief: bool = False

    @property
    def to_standard_output(self) -> bool:
        """Whether standard output belongs to a program."""
        return self.format is not None and self.output in (None, "-")

    @classmethod
    def chosen(cls, session: Session, args: Arguments) -> "Delivery":
        """From --json, --format, -o and --with-snapshots; checked before anything runs."""
        wished = "json" if args.json else args.format
        output, brief = args.output, getattr(args, "brief", False)
        if brief and (output or wished not in (None, "json")):
            raise UsageError(
                "--brief prints the answer, alone or with --json; drop --format and -o."
            )
        if wished is None and not output:
            return cls(brief=brief)
        matching = [] if output in (None, "-") else _formats_of(session, output)
        if wished is None:
            wished = matching[0] if matching else Path(output).suffix.lstrip(".") or "md"
        name, _ = find_format(session, wished)
        if output not in (None, "-"):
            _check_file(output, name, matching)
        return cls(name, output, args.with_snapshots, brief)


def _formats_of(session: Session, output: str) -> list[str]:
    """The formats a file may be in by its name, the best first: x.csl.json is CSL, x.json a record
    or CSL."""
    ending = Path(output).suffix.lower()
    formats = session.engine.export_formats()
    longest_first = sorted(formats, key=lambda format: -len(format[2]))
    whole = [name for name, _, suffix in longest_first if output.lower().endswith(suffix)]
    spelt = [SPELLINGS[ending[1:]]] if ending[1:] in SPELLINGS else []
    part = [name for name, _, suffix in formats if ending and suffix.endswith(ending)]
    return list(dict.fromkeys([*whole, *spelt, *part]))


def find_format(session: Session, typed: str) -> tuple[str, str]:
    """(name, suffix) of an export format from its name, suffix or common spelling; raises
    UsageError."""
    formats = session.engine.export_formats()
    name = SPELLINGS.get(typed.lower(), typed.lower())
    for format_id, _, suffix in formats:
        if name in (format_id, suffix.lstrip(".")):
            return format_id, suffix
    names = [format_id for format_id, _, _ in formats]
    raise UsageError(
        f'"{plain(typed)}" is not an export format. Choose one of {", ".join(names)}.'
        + did_you_mean(name, names)
    )


def free_name(session: Session, research_id: str, typed: str) -> str:
    """A file in the working directory for an export that was given none; what is there is never
    replaced."""
    _, suffix = find_format(session, typed)
    numbers = ("", *(f"-{number}" for number in range(2, 1000)))
    names = (f"{Path(research_id).name}{number}{suffix}" for number in numbers)
    return next(candidate for candidate in names if not Path(candidate).exists())


def deliver(session: Session, research_id: str, delivery: Delivery, as_json: bool = False) -> None:
    """Write the export where it was wanted. as_json: a file that was written is told to a
    program."""
    exported = session.engine.export(
        research_id, delivery.format or "md", with_snapshots=delivery.with_snapshots
    )
    if delivery.to_standard_output:
        session.screen.data(printable(exported, session.screen.on_terminal))
    else:
        path, size = write(exported, Path(str(delivery.output))), len(exported.data)
        if as_json:
            session.screen.json(
                {"research_id": research_id, "format": delivery.format, "file": path, "bytes": size}
            )
        else:
            session.screen.note(f"Written: {plain(path)} ({size:,} bytes)")


def printable(exported: Exported, on_terminal: bool) -> bytes:
    """What goes to standard output. UsageError for a file that no terminal can show."""
    if exported.file_name.endswith((".pdf", ".docx")):
        if on_terminal:
            raise UsageError(
                f"This format is not text. Write it to a file: -o {exported.file_name}"
            )
        return exported.data
    return exported.data if exported.data.endswith(b"\n") else exported.data + b"\n"


def write(exported: Exported, path: Path) -> Path:
    """Write atomically; a folder gets the export's own file name."""
    target = path / Path(exported.file_name).name if path.is_dir() else path
    refuse_open(target)
    clear_folder(target.parent, f"{UNFINISHED}????????")
    temporary = stage(target, exported.data, prefix=UNFINISHED)
    temporary.chmod(0o644)  # an export is an ordinary file
    publish(temporary, target)
    return target


def _check_file(output: str, name: str, matching: list[str]) -> None:
    """UsageError for a file whose name belongs to another format, or that cannot be written."""
    if matching and name not in matching:
        raise UsageError(
            f"{plain(output)} is a name for {matching[0]}, not "
            f"for {name}; give the file another name."
        )
    path = Path(output)
    folder = path if path.is_dir() else path.parent
    if not folder.is_dir():
        raise UsageError(f"There is no folder {plain(folder)} to write to.")
    if not os.access(folder, os.W_OK):
        raise UsageError(f"{plain(folder)} cannot be written.")
