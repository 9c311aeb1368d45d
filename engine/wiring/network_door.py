"""The door to the network: what sends every request, set up from the configuration."""

from collections.abc import Callable

from engine.settings.config import Config
from engine.version import own_version
from tools.http import Http, HttpSettings
from tools.net.store import NetStore


def door(
    config: Config,
    net: NetStore,
    *,
    offline: bool = False,
    fresh: bool = False,
    check: Callable[[], None] | None = None,
) -> Http:
    """The network door as the settings want it. fresh: past the cache. check: raises Cancelled when
    stopped."""
    get = config.get
    settings = HttpSettings(
        version=own_version(),
        contact=get("http.contact") or "",
        connect_timeout=get("http.connect_timeout"),
        read_timeout=get("http.read_timeout"),
        max_page_bytes=int(get("http.max_page_mb") * 1_000_000),
        max_document_bytes=int(get("http.max_document_mb") * 1_000_000),
        redirects=get("http.redirects"),
        proxy=get("http.proxy"),
        allow_fetch_hosts=get("http.allow_fetch_hosts"),
        web_seconds=0.0 if fresh else get("http.cache_hours.web") * 3600.0,
        scholarly_seconds=0.0 if fresh else get("http.cache_hours.scholarly") * 3600.0,
        offline=offline or bool(config.offline),
        offline_reason=config.offline or "the run is offline",
    )
    http = Http(settings, net)
    if check:
        http.check = check
    return http
