"""Phase 4: voices into scores, sources set aside with their reasons, confidence of claims,
findings."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.tables import each
from tools.errors import Cancelled, StorageError
from tools.judging.checks import Checks
from tools.judging.judge import Judge, JudgeKind, Judgement, Passage
from tools.research.credibility_scorer import assess
from tools.sources.source import Credibility, Source
from workflows.research.deps import Deps
from workflows.research.events import Event
from workflows.research.model import Claim, Evidence
from workflows.research.report.model import Report
from workflows.research.report.synthesis import _with_notes
from workflows.research.run_settings import Settings
from workflows.research.state import ResearchState
from workflows.research.verify.credibility import score as with_confidence, scored_sources

RETRACTED = "https://www.nature.com/articles/nature12968"


class FakeJudge:
    """A judge that may decide: what it decided stands in the claims of the tests."""

    name, kind = "fake", JudgeKind.NLI

    def judge(self, pairs: Sequence[tuple[str, Sequence[Passage]]]) -> list[Judgement]:
        raise AssertionError("this phase judges nothing")


class Fake:
    """Scores by table unless `real`; remembers what was asked and said."""

    def __init__(
        self, scores: dict[str, float] | None = None, eeat: dict[str, float] | None = None
    ) -> None:
        self.scores, self.eeat = scores, eeat or {}
        self.requests: list[tuple[str, int | None]] = []
        self.events: list[Event] = []
        self.text: Callable[[str], str] = lambda snapshot_id: "text"
        self.check: Callable[[], None] = lambda: None
        self.judge: Judge = FakeJudge()

    def score(self, source: Source, voices: int | None, text: str) -> Credibility:
        self.requests.append((source.source_id, voices))
        if self.scores is None:
            return assess(source, voices=voices, as_of="2026-11-01", text=text)
        value = self.scores[source.source_id]
        overall = self.eeat.get(source.source_id, 0.9)
        return Credibility(
            value, "test", value, breakdown=f"Base: {value}", eeat={"overall": overall}
        )

    def deps(self, **settings: Any) -> Deps:
        def nothing(*_: Any) -> Any:
            raise AssertionError("this phase asks nobody")

        return Deps(
            settings=Settings(**settings), clients=(), search=nothing, fetch=nothing,
            store_text=nothing,
            references=nothing, citing=nothing, text=lambda key: self.text(key), retrieve=nothing,
            score=self.score, emit=self.events.append, check_cancelled=lambda: self.check(),
            clock=lambda: 0.0,
            now=lambda: "", collection=nothing, source_of=lambda snapshot_id: None,
            judge=self.judge,
        )  # fmt: skip


def source(name: str, url: str = "", **more: Any) -> Source:
    return Source(name, url or f"https://{name}.example/", name.upper(), **more)


def evidence(number: int, source_id: str, quote: str) -> Evidence:
    return Evidence(f"E{number}", source_id, f"snap-{source_id}", 0, len(quote), quote, "q1", 0.9)


def claim(number: int, text: str, *supporters: str, **more: Any) -> Claim:
    """A verified claim whose evidence number n is that of its n-th supporter, each its own
    voice."""
    claim_fields: dict[str, Any] = {
        "verified": True, "match_score": 1.0, "supporting_sources": supporters,
        "independent_sources": len(supporters),
        "voices": tuple((source_id,) for source_id in supporters),
        "cross_validated": len(supporters) > 1,
    }  # fmt: skip
    return Claim(f"C{number}", text, **{**claim_fields, **more})


def state(sources: list[Source], claims: list[Claim], **more: Any) -> ResearchState:
    return ResearchState(
        "q", sources=tuple(sources), claims=tuple(claims), as_of="2026-11-01", **more
    )


def score(start: ResearchState, deps: Deps) -> ResearchState:
    """Both halves of the phase: sources before passages are chosen, claims after."""
    return with_confidence(scored_sources(start, deps), deps)


def test_each_source_is_scored_with_the_most_voices_of_a_verified_claim_it_supports() -> None:
    claims = [
        claim(1, "One.", "a", "b", "c"),
        claim(2, "Two.", "a"),
        claim(3, "Three.", "d", "e", verified=False),
    ]
    fake = Fake(dict.fromkeys("abcde", 0.8))
    score(state([source(letter) for letter in "abcde"], claims), fake.deps())
    assert fake.requests == [*((letter, None) for letter in "abcde"), ("a", 3), ("b", 3), ("c", 3)]


def test_what_nobody_judged_has_no_confidence() -> None:
    fake = Fake(dict.fromkeys("ab", 0.8))
    fake.judge = Checks()
    done = score(state([source("a"), source("b")], [claim(1, "One.", "a", "b")]), fake.deps())
    assert (done.claims[0].confidence, done.claims[0].level) == (None, None)
    assert done.findings[0].confidence == "unjudged"
    assert [voices for _, voices in fake.requests] == [None, None]


def test_confidence_level_and_indicator_of_claims() -> None:
    fake = Fake({"a": 0.8, "b": 0.8, "c": 0.8, "d": 0.5})
    done = score(
        state(
            [source(letter) for letter in "abcd"],
            [claim(1, "One.", "a", "b", "c"), claim(2, "Two.", "d")],
        ),
        fake.deps(),
    )
    first, second = done.claims
    assert (first.confidence, first.level, first.indicator, first.cross_validated) == (
        0.93,
        "high",
        "✓✓",
        True,
    )
    assert (second.confidence, second.level, second.indicator, second.cross_validated) == (
        0.55,
        "low",
        "⚠",
        False,
    )


@each(
    ("overall", "least", "note"),
    [
        (0.9, 0.91, "Overall confidence is 0.90, below 0.91. Read it with caution."),
        (0.9, 0.9, ""),
        (0.695, 0.7, ""),  # it reads 0.70
        (0.6949, 0.7, "Overall confidence is 0.69, below 0.70. Read it with caution."),
    ],
)
def test_a_report_says_that_its_confidence_is_below_what_was_asked_for(
    overall: float, least: float, note: str
) -> None:
    done = state([source("a")], [claim(1, "One.", "a")], report=Report("Q"))
    done = replace(done, quality=replace(done.quality, overall_confidence=overall))
    assert ("".join(n for n in _with_notes(done, least).notes if "confidence" in n)) == note


def test_one_voice_of_two_sources_counts_once_with_its_best_source() -> None:
    fake = Fake({"a": 0.5, "b": 0.9})
    one_voice = claim(1, "One.", "a", "b", voices=(("a", "b"),), independent_sources=1)
    done = score(state([source("a"), source("b")], [one_voice]), fake.deps())
    assert (done.claims[0].confidence, done.claims[0].cross_validated) == (0.75, False)


def test_a_retracted_source_is_set_aside_with_its_notice() -> None:
    fake = Fake()
    done = scored_sources(
        state([source("a", RETRACTED), source("b", "https://www.eia.gov/x")], []), fake.deps()
    )
    retracted, other = done.sources
    assert retracted.rejected == (
        "Retracted works support nothing: RETRACTED - STAP stem cell article (retracted 2014)."
    )
    assert other.rejected is None
    assert any("Set aside: A." in event.message for event in fake.events)


def test_predatory_and_thin_sources_are_set_aside_and_listed() -> None:
    sources = [
        source("p", "https://www.scirp.org/x"),
        source("r", "https://reddit.com/r/x", snapshot_id="s"),
    ]
    fake = Fake()
    fake.text = lambda snapshot_id: "Short."
    done = score(state(sources, []), fake.deps())
    assert [bool(source.rejected) for source in done.sources] == [True, True]
    assert "Predatory publishers support nothing: PREDATORY PUBLISHER - " in str(
        done.sources[0].rejected
    )
    assert "is below 0.35 (domain trust 0.25" in str(done.sources[1].rejected)


def test_the_threshold_is_a_setting_and_own_documents_are_exempt() -> None:
    fake = Fake({"a": 0.5, "b": 0.5}, eeat={"a": 0.3, "b": 0.1})
    sources = [source("a"), source("b", "local://x/y", source_type="local")]
    assert [bool(s.rejected) for s in score(state(sources, []), fake.deps()).sources] == [
        True,
        False,
    ]
    assert [
        bool(s.rejected) for s in score(state(sources, []), fake.deps(min_source=0.2)).sources
    ] == [False, False]


def test_a_source_set_aside_before_keeps_its_reason() -> None:
    fake = Fake({"a": 0.9})
    done = score(state([source("a", rejected="Another person of this name.")], []), fake.deps())
    assert done.sources[0].rejected == "Another person of this name."
    assert not any(event.message.startswith("Set aside") for event in fake.events)


def contradicted(credibility: dict[str, float]) -> ResearchState:
    claims = [
        claim(
            1,
            "Prices fell by 9%.",
            "a",
            "b",
            evidence_ids=("E1", "E2"),
            contradicting_evidence_ids=("E3",),
        ),
        claim(
            2, "Prices fell by 1%.", "c", evidence_ids=("E3",), contradicting_evidence_ids=("E1",)
        ),
    ]
    pieces = (evidence(1, "a", "x"), evidence(2, "b", "x"), evidence(3, "c", "y"))
    start = state([source(letter) for letter in "abc"], claims, evidence=pieces)
    return score(start, Fake(credibility).deps())


def test_a_contradiction_by_an_equal_caps_both_sides() -> None:
    done = contradicted({"a": 0.8, "b": 0.8, "c": 0.8})
    assert [c.confidence for c in done.claims] == [0.55, 0.55]
    assert [c.indicator for c in done.claims] == ["⚠", "⚠"]


def test_a_contradiction_by_a_weaker_source_leaves_the_stronger_side() -> None:
    done = contradicted({"a": 0.8, "b": 0.8, "c": 0.6})
    assert (done.claims[0].confidence, done.claims[0].indicator) == (0.93, "✓✓")
    assert done.claims[1].confidence == 0.55


def test_findings_come_best_first() -> None:
    fake = Fake({"a": 0.9, "b": 0.9, "c": 0.9, "d": 0.4})
    claims = [
        claim(1, "Weak.", "d"),
        claim(2, "Two.", "a", "b"),
        claim(10, "Three.", "a", "b", "c"),
    ]
    done = score(state([source(letter) for letter in "abcd"], claims), fake.deps(max_findings=2))
    assert [(f.claim_id, f.confidence) for f in done.findings] == [
        ("C10", "high"),
        ("C2", "medium"),
    ]
    assert done.findings[0].average_credibility == 0.9
    assert all(event.phase == "credibility" and event.kind == "note" for event in fake.events)


def test_cross_validation_off_counts_for_nobody() -> None:
    fake = Fake({"a": 0.8, "b": 0.8})
    done = score(
        state([source("a"), source("b")], [claim(1, "One.", "a", "b")]),
        fake.deps(cross_validation=False),
    )
    assert (done.claims[0].confidence, done.claims[0].cross_validated) == (0.78, False)


def test_an_unreadable_snapshot_costs_only_its_text() -> None:
    fake = Fake()

    def broken(snapshot_id: str) -> str:
        raise StorageError("The snapshot is damaged.")

    fake.text = broken
    done = score(state([source("a", snapshot_id="s", abstract="An abstract.")], []), fake.deps())
    assert done.sources[0].credibility is not None


def test_nothing_in_nothing_out_and_cancel_passes_through() -> None:
    done = score(ResearchState("q"), Fake().deps())
    assert (done.sources, done.claims, done.findings) == ((), (), ())
    fake = Fake({"a": 0.5})

    def stop() -> None:
        raise Cancelled("stopped")

    fake.check = stop
    with pytest.raises(Cancelled):
        score(state([source("a")], []), fake.deps())


def test_running_the_phase_twice_changes_nothing() -> None:
    claims = [claim(1, "One.", "a", "b"), claim(2, "Two.", "b")]
    once = score(
        state([source("a", RETRACTED), source("b", "https://x.gov/")], claims), Fake().deps()
    )
    assert score(once, Fake().deps()) == once
