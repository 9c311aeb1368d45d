"""Roles: which model does which kind of work, as configured, and the models of one run."""

from collections.abc import MutableMapping
from typing import Any

from engine.llm import model_endpoints as endpoints
from engine.llm.about_models import RoleStatus
from engine.llm.endpoint_names import LOCAL
from engine.settings import config as configuration
from engine.settings.config import Config
from engine.settings.settings_table import ROLES
from engine.version import own_version
from tools.errors import ConfigError
from tools.models.model import DEFAULT_WINDOW, Reply, Role, Timing
from tools.models.roles import FOR_ITSELF, REASONING, Complete, Models
from tools.models.wire import Wire

HELP = {
    "orchestrator": "kinds of questions and search queries; a small, fast model is enough",
    "reasoning": "writes reports and checks statements; also does every task that has no model of "
    "its own",
    "codestral": "writes and explains code",
    "search": "writes the answers of quick searches",
    "intent_detector": "decides what a line at the prompt asks for",
    "vision": "says what a picture shows",
    "image_generation": "makes pictures",
    "nehanda": "answers from a collection of policy documents on a server of its own",
}


def statuses(config: Config) -> list[RoleStatus]:
    """Every role and who answers for it."""
    return [_status(config, role) for role in ROLES]


def set_role(config: Config, role: str, endpoint: str, model: str, provider: str = "") -> None:
    """Give a role a model of an endpoint (a name or an address); an empty model leaves the role to
    `reasoning`.

    Raises ConfigError for a role or an endpoint there is not.
    """
    check_role(role)
    if not model.strip():
        row = {"endpoint": "", "model": "", "provider": ""}
    else:
        place = endpoint.strip()
        row = {
            "endpoint": place,
            "model": model.strip(),
            "provider": provider if "://" in place else "",
        }
        if "://" in place:
            configuration.checked("endpoints.any.url", place)
        endpoints.endpoint(config, place, provider or None)
    configuration.save_values(config, f"models.{role}", row)


def configured(config: Config) -> dict[str, Role]:
    """The roles that have a model of their own. What is configured wrongly is left out; `statuses`
    says why."""
    by_role = {}
    for name in ROLES:
        try:
            role = role_of(config, name)
        except ConfigError:
            continue
        if role is not None:
            by_role[name] = role
    return by_role


def role_of(config: Config, name: str) -> Role | None:
    """A role with a model of its own, None when it has none. Raises ConfigError for a wrong
    endpoint."""

    def get(field: str) -> Any:
        return config.get(f"models.{name}.{field}")

    model, place = get("model"), get("endpoint")
    if not model or not place:
        if model or place:
            raise ConfigError(
                f"models.{name} needs both an endpoint and a "
                f"model; `zorora models set {name}` asks."
            )
        return None
    endpoint = endpoints.endpoint(config, place, get("provider"))
    timeout = get("timeout")
    # A model on this computer may need minutes for a long prompt before it says its first word
    silence = timeout if endpoint.local else min(get("first_token"), timeout)
    timing = Timing(config.get("http.connect_timeout"), silence, timeout)
    return Role(
        name=name,
        endpoint=endpoint,
        model=model,
        max_tokens=get("max_tokens"),
        temperature=get("temperature"),
        timing=timing,
        parallel=get("parallel"),
        # These two are told how much room to make, and cut what does not fit without a word
        window=get("window")
        or (DEFAULT_WINDOW if endpoint.provider in ("ollama", "local") else None),
        price_in=get("price_in"),
        price_out=get("price_out"),
    )


def wire(config: Config) -> Wire:
    """The way to the endpoints."""
    allowed = frozenset(config.get("http.allow_model_hosts"))
    proxy, offline = config.get("http.proxy"), config.offline
    return Wire(f"zorora/{own_version()}", proxy, offline=offline, link_local=allowed)


def models_for_run(
    config: Config,
    complete: Complete,
    *,
    offline: bool = False,
    replies: MutableMapping[str, Reply] | None = None,
) -> Models | None:
    """The models of one run, with their own cache and accounts; None when none is configured.

    offline: only a model inside this process; no connection is opened, not even to this computer.
    replies: answers of an earlier life of the run.
    """
    roles = configured(config)
    if offline or config.offline:
        roles = {name: role for name, role in roles.items() if role.endpoint.provider == LOCAL}
    if not roles:
        return None
    anywhere = config.get("privacy.documents_to_remote_models")
    return Models(roles, complete, documents_anywhere=anywhere, replies=replies)


def _status(config: Config, role: str) -> RoleStatus:
    problem, role_model, origin = None, None, "configured"
    try:
        role_model = role_of(config, role)
        if role_model is None and role not in FOR_ITSELF:
            role_model, origin = role_of(config, REASONING), REASONING
    except ConfigError as error:
        problem = str(error)
    if role_model is None:
        return RoleStatus(role, HELP[role], "", "", "", "", False, "none", problem)
    endpoint = role_model.endpoint
    return RoleStatus(
        role=role,
        help=HELP[role],
        model=role_model.model,
        endpoint=endpoint.name,
        url=endpoint.url,
        provider=endpoint.provider,
        local=endpoint.local,
        origin=origin,
    )


def check_role(role: str) -> None:
    """Raises ConfigError for a role there is not."""
    if role not in ROLES:
        raise ConfigError(f"There is no role {role[:60]!r}. Choose one of {', '.join(ROLES)}.")
