"""Model servers: those known by name, those the user added, and which key may go to which.

A key goes to the address it was entered for. A key of the environment with a well-known name
(OPENAI_API_KEY) goes to that service alone; one with a name of the user's own goes to the server
whose row names it, when that row was written on the command line or by hand. A page could name any
variable and any address, so what it binds gets stored keys alone.
"""

import re
from typing import cast
from urllib.parse import urlsplit

from engine.llm import endpoint_names
from engine.llm.about_models import EndpointStatus
from engine.settings import config as configuration, keys
from engine.settings.config import Config
from engine.settings.settings_table import KEY_NAME, KEYS, PROVIDERS, ROLES
from tools.errors import ConfigError, Conflict, NotFound
from tools.models import wire
from tools.models.model import Endpoint, Provider
from tools.net.guard import is_metadata, literal_address

NAME = re.compile(r"[a-z][a-z0-9-]{0,29}")


def endpoint(config: Config, place: str, provider: str | None = None) -> Endpoint:
    """The endpoint of a name or an address, with its key. Raises ConfigError for an unknown name.

    provider: how an address speaks; a name knows it by itself.
    """
    if "://" in place:
        _refuse_link_local(config, place)
        return _of_address(config, place, provider)
    if place not in endpoint_names.names(config):
        choices = ", ".join(endpoint_names.names(config))
        raise ConfigError(
            f"There is no model server called {place[:60]!r}. Choose "
            f"one of {choices}, or give an address."
        )
    if f"endpoints.{place}.url" in config.unsafe:  # the address that is built in was not wanted
        raise ConfigError(
            f"The address of {place} is wrong (endpoints.{place}.url), so it is not asked."
        )
    server = _server(config, place)
    _refuse_link_local(config, server.url)
    return server


def _refuse_link_local(config: Config, url: str) -> None:
    """Raises ConfigError for a server at an address where cloud hosts serve machine credentials.

    Here what the address itself says; where a name leads is looked at when it is asked
    (tools/models/wire.py).
    """
    parts = urlsplit(url)
    address = literal_address(parts.hostname or "")
    if (
        address
        and is_metadata(address)
        and not wire.is_listed(parts, config.get("http.allow_model_hosts"))
    ):
        raise ConfigError(
            f"{url} is a link-local address, where cloud hosts serve machine credentials. If a "
            "model server of yours is there, list it as host:port under [http] "
            "allow_model_hosts in config.toml, by hand."
        )


def _server(config: Config, name: str) -> Endpoint:
    url, speaks, key_name = _row(config, name)
    return Endpoint(name, url, speaks, _key(config, name, key_name, url), key_name)


def statuses(config: Config, users: dict[str, tuple[str, ...]]) -> list[EndpointStatus]:
    """Every endpoint. used: name -> roles that use it."""
    out = []
    for name in endpoint_names.names(config):
        server = _server(config, name)
        masked = keys.mask(server.key) if server.key else ""
        if config.get(f"endpoints.{name}.url"):
            origin = config.origin(f"endpoints.{name}.url")
        else:
            origin = "built-in"
        row = (name, server.url, server.provider, server.local, server.key_name, masked, origin)
        out.append(EndpointStatus(*row, used_by=users.get(name, ())))
    return out


def add(
    config: Config,
    name: str,
    url: str,
    provider: str = "",
    key_name: str = "",
    *,
    by_page: bool = False,
) -> None:
    """Add a server, or change one. Raises ConfigError for a name, address, provider or key name
    that cannot be.

    by_page: no key of the environment is sent there, unless nothing changes about where which key
    goes.
    """
    if not NAME.fullmatch(name) or name == endpoint_names.LOCAL:
        raise ConfigError(
            f"{name[:60]!r} is not a valid server name: use lower-case letters, "
            "digits and hyphens, starting with a letter."
        )
    if key_name and not re.fullmatch(KEY_NAME, key_name):
        raise ConfigError(
            f"{key_name[:60]!r} is not a valid key name: use "
            "capital letters, ending in _KEY or _TOKEN."
        )
    if not url.strip():
        raise ConfigError("Give the address of the server, http://localhost:1234/v1 for example.")
    _refuse_link_local(config, url.strip())
    values = {"url": url.strip().rstrip("/"), "provider": provider, "key": key_name}
    if by_page:
        values = _environment(config, name, url, key_name) | values
    else:
        values = {"environment": "", **values}
    configuration.save_values(config, f"endpoints.{name}", values)


