"""zorora models get and remove: models that work inside the process (reader, judge, writer)."""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from engine.models import Refused
from ui.terminal.command import DONE, FAILED, Arguments, UsageError
from ui.terminal.plain import plain
from ui.terminal.session import Session

if TYPE_CHECKING:
    from engine.model_files import ModelFile, Offer

ROLES = ("reader", "judge", "writer")
USAGE = "models get reader|judge|writer [NAME] [--from ADDRESS-OR-FILE [--sha256 SUM]] [--yes]"


class Bytes:
    """One line of progress in megabytes, redrawn on a terminal and left out elsewhere."""

    def __init__(self, session: Session) -> None:
        self.screen, self.drawn = session.screen, False

    def show(self, title: str, done: int, total: int, problem: str | None = None) -> None:
        """Called by the engine a few times a megabyte."""
        if self.screen.live:
            share = f" ({done / total:.0%})" if total else ""
            of = f" of {total / 1e6:.1f}" if total else ""
            self.screen.err.write(f"\r\x1b[2K{done / 1e6:.1f}{of} MB{share}  {plain(title)[:50]}")
            self.screen.err.flush()
            self.drawn = True

    def clear(self) -> None:
        """Take the line away."""
        if self.drawn:
            self.screen.err.write("\r\x1b[2K")
            self.screen.err.flush()


def get(session: Session, args: Arguments) -> int:
    """Show what would be fetched, ask, fetch it and put it where researches find it."""
    words = list(args.words)
    if not 1 <= len(words) <= 2 or words[0] not in ROLES or (args.source and len(words) == 2):
        raise UsageError(f"Write it like this: zorora {USAGE}")
    if args.sha256 and not args.source:
        raise UsageError("--sha256 belongs to --from; the models with a name have their checksums already.")
    desk = session.engine.models
    offer = desk.find_file(words[0], words[1] if len(words) == 2 else "", args.source or "", args.sha256 or "")
    _facts(session, offer)
    if offer.role == "writer":
        _running(session)
    if _remote(offer) and not args.yes and not _agreed(session, offer):
        session.screen.note("Nothing was fetched.")
        return FAILED
    line = Bytes(session)
    try:
        placed = desk.get_file(offer, line.show)
    finally:
        line.clear()
    return _report(session, args, placed)


def remove(session: Session, role: str) -> int:
    """Take such a model away."""
    gone = session.engine.models.remove_file(role)
    session.screen.note(f"{plain(gone.title)} is removed ({gone.size / 1e6:.1f} MB).")
    return DONE


def listing(session: Session) -> None:
    """What is in place, and what could be fetched."""
    placed = session.engine.models.files()
    rows: list[tuple[str, str, str, str]] = [
        (one.role, one.title, one.licence or "-", f"{one.size / 1e6:.1f} MB, in place") for one in placed
    ]
    known = {(one.role, one.sha256) for one in placed}
    for offer in session.engine.models.offers():
        if (offer.role, offer.sha256) not in known:
            command = f"zorora models get {offer.role} {offer.name}"
            rows.append((offer.role, offer.title, offer.licence, f"{offer.download_size / 1e6:.1f} MB: {command}"))
    session.screen.note()
    session.screen.rows(("inside this process", "model", "licence", "size"), rows)


def _facts(session: Session, offer: "Offer") -> None:
    """What a person should know before it is fetched."""
    say = session.screen.note
    say(f"{plain(offer.title)}" + (f", licence {offer.licence}" if offer.licence else ""))
    if offer.about:
        say(offer.about)
    if offer.size:
        say(f"{offer.size / 1e6:.1f} MB, sha256 {offer.sha256}")
    if not _remote(offer):
        return
    host = plain(urlsplit(offer.address).hostname or "")
    size = f"{offer.download_size / 1e6:.1f} MB " if offer.download_size else ""
    inside = ", of which only the model is kept" if offer.member else ""
    say(f"Downloaded: {size}from {host}{inside}")
    say(f"  {plain(offer.address)}")
    say(f"  sha256 {offer.download_sha256}" if offer.download_sha256 else "  No sha256 was named: it is not compared.")


def _running(session: Session) -> None:
    """A server that runs is the better writer: say how to use it."""
    found = next((server for server in session.engine.models.detect() if server.best), None)
    if found:
        name = plain(found.best)
        session.screen.note(
            f"{plain(found.label)} is running with {name}, which writes better. To use it instead: "
            f"zorora models set reasoning {found.name} {name}"
        )


def _agreed(session: Session, offer: "Offer") -> bool:
    if not session.screen.interactive:
        raise Refused(f"Nothing was fetched. Add --yes to fetch {plain(offer.title)} without being asked.")
    return session.screen.ask("Fetch it? [y/N] ").casefold() in ("y", "yes")


def _remote(offer: "Offer") -> bool:
    return offer.address.lower().startswith(("http://", "https://"))


def _report(session: Session, args: Arguments, placed: "ModelFile") -> int:
    if args.json:
        session.screen.json(placed)
        return DONE
    licence = f", licence {plain(placed.licence)}" if placed.licence else ""
    session.screen.print(f"{plain(placed.title)}{licence}, {placed.size / 1e6:.1f} MB")
    session.screen.print(f"sha256 {placed.sha256}")
    session.screen.note(f"It is in place: {plain(placed.path)}. `zorora models remove {placed.role}` takes it away.")
    if placed.role == "writer":
        used = [role.role for role in session.engine.models.roles() if role.model == placed.path]
        if "reasoning" in used:
            session.screen.note("It answers for the role `reasoning` now. Try it with: zorora models test")
        else:
            session.screen.note(f"To use it: zorora models set reasoning local {plain(placed.path)}")
    return DONE
