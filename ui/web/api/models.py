"""Views of the JSON interface for models: roles, model servers, looking for local ones, tests.

A test answers with the class of its result alone, and an installed model without its path.
"""

import contextlib
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, TypeVar

from engine.answers import InstalledModel
from engine.llm.about_models import EndpointStatus, FoundServer, Offer, RoleStatus
from engine.models import Conflict
from engine.settings import settings_permissions
from ui.web.api.model import Done, Field, Indexed, Wait, progress_of
from ui.web.background.work import DOWNLOADS
from ui.web.context import engine
from ui.web.pages import models as pages
from ui.web.security import served_here


@dataclass(frozen=True, slots=True)
class ModelTest:
    ok: bool
    result: str
    seconds: float


T = TypeVar("T")
Role = Annotated[str, Field("A role of /models/roles.", length=60)]
ServerName = Annotated[str, Field("The name of a model server.", length=100)]


def _fields(kind: type[T], value: Any) -> T:
    """The named fields of a value of the engine."""
    return kind(**{field.name: getattr(value, field.name) for field in fields(kind)})  # type: ignore[arg-type]


def roles() -> list[RoleStatus]:
    """Which model is used for which role."""
    return engine().models.roles()


def set_role(
    role: Role,
    model: Annotated[str, Field(length=200)],
    endpoint: Annotated[str, Field(length=2000)] = "",
) -> list[RoleStatus]:
    """Assign a model of a server, by its name or address, to a role; an empty model removes it."""
    settings_permissions.check_server(endpoint, served_here())
    engine().models.set_role(role, endpoint, model)
    return roles()


def test_role(role: Role) -> ModelTest:
    """Test the model of a role with one question; returns the class of the result."""
    return _fields(ModelTest, engine().models.test(role))


def detect_models() -> list[FoundServer]:
    """Look for model servers on this computer."""
    return engine().models.detect()


def model_servers() -> list[EndpointStatus]:
    """Model servers, without their keys."""
    return engine().models.endpoints()


def set_model_server(
    name: ServerName,
    url: Annotated[str, Field(length=2000)],
    provider: Literal["openai", "anthropic", "ollama", ""] = "",
    key_name: Annotated[str, Field("Name of the key that is sent to it.", length=100)] = "",
) -> list[EndpointStatus]:
    """Add a model server, or change one."""
    pages.add(name, url, provider, key_name)
    return model_servers()


def remove_model_server(name: ServerName) -> Done:
    """Remove a model server that you added."""
    pages.forget(name)
    return Done()


def served_models(name: ServerName) -> list[str]:
    """The models that a server lists."""
    settings_permissions.check_server(name, served_here())
    return engine().models.served(name)


def model_files() -> list[InstalledModel]:
    """Installed models that run inside the process."""
    return [_fields(InstalledModel, file) for file in engine().models.files()]


def model_offers() -> list[Offer]:
    """Models that can be downloaded by name."""
    return engine().models.offers()


def get_model_file(
    role: Literal["reader", "judge", "writer"],
    name: Annotated[str, Field("If omitted, the recommended one.", length=60)] = "",
    wait: Wait = 0.0,
) -> Indexed:
    """Download one of them, in the background; `done` and `total` are bytes."""
    with contextlib.suppress(Conflict):
        pages.begin_file(role, name, wait)
    return getting_model_file()


def getting_model_file() -> Indexed:
    """Its progress, or its result."""
    return progress_of(DOWNLOADS)


def remove_model_file(
    role: Annotated[str, Field("reader, judge or writer.", length=60)],
) -> list[InstalledModel]:
    """Remove an installed model."""
    engine().models.remove_file(role)
    return model_files()
