"""zorora models get and remove: models that run inside the process (reader, judge, writer)."""

from urllib.parse import urlsplit

from engine.llm.model_files import ModelFile, Offer
from engine.models import Refused
from ui.terminal.command import DONE, FAILED, Arguments, UsageError
from ui.terminal.render.plain import plain
from ui.terminal.screen import ProgressLine
from ui.terminal.session import Session

ROLES = ("reader", "judge", "writer")
USAGE = "models get reader|judge|writer [NAME] [--from ADDRESS-OR-FILE [--sha256 SUM]] [--yes]"


def get(session: Session, args: Arguments) -> int:
    """Show what would be downloaded, ask, download it and install it."""
    offer = _offer(session, args)
    _facts(session, offer)
    if offer.role == "writer":
        _running(session)
    if _remote(offer) and not args.yes and not _agreed(session, offer):
        session.screen.note("Nothing was downloaded.")
        return FAILED
    with ProgressLine(session.screen, megabytes=True) as line:
        installed = session.engine.models.get_file(offer, line.show)
    return _report(session, args, installed)


def _offer(session: Session, args: Arguments) -> Offer:
    """The model that the words name."""
    role, *names = args.words or [""]
    if role not in ROLES or len(names) > (0 if args.source else 1):
        raise UsageError(f"Write it like this: zorora {USAGE}")
    if args.sha256 and not args.source:
        raise UsageError("--sha256 needs --from; the checksums of named models are built in.")
    return session.engine.models.find_file(
        role, "".join(names), args.source or "", args.sha256 or ""
    )


def remove(session: Session, role: str) -> None:
    """Remove such a model."""
    removed = session.engine.models.remove_file(role)
    session.screen.note(f"{plain(removed.title)} is removed ({removed.size / 1e6:.1f} MB).")


def listing(session: Session) -> None:
    """What is installed, and what can be downloaded."""
    installed = session.engine.models.files()
    rows = [
        (model.role, model.title, model.licence or "-", f"{model.size / 1e6:.1f} MB, installed")
        for model in installed
    ]
    present = {(model.role, model.sha256) for model in installed}
    rows += [
        (
            offer.role,
            offer.title,
            offer.licence,
            f"{offer.download_size / 1e6:.1f} MB: zorora models get {offer.role} {offer.name}",
        )
        for offer in session.engine.models.offers()
        if (offer.role, offer.sha256) not in present
    ]
    session.screen.note()
    session.screen.rows(("inside this process", "model", "licence", "size"), rows)


def _facts(session: Session, offer: Offer) -> None:
    """What a person should know before the download."""
    say = session.screen.note
    say(f"{plain(offer.title)}" + (f", licence {offer.licence}" if offer.licence else ""))
    if offer.about:
        say(offer.about)
    if offer.size:
        say(f"{offer.size / 1e6:.1f} MB, sha256 {offer.sha256}")
    if not _remote(offer):
        return
    size = f"{offer.download_size / 1e6:.1f} MB " if offer.download_size else ""
    inside = ", of which only the model is kept" if offer.member else ""
    say(f"Download: {size}from {plain(urlsplit(offer.address).hostname or '')}{inside}")
    say(f"  {plain(offer.address)}")
    say(
        f"  sha256 {offer.download_sha256}"
        if offer.download_sha256
        else "  No --sha256 was given, so the checksum is not checked."
    )


def _running(session: Session) -> None:
    """A server that runs is the better writer: say how to use it."""
    server = next((running for running in session.engine.models.detect() if running.best), None)
    if server:
        name = plain(server.best)
        session.screen.note(
            f"{plain(server.label)} is running with {name}, which writes better. To use it "
            f"instead: zorora models set reasoning {server.name} {name}"
        )


def _agreed(session: Session, offer: Offer) -> bool:
    if not session.screen.interactive:
        raise Refused(
            f"Nothing was downloaded. Add --yes to download {plain(offer.title)} without "
            "confirmation."
        )
    return session.screen.confirm("Download it? [y/N]")


def _remote(offer: Offer) -> bool:
    return offer.address.lower().startswith(("http://", "https://"))


def _report(session: Session, args: Arguments, installed: ModelFile) -> int:
    if args.json:
        session.screen.json(installed)
        return DONE
    licence = f", licence {plain(installed.licence)}" if installed.licence else ""
    session.screen.print(f"{plain(installed.title)}{licence}, {installed.size / 1e6:.1f} MB")
    session.screen.print(f"sha256 {installed.sha256}")
    session.screen.note(
        f"Installed as {plain(installed.path)}. `zorora models remove {installed.role}` removes it."
    )
    if installed.role == "writer":
        is_used = any(
            role.role == "reasoning" and role.model == installed.path
            for role in session.engine.models.roles()
        )
        session.screen.note(
            "It is used for the role `reasoning` now. Try it with: zorora models test"
            if is_used
            else f"To use it: zorora models set reasoning local {plain(installed.path)}"
        )
    return DONE
