"""The error tree. Every message is a sentence for people: what happened, to which thing, what to
do.

ZororaError              shown to the user as it is
├── ConfigError          a setting is missing or wrong; names the setting and where to set it
├── SourceError          one source failed; the research goes on without it
├── ParseError           a document or page could not be read
├── NotFound             no such research, job, document, page
├── Conflict             somebody else was first (an answer was given, a job is running)
├── Refused              not allowed: outside a root, a private address, a wrong origin
├── StorageError         the database or a file cannot be read or written
├── EditError            an edit or a patch does not fit its file; nothing was changed
├── ModelError           the model failed or answered nonsense twice
└── Cancelled            the user stopped the job
"""

from collections.abc import Callable
from enum import StrEnum

# Raises Cancelled once the work is to stop
Check = Callable[[], None]


class FailureReason(StrEnum):
    """Why a search or a page led nowhere. UNREACHABLE: there seems to be no network. After the last
    three nobody was asked, which is no dead end."""

    ERROR = "error"
    UNREACHABLE = "unreachable"
    NO_RESULTS = "no_results"
    IRRELEVANT = "irrelevant"
    PAYWALL = "paywall"
    LOW_CREDIBILITY = "low_credibility"
    BUDGET = "budget"
    OFFLINE = "offline"
    STOPPED = "stopped"


def cause(problem: str, label: str = "") -> str:
    """The problem of a client for where its name stands beside: without the name, and that it was
    skipped."""
    return problem.removeprefix(f"{label}: ").removesuffix("; skipped")


class ZororaError(Exception):
    """Base of every error that is meant for the user's eyes."""


class ConfigError(ZororaError):
    """A setting is missing or wrong."""


class SourceError(ZororaError):
    """One source failed. status: of the HTTP answer that says so, where there is one."""

    def __init__(
        self, message: str, reason: str = FailureReason.ERROR, status: int | None = None
    ) -> None:
        super().__init__(message)
        self.reason, self.status = reason, status


class ParseError(ZororaError):
    """Bytes from outside could not be turned into text. The message is the reason in words."""


class NotFound(ZororaError):
    """The named thing does not exist."""


class Conflict(ZororaError):
    """Somebody else was first."""


class Refused(ZororaError):
    """The request is against a rule of safety."""


class StorageError(ZororaError):
    """The database, a record or a snapshot cannot be read or written."""


class EditError(ZororaError):
    """An edit or a patch does not fit the file it is for. Nothing was changed; the sentence says
    what to do instead."""


class ModelError(ZororaError):
    """A model failed. `kind` says how, for whoever chooses between another attempt, another way and
    giving up.

    unset: none is configured for the role. absent: the endpoint cannot be reached. key: it refuses
    the key. model: it does not have the model. context: the input is too long. cut: the answer
    broke off. shape: the answer cannot be understood. refused: the model or the endpoint refuses to
    answer. silent: nothing came in time. limit: too many requests, or the quota is used up. server:
    the endpoint failed or rejected the request.
    """

    def __init__(self, message: str, kind: str = "server") -> None:
        super().__init__(message)
        self.kind = kind
        self.is_thought_alone = False  # of the kind shape: the model thought, and came to no answer


class Cancelled(ZororaError):
    """The user stopped the work."""
