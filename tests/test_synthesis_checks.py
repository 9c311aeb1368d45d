"""The measurement of reports sees what it is meant to see: each planted fault is found, and a good report has none."""

from dataclasses import replace

from benchmarks.synthesis_checks import faults
from tools.research.source import make_source
from workflows.research.model import Evidence, Understanding
from workflows.research.report import Citation, Edit, Report, ReportSection, Sentence
from workflows.research.state import ResearchState

TEXT = (
    "However, trees cooled Halden by 2 °C in 2023. It is a city. Trees cooled Halden by 2 °C. Bread is made of flour."
)
SOURCE = replace(make_source("https://example.org/a", "A"), tag="S1", snapshot_id="x")


def sentence(number: int, quote: str, text: str = "", edits: tuple[Edit, ...] = (), kind: str = "") -> Sentence:
    cited = (Citation("S1", SOURCE.source_id, f"E{number}"),)
    return Sentence(f"s{number}", kind or ("edited" if edits else "quote"), text or quote, edits, ("C1",), cited)


def found(*sentences: Sentence, quotes: dict[int, str], words: int = 100, heading: str = "Found") -> set[str]:
    """The names of the rules that a report of one section breaks."""
    evidence = tuple(
        Evidence(f"E{n}", SOURCE.source_id, "x", TEXT.index(quote), TEXT.index(quote) + len(quote), quote, "Q1", 1.0)
        for n, quote in quotes.items()
    )
    state = ResearchState(
        "Do trees cool Halden?",
        sources=(SOURCE,),
        evidence=evidence,
        understanding=Understanding(primary_anchor="trees Halden"),
        report=Report("", sections=(ReportSection(heading, tuple(sentences)),)),
    )
    return {rule for rule, broken in faults(state, lambda snapshot: TEXT, words).found.items() if broken}


HOT = "However, trees cooled Halden by 2 °C in 2023."
GOOD = sentence(1, HOT, "Trees cooled Halden by 2 °C in 2023.",
                (Edit(0, 9, "", "connective"), Edit(9, 10, "T", "case")))  # fmt: skip
BREAD = "Bread is made of flour."


def test_a_good_report_has_no_fault() -> None:
    assert found(GOOD, quotes={1: HOT}) == set()


def test_each_fault_is_seen() -> None:
    again = sentence(2, "Trees cooled Halden by 2 °C.")
    assert found(GOOD, again, quotes={1: HOT, 2: "Trees cooled Halden by 2 °C."}) == {"repeats"}
    assert "unresolved" in found(sentence(1, HOT), quotes={1: HOT})
    assert "unresolved" in found(sentence(1, "It is a city."), quotes={1: "It is a city."})
    assert found(sentence(1, BREAD), quotes={1: BREAD}) == {"off topic"}
    assert found(replace(GOOD, text="Trees cooled Halden by 3 °C in 2023."), quotes={1: HOT}) == {
        "not of its kind", "figures lost",
    }  # fmt: skip
    assert "not of its kind" in found(replace(GOOD, kind="quote"), quotes={1: HOT})
    assert "not of its kind" in found(Sentence("s1", "narration", "x", citations=GOOD.citations), quotes={1: HOT})
    assert "unresolved citations" in found(GOOD, quotes={2: HOT})
    assert found(GOOD, quotes={1: HOT}, words=3) == {"too many words"}
    assert "long parts" in found(*[GOOD] * 8, quotes={1: HOT})
