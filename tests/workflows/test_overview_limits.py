"""The numbers of overviews, groups and named texts, each at its edge."""

from collections.abc import Sequence

import pytest
from plain_deps import World, documents_of

from tests.tables import each
from tools.documents.model import Block, BlockKind
from tools.documents.opening_data import opening_data
from tools.documents.parsers.blocks import compose
from tools.documents.parsers.text.markdown import blocks_of_markdown
from workflows.research.answer.collection import TextInfo
from workflows.research.answer.folders import by_folder
from workflows.research.answer.forms.card_places import folder_text_first, shared_out
from workflows.research.answer.forms.central import central_passages, pieces
from workflows.research.answer.forms.notices import contents
from workflows.research.answer.forms.overview import (
    _says_something,
    _telling_first,
    cards,
    overview,
)
from workflows.research.answer.grouping import TextGroup, distinctive_terms, grouped
from workflows.research.answer.named_texts import named_texts
from workflows.research.answer.periods import by_period
from workflows.research.answer.phase import answer_to, rank_part
from workflows.research.state import ResearchState
from workflows.research.understand.parts import parts_of

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def long_text(name: str, sentences: int = 60) -> str:
    """Sentences of nine words, none like another."""
    words = [LETTERS[n % 26] * 2 + LETTERS[n // 26] for n in range(sentences)]
    return " ".join(
        f"The {name}{word} of {name} number {word} has seven quiet {name}rooms." for word in words
    )


# --- overview -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "passages"), [(1, 3), (6, 2), (7, 1)])
def test_the_fewer_texts_the_more_passages_a_card_has(count: int, passages: int) -> None:
    collection = documents_of({f"Text {n}": long_text(f"mill{LETTERS[n]}") for n in range(count)})
    draft = cards(collection.texts(), collection)
    assert [len(card.passages) for card in draft.cards] == [passages] * count


def test_twelve_subjects_are_ten_groups_so_that_a_large_one_has_several_cards() -> None:
    subjects = [f"mill{letter}" for letter in LETTERS[:12]]
    collection = documents_of(
        {f"Text {n}": long_text(subjects[n % 12], 2 + n // 12) for n in range(144)}
    )
    draft = cards(collection.texts(), collection)
    assert len(draft.cards) == 12 and len({card.group for card in draft.cards}) == 10


@each(
    ("sizes", "counts"),
    [
        ((80, 8, 5, 5, 5, 4, 4, 4, 4), [4, 1, 1, 1, 1, 1, 1, 1, 1]),
        ((48, 15, 15, 3), [5, 3, 3, 1]),
        ((9, 9), [6, 6]),
        ((20, 2), [10, 2]),
        ((3, 2), [3, 2]),
        ((), []),
    ],
)
def test_twelve_cards_are_shared_by_the_size_of_groups(
    sizes: tuple[int, ...], counts: list[int]
) -> None:
    assert shared_out(sizes, 12) == counts


INDEX = "These pages tell how the harbour works at night and who keeps its lamps burning."


@each(
    ("place", "text", "first"),
    [
        ("docs/readme.md", INDEX, True),
        ("docs/_index.md", INDEX, True),
        ("docs/lamp.md", INDEX, False),
        # of one of the folders in it
        ("docs/inner/index.md", INDEX, False),
        # nothing but what lies beside it
        ("docs/index.md", "- Tides and ebbs\n- Lamps", False),
    ],
)
def test_the_index_of_a_folder_stands_first_where_it_says_something(
    place: str, text: str, first: bool
) -> None:
    infos = [TextInfo(f"{n}", f"{n}", f"Tide {n}", f"tide{n}.md", folder="docs") for n in range(3)]
    folder, _, name = place.rpartition("/")
    index = TextInfo("index", "index", "Harbour", name, folder=folder)
    group = TextGroup("docs", (*infos, index))
    texts = folder_text_first(group, lambda info: text == INDEX).texts
    assert texts == ((index, *infos) if first else (*infos, index))


@pytest.mark.parametrize(("words", "says"), [(11, False), (12, True)])
def test_a_paragraph_of_twelve_words_is_something(words: int, says: bool) -> None:
    collection = documents_of({"Harbour": " ".join(INDEX.split()[:words])})
    assert _says_something(collection.texts()[0], collection) == says


@pytest.mark.parametrize(("count", "grouping"), [(12, False), (13, True)])
def test_more_than_twelve_texts_are_grouped(count: int, grouping: bool) -> None:
    collection = documents_of(
        {f"Text {n}": long_text(f"mill{LETTERS[n]}", 3) for n in range(count)}
    )
    draft = cards(collection.texts(), collection)
    assert len(draft.cards) <= 12
    assert any(card.others for card in draft.cards) == grouping


def test_five_terms_set_a_text_apart() -> None:
    collection = documents_of(
        {"A": "mills grind wheat flour bread ovens " * 2, "B": "boats sail waters " * 2}
    )
    apart = distinctive_terms(collection.texts(), collection)
    assert [len(terms) for terms in apart.values()] == [5, 3]


@pytest.mark.parametrize(("word", "counts"), [("mill", True), ("mil", False)])
def test_a_term_that_sets_apart_has_four_letters(word: str, counts: bool) -> None:
    collection = documents_of({"A": f"{word} " * 3, "B": "boats sail waters " * 2})
    first, *_ = distinctive_terms(collection.texts(), collection).values()
    assert first == ((word,) if counts else ())


def test_a_text_is_compared_in_pieces_of_ninety_words() -> None:
    collection = documents_of({"A": "Mills. " * 300})
    of_text = pieces(collection.texts()[0], collection)
    assert [len(piece.text.split()) for piece in of_text] == [90, 90, 90, 30]


@pytest.mark.parametrize(
    ("terms", "matching", "card"),
    [("karva lorun mestik pavol", 3, True), ("karva lorun mestik", 2, False)],
)
def test_a_text_that_covers_seven_tenths_of_what_the_best_does_has_a_card(
    terms: str, matching: int, card: bool
) -> None:
    some = " ".join(terms.split()[:matching])
    collection = documents_of(
        {"A": f"Here {terms} meet.", "B": f"There {some} part.", "C": "Nothing."}
    )
    (part,) = parts_of(f"What do the documents say about {terms}?")
    ranked = rank_part(part, collection)
    draft = overview(ranked.part, ranked.ranked, collection)
    assert (len(draft.cards) == 2) == card


@pytest.mark.parametrize(("words", "leads"), [(6, True), (5, False)])
def test_a_passage_begins_with_a_sentence_of_six_words(words: int, leads: bool) -> None:
    opening = " ".join(["Mills"] + ["grind"] * (words - 1)) + "."
    collection = documents_of({"A": f"{opening} The wheat of the valley is milled by hand."})
    (passages,) = central_passages(collection.texts(), collection).values()
    assert (passages[0].lead.start == 0) == leads


@pytest.mark.parametrize(
    "rule",
    [
        "no lamp may burn in the mill at night",
        "磨坊在夜里不可点灯。",
    ],
)
def test_rules_without_full_stops_and_texts_without_spaces_tell_something(rule: str) -> None:
    texts = documents_of({"A": f"{rule}\n\nThis page was printed by hand in the spring."})
    (passages,) = central_passages(texts.texts(), texts).values()
    assert passages[0].lead.start == 0


def test_a_list_of_names_is_central_only_where_nothing_else_is_left() -> None:
    present = ", ".join(f"Mill{letter} Wheat" for letter in LETTERS * 2)
    speeches = [f"{' '.join(f'{letter}{n}' for n in range(90))}." for letter in "xyz"]
    minutes = documents_of({"A": "\n\n".join((present, *speeches))})
    names = documents_of({"A": present})
    begins = [
        passage.window.start
        for texts in (minutes, names)
        for passages in central_passages(texts.texts(), texts).values()
        for passage in passages
    ]
    assert [start >= len(present) for start in begins] == [True, True, True, False]


@pytest.mark.parametrize(("before", "is_title"), [(450, False), (550, True)])
def test_what_begins_like_the_title_within_500_characters_is_the_title_again(
    before: int, is_title: bool
) -> None:
    opening = ("Wheat is milled. " * 40)[:before].rpartition(" ")[0]
    collection = documents_of({"Old Mills": f"{opening}\n\nOld mills of the valley stand still."})
    of_text = pieces(collection.texts()[0], collection)
    assert ("valley" in of_text[-1].text) == is_title


@each(("more", "is_title"), [("of the valley stand still", True),
                             ("of the green valley stand still", False)])  # fmt: skip
def test_what_goes_on_for_six_words_is_not_the_title_again(more: str, is_title: bool) -> None:
    collection = documents_of({"Old Mills": f"Old mills {more}."})
    assert (pieces(collection.texts()[0], collection) == []) == is_title


def test_words_of_addresses_set_no_text_apart() -> None:
    collection = documents_of(
        {"A": "See https://millhouse.example/wheat twice. " * 3 + "Bread bread.", "B": "Boats."}
    )
    first, *_ = distinctive_terms(collection.texts(), collection).values()
    assert first == ("twice", "bread")


@each(
    ("rows", "is_contents"),
    [
        (["Aim | 2", "Way | 2", "End | 9"], True),
        (["Aim | 2", "Way | 2"], False),
        (["Aim | 2", "Way | 9", "End | 2"], False),
        (["Aim | 2", "Way | wide", "End | 9"], False),
        (["Aim . . . . . 2"], True),
        (["Aim . . . . 2"], False),
        (["Aim \ufffd\ufffd\ufffd\ufffd\ufffd2"], True),
    ],
)
def test_rows_of_which_no_number_falls_are_contents(rows: list[str], is_contents: bool) -> None:
    text = "\n".join(rows)
    starts = [text.index(row) for row in rows]
    blocks = [
        Block(BlockKind.TABLE_ROW, start, start + len(row))
        for start, row in zip(starts, rows, strict=True)
    ]
    assert (contents(text, blocks) == frozenset(blocks)) == is_contents
    with_header = [block._replace(context=((0, 1),)) for block in blocks]
    assert bool(contents(text, with_header)) == (is_contents and len(rows) == 1)


def test_texts_that_say_nothing_stand_for_no_group() -> None:
    collection = documents_of({"Oak": "Oak", "Mill": "It turns.", "Elm": "Elm", "Ash": "It falls."})
    first = _telling_first(collection.texts(), 1, collection)
    assert [info.title for info in first] == ["Mill", "Oak", "Elm", "Ash"]


@pytest.mark.parametrize(("count", "shown"), [(2, True), (3, False)])
def test_what_stands_in_most_of_three_texts_is_a_notice(count: int, shown: bool) -> None:
    notice = "Printed by the county press on {} May 2020, all rights reserved."
    collection = documents_of(
        {
            f"Text {n}": f"{notice.format(n + 1)}\n\nThe {LETTERS[n] * 4} turns in the wind."
            for n in range(count)
        }
    )
    leads = [
        collection.text(key)[passage.lead.start : passage.lead.end]
        for key,
        passages in central_passages(collection.texts(), collection).items() for passage in passages
    ]  # fmt: skip
    assert (notice.format(1) in leads) == shown


DATED = "Date: 2020-01-02"


def of_words(count: int) -> str:
    return " ".join(["Use:", *["grain"] * (count - 1)])


@pytest.mark.parametrize(
    ("items", "prose", "are_data"),
    [
        ([DATED, "Status:"], "The mill turns.", True),
        (["Created: 03-Nov-2008", "Status: Final"], "The mill turns.", True),
        (["Recording: https://example.org/1", "Chair: A. Berg"], "The mill turns.", True),
        ([DATED, of_words(35)], "The mill turns.", True),
        ([DATED, of_words(36)], "The mill turns.", False),  # explains something
        ([DATED, *["Use: oats"] * 19], "The mill turns.", True),
        ([DATED, *["Use: oats"] * 20], "The mill turns.", False),  # a glossary
        ([DATED, "It turns: always"], "", False),  # all that the text says
        ([DATED], "The mill turns.", False),
        ([DATED, "Mills turn"], "The mill turns.", False),
        (["Address: Mill Lane 5", "Open: on Mondays, 9 to 17"], "The mill turns.", False),
    ],
)
def test_data_that_a_text_opens_with_are_none_of_its_passages(
    items: list[str], prose: str, are_data: bool
) -> None:
    page = "\n".join(["# Mill", "", *(f"- {item}" for item in items), "", prose])
    composed = compose(blocks_of_markdown(page))
    data = [composed.text[b.start : b.end] for b in opening_data(composed.text, composed.blocks)]
    assert data == (items if are_data else [])


def words_of(name: str, count: int = 90) -> str:
    """Words that begin with a letter, none like another."""
    return " ".join(f"{name}{LETTERS[n % 26]}{LETTERS[n // 26]}x" for n in range(count))


def central(pieces: Sequence[str]) -> list[str]:
    """With what letter each central piece of a text begins."""
    collection = documents_of({"Mills": "\n\n".join(f"{piece}." for piece in pieces)})
    (passages,) = central_passages(collection.texts(), collection).values()
    text = collection.text(collection.texts()[0].snapshot_id)
    return [text[passage.window.start] for passage in passages]


@pytest.mark.parametrize(("alike", "again"), [(5, False), (6, True)])
def test_a_piece_like_a_chosen_one_is_chosen_where_more_than_half_are_alike(
    alike: int, again: bool
) -> None:
    pieces = [
        f"{words_of(LETTERS[n], 45)} {words_of('z' if n < alike else f'y{LETTERS[n]}', 45)}"
        for n in range(9)
    ]
    assert (central(pieces)[1] in LETTERS[:alike]) == again


@pytest.mark.parametrize(("repeated", "shown"), [("bbbbbcccccddd", True), ("bbbbccccddd", False)])
def test_a_beginning_unlike_the_rest_is_chosen_before_what_a_seventh_says_again(
    repeated: str, shown: bool
) -> None:
    assert central([words_of(letter) for letter in f"a{repeated}"]) == list(
        "abc" if shown else "bcd"
    )


# --- groups ---------------------------------------------------------------------------------------


def test_a_group_is_named_by_three_words() -> None:
    texts = {
        f"Text {n}": ("wheat flour bread ovens" if n % 2 else "boats sails water wind")
        for n in range(8)
    }
    texts = {title: f"{text} {LETTERS[n] * 5}" for n, (title, text) in enumerate(texts.items())}
    collection = documents_of(texts)
    for group in grouped(collection.texts(), collection, 4):
        assert len(group.name.split(", ")) == 3


@pytest.mark.parametrize(("place", "is_told"), [(1990, True), (2010, False)])
def test_the_first_2000_characters_tell_what_a_text_is_about(place: int, is_told: bool) -> None:
    filler = "It is so. " * 400

    def text(word: str, other: str) -> str:
        return f"{filler[: place - len(word) - 1]} {word} {other}"

    texts = {f"Text {n}": text("zebra" if n % 2 else "otter", LETTERS[n] * 5) for n in range(8)}
    collection = documents_of(texts)
    groups = grouped(collection.texts(), collection, 4)
    assert (
        any({"zebra", "otter"} & set(group.name.lower().split(", ")) for group in groups) == is_told
    )


@pytest.mark.parametrize(
    ("folders", "groups"),
    [
        ("h/a h/a h/a h/b h/b h/b h h/c h/c", "h 3, a 3, b 3"),  # a folder of its own has three
        ("h/a h/a h/a h/b/c h/b/d h/b/e h/b", "b 4, a 3"),
        ("a a a b b b b/c b/d b/d b/d b/d", "b 4, b/d 4, a 3"),
        ("a a a a a a a a a a b b b", ""),  # nearly all in one
        ("a a a a b b b a a a a", "a 8, b 3"),  # three in four
        ("a a a b b b b/c", "b 4, a 3"),
        ("a a a b b b -", ""),  # a page that was read is in none
        ("a a a a", ""),
    ],
)
def test_folders_part_texts_where_they_say_something(folders: str, groups: str) -> None:
    parted = by_folder([folder.strip("-") for folder in folders.split()], 3, 4)
    assert ", ".join(f"{name} {len(places)}" for name, places in parted.items()) == groups


def test_the_fullest_of_many_folders_are_groups() -> None:
    folders = [f"h/{letter}" for n, letter in enumerate("abcdef") for _ in range(3 + n)]
    parted = by_folder(folders, 3, 4)
    assert {name: len(places) for name, places in parted.items()} == {
        "h": 12, "f": 8, "e": 7, "d": 6,
    }  # fmt: skip
    assert sorted(place for places in parted.values() for place in places) == list(range(33))


@pytest.mark.parametrize(
    ("years", "others", "groups"),
    [
        ("2019 2020 2020 2021", 0, "2021 1, 2020 2, 2019 1"),
        ("2019 2020 2020 2021", 1, "2021 1, 2019 to 2020 3, Without a date 1"),
        ("2019 2020 2021 2022 2023 2024", 0, "2023 to 2024 2, 2021 to 2022 2, 2019 to 2020 2"),
        ("2019 2019 2019", 1, ""),  # one year parts nothing
        ("2019 2019 2020", 1, "2020 1, 2019 2, Without a date 1"),  # three in four are named so
        ("2019 2019 2020 2020 2020", 2, ""),
    ],
)
def test_texts_named_by_their_dates_are_grouped_by_years(
    years: str, others: int, groups: str
) -> None:
    minutes = [
        TextInfo(year, "", f"Minutes of {year}", date=f"{year}-05-01") for year in years.split()
    ]
    undated = [TextInfo("", "", "Charter of 2018")] * others
    parted = by_period([*minutes, *undated], 3)
    assert ", ".join(f"{name} {len(places)}" for name, places in parted.items()) == groups


@pytest.mark.parametrize(
    ("months", "groups"),
    [
        ("01 01 02", "February 2024 1, January 2024 2"),
        (
            "01 02 03 04 05 06",
            "May to June 2024 2, March to April 2024 2, January to February 2024 2",
        ),
        ("03 03 03", ""),  # one month parts nothing
    ],
)
def test_texts_of_one_year_are_grouped_by_months(months: str, groups: str) -> None:
    minutes = [
        TextInfo(month, "", f"Minutes 2024-{month}-01", date=f"2024-{month}-01")
        for month in months.split()
    ]
    parted = by_period(minutes, 3)
    assert ", ".join(f"{name} {len(places)}" for name, places in parted.items()) == groups


def test_a_year_without_a_month_has_no_group_among_months() -> None:
    dates = ["2024-01-01", "2024-02-01", "2024-02-08", "2024", "2024-13-01", "2024-xy"]
    parted = by_period([TextInfo(d, "", f"Minutes of {d}", date=d) for d in dates], 4)
    assert list(parted) == ["February 2024", "January 2024", "Without a month"]


def test_years_part_no_texts_that_are_named_otherwise() -> None:
    papers = [TextInfo("", "", f"On mills, part {n}", date=f"20{n}-05-01") for n in range(10, 20)]
    assert by_period(papers, 3) == {}


def groups_of(texts: dict[str, str]) -> list[set[str]]:
    """The titles in each group of texts, each of which has a word of its own."""
    texts_with_letters = {
        title: f"{text} {LETTERS[n] * 5}" for n, (title, text) in enumerate(texts.items())
    }
    collection = documents_of(texts_with_letters)
    return [
        {info.title for info in group.texts} for group in grouped(collection.texts(), collection, 4)
    ]


@pytest.mark.parametrize(("rarer", "related"), [(39, True), (40, False)])
def test_the_forty_rarest_words_tell_what_a_text_is_about(rarer: int, related: bool) -> None:
    both = f"zebra {words_of('m', rarer)}"
    texts = {"A": "otter", "B": "otter", "C": "zebra", "D": "zebra", "E": both, "F": both}
    assert ({"C", "D", "E", "F"} in groups_of(texts)) == related


@pytest.mark.parametrize(
    ("times", "like", "unlike"), [(2, "zebra", "otter"), (4, "otter", "zebra")]
)
def test_a_word_of_the_title_counts_as_much_as_three_of_the_text(
    times: int, like: str, unlike: str
) -> None:
    texts = {"A": like, "B": like, "C": unlike, "D": unlike, "Zebra": "otter " * times}
    assert {"A", "B", "Zebra"} in groups_of(texts)


# --- named texts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "title_count"), [(5, 5), (6, 0)])
def test_a_word_of_a_fifth_of_the_titles_names_texts(count: int, title_count: int) -> None:
    titles = [f"{'Orvel' if n < count else 'Mill'} {LETTERS[n] * 4}" for n in range(25)]
    collection = documents_of({title: f"Words of {title}." for title in titles})
    (part,) = parts_of("What does it say in Orvel?")
    assert len(named_texts(part, collection)) == title_count


@pytest.mark.parametrize(("shared", "count"), [(6, 2), (5, 1)])
def test_a_title_that_holds_half_of_what_the_best_holds_is_named_too(
    shared: int, count: int
) -> None:
    words = "Orvel Bosk Tarn Linz Graz Murau Aville Varnor Kessel Ostra".split()
    titles = [
        " ".join(words),
        " ".join(words[:shared]),
        *(f"Mill {LETTERS[n % 26] * (n + 3)}" for n in range(38)),
    ]
    collection = documents_of({title: f"Words of {title}." for title in titles})
    (part,) = parts_of(f"What is said in {' '.join(words)}?")
    assert len(named_texts(part, collection)) == count


def test_three_passages_are_shown_as_the_closest_where_nothing_answers() -> None:
    world = World(
        {f"Text {n}": ("local", f"The mill of {LETTERS[n] * 4} is old.") for n in range(9)}
    )
    _, answer, _ = answer_to("Who sold the mill of Bosk?", ResearchState("?"), world.deps())
    assert (answer.status, len(answer.closest)) == ("not_found", 3)


@each(
    ("question", "query"),
    [
        ("What do these documents say about voting?", "voting"),
        ("Where do the papers disagree about Orvel Mills?", "orvel mills"),
        ("Summarise these documents.", "Summarise these documents."),
        ("When did voting begin?", "When did voting begin?"),
    ],
)
def test_an_overview_is_not_searched_with_the_words_that_ask_for_it(
    question: str, query: str
) -> None:
    assert [part.query for part in parts_of(question)] == [query]
