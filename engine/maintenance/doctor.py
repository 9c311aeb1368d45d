"""What `zorora doctor` looks at: everything that can be wrong with an installation, without
changing any of it.

Works from the configuration alone, so also when the database cannot be opened. What is stored is
looked into in integrity.py.
"""

import os
import shutil
import sqlite3
import stat
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from engine.answers import OK, PROBLEM, WARNING, Check
from engine.clock import days_ago
from engine.home import NETWORK_SYSTEMS, file_system
from engine.maintenance import backup, leftovers, store
from engine.maintenance.integrity import (
    Examination,
    databases,
    examples,
    records,
    search_index,
    texts,
)
from engine.optional_parts import PARTS
from engine.records.verifying import Progress
from engine.settings import keys
from engine.settings.config import Config
from tools.errors import ModelError, StorageError, cause
from tools.text.phrases import counted

LOW_SPACE, NO_SPACE = 500_000_000, 50_000_000  # bytes
OLD_DAYS = 180
OLDEST_SQLITE = (3, 35, 0)
EXTRAS = {
    "embeddings": (("onnxruntime", "numpy"), "search by meaning, the model that reads passages"),
    "keyring": (("keyring",), "keys in the keyring of the system"),
    "pdf": (("weasyprint",), "export as PDF"),
    "mcp": (("mcp",), "the MCP server"),
    "local-model": (("xllamacpp",), "a model inside the process"),
    **{part.extra: (part.modules, part.purpose) for part in PARTS if part.extra},
}
PACKAGES = ("engine", "workflows", "tools", "ui")
LOCKED = "Check the permissions of the home directory and what is in it."


def checks(config: Config, *, quick: bool = False, progress: Progress | None = None) -> list[Check]:
    """Every check, in the order a person would look. Nothing is created or changed; nothing is
    raised.

    quick: look at a sample of records and texts, for seconds at most. progress(what, number, of how
    many).
    """
    results: list[Check] = []
    examination = Examination(config, quick, progress)
    for look in LOOKS:
        try:
            results.extend(look(examination) if look in THOROUGH else look(config))
        except (StorageError, OSError) as error:
            name = look.__name__.replace("_", " ")
            results.append(Check(name, PROBLEM, f"This could not be checked: {error}", LOCKED))
    return results


def home(config: Config) -> Iterator[Check]:
    """The directory: there, ours, on a local disk."""
    place = config.home
    kind = file_system(place)
    if kind in NETWORK_SYSTEMS:
        yield Check(
            "home",
            PROBLEM,
            f"{place} is on a network file system ({kind}).",
            "Set ZORORA_HOME to a local disk.",
        )
    elif not place.exists():
        yield Check("home", OK, f"{place} is not there yet; it is made on first use.")
    elif not place.is_dir():
        yield Check(
            "home", PROBLEM, f"{place} is not a folder.", "Move the file away, or set ZORORA_HOME."
        )
    elif unwritable := [
        path
        for path in (place, config.paths.db.parent, config.paths.findings)
        if path.exists() and not os.access(path, os.W_OK | os.X_OK)
    ]:
        yield Check(
            "home",
            PROBLEM,
            f"{unwritable[0]} cannot be written.",
            "Check its permissions, or set ZORORA_HOME.",
        )
    else:
        yield Check("home", OK, f"{place}")


def permissions(config: Config) -> Iterator[Check]:
    """Nobody else may read what is private."""
    paths = config.paths
    private = (
        paths.home,
        paths.db,
        paths.corpus_db,
        paths.config,
        paths.keys,
        paths.secret_key,
        paths.log,
    )
    if exposed := [
        path
        for path in private
        if path.exists() and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    ]:
        names = ", ".join(str(path) for path in exposed)
        yield Check(
            "permissions",
            WARNING,
            f"Others may read {names}.",
            f"chmod go= {' '.join(map(str, exposed))}",
        )
    else:
        yield Check("permissions", OK, "Only you can read your reports.")


