"""Which services a research would ask is known before it begins."""

from engine.answers import ClientStatus
from engine.wiring.source_status import would_ask


def a_client(
    name: str, kind: str, enabled: bool = True, needs_key: bool = False, has_key: bool = False
) -> ClientStatus:
    return ClientStatus(name, name, kind, enabled, needs_key, has_key)


FOUND = (
    a_client("scholar", "academic"),
    a_client("keyless", "academic", needs_key=True),
    a_client("keyed", "web", needs_key=True, has_key=True),
    a_client("off", "web", enabled=False),
    a_client("copies", "support"),
)


def test_only_what_is_on_has_its_key_and_is_of_a_wanted_kind_is_asked() -> None:
    assert [client.name for client in would_ask(FOUND, ("academic", "web"))] == [
        "scholar",
        "keyed",
        "copies",
    ]


def test_those_who_support_scholarly_works_are_asked_with_the_scholarly_ones_alone() -> None:
    assert [client.name for client in would_ask(FOUND, ("web",))] == ["keyed"]


def test_offline_and_ones_own_documents_ask_nobody() -> None:
    assert would_ask(FOUND, ("academic", "web"), offline=True) == []
    assert would_ask(FOUND, ("local",)) == []
