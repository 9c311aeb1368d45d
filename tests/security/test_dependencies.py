"""What is installed with Zorora: lower bounds without known weaknesses, and licences that leave its
users free."""

import subprocess
from types import SimpleNamespace
from typing import Any

import pytest

from tests.security import audit


@pytest.mark.lab
def test_no_licence_binds_the_users() -> None:
    assert len(audit.needed()) > 25
    assert audit.bound() == {}


def test_every_dependency_has_a_lower_bound_without_a_known_weakness() -> None:
    assert audit.loose() == []


@pytest.mark.lab
def test_nothing_that_is_installed_has_a_weakness_known_here() -> None:
    assert audit.too_old() == []


def test_versions_are_compared_by_their_numbers() -> None:
    assert (
        audit.number("0.0.18")
        < audit.number("0.0.34")
        < audit.number("1.2")
        < audit.number("1.10.0")
    )
    assert audit.number("2024.7.4") < audit.number("2026.10.18+local.9")


@pytest.mark.lab
@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        ('{"dependencies": [{"name": "a", "skip_reason": "not found"}]}', 2, "NOT DONE"),
        ("", 2, "NOT DONE"),
        (
            '{"dependencies": [{"name": "a", "version": "1", "vulns": []}]}',
            0,
            "1 packages were looked up",
        ),
        (
            '{"dependencies": [{"name": "a", "version": "1", "vulns": [{"id": "CVE-1"}]}]}',
            1,
            "WRONG: a 1: CVE-1",
        ),
    ],
)
def test_the_audit_says_what_it_could_not_ask(
    answer: str,
    status: int,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run(*_: Any, **__: Any) -> Any:
        return SimpleNamespace(stdout=answer)

    monkeypatch.setattr(subprocess, "run", run)
    assert audit.main() == status
    assert words in capsys.readouterr().out
