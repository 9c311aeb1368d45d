"""The numbers of the gate for written sentences, each at its edge."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from plain_deps import World

from tests.scripted_models import Script
from tests.tables import each
from tools.judging.judge import Passage
from tools.models.model import Endpoint, Role, estimate
from tools.models.roles import Models
from tools.sources.source import make_source
from workflows.research.answer.model import AnswerPassage, Lead
from workflows.research.modelled.work import Step, Work
from workflows.research.state import ResearchState
from workflows.research.writing.answer import Writer, packet_for
from workflows.research.writing.facts import missing_fact
from workflows.research.writing.gate import drafts_of
from workflows.research.writing.packets import PacketPassage, packet_of

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def passage(
    number: int, text: str = "The mill of the valley grinds wheat by hand."
) -> PacketPassage:
    source = replace(
        make_source(f"https://s{number}.example/", f"Source {number}"), tag=f"W{number}"
    )
    shown = AnswerPassage(
        Lead(text), "paragraph", (f"E{number}",), text, source_id=source.source_id
    )
    return PacketPassage(f"W{number}:1", shown, source)


def problem(text: str, *packet: PacketPassage) -> str:
    (draft,) = drafts_of({"text": text, "cites": [entry.ref for entry in packet]}, packet)
    return draft.problem


@pytest.mark.parametrize(("count", "refused"), [(4, False), (5, True)])
def test_a_sentence_cites_four_passages_at_most(count: int, refused: bool) -> None:
    assert (
        bool(problem("Wheat is milled in the valley.", *map(passage, range(1, count + 1))))
        == refused
    )


@each(("words", "refused"), [(3, True), (4, False), (70, False), (71, True)])
def test_a_sentence_has_four_to_seventy_words(words: int, refused: bool) -> None:
    assert bool(problem(" ".join(["mill"] * (words - 1)) + " grinds.", passage(1))) == refused


@pytest.mark.parametrize(("matching", "cited"), [(15, True), (13, False)])
def test_a_passage_with_seven_tenths_of_the_words_is_cited_where_none_is(
    matching: int, cited: bool
) -> None:
    words = [f"mill{letter}x" for letter in LETTERS[:20]]
    other = passage(1, f"{' '.join(words[:matching])} and more.")
    (draft,) = drafts_of({"text": " ".join(words) + ".", "cites": []}, [other])
    assert bool(draft.citations) == cited


def missing(sentence: str, text: str) -> bool:
    return bool(missing_fact(sentence, [Passage(text)]))


@pytest.mark.parametrize(("number", "needed"), [("three", False), ("four", True)])
def test_up_to_three_in_words_need_not_stand_in_a_passage(number: str, needed: bool) -> None:
    assert missing(f"There are {number} of them.", "Mills stand here.") == needed


@pytest.mark.parametrize(("total", "wrong"), [(20110, False), (20130, True)])
def test_a_sum_may_be_off_by_six_in_a_thousand(total: int, wrong: bool) -> None:
    assert (
        missing(
            f"Together they grind {total} bags.",
            "One mill grinds 10,000 bags, the other 10,000 bags.",
        )
        == wrong
    )


@pytest.mark.parametrize(("stated", "wrong"), [(12, False), (13, True)])
def test_a_sum_is_made_of_the_first_twelve_numbers_of_the_passages(
    stated: int, wrong: bool
) -> None:
    bags = [10 * 3**n for n in range(stated)]
    text = " ".join(
        f"Mill {letter} grinds {count} bags." for letter, count in zip(LETTERS, bags, strict=False)
    )
    assert missing(f"Together the two grind {bags[0] + bags[-1]} bags.", text) == wrong


@pytest.mark.parametrize(("month", "stated"), [("November", True), ("October", False)])
def test_a_month_stands_in_a_date_of_digits(month: str, stated: bool) -> None:
    assert missing(f"The mill was opened in {month} 2022.", "Opened on 2022-11-25.") != stated
    assert missing(f"It was {month} when it opened.", "Opened on 2022-11-25.") != stated


@each(
    ("sentence", "text", "wrong"),
    [
        ("In Britain a mill was opened.", "The UK opened a mill.", False),
        ("The first British mill was opened.", "A mill opened in the United Kingdom.", False),
        (
            "The mill belongs to the United States now.",
            "The American mill was sold to the U.S. government.",
            False,
        ),
        ("The mill stands in South Africa today.", "A South African mill.", False),
        ("The mill belongs to the United States now.", "The British mill was sold.", True),
        ("The first French mill was opened.", "A mill opened in the United Kingdom.", True),
    ],
)
def test_a_country_may_have_another_of_its_names(sentence: str, text: str, wrong: bool) -> None:
    assert missing(sentence, text) == wrong


@pytest.mark.parametrize(("name", "is_known"), [("ABCDEF", True), ("ABCDEFG", False)])
def test_initials_of_six_letters_may_stand_for_a_name(name: str, is_known: bool) -> None:
    full = "alder birch cedar dogwood elm fir ginkgo"
    assert missing(f"It is led by {name} today.", f"The {full} trust.") != is_known


@pytest.mark.parametrize(("name", "is_known"), [("Norx-Ulm", True), ("Nor-Ulm", False)])
def test_a_name_of_four_letters_may_be_derived_from_another(name: str, is_known: bool) -> None:
    assert (
        missing(f"It was built in {name} then.", f"The {name[:-4]}landian mill of Ulm.") != is_known
    )


@each(
    ("path", "shown"),
    [
        (("Sessions", "Bindings"), "Sessions › Bindings"),
        (("7 Sessions", "Bindings"), "Sessions › Bindings"),
        (("Servers", "Long Sessions"), "Sessions › Servers › Long Sessions"),
        ((), "Sessions"),
    ],
)
def test_a_packet_names_the_title_of_a_document_once(path: tuple[str, ...], shown: str) -> None:
    entry = passage(1)
    source = replace(entry.source, title="Sessions", authors=(), published=None)
    changed_entry = replace(
        entry, source=source, passage=replace(entry.passage, heading_path=path, date=None)
    )
    assert changed_entry.about == shown


def test_a_packet_has_forty_passages() -> None:
    packet = [passage(number) for number in range(1, 60)]
    passages, sources = [entry.passage for entry in packet], [entry.source for entry in packet]
    assert len(packet_of(passages, sources, 1_000_000, most_sources=100)) == 40


def test_a_packet_takes_no_more_sources_than_the_setting_allows() -> None:
    entries = [passage(number) for number in range(1, 9)]
    packet = packet_of(
        [entry.passage for entry in entries],
        [entry.source for entry in entries],
        1_000_000,
        most_sources=3,
    )
    assert len({entry.source.source_id for entry in packet}) == 3


@pytest.mark.parametrize("before", ["", "x" * 4000])
def test_passages_and_what_was_answered_before_take_six_tenths_of_the_window_of_a_model(
    before: str,
) -> None:
    entries = [passage(number, "mill " * 60) for number in range(1, 40)]
    role = Role("reasoning", Endpoint("script", "http://127.0.0.1:1"), "m", window=4000)
    state = replace(ResearchState("?"), sources=tuple(entry.source for entry in entries))
    work = work_of(Models({role.name: role}, Script(lambda *_: "")))
    packet = packet_for(
        state, [entry.passage for entry in entries], work, most_sources=100, before=before
    )
    assert 2000 < estimate(before) + sum(estimate(entry.prompt_text()) for entry in packet) < 2400


@pytest.mark.parametrize(
    ("name", "phase", "left"),
    [("tree", "plan", 10), ("answer", "synthesis", 19), ("judge", "synthesis", 25)],
)
def test_of_the_calls_of_a_run_most_are_kept_for_writing_and_a_quarter_of_all_for_judging(
    name: str, phase: str, left: int
) -> None:
    step = Step(name, phase, "reasoning", "", "", {}, calls=100)
    assert work_of(Script(lambda *_: "").models).calls_left(step) == left


# --- sections -------------------------------------------------------------------------------------


def work_of(models: Models) -> Work:
    return Work(models, 2, lambda event: None, lambda: None)


def sections(
    packet: Sequence[PacketPassage], heading: str = "Wheat", passages: Sequence[str] = ("W1:1",)
) -> list[str]:
    """The headings of the sections that are written where a model plans this one."""
    script = Script(
        lambda step, request: {"sections": [{"heading": heading, "passages": list(passages)}]}
    )
    writer = Writer(
        ResearchState("Where is wheat ground?"), World({}).deps(), work_of(script.models), packet
    )
    return [planned for planned, _ in writer._outline("In the valley.")]


@pytest.mark.parametrize(("count", "written"), [(2, []), (3, ["Wheat"])])
def test_sections_are_written_from_three_passages(count: int, written: list[str]) -> None:
    assert sections([passage(number) for number in range(1, count + 1)]) == written


@pytest.mark.parametrize(("words", "kept"), [(9, True), (10, False)])
def test_a_heading_has_nine_words_at_most(words: int, kept: bool) -> None:
    heading = " ".join("The mill of the valley grinds wheat by hand wheat".split()[:words])
    assert bool(sections([passage(number) for number in (1, 2, 3)], heading)) == kept


@pytest.mark.parametrize(("characters", "understood"), [(16, True), (15, False)])
def test_sixteen_characters_of_a_passage_stand_for_its_reference(
    characters: int, understood: bool
) -> None:
    packet = [
        passage(number, f"{letter}lderwheat grinds by hand.") for number, letter in enumerate("abc")
    ]
    assert bool(sections(packet, passages=[packet[1].passage.text[:characters]])) == understood
