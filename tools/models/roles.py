"""Models: who answers for which role, how many calls at once, what was asked already, what it all
took.

A role without a model of its own is answered by `reasoning`. An endpoint that fails for good is
given up for the rest of the run, so that a dead server costs one wait and not forty.
"""

import hashlib
import json
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from tools.errors import Check, ModelError
from tools.models.model import DEFAULT_WINDOW, OnText, Reply, Request, Role, Usage, estimate_request

log = logging.getLogger("zorora.models")

REASONING = "reasoning"
FOR_ITSELF = ("image_generation", "nehanda")  # a writing model cannot do this in its place
# Failures in a row after which an endpoint is given up; of other kinds every call has its own
# chance
PATIENCE = {"absent": 1, "key": 1, "model": 1, "silent": 2, "limit": 3, "server": 4, "cut": 4}
_STEP = 0.1  # seconds between two looks whether the user stopped


# One call to an endpoint (role, request, on_text, check_cancelled); raises ModelError or Cancelled
Complete = Callable[..., Reply]


class Models:
    """The models of one run. Safe to use from several threads.

    roles: what is configured, by role name. complete: makes one call. documents_anywhere: whether
    the user's documents may be shown to models on other computers
    (privacy.documents_to_remote_models). replies: those of an earlier life of the run, and where
    new ones go.
    """

    def __init__(
        self,
        roles: Mapping[str, Role],
        complete: Complete,
        *,
        documents_anywhere: bool = False,
        replies: MutableMapping[str, Reply] | None = None,
    ) -> None:
        self._roles = dict(roles)
        self._documents_anywhere = documents_anywhere
        self._complete = complete
        self._lock = threading.Lock()
        self._turns: dict[str, threading.BoundedSemaphore] = {}
        self._replies: MutableMapping[str, Reply] = {} if replies is None else replies
        self._asking: dict[str, threading.Lock] = {}
        self._usage = Usage()
        self._failures: dict[str, int] = {}
        self._given_up: dict[str, ModelError] = {}

    def role(self, role: str) -> Role | None:
        """Who answers for a role, after falling back; None when nobody does."""
        return self._roles.get(role) or (None if role in FOR_ITSELF else self._roles.get(REASONING))

    def has(self, role: str) -> bool:
        """Whether somebody can answer for this role: configured, and not given up in this run."""
        resolved = self.role(role)
        return resolved is not None and _place(resolved) not in self._given_up

    def name(self, role: str) -> str:
        """The model that answers for a role, as configured; empty when there is none."""
        resolved = self.role(role)
        return resolved.label if resolved else ""

    def window(self, role: str) -> int:
        """Tokens that input and answer may have together; a careful guess where nobody says, 0
        without a model."""
        resolved = self.role(role)
        return (resolved.window or DEFAULT_WINDOW) if resolved else 0

    def may_see_documents(self, role: str) -> bool:
        """Whether text of the user's own documents may be sent for this role: what stays on this
        computer may."""
        resolved = self.role(role)
        return self._documents_anywhere or (resolved is not None and resolved.endpoint.local)

    def problem(self, role: str) -> str | None:
        """Why this role's endpoint was given up in this run; None while it was not."""
        resolved = self.role(role)
        failure = self._given_up.get(_place(resolved)) if resolved else None
        return str(failure) if failure else None

    def ask(
        self,
        role: str,
        request: Request,
        *,
        on_text: OnText | None = None,
        check_cancelled: Check | None = None,
    ) -> Reply:
        """The answer to a request. on_text is handed the answer's text as it comes.

        Raises ModelError with a sentence (kinds: tools/errors.py), Cancelled when check_cancelled
        does.
        """
        resolved = self.role(role)
        if resolved is None:
            raise ModelError(
                f"No model is configured for {role}. Choose one with `zorora models`.", "absent"
            )
        if request.private and not self.may_see_documents(role):
            raise ModelError(
                f"{resolved.endpoint} is on another computer and is not shown your own documents. "
                "To allow it, set "
                "privacy.documents_to_remote_models.",
                "refused",
            )
        key = _key(resolved, request)
        with self._lock:
            same = self._asking.setdefault(key, threading.Lock())
        with _holding(same, check_cancelled):  # the same question asked twice at once is asked once
            if (stored_reply := self._replies.get(key)) is not None:
                if on_text:
                    on_text(stored_reply.text)
                return replace(stored_reply, usage=Usage())
            reply = self._call(role, resolved, request, on_text, check_cancelled)
            self._replies[key] = reply
            return reply

    def total(self) -> Usage:
        """What all calls took so far, failed ones included."""
        return self._usage

    def _call(
        self,
        name: str,
        role: Role,
        request: Request,
        on_text: OnText | None,
        check_cancelled: Check | None,
    ) -> Reply:
        with _holding(self._turn(role), check_cancelled):
            if (failure := self._given_up.get(_place(role))) is not None:
                raise ModelError(f"Not asked again in this run: {failure}", failure.kind)
            _refuse_too_long(role, request)
            start = time.monotonic()
            try:
                reply = self._complete(
                    role, request, on_text=on_text, check_cancelled=check_cancelled
                )
            except ModelError as error:
                log.info("%s failed: %s", request.prompt or "a call", error)
                self._failed(role, error)
                self._count(Usage(calls=1, seconds=time.monotonic() - start))
                raise
            self._failures.pop(_place(role), None)
            usage = _priced(reply.usage, role)
            self._count(usage)
            log.info(
                "%s: %s for %s, %d tokens in, %d out, %.1f s",
                *(request.prompt or "a call", role.label, name),
                *(usage.input_tokens, usage.output_tokens, usage.seconds),
            )
            return replace(reply, usage=usage)

    def _turn(self, role: Role) -> threading.BoundedSemaphore:
        with self._lock:
            return self._turns.setdefault(
                role.name, threading.BoundedSemaphore(max(role.parallel, 1))
            )

    def _failed(self, role: Role, error: ModelError) -> None:
        with self._lock:
            place = _place(role)
            if error.kind not in PATIENCE:
                return
            self._failures[place] = self._failures.get(place, 0) + 1
            if self._failures[place] >= PATIENCE[error.kind]:
                self._given_up.setdefault(place, error)

    def _count(self, usage: Usage) -> None:
        with self._lock:
            self._usage += usage


