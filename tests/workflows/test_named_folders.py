"""A folder that a question names: an overview tells of its texts, and its name is never missing."""

from dataclasses import replace

from plain_deps import FakeCollection, documents_of

from tests.tables import each
from workflows.research.answer.named_folders import in_folder_names, texts_of_folders
from workflows.research.answer.phase import answer_part
from workflows.research.understand.parts import parts_of

# Folder -> how many texts lie in it
FOLDERS = {
    "": 2,
    "club/docs": 4,
    "club/India2024_Report": 4,
    "club/meetings/2018": 3,
    "club/meetings/2019": 4,
    "club/policies": 2,
    "club/policies/conduct": 2,
    "club/security": 3,
    "club/north/dark-sky": 3,
    "club/south/dark-sky": 1,
    "club/tide-tables": 2,
    "club/meetings/node.js": 3,
}


def shelf() -> FakeCollection:
    """Texts in folders, named "meetings/2019 3" by their titles."""
    titles = [f"{folder or 'Tide'} {n}" for folder, count in FOLDERS.items() for n in range(count)]
    texts = {
        title: f"Lamp {'xyz'[n % 3] * (n + 3)} of the pier burns at night."
        for n, title in enumerate(titles)
    }
    texts["club/docs 0"] = "The quorum of the harbour board is five. It is counted at noon."
    texts["club/meetings/2019 0"] = "The quorum was missed by two. The harbour stayed closed."
    return documents_of(
        texts,
        described=lambda info: replace(
            info, folder=info.title.rpartition(" ")[0] if "/" in info.title else ""
        ),
    )


def folders_of(question: str, collection: FakeCollection) -> set[str]:
    (part,) = parts_of(question)
    folder = texts_of_folders(part, collection)
    return {info.folder.removeprefix("club/") for info in folder.texts} if folder else set()


@each(
    ("question", "expected"),
    [
        # typed like a name
        ("Summarise India2024_Report", "India2024_Report"),
        ("Summarise india2024-report.", "India2024_Report"),
        ("Summarise the folder India2024_Report.", "India2024_Report"),
        ("What do the minutes in meetings/2019 say?", "meetings/2019"),
        ("Summarise club/meetings/2019", "meetings/2019"),
        ("Summarise meetings/2018 and meetings/2019.", "meetings/2018 meetings/2019"),
        ("Summarise docs/", "docs"),
        ("Summarise tide-tables", "tide-tables"),
        ("What do the minutes in meetings/2019 say about quorum?", "meetings/2019"),
        ("Summarise 2017/2019", ""),
        # beside the word folder
        ("Summarise the docs folder", "docs"),
        (
            "What do the documents in the folder policies say about lamps?",
            "policies policies/conduct",
        ),
        ("What do the documents say about the docs folder?", ""),
        # plain words name a topic
        ("Summarise the India 2024 report.", ""),
        ("Summarise the meetings", ""),
        ("Give an overview of dark sky.", ""),
        # no overview
        ("Which lamps does India2024_Report name?", ""),
    ],
)
def test_an_overview_names_a_folder(question: str, expected: str) -> None:
    assert folders_of(question, shelf()) == set(expected.split())


@each(
    ("question", "folder", "count"),
    [
        ("Summarise India2024_Report", "club/India2024_Report", 4),
        ("What do the minutes in meetings/2019 say about quorum?", "club/meetings/2019", 1),
        ("What do the documents in the folder docs say about quorum?", "club/docs", 1),
    ],
)
def test_the_cards_of_an_overview_are_those_of_its_folder(
    question: str, folder: str, count: int
) -> None:
    collection = shelf()
    (part,) = parts_of(question)
    cards = answer_part(part, collection).draft.cards
    infos = {info.snapshot_id: info for info in collection.texts()}
    assert [infos[card.snapshot_id].folder for card in cards] == [folder] * count


def test_a_word_that_is_the_name_of_a_folder_hides_no_answer_elsewhere() -> None:
    collection = shelf()
    for question in ("What do the docs say about quorum?", "Who counts the quorum of meetings?"):
        (part,) = parts_of(question)
        answer = answer_part(part, collection)
        titles = [collection.info(chunk.passage.snapshot_id).title for chunk in answer.ranked[:2]]
        assert sorted(titles) == ["club/docs 0", "club/meetings/2019 0"]


@each(
    ("term", "is_there"),
    [
        ("india2024", True),
        ("2024", True),
        ("reports", True),
        ("policy", True),
        ("india2023", False),
        ("folder", True),
        ("zeppelin", False),
        ("2018india", False),
    ],
)
def test_the_name_of_a_folder_is_no_missing_word(term: str, is_there: bool) -> None:
    assert bool(in_folder_names([term], shelf().texts())) is is_there


def test_what_a_folder_is_called_is_not_said_to_be_absent() -> None:
    (part,) = parts_of("When does the lamp of India2024_Report burn?")
    answer = answer_part(part, shelf())
    assert "india2024" not in answer.presence.absent
    (part,) = parts_of("When does the lamp of Zeppelin burn?")
    assert answer_part(part, shelf()).presence.absent == ("zeppelin",)


@each(
    ("question", "cards"),
    [
        ("What was discussed in meetings/2019?", ["club/meetings/2019"] * 4),
        ("What happened in the folder docs?", ["club/docs"] * 4),
        ("What happened in the harbour?", []),
    ],
)
def test_what_happened_in_a_folder_asks_for_an_overview_of_it(
    question: str, cards: list[str]
) -> None:
    (part,) = parts_of(question)
    collection = shelf()
    answer = answer_part(part, collection)
    folders = {info.snapshot_id: info.folder for info in collection.texts()}
    assert [folders[card.snapshot_id] for card in answer.draft.cards] == cards
