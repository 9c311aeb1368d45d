"""Fixtures: a scripted endpoint, a role that asks it, a caller with short patience."""

from collections.abc import Callable, Iterator

import pytest

from tests.model_endpoint import ModelEndpoint
from tools.models.calling import Caller, Patience
from tools.models.model import Endpoint, Role, Timing
from tools.models.wire import Wire

KEY = "sk-test-0123456789abcdef"


@pytest.fixture(scope="session")
def running_endpoint() -> Iterator[ModelEndpoint]:
    with ModelEndpoint() as running:
        yield running


@pytest.fixture
def endpoint(running_endpoint: ModelEndpoint) -> ModelEndpoint:
    running_endpoint.reset("It is so.")
    return running_endpoint


@pytest.fixture
def caller() -> Caller:
    return Caller(Wire(), Patience(retries=2, backoff=0.01, longest=1.5))


@pytest.fixture
def role(endpoint: ModelEndpoint) -> Callable[..., Role]:
    """role(provider="openai", name="reasoning", ...): a role that the endpoint answers for."""

    def make(provider: str = "openai", name: str = "reasoning", **settings: object) -> Role:
        url = endpoint.root if provider == "ollama" else endpoint.url
        place = Endpoint("lab", url, provider, KEY, "LAB_API_KEY")  # type: ignore[arg-type]
        timing = settings.pop("timing", Timing(connect=5.0, first=10.0, total=20.0))
        return Role(name, place, "small-4b", timing=timing, **settings)  # type: ignore[arg-type]

    return make
