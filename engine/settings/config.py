"""Configuration: command line > environment > config.toml > default, read once into a frozen value.

This is the only module that reads the environment. What cannot be understood is a sentence in
`problems`, and the safer choice holds: off, local, less. A file that cannot be read at all takes
the network away (`offline`), since services may be switched off in it. It stops nothing else.
Nothing in a configuration file is ever executed.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from engine.files import locked, write_whole
from engine.home import Paths, layout, make_folder
from engine.settings.setting import Setting, environment_name
from engine.settings.settings_reading import (
    PLACES,
    Problem,
    RawSetting,
    Reading,
    nearest,
    settable,
    shortened,
)
from engine.settings.settings_table import (
    KEY_NAME,
    KEYS,
    ROLES,
    SETTINGS,
    SOURCE_CLIENTS,
    find,
    pattern,
)
from engine.settings.settings_values import masked, read_setting, show
from tools.errors import ConfigError, Refused, StorageError

if TYPE_CHECKING:
    from engine.answers import SettingRow


FILE, ENVIRONMENT, COMMAND_LINE, DEFAULT = "file", "environment", "command line", "default"
PREFIX = "ZORORA_"
# What is taken line by line from a file that is not TOML: where the data lies, who is let in, what
# is removed
READ_BY_LINE = (*PLACES, "storage.bin_days", "storage.backups", "web.token")
# HOME tells git who commits; a check gets another one
_TOOLS = (
    "HOME",
    "PATH",
    "VIRTUAL_ENV",
    "PYENV_ROOT",
    "JAVA_HOME",
    "GOROOT",
    "NVM_DIR",
    "VOLTA_HOME",
    "ASDF_DATA_DIR",
)
# Where these lie when nothing else was said; a check has a home of its own, so it must be told
_TOOL_FOLDERS = {
    "CARGO_HOME": ".cargo", "RUSTUP_HOME": ".rustup", "GOPATH": "go", "GOCACHE": ".cache/go-build",
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Config:
    """All settings of one start. values: what was set, as name -> (value, origin); the rest has its
    default.

    unsafe: settings with a wrong value, whose safer one is among the values. offline: why nothing
    on the network may be asked, "" when it may. misplaced: why the data cannot be opened, "" when
    it can: nobody knows where it lies. toolchain: variables that name where the user's compilers
    and test runners lie, for the checks of his projects. pager: the program that shows long texts,
    None when the user names none.
    """

    paths: Paths
    values: Mapping[str, tuple[Any, str]] = field(default_factory=dict)
    faults: tuple[Problem, ...] = ()
    unsafe: frozenset[str] = frozenset()
    offline: str = ""
    misplaced: str = ""
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    toolchain: Mapping[str, str] = field(default_factory=dict, repr=False)
    pager: str | None = None

    @property
    def home(self) -> Path:
        """The directory everything lives in."""
        return self.paths.home

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with the configuration, one sentence each, with file and line."""
        return tuple(problem.sentence for problem in self.faults)

    def check_placed(self) -> None:
        """Raises StorageError when a setting that says where the data lies is wrong: elsewhere it
        would begin anew."""
        if self.misplaced:
            raise StorageError(self.misplaced)

    def check_online(self) -> None:
        """Raises Refused while nothing on the network may be asked."""
        if self.offline:
            raise Refused(f"No network request is made, because {self.offline}.")

    def get(self, name: str) -> Any:
        """The value of a setting. Raises ConfigError for a name the table does not have."""
        setting = _setting_of(name)
        return self.values[name][0] if name in self.values else setting.default

    def origin(self, name: str) -> str:
        """Where the value comes from: default, file, environment, command line."""
        _setting_of(name)
        return self.values[name][1] if name in self.values else DEFAULT


