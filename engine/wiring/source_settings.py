"""What the settings say of the sources: how each client is set and which key it has, where whole
texts are had, how sources are rated."""

from dataclasses import replace
from typing import Any

from engine.settings import keys
from engine.settings.config import Config
from engine.settings.settings_table import KEYS, SOURCE_CLIENTS
from tools.credibility.user_rules import Rules
from tools.sources.biomedical import europepmc, pmc
from tools.sources.client import Client, ClientSettings
from tools.sources.registry import SOURCES
from tools.sources.scholarly import arxiv
from tools.sources.text_locations import FullTexts


def client_settings(client: Client, config: Config) -> ClientSettings:
    """The settings of one client: its own defaults, changed by its section of the configuration if
    it is built in."""
    if client.name not in SOURCE_CLIENTS:
        return replace(client.settings(), enabled=client.enabled)
    values = {
        key: value
        for key in ("base_url", "max_results", "deadline", "min_interval", "enabled", "budget")
        if (value := config.get(f"sources.{client.name}.{key}")) is not None
    }
    # The address that is built in was not wanted
    if f"sources.{client.name}.base_url" in config.unsafe:
        values["enabled"] = False
    if client.name in _NEWS:
        values = {**_NEWS[client.name](config), **values}
    key, origin = secret_of(client, config)
    name = next(iter(key_names(client, config)), "")
    page = next((key.where_to_get for key in KEYS if key.name == name), "")
    return client.settings(**values, key=key, key_origin=origin, key_name=name, key_page=page)


def _newsroom(config: Config) -> dict[str, Any]:
    url = config.get("newsroom.url")
    return {
        **({"base_url": url} if url else {}),
        "enabled": config.get("newsroom.enabled") and "newsroom.url" not in config.unsafe,
        "deadline": config.get("newsroom.timeout"),
        "max_results": config.get("newsroom.max_results"),
        "options": {"days_back": config.get("newsroom.days_back")},
    }


def _feeds(config: Config) -> dict[str, Any]:
    """The feeds the user lists; the first stands as the address of the client, which is off without
    any."""
    feeds = config.get("newsroom.feeds")
    return {"options": {"addresses": feeds}, **({"base_url": feeds[0]} if feeds else {})}


# These two have sections of their own in the configuration
_NEWS = {"newsroom": _newsroom, "feeds": _feeds}


def full_texts(config: Config) -> FullTexts:
    """Where whole texts are had: below the addresses that the settings name for their services."""
    services = {}
    for client in (arxiv.CLIENT, europepmc.CLIENT, pmc.CLIENT):
        base = client_settings(client, config).base_url
        if base != client.base_url:
            base = base if base.endswith("/") else f"{base}/"
            services[client.name] = (
                f"{base.removesuffix('api/')}pdf/" if client.name == "arxiv" else base
            )
    return FullTexts(**services, private_bases=tuple(services.values()))


def key_names(client: Client, config: Config) -> list[str]:
    """The names of the secrets a client may use, the one the settings name first."""
    name = config.get(
        "newsroom.token" if client.name == "newsroom" else f"sources.{client.name}.key"
    )
    return [name] if name else [key.name for key in KEYS if client.name in key.used_by]


def secret_of(client: Client, config: Config) -> tuple[str | None, str | None]:
    """(the key of a client, the origin it was entered for); (None, None) when there is none."""
    # Another of the environment is for the model server that names it
    own_names = {key.name for key in KEYS}
    for name in key_names(client, config):
        if key := keys.resolve(config, name, environment=name in own_names):
            return key.value, key.origin or keys.origin_of(client.base_url)
    return None, None


def address_of_key(name: str, config: Config) -> str:
    """The address of the service that uses a key, as it is set now; empty for keys of models."""
    return next(
        (
            client_settings(source, config).base_url
            for source in SOURCES
            if name in key_names(source, config)
        ),
        "",
    )


def rules(config: Config) -> Rules:
    """The user's part of the credibility rules."""
    get = config.get
    rules = {rule.get("host") or rule.get("venue"): rule for rule in get("credibility.rules")}
    return Rules(
        own={name: rule for name, rule in rules.items() if name},
        max_score=get("credibility.max_score"),
        citation_weight=get("credibility.citation_weight"),
        cross_reference_weight=get("credibility.cross_reference_weight"),
        retraction_check=get("credibility.retraction_check"),
        predatory_check=get("credibility.predatory_check"),
        outdated_years=get("credibility.outdated_years"),
    )
