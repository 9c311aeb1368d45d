"""Roles: who answers, how many at once, what is reused, what it took, when an endpoint is given
up."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.tables import each
from tools.errors import Cancelled, ModelError
from tools.models.model import Endpoint, Image, Message, Reply, Request, Role, Usage
from tools.models.roles import Models

HERE = Endpoint("ollama", "http://localhost:11434/v1", "ollama")
AWAY = Endpoint("openai", "https://api.openai.com/v1")


class Fake:
    """Answers at once, or does what `then` says."""

    def __init__(
        self, then: Callable[[Request], str] = lambda request: "yes", seconds: float = 0.0
    ) -> None:
        self.then = then
        self.seconds = seconds
        self.calls: list[tuple[str, Request]] = []
        self.now = self.most = 0
        self.lock = threading.Lock()

    def __call__(
        self,
        role: Role,
        request: Request,
        *,
        on_text: Callable[[str], object] | None = None,
        check_cancelled: Callable[[], None] | None = None,
    ) -> Reply:
        with self.lock:
            self.calls.append((role.model, request))
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(self.seconds)
        with self.lock:
            self.now -= 1
        text = self.then(request)
        if on_text:
            on_text(text)
        return Reply(text, model=role.model, usage=Usage(100, 10, 0.5, None, 1))


def question(text: str = "?", **more: object) -> Request:
    return Request((Message("user", text),), **more)  # type: ignore[arg-type]


def roles(**endpoints: Endpoint) -> dict[str, Role]:
    return {name: Role(name, endpoint, f"{name}-model") for name, endpoint in endpoints.items()}


def test_a_role_without_a_model_is_answered_by_reasoning() -> None:
    models = Models(roles(reasoning=HERE, search=AWAY), Fake())
    assert (
        models.name("orchestrator") == "reasoning-model" and models.name("search") == "search-model"
    )
    assert (
        models.has("vision")
        and not models.has("image_generation")
        and models.name("image_generation") == ""
    )
    assert models.ask("orchestrator", question()).model == "reasoning-model"


def test_without_any_model_every_question_ends_in_a_sentence() -> None:
    models = Models({}, Fake())
    assert not models.has("reasoning") and models.window("reasoning") == 0
    with pytest.raises(ModelError, match="No model is configured for search") as caught:
        models.ask("search", question())
    assert caught.value.kind == "absent" and models.total() == Usage()


def test_the_same_question_is_asked_once_in_a_run() -> None:
    fake = Fake()
    models, shown = Models(roles(reasoning=HERE), fake), []
    first = models.ask("reasoning", question(prompt="p@1"))
    again = models.ask("orchestrator", question(prompt="p@1"), on_text=shown.append)
    assert again.text == first.text and shown == ["yes"]
    assert len(fake.calls) == 1 and models.total().calls == 1 and again.usage == Usage()
    other = [
        question(prompt="p@2"), question(prompt="p@1", sample=1), question("!", prompt="p@1"),
        question(prompt="p@1", max_tokens=5),
        question(prompt="p@1", schema={"type": "object"}),
        Request((Message("user", "?", (Image(b"x"),)),), prompt="p@1"),
    ]  # fmt: skip
    for request in other:
        assert models.ask("reasoning", request).usage.calls == 1
    assert len(fake.calls) == 1 + len(other)


def test_the_same_question_at_the_same_time_is_asked_once_too() -> None:
    fake = Fake(seconds=0.05)
    models = Models(roles(reasoning=HERE), fake)
    threads = [
        threading.Thread(target=models.ask, args=("reasoning", question())) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(fake.calls) == 1


def test_no_more_calls_at_once_than_the_role_allows() -> None:
    fake = Fake(seconds=0.02)
    role = replace(roles(reasoning=HERE)["reasoning"], parallel=2)
    models = Models({"reasoning": role}, fake)
    # All of them answered by the one role
    names = (
        "reasoning",
        "search",
        "orchestrator",
        "codestral",
    )
    threads = [
        threading.Thread(target=models.ask, args=(name, question(str(i))))
        for i, name in enumerate(names * 2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(fake.calls) == 8 and fake.most == 2


def test_a_stop_is_heard_while_waiting_for_a_turn() -> None:
    gate = threading.Event()
    fake = Fake(lambda request: str(gate.wait(60)))
    models = Models({"reasoning": replace(roles(reasoning=HERE)["reasoning"], parallel=1)}, fake)
    busy = threading.Thread(target=models.ask, args=("reasoning", question("long")))
    busy.start()

    def stop() -> None:
        raise Cancelled("stopped")

    begun = time.monotonic()
    with pytest.raises(Cancelled):
        models.ask("reasoning", question("short"), check_cancelled=stop)
    assert time.monotonic() - begun < 30
    gate.set()
    busy.join()
    assert models.ask("reasoning", question("short")).text == "True"  # its place was given back


def test_use_is_counted_with_cost_where_prices_are_known() -> None:
    priced = replace(roles(reasoning=HERE)["reasoning"], price_in=2.0, price_out=10.0)
    models = Models({"reasoning": priced, **roles(search=AWAY)}, Fake())
    models.ask("reasoning", question("1"))
    models.ask("orchestrator", question("2"))
    models.ask("search", question("3"))
    assert models.total() == Usage(300, 30, 1.5, 0.0006, 3)


@each(("kind", "calls"), [("absent", 1), ("key", 1), ("model", 1), ("silent", 2), ("limit", 3)])
def test_an_endpoint_that_fails_for_good_is_given_up(kind: str, calls: int) -> None:
    def fail(request: Request) -> str:
        raise ModelError("It is gone.", kind)

    fake = Fake(fail)
    models = Models(roles(reasoning=HERE), fake)
    for number in range(5):
        with pytest.raises(ModelError, match="It is gone") as caught:
            models.ask("reasoning", question(str(number)))
        assert caught.value.kind == kind
    assert (
        len(fake.calls) == calls
        and not models.has("reasoning")
        and models.problem("search") == "It is gone."
    )
    assert models.total().calls == calls


def test_failures_of_one_question_or_with_answers_between_give_nobody_up() -> None:
    kinds = iter(["context", "shape", "refused"] * 3 + ["silent", "", "silent", "", "silent"])

    def then(request: Request) -> str:
        if kind := next(kinds):
            raise ModelError("no", kind)
        return "yes"

    models = Models(roles(reasoning=HERE), Fake(then))
    for number in range(14):
        try:
            models.ask("reasoning", question(str(number)))
        except ModelError:
            continue
    assert models.has("reasoning")


def test_giving_up_one_model_leaves_the_others() -> None:
    def then(request: Request) -> str:
        raise ModelError("no", "absent")

    models = Models(roles(reasoning=HERE, search=AWAY), Fake(then))
    with pytest.raises(ModelError):
        models.ask("search", question())
    assert not models.has("search") and models.has("reasoning")


def test_the_users_documents_stay_on_this_computer_unless_he_allows_otherwise() -> None:
    fake = Fake()
    models = Models(roles(reasoning=HERE, search=AWAY), fake)
    assert models.ask("reasoning", question(private=True)).text == "yes"
    with pytest.raises(ModelError, match=r"privacy\.documents_to_remote_models"):
        models.ask("search", question(private=True))
    assert [name for name, _ in fake.calls] == ["reasoning-model"]
    assert models.may_see_documents("reasoning") and not models.may_see_documents("search")
    allowed = Models(roles(search=AWAY), fake, documents_anywhere=True)
    assert allowed.ask("search", question(private=True)).text == "yes"


@each(
    ("url", "local"),
    [
        ("http://localhost:1234/v1", True), ("http://127.0.0.1:8080/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://127.5.5.5/v1", True), ("http://localhost.evil.example/v1", False),
        ("http://127.0.0.1.evil.example/v1", False), ("http://192.168.0.4:1234/v1", False),
        ("https://api.openai.com/v1", False), ("http://[::ffff:8.8.8.8]/v1", False),
        ("http://", False),
    ],
)  # fmt: skip
def test_only_this_computer_is_local(url: str, local: bool) -> None:
    assert Endpoint("x", url).local == local


def test_what_does_not_fit_is_not_sent() -> None:
    fake = Fake()
    models = Models({"reasoning": replace(roles(reasoning=HERE)["reasoning"], window=1000)}, fake)
    with pytest.raises(ModelError, match="its window has 1000") as caught:
        models.ask("reasoning", question("word " * 2000))
    assert (
        caught.value.kind == "context" and fake.calls == [] and models.window("reasoning") == 1000
    )