def disk_space(config: Config) -> Iterator[Check]:
    """Room for the next research."""
    place = next(path for path in (config.home, *config.home.parents) if path.exists())
    free = shutil.disk_usage(place).free
    state = PROBLEM if free < NO_SPACE else WARNING if free < LOW_SPACE else OK
    remedy = (
        "" if state == OK else "Free some space; `zorora delete --now` and the bin give room, too."
    )
    yield Check("disk space", state, f"{free / 1e9:.1f} GB free.", remedy)


def configuration(config: Config) -> Iterator[Check]:
    """Each problem of the configuration."""
    state = PROBLEM if config.offline or config.misplaced else WARNING
    for sentence in config.problems:
        yield Check("configuration", state, sentence, "Correct it, or see `zorora config list`.")
    if not config.problems:
        there = "" if config.paths.config.exists() else " (not there; defaults apply)"
        yield Check("configuration", OK, f"{config.paths.config}{there}")


def leftover(config: Config) -> Iterator[Check]:
    """Files that interrupted programs did not finish."""
    files = leftovers.unfinished(config.paths)
    if files:
        size = sum(path.stat().st_size for path in files if path.exists()) / 1e6
        were = f"{counted(len(files), 'file')} {'was' if len(files) == 1 else 'were'}"
        sentence = (
            f"{were} never finished ({size:.1f} MB): {examples([path.name for path in files])}."
        )
        yield Check(
            "unfinished files",
            WARNING,
            sentence,
            "They are removed once a day, or by `zorora repair-db`.",
        )
    else:
        yield Check("unfinished files", OK, "None.")


def backups(config: Config) -> Iterator[Check]:
    """The last copy of the database."""
    copies = backup.list_copies(config.paths)
    if copies:
        yield Check(
            "backups",
            OK,
            f"{counted(len(copies), 'copy', 'copies')}, the last one is {copies[0].name}.",
        )
    else:
        there = config.paths.db.exists()
        yield Check(
            "backups",
            WARNING if there else OK,
            "No copy yet.",
            "`zorora backup` makes one." if there else "",
        )


def stored_keys(config: Config) -> Iterator[Check]:
    """Which keys there are, never what they are."""
    present = [
        f"{key.name} ({key.origin})" for key in keys.status(config) if key.origin != keys.NONE
    ]
    yield Check(
        "keys",
        OK,
        ", ".join(present) + "."
        if present
        else "None. Everything works without; some sources need one.",
    )


def models(config: Config) -> Iterator[Check]:
    """What is set for the roles; nobody is asked."""
    from engine.llm import model_roles

    roles = model_roles.statuses(config)
    for role in roles:
        if role.problem:
            yield Check(
                "models",
                WARNING,
                f"{role.role}: {role.problem}",
                "`zorora models` lists and changes them.",
            )
    names = ", ".join(f"{role.role} {role.model}" for role in roles if role.origin == "configured")
    if names:
        yield Check("models", OK, f"Set for {names}.", "`zorora models test` asks them.")
    elif not any(role.problem for role in roles):
        yield Check(
            "models",
            OK,
            "None is set, and none is needed.",
            "`zorora models detect` looks for local ones.",
        )


def reachability(config: Config) -> Iterator[Check]:
    """Which services answered when they were asked last; nobody is asked."""
    contacts = store.last_contacts(config.paths.corpus_db)
    failed = [
        cause(problem or name).rstrip(".")
        for name, answered_at, failed_at, problem in contacts
        if failed_at > answered_at
    ]
    remedy = "`zorora sources --check` asks every one now."
    if not contacts:
        yield Check("sources", OK, "None has been asked yet.", remedy)
    elif failed:
        were = (
            f"{counted(len(failed), 'service')} of {len(contacts)} gave no answer when asked last"
        )
        yield Check("sources", WARNING, f"{were}: {examples(failed)}.", remedy)
    else:
        yield Check(
            "sources", OK, f"{counted(len(contacts), 'service')} answered when asked last.", remedy
        )


