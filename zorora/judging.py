"""What a judge of support and contradiction is asked, and what it answers."""

from tools.judging.judge import Judge, JudgeKind, Judgement, Label, Pair, Passage

__all__ = ["Judge", "JudgeKind", "Judgement", "Label", "Pair", "Passage"]
