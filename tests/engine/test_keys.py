"""Secrets: where they come from, where they may go, that they are never shown."""

import stat
from pathlib import Path
from typing import Any

import pytest

from engine.settings import keys
from engine.settings.config import Config, load
from tests.tables import each
from tools.errors import ConfigError, StorageError

VALUE = "sk-0123456789abcdef-wxyz"


class FakeRing:
    """A keyring in memory; `broken` makes every call fail as a locked one does."""

    class errors:
        class KeyringError(Exception):
            pass

    def __init__(self, broken: bool = False) -> None:
        self.secrets: dict[tuple[str, str], str] = {}
        self.broken = broken

    def _check(self) -> None:
        if self.broken:
            raise self.errors.KeyringError("locked")

    def get_password(self, service: str, name: str) -> str | None:
        self._check()
        return self.secrets.get((service, name))

    def set_password(self, service: str, name: str, value: str) -> None:
        self._check()
        self.secrets[service, name] = value

    def delete_password(self, service: str, name: str) -> None:
        self._check()
        del self.secrets[service, name]


def configured(home: Path, **environ: str) -> Config:
    return load(home, environ=environ, overrides={"storage.keyring": False})


def test_a_key_is_kept_in_an_owner_only_file_with_its_origin(home: Path) -> None:
    config = configured(home)
    assert keys.resolve(config, "CORE_API_KEY") is None
    assert keys.store(config, "CORE_API_KEY", f" {VALUE} ", "https://API.core.ac.uk/v3") == "file"
    assert stat.S_IMODE(config.paths.keys.stat().st_mode) == 0o600
    secret = keys.resolve(config, "CORE_API_KEY")
    assert secret == keys.Secret(VALUE, "file", "https://api.core.ac.uk:443")
    assert VALUE not in repr(secret)
    keys.store(config, "CORE_API_KEY", "")
    assert keys.resolve(config, "CORE_API_KEY") is None


def test_environment_wins_over_keyring_over_file(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config, ring = configured(home), FakeRing()
    keys.store(config, "HF_TOKEN", "from-the-file-000")
    monkeypatch.setattr(keys, "_ring", lambda config: ring)
    assert keys.store(config, "HF_TOKEN", "from-the-ring-000") == "keyring"
    assert keys.values(config) == []  # the one in the file is gone
    secret = keys.resolve(config, "HF_TOKEN")
    assert secret is not None
    assert (secret.value, secret.place) == ("from-the-ring-000", "keyring")
    config = configured(home, HF_TOKEN="from-the-environment")
    secret = keys.resolve(config, "HF_TOKEN")
    assert secret is not None
    assert (secret.value, secret.origin) == ("from-the-environment", None)
    keys.store(config, "HF_TOKEN", "")
    assert ring.secrets == {}


def test_a_keyring_that_does_not_work_gives_way_to_the_file(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = configured(home)
    monkeypatch.setattr(keys, "_ring", lambda config: FakeRing(broken=True))
    assert keys.store(config, "HF_TOKEN", VALUE) == "file"
    secret = keys.resolve(config, "HF_TOKEN")
    assert secret is not None
    assert secret.place == "file"


@each(
    ("origin", "address", "allowed"),
    [
        ("https://api.example.org:443", "https://api.example.org/v1/x", True),
        ("https://api.example.org:443", "https://API.EXAMPLE.ORG:443", True),
        ("https://api.example.org:443", "http://api.example.org/v1", False),
        ("https://api.example.org:443", "https://api.example.org:8443", False),
        ("https://api.example.org:443", "https://api.example.org.evil.test", False),
        ("https://api.example.org:443", "https://api.example.org@evil.test/", False),
        (None, "https://built.in/v1", True),
        (None, "https://elsewhere.test", False),
        (None, "not an address", False),
        (None, "http://[", False),
        (None, "http://x:99999999", False),
    ],
)
def test_a_key_goes_to_its_own_origin_only(origin: str | None, address: str, allowed: bool) -> None:
    secret = keys.Secret(VALUE, origin=origin)
    assert secret.usable_for(address, built_in="https://built.in") is allowed


@pytest.mark.parametrize("value", ["two words", "line\nbreak", "ümlaut", "\0", "x" * 5000])
def test_what_cannot_be_a_key_is_refused_without_repeating_it(home: Path, value: str) -> None:
    with pytest.raises(ConfigError) as caught:
        keys.store(configured(home), "CORE_API_KEY", value)
    assert value not in str(caught.value)


@pytest.mark.parametrize("name", ["PATH", "", "../x", "core_api_key"])
def test_an_unknown_name_is_refused(home: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="There is no key"):
        keys.store(configured(home), name, VALUE)


def test_status_shows_every_key_masked(home: Path) -> None:
    config = configured(home, OPENAI_API_KEY=VALUE, CORE_API_KEY="short", OTHER_SECRET="x")
    shown = {status.name: status for status in keys.status(config)}
    assert (shown["OPENAI_API_KEY"].masked, shown["OPENAI_API_KEY"].origin) == (
        "•••• wxyz",
        "environment",
    )
    assert shown["CORE_API_KEY"].masked == "••••"
    assert (shown["HF_TOKEN"].masked, shown["HF_TOKEN"].origin) == ("", "none")
    assert VALUE not in repr(keys.status(config))
    assert "OTHER_SECRET" not in config.secrets


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff", b"null"])
def test_a_damaged_file_of_keys_is_a_sentence(home: Path, content: bytes) -> None:
    config = configured(home)
    home.mkdir()
    config.paths.keys.write_bytes(content)
    with pytest.raises(StorageError, match="file of keys"):
        keys.resolve(config, "CORE_API_KEY")
    with pytest.raises(StorageError, match="file of keys"):
        keys.store(config, "CORE_API_KEY", VALUE)
    assert config.paths.keys.read_bytes() == content


def test_entries_of_a_strange_form_are_no_keys(home: Path) -> None:
    config = configured(home)
    home.mkdir()
    config.paths.keys.write_text('{"CORE_API_KEY": "bare", "HF_TOKEN": {"value": 5}}')
    assert keys.resolve(config, "CORE_API_KEY") is None
    assert keys.resolve(config, "HF_TOKEN") is None


def test_the_ring_may_hold_rubbish(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ring: Any = FakeRing()
    monkeypatch.setattr(keys, "_ring", lambda config: ring)
    for text in ("[1]", "{", "5", '"x"'):
        ring.secrets["zorora", "HF_TOKEN"] = text
        assert keys.resolve(configured(home), "HF_TOKEN") is None
