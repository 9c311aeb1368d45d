"""The command tool: any tool of the registry by hand, with its safety class."""

import json
from typing import Any

from engine.wiring.toolset import OfferedTool
from ui.terminal.command import Arguments, UsageError
from ui.terminal.hangup import interrupted_by_hangup
from ui.terminal.render.plain import plain
from ui.terminal.session import Session

OPEN, HOST = ("read", "research"), "host"
# Host tools that change nothing and start no program; every other one is asked about each time
LOOKS = frozenset(
    "read_file list_files get_working_directory analyze_image use_reasoning_model use_search_model "
    "use_intent_detector"
    " use_coding_agent".split()
)


def tool(session: Session, args: Arguments) -> None:
    """List the tools, or call one. Host tools need a person at the terminal."""
    name, _, typed = " ".join(args.call).strip().partition(" ")
    if not name:
        return _list(session)
    tool = session.engine.tools.find(name)
    arguments = _arguments(tool, typed.strip())
    classes = (*OPEN, HOST) if session.screen.interactive else OPEN
    with interrupted_by_hangup():
        if tool.safety in classes and not _agreed(session, tool, arguments):
            session.screen.note("Nothing was done.")
            return
        text = session.engine.tools.call(
            tool.name,
            arguments,
            classes=classes,
            workplace=session.workplace if HOST in classes else None,
        )
    session.screen.result({"tool": tool.name, "text": text}, plain(text, lines=True))


def _list(session: Session) -> None:
    classes = (*OPEN, HOST) if session.screen.interactive else OPEN
    offered = session.engine.tools.offered(
        classes, place=session.workplace if HOST in classes else None
    )
    session.screen.listing(
        offered,
        ("tool", "class", "arguments", "what it does"),
        [
            (tool.name, tool.safety, ", ".join(tool.schema["properties"]), tool.description)
            for tool in offered
        ],
    )


def _arguments(tool: OfferedTool, typed: str) -> dict[str, Any]:
    """The arguments that were typed. UsageError with what there is."""
    try:
        values = json.loads(typed or "{}")
    except ValueError:
        values = None
    if isinstance(values, dict) and set(tool.schema["required"]) <= set(values):
        return values
    names = ", ".join(tool.schema["properties"]) or "none"
    example = json.dumps(dict.fromkeys(tool.schema["required"], "..."))
    raise UsageError(f"Write the arguments ({names}) as JSON: zorora tool {tool.name} {example}")


def _agreed(session: Session, tool: OfferedTool, arguments: dict[str, Any]) -> bool:
    if tool.safety != HOST or tool.name in LOOKS:
        return True
    for name, value in arguments.items():
        session.screen.note(f"{plain(name)}: {plain(value, lines=True)}")
    return session.screen.agrees(f"{tool.name} in {session.workplace.root}?")
