"""The command that measures: it prints every bar, and fails below one or when a measurement
breaks."""

import sys
from types import ModuleType

import pytest

from benchmarks import __main__ as command
from benchmarks.options import Options, Row, at_most


def breaks(options: Options) -> list[Row]:
    raise RuntimeError("no such data")


@pytest.mark.parametrize(
    ("names", "status", "message"),
    [
        (["good"], 0, "ok"),
        (["good", "bad"], 1, "BELOW THE BAR"),
        (["broken", "good"], 1, "broken broke: no such data"),
        (["unheard"], 2, ""),
        (["all"], 1, "BELOW THE BAR"),
    ],
)
def test_the_exit_status_says_whether_every_bar_is_met(
    names: list[str],
    status: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    runs = {
        "good": lambda options: [at_most("speed", 1.0, "s", 2.0)],
        "bad": lambda options: [at_most("speed", 3.0, "s", 2.0)],
        "broken": breaks,
    }
    for name, run in runs.items():
        module = ModuleType(f"benchmarks.{name}")
        vars(module)["run"] = run
        monkeypatch.setitem(sys.modules, f"benchmarks.{name}", module)
    monkeypatch.setattr(command, "NAMES", tuple(runs))
    assert command.main(names) == status
    assert message in capsys.readouterr().out
