"""The numbers of agreement, disagreement, verdicts and confidence, each at its edge."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from plain_deps import World

from tests.tables import each
from tools.judging.judge import JudgeKind, Judgement, Label, Pair
from tools.sources.source import Source, make_source
from workflows.research.answer.model import Answer, AnswerPassage, Lead
from workflows.research.kinds import AnswerStatus
from workflows.research.model import Claim
from workflows.research.report.sentences import Citation
from workflows.research.state import ResearchState
from workflows.research.understand.intent import Intent
from workflows.research.verify import confidence as module
from workflows.research.verify.agreement import with_claims
from workflows.research.verify.confidence import assess_claim, confidence, level, mean_credibility
from workflows.research.verify.disagreement import with_disagreements
from workflows.research.verify.independence import Supporter, independent_groups
from workflows.research.verify.verdict import with_verdict


class Remembering:
    """A judge that gives one label to everything and remembers what it was asked."""

    name, kind = "fake", JudgeKind.NLI

    def __init__(self, label: Label = Label.NEITHER) -> None:
        self.label = label
        self.pairs: list[Pair] = []

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        self.pairs.extend(pairs)
        return [Judgement(self.label, 0.9, (), self.name, 0) for _ in pairs]


# --- confidence -----------------------------------------------------------------------------------


def test_nothing_is_surer_than_95_of_a_hundred() -> None:
    assert confidence(1.0, [1.0, 1.0, 1.0], cross_validated=True) == 0.95


def test_one_voice_is_weak_below_three_fifths_only() -> None:
    assert confidence(1.0, [0.65], cross_validated=False) > module.ONE_WEAK_VOICE
    assert confidence(1.0, [0.58], cross_validated=False) == module.ONE_WEAK_VOICE


def test_the_best_three_voices_count() -> None:
    assert mean_credibility([0.9, 0.6, 0.6, 0.1]) == pytest.approx(0.7)


@each(
    ("voices", "mean", "expected"),
    [
        (3, 0.72, "high"),
        (3, 0.68, "medium"),
        (2, 0.9, "medium"),
        (2, 0.52, "medium"),
        (2, 0.48, "low"),
        (1, 0.9, "low"),
    ],
)
def test_the_level_follows_from_voices_and_their_credibility(
    voices: int, mean: float, expected: str
) -> None:
    assert level(voices, mean) == expected


@pytest.mark.parametrize(("match", "mark"), [(0.66, "✓✓"), (0.58, "✓"), (0.18, "⚠")])
def test_two_ticks_from_four_fifths_and_one_from_three_fifths(match: float, mark: str) -> None:
    claim = Claim("C1", "Text.", match_score=match)
    claim = assess_claim(claim, [0.95, 0.95, 0.95])  # 0.4825 and half the match
    assert claim.indicator == mark


# --- independence ---------------------------------------------------------------------------------

WORDS = [f"{first}{second}ra" for first in "abcdefghij" for second in "klmnopqrst"]


def voices(first: Supporter, second: Supporter, texts: dict[str, str] | None = None) -> int:
    return len(independent_groups([first, second], (texts or {}).__getitem__))


def web(name: str, snapshot: str | None = None, title: str = "Untitled") -> Source:
    return replace(
        make_source(f"https://{name}.example/a", title, source_type="web"), snapshot_id=snapshot
    )


@pytest.mark.parametrize(("changed", "count"), [(16, 1), (24, 2)])
def test_texts_that_share_four_fifths_of_their_runs_of_words_are_one_voice(
    changed: int, count: int
) -> None:
    other = [*WORDS[: 100 - changed], *(f"{word}x" for word in WORDS[100 - changed :])]
    texts = {"a": " ".join(WORDS), "b": " ".join(other)}
    pair = Supporter(web("one", "a"), "It is so."), Supporter(web("two", "b"), "So it is.")
    assert voices(*pair, texts) == count


@pytest.mark.parametrize(("run", "count"), [(26, 1), (22, 2)])
def test_runs_are_of_five_words(run: int, count: int) -> None:
    """Every run-th word differs: of each stretch all runs but five are shared."""
    words = [f"w{a}{b}{c}" for a in "abcd" for b in "efghijklmn" for c in "opqrst"]
    other = [f"{word}x" if n % run == 0 else word for n, word in enumerate(words)]
    texts = {"a": " ".join(words), "b": " ".join(other)}
    pair = Supporter(web("one", "a"), "It is so."), Supporter(web("two", "b"), "So it is.")
    assert voices(*pair, texts) == count


@pytest.mark.parametrize(("length", "count"), [(100, 1), (130, 2)])
def test_a_source_named_within_120_characters_is_where_it_comes_from(
    length: int, count: int
) -> None:
    between = ("the long and careful " * 9)[: length - 11].rstrip()
    passage = f"Mills grind corn, according to {between} Mill Review of 1931."
    assert (
        voices(Supporter(web("one"), passage), Supporter(web("two", title="Mill Review"), "Corn."))
        == count
    )


# --- agreement, disagreement, verdict -------------------------------------------------------------


def state_of(
    world: World, passages: Sequence[AnswerPassage], intent: Intent = Intent.FACT
) -> ResearchState:
    sources = tuple(
        replace(source, snapshot_id=world.by_id[source.source_id])
        for name in world.sources
        for source in world.sources[name]
    )
    answer = Answer(AnswerStatus.ANSWERED, intent, passages=tuple(passages))
    state = ResearchState("Is the mill of Bosk old?")
    return replace(state, sources=sources, answer=answer)


def passage(source: Source, number: int, text: str = "The mill of Bosk is old.") -> AnswerPassage:
    lead = Lead(text, (Citation("", source.source_id, f"E{number}"),))
    return AnswerPassage(
        lead, "paragraph", (f"E{number}",), text, source_id=source.source_id, claim_id=f"C{number}"
    )


def worlds(count: int, text: str = "The mill of Bosk is old, says number {}.") -> World:
    return World(
        {
            f"Text {n}": ("openalex", text.format("abcdefghijklmnopqrstuvwxyz"[n % 26] * (n + 1)))
            for n in range(count)
        }
    )


def test_a_lead_is_held_against_sixteen_sentences_of_other_sources() -> None:
    world, judge = worlds(40), Remembering()
    state = state_of(world, [])
    state = replace(state, answer=replace(state.answer, passages=(passage(state.sources[39], 1),)))
    with_claims(state, replace(world.deps(), judge=judge))
    assert len(judge.pairs) == 16


def test_a_judge_sees_300_characters_on_each_side_of_a_sentence() -> None:
    filler = "Wheat grows far from here and nobody minds it much. " * 20
    world, judge = worlds(2, filler + "The mill of Bosk is old {}. " + filler), Remembering()
    state = state_of(world, [])
    state = replace(state, answer=replace(state.answer, passages=(passage(state.sources[0], 1),)))
    with_claims(state, replace(world.deps(), judge=judge))
    (shown,) = judge.pairs[0][1]
    assert len(shown.before) == len(shown.after) == 300


def test_forty_pairs_of_the_first_24_passages_are_judged() -> None:
    world = worlds(30)
    state = state_of(world, [])
    few = [passage(source, n) for n, source in enumerate(state.sources)]
    judge = Remembering()
    with_disagreements(
        replace(state, answer=replace(state.answer, passages=tuple(few))),
        replace(world.deps(), judge=judge),
    )
    assert len(judge.pairs) == 40


@pytest.mark.parametrize(("place", "compared"), [(23, True), (24, False)])
def test_figures_of_the_first_24_passages_are_compared(place: int, compared: bool) -> None:
    world = worlds(30)
    state = state_of(world, [])
    passages = [passage(source, n, f"Mill {n} is old.") for n, source in enumerate(state.sources)]
    passages[0] = passage(state.sources[0], 0, "Lake Tarn is 45 m deep.")
    passages[place] = passage(state.sources[place], place, "Lake Tarn is 60 m deep.")
    checked_state = with_disagreements(
        replace(state, answer=replace(state.answer, passages=tuple(passages))), world.deps()
    )
    assert bool(checked_state.contradictions) == compared


@pytest.mark.parametrize(("count", "verdict"), [(2, "yes"), (1, "not_settled")])
def test_two_voices_settle_a_question(count: int, verdict: str) -> None:
    world = worlds(count, "Words of {}.")
    state = state_of(world, [], Intent.YES_NO)
    passages = tuple(
        passage(source, n, f"{'Mills ' * 9}{n}{n} grind old corn.") if n else passage(source, n)
        for n, source in enumerate(state.sources)
    )
    judged = with_verdict(
        replace(state, answer=replace(state.answer, passages=passages)),
        replace(world.deps(), judge=Remembering(Label.SUPPORT)),
    )
    assert judged.answer is not None and judged.answer.verdict is not None
    assert judged.answer.verdict.label == verdict
