"""Links that a terminal opens on a click (OSC 8), where it is known to take them; else plain text.

https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda describes the form; rich writes
it.
"""

from urllib.parse import quote

from rich.console import Console
from rich.style import Style

from ui.terminal.render.plain import address

_KEPT = ":/?#[]@!$&'()*+,;=%~-._"


def supports_links(console: Console) -> bool:
    """Whether links may be written: a terminal that shows many colours; the plainest ones would
    print the sequence."""
    return (
        console.is_terminal
        and not console.is_dumb_terminal
        and console.color_system in ("256", "truecolor")
    )


def linked(url: str, style: str = "", on: bool = True) -> Style:
    """The style, with a link where it is one of http or https and links are on."""
    linked_style, target = Style.parse(style), address(url) if on else ""
    return linked_style.update_link(quote(target, safe=_KEPT)) if target else linked_style
