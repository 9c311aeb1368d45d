"""Research trees without a model: per question type the questions asked, with heading, cue words and weight.

A row: (tier, heading, question, cues). {anchor} is the subject, {topic} the same as a phrase (topic.py), {claim} what is to
be checked, {query} the question as typed, {a} and {b} what is compared. Cues are words that mark a passage as belonging to the question; they also make its queries.
"""

from typing import NamedTuple


class Row(NamedTuple):
    tier: str
    heading: str
    question: str
    cues: str


TEMPLATES: dict[str, tuple[Row, ...]] = {
    "person": (
        Row("primary", "Overview", "Who is {anchor}?", "is was known born leader researcher author role"),
        Row("primary", "Background and education", "What is the background of {anchor}?",
            "born grew family studied university degree education graduated school"),
        Row("primary", "Career", "What has {anchor} done?", "worked joined became appointed career founded director"),
        Row("secondary", "Achievements", "What is {anchor} known for?", "award prize published invented achievement won"),
        Row("secondary", "Reception", "How is {anchor} seen by others?", "criticised praised controversy said according"),
        Row("tertiary", "Recent years", "What has {anchor} done lately?", "recently current now latest announced"),
    ),
    "concept": (
        Row("primary", "Definition", "What is {anchor}?", "is are called means refers defined term kind type"),
        Row("primary", "How it works", "How does {anchor} work?", "works process because mechanism by through uses"),
        Row("primary", "Uses", "What is {anchor} used for?", "used applied application use example practice"),
        Row("secondary", "History", "Where does {anchor} come from?", "first introduced history developed invented since"),
        Row("secondary", "Criticism and limits", "What are the limits of {anchor}?",
            "limit limitation problem risk drawback criticism however cost fails"),
        Row("tertiary", "Outlook", "What comes next for {anchor}?", "future expected will plan forecast research"),
    ),
    "technical": (
        Row("primary", "Mechanism", "{query}", "works process by because when through mechanism causes"),
        Row("primary", "Components", "What are the parts of {topic}?", "consists parts component contains made includes"),
        Row("primary", "Trade-offs", "What are the trade-offs of {topic}?",
            "trade cost efficiency loss advantage disadvantage limit however"),
        Row("secondary", "Alternatives", "What is used instead of {topic}?", "alternative instead compared other than"),
        Row("secondary", "In practice", "What is seen in practice with {topic}?", "practice installed measured study field case"),
        Row("tertiary", "Outlook", "What comes next for {topic}?", "future expected will plan forecast research"),
    ),
    "comparison": (
        Row("primary", "Performance", "How do {a} and {b} compare in performance?",
            "efficiency performance output power capacity faster higher lower effect"),
        Row("primary", "Cost", "How do {a} and {b} compare in cost?", "cost price expensive cheap cheaper pay euro dollar"),
        Row("primary", "Lifetime and reliability", "How do {a} and {b} compare in lifetime?",
            "life lifetime years cycles reliability durability failure degrade survive"),
        Row("secondary", "Safety and environment", "How do {a} and {b} compare in safety?",
            "safety fire risk toxic emissions environment health water"),
        Row("secondary", "Use", "When is each of {a} and {b} used?", "used use suited application suitable best choose"),
        Row("tertiary", "Outlook", "How will {a} and {b} develop?", "future expected will trend forecast"),
    ),
    "claim_check": (
        Row("primary", "Evidence for", "{query}", "found shows study measured fell rose effect reduced increased"),
        Row("primary", "Evidence against", "What speaks against {claim}?", "not no however little without against contrary"),
        Row("primary", "Who says so", "Who says {claim}?", "according report agency study authors survey review"),
        Row("secondary", "Conditions", "When and for whom does {claim} hold?", "when where only if depends condition summer winter"),
        Row("secondary", "Mechanism", "What would explain {claim}?", "because due cause mechanism through by driven"),
        Row("tertiary", "Outlook", "What is expected for {topic}?", "future expected will plan forecast"),
    ),
    "general": (
        Row("primary", "Introduction", "{query}", "is are defined describes known about overview"),
        Row("primary", "What was found", "What has been found on {topic}?",
            "found measured study shows percent rose fell average result"),
        Row("primary", "Analysis", "What lies behind the findings on {topic}?", "because due cause explain reason driven mechanism"),
        Row("secondary", "Implications", "What follows from the findings on {topic}?", "cost policy should require benefit risk need impact"),
        Row("secondary", "Limits", "What is uncertain about {topic}?", "however limit uncertain not unclear little only"),
        Row("tertiary", "Outlook", "What comes next for {topic}?", "future expected will plan forecast"),
    ),
}  # fmt: skip
# Kinds of sources where a question is likeliest answered; all kinds are asked, these are named in the plan
TARGETS: dict[str, tuple[str, ...]] = {
    "person": ("web", "academic", "local"),
    "organisation": ("web", "newsroom", "local"),
    "concept": ("academic", "web", "local"),
    "technical": ("academic", "web", "local"),
    "comparison": ("academic", "web", "local"),
    "claim_check": ("academic", "newsroom", "local"),
    "general": ("academic", "web", "local"),
}
# What is added to the topic to search for the part of a heading; "" searches for the topic alone
ASPECTS: dict[str, str] = {
    "Overview": "biography", "Background and education": "education", "Career": "career", "Achievements": "awards",
    "Reception": "criticism", "Recent years": "news", "Definition": "definition", "How it works": "mechanism",
    "Uses": "applications", "History": "history", "Criticism and limits": "limitations", "Outlook": "future",
    "Mechanism": "mechanism", "Components": "components", "Trade-offs": "advantages disadvantages",
    "Alternatives": "alternatives", "In practice": "case study", "Performance": "performance", "Cost": "cost",
    "Lifetime and reliability": "lifetime", "Safety and environment": "safety", "Use": "applications",
    "Evidence for": "evidence", "Evidence against": "review", "Who says so": "", "Conditions": "", "Introduction": "",
    "What was found": "review", "Analysis": "factors", "Implications": "consequences",
    "Limits": "limitations", "Technical expert": "measurements", "Practical user": "costs", "Critic": "criticism",
}  # fmt: skip
LATEST = ("Recent years", "Outlook")  # headings that the news answers first

