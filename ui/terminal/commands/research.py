"""Commands that run researches: research, deep, resume, watch, answer, cancel, jobs, worker."""

import re
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TextIO

from engine.answers import JobStatus, RunOptions
from engine.models import Cancelled, Filters, ResearchState, RunStatus
from engine.reports.report_document import answer_card
from engine.wiring.source_status import would_ask
from ui.terminal import addresses, export_files
from ui.terminal.command import DONE, FAILED, INTERRUPTED, PARTIAL, Arguments, UsageError, text_of
from ui.terminal.commands import batch, revisions
from ui.terminal.export_files import Delivery
from ui.terminal.render import report, report_blocks
from ui.terminal.render.plain import plain, shorten
from ui.terminal.render.run_progress import Progress, watching
from ui.terminal.session import Session

POLL_SECONDS = 0.3
EARLIER = 3  # how many researches on a related question are named
STATUS_CODES = {"complete": DONE, "partial": PARTIAL, "cancelled": INTERRUPTED}

_HTML = re.compile(rb"\s*<(?:!doctype html|html)\b", re.I)


def research(session: Session, args: Arguments) -> int:
    """Ask a question, watch the run, print the report."""
    if args.replay is not None:
        return revisions.replay(session, args)
    if args.batch is not None or args.cluster or args.again:
        return batch.batch(session, args, lambda: run_options(session, args, Delivery()))
    piped = "-" in (args.query[:1] + args.query[-1:])  # inside a question a dash is only a dash
    words = args.query
    if piped:
        words = words[1:] if words[0] == "-" else words[:-1]
    query = text_of(
        words, 'There is no question. Write one: zorora research "How do vaccines work?"'
    )
    delivery = Delivery.chosen(session, args)
    options = run_options(session, args, delivery)
    if piped:
        options = _with_piped(session, options)
    if args.show_hosts:
        return _show_hosts(session, options)
    if not delivery.brief:
        _offer_earlier(session, query)
    if args.detach:
        return _detach(session, query, options)
    return _foreground(
        session, query, delivery, lambda event: session.engine.run(query, options, on_event=event)
    )


def deep(session: Session, args: Arguments) -> int:
    """The same at depth 3."""
    args.depth = 3
    return research(session, args)


def resume(session: Session, args: Arguments) -> int:
    """Take over an interrupted run and bring it to its end here."""
    research_id = session.find(args.id)
    status = session.engine.status(research_id)
    delivery = Delivery.chosen(session, args)
    if status.status == RunStatus.WAITING and not _answer_now(session, status):
        return FAILED
    return _foreground(
        session,
        status.query,
        delivery,
        lambda event: session.engine.resume_here(research_id, force=args.force, on_event=event),
    )


def watch(session: Session, args: Arguments) -> int:
    """Follow a run that works elsewhere. Ctrl+C ends the watching, not the run; where the run asks
    something, it ends that too."""
    research_id = session.find(args.id)
    status = session.engine.status(research_id)
    with watching(session.screen, status.query, session.verbose) as progress:
        status = _follow(session, research_id, progress)
    if status.status == RunStatus.WAITING:
        return watch(session, args) if _answer_now(session, status) else FAILED
    state = session.engine.load_research(research_id)
    if state is None:
        session.screen.note(
            plain(status.problem or status.message or f"The run ended: {status.status}.")
        )
        return STATUS_CODES.get(status.status, FAILED)
    return _ended(session, state, Delivery())


def show(session: Session, args: Arguments) -> int:
    """Show a finished research; of a running one, its progress."""
    research_id = session.find(args.id)
    state = session.engine.load_research(research_id)
    if state is None:
        session.engine.status(research_id)  # raises NotFound for an unknown id
        if args.json or args.format or args.output:
            session.screen.note("It is not finished yet; there is nothing to export.")
            return FAILED
        return watch(session, args)
    session.last = research_id
    delivery = Delivery.chosen(session, args)
    if delivery.format is None:
        state = revisions.up_to_date(session, state)
    deliver_or_show(session, state, delivery, args.all)
    return DONE


def run_options(session: Session, args: Arguments, delivery: Delivery) -> RunOptions:
    """What the flags of the command line choose for one run."""
    asks = session.screen.interactive and not (
        args.no_clarify or args.detach or delivery.to_standard_output or delivery.brief
    )
    return RunOptions(
        depth=args.depth,
        sources=args.sources,
        docs=tuple(args.docs or ()),
        clarify=None if asks else False,
        filters=Filters(
            since=args.since,
            until=args.until,
            sites=tuple(args.site or ()),
            exclude_sites=tuple(args.exclude_site or ()),
            lang=args.lang,
            urls=tuple(args.url or ()),
        ),
        offline=args.offline,
        lean=args.lean,
        workers=args.workers,
        follow=not args.no_follow,
        cross_reference=not args.no_cross_reference,
        max_sources=args.max_sources,
    )


def _with_piped(session: Session, options: RunOptions) -> RunOptions:
    """The options with the text of standard input as the document; nothing else is asked unless
    sources are named."""
    data = b"" if session.screen.source.isatty() else _read_bytes(session.screen.source)
    if not data.strip():
        raise UsageError(
            'Nothing came through the pipe: cat notes.md | zorora research "What was decided?" -'
        )
    suffix = "pdf" if data.startswith(b"%PDF-") else "html" if _HTML.match(data) else "md"
    document = session.engine.upload(
        f"piped text {datetime.now():%Y-%m-%d %H.%M.%S}.{suffix}", data
    )
    if document.status != "indexed":
        session.engine.remove_document(document.document_id)
        raise UsageError(f"What came through the pipe cannot be read: {plain(document.problem)}")
    return replace(
        options, documents=(document.document_id,), sources=options.sources or ("local",)
    )


