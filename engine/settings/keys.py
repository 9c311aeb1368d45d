"""Secrets: environment, then the keyring of the system, then an owner-only file. Never in
config.toml, never in a log.

A key that is stored carries the origin (scheme, host, port) it was entered for, and is handed out
for no other: a changed address of a service asks for its key again. A key of the environment has no
origin; it goes to the address the service is built with.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from engine.answers import KeyStatus
from engine.files import locked, write_whole
from engine.home import make_folder
from engine.llm.endpoint_names import own_key_names
from engine.optional_parts import PARTS
from engine.settings.config import Config
from engine.settings.setting import Key
from engine.settings.settings_table import KEYS
from tools.errors import ConfigError, StorageError

SERVICE = "zorora"
ENVIRONMENT, KEYRING, FILE, NONE = "environment", "keyring", "file", "none"
MAX_LENGTH = 4096


_PORTS = {"https": 443, "http": 80} | {
    scheme: port for part in PARTS for scheme, port in part.ports.items()
}


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret and where it comes from. origin: "https://api.example.org:443", or None for a key of
    the environment."""

    value: str = field(repr=False)
    place: str = FILE
    origin: str | None = None

    def usable_for(self, address: str, built_in: str) -> bool:
        """Whether the key may be sent to an address; built_in: the address its service has unless
        changed."""
        origin = origin_of(address)
        return origin is not None and origin == (self.origin or origin_of(built_in))


def origin_of(address: str) -> str | None:
    """Scheme, host and port of an address; None when it is not one."""
    try:
        parts = urlsplit(address)
        port = parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return None
    if not parts.hostname or port is None:
        return None
    return f"{parts.scheme}://{parts.hostname.rstrip('.').lower()}:{port}"


def resolve(config: Config, name: str, *, environment: bool = True) -> Secret | None:
    """The secret of a name, or None. Raises StorageError when the file of keys cannot be read.

    environment: one of the environment will do, and comes first.
    """
    if environment and name in config.secrets:
        return Secret(config.secrets[name].strip(), ENVIRONMENT)
    if secret := _from_ring(config, name):
        return secret
    entry = _read_file(config).get(name)
    return Secret(entry["value"], FILE, entry.get("origin")) if entry else None


def store(config: Config, name: str, value: str, address: str = "") -> str:
    """Keep a secret for the origin of an address; an empty value removes it. Returns the place:
    keyring or file.

    Raises ConfigError for an unknown name or a value that cannot be a key, StorageError when it
    cannot be kept.
    """
    _check(config, name, value)
    backend = _ring(config)
    if value.strip():
        entry = json.dumps({"value": value.strip(), "origin": origin_of(address)})
    else:
        entry = None
    place = KEYRING if backend and _put_ring(backend, name, entry) else FILE
    with _changing(config) as entries:
        entries.pop(name, None)  # also when the keyring has it now: an old one must not come back
        if entry and place == FILE:
            entries[name] = json.loads(entry)
    return place


def status(config: Config) -> list[KeyStatus]:
    """Every known key, masked: where it comes from and what it is for."""
    result = []
    for key in all_keys(config):
        secret = resolve(config, key.name)
        masked, place = (mask(secret.value), secret.place) if secret else ("", NONE)
        result.append(KeyStatus(key.name, key.purpose, place, masked, key.where_to_get))
    return result


def all_keys(config: Config) -> list[Key]:
    """The keys that services want: those of the table, then those that the user's own model servers
    name."""
    return [*KEYS, *(Key(name, "Your own model server") for name in own_key_names(config))]


def values(config: Config) -> list[str]:
    """The secrets that can be known without asking the keyring, for the log to leave out."""
    file_values = [str(entry["value"]) for entry in _read_file(config).values()]
    return [value for value in (*config.secrets.values(), *file_values) if len(value) >= 8]


def mask(value: str) -> str:
    """A secret as it may be shown: its last four characters, when it is long enough to spare
    them."""
    return "•••• " + value[-4:] if len(value) >= 16 else "••••"


def _check(config: Config, name: str, value: str) -> None:
    names = [key.name for key in all_keys(config)]
    if name not in names:
        raise ConfigError(f"There is no key {name[:80]!r}. Known keys: {', '.join(names)}.")
    if len(value) > MAX_LENGTH or any(not 32 < ord(c) < 127 for c in value.strip()):
        raise ConfigError(
            f"This is not a valid key for {name}: a key is one word of plain characters."
        )


# --- the file -------------------------------------------------------------------------------------


@contextmanager
def _changing(config: Config) -> Iterator[dict[str, dict[str, str]]]:
    """The entries of the file, to be changed; written when the block ends, by one process at a
    time."""
    path = config.paths.keys
    make_folder(path.parent)
    with locked(path.with_name(".keys.lock")):
        entries = _read_file(config)
        before = dict(entries)
        yield entries
        if entries != before:
            write_whole(path, json.dumps(entries, indent=1, sort_keys=True).encode())


def _read_file(config: Config) -> dict[str, dict[str, str]]:
    path = config.paths.keys
    try:
        data = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise StorageError(
            f"The file of keys {path} cannot be read. Correct "
            "or delete it; then enter the keys again."
        ) from error
    if not isinstance(data, dict):
        raise StorageError(
            f"The file of keys {path} is damaged. Delete it; then enter the keys again."
        )
    return {
        name: entry
        for name, entry in data.items()
        if isinstance(entry, dict) and isinstance(entry.get("value"), str)
    }


# --- the keyring ----------------------------------------------------------------------------------


def _ring(config: Config) -> Any | None:
    """The keyring package, when it is installed and wanted."""
    if not config.get("storage.keyring"):
        return None
    try:
        import keyring  # an extra, and slow to load
    except ImportError:
        return None
    return keyring


def _from_ring(config: Config, name: str) -> Secret | None:
    backend = _ring(config)
    if backend is None:
        return None
    try:
        entry_text = backend.get_password(SERVICE, name)
    except (RuntimeError, OSError, backend.errors.KeyringError):
        return None  # no keyring runs here, or it is locked: the file has its turn
    try:
        entry = json.loads(entry_text or "{}")
        return Secret(entry["value"], KEYRING, entry.get("origin")) if entry.get("value") else None
    except (ValueError, AttributeError, TypeError):
        return None


def _put_ring(backend: Any, name: str, entry: str | None) -> bool:
    try:
        if entry is not None:
            backend.set_password(SERVICE, name, entry)
        elif backend.get_password(SERVICE, name) is not None:
            backend.delete_password(SERVICE, name)
        return entry is not None
    except (RuntimeError, OSError, backend.errors.KeyringError):
        return False
