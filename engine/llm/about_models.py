"""What the engine answers about models; apart from the work on them, which loads the clients of
model servers."""

from dataclasses import dataclass

from tools.model_manifest import Offer as Offer
from tools.models.model import FoundServer as FoundServer


@dataclass(frozen=True, slots=True)
class RoleStatus:
    """A role as it is shown. origin: configured, reasoning (it answers in its place), none.
    problem: a sentence."""

    role: str
    help: str
    model: str
    endpoint: str
    url: str
    provider: str
    local: bool
    origin: str
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class EndpointStatus:
    """A model server as it is shown. key_name: the secret it is sent, "" for none; key: masked
    value, "" when missing.

    origin: built-in, or where it is set (file, environment, command line). local: what is sent
    stays on this computer. used_by: roles that use it.
    """

    name: str
    url: str
    provider: str
    local: bool
    key_name: str
    key: str
    origin: str
    used_by: tuple[str, ...] = ()
