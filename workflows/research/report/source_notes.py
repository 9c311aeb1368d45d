"""Wording about sources that gave nothing: which did not answer, how many pages could not be read,
what to do."""

from collections.abc import Sequence

from tools.documents.model import Completeness
from tools.errors import FailureReason, cause
from tools.text.phrases import counted, listed
from workflows.research.model import ClientReport, DeadEnd
from workflows.research.state import ResearchState

# Reasons of an Outcome whose service was not asked
NOT_ASKED = (FailureReason.BUDGET, FailureReason.OFFLINE, FailureReason.STOPPED)
_NAMED = 5  # services named in one line
_MOST_UNREAD = 0.5  # share of unread pages from which the head of the report says so
_PAGES = 4  # of fewer pages no share is told
_ADVICE: dict[str, str] = {
    FailureReason.PAYWALL: "If you have access, save the page or its PDF and add it to your "
    "documents.",
    FailureReason.NO_RESULTS: "Other words, or fewer, may find more.",
    FailureReason.IRRELEVANT: "A more exact name of the subject may find more.",
    FailureReason.LOW_CREDIBILITY: "Read it yourself before you rely on it.",
}
_SERVICE_ADVICE = "Test it with: zorora sources --check {client}"
_PAGE_ADVICE = "Open the address yourself; a copy that you save can be added to your documents."


def advice(end: DeadEnd) -> str:
    """What a person can do about a dead end; empty where an alternative already found something."""
    if end.found:
        return ""
    if end.reason in _ADVICE:
        return _ADVICE[end.reason]
    return (
        _PAGE_ADVICE if end.url else _SERVICE_ADVICE.format(client=end.client) if end.client else ""
    )


def silent(state: ResearchState) -> list[ClientReport]:
    """The clients that answered nothing at all."""
    return [
        report
        for report in state.clients
        if report.problem and not (report.answers or report.found)
    ]


def unanswered(state: ResearchState) -> list[str]:
    """One line naming the services that did not answer; none when all did, or none at all
    (`failure`)."""
    clients = silent(state)
    if not clients or all_silent(state):
        return []
    if _no_network(state, clients):
        return ["You were offline, so only your own documents were searched."]
    names = listed([_label(report) for report in clients], _NAMED)
    if state.config.offline:
        return [
            "You were offline, so the answer comes from what earlier runs kept; nothing was kept "
            f"from {names}."
        ]
    return [f"Not every source answered: {len(clients)} of {len(state.clients)} did not ({names})."]


def reasons(state: ResearchState) -> list[str]:
    """Why they did not answer, those with one reason together: "arXiv, CORE: rate limited"."""
    grouped: dict[str, list[str]] = {}
    for report in silent(state):
        reason = cause(report.problem or "", report.label).rstrip(".")
        grouped.setdefault(reason, []).append(_label(report))
    return [
        f"{', '.join(labels)}: {reason}." if reason else f"{', '.join(labels)}."
        for reason, labels in grouped.items()
    ]


def all_silent(state: ResearchState) -> bool:
    """Whether every outside source failed, and the documents had nothing either."""
    clients = _outside(state) or list(state.clients)
    mute = silent(state)
    return bool(clients) and not state.sources and all(report in mute for report in clients)


def failure(state: ResearchState) -> str:
    """Why nothing could be researched, and what to do."""
    if state.config.offline:
        return (
            "Nothing is kept from earlier runs for this question. Run it once with a network, "
            "without --offline."
        )
    if _no_network(state, silent(state)):
        return (
            "No source could be reached: there seems to be no network. Check the connection and "
            "ask again; with --sources local your own documents are searched without one."
        )
    return (
        "No source answered. Ask again later, see what each one says with `zorora sources "
        "--check`, or search your own documents with --sources local."
    )


def unread_pages(state: ResearchState) -> list[str]:
    """A line for the head of the report when most pages could not be read."""
    tried = {source.source_id for source in state.sources if not source.is_local} & set(state.read)
    full = {
        snapshot.source_id
        for snapshot in state.snapshots
        if snapshot.completeness == Completeness.FULL
    }
    unread = len(tried - full)
    if len(tried) < _PAGES or unread < _MOST_UNREAD * len(tried):
        return []
    read_count = len(tried) - unread
    if read_count:
        rest = f"the other {counted(read_count, 'page')} and on abstracts"
    else:
        rest = "abstracts alone"
    return [f"{unread} of {len(tried)} pages could not be read, so this report rests on {rest}."]


def _outside(state: ResearchState) -> list[ClientReport]:
    return [report for report in state.clients if report.client != "local"]


def _no_network(state: ResearchState, mute: Sequence[ClientReport]) -> bool:
    """Whether the network as a whole is away, not each of many services by itself."""
    outside = _outside(state)
    return bool(outside) and all(
        report in mute and report.reason == FailureReason.UNREACHABLE for report in outside
    )


def _label(report: ClientReport) -> str:
    return report.label or report.client
