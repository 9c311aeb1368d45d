"""A server stays open while other programs open and close its databases: nothing that a user did
may be lost.

Between any two requests another program opens both databases and closes them again. The last one
who closes a database folds its log in and deletes it, so a server that had lost its locks would go
on writing into a file that is gone.
"""

import json
import time
import urllib.error
from contextlib import suppress
from pathlib import Path

import pytest

from engine.answers import PROBLEM
from engine.maintenance import doctor
from tests.engine.pretend import wait_for
from tests.lab.faults import Faults, Lost, proven
from tests.lab.forms import SECOND, THIRD, Form, forms, user
from tests.lab.places import LONGEST, Browser
from tests.lab.strikes import Home, filled, served
from tests.lab.visits import addresses, contents, deleted_files, differences, look, open_and_close
from ui.web.app import create_app

pytestmark = pytest.mark.lab

PATIENCE = 60.0  # seconds for work in the background


@pytest.fixture(scope="module")
def home(researched: Path, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home with three researches, documents and a copy of the database; the services are switched
    off."""
    place = filled(researched, tmp_path_factory.mktemp("beside"))
    with place.engine() as engine:
        record = json.loads(engine.export(place.research_id(), "json", with_snapshots=True).data)
        for name in (SECOND, THIRD):
            engine.import_record(json.dumps({**record, "research_id": name}).encode())
        engine.upkeep.backup()
        for client in engine.sources():
            if client.kind != "local":
                engine.set_setting(f"sources.{client.name}.enabled", "false")
    return place


@pytest.fixture
def names(home: Home) -> dict[str, str]:
    """Values for the parts of addresses."""
    first = home.research_id()
    with home.engine() as engine:
        state = engine.load_research(first)
        assert state is not None
        parts = {
            "research_id": first,
            "other_id": SECOND,
            "document_id": engine.library()[0].document_id,
        }
    parts |= {
        "source_id": state.sources[0].source_id,
        "claim_id": state.claims[0].claim_id,
        "number": "1",
    }
    return parts | {"name": "md", "format": "md", "key": "0" * 16}


def test_reading_changes_nothing_and_leaves_the_databases_to_the_server(
    home: Home, names: dict[str, str], faults: Faults
) -> None:
    with served(home) as browser:
        before = contents(home.home)
        for address in addresses(names):
            look(browser, address)
            open_and_close(home.home)
            assert differences(before, contents(home.home)) == [], f"{address} changed something"
            with proven(Lost):
                assert deleted_files(browser) == [], f"after {address}"
            faults.count("beside others: a page or a read of the JSON interface")
        # A write after all of them: one that goes into a deleted file is not seen by others
        browser.post(f"/research/{SECOND}/marks", {"note": "Still here."})
        with proven(Lost):
            assert user(home, SECOND)["note"] == "Still here."
    home.check_errors()


def test_what_is_written_through_every_form_outlives_the_server(
    home: Home, names: dict[str, str], tmp_path: Path, faults: Faults
) -> None:
    sent = forms(home, names, tmp_path)
    assert set(sent) == endpoints_of_forms(), "a form is not tried here"
    with served(home) as browser:
        for endpoint, rows in sent.items():
            for form in rows:
                send(browser, form)
                open_and_close(home.home)
                with proven(Lost):
                    assert form.stored is None or is_seen(home, form), (
                        f"others do not see what {form.path} stored"
                    )
                    assert deleted_files(browser) == [], f"after {endpoint}"
                look(browser, "/settings/check")
                faults.count("beside others: a form, seen by another program")
        wait_for(lambda: not home.sql("SELECT 1 FROM jobs WHERE owner IS NOT NULL"), LONGEST)
        before = contents(home.home)
    open_and_close(home.home)
    with proven(Lost):
        assert differences(before, contents(home.home)) == []
    home.check_databases()
    home.check_errors()
    with home.engine() as engine:
        assert [check for check in doctor.checks(engine.config) if check.state == PROBLEM] == []
    faults.count("beside others: kill -9 of the server")


def endpoints_of_forms() -> set[str]:
    """The endpoints of all forms. Programs have the JSON interface, which calls the same
    functions."""
    rules = create_app().url_map.iter_rules()
    return {
        rule.endpoint
        for rule in rules
        if "POST" in (rule.methods or ()) and not rule.rule.startswith("/api/")
    }


def send(browser: Browser, form: Form) -> None:
    """Send a form. One that is refused is answered too; a fault of the server is none of those
    answers."""
    try:
        browser.post(form.path, form.fields, form.file)
    except urllib.error.HTTPError as refused:
        assert refused.code < 500 or refused.code == 502, (
            f"{form.path}: {refused.code} {refused.read()[:1000]!r}"
        )


def is_seen(home: Home, form: Form) -> bool:
    """Whether another program sees what was stored, at the latest when work in the background is
    done."""
    ends = time.monotonic() + PATIENCE
    while form.stored and time.monotonic() < ends:
        with suppress(ValueError, OSError):
            if form.stored(home):
                return True
        time.sleep(0.02)
    return False