def load(
    home: Path | str | None = None,
    db_path: Path | str | None = None,
    environ: Mapping[str, str] | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Config:
    """The configuration of a home directory, which need not exist yet.

    home: else ZORORA_HOME, else the folder of an explicit db_path, else ~/.zorora.
    overrides: settings of the command line, name -> value or text; a wrong one raises ConfigError,
    everything else that is wrong becomes one of `problems`.
    """
    surroundings = dict(os.environ) if environ is None else dict(environ)  # noqa: TID251
    place = _home(home, db_path, surroundings)
    reading = Reading()
    settings, problem = _read_file(place / "config.toml")
    if problem:
        sentence = f"{problem} Until it is corrected, no network request is made."
        reading.problems.append(Problem(sentence))
    reading.take(settings, FILE)
    reading.take(_from_environment(surroundings), ENVIRONMENT)
    values = reading.values
    for name, raw in (overrides or {}).items():
        values[name] = (checked(name, raw), COMMAND_LINE)
        reading.unsafe.discard(name)
    if db_path is not None:
        values["storage.db_path"] = (str(Path(db_path).expanduser()), COMMAND_LINE)
    offline = "http.proxy is wrong" if "http.proxy" in reading.unsafe else ""
    return Config(
        _paths(place, values),
        MappingProxyType(values),
        tuple(reading.problems),
        frozenset(reading.unsafe),
        "config.toml cannot be understood" if problem else offline,
        reading.misplaced,
        MappingProxyType(_secrets(surroundings, values)),
        MappingProxyType(_toolchain(surroundings)),
        surroundings.get("PAGER"),
    )


def checked(name: str, raw: Any) -> Any:
    """The value of a setting from text or TOML. Raises ConfigError with a sentence."""
    setting = _setting_of(name)
    try:
        return read_setting(setting, raw)
    except ValueError as error:
        raise ConfigError(f"{name} {error}, not {shortened(raw)}.") from None


def differ(before: Config, after: Config, beginnings: Iterable[str]) -> bool:
    """Whether any setting whose name begins so has another value."""
    names = {name for name in (*before.values, *after.values) if name.startswith(tuple(beginnings))}
    return any(before.get(name) != after.get(name) for name in names)


def rows(config: Config) -> "list[SettingRow]":
    """Every setting with its value and origin, in the order of the table; those of source clients,
    roles and model servers written out for each."""
    faults = {problem.name: problem.sentence for problem in config.faults if problem.name}
    servers = sorted(
        {name.split(".")[1] for name in config.values if pattern(name).startswith("endpoints.*.")}
    )
    stars = {"sources.*": SOURCE_CLIENTS, "models.*": ROLES, "endpoints.*": tuple(servers)}
    names = [
        setting.name.replace("*", name)
        for setting in SETTINGS
        for name in stars.get(setting.section, ("",))
    ]
    return [_row(config, name, faults.get(name)) for name in names]


def save_values(config: Config, section: str, values: Mapping[str, str]) -> None:
    """Save settings of one section one after the other. Nothing is written before all of it is
    right."""
    for key, text in values.items():
        if text:
            checked(f"{section}.{key}", text)
    for key, text in values.items():
        save_value(config, f"{section}.{key}", text)


def save_value(config: Config, name: str, text: str) -> None:
    """Write one setting into config.toml, keeping its comments and the keys Zorora does not know.

    Empty text removes the setting, so that its default holds again. The value is in force at the
    next `load`. Raises ConfigError when the value is wrong or the file cannot be understood,
    StorageError when it cannot be written.
    """
    from engine.settings.settings_toml import with_value

    value = None if not text.strip() else checked(name, text)
    if settable(name) is None:  # also one whose value is removed
        raise ConfigError(
            f"There is no setting {shortened(name)}. `zorora config list` shows them all."
        )
    path = config.paths.config
    make_folder(path.parent)
    with locked(path.with_name(".config.lock")):
        # A link to a file elsewhere (a dotfiles folder) stays a link
        target = path.resolve()
        write_whole(target, with_value(_text_of(path), name, value, path).encode("utf-8"))


def _setting_of(name: str) -> Setting:
    setting = find(name)
    if setting is None or "*" in name:
        near = nearest(name)
        hint = f" Did you mean {near}?" if near else ""
        raise ConfigError(
            f"There is no setting {shortened(name)}.{hint} `zorora config list` shows them all."
        )
    return setting


def _home(home: Path | str | None, db_path: Path | str | None, environ: Mapping[str, str]) -> Path:
    place = (
        home
        or environ.get("ZORORA_HOME", "").strip()
        or (Path(db_path).parent if db_path else None)
    )
    try:
        user = Path(environ["HOME"]) if environ.get("HOME") else Path.home()
        return (Path(place).expanduser() if place else user / ".zorora").absolute()
    except (RuntimeError, ValueError) as error:
        raise ConfigError(
            f"There is no home directory ({error}). Set ZORORA_HOME to one of your folders."
        ) from error


def _paths(place: Path, values: Mapping[str, tuple[Any, str]]) -> Paths:
    def path(name: str) -> Path | None:
        value = values.get(name, (None, ""))[0]
        return (place / value).absolute() if value else None

    # storage.home moves everything but the file itself
    if values.get("storage.home", (None, ""))[1] in (FILE, ENVIRONMENT):
        home = path("storage.home")
    else:
        home = None
    return layout(
        home or place,
        db=path("storage.db_path"),
        findings=path("storage.json_path"),
        config=place / "config.toml",
    )


def _read_file(path: Path) -> tuple[list[RawSetting], str]:
    """What config.toml holds, and why it could not be understood, a sentence; "" when it could."""
    try:
        text = _text_of(path)
    except ConfigError as error:
        return [], str(error)
    if not text:  # many homes have no such file
        return [], ""
    from engine.settings.settings_toml import entries, readable_lines

    try:
        return entries(text, path), ""
    except ConfigError as error:
        return list(readable_lines(text, path, READ_BY_LINE)), str(error)


def _toolchain(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that name where tools lie."""
    variables = {name: environ[name] for name in (*_TOOLS, *_TOOL_FOLDERS) if environ.get(name)}
    home = environ.get("HOME", "")
    for name, folder in _TOOL_FOLDERS.items():
        if home and (Path(home) / folder).is_dir():
            variables.setdefault(name, str(Path(home) / folder))
    return variables


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path}: it is not UTF-8 text (byte {error.start}), so none of it is used."
        ) from error
    except OSError as error:
        raise ConfigError(
            f"{path}: it cannot be read ({error.strerror or error}), so none of it is used."
        ) from error


def _from_environment(environ: Mapping[str, str]) -> Iterator[RawSetting]:
    names = {environment_name(s.name): s.name for s in SETTINGS if "*" not in s.name}
    names |= {old: s.name for s in SETTINGS for old in s.legacy}
    # The older names come first, so that the newer ones win
    for name in sorted(environ, key=lambda name: (name.startswith(PREFIX), name)):
        value = environ[name]
        if not value.strip() or name == "ZORORA_HOME":
            continue
        if name in names or name.startswith(PREFIX):
            setting = names.get(name) or _from_pattern(name)
            yield RawSetting(f"Environment variable {name}", setting, value)


def _from_pattern(name: str) -> str:
    """ZORORA_SOURCES_SEMANTIC_SCHOLAR_BASE_URL as sources.semantic_scholar.base_url."""
    rest = name.removeprefix(PREFIX)
    for setting in SETTINGS:
        section, star, key = setting.name.partition(".*.")
        ending = "_" + key.upper()
        if star and rest.startswith(section.upper() + "_") and rest.endswith(ending):
            middle = rest[len(section) + 1 : -len(ending)].lower()
            if middle:
                return f"{section}.{middle}.{key}"
    return rest.lower().replace("_", ".", 1)


def _secrets(environ: Mapping[str, str], values: Mapping[str, tuple[Any, str]]) -> dict[str, str]:
    """The secrets that stand in the environment."""
    names = {key.name for key in KEYS} | _key_names(values)
    return {name: value for name, value in environ.items() if name in names and value.strip()}


def _key_names(values: Mapping[str, tuple[Any, str]]) -> set[str]:
    """Names of secrets that model servers of the user may be sent from the environment. The form
    keeps others out."""
    rows = (
        (name.removesuffix("key"), row[0])
        for name, row in values.items()
        if pattern(name) == "endpoints.*.key"
    )
    variables = (
        value for server, value in rows if values.get(f"{server}environment", (True, ""))[0]
    )
    return {value for value in variables if value and re.fullmatch(KEY_NAME, value)}


def _row(config: Config, name: str, problem: str | None) -> "SettingRow":
    from engine.answers import SettingRow

    setting = _setting_of(name)
    return SettingRow(
        name=name,
        section=name.rpartition(".")[0],
        type=setting.kind,
        value=masked(show(config.get(name))),
        default=show(setting.default),
        help=setting.help,
        choices=setting.choices,
        origin=config.origin(name),
        environment="ZORORA_HOME" if name == "storage.home" else environment_name(name),
        problem=problem,
        next_start=setting.next_start,
    )
