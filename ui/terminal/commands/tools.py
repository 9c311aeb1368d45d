"""The command tool: any tool of the registry by hand, with its safety class."""

import json
from typing import TYPE_CHECKING, Any

from ui.terminal.command import DONE, JSON, Arguments, UsageError, flag
from ui.terminal.hangup import interrupted_by_hangup
from ui.terminal.prompt import routed_lines
from ui.terminal.render.plain import plain
from ui.terminal.session import Session

if TYPE_CHECKING:
    from engine.wiring.toolset import OfferedTool

FLAGS = (
    flag("call", help="a tool and its arguments as JSON; the list of tools without", nargs="*", metavar="NAME JSON"),
    JSON,
)
OPEN, HOST = ("read", "research"), "host"
# Host tools that change nothing and start no program; every other one is asked about each time
LOOKS = frozenset(
    "read_file list_files get_working_directory analyze_image use_reasoning_model use_search_model use_intent_detector"
    " use_coding_agent".split()
)


def tool(session: Session, args: Arguments) -> int:
    """List the tools, or call one. Host tools need a person at the terminal."""
    name, _, typed = " ".join(args.call).strip().partition(" ")
    if not name:
        return _list(session, args.json)
    one = session.engine.tools.named(name)
    given = _given(one, typed.strip())
    classes = (*OPEN, HOST) if session.screen.interactive else OPEN
    with interrupted_by_hangup():
        if one.safety in classes and not _agreed(session, one, given):
            session.screen.note("Nothing was done.")
            return DONE
        place = routed_lines.workplace(session) if HOST in classes else None
        text = session.engine.tools.call(one.name, given, classes=classes, workplace=place)
    if args.json:
        session.screen.json({"tool": one.name, "text": text})
    else:
        session.screen.print(plain(text, lines=True))
    return DONE


def _list(session: Session, as_json: bool) -> int:
    classes = (*OPEN, HOST) if session.screen.interactive else OPEN
    offered = session.engine.tools.offered(classes, place=routed_lines.workplace(session) if HOST in classes else None)
    if as_json:
        session.screen.json(offered)
        return DONE
    rows = [(one.name, one.safety, ", ".join(one.schema["properties"]), one.description) for one in offered]
    session.screen.rows(("tool", "class", "arguments", "what it does"), rows)
    return DONE


def _given(one: "OfferedTool", typed: str) -> dict[str, Any]:
    """The arguments that were typed. UsageError with what there is."""
    try:
        found = json.loads(typed or "{}")
    except ValueError:
        found = None
    if isinstance(found, dict) and set(one.schema["required"]) <= set(found):
        return found
    names = ", ".join(one.schema["properties"]) or "none"
    example = json.dumps(dict.fromkeys(one.schema["required"], "..."))
    raise UsageError(f"Write the arguments ({names}) as JSON: zorora tool {one.name} {example}")


def _agreed(session: Session, one: "OfferedTool", given: dict[str, Any]) -> bool:
    if one.safety != HOST or one.name in LOOKS:
        return True
    for name, value in given.items():
        session.screen.note(f"{plain(name)}: {plain(value, lines=True)}")
    return routed_lines.asking(session)(f"{one.name} in {routed_lines.workplace(session).root}?")
