"""Which other sources say what a lead says, and what the judge is asked for that."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from plain_deps import World

from tools.documents.model import Block, BlockKind, Passage
from tools.judging.checks import Checks
from tools.judging.judge import JudgeKind, Judgement, Pair
from tools.sources.source import make_source
from workflows.research.answer.model import Answer, AnswerPassage, Lead
from workflows.research.state import ResearchState
from workflows.research.verify.agreement import with_claims

LEAD = "Trees cool a street by two degrees in summer."
TEXT = f"{LEAD} Buses run every ten minutes. Prices rose by nine per cent in 2024."


class Counting:
    """The checks, and what they were asked."""

    name, kind = "checks", JudgeKind.NONE

    def __init__(self) -> None:
        self.requests: list[str] = []

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        self.requests += [passages[0].text for _, passages in pairs]
        return Checks().judge(pairs)


class Texts:
    """One text of another source, of which every search finds all; what was searched, and whether
    by meaning."""

    def __init__(self) -> None:
        self.searches: list[tuple[str, bool]] = []

    def search(
        self, query: str, limit: int, among: Collection[str] | None = None, meaning: bool = True
    ) -> list[Passage]:
        self.searches.append((query, meaning))
        return [Passage("s2", 0, len(TEXT), TEXT, 1.0)]

    def rarity(self, word: str) -> float:
        return {"two": 4.0, "degrees": 3.0, "summer": 2.0}.get(word, 1.0)

    def text(self, snapshot_id: str) -> str:
        return TEXT

    def blocks(self, snapshot_id: str) -> tuple[Block, ...]:
        return (Block(BlockKind.PARAGRAPH, 0, len(TEXT)),)


def test_without_a_judge_that_infers_only_restatements_are_judged() -> None:
    mine, other = (
        replace(make_source(f"https://{name}.example/", name), snapshot_id=name, source_type="web")
        for name in ("s1", "s2")
    )
    passage = AnswerPassage(Lead(LEAD), "paragraph", (), LEAD, source_id=mine.source_id)
    state = ResearchState(
        "Do trees cool streets?",
        sources=(mine, other),
        answer=Answer("answered", "fact"),
        passages=(passage,),
    )
    judge, texts = Counting(), Texts()
    deps = replace(World({}).deps(), judge=judge, collection=lambda state: texts)
    done = with_claims(state, deps)
    assert judge.requests == [LEAD] and texts.searches == [("summer cool street trees", False)]
    assert done.claims[0].supporting_sources == tuple(sorted((mine.source_id, other.source_id)))
