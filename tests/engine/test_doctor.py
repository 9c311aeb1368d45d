"""doctor: finds what is wrong, says what to do, changes nothing."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from engine.answers import PROBLEM, Check
from engine.maintenance import doctor, integrity
from engine.records.storage import LocalStorage
from engine.settings.config import Config, load
from tools.database import Database
from tools.documents.model import Snapshot
from tools.documents.snapshots import SnapshotFiles
from tools.net.store import NetStore
from tools.schema import CORPUS
from workflows.research.state import ResearchState


@pytest.fixture
def config(home: Path) -> Config:
    return load(home, environ={}, overrides={"storage.keyring": False})


def by_name(config: Config) -> dict[str, Check]:
    checks = doctor.checks(config)
    worst = {"ok": 0, "warning": 1, "problem": 2}
    return {check.name: check for check in sorted(checks, key=lambda check: worst[check.state])}


def fill(config: Config) -> Path:
    storage = LocalStorage(config=config)
    snapshot = Snapshot("a" * 64, "s", "", "text/plain", "", "x", "full", 1)
    storage.save_research(ResearchState("q", "plain", status="complete"))
    storage.save_research(ResearchState("q", "quoting", status="complete", snapshots=(snapshot,)))
    path = storage.record_path("plain")
    storage.close()
    return path


def test_a_fresh_machine_is_fine_and_stays_untouched(config: Config) -> None:
    checks = doctor.checks(config)
    assert {check.state for check in checks} == {"ok"}
    assert len({check.name for check in checks}) >= 10
    assert not config.home.exists()


def test_a_tagged_research_is_no_damage(config: Config) -> None:
    fill(config)
    storage = LocalStorage(config=config)
    storage.tag("plain", ["sleep", "to read"])
    storage.close()
    checks = by_name(config)
    assert (checks["database"].state, checks["records"].state) == ("ok", "ok")


def test_records_and_texts_that_are_gone_unknown_or_damaged_are_named(config: Config) -> None:
    path = fill(config)
    assert by_name(config)["records"].state == "ok"
    missing = by_name(config)["texts"]
    assert (missing.state, "aaaaaaaaaaaa" in missing.message) == ("problem", True)
    files = SnapshotFiles(config.paths.snapshots)
    check_of_damage = files.put("A text.")
    files.path(check_of_damage).write_bytes(files.path(check_of_damage).read_bytes()[:-9])
    output = [
        check.message
        for check in integrity.texts(integrity.Examination(config))
        if check.state == PROBLEM
    ]
    assert len(output) == 2 and check_of_damage[:12] in output[1]
    (config.paths.findings / "new.json").write_bytes(path.read_bytes())
    assert by_name(config)["records"].state == "warning"
    path.unlink()
    (config.paths.findings / "bad.json").write_text("{")
    sentences = [check.message for check in doctor.checks(config) if check.name == "records"]
    assert any("bad.json cannot be read" in sentence for sentence in sentences)
    assert any(
        "1 report without a record file" in sentence and path.name in sentence
        for sentence in sentences
    )
    assert any("not in the database: new.json" in sentence for sentence in sentences)


def test_a_damaged_or_newer_database_is_named_with_its_remedy(config: Config) -> None:
    fill(config)
    data = bytearray(config.paths.db.read_bytes())
    with closing(sqlite3.connect(config.paths.db)) as connection:
        connection.execute("CREATE TABLE of_a_later_format (x)")
        connection.execute("PRAGMA user_version = 99")
    assert "newer Zorora (format 99)" in by_name(config)["database"].message
    data[4096 : len(data) - 4096] = b"\xa5" * (len(data) - 8192)
    config.paths.db.write_bytes(data)
    check = by_name(config)["database"]
    assert (check.state, "repair-db" in check.remedy) == ("problem", True)
    assert config.paths.db.read_bytes() == data
    config.paths.corpus_db.write_bytes(b"rubbish" * 900)
    assert by_name(config)["corpus"].state == "problem"


def test_permissions_that_let_others_in_are_named(config: Config) -> None:
    fill(config)
    assert by_name(config)["permissions"].state == "ok"
    config.paths.db.chmod(0o644)
    check = by_name(config)["permissions"]
    assert (check.state, str(config.paths.db) in check.remedy) == ("warning", True)


def test_problems_of_the_configuration_are_passed_on(home: Path) -> None:
    home.mkdir()
    (home / "config.toml").write_text("[research]\ndepht = 1\n")
    check = by_name(load(home, environ={}))["configuration"]
    assert (check.state, "line 2" in check.message) == ("warning", True)


def test_keys_are_named_and_never_shown(home: Path) -> None:
    secret = "sk-very-secret-value-0001"
    config = load(home, environ={"OPENAI_API_KEY": secret}, overrides={"storage.keyring": False})
    assert by_name(config)["keys"].message == "OPENAI_API_KEY (environment)."
    assert secret not in repr(doctor.checks(config)) + repr(config)


def test_an_unreadable_file_of_keys_does_not_stop_the_rest(config: Config) -> None:
    fill(config)
    config.paths.keys.write_text("{")
    checks = doctor.checks(config)
    assert any(check.state == "problem" and "file of keys" in check.message for check in checks)
    assert any(check.name == "extra keyring" for check in checks)


def test_a_file_where_the_home_should_be_is_a_problem(home: Path) -> None:
    home.write_text("")
    assert by_name(load(home, environ={}))["home"].state == "problem"


def test_a_package_from_another_place_is_named(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ui").mkdir()
    (tmp_path / "ui" / "__init__.py").write_text("")
    monkeypatch.setattr(doctor, "find_spec", lambda name: _spec(tmp_path / name / "__init__.py"))
    check = by_name(config)["program"]
    assert (check.state, str(tmp_path) in check.message) == ("problem", True)


def _spec(path: Path) -> object:
    return type("Spec", (), {"origin": str(path)})()


def test_too_little_room_is_named(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        doctor.shutil, "disk_usage", lambda path: type("Usage", (), {"free": 1_000_000})()
    )
    assert by_name(config)["disk space"].state == "problem"


def test_services_that_gave_no_answer_are_named_and_nobody_is_asked(config: Config) -> None:
    assert by_name(config)["sources"].message == "None has been asked yet."
    with closing(Database(config.paths.corpus_db, CORPUS)) as database:
        clients = NetStore(database).clients
        clients.answered("crossref", 100.0)
        clients.failed("crossref", 50.0, "Crossref: unavailable (status 500)")
        clients.failed(
            "openalex", 200.0, "OpenAlex: the name is not known (or there is no network)"
        )
    check = by_name(config)["sources"]
    assert (check.state, "1 service of 2" in check.message, "no network" in check.message) == (
        "warning",
        True,
        True,
    )
    with closing(Database(config.paths.corpus_db, CORPUS)) as database:
        NetStore(database).clients.answered("openalex", 300.0)
    assert by_name(config)["sources"].message == "2 services answered when asked last."