@contextmanager
def _holding(lock: Any, check_cancelled: Check | None) -> Iterator[None]:
    """Hold a lock or a place in a semaphore; a stop is noticed while waiting for it."""
    while not lock.acquire(timeout=_STEP):
        if check_cancelled:
            check_cancelled()
    try:
        yield
    finally:
        lock.release()


def _place(role: Role) -> str:
    return f"{role.endpoint.url or role.endpoint.name} {role.model}"


def _key(role: Role, request: Request) -> str:
    """sha256 over model, prompt version and input."""
    pictures = [
        hashlib.sha256(image.data).hexdigest() for m in request.messages for image in m.images
    ]
    parts = [
        *(role.endpoint.url, role.model, request.prompt, request.sample, role.most_tokens(request)),
        role.temperature,
        [[message.role, message.text] for message in request.messages],
        pictures,
        request.schema,
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def _refuse_too_long(role: Role, request: Request) -> None:
    if role.window and (size := estimate_request(request)) >= role.window:
        raise ModelError(
            f"The text for {role.name} is too long for {role.label}: about {size} "
            f"tokens, and its window has {role.window}.",
            "context",
        )


def _priced(usage: Usage, role: Role) -> Usage:
    """With its cost: what the endpoint said, else from the configured prices, else unknown."""
    if usage.cost is not None or (role.price_in is None and role.price_out is None):
        return usage
    cost = usage.input_tokens * (role.price_in or 0.0) + usage.output_tokens * (
        role.price_out or 0.0
    )
    return replace(usage, cost=round(cost / 1_000_000, 9))
