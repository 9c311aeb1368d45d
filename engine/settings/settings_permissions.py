"""Which settings the page may change, and from where.

Whoever is let in to a page that is served to other computers may research here; he does not choose
which folders of this computer are read, which files are made and which addresses it talks to.
"""

from collections.abc import Callable

from engine.settings import config as configuration
from engine.settings.settings_table import find, pattern
from tools.errors import Refused

_KINDS = ("path", "paths", "url")
_SECTIONS = ("shell", "storage", "web")
# Texts and lists that name a path, an address, a secret or a door of this computer
_NAMES = frozenset(
    ("corpus.watch", "endpoints.*.key", "http.allow_fetch_hosts", "models.*.endpoint",
        "models.*.model",
     "models.*.provider", "newsroom.feeds", "newsroom.token", "sources.*.key")
)  # fmt: skip
# A variable of the environment goes where these say
_COMMAND_LINE = frozenset(("corpus.index", "endpoints.*.environment", "http.allow_model_hosts"))
_BINDING = ("endpoints.*.url", "endpoints.*.key")
_LOCAL_MODEL = "local"


def is_closed(name: str, here: bool) -> bool:
    """Whether the page may not change a setting. here: it is served to this computer alone."""
    setting, general = find(name), pattern(name)
    if setting is None:
        return False
    door = setting.kind in _KINDS or setting.section in _SECTIONS or general in _NAMES
    return general in _COMMAND_LINE or (door and not here)


def check(name: str, here: bool) -> None:
    """Raises Refused for a setting that is closed."""
    if not is_closed(name, here):
        return
    where = "" if is_closed(name, True) else ", or on a page that is served to that computer alone"
    raise Refused(
        f"{name} concerns the security of the computer that Zorora runs on. "
        f"Change it there with `zorora config set {name}`{where}."
    )


def check_server(place: str, here: bool) -> None:
    """Raises Refused for a model server that is an address, or a file, chosen from another
    computer."""
    if not here and ("://" in place or place == _LOCAL_MODEL):
        raise Refused(
            "From another computer, choose one of the model "
            "servers that are set up here, by its name."
        )


def change(store: Callable[[str, str], None], name: str, text: str, here: bool) -> None:
    """Change a setting from the page. Raises Refused, ConfigError. store:
    ResearchEngine.set_setting."""
    check(name, here)
    if pattern(name) in _BINDING:
        if text.strip():
            configuration.checked(name, text)  # nothing is written before it is right
        store(f"{name.rpartition('.')[0]}.environment", "false")
    store(name, text)
