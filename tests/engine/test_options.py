"""What a user chose for one run is checked before the run begins."""

import pytest

from engine.options import addresses
from tools.errors import ConfigError


def test_a_bare_address_is_https() -> None:
    assert addresses(("example.org/a", " http://example.org:8080/b ")) == (
        "https://example.org/a",
        "http://example.org:8080/b",
    )


@pytest.mark.parametrize("typed", ["javascript:alert(1)", "file:///etc/passwd", "ftp://example.org", "https://", " "])
def test_what_no_page_can_be_read_from_is_refused(typed: str) -> None:
    with pytest.raises(ConfigError, match="no address of a page"):
        addresses((typed,))
