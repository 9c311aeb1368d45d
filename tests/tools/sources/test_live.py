"""The real services, asked once each: `pytest -m live`. Nothing is asserted about what they know."""

from collections.abc import Callable

import pytest

from tools.http import Http
from tools.research import boundary
from tools.research.client import Access, Client
from tools.research.registry import SOURCES

pytestmark = pytest.mark.live


@pytest.mark.parametrize("client", SOURCES, ids=lambda client: client.name)
def test_a_real_service_answers_in_the_form_we_read(client: Client, open_http: Callable[..., Http]) -> None:
    http = open_http(backoff=0.5)
    outcome = boundary.ask(client, "caffeine sleep", 3, Access(http, client, client.settings()))
    assert outcome.problem is None or "could not be read" not in outcome.problem, outcome.problem
    for source in outcome.sources:
        assert source.title and source.url.startswith("http") and source.source_id
