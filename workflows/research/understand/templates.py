"""Further things that are searched for without a model: by the type of a question, the aspects of its topic."""

from typing import NamedTuple


class Aspect(NamedTuple):
    """label: its name in the research tree. queries: words that are searched for with the topic, best first."""

    tier: str
    label: str
    queries: tuple[str, ...]


_OUTLOOK = Aspect("tertiary", "Outlook", ("future", "forecast"))
_LIMITS = Aspect("secondary", "Limits", ("limitations", "uncertainty"))
_SOMEBODY = (
    Aspect("secondary", "Background", ("biography", "education")),
    Aspect("secondary", "Work", ("career", "works")),
    Aspect("secondary", "Reception", ("criticism", "awards")),
    Aspect("tertiary", "Recent years", ("news", "interview")),
)
ASPECTS: dict[str, tuple[Aspect, ...]] = {
    "person": _SOMEBODY,
    "organisation": _SOMEBODY,
    "concept": (
        Aspect("secondary", "Definition", ("definition", "introduction")),
        Aspect("secondary", "How it works", ("mechanism", "principle")),
        Aspect("secondary", "Uses", ("applications", "examples")),
        _LIMITS,
        Aspect("tertiary", "History", ("history", "origin")),
    ),
    "technical": (
        Aspect("secondary", "Instructions", ("instructions", "guide")),
        Aspect("tertiary", "In practice", ("common mistakes", "examples")),
    ),
    "comparison": (
        Aspect("secondary", "Performance", ("performance", "effectiveness")),
        Aspect("secondary", "Cost", ("cost", "economics")),
        Aspect("tertiary", "Side by side", ("comparison", "review")),
    ),
    "claim_check": (
        Aspect("secondary", "Evidence", ("evidence", "review")),
        Aspect("secondary", "Doubts", ("criticism", "contradicting evidence")),
        Aspect("tertiary", "Mechanism", ("mechanism", "causes")),
    ),
    "general": (
        Aspect("secondary", "Findings", ("review", "evidence")),
        Aspect("secondary", "Causes", ("causes", "mechanism")),
        _LIMITS,
        Aspect("tertiary", "Consequences", ("consequences", "policy")),
        _OUTLOOK,
    ),
}
# Viewpoints when no model proposes any: (name, what it looks at, words that are searched for with the topic)
PERSPECTIVES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Technical expert", "how it works and how well it is measured", ("measurements", "data")),
    ("Practical user", "what it costs and what to do", ("costs", "practice")),
    ("Critic", "what is doubtful and who disagrees", ("controversy", "criticism")),
)
# Kinds of sources where a question is likeliest answered; all kinds are asked, these are named in the plan
TARGETS: dict[str, tuple[str, ...]] = {
    "person": ("web", "academic", "local"),
    "organisation": ("web", "newsroom", "local"),
    "claim_check": ("academic", "newsroom", "local"),
}
OTHER_TARGETS = ("academic", "web", "local")
LATEST = ("Recent years", "Outlook")  # aspects that the news answers first