TEMPLATES["organisation"] = TEMPLATES["person"]

# Viewpoints when no model proposes any: (name, focus, cue words, questions). The first question of each joins the tree.
PERSPECTIVES: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("Technical expert", "how it works and how well it is measured",
     "measured measurement data average percent sensor record effect",
     ("What has been measured on {topic}?", "What explains what was measured on {topic}?",
      "How sure are the figures on {topic}?")),
    ("Practical user", "what it costs and what to do",
     "cost costs price pay install maintain maintenance practice residents operators",
     ("What are the costs and practical demands of {topic}?", "What has worked in practice with {topic}?",
      "What should one do about {topic}?")),
    ("Critic", "what is doubtful and who disagrees",
     "limit limits doubt uncertain small little contradict unclear fails wrong",
     ("What is doubtful or disputed about {topic}?", "Which results on {topic} disagree?",
      "What is not known about {topic}?")),
)  # fmt: skip
# The same viewpoints on people and organisations, who are neither measured nor installed
ON_SOMEBODY: dict[str, tuple[str, ...]] = {
    "Technical expert": ("What has {topic} achieved, with dates and figures?", "How did {topic} work?",
                         "How sure is what is told of {topic}?"),
    "Practical user": ("Where are the works or services of {topic} found?", "What can one learn from {topic}?",
                       "How is {topic} reached?"),
    "Critic": ("What is disputed about {topic}?", "Who disagrees with {topic}?", "What is not known about {topic}?"),
}  # fmt: skip
