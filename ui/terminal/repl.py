"""The prompt: `zorora` alone. A slash command does what the same subcommand does; any other line is routed."""

from collections.abc import Callable, Iterator

from engine import routing
from engine.models import Cancelled, ZororaError
from ui.terminal import do_models, manual
from ui.terminal.command import DONE, HelpShown, UsageError, parse
from ui.terminal.commands import repl_command, suggestion
from ui.terminal.plain import plain, shorten
from ui.terminal.session import Session

LEAVE = ("exit", "quit", "q")
WELCOME = "Zorora. A line is a question; /help lists the commands; Ctrl+D leaves."
EARLIER = 3  # how many researches on a related question are named
# What the router's file orders mean here: (action, object) -> command
ORDERS = {
    ("list", "research"): "history",
    ("list", "history"): "history",
    ("show", "history"): "history",
    ("show", "research"): "show",
    ("open", "research"): "open",
    ("delete", "research"): "delete",
    ("export", "research"): "export",
    ("star", "research"): "star",
    ("resume", "research"): "resume",
    ("list", "library"): "library",
    ("show", "library"): "library",
    ("ingest", "file"): "ingest",
    ("ingest", "folder"): "ingest",
}


def run(session: Session) -> int:
    """Read lines until the end of input."""
    session.repl = True
    person = session.screen.interactive and session.screen.on_terminal
    if person:
        session.screen.note(WELCOME)
        do_models.offer(session)
    for line in _lines(session) if person else iter(session.screen.source.readline, ""):
        if line.strip() and not execute(session, line.strip()):
            break
    return DONE


def execute(session: Session, line: str) -> bool:
    """Carry out one line; False when it asked to leave. No failure ends the prompt."""
    try:
        return _execute(session, line)
    except HelpShown as help_text:
        session.screen.print(str(help_text))
    except UsageError as error:
        session.screen.note(plain(error))
    except (KeyboardInterrupt, Cancelled) as error:
        session.screen.note(plain(error) or "Stopped.")
    except ZororaError as error:
        session.screen.note(plain(error, lines=True))
    except OSError as error:
        session.screen.note(f"{plain(error.filename or '')} {plain(error.strerror or error)}".strip())
    return True


def words_of(rest: str) -> list[str]:
    """The words of a command line. Double quotes hold words together; an apostrophe is only an apostrophe."""
    found, word, quoted, open_word = [], "", False, False
    for letter in rest:
        if letter == '"':
            quoted, open_word = not quoted, True
        elif letter.isspace() and not quoted:
            if open_word:
                found.append(word)
            word, open_word = "", False
        else:
            word, open_word = word + letter, True
    return [*found, word] if open_word else found


def _execute(session: Session, line: str) -> bool:
    route = routing.route(line)
    if route.workflow == "command":
        return _command(session, route.action, route.arguments.get("rest", ""))
    if route.workflow == "research":
        _run(session, "research", ["--", line])
    elif route.workflow == "file":
        _order(session, route)
    else:
        _not_here(session, f"Work on {'code' if route.workflow == 'code' else 'images'}", line)
    return True


def _command(session: Session, name: str, rest: str) -> bool:
    if name in LEAVE:
        return False
    if name == "help":
        manual.show_help(session, words_of(rest), repl=True)
    elif name == "clear":
        if session.screen.on_terminal:
            session.screen.out.write("\x1b[2J\x1b[H")
            session.screen.out.flush()
    else:
        _run(session, name, words_of(rest))
    return True


def _run(session: Session, name: str, words: list[str]) -> None:
    command = repl_command(name)
    if command is None:
        close = suggestion(name, repl=True)
        hint = f" Did you mean /{close}?" if close else " /help lists them."
        raise UsageError(f"There is no command /{shorten(plain(name), 60)}.{hint}")
    args = parse(command, words, "/")
    if command.name in ("research", "deep"):
        _offer_earlier(session, " ".join(args.query))
    command.run(session, args)  # the exit status matters to the shell only


def _offer_earlier(session: Session, query: str) -> None:
    """Say which earlier researches are about the same; a new one is made all the same."""
    earlier = session.engine.related(query, EARLIER) if query.strip() else []
    if earlier:
        session.screen.note("Researched before (/show ID):")
    for entry in earlier:
        session.screen.note(f"  {plain(entry.research_id)}  {shorten(plain(entry.query), 60)}")


def _order(session: Session, route: routing.Route) -> None:
    known = ORDERS.get((route.action, route.arguments.get("object", "")))
    if known is None:
        _not_here(session, f"To {route.action} a {route.arguments.get('object', 'thing')}", "")
        return
    name = route.arguments.get("name", "")
    session.screen.note(f"/{known} {plain(name)}".rstrip())
    _run(session, known, _arguments(session, route, known, name))


def _arguments(session: Session, route: routing.Route, command: str, name: str) -> list[str]:
    destination = route.arguments.get("destination", "")
    if command in ("history", "library"):
        return ["--", *name.split()]
    if command == "ingest":
        return ["--", name]
    research_id = _meant(session, name)
    if command == "export" and destination:
        # "as html" names a format, "to report.html" a file
        is_file = "." in destination or "/" in destination
        return [research_id, "-o", destination] if is_file else [research_id, destination]
    return [research_id]


def _meant(session: Session, name: str) -> str:
    """The research an order names: an id or its beginning, the subject of a past question, or the last one."""
    if not name or name.replace("_", "").replace("-", "").isalnum():
        return name or "last"
    found = session.engine.search_history(name, limit=1)
    if not found:
        raise UsageError(f'No research matches "{plain(name)}". /history lists them.')
    return found[0].research_id


def _not_here(session: Session, what: str, line: str) -> None:
    session.screen.note(f"{what} is not part of this version; researching, reading and exporting are (/help).")
    if line:
        session.screen.note(f"To research the line as a question: /research {plain(line)}")


def _lines(session: Session) -> Iterator[str]:
    """Lines with editing, history and completion; Ctrl+C empties the line, Ctrl+D ends the loop."""
    from ui.terminal import prompt

    ask: Callable[[], str] = prompt.reader(session)
    while True:
        try:
            yield ask()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
