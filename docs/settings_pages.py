"""docs/configuration.md, config.example.toml and .env.example, made from the table of settings.

`python docs/build.py` in a checkout writes them; a test compares them.
"""

import json
from collections.abc import Iterator
from itertools import groupby

from engine.llm.endpoint_names import BUILT_IN
from engine.settings.setting import Setting
from engine.settings.settings_table import KEYS, ROLES, SETTINGS
from engine.settings.settings_values import allowed, show

EXAMPLES = {"sources": "openalex", "endpoints": "lab", "models": "reasoning"}

HEAD = """\
# Configuration

Everything has a default; nothing has to be set. Order: command line, then environment, then `config.toml` in the home
directory (`~/.zorora`, or `ZORORA_HOME`), then the default. `zorora config list` shows every value with its origin,
`zorora config set NAME VALUE` changes one and keeps the comments of the file, the settings page does the same.

Every setting also has an environment name, `ZORORA_<SECTION>_<KEY>` (`research.depth` is `ZORORA_RESEARCH_DEPTH`);
older names that are still read stand beside it. Lists are written with commas there, tables as JSON. Nothing in the
file is ever run.

A wrong value or name is named with file and line by every command and page, and the safer choice holds until it is
corrected: off, local, less. While `config.toml` is not valid TOML at all, no network request is made, since
services may be switched off in it. A program that runs takes what another one saves into use at its next request;
only the places of the data and what the page is served on wait for the next start.

*This page is made from `engine/settings/settings_table.py` by `python docs/build.py`.*
"""  # noqa: E501

KEYS_HEAD = """
## Keys

Keys never stand in `config.toml`. They are looked for in the environment, then in the keyring of the system (extra
`keyring`), then in an owner-only file of the home directory; `zorora keys set NAME` and the settings page store them. A
stored key is bound to the address it was entered for and is sent to no other.

| environment name | what for | where to get one |
|---|---|---|
"""  # noqa: E501

TOML_HEAD = """\
# Zorora's settings with their defaults. Copy lines into config.toml of the home directory (~/.zorora) and take the
# leading "# " away. Made from engine/settings/settings_table.py by `python docs/build.py`.
"""  # noqa: E501

ENV_HEAD = """\
# Environment names of Zorora's settings with their defaults. Zorora does not read this file: copy lines into your
# shell or service file. Made from engine/settings/settings_table.py by `python docs/build.py`.

# Directory of everything
# ZORORA_HOME=~/.zorora
"""  # noqa: E501

TITLES = {
    "research": "Research",
    "credibility": "Credibility of sources",
    "verification": "Verification of claims",
    "newsroom": "Newsroom",
    "sources": "Source clients",
    "http": "Network",
    "privacy": "Privacy",
    "jobs": "Jobs",
    "corpus": "Documents and search",
    "embeddings": "Search by meaning",
    "endpoints": "Model servers",
    "models": "Models",
    "storage": "Storage",
    "web": "Web server",
    "shell": "Shell tool",
}


def render() -> dict[str, str]:
    """The generated files: path in the checkout -> text."""
    return {"docs/configuration.md": page(), "config.example.toml": toml(), ".env.example": env()}


def page() -> str:
    """docs/configuration.md."""
    parts = [HEAD]
    for section, settings in _sections():
        parts.append(
            f"\n## {TITLES[section]}\n\n| setting | default | allowed | what |\n|---|---|---|---|\n"
        )
        parts.extend(_line(setting) for setting in settings)
        if section in EXAMPLES:
            parts.append(f"\n{_star(section)}\n")
    keys = (f"| `{key.name}` | {key.purpose} | {key.where_to_get} |\n" for key in KEYS)
    return "".join((*parts, KEYS_HEAD, *keys))


def toml() -> str:
    """config.example.toml: valid TOML, and also when the comment signs are taken away."""
    parts = [TOML_HEAD]
    for section, settings in _sections():
        parts.append(f"\n# --- {TITLES[section]}\n")
        for heading, group in groupby(settings, key=lambda setting: setting.section):
            parts.append(f"\n# [{heading.replace('*', EXAMPLES.get(section, ''))}]\n")
            parts.extend(_toml_line(setting) for setting in group)
    return "".join(parts)


def env() -> str:
    """.env.example."""
    parts = [ENV_HEAD]
    for section, settings in _sections():
        plain = [
            s
            for s in settings
            if "*" not in s.name and s.kind != "tables" and s.name != "storage.home"
        ]
        if plain:
            parts.append(f"\n# {TITLES[section]}\n")
        parts.extend(f"{_older(s)}# {s.environment}={_quoted(show(s.default))}\n" for s in plain)
    parts.append("\n# One source, one model server, one model (any name in the middle)\n")
    parts.extend(f"# {s.environment}=\n" for s in SETTINGS if "*" in s.name)
    parts.append("\n# Keys\n")
    parts.extend(f"# -- {key.purpose}\n# {key.name}=\n" for key in KEYS)
    return "".join(parts)


def _sections() -> Iterator[tuple[str, list[Setting]]]:
    for section, settings in groupby(SETTINGS, key=lambda setting: setting.name.partition(".")[0]):
        # In TOML, keys of a subtable come after those of the table itself
        yield section, sorted(settings, key=lambda setting: setting.section)


def _line(setting: Setting) -> str:
    older = "".join(f"<br>`{name}`" for name in setting.legacy)
    default = f"`{show(setting.default)}`" if show(setting.default) else "–"
    unit = f" {setting.unit}" if setting.unit else ""
    cells = (
        f"`{setting.name}`{older}",
        default + unit * (default != "–"),
        allowed(setting),
        setting.help,
    )
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"


def _star(section: str) -> str:
    if section == "models":
        return (
            f"`*` is one of the roles {', '.join(ROLES)}. A role that is not set uses `reasoning`."
        )
    if section == "endpoints":
        return (
            "`*` is a name of your choice. These are known without being set: "
            f"{', '.join(BUILT_IN)}."
        )
    return (
        "`*` is the name of a source client (`zorora sources` lists them). Without a value, its "
        "default applies."
    )


def _toml_line(setting: Setting) -> str:
    key = setting.name.rpartition(".")[2]
    return f"# {key} = {_toml_value(setting)}  # {setting.help}\n"


def _toml_value(setting: Setting) -> str:
    value = setting.default
    if value is None:
        return '""'  # which means "not set" for every kind
    if isinstance(value, dict):
        items = (
            f"{key} = {json.dumps(list(v) if isinstance(v, tuple) else v)}"
            for key, v in value.items()
        )
        return "{ " + ", ".join(items) + " }"
    return json.dumps(list(value) if isinstance(value, tuple) else value)


def _quoted(value: str) -> str:
    return f"'{value}'" if any(c in value for c in ' "{*~') else value


def _older(setting: Setting) -> str:
    return f"# -- or {', '.join(setting.legacy)}\n" if setting.legacy else ""
