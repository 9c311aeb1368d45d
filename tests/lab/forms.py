"""Every form of the pages, filled in, and how another program sees that what it says was stored."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.reports.reader_page import uses_of
from tests.lab.places import QUESTION, Place

SECOND, THIRD, FOURTH = "second_20250101_000000", "third_20250101_000000", "fourth_20250101_000000"
LETTER = b"The third letter says that evening prices fell in the spring, when the batteries came."
# Something true when it is there; ValueError and OSError count as not there yet
Stored = Callable[[Place], Any]


@dataclass(frozen=True)
class Form:
    """A form: where it goes, what is filled in, how another program sees that it was stored (None:
    nothing is)."""

    path: str
    fields: Mapping[str, str] = field(default_factory=dict)
    stored: Stored | None = None
    file: tuple[str, bytes] | None = None


def forms(place: Place, names: Mapping[str, str], folder: Path) -> dict[str, list[Form]]:
    """Every form by its endpoint, in the order in which they are sent. folder: an empty one, for
    documents."""
    (folder / "letters").mkdir()
    (folder / "letters" / "letter.txt").write_bytes(LETTER.replace(b"third", b"fourth"))
    return {
        **of_marks(place, names["research_id"]),
        **of_checks(place, names["research_id"]),
        **of_researches(place, names["research_id"]),
        **of_the_library(str(folder / "letters"), names["document_id"]),
        **of_settings(),
        **of_models(),
    }


def of_checks(place: Place, first: str) -> dict[str, list[Form]]:
    with place.engine() as engine:
        state = engine.load_research(first)
        assert state is not None
        cited = next(
            source.source_id for source in state.sources if uses_of(state, source.source_id)
        )
        use = next(iter(uses_of(state, cited)))[0]
    check = {"use": use, "mark": "no"}
    path = f"/research/{first}/source/{cited}/check"
    return {
        "marks.check": [
            Form(path, check, lambda place: user(place, first)["checks"][0]["mark"] == "no")
        ]
    }


def of_marks(place: Place, first: str) -> dict[str, list[Form]]:
    at = f"/research/{first}"
    record = {**json.loads(record_of(place, SECOND).read_bytes()), "research_id": FOURTH}
    tagged = {"id": SECOND, "do": "tag", "tags": "later"}
    notes = {"tags": "prices, evening", "note": "Ask Ada."}
    return {
        "marks.star": [
            Form(f"{at}/star", {"on": "1"}, lambda place: user(place, first)["starred"])
        ],
        "marks.notes": [
            Form(f"{at}/marks", notes, lambda place: user(place, first)["note"] == "Ask Ada."),
            Form(f"{at}/marks", notes, lambda place: tags(place, first) == {"prices", "evening"}),
        ],
        "history.change": [
            Form(
                "/history",
                {"star": SECOND, f"on-{SECOND}": "1"},
                lambda place: user(place, SECOND)["starred"],
            ),
            Form("/history", tagged, lambda place: tags(place, SECOND) == {"later"}),
        ],
        "marks.delete": [
            Form(f"/research/{THIRD}/delete", {}, lambda place: user(place, THIRD)["deleted_at"])
        ],
        "marks.undelete": [
            Form(
                f"/research/{THIRD}/undelete",
                {},
                lambda place: not user(place, THIRD)["deleted_at"],
            ),
            Form(
                f"/research/{THIRD}/delete",
                {"now": "1"},
                lambda place: not researches(place, THIRD),
            ),
        ],
        "bring_in.upload": [
            Form(
                "/import",
                {},
                lambda place: researches(place, FOURTH),
                ("fourth.json", json.dumps(record).encode()),
            ),
        ],
    }


def of_researches(place: Place, first: str) -> dict[str, list[Form]]:
    at, before = f"/research/{first}", jobs(place)
    question = {"q": QUESTION, "depth": "1", "sources": "local"}
    return {
        "follow_up.ask": [
            Form(
                f"{at}/follow",
                {"q": "What do they cost?"},
                lambda place: record(place, first)["conversation"],
            )
        ],
        "research.start": [Form("/research", question, lambda place: jobs(place) == before + 1)],
        "run.again": [Form(f"{at}/again", {}, lambda place: jobs(place) == before + 2)],
        "run.cancel": [Form(f"{at}/cancel")],
        "run.resume": [Form(f"{at}/resume")],
        "run.clarify": [Form(f"{at}/clarify", {"best": "1"})],
        "steer.change": [
            Form(
                f"/research/{SECOND}/exclude",
                {"source": "S1"},
                lambda place: record(place, SECOND)["revision"] > 1,
            ),
        ],
        "steer.stop": [Form(f"/research/{SECOND}/work/stop")],
        "asked.stop": [Form(f"/asked/{'0' * 16}/stop")],
    }


def of_the_library(folder: str, document: str) -> dict[str, list[Form]]:
    at = f"/library/{document}/remove"
    return {
        "library.upload": [
            Form(
                "/library/upload",
                {},
                lambda place: documents(place, "third.txt"),
                ("third.txt", LETTER),
            )
        ],
        "library.folder": [
            Form("/library/folder", {"folder": folder}, lambda place: files(place, folder))
        ],
        "library.remove_folder": [
            Form(
                "/library/folder/remove",
                {"folder": folder},
                lambda place: folder not in settings(place),
            ),
        ],
        "library.clear": [
            Form(
                "/library/clear",
                {"folder": "letters", "sure": "1"},
                lambda place: not files(place, folder),
            )
        ],
        "library.remove": [Form(at, {"sure": "1"}, lambda place: not documents(place, document))],
        "library.examples": [Form("/library/examples")],
        "library.stop": [Form("/library/stop")],
        "library.refresh": [Form("/library/refresh")],
        "library.watch": [
            Form("/library/watch", {"on": "0"}, lambda place: "watch = false" in settings(place))
        ],
    }


def of_settings() -> dict[str, list[Form]]:
    key = {"name": "CORE_API_KEY", "value": "not-a-key"}
    return {
        "home.theme": [Form("/theme", {"theme": "dark"})],
        "signin.enter": [Form("/sign-in", {"token": "wrong"})],
        "settings.save": [
            Form(
                "/settings",
                {"research.max_sources": "17"},
                lambda place: "max_sources = 17" in settings(place),
            ),
        ],
        "settings.clients": [
            Form(
                "/settings/clients",
                {"client": "doaj"},
                lambda place: "[sources.doaj]\nenabled = true" in settings(place),
            ),
        ],
        "settings.check_client": [
            Form("/settings/clients/check", {"check": "arxiv"})
        ],  # it is switched off
        "settings.keys": [
            Form(
                "/settings/keys",
                key,
                lambda place: "not-a-key" in (place.home / "keys.json").read_text(),
            ),
        ],
        "settings.new_token": [
            Form("/settings/token", {}, lambda place: (place.home / "web_token").exists())
        ],
        "settings.backup": [
            Form(
                "/settings/backup",
                {},
                lambda place: len(list((place.home / "backups").glob("*manual*.db"))) > 1,
            ),
        ],
        "settings.data": [],  # asks for lists on the network
    }


def of_models() -> dict[str, list[Form]]:
    at = "/settings/models"
    server = {"name": "desk", "url": "http://127.0.0.1:9/v1", "provider": "openai"}
    role = {"role": "vision", "endpoint": "desk", "model": "none"}
    return {
        "models.endpoint": [
            Form(f"{at}/endpoint", server, lambda place: "[endpoints.desk]" in settings(place))
        ],
        "models.role": [
            Form(f"{at}/role", role, lambda place: "[models.vision]" in settings(place))
        ],
        "models.test": [Form(f"{at}/test", {"role": "vision"})],
        "models.served": [Form(f"{at}/served", {"endpoint": "desk"})],
        "models.detect": [Form(f"{at}/detect")],
        "models.get_file": [],  # downloads from the network
        "models.remove_file": [Form(f"{at}/file/remove", {"role": "reader"})],  # none is installed
        "models.remove": [
            Form(f"{at}/endpoint/remove", {"name": "desk"})
        ],  # refused: a role uses it
    }


# --- what another program sees --------------------------------------------------------------------


def row_of(place: Place, research_id: str) -> Any:
    """The row of a research. ValueError when there is none."""
    (row,) = place.sql("SELECT * FROM research_findings WHERE research_id = ?", research_id)
    return row


def record_of(place: Place, research_id: str) -> Path:
    """The record file of a research."""
    return place.home / str(row_of(place, research_id)["file_path"])


def record(place: Place, research_id: str) -> Any:
    return json.loads(record_of(place, research_id).read_bytes())


def user(place: Place, research_id: str) -> Any:
    """The marks of a research in its record, once its row says the same."""
    marks, row = record(place, research_id)["user"], row_of(place, research_id)
    if marks["note"] != row["note"]:
        raise ValueError("the row and the record differ")
    return marks


def tags(place: Place, research_id: str) -> set[str]:
    rows = place.sql("SELECT tag FROM tags WHERE number = ?", row_of(place, research_id)["number"])
    return {str(row["tag"]) for row in rows}


def researches(place: Place, research_id: str) -> int:
    return len(place.sql("SELECT 1 FROM research_findings WHERE research_id = ?", research_id))


def jobs(place: Place) -> int:
    return len(place.sql("SELECT 1 FROM jobs"))


def documents(place: Place, name: str) -> int:
    """Documents of this name or id."""
    sql = "SELECT 1 FROM documents WHERE name = ? OR document_id = ?"
    return len(place.sql(sql, name, name, file="corpus.db"))


def files(place: Place, folder: str) -> int:
    """Files of the library that lie in a folder."""
    return len(
        place.sql("SELECT 1 FROM document_files WHERE path LIKE ?", f"{folder}/%", file="corpus.db")
    )


def settings(place: Place) -> str:
    return (place.home / "config.toml").read_text()
