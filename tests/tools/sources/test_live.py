"""The real services, asked once each: `pytest -m live`. The table at the end can be sent back as it
is."""

from collections.abc import Callable

import pytest

from engine.wiring.source_status import check
from tests.tools.sources.live_table import ROWS
from tools.http import Http
from tools.sources.client import Client
from tools.sources.registry import SOURCES

pytestmark = pytest.mark.live


@pytest.mark.parametrize("client", SOURCES, ids=lambda client: client.name)
def test_a_real_service_answers_in_the_form_we_read(
    client: Client, open_http: Callable[..., Http]
) -> None:
    result = check(client, client.settings(), open_http(backoff=0.5))
    ROWS.append((client.name, result))
    assert "could not be read" not in result.message and "unknown form" not in result.message, (
        result.message
    )
