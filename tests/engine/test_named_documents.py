"""A question that names a document is researched over that document, and keeps its name instead of
the path."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.answers import RunOptions
from engine.library.named_documents import with_named
from engine.models import Refused
from engine.research_engine import ResearchEngine
from engine.wiring.tool_texts import ResearchText
from tests.model_endpoint import ModelEndpoint
from workflows.research.understand.intent import Intent, intent_of
from workflows.research.understand.parts import parts_of
from workflows.research.understand.phase import read_question
from workflows.research.understand.topic import topic_of

TEXT = "# The winter of batteries\n\nBatteries lowered the winter evening price by 9% in 2024.\n"


@pytest.fixture
def engine(home: Path) -> Iterator[ResearchEngine]:
    with ResearchEngine(home=home, environ={}, overrides={"embeddings.enabled": False}) as engine:
        folder = Path(engine.roots()[0])
        (folder / "power").mkdir(parents=True)
        (folder / "power" / "storage.md").write_text(TEXT)
        (folder / "power" / "tea.txt").write_text(
            "Tea lowers how much iron the body takes up from a meal.\n"
        )
        yield engine


def prepared(engine: ResearchEngine, query: str, **options: object) -> tuple[str, RunOptions]:
    return with_named(query, RunOptions(**options), engine._opened)  # type: ignore[arg-type]


def test_a_named_document_is_read_and_shown_by_its_name(engine: ResearchEngine) -> None:
    query, options = prepared(
        engine, "What does file:///power/storage.md say about prices?", sources=("web",)
    )
    assert query == "What does “storage.md” say about prices?"
    assert [document.document_id for document in engine.library()] == list(options.documents or ())
    assert options.sources == ("web", "local") and options.docs == ()


def test_a_bibliography_is_one_document_with_all_its_abstracts(engine: ResearchEngine) -> None:
    entries = "".join(
        f"@article{{a{n}, title={{Towers {n}}}, abstract={{Iron bends, says {n}.}}}}\n"
        for n in "12"
    )
    (Path(engine.roots()[0]) / "all.bib").write_text(entries)
    engine.ingest([Path(engine.roots()[0])])
    options = RunOptions(sources=("local",), depth=1, offline=True)
    answer = engine.run("What do zeppelins cost?", options).answer
    assert answer is not None and answer.searched.sources == engine.library_size() == 3


@pytest.mark.lab
def test_the_record_of_a_research_over_a_named_document_holds_no_path(
    engine: ResearchEngine,
) -> None:
    state = engine.run(
        "What does file:///power/storage.md say about evening prices?",
        RunOptions(sources=("web",), depth=1, lean=True),
    )
    assert state.original_query == "What does “storage.md” say about evening prices?"
    assert [source.title for source in state.sources if source.document_id] == [
        "The winter of batteries"
    ]
    assert "local" in state.config.sources and len(state.config.documents or ()) == 1
    record = engine.record_path(state.research_id).read_text()
    assert "power/storage.md" not in record and "file://" not in record
    assert "power_storage" not in state.research_id


def test_the_title_of_a_named_document_is_no_part_of_the_question(engine: ResearchEngine) -> None:
    folder = Path(engine.roots()[0])
    (folder / "heat.md").write_text(
        "# How should vaccines be stored, and who pays? A review\n\nThe deadline is 3 June.\n"
    )
    query, _ = prepared(engine, "In heat.md, when is the deadline?")
    assert query == "In “heat.md”, when is the deadline?"
    assert topic_of(query).terms == ("deadline",) and intent_of(query) == Intent.FACT
    assert len(parts_of(query)) == 1 and read_question(query).anchor_terms == ("deadline",)
    summary, _ = prepared(engine, "summarise /heat.md")
    assert intent_of(summary) == Intent.OVERVIEW and topic_of(summary).terms == ()
    assert topic_of("What is package.json for?").terms != ()


def test_a_folder_gives_its_files_to_the_run(engine: ResearchEngine) -> None:
    query, options = prepared(engine, "What do the texts in /power say about tea?")
    assert query == "What do the texts in power say about tea?"
    assert options.documents is None and [Path(path).name for path in options.docs] == ["power"]


def test_what_else_was_chosen_stays_chosen(engine: ResearchEngine, tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("A text typed after --docs.")
    query, options = prepared(
        engine, "Is local://power/tea.txt right?", docs=(str(tmp_path / "own.txt"),)
    )
    assert query == "Is “tea.txt” right?" and options.docs == ()
    names = [
        document.name
        for document in engine.library()
        if document.document_id in (options.documents or ())
    ]
    assert sorted(names) == ["own.txt", "tea.txt"]
    again, second = prepared(
        engine, "Is local://tea.txt right, and /power?", documents=options.documents
    )
    assert again == "Is “tea.txt” right, and power?" and len(second.documents or ()) == 3


def test_an_uploaded_document_is_named_by_its_name_or_title(engine: ResearchEngine) -> None:
    upload = engine.upload("minutes of may.txt", b"The board met in May and decided on heat pumps.")
    query, options = prepared(engine, 'What did "local://minutes of may.txt" decide?')
    assert query == "What did “minutes of may.txt” decide?" and options.documents == (
        upload.document_id,
    )
    assert prepared(engine, f"And local://{upload.document_id}/x?")[1].documents == (
        upload.document_id,
    )


def test_a_document_from_elsewhere_is_named_by_the_name_of_its_file(
    engine: ResearchEngine, tmp_path: Path
) -> None:
    for folder in ("north", "south"):
        (tmp_path / "boards" / folder).mkdir(parents=True)
        (tmp_path / "boards" / folder / "rules.md").write_text(f"The {folder} board has rules.")
    (tmp_path / "boards" / "CHARTER.md").write_text("The quorum is five of nine.")
    engine.ingest([tmp_path / "boards"])
    ids = {f"{d.folder}/{d.name}": d.document_id for d in engine.library()}
    charter = prepared(engine, "Summarise CHARTER.md")
    assert charter[0] == "Summarise “CHARTER.md”"
    assert charter[1].documents == (ids["boards/CHARTER.md"],)
    assert prepared(engine, "In charter.md, what is the quorum?")[1] == charter[1]
    south = ids["boards/south/rules.md"]
    assert prepared(engine, "Summarise south/rules.md")[1].documents == (south,)
    assert prepared(engine, "Summarise rules.md", documents=(south,))[1].documents == (south,)
    with pytest.raises(
        Refused,
        match=r"2 documents are called 'rules.md': boards/north/rules.md, boards/south/rules.md. ",
    ):
        prepared(engine, "Summarise rules.md")
    for question in ("What does rules.md ask of members?", "Summarise a rules.md", "Sum up x.md"):
        assert prepared(engine, question) == (question, RunOptions())
    # The files of --docs are named by --docs
    options = {"docs": (str(tmp_path / "boards"),)}
    assert prepared(engine, "Summarise rules.md", **options)[0] == "Summarise rules.md"


@pytest.mark.parametrize(
    "query", ["Sum up file:///etc/passwd", "Sum up /tmp/../etc/x.txt", "Sum up local://../x"]
)
def test_nobody_reaches_a_file_outside_the_roots_through_a_question(
    engine: ResearchEngine, query: str
) -> None:
    with pytest.raises(Refused, match="none of your document folders"):
        engine.start(query)
    with pytest.raises(Refused, match="none of your document folders"):
        ResearchText(engine, None).start(query, 1)
    assert engine.jobs(over=True) == []


def test_a_path_of_the_machine_that_a_text_speaks_of_is_a_subject(
    engine: ResearchEngine, tmp_path: Path
) -> None:
    (tmp_path / "hosts.md").write_text(
        "Leave /etc/hosts as it is, and file:///etc/hosts too. Hosts.md etc. Read ~/docs/readme.md."
    )
    engine.ingest([tmp_path / "hosts.md"])
    question = "How do I reach a mill without touching /etc/hosts?"
    assert prepared(engine, question) == (question, RunOptions())
    refused_ones = ("/etc/passwd", "file:///etc/hosts", "/etc/hosts.md", "~/docs/readme.md")
    for refused in (f"Sum up {path}" for path in refused_ones):
        with pytest.raises(Refused, match="none of your document folders"):
            prepared(engine, refused)


def test_a_named_file_that_cannot_be_read_is_refused_with_its_reason(
    engine: ResearchEngine,
) -> None:
    (Path(engine.roots()[0]) / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    with pytest.raises(Refused, match=r"'broken.pdf' cannot be read: "):
        prepared(engine, "Sum up /broken.pdf")


def test_an_ordinary_question_is_left_as_it_is_and_opens_nothing(engine: ResearchEngine) -> None:
    question = "Does coffee and/or tea lower iron at 5 km/h, see https://example.org/a.txt?"
    assert prepared(engine, question) == (question, RunOptions())


def test_no_path_reaches_a_model_or_a_service_by_another_way(engine: ResearchEngine) -> None:
    with ModelEndpoint("yes") as endpoint:
        engine.models.add_endpoint("script", endpoint.url)
        engine.models.set_role("reasoning", "script", "small-4b")
        engine.asking.conversations.ask("What is /power/storage.md about?")
        assert endpoint.calls[-1].question == "What is The winter of batteries about?"
        for ask in (
            engine.asking.conversations.ask,
            engine.asking.quick.search,
            engine.asking.quick.academic,
        ):
            with pytest.raises(Refused, match="none of your document folders"):
                ask("Sum up file:///etc/passwd")
