"""Commands that steer a finished research: replay, exclude, include, deeper, recheck, rescore,
revisions."""

from collections.abc import Callable

from engine.models import ResearchState
from engine.reports.about_reports import Rechecked
from engine.reports.figures import confidence
from ui.terminal.command import DONE, FAILED, Arguments
from ui.terminal.render.plain import plain, shorten
from ui.terminal.render.report import finished, moment
from ui.terminal.render.report_blocks import show
from ui.terminal.render.run_progress import Progress, watching
from ui.terminal.session import Session

_QUOTE = 90  # characters of a passage that a line shows


def replay(session: Session, args: Arguments) -> int:
    """Do the research again over the stored texts, and say whether it comes out the same. Nothing
    is saved."""
    state, differ = session.engine.steering.replay(session.find(args.replay))
    if args.json:
        session.screen.json({**state.to_dict(), "differs": list(differ)})
    else:
        show(session.screen, state)
    if differ:
        session.screen.note(f"A different report came out; what differs: {', '.join(differ)}.")
        return FAILED
    session.screen.note("The same, apart from ids and times.")
    return DONE


def revise(session: Session, args: Arguments) -> None:
    """A new revision of a finished research: a source left out or taken in over the stored texts,
    read on for one more round, or scored by the tables of today."""
    research_id, steering = session.find(args.id), session.engine.steering
    work: dict[str, Callable[[Progress], ResearchState]] = {
        "exclude": lambda notify: steering.exclude(research_id, args.source, notify),
        "include": lambda notify: steering.include(research_id, args.source, notify),
        "deeper": lambda notify: steering.deepen(research_id, notify),
        "rescore": lambda notify: steering.rescore(research_id, notify),
    }
    before = session.engine.load_research(research_id)
    with watching(
        session.screen, before.original_query if before else research_id, session.verbose
    ) as progress:
        state = work[args.command](progress)
    session.last = research_id
    finished(session, state)
    if not args.json:
        session.screen.note(
            f"Revision {state.revision}; the one before is kept: zorora revisions {research_id}"
        )


def recheck(session: Session, args: Arguments) -> int:
    """Read every cited page again, and say which cited passages are not there any more."""
    research_id = session.find(args.id)
    state = session.engine.load_research(research_id)
    notices = session.engine.steering.recheck(research_id)
    withdrawn = session.engine.steering.withdrawn(state) if state else ()
    if args.json:
        session.screen.json({"pages": notices, "retracted": withdrawn})
    else:
        session.screen.rows(
            ("source", "outcome", "title", "what"),
            [
                (notice.tag, notice.outcome, shorten(plain(notice.title), 40), _outcome(notice))
                for notice in notices
            ],
        )
        for source in withdrawn:
            session.screen.note(
                f"Retracted since: {source.tag} {plain(source.title)}. {plain(source.notice)}"
            )
        if withdrawn:
            session.screen.note(f"Score it again with: zorora rescore {research_id}")
        if not notices:
            session.screen.note("The report cites no web page.")
    return FAILED if withdrawn or any(notice.outcome == "changed" for notice in notices) else DONE


def _outcome(page: Rechecked) -> str:
    missing = [passage for passage in page.passages if not passage.still_there]
    if page.problem:
        return plain(page.problem)
    return "; ".join(
        f"gone: “{shorten(plain(' '.join(passage.quote.split())), _QUOTE)}”" for passage in missing
    )


def revisions(session: Session, args: Arguments) -> None:
    """List the revisions of a research, or show an older one."""
    research_id = session.find(args.id)
    if args.show:
        finished(session, session.engine.steering.revision(research_id, args.show))
        return
    numbers = session.engine.steering.revisions(research_id)
    if args.json:
        session.screen.json(numbers)
        return
    rows = [(str(n), session.engine.steering.revision(research_id, n)) for n in numbers]
    session.screen.rows(
        ("revision", "made", "sources used", "confidence"),
        [
            (
                n,
                moment(state.completed_at or ""),
                str(state.quality.sources_used),
                confidence(state.quality.overall_confidence),
            )
            for n, state in rows
        ],
    )


def up_to_date(session: Session, state: ResearchState) -> ResearchState:
    """A research that is opened, scored anew where one of its sources was retracted since."""
    withdrawn_sources = session.engine.steering.withdrawn(state)
    if not withdrawn_sources:
        return state
    for source in withdrawn_sources:
        session.screen.note(
            f"Retracted since this was written: {source.tag} {plain(source.title)}. "
            f"{plain(source.notice)}"
        )
    session.screen.note("Its statements were scored again; the previous revision is kept.")
    return session.engine.steering.rescore(state.research_id)