def _read_bytes(source: TextIO) -> bytes:
    stream = getattr(source, "buffer", None)
    return stream.read() if stream is not None else source.read().encode("utf-8", "replace")


def _offer_earlier(session: Session, query: str) -> None:
    """Say which earlier researches are about the same; a new one is made all the same."""
    earlier = session.engine.related(query, EARLIER)
    if earlier:
        show = "/show" if session.repl else "zorora show"
        session.screen.note(f"Similar questions you asked before ({show} ID):")
    for entry in earlier:
        session.screen.note(f"  {plain(entry.research_id)}  {shorten(plain(entry.query), 60)}")


def _show_hosts(session: Session, options: RunOptions) -> int:
    """Which services the run would ask, without running it."""
    kinds = options.sources or session.engine.config.get("research.sources")
    services = would_ask(session.engine.sources(), kinds, options.offline)
    session.screen.listing(
        [
            {"client": service.name, "kind": service.kind, "host": service.host}
            for service in services
        ],
        ("source", "kind", "host"),
        [(service.label, service.kind, service.host or "as listed") for service in services],
        "No service would be searched.",
    )
    if services and not session.screen.as_json:
        pages = " The pages found are then read from their own hosts; --lean skips them."
        session.screen.note(
            "These services would be searched; nothing was sent." + ("" if options.lean else pages)
        )
    return DONE


def _detach(session: Session, query: str, options: RunOptions) -> int:
    research_id = session.engine.start(query, replace(options, clarify=False))
    session.last = research_id
    address = addresses.page(session, research_id)
    session.screen.result({"research_id": research_id, "address": address}, research_id)
    if not session.screen.as_json:
        session.screen.note(f"It runs in the background. Follow it: zorora watch {research_id}")
        session.screen.note(f"or open {address}")
    return DONE


def _foreground(
    session: Session, query: str, delivery: Delivery, run: Callable[[Progress], ResearchState]
) -> int:
    with watching(session.screen, query, session.verbose, quiet=delivery.brief) as progress:
        state = run(progress)
    while state.status == RunStatus.WAITING:
        session.last = state.research_id
        if not _answer_now(session, session.engine.status(state.research_id)):
            return FAILED
        with watching(session.screen, query, session.verbose) as progress:
            state = session.engine.resume_here(state.research_id, on_event=progress)
    return _ended(session, state, delivery)


def _ended(session: Session, state: ResearchState, delivery: Delivery) -> int:
    session.last = state.research_id or session.last
    if not state.research_id or session.engine.load_research(state.research_id) is None:
        session.screen.note(
            f"Nothing had been found yet, so nothing was saved ({plain(state.status)})."
        )
        return STATUS_CODES.get(state.status, FAILED)
    if session.verbose:
        _scores(session, state)
    deliver_or_show(session, state, delivery)
    if state.status == RunStatus.PARTIAL and state.ended_by == "user":
        return INTERRUPTED
    if state.status == RunStatus.COMPLETE:
        return report.status(state)
    return STATUS_CODES.get(state.status, FAILED)


def deliver_or_show(
    session: Session, state: ResearchState, delivery: Delivery, everything: bool = False
) -> None:
    """The report as it was asked for: a file or a format, the answer alone, or whole."""
    if delivery.brief and delivery.format:
        session.screen.json(answer_card(state))
    elif delivery.format:
        export_files.deliver(session, state.research_id, delivery)
    elif delivery.brief:
        report_blocks.show_card(session.screen, state)
    else:
        report.finished(session, state, everything)


def _scores(session: Session, state: ResearchState) -> None:
    """How every source came by its score, on standard error."""
    for source in state.sources:
        if source.credibility:
            name = f"{plain(source.tag or '-'):<4} {shorten(plain(source.title), 60)}"
            session.screen.note(f"score {name}: {plain(source.credibility.breakdown)}")


def _follow(session: Session, research_id: str, show: Progress) -> JobStatus:
    last_seq = 0
    while True:
        # The status is asked before the events, so that the last ones are not lost
        status = session.engine.status(research_id)
        for event in session.engine.events(research_id, after=last_seq):
            last_seq = event.seq
            show(event)
        if status.over or status.status == RunStatus.WAITING:
            return status
        time.sleep(POLL_SECONDS)


def _answer_now(session: Session, status: JobStatus) -> bool:
    """Ask the person what the run asks; False when nobody is there or nothing was answered."""
    choices = "".join(
        f"\n  {number}. {plain(choice)}" for number, choice in enumerate(status.choices, 1)
    )
    if not session.screen.interactive:
        session.screen.note(
            f"It waits for an answer: {plain(status.question or '')}{choices}\n"
            f"Answer with: zorora answer {status.research_id} NUMBER"
        )
        return False
    session.screen.note(plain(status.question or "Which one do you mean?") + choices)
    try:
        text = session.screen.ask("Number or your own words (empty: decide for me): ")
    except KeyboardInterrupt:
        session.engine.cancel(status.research_id)
        raise Cancelled("Stopped while a question was open.") from None
    session.engine.clarify(status.research_id, text or "1")
    return True
