"""Which settings the page may change: a decision for every row of the table."""

import pytest

from engine.settings import settings_permissions
from engine.settings.settings_table import SETTINGS
from tools.errors import ConfigError, Refused

# Texts, lists and tables that name no path, address, secret or door of this computer; a new one has
# to be decided
HARMLESS = {
    "research.sources", "credibility.outdated_years", "credibility.rules", "http.contact",
    "corpus.ignore", "embeddings.model",
}  # fmt: skip
WORDS = ("text", "names", "table", "tables")


def test_what_names_a_place_or_an_address_is_shut_from_other_computers() -> None:
    for setting in SETTINGS:
        name = setting.name.replace("*", "lab")
        if setting.kind in ("path", "paths", "url"):
            assert settings_permissions.is_closed(name, here=False), (
                f"{name} could be set from another computer"
            )
        elif setting.kind in WORDS:
            assert settings_permissions.is_closed(name, here=False) is (
                setting.name not in HARMLESS
            ), f"decide on {name}"
    for name in (
        "storage.keyring",
        "storage.bin_days",
        "web.port",
        "web.token",
        "corpus.watch",
        "models.reasoning.model",
    ):
        assert settings_permissions.is_closed(
            name, here=False
        ) and not settings_permissions.is_closed(name, here=True), name
    assert not settings_permissions.is_closed("research.depth", here=False)


@pytest.mark.parametrize("name", ["endpoints.lab.environment", "corpus.index"])
def test_where_the_environment_goes_is_said_on_the_command_line_alone(name: str) -> None:
    with pytest.raises(Refused, match=rf"Change it there with `zorora config set {name}`\."):
        settings_permissions.check(name, here=True)


def test_a_binding_of_the_page_shuts_the_environment_before_it_holds() -> None:
    calls: list[tuple[str, str]] = []
    settings_permissions.change(
        lambda *row: calls.append(row), "endpoints.lab.key", "GITHUB_TOKEN", here=True
    )
    assert calls == [("endpoints.lab.environment", "false"), ("endpoints.lab.key", "GITHUB_TOKEN")]
    with pytest.raises(ConfigError):
        settings_permissions.change(
            lambda *row: calls.append(row), "endpoints.lab.url", "ftp://x", here=True
        )
    assert len(calls) == 2
