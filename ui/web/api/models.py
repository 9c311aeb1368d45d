"""Views of the JSON interface for models: roles, model servers, looking for local ones, tests.

Types of their own, since the engine's load the clients of endpoints. A test answers with the class of its result alone.
"""

from dataclasses import dataclass, fields
from typing import Any, TypeVar

from engine.settings import settings_permissions
from ui.web.background.indexing import Indexed
from ui.web.context import engine
from ui.web.pages import models as pages
from ui.web.security import served_here


@dataclass(frozen=True, slots=True)
class ModelRole:
    """Who answers for a role. origin: configured, reasoning (it answers in its place), none."""

    role: str
    help: str
    model: str
    endpoint: str
    local: bool
    origin: str
    problem: str | None


@dataclass(frozen=True, slots=True)
class ModelServer:
    """A model server. key_name: the secret it is sent; key: masked."""

    name: str
    url: str
    provider: str
    local: bool
    key_name: str
    key: str
    origin: str
    used_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that runs on this computer, with its models."""

    name: str
    label: str
    url: str
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelTest:
    ok: bool
    result: str
    seconds: float


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """An installed model that runs inside the process. size: bytes. sha256: "" for one that is not among the offers."""

    role: str
    title: str
    licence: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class OfferedModel:
    """A model that can be downloaded. download_size, download_sha256: of what lies at the address."""

    role: str
    name: str
    title: str
    licence: str
    about: str
    size: int
    sha256: str
    address: str
    download_size: int
    download_sha256: str


T = TypeVar("T")


def shown(kind: type[T], value: Any) -> T:
    """The named fields of a value of the engine."""
    return kind(**{field.name: getattr(value, field.name) for field in fields(kind)})  # type: ignore[arg-type]


def roles(params: dict[str, Any]) -> list[ModelRole]:
    return [shown(ModelRole, one) for one in engine().models.roles()]


def set_role(params: dict[str, Any]) -> list[ModelRole]:
    """Give a role a model; an empty one takes it away. Answers with all roles."""
    settings_permissions.check_server(params["endpoint"] or "", served_here())
    engine().models.set_role(params["role"], params["endpoint"] or "", params["model"])
    return roles(params)


def test(params: dict[str, Any]) -> ModelTest:
    return shown(ModelTest, engine().models.test(params["role"]))


def detect(params: dict[str, Any]) -> list[LocalServer]:
    return [shown(LocalServer, one) for one in engine().models.detect()]


def servers(params: dict[str, Any]) -> list[ModelServer]:
    return [shown(ModelServer, one) for one in engine().models.endpoints()]


def set_server(params: dict[str, Any]) -> list[ModelServer]:
    """Add a server, or change one. Answers with all of them."""
    pages.add(params["name"], params["url"], params["provider"] or "", params["key_name"] or "")
    return servers(params)


def remove_server(params: dict[str, Any]) -> dict[str, bool]:
    pages.forget(params["name"])
    return {"done": True}


def served(params: dict[str, Any]) -> list[str]:
    settings_permissions.check_server(params["name"], served_here())
    return engine().models.served(params["name"])


def files(params: dict[str, Any]) -> list[InstalledModel]:
    return [shown(InstalledModel, one) for one in engine().models.files()]


def offers(params: dict[str, Any]) -> list[OfferedModel]:
    return [shown(OfferedModel, one) for one in engine().models.offers()]


def get_file(params: dict[str, Any]) -> Indexed:
    """Download a model of the list, in the background; how far it is, after `wait` seconds at the latest."""
    pages.begin_file(params["role"], params["name"] or "", params["wait"])
    return pages.downloading().state


def getting_file(params: dict[str, Any]) -> Indexed:
    return pages.downloading().state


def remove_file(params: dict[str, Any]) -> list[InstalledModel]:
    """Remove a model; those that are left."""
    engine().models.remove_file(params["role"])
    return files(params)
