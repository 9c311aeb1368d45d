"""The generated pages are up to date, complete, and mean what they say."""

import re
import tomllib
from pathlib import Path

import pytest

from engine.settings.config import load
from engine.settings.settings_table import KEYS, SETTINGS
from tests import doc_modules

ROOT = doc_modules.DOCS.parent
render = doc_modules.load("settings_pages").render


@pytest.mark.parametrize("name", list(render()))
def test_the_file_is_what_the_table_says(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == render()[name], "run `python docs/build.py`"


def test_every_setting_and_key_is_documented() -> None:
    page = render()["docs/configuration.md"]
    assert all(f"`{setting.name}`" in page for setting in SETTINGS)
    assert all(f"`{name}`" in page for setting in SETTINGS for name in setting.legacy)
    assert all(f"`{key.name}`" in page for key in KEYS)


def test_every_key_of_the_specification_is_a_setting(shared: Path) -> None:
    names = {setting.name for setting in SETTINGS}
    legacy = {old for setting in SETTINGS for old in setting.legacy} | {key.name for key in KEYS}
    text = (shared / "spec" / "config.md").read_text(encoding="utf-8")
    for section, keys in re.findall(r"^\| `\[([^\]]+)\]` \| (.+) \|$", text, re.M):
        for key in re.findall(r"(?:^|; )([a-z]+(?:_[a-z]+)*)\b", keys):
            setting = f"{section.replace('<client>', '*').replace('<role>', '*')}.{key}"
            assert any(name == setting or name.startswith(f"{setting}.") for name in names), setting
    assert (
        set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", text.partition("Known environment")[2])) <= legacy
    )


def test_the_example_file_is_valid_as_it_is_and_with_every_comment_sign_taken_away(
    home: Path,
) -> None:
    text = render()["config.example.toml"]
    assert tomllib.loads(text) == {}
    lines = [re.sub(r"^# (?=\[|[a-z_]+ = )", "", line) for line in text.splitlines()]
    home.mkdir()
    (home / "config.toml").write_text("\n".join(lines), encoding="utf-8")
    config = load(home, environ={})
    assert config.problems == ()
    assert all(
        value in (config_default(name), None, ()) for name, (value, _) in config.values.items()
    )


def config_default(name: str) -> object:
    return load(environ={"HOME": "/"}).get(name)


def test_the_example_environment_is_understood_when_uncommented(home: Path) -> None:
    lines = [
        line[2:] for line in render()[".env.example"].splitlines() if re.match(r"# [A-Z_]+=", line)
    ]
    environ = dict(line.split("=", 1) for line in lines)
    environ = {name: value.strip("'") for name, value in environ.items()}
    assert load(home, environ=environ).problems == ()
