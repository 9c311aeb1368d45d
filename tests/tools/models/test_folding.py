"""Context folding: nothing leaves unfolded, names, numbers and tags stay, the order is as
specified."""

import random
import re

import pytest

from tests.tables import each
from tools.errors import Cancelled, ModelError
from tools.models.folding import (
    RESULT,
    WORKING,
    Memory,
    Summary,
    by_model,
    deepen,
    kept_in,
    messages,
    note_tool,
    remember,
    settle,
    shorten,
)
from tools.models.model import Message, Reply, Request

FACTS = (
    "Ada Lovelace met Charles Babbage in 1833 [S1]. They talked for a long while about this and "
    "that and the weather.",
    "The trial of Moderna had 30,420 participants and an efficacy of 94.1% [S2]. It was a fine "
    "day.",
    "The reactor at Chernobyl ran at 200 MW before the test [S3, S7]. Nothing else was remarkable "
    "about it that day.",
    "NASA spent $2.5 billion on Curiosity [S4]. People were glad about that, and went home in the "
    "evening, singing.",
    "In Lake Constance 1.5 mg/l were measured at -3.2 °C [D5]. The water was cold, and clear, and "
    "deep, and still.",
)


def filled(count: int, budget: int = 40_000, summarise: object = None) -> Memory:
    memory = Memory("You help.", budget=budget)
    for number in range(count):
        memory = remember(
            memory,
            f"Question {number + 1}?",
            FACTS[number % 5] + f" Fact {number + 1}01.",
            summarise,
        )  # type: ignore[arg-type]
    return memory


def covered(memory: Memory) -> list[int]:
    folded = [n for s in memory.summaries for n in range(s.first, s.last + 1)]
    return sorted(folded + [item.number for item in memory.working])


@each("budget", [300, 1000, 4000, 40_000])
@each("count", [1, 5, 6, 17, 40])
def test_every_interaction_is_in_full_or_in_a_summary(count: int, budget: int) -> None:
    memory = filled(count, budget)
    assert covered(memory) == list(range(1, count + 1))
    assert len(memory.working) <= WORKING and {s.level for s in memory.summaries} <= {0, 1, 2}


def test_names_numbers_and_tags_survive_every_level() -> None:
    memory = filled(20, budget=600)
    whole = "\n".join(m.text for m in messages(memory, ""))
    for item in ("Ada Lovelace", "Charles Babbage", "1833", "[S1]", "30,420", "94.1%", "[S3, S7]",
        "200 MW", "NASA",
                 "$2.5 billion", "[D5]", "1.5 mg/l", "-3.2 °C", "Lake Constance", "101",
                 "2001"):  # fmt: skip
        assert item in whole, item


def test_the_working_memory_holds_the_last_five_in_full() -> None:
    memory = filled(9)
    assert [item.number for item in memory.working] == [5, 6, 7, 8, 9]
    assert memory.working[-1].answer.startswith(FACTS[3])
    assert [(s.level, s.first, s.last) for s in memory.summaries] == [
        (0, n, n) for n in range(1, 5)
    ]


def test_messages_come_in_the_order_of_the_specification() -> None:
    summaries = (Summary(2, "coarse", 1, 4), Summary(1, "middle", 5, 6), Summary(0, "fine", 7, 7))
    memory = note_tool(Memory("You help.", filled(2).working, summaries), "search", "found 3 pages")
    out = messages(memory, "And now?")
    assert [m.role for m in out] == [
        "system",
        "user",
        "user",
        "user",
        *("user", "assistant") * 2,
        "user",
    ]
    assert out[0].text.startswith("You help.") and "search: used 1 times" in out[0].text
    assert [
        part in m.text for part, m in zip(("coarse", "middle", "fine"), out[1:], strict=False)
    ] == [True] * 3
    assert out[-1] == Message("user", "And now?")


def test_it_is_folded_at_three_quarters_of_the_budget() -> None:
    roomy = filled(4)
    assert not roomy.summaries
    tight = settle(Memory(roomy.system, roomy.working, budget=round(roomy.tokens / 0.75)))
    assert [(s.level, s.first, s.last) for s in tight.summaries] == [(0, 1, 3)] and len(
        tight.working
    ) == 1
    just_below = settle(Memory(roomy.system, roomy.working, budget=round(roomy.tokens / 0.75) + 8))
    assert not just_below.summaries