def remove(config: Config, name: str) -> None:
    """Forget a server of the user's; a built-in one returns to what it was. Raises NotFound,
    Conflict."""
    settings = [key for key in config.values if key.startswith(f"endpoints.{name}.")]
    if not settings:
        if name in endpoint_names.BUILT_IN:
            what = "cannot be removed: it is built in"
        else:
            what = "does not exist"
        raise NotFound(f"The model server {name[:60]!r} {what}.")
    users = [role for role in ROLES if config.get(f"models.{role}.endpoint") == name]
    if users and name not in endpoint_names.BUILT_IN:
        raise Conflict(f"{name} is used for {', '.join(users)}. Give these another model first.")
    for key in settings:
        configuration.save_value(config, key, "")


def address_of_key(config: Config, key_name: str) -> str:
    """The address of the server that uses a key; empty when none does."""
    # What the user set comes before what is built in, and what a page set last: it may not take
    # another's key over
    servers = endpoint_names.names(config)
    servers.reverse()
    servers.sort(key=lambda name: not config.get(f"endpoints.{name}.environment"))
    rows = (_row(config, name) for name in servers)
    return next((url for url, _, key in rows if key == key_name), "")


def _of_address(config: Config, url: str, provider: str | None) -> Endpoint:
    origin = keys.origin_of(url)
    for name in endpoint_names.names(config):
        server_url, speaks, key_name = _row(config, name)
        if server_url and keys.origin_of(server_url) == origin:
            key = _key(config, name, key_name, url)
            return Endpoint(name, url, _provider(provider) or speaks, key, key_name)
    return Endpoint(url, url, _provider(provider) or "openai")


def _row(config: Config, name: str) -> tuple[str, Provider, str]:
    url, provider, key = endpoint_names.BUILT_IN.get(name, ("", "openai", ""))
    url = config.get(f"endpoints.{name}.url") or url
    provider = _provider(config.get(f"endpoints.{name}.provider")) or provider
    return url, provider, config.get(f"endpoints.{name}.key") or key


def _environment(config: Config, name: str, url: str, key_name: str) -> dict[str, str]:
    """What a page writes before an address and a key: that none of the environment goes there,
    where they are new."""
    before, _, key_before = _row(config, name)
    unchanged = (keys.origin_of(before), key_before) == (keys.origin_of(url.strip()), key_name)
    return {} if unchanged or not key_name else {"environment": "false"}


def _provider(word: str | None) -> Provider | None:
    return cast(Provider, word) if word in PROVIDERS else None


def _key(config: Config, name: str, key_name: str, url: str) -> str | None:
    """The key of a server, when it may be sent to this address of it."""
    if not key_name:
        return None
    addresses = {key: address for address, _, key in endpoint_names.BUILT_IN.values()}
    well_known = addresses.get(key_name)
    from_environment = well_known is not None or config.get(f"endpoints.{name}.environment")
    secret = keys.resolve(config, key_name, environment=from_environment)
    if secret is None:
        return None
    if well_known is None and key_name in {key.name for key in KEYS}:
        # a key of a source client
        return secret.value if secret.origin and secret.origin == keys.origin_of(url) else None
    # A stored key is bound to its origin; one of the environment to its service, or to the row that
    # names it
    return secret.value if secret.usable_for(url, well_known or url) else None