def data_lists(config: Config) -> Iterator[Check]:
    """Retractions and journals: loaded, and not of last year."""
    lists = store.quality_lists(config.paths.corpus_db)
    old = [name for name, dated, _ in lists if dated < days_ago(OLD_DAYS)[:10]]
    remedy = "`zorora data update` loads the whole lists."
    if old:
        yield Check("data lists", WARNING, f"{examples(old)}: older than {OLD_DAYS} days.", remedy)
    elif lists:
        yield Check(
            "data lists",
            OK,
            "; ".join(f"{name} of {dated}, {rows} rows" for name, dated, rows in lists) + ".",
        )
    else:
        yield Check(
            "data lists", OK, "Only the small built-in lists of retractions and journals.", remedy
        )


def model_files(config: Config) -> Iterator[Check]:
    """The installed models that run inside the process: each can be opened."""
    from engine.llm import model_files as installed
    from tools.model_manifest import offers

    roles = {model.role for model in installed.files(config)}
    if "reader" not in roles:
        yield _shipped_reader(config)
    for role in sorted(roles):
        try:
            if missing := installed.missing(role):
                raise ModelError(missing)
            model = installed.described(config, role)
            licence = f"{model.licence}, " if model.licence else ""
            yield Check(role, OK, f"{model.title}, {licence}{model.size / 1e6:.1f} MB.")
        except ModelError as error:
            again = f"`zorora models get {role}` downloads it again." if offers(role) else ""
            yield Check(
                role, PROBLEM, str(error), again or f"`zorora models remove {role}` removes it."
            )


def _shipped_reader(config: Config) -> Check:
    from tools.reading.onnx_reader import find_model

    model = find_model(config.paths.models, shipped=config.get("embeddings.enabled"))
    if model is None:
        return Check(
            "reader", OK, "None is used; passages are ranked by the features of their words."
        )
    try:
        return Check(
            "reader", OK, f"{model.figures.name}, {model.figures.licence}, which comes with Zorora."
        )
    except ModelError as error:
        return Check("reader", PROBLEM, str(error), "Install Zorora again.")


def extras(config: Config) -> Iterator[Check]:
    """Optional parts that are installed."""
    for name, (modules, purpose) in EXTRAS.items():
        missing = [module for module in modules if find_spec(module) is None]
        if not missing:
            yield Check(f"extra {name}", OK, f"Installed: {purpose}.")
        else:
            sentence = f"Not installed: {purpose}" + (
                f" ({', '.join(missing)} missing)." if len(modules) > 1 else "."
            )
            yield Check(
                f"extra {name}", OK, sentence, f"pip install 'zorora[{name}]' if you want it."
            )


def program(config: Config) -> Iterator[Check]:
    """Python, SQLite, and that all four packages come from one place."""
    specs = {name: find_spec(name) for name in PACKAGES}
    places = {
        name: Path(spec.origin).resolve().parents[1]
        for name, spec in specs.items()
        if spec and spec.origin
    }
    installation = Path(__file__).resolve().parents[2]
    for name, place in places.items():
        if place != installation:
            sentence = f"The package {name!r} comes from {place}, not from {installation}."
            yield Check(
                "program",
                PROBLEM,
                sentence,
                f"Something shadows it; PYTHONPATH or the folder {Path.cwd()}?",
            )
    if sqlite3.sqlite_version_info < OLDEST_SQLITE or not store.has_full_text():
        sentence = f"SQLite {sqlite3.sqlite_version} is too old or lacks full text search (FTS5)."
        yield Check("program", PROBLEM, sentence, "Use a Python that brings a newer SQLite.")
    version = ".".join(map(str, sys.version_info[:3]))
    yield Check(
        "program",
        OK,
        f"Python {version}, SQLite {sqlite3.sqlite_version}, installed in {installation}.",
    )


def damage(config: Config) -> str:
    """What is wrong with the databases, in sentences, when a fault of the program may come from it;
    else empty."""
    problems = [check for check in databases(Examination(config)) if check.state == PROBLEM]
    return " ".join(f"{check.message} {check.remedy}" for check in problems)


THOROUGH: tuple[Callable[[Examination], Iterator[Check]], ...] = (databases, records, texts)
LOOKS: tuple[Callable[..., Iterator[Check]], ...] = (
    home, permissions, disk_space, configuration, program, databases, search_index, records, texts,
    leftover, backups, data_lists, reachability, stored_keys, models, model_files, extras,
)  # fmt: skip
