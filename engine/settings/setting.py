"""A row of the table of settings, a key, and what an optional part has of both."""

from collections.abc import Mapping
from typing import Any, NamedTuple

# kind: what a value is: bool, int, float, text, path, url, choice; numbers, names or paths: a list;
# table or tables: of the file, never a single line of text.
LESS, MORE, DEFAULT = "less", "more", "default"


class Setting(NamedTuple):
    """One row. low / high: inclusive bounds of a number, or of each number of a list; size: how
    many a list must have.

    A default of None means that the part which uses the value has its own (a client's deadline,
    say). safer: what holds while the value that is written is wrong: less (off, the smaller
    number), more (on, the larger number), or the default. safe: that value itself, where it cannot
    be worked out.
    """

    name: str
    kind: str
    default: Any
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    size: int | None = None
    legacy: tuple[str, ...] = ()
    unit: str = ""
    safer: str = LESS
    safe: Any = None

    @property
    def section(self) -> str:
        """`research` of `research.depth`, `sources.*` of `sources.*.enabled`."""
        return self.name.rpartition(".")[0]

    @property
    def next_start(self) -> bool:
        """Whether a program that runs stays as it began: with its home, its port and its token."""
        return self.section == "web" or (self.section, self.kind) == ("storage", "path")

    @property
    def environment(self) -> str:
        """ZORORA_RESEARCH_DEPTH of research.depth; of a `*` name, a pattern with <NAME>."""
        if self.name == "storage.home":
            return "ZORORA_HOME"
        return environment_name(self.name.replace("*", "<NAME>"))


class Key(NamedTuple):
    """A secret that a service may want. It never stands in config.toml. address: the setting that
    says where that is, for what is no source."""

    name: str
    purpose: str
    where_to_get: str = ""
    used_by: tuple[str, ...] = ()
    address: str = ""


class Part(NamedTuple):
    """What most never use, in packages of its own. extra: what installs its modules, and purpose:
    what for.

    ports: usual port of each scheme of its addresses.
    """

    settings: tuple[Setting, ...] = ()
    keys: tuple[Key, ...] = ()
    ports: Mapping[str, int] = {}
    extra: str = ""
    modules: tuple[str, ...] = ()
    purpose: str = ""


def environment_name(name: str) -> str:
    """The environment name of a setting."""
    return "ZORORA_" + name.upper().replace(".", "_").replace("-", "_")


def flag(name: str, default: bool | None, help: str, **more: Any) -> Setting:
    """A yes/no setting."""
    return Setting(name, "bool", default, help, **more)


def whole(name: str, default: int | None, low: int, high: int, help: str, **more: Any) -> Setting:
    """A whole number."""
    return Setting(name, "int", default, help, low=low, high=high, **more)


def number(
    name: str, default: float | None, low: float, high: float, help: str, **more: Any
) -> Setting:
    """A number with a fraction."""
    return Setting(name, "float", default, help, low=low, high=high, **more)


def each(
    name: str, default: tuple[float, ...] | None, low: float, high: float, help: str
) -> Setting:
    """Three numbers: one for each depth."""
    return Setting(name, "numbers", default, help, low=low, high=high, size=3)


def text(name: str, default: str | None, help: str, **more: Any) -> Setting:
    """A line of text."""
    return Setting(name, "text", default, help, **more)
