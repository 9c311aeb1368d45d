"""The log file: private, bounded, without secrets."""

import logging
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import logs


@pytest.fixture
def root() -> Iterator[logging.Logger]:
    logger = logging.getLogger()
    level, before = logger.level, list(logger.handlers)
    yield logger
    for handler in [h for h in logger.handlers if h not in before]:
        logger.removeHandler(handler)
        handler.close()
    logger.setLevel(level)


def test_lines_go_to_an_owner_only_file_without_secrets(
    tmp_path: Path, root: logging.Logger
) -> None:
    path = tmp_path / "zorora.log"
    logs.start(path, secrets=("sk-secret-0001", "sk-secret-0001-longer"))
    assert not path.exists()
    try:
        raise ValueError("key sk-secret-0001 in a fault")
    except ValueError:
        logging.getLogger("zorora.x").exception("asked with %s", "sk-secret-0001-longer")
    text = path.read_text()
    assert "sk-secret" not in text
    assert text.count(logs.HIDDEN) >= 2
    assert "Traceback" in text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_no_words_of_a_question_stand_in_the_log(tmp_path: Path, root: logging.Logger) -> None:
    """They are in the name of its research, which paths and addresses hold too."""
    path, research_id = tmp_path / "zorora.log", "why_did_my_hair_fall_out_20261014_140200_2"
    logs.start(path)
    try:
        raise OSError(
            "no room for /h/findings/2026-10-14_why_did_my_hair_fall_out_140200_2.json of "
            f"{research_id}"
        )
    except OSError:
        logging.getLogger("zorora.x").exception(
            "%s: request /research/%s/graph failed", research_id, research_id
        )
    text = path.read_text()
    assert "hair" not in text and text.count("…20261014_140200_2") == 3
    assert "/h/findings/2026-10-14_…140200_2.json" in text and "request /research/…20261014" in text


def test_five_files_of_bounded_size_remain(
    tmp_path: Path, root: logging.Logger, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (logs.BYTES, logs.FILES) == (2_000_000, 5)
    monkeypatch.setattr(logs, "BYTES", 5_000)
    logs.start(tmp_path / "zorora.log")
    for _ in range(1000):
        logging.getLogger("zorora").warning("x" * 100)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["zorora.log", *(f"zorora.log.{n}" for n in range(1, 5))]
    assert all(path.stat().st_size <= 5_000 for path in tmp_path.iterdir())
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in tmp_path.iterdir())


def test_a_second_start_replaces_the_first(tmp_path: Path, root: logging.Logger) -> None:
    logs.start(tmp_path / "a.log")
    logs.start(tmp_path / "b.log")
    logging.getLogger("zorora").warning("once")
    assert not (tmp_path / "a.log").exists()
    assert (tmp_path / "b.log").read_text().count("once") == 1


def test_when_another_process_rotated_the_file_this_one_follows(
    tmp_path: Path, root: logging.Logger
) -> None:
    path = tmp_path / "zorora.log"
    logs.start(path)
    logging.getLogger("zorora").warning("first")
    path.rename(tmp_path / "zorora.log.1")
    logging.getLogger("zorora").warning("second")
    assert "second" in path.read_text()
    assert "second" not in (tmp_path / "zorora.log.1").read_text()


def test_a_log_that_cannot_be_written_stops_nothing(tmp_path: Path, root: logging.Logger) -> None:
    logs.start(tmp_path / "absent" / "zorora.log")
    logging.getLogger("zorora").warning("lost")


@pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="there is no disk that is always full here"
)
def test_a_log_on_a_full_disk_ends_without_a_word() -> None:
    log = logs.LogFile(Path("/dev/full"))
    log.emit(
        logging.LogRecord("zorora", logging.WARNING, "", 0, "What nobody will read.", (), None)
    )
    log.close()
