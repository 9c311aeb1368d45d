"""Commands that ask: follow a research, talk with a model, quick searches, policy documents,
pictures."""

from pathlib import Path

from engine.models import Conflict, RecordKind, ResearchState, Source
from engine.reports.about_reports import FollowUp
from engine.reports.figures import origin_of
from engine.reports.report_document import answer_card
from ui.terminal.command import DONE, FAILED, NOT_FOUND, Arguments, UsageError, text_of
from ui.terminal.render import report, report_blocks
from ui.terminal.render.answer_progress import waiting
from ui.terminal.render.pager import paging
from ui.terminal.render.plain import address, plain, shorten
from ui.terminal.render.run_progress import watching
from ui.terminal.session import Session, alias


def follow(session: Session, args: Arguments) -> int:
    """Ask about a finished research; the answer comes from its stored texts and is kept with it."""
    research_id = session.find_report(args.id)
    if args.list:
        _print_turns(session, session.record(research_id))
        return DONE
    question, follow_ups = _question(args.question, "follow ID"), session.engine.asking.follow_ups
    session.last = research_id
    if args.further:
        follow_ups.further(research_id, question)
        session.screen.note(f"Searching further; follow it with: zorora watch {plain(research_id)}")
        return DONE
    talk = session.record(research_id).is_conversation  # a model answers, piece by piece
    if talk:
        answered = follow_ups.ask(research_id, question, session.screen.writer())
    else:
        with waiting(session.screen) as progress:
            answered = follow_ups.ask(
                research_id, question, progress.sentence, on_step=progress.step
            )
    if session.screen.as_json:
        session.screen.json(
            {
                "research_id": research_id,
                "number": answered.number,
                "found": answered.found,
                "turn": answered.turn,
            }
        )
    else:
        _show_answer(session, answered, talk)
    return DONE if answered.found else NOT_FOUND


def _show_answer(session: Session, answered: FollowUp, talk: bool) -> None:
    """An answer with its sources, who wrote it, and what else can be done."""
    if talk:
        session.screen.print()
    else:
        report_blocks.show_turns(
            session.screen,
            session.record(answered.research_id),
            [answered.turn],
            with_questions=False,
        )
    if origin := origin_of(answered.turn):
        session.screen.note(plain(origin))
    if answered.offer:
        session.screen.note(
            f'{answered.offer} zorora follow {plain(answered.research_id)} "..." --further'
        )


def _print_turns(session: Session, state: ResearchState) -> None:
    if state.conversation and not session.screen.as_json:
        report_blocks.show_turns(session.screen, state, state.conversation)
    else:
        session.screen.done(list(state.conversation), "No follow-up questions yet.")


def ask(session: Session, args: Arguments) -> None:
    """The reasoning model, without a search; the conversation is kept and goes on at the prompt."""
    question = _question(args.question, "ask")
    within = (
        None if args.new else (session.find(args.within) if args.within else session.conversation)
    )
    conversation_id, turn = session.engine.asking.conversations.ask(
        question, within, session.screen.writer()
    )
    session.conversation = conversation_id if session.repl else None
    session.screen.result({"conversation_id": conversation_id, "turn": turn}, "")
    if not args.json:
        session.screen.note(plain(origin_of(turn)))
        if within is None:
            session.screen.note(f"Kept as {plain(conversation_id)}")


def conversations(session: Session, args: Arguments) -> None:
    """The conversations, newest first."""
    entries = session.listed(kind=RecordKind.ASK, limit=args.limit)
    session.screen.listing(
        entries,
        ("id", "begun", "first question"),
        [
            (entry.research_id, entry.created_at[:10], shorten(plain(entry.query), 60))
            for entry in entries
        ],
        'No conversation yet. Start one: zorora ask "..."',
    )


def load(session: Session, args: Arguments) -> None:
    """Reopen a conversation: it is shown, and at the prompt the next /ask continues it."""
    newest = session.listed(kind=RecordKind.ASK, limit=1)
    name = " ".join(args.name)
    if not name and not newest:
        raise UsageError('No conversation yet. Start one: zorora ask "..."')
    research_id = session.find(name) if name else newest[0].research_id
    state = session.engine.load_research(research_id)
    if state is None or state.is_conversation:
        state = session.engine.asking.conversations.find(research_id)
        session.conversation = research_id if session.repl else None
        _print_turns(session, state)
        return
    session.last = research_id
    report.finished(session, state)


