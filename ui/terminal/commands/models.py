"""Commands on models: roles, model servers, looking for local ones, tests."""

from collections.abc import Callable

from engine.llm.about_models import RoleStatus
from engine.models import ConfigError, ModelError
from ui.terminal.command import DONE, FAILED, Arguments, UsageError, did_you_mean, take_words
from ui.terminal.commands import model_files
from ui.terminal.render.plain import plain
from ui.terminal.session import Session


def models(session: Session, args: Arguments) -> int | None:
    """models [list | served | detect | set | unset | test | add | edit | remove | get]."""
    action = args.action or "list"
    work: dict[str, Callable[[Session, Arguments], int | None]] = {
        "list": _list, "served": _served, "detect": _detect, "set": _set_model, "unset": _unset,
        "test": _test, "add": _add, "edit": _edit, "remove": _remove, "get": model_files.get,
    }  # fmt: skip
    return work[action](session, args)


def offer(session: Session) -> None:
    """At the first start: offer a local server that runs. One question, asked once."""
    settings = session.engine.models
    offered = settings.to_offer()
    if offered is None:
        return
    agreed = session.screen.confirm(
        f"{plain(offered.label)} is running with {plain(offered.best)}: use it? [y/N]"
    )
    settings.offered()
    if agreed:
        settings.set_role("reasoning", offered.name, offered.best)
        session.screen.note(f"{plain(offered.best)} is used from now on. /models changes it.")
    else:
        session.screen.note("No model is used. /models detect finds local ones at any time.")


def _list(session: Session, args: Arguments) -> int:
    desk = session.engine.models
    roles, endpoints = desk.roles(), desk.endpoints()
    if args.json:
        session.screen.json(
            {"roles": roles, "endpoints": endpoints, "files": desk.files(), "offers": desk.offers()}
        )
        return DONE
    session.screen.rows(("role", "model", "endpoint", "for"), [_role_row(role) for role in roles])
    session.screen.note()
    places = [
        (
            endpoint.name,
            endpoint.url or "inside this process",
            endpoint.provider,
            f"{endpoint.key_name} {endpoint.key or '(not set)'}" if endpoint.key_name else "-",
            ", ".join(endpoint.used_by),
        )
        for endpoint in endpoints
    ]
    session.screen.rows(("endpoint", "address", "speaks", "key", "used for"), places)
    model_files.listing(session)
    asks = session.repl and session.screen.interactive
    if asks and session.screen.confirm("Choose a model for a role now? [y/N]"):
        return _walk(session)
    return DONE


def _role_row(role: RoleStatus) -> tuple[str, ...]:
    model = role.model or "none"
    if role.origin == "reasoning":
        model += " (by reasoning)"
    return role.role, model, role.endpoint or "-", role.problem or role.help


def _served(session: Session, args: Arguments) -> int:
    """What one endpoint serves, or each that a role uses."""
    names = take_words(args.words, 0, 1, "models served [ENDPOINT]") or [
        server.name
        for server in session.engine.models.endpoints()
        if server.used_by and server.provider != "local"
    ]
    if not names:
        raise UsageError("No role has a model yet. Name an endpoint: zorora models served ollama")
    by_server: dict[str, list[str]] = {}
    problems: dict[str, str] = {}
    for name in names:
        try:
            by_server[name] = session.engine.models.served(name)
        except ModelError as error:
            problems[name] = str(error)
    if args.json:
        session.screen.json({"served": by_server, "problems": problems})
    else:
        session.screen.rows(
            ("endpoint", "model"),
            [(name, model) for name, served in by_server.items() for model in served],
        )
        for problem in problems.values():
            session.screen.note(plain(problem))
    return FAILED if problems else DONE


def _detect(session: Session, args: Arguments) -> None:
    servers = session.engine.models.detect()
    session.screen.listing(
        servers,
        ("endpoint", "server", "address", "models"),
        [
            (server.name, server.label, server.url, ", ".join(server.models) or "no model loaded")
            for server in servers
        ],
        "No local model server is running (LM Studio, Ollama, llama.cpp and vLLM were looked for).",
    )
    if servers and servers[0].best and not args.json:
        session.screen.note(
            f"To use one: zorora models set reasoning {servers[0].name} {plain(servers[0].best)}"
        )


def _set_model(session: Session, args: Arguments) -> int:
    if not args.words and session.screen.interactive:
        return _walk(session)
    role, endpoint, model = take_words(args.words, 3, 3, "models set ROLE ENDPOINT MODEL")
    _role(session, role)
    session.engine.models.set_role(role, endpoint, model, args.provider or "")
    session.screen.note(f"{plain(role)}: {plain(model)} of {plain(endpoint)}")
    return DONE


