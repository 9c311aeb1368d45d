"""A report with as many sources as asked: what pages and exports have to hold when much was
found."""

from dataclasses import replace
from typing import Any

from tests.ui import fake_research
from tools.documents.model import Snapshot, snapshot_id_of
from tools.sources.source import Credibility, Source, make_source
from workflows.research.answer.model import Answer, AnswerPart, AnswerPassage, Lead, Searched
from workflows.research.model import Authority, Claim, Contradiction, Evidence, UserMarks
from workflows.research.report.model import Citation, Disagreement, Report, ReportSection
from workflows.research.report.sentences import Sentence
from workflows.research.state import ResearchState

ID = "how_deep_are_the_harbours_20261014_120200"
QUESTION = "How deep are the harbour basins, and how fast do they silt up?"
PLACES = ("north", "south", "inner", "outer", "old")
SECTIONS = 8
TAGS = tuple(f"harbour-survey-{number}" for number in range(1, 41))


def quote(number: int) -> str:
    """What source `number` says: a sentence with a figure of its own."""
    return (
        f"The survey of {1930 + number} found {3 + number % 9}.{number % 10} m in the "
        f"{PLACES[number % 5]} basin, and "
        f"a layer of silt that had grown by {10 + number} cm within two years although it had been "
        "dredged twice."
    )


def text(number: int) -> str:
    return (
        f"Soundings are taken each spring from a small boat.\n\n{quote(number)}\n\nThe next one "
        "is due in two years."
    )


def wide(count: int, research_id: str = ID) -> tuple[ResearchState, dict[str, str]]:
    """The research, and its texts by snapshot id. Every source is cited, half of them in the
    sections."""
    sources = tuple(_source(number) for number in range(count))
    texts = {source.snapshot_id or "": text(number) for number, source in enumerate(sources)}
    evidence = tuple(_evidence(number, source) for number, source in enumerate(sources))
    claims = tuple(_claim(number, source) for number, source in enumerate(sources))
    passages = [_passage(number, source) for number, source in enumerate(sources)]
    rest = passages[3:]
    sections = tuple(
        ReportSection(
            f"What the {PLACES[n % 5]} basin's survey found, part {n + 1}",
            passages=tuple(rest[n::SECTIONS]),
        )
        for n in range(min(SECTIONS, len(rest)))
    )
    pairs = [(a, a + 1) for a in range(0, count - 1, 2)]
    clashes = tuple(_clash(a, b) for a, b in pairs)
    report = Report(
        QUESTION,
        sections=sections,
        disagreements=tuple(
            Disagreement(f"X{a}", (_sentence(a, sources[a]), _sentence(b, sources[b]))) for a,
            b in pairs
        ),
        open=tuple(f"Who dredged the {PLACES[n % 5]} basin in "
                   f"{1990 + n}?" for n in range(min(count // 4, 24))),
        notes=tuple(f"Service {n} did not answer within 10 s." for n in range(min(count // 8, 12))),
    )  # fmt: skip
    status = "answered" if count else "not_found"
    answer = Answer(
        status, "fact", (AnswerPart(QUESTION, status, "fact"),),
        passages=tuple(passages[:3]), searched=Searched(count, count * 3),
    )  # fmt: skip
    state = replace(
        fake_research.finished(research_id), original_query=QUESTION, sources=sources,
        evidence=evidence, claims=claims,
        snapshots=tuple(_snapshot(source, texts[source.snapshot_id or ""]) for source in sources),
        findings=(),
        contradictions=clashes, answer=answer, report=report, synthesis=f"# {QUESTION}", gaps=(),
        dead_ends=(),
        citation_graph={s.source_id: tuple(o.source_id for o in sources[n + 1 : n + 3]) for n,
            s in enumerate(sources)},
        authority=tuple(Authority(s.source_id, 2, 0.01, round(1 - n / 1000, 6)) for n,
            s in enumerate(sources)),
        user=UserMarks(tags=TAGS if count > 20 else TAGS[:2]),
    )  # fmt: skip
    return state, texts


def _source(number: int) -> Source:
    local: dict[str, Any] = (
        {"source_type": "local", "document_id": f"h{number}"} if number % 7 == 0 else {}
    )
    kind = local.pop("source_type", ("academic", "web", "newsroom")[number % 3])
    url = (
        f"local:h{number}/survey-{number}.pdf"
        if kind == "local"
        else f"https://survey{number}.example/reports/{number}"
    )
    source = make_source(
        url, f"Survey {number} of the {PLACES[number % 5]} basin, its depths and what was dredged",
        authors=() if kind == "local" else (f"A. Author {number}", "B. Author"),
        published=f"{1930 + number}-05-08",
        source_type=kind, **local,
    )  # fmt: skip
    score = Credibility(
        0.7, "Government source", 0.85, {"citation": 1.0, "cross_reference": 0.9, "journal": 1.0},
        (), "Base: 0.85",
        {"overall": 0.6}, {"voices": 1},
    )  # fmt: skip
    return replace(
        source, tag=f"S{number + 1}", snapshot_id=snapshot_id_of(text(number)), credibility=score
    )


def _snapshot(source: Source, text: str) -> Snapshot:
    return Snapshot(
        source.snapshot_id or "", source.source_id, source.url, "text/html", fake_research.DAY,
        "test/1", "full",
        len(text),
    )  # fmt: skip


def _evidence(number: int, source: Source) -> Evidence:
    start = text(number).index(quote(number))
    return Evidence(
        f"E{number + 1}", source.source_id, source.snapshot_id or "", start,
        start + len(quote(number)), quote(number),
        "q1", 0.9,
    )  # fmt: skip


def _claim(number: int, source: Source) -> Claim:
    return Claim(
        f"C{number + 1}", quote(number), "", "q1", (f"E{number + 1}",), verified=True,
        supporting_sources=(source.source_id,), independent_sources=1,
    )  # fmt: skip


def _passage(number: int, source: Source) -> AnswerPassage:
    name, text = f"E{number + 1}", quote(number)
    return AnswerPassage(
        Lead(text, (Citation(source.tag or "", source.source_id, name),)), "paragraph", (name,),
        text, (),
        ((0, len(text)),), ("Soundings", f"Year {1930 + number}"), source.source_id,
        source.tag or "",
        source.published, "", 0.9, "one source", 0, (), f"C{number + 1}",
    )  # fmt: skip


def _clash(a: int, b: int) -> Contradiction:
    return Contradiction(
        f"X{a}", f"C{a + 1}", f"C{b + 1}", f"E{a + 1}", f"E{b + 1}", "figures",
        ("depth", "silt", "dredging")[a // 2 % 3], "",
        f"{3 + a % 9}.{a % 10} m and {3 + b % 9}.{b % 10} m.",
    )  # fmt: skip


def _sentence(number: int, source: Source) -> Sentence:
    cited = (Citation(source.tag or "", source.source_id, f"E{number + 1}"),)
    return Sentence(f"w{number}", "quote", quote(number), (), (f"C{number + 1}",), cited)
