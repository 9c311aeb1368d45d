"""Settings as they were found in the file and the environment: taken, or named as wrong with what
holds instead."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from engine.settings.setting import Setting
from engine.settings.settings_table import ROLES, SETTINGS, SOURCE_CLIENTS, find, pattern
from engine.settings.settings_values import masked, read_setting, safe, show

PLACES = ("storage.home", "storage.db_path", "storage.json_path")  # where the data lies
LONGEST = 80  # characters of a wrong value that are shown
_MIDDLES: Mapping[str, tuple[str, ...]] = {"sources": SOURCE_CLIENTS, "models": ROLES}


class Problem(NamedTuple):
    """One thing that is wrong with the configuration: a sentence, and the setting it belongs to
    when there is one."""

    sentence: str
    name: str = ""


class RawSetting(NamedTuple):
    """A setting as it was found: where it stands in words, its name, its raw value."""

    where: str
    name: str
    value: Any


class Reading:
    """What was read so far, the later source over the earlier one.

    values: name -> (value, origin). unsafe: settings with a wrong value, whose safer one holds.
    """

    def __init__(self) -> None:
        self.values: dict[str, tuple[Any, str]] = {}
        self.problems: list[Problem] = []
        self.unsafe: set[str] = set()

    @property
    def misplaced(self) -> str:
        """What is wrong with a setting that says where the data lies; "" when nothing is."""
        wrong = self.unsafe.intersection(PLACES)
        return next((problem.sentence for problem in self.problems if problem.name in wrong), "")

    def take(self, settings: Iterable[RawSetting], origin: str) -> None:
        """Settings of one source. A wrong name counts as a wrong value of the setting that it looks
        like."""
        misspelled = []
        for raw in settings:
            setting = settable(raw.name)
            if setting is None:
                misspelled.append(raw)
            else:
                self._take(raw, setting, origin)
        for raw in misspelled:
            self._take_misspelled(raw, origin)

    def _take(self, raw: RawSetting, setting: Setting, origin: str) -> None:
        try:
            self.values[raw.name] = (read_setting(setting, raw.value), origin)
            self.unsafe.discard(raw.name)
        except ValueError as error:
            holds = self._make_safe(raw.name, setting, raw.value, origin)
            # A line of a file that is not TOML has no value
            wrong = (
                "cannot be read" if raw.value is None else f"{error}, not {shortened(raw.value)}"
            )
            problem = f"{raw.where}: {raw.name} {wrong}. {holds}"
            self.problems.append(Problem(problem, raw.name))

    def _take_misspelled(self, raw: RawSetting, origin: str) -> None:
        near = nearest(raw.name)
        sentence = f"{raw.where}: there is no setting {shortened(raw.name)}."
        setting = settable(near)
        if setting is None:
            self.problems.append(Problem(f"{sentence} `zorora config list` shows them all."))
            return
        holds = (
            "" if near in self.values else f" {self._make_safe(near, setting, raw.value, origin)}"
        )
        self.problems.append(Problem(f"{sentence} Did you mean {near}?{holds}", near))

    def _make_safe(self, name: str, setting: Setting, raw: Any, origin: str) -> str:
        """Put the safer value in force; what that is, as a sentence."""
        value = safe(setting, raw)
        self.values[name] = (value, origin)
        self.unsafe.add(name)
        return f"Until that is corrected, {consequence(name, value)}."


def settable(name: str) -> Setting | None:
    """The row of a name that may be set; None for one that names no setting, no source client or no
    role."""
    if "*" in name:
        return None
    section, _, rest = name.partition(".")
    middle, dot, _ = rest.partition(".")
    if dot and section in _MIDDLES and middle not in _MIDDLES[section]:
        return None
    return find(name)


def nearest(name: str) -> str:
    """The setting that a wrong name looks like; "" when it looks like none."""
    from difflib import get_close_matches  # few have a wrong setting

    whole = [setting.name for setting in SETTINGS if "*" not in setting.name]
    names = [
        setting.name.replace("*", middle)
        for setting in SETTINGS
        for middle in _MIDDLES.get(setting.name.partition(".")[0], name.split(".")[1:2])
    ]
    if close := get_close_matches(name, {*whole, *names}, n=1, cutoff=0.7):
        return close[0]
    # The key alone, in the right section or with none
    start, _, key = name.rpartition(".")
    keys = {key.rpartition(".")[2]: key for key in whole if key.rpartition(".")[0] == start}
    keys = keys or {key.rpartition(".")[2]: key for key in whole}
    close = get_close_matches(key, keys, n=1, cutoff=0.75)
    return keys[close[0]] if close else ""


def consequence(name: str, value: Any) -> str:
    """What holds while a setting is wrong, as the middle of a sentence."""
    general, parts = pattern(name), name.split(".")
    if general == "sources.*.base_url":
        return f"{parts[1]} is not asked"
    if general == "endpoints.*.url":
        return f"the model server {parts[1]} is not asked"
    special = {
        "newsroom.url": "the newsroom is not asked",
        "http.proxy": "no network request is made",
    }
    special |= dict.fromkeys(PLACES, "nothing that is stored is opened")
    return special.get(name) or f"{name} is {show(value) or 'left out'}"


def shortened(value: Any) -> str:
    """A value as it is quoted in a sentence."""
    text = masked(repr(value))
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