def test_a_long_history_stays_within_its_budget() -> None:
    memory = Memory("You help.", budget=2000)
    text = "The council met and talked about the usual things without any result whatever. " * 30
    for number in range(60):
        memory = remember(memory, f"What about {number}?", text)
        assert memory.tokens <= 2000, number
    assert covered(memory) == list(range(1, 61))


def test_deep_folding_raises_a_sub_task_by_one_level_and_the_coarsest_stays_one() -> None:
    memory = deepen(filled(9), 0)
    assert [(s.level, s.first, s.last) for s in memory.summaries] == [(1, 1, 4)]
    memory = deepen(memory, 1)
    assert [(s.level, s.first, s.last) for s in memory.summaries] == [(2, 1, 4)]
    for _ in range(9):
        memory = remember(memory, "More?", "The Rhine is 1,233 km long [S9].")
    memory = deepen(deepen(memory, 0), 1)
    assert [(s.level, s.first, s.last) for s in memory.summaries] == [(2, 1, 13)]
    assert deepen(Memory()) == Memory()


def test_a_model_writes_the_summary_and_what_it_forgets_is_added() -> None:
    requests: list[Request] = []

    def ask(request: Request) -> Reply:
        requests.append(request)
        return Reply("Two people met [S1].")

    text = shorten(FACTS[0] + " " + FACTS[1], by_model(ask))
    assert text.startswith("Two people met [S1].\nAlso mentioned: ")
    assert all(item in text for item in ("Ada Lovelace", "1833", "94.1%", "[S2]"))
    assert (
        requests[0].prompt == "folding@1"
        and "<<<notes\nAda Lovelace" in requests[0].messages[1].text
    )


@pytest.mark.parametrize("answer", ["", "far too long " * 500, ModelError("gone")])
def test_a_model_that_fails_is_replaced_by_picking_sentences(answer: object) -> None:
    def summarise(text: str, tokens: int) -> str:
        if isinstance(answer, Exception):
            raise answer
        return str(answer)

    assert shorten(" ".join(FACTS), summarise) == shorten(" ".join(FACTS))


def test_a_stop_is_no_failure_to_summarise() -> None:
    def summarise(text: str, tokens: int) -> str:
        raise Cancelled("stop")

    with pytest.raises(Cancelled):
        filled(6, summarise=summarise)


def test_folding_is_the_same_every_time() -> None:
    assert filled(23, 700) == filled(23, 700)


def test_a_number_within_another_number_is_not_taken_for_it() -> None:
    def summarise(text: str, tokens: int) -> str:
        return "It was 15, or 5.2."

    assert shorten("We saw 5 of them and 2 more, then 15. " * 9, summarise).endswith(
        "Also mentioned: 5; 2"
    )


def test_the_notes_of_a_tool_count_its_calls_and_hold_its_last_result() -> None:
    memory = Memory()
    for number in range(20):
        memory = note_tool(memory, "fetch", f"{number} " + "x" * 900)
    (notes,) = memory.tools
    assert (
        notes.calls == 20
        and len(notes.last_result) == RESULT
        and notes.last_result.startswith("19 ")
    )


def test_odd_texts_are_folded_without_harm() -> None:
    chance = random.Random(7)
    alphabet = "aB 1.,[]S\n\u2028😀\x00é<>\"'%-"
    memory = Memory(budget=200)
    for _ in range(40):
        text = "".join(chance.choice(alphabet) for _ in range(chance.randrange(300)))
        memory = remember(memory, text, text)
        assert covered(memory) == list(range(1, memory.last + 1))


def test_finding_what_to_keep_takes_time_in_proportion() -> None:
    import time

    begun = time.thread_time()
    for text in ("Aa " * 30_000, "1" * 60_000, "[S1" * 20_000, "A" * 60_000, "1,1." * 15_000):
        kept_in(text)
    assert time.thread_time() - begun < 2.0
    assert re.fullmatch(r"\S+.*", kept_in("Über Köln und 3 km")[0])
