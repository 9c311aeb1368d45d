"""A proxy may need a password in its address; it is used and never shown. Other addresses take
none."""

from pathlib import Path

import pytest

from engine import ResearchEngine
from engine.cluster.batch import _settings
from engine.models import ConfigError

PASSWORD = "canary-pw-83b1"
PROXY = f"http://user:{PASSWORD}@proxy.example:8080"


def test_the_password_of_a_proxy_is_used_and_not_shown(home: Path) -> None:
    with ResearchEngine(home=home, environ={}) as engine:
        engine.set_setting("http.proxy", PROXY)
        assert engine.config.get("http.proxy") == PROXY
        (row,) = [row for row in engine.settings() if row.name == "http.proxy"]
        assert row.value == "http://user:••••@proxy.example:8080"
        assert PASSWORD not in str(engine.settings()) and "http.proxy" not in _settings(
            engine.config
        )
        with pytest.raises(ConfigError) as refused:
            engine.set_setting("http.proxy", row.value)
        assert "••••" in str(refused.value)


@pytest.mark.parametrize("name", ["newsroom.url", "sources.openalex.base_url", "endpoints.own.url"])
def test_no_other_address_takes_a_password(home: Path, name: str) -> None:
    with ResearchEngine(home=home, environ={}) as engine:
        with pytest.raises(ConfigError, match="without a user and password") as refused:
            engine.set_setting(name, PROXY)
        assert PASSWORD not in str(refused.value)