def save(session: Session, args: Arguments) -> None:
    """Name the last research or conversation, so that it can be called by that name."""
    engine = session.engine
    target = session.find(args.id) if args.id else (session.conversation or session.find(None))
    name = " ".join(args.name).strip()
    state = session.record(target)
    if not name:
        session.screen.print(plain(target))
        session.screen.note("It is already saved. To give it a name: save NAME")
        return
    for entry in session.listed(tag=alias(name), limit=500):  # a name means one thing
        engine.tag(entry.research_id, [tag for tag in entry.tags if tag != alias(name)])
    engine.tag(target, [*(tag for tag in state.user.tags if tag != alias(name)), alias(name)])
    session.screen.note(f"{plain(target)} can be called {plain(alias(name))} now.")


def search(session: Session, args: Arguments) -> int:
    """Your documents, the newsroom and the web, asked once: quick, stored with its kind."""
    query = _question(args.question, "search")
    with watching(session.screen, query, session.verbose) as progress:
        state = session.engine.asking.quick.search(query, progress)
    session.last = state.research_id
    if args.json:
        session.screen.json(answer_card(state) if args.brief else state.to_dict())
    elif args.brief:
        report_blocks.show_card(session.screen, state)
    else:
        with paging(session) as page:
            report_blocks.show(session.screen, state, again=not page.ready)
        if page.is_visible:
            report_blocks.show_again(session.screen, state)
        session.screen.note(f"\nKept as {plain(state.research_id)}")
    return report.status(state)


def academic(session: Session, args: Arguments) -> int:
    """Scholarly works as a table; nothing is read or stored."""
    sources = session.engine.asking.quick.academic(_question(args.question, "academic"), args.limit)
    if args.json:
        session.screen.json({"sources": sources.sources, "problems": sources.problems})
    else:
        session.screen.rows(
            ("year", "cited", "who", "title", "where"),
            [_work(source) for source in sources.sources],
            flexible=3,
        )
        for problem in sources.problems:
            session.screen.note(plain(problem))
        if not sources.sources:
            session.screen.note("No scholarly work was found. Try fewer or other words.")
    return DONE if sources.sources else FAILED


def analyst(session: Session, args: Arguments) -> int:
    """Policy documents: the configured endpoint, or your own documents."""
    question = _question(args.question, "analyst")
    policy = session.engine.asking.quick.policy(question, session.screen.writer())
    if args.json:
        session.screen.json(policy)
    elif policy.answer is not None:
        report_blocks.show_card(
            session.screen,
            ResearchState(
                question, answer=policy.answer, sources=policy.documents, evidence=policy.evidence
            ),
        )
    else:
        session.screen.print("\n")
        session.screen.note(f"Written by {plain(policy.model)}. {policy.note}".strip())
    return DONE if policy.found else NOT_FOUND


def image(session: Session, args: Arguments) -> None:
    """Make a picture and write it to a file of the working directory."""
    from engine.answering.pictures import file_name

    prompt = _question(args.prompt, "image")
    target = Path(args.output).expanduser() if args.output else None
    if target is not None and target.exists():
        raise Conflict(f"{plain(target)} exists already; name another file.")
    session.screen.note("Making the picture. Ctrl+C stops.")
    picture = session.engine.asking.pictures.make(prompt, args.size)
    path = target or Path(file_name(picture))
    with path.open("xb") as file:
        file.write(picture.data)
    session.screen.result(
        {"file": str(path), "model": picture.model, "media_type": picture.media_type}, plain(path)
    )
    if not args.json:
        session.screen.note(
            f"Made by {plain(picture.model)}."
            + (f" It drew: {plain(picture.revised)}" if picture.revised else "")
        )


def vision(session: Session, args: Arguments) -> None:
    """What a picture shows."""
    path = Path(args.file).expanduser()
    reply = session.engine.asking.pictures.describe(
        path, " ".join(args.task), session.screen.writer()
    )
    session.screen.result({"file": str(path), "model": reply.model, "text": reply.text.strip()}, "")
    if not args.json:
        session.screen.note(f"Described by {plain(reply.model)}; nothing of it was checked.")


def _question(words: list[str], command: str) -> str:
    return text_of(words, f'Write what you want to ask: zorora {command} "..."')


def _work(source: Source) -> tuple[str, str, str, str, str]:
    authors = [plain(name) for name in source.authors]
    who = f"{authors[0]} et al." if len(authors) > 2 else " and ".join(authors)
    citations = "" if source.cited_by_count is None else str(source.cited_by_count)
    where = f"doi:{plain(source.doi)}" if source.doi else address(source.url)
    return (source.published or "")[:4], citations, shorten(who, 28), plain(source.title), where
