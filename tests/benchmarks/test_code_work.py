"""The measurement of the code work: it counts what was solved, and a model that is shown nothing
solves nothing."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from benchmarks import code_work
from benchmarks.options import Options
from engine.settings.config import load

REPOSITORIES = {
    repository["name"]: repository
    for repository in tomllib.loads(code_work.REPOSITORIES.read_text("utf-8"))["repository"]
}


def outcome_of(name: str, tmp_path: Path) -> code_work.Outcome:
    return code_work.outcome_of(REPOSITORIES[name], load(tmp_path / "none").toolchain)


def test_there_are_twelve_repositories_in_three_languages() -> None:
    assert (
        len(REPOSITORIES) == 12
        and len({repository["language"] for repository in REPOSITORIES.values()}) == 3
    )


@pytest.mark.lab
@pytest.mark.parametrize("name", ["units", "durations", "leap"])
def test_a_repository_is_solved_with_what_the_model_is_shown(name: str, tmp_path: Path) -> None:
    outcome = outcome_of(name, tmp_path)
    assert (outcome.solved, outcome.weakened, outcome.touched) == (True, False, False), outcome.note


@pytest.mark.lab
def test_a_model_that_is_shown_no_code_solves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workflows.code.develop.overview", lambda *_: "")
    outcome = outcome_of("units", tmp_path)
    assert not outcome.solved and "plan does not see" in outcome.note and not outcome.touched


def test_weakened_tests_are_counted(tmp_path: Path) -> None:
    root = tmp_path / "leap"
    code_work.make(root, REPOSITORIES["leap"])
    code_work.git(root, "switch", "-qc", "other")
    (root / "test_dates.py").write_text("")
    code_work.git(root, "-c", "user.name=n", "-c", "user.email=e@x", "commit", "-qam", "weaker")
    code_work.git(root, "switch", "-q", "main")
    assert code_work.weakened_tests(root, "other") == ["test_dates.py"]


@pytest.mark.lab
def test_every_bar_is_met() -> None:
    rows: list[dict[str, Any]] = code_work.run(Options(None, None, True, None))
    assert [row for row in rows if row["ok"] is False] == []
