"""Views of the JSON interface for settings, sources, tools and the state of the installation."""

import contextlib
from dataclasses import dataclass
from typing import Annotated, Any

from engine.answers import Check, ClientStatus, DataList, KeyStatus, SettingRow
from engine.models import Conflict, NotFound, Refused, SourceKind
from engine.version import own_version
from engine.wiring.toolset import READ, RESEARCH, OfferedTool
from ui.web.api.model import Done, Field, Indexed, Wait, progress_of
from ui.web.background.work import LISTS
from ui.web.context import engine
from ui.web.pages.settings import change, load_lists

OFFERED = (READ, RESEARCH)  # never the tools of this machine
Value = Annotated[str, Field(length=4000)]


@dataclass(frozen=True, slots=True)
class Health:
    status: str
    version: str


@dataclass(frozen=True, slots=True)
class Backup:
    file: str


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    text: str


def health() -> Health:
    """Whether the server answers."""
    return Health("ok", own_version())


def settings() -> list[SettingRow]:
    """All settings, without secrets."""
    return engine().settings()


def set_setting(name: Annotated[str, Field(length=100)], value: Value) -> SettingRow:
    """Change a setting."""
    change(name, value)
    row = next((row for row in engine().settings() if row.name == name), None)
    if row is None:
        raise NotFound(f"There is no setting {name}.")
    return row


def keys() -> list[KeyStatus]:
    """Which keys are set, masked."""
    return engine().keys()


def set_key(name: Annotated[str, Field(length=100)], value: Value) -> Done:
    """Set a key; an empty value removes it. It can never be read back."""
    known_keys = engine().keys()
    if name not in [key.name for key in known_keys]:
        raise NotFound("There is no key of this name.")
    engine().set_key(name, value.strip())
    return Done()


def clients() -> list[ClientStatus]:
    """Source clients and their state."""
    return engine().sources()


def switch_source(
    name: Annotated[str, Field("A name of /sources.", length=100)], enabled: bool
) -> ClientStatus:
    """Switch a source client on or off."""
    client = next((client for client in engine().sources() if client.name == name), None)
    if client is None:
        raise NotFound("There is no source of this name.")
    if client.kind == SourceKind.LOCAL:
        raise Refused(
            "Your documents are not a search service. To leave them out, drop the source kind "
            "“local” from a report."
        )
    engine().set_setting(f"sources.{name}.enabled", "true" if enabled else "false")
    return next(client for client in engine().sources() if client.name == name)


def check_sources(names: Annotated[tuple[str, ...], Field(length=60)] = ()) -> list[ClientStatus]:
    """Send one live query to each client that is switched on, or to the named ones."""
    return engine().check_sources(names)


def data() -> list[DataList]:
    """The lists that credibility scores use."""
    return engine().upkeep.data_lists()


def update_data(wait: Wait = 0.0) -> Indexed:
    """Reload those lists in the background."""
    with contextlib.suppress(Conflict):
        load_lists(wait)
    return updating_data()


def updating_data() -> Indexed:
    """Its progress, or its result."""
    return progress_of(LISTS)


def tools() -> list[OfferedTool]:
    """Tools that read or research, with the schema of their arguments."""
    return engine().tools.offered(OFFERED)


def call_tool(
    name: Annotated[str, Field("A name of /tools.", length=100)],
    arguments: Annotated[dict[str, Any] | None, Field("What the tool's schema asks for.")] = None,
) -> ToolAnswer:
    """Call a tool; returns its answer as text. A whole report takes minutes: use POST /research for
    one."""
    return ToolAnswer(engine().tools.call(name, arguments or {}, classes=OFFERED))


def stats() -> dict[str, Any]:
    """Counts and sizes."""
    return engine().get_stats()


def checks() -> list[Check]:
    """The result of `zorora doctor`."""
    return engine().upkeep.doctor(quick=True)


def backup() -> Backup:
    """Back up the database."""
    return Backup(engine().upkeep.backup().name)