def _walk(session: Session) -> int:
    """Ask for role, endpoint and model, each with what can be chosen, and test the result."""
    desk = session.engine.models
    role = _choose(session, "Role", [role.role for role in desk.roles()], "reasoning")
    running = [server.name for server in desk.detect()]
    names = [endpoint.name for endpoint in desk.endpoints()]
    first = running[0] if running else names[0]
    if running:
        session.screen.note(f"Running on this computer: {', '.join(running)}.")
    endpoint = _choose(
        session, "Endpoint, or an address", names, first, lambda typed: "://" in typed
    )
    try:
        served = desk.served(endpoint)
    except ModelError as error:
        session.screen.note(plain(error))
        served = []
    model = _choose(session, "Model", served, served[0] if served else "", bool)
    if not model:
        session.screen.note("Nothing was changed.")
        return DONE
    desk.set_role(role, endpoint, model)
    return _report(session, role)


def _choose(
    session: Session,
    what: str,
    choices: list[str],
    usual: str,
    also: Callable[[str], bool] = lambda typed: False,
) -> str:
    """A choice by number or name; Enter takes the usual one. also: which other words are taken
    too."""
    for number, choice in enumerate(choices, start=1):
        session.screen.note(f"  {number}. {plain(choice)}")
    for _ in range(3):
        typed = session.screen.ask(f"{what} [{plain(usual)}]: " if usual else f"{what}: ") or usual
        if typed.isdecimal() and 1 <= int(typed) <= len(choices):
            return choices[int(typed) - 1]
        if not typed or typed in choices or also(typed):
            return typed
        session.screen.note(f'"{plain(typed)}" is none of these.')
    raise UsageError(f"Nothing was chosen for {what.lower()}.")


def _unset(session: Session, args: Arguments) -> None:
    (role,) = take_words(args.words, 1, 1, "models unset ROLE")
    _role(session, role)
    session.engine.models.set_role(role, "", "")
    session.screen.note(f"{plain(role)} no longer has a model of its own")


def _test(session: Session, args: Arguments) -> int:
    """One role, or every role with a model of its own."""
    names = take_words(args.words, 0, 1, "models test [ROLE]") or [
        role.role for role in session.engine.models.roles() if role.origin == "configured"
    ]
    if not names:
        raise ConfigError(
            "No role has a model yet. `zorora models set` "
            "chooses one, `zorora models detect` looks."
        )
    for role in names:
        _role(session, role)
    if args.json:
        results = {role: session.engine.models.test(role) for role in names}
        session.screen.json(results)
        return DONE if all(result.ok for result in results.values()) else FAILED
    return max(_report(session, role) for role in names)


def _report(session: Session, role: str) -> int:
    result = session.engine.models.test(role)
    session.screen.print(
        f"{plain(role)}: {'works' if result.ok else result.result}. {plain(result.message)}"
    )
    return DONE if result.ok else FAILED


def _add(session: Session, args: Arguments) -> None:
    name, url = take_words(args.words, 2, 2, "models add NAME URL [--provider P] [--key NAME]")
    session.engine.models.add_endpoint(name, url, args.provider or "", args.key or "")
    session.screen.note(f"{plain(name)} is {plain(url)}")
    if args.key:
        session.screen.note(f"Store its key with: zorora keys set {plain(args.key)}")


def _edit(session: Session, args: Arguments) -> None:
    """Change what is given; the rest stays."""
    name, *rest = take_words(args.words, 1, 2, "models edit NAME [URL] [--provider P] [--key NAME]")
    servers = {endpoint.name: endpoint for endpoint in session.engine.models.endpoints()}
    if name not in servers:
        raise UsageError(f'There is no endpoint "{plain(name)}".{did_you_mean(name, servers)}')
    before = servers[name]
    key = before.key_name if args.key is None else args.key
    session.engine.models.add_endpoint(
        name, rest[0] if rest else before.url, args.provider or before.provider, key
    )
    session.screen.note(f"{plain(name)} is changed")


def _remove(session: Session, args: Arguments) -> None:
    (name,) = take_words(args.words, 1, 1, "models remove NAME, or reader, judge or writer")
    servers = [endpoint.name for endpoint in session.engine.models.endpoints()]
    if name in model_files.ROLES and name not in servers:
        model_files.remove(session, name)
    else:
        session.engine.models.remove_endpoint(name)
        session.screen.note(f"{plain(name)} is removed")


def _role(session: Session, name: str) -> None:
    names = [role.role for role in session.engine.models.roles()]
    if name not in names:
        hint = did_you_mean(name, names) or f" There are {', '.join(names)}."
        raise UsageError(f'There is no role "{plain(name)}".{hint}')
