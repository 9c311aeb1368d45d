"""The names of the endpoints of models: the built-in ones and the user's own, and the keys that
these want."""

import re
from collections.abc import Iterator

from engine.settings.config import Config
from engine.settings.settings_table import KEY_NAME, KEYS
from tools.models.model import Provider

LOCAL = "local"
# name -> address, how it speaks, its key; shown in this order
BUILT_IN: dict[str, tuple[str, Provider, str]] = {
    "lmstudio": ("http://localhost:1234/v1", "openai", ""),
    "ollama": ("http://localhost:11434/v1", "ollama", ""),
    "llamacpp": ("http://localhost:8080/v1", "openai", ""),
    "vllm": ("http://localhost:8000/v1", "openai", ""),
    "openai": ("https://api.openai.com/v1", "openai", "OPENAI_API_KEY"),
    "anthropic": ("https://api.anthropic.com/v1", "anthropic", "ANTHROPIC_API_KEY"),
    "openrouter": ("https://openrouter.ai/api/v1", "openai", "OPENROUTER_API_KEY"),
    "huggingface": ("https://router.huggingface.co/v1", "openai", "HF_TOKEN"),
    LOCAL: ("", "local", ""),
}


def names(config: Config) -> list[str]:
    """All names: the built-in ones, then the user's in order of the alphabet."""
    user_servers = {
        name.split(".")[1]
        for name, (value, _) in config.values.items()
        if name.startswith("endpoints.") and name.endswith(".url") and value
    }
    return [*BUILT_IN, *sorted(user_servers - set(BUILT_IN))]


def own_key_names(config: Config) -> Iterator[str]:
    """Names of keys that only the user's own servers want."""
    fixed = {key.name for key in KEYS}
    key_names = {config.get(f"endpoints.{name}.key") for name in names(config)}
    yield from sorted(
        key for key in key_names if key and key not in fixed and re.fullmatch(KEY_NAME, key)
    )
