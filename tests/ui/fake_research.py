"""A finished research with every part a report can have, built from the real dataclasses. All content is invented."""

# ruff: noqa: E501 -- example data reads better on one line

from dataclasses import replace
from typing import Any

from tools.documents.model import Page, Section, Snapshot, snapshot_id_of
from tools.sources.source import Credibility, Mark, Source, make_source
from workflows.research.answer.model import (
    Answer,
    AnswerPart,
    AnswerPassage,
    AnswerVerdict,
    JudgeUsed,
    Lead,
    Searched,
)
from workflows.research.model import (
    Authority,
    Claim,
    Contradiction,
    DeadEnd,
    Evidence,
    Finding,
    Gap,
    Quality,
    RunConfig,
    TrajectoryEntry,
    Usage,
    UserMarks,
)
from workflows.research.report.model import (
    Citation,
    Disagreement,
    Report,
    ReportSection,
    Sentence,
    Table,
)
from workflows.research.state import ResearchState

QUESTION = (
    "Do grid-scale batteries lower evening electricity prices where solar power is plentiful?"
)
DAY = "2026-10-14T12:02:00Z"

TEXTS = {
    "S1": (
        "Storage in the evening peak: annual market review",
        "https://agency.example/reviews/2026/storage-in-the-evening-peak",
        "web",
        ("Example Energy Agency",),
        "2026-03-01",
        [
            "This review covers five example markets in which installed solar power exceeds a quarter of peak demand. "
            "It uses settlement prices by quarter hour and the metered charge and discharge of every storage unit "
            "above one megawatt.",
            "In each of the five example markets the share of evening demand met from storage has grown every year "
            "since 2021. The growth was fastest where connection queues were short, and slowest where storage pays "
            "network charges twice.",
            "Differences in market design explain less than a tenth of the variation between the five example markets. "
            "Fuel prices explain rather more, and are removed from the figures below.",
            "The winter evening mean was 9% lower than in the reference years. The agency notes that both winters of "
            "the sample were mild.",
            "Sites for pumped storage took seven years on average from application to operation.",
        ],
    ),
    "S2": (
        "Price effects of four-hour storage in a solar-heavy system",
        "https://doi.org/10.0000/example.002",
        "academic",
        ("A. Author", "B. Author"),
        "2024",
        [
            "We study four-hour storage in a system with a high share of solar power.",
            "The price response is weak below 4% of peak demand and steepens markedly beyond it, once the fleet is "
            "large enough to shift the marginal unit in the two hours after sunset, which is when the ramp is at its "
            "steepest and the remaining thermal plant is least flexible.",
            "Below 4% of peak demand the fleet behaves as a price taker.",
        ],
    ),
    "S3": (
        "Arbitrage saturation in wholesale electricity markets",
        "https://journal.example/articles/arbitrage-saturation",
        "academic",
        ("C. Author", "D. Author", "E. Author"),
        "2023-06-01",
        [
            "Storage earns the spread between charging and discharging hours and, at scale, narrows the spread it "
            "lives on.",
            "Returns diminish beyond 8%, once the deepest spreads have been arbitraged away.",
        ],
    ),
    "S4": (
        "Grid operations report, winter season",
        "https://gridoperator.gov.example/reports/winter-season-2025.pdf",
        "web",
        ("Example Grid Operator",),
        "2025-04",
        [
            "81% of scheduled discharge fell within four hours after sunset. The remainder was sold as frequency "
            "reserve, which pays for readiness and not for energy.",
            "During the two longest low-wind periods the midday surplus available for charging was close to zero.",
        ],
    ),
    "S5": (
        "Two winters of flat evenings: what storage did not change in the balancing, day-ahead and intraday markets "
        "of a large interconnected example region, and why the models did not see it coming",
        "https://review.example/markets/two-winters-of-flat-evenings?edition=weekly&section=long-reads&page=2",
        "newsroom",
        (),
        "2026-02-11",
        ["Across both winters evening prices stayed within one per cent of the years before."],
    ),
    "S6": (
        "Tender documents 2025, annex C: life-cycle cost tables",
        "local://d1/Tender_2025_annex_C_final_v7.pdf",
        "local",
        (),
        "2025",
        [
            "Flow batteries keep their rated capacity for twenty years and cost about twice as much per unit of power."
        ],
    ),
}

SCORES = {
    "S1": Credibility(0.88, "International institution", 0.80, {"citation": 1.0, "cross_reference": 1.1, "journal": 1.0},
                      (), "Base: 0.80 (International institution) | Cross-refs: 1.1x (5 sources agree) -> Final: 0.88",
                      {"overall": 0.8}, {"voices": 5, "citations": None}),
    "S2": Credibility(0.786, "DOI-registered work", 0.65, {"citation": 1.1, "cross_reference": 1.1, "journal": 1.0},
                      (), "Base: 0.65", {"overall": 0.7}, {"voices": 5, "citations": 214}),
    "S3": Credibility(0.95, "Leading journal", 0.85, {"citation": 1.0, "cross_reference": 1.1, "journal": 1.05},
                      (), "Base: 0.85", {"overall": 0.9}, {"voices": 5, "citations": 64, "venue": "Example Journal"}),
    "S4": Credibility(0.85, "Government source", 0.85, {"citation": 1.0, "cross_reference": 1.0, "journal": 1.0},
                      (), "Base: 0.85", {"overall": 0.8}, {"voices": 3, "citations": None}),
    "S5": Credibility(0.75, "Curated newsroom", 0.75, {"citation": 1.0, "cross_reference": 1.0, "journal": 1.0},
                      (), "Base: 0.75", {"overall": 0.6}, {"voices": 2}),
    "S6": Credibility(0.45, "Your document", 0.50, {"citation": 1.0, "cross_reference": 0.9, "journal": 1.0},
                      (), "Base: 0.50", {"overall": 0.5}, {"voices": 1, "outdated": "may be outdated"}),
}  # fmt: skip


def text_of(tag: str) -> str:
    return "\n\n".join(TEXTS[tag][5])


def source_of(tag: str) -> Source:
    title, url, kind, authors, published, _ = TEXTS[tag]
    more: dict[str, Any] = {"document_id": "d1"} if kind == "local" else {}
    source = make_source(url, title, authors=authors, published=published, source_type=kind, **more)
    cited = {"S2": 214, "S3": 64}.get(tag)
    return replace(
        source,
        tag=tag,
        snapshot_id=snapshot_id_of(text_of(tag)),
        credibility=SCORES[tag],
        cited_by_count=cited,
    )


SOURCES = {tag: source_of(tag) for tag in TEXTS}


def snapshot_of(tag: str) -> Snapshot:
    source, text = SOURCES[tag], text_of(tag)
    pages = (Page(1, 0), Page(14, text.find("During"))) if tag == "S4" else ()
    sections = (
        (Section("1", "Winter", 2, text.find("The winter"), len(text)),) if tag == "S1" else ()
    )
    return Snapshot(
        source.snapshot_id or "", source.source_id, source.url, "text/html", DAY, "test/1",
        "abstract" if tag == "S5" else "full", len(text), pages, sections,
    )  # fmt: skip


QUOTES = {
    "E1": ("S1", "In each of the five example markets the share of evening demand met from storage has grown every "
                 "year since 2021."),
    "E2": ("S2", TEXTS["S2"][5][1]),
    "E3": ("S3", TEXTS["S3"][5][0]),
    "E4": ("S4", "81% of scheduled discharge fell within four hours after sunset."),
    "E5": ("S4", TEXTS["S4"][5][1]),
    "E6": ("S5", TEXTS["S5"][5][0]),
    "E7": ("S1", "The winter evening mean was 9% lower than in the reference years."),
    "E8": ("S6", TEXTS["S6"][5][0]),
    "E9": ("S1", "Differences in market design explain less than a tenth of the variation between the five example "
                 "markets."),
}  # fmt: skip


def evidence_of(name: str) -> Evidence:
    tag, quote = QUOTES[name]
    start = text_of(tag).index(quote)
    source = SOURCES[tag]
    return Evidence(
        name,
        source.source_id,
        source.snapshot_id or "",
        start,
        start + len(quote),
        quote,
        "q1",
        0.9,
    )


EVIDENCE = {name: evidence_of(name) for name in QUOTES}


def claim(
    number: int, text: str, evidence: str, voices: int, confidence: float, **more: Any
) -> Claim:
    """Claim C<number>; the indicator follows from confidence and voices as the rules say."""
    names = tuple(evidence.split())
    ids = tuple(dict.fromkeys(EVIDENCE[name].source_id for name in names))
    sign = "✓✓" if confidence >= 0.8 and voices > 1 else "✓" if confidence >= 0.6 else "⚠"
    level = "high" if voices >= 3 else "medium" if voices == 2 else "low"
    base: dict[str, Any] = {
        "verified": True, "match_score": 1.0, "supporting_sources": ids, "voices": tuple((i,) for i in ids),
        "independent_sources": voices, "cross_validated": voices > 1, "level": level, "indicator": sign,
        "verifier": "deberta-small",
    }  # fmt: skip
    return Claim(f"C{number}", text, "", "q1", names, confidence=confidence, **(base | more))


CLAIMS = (
    claim(1, "Storage met a growing share of evening demand in all five example markets.", "E1 E2 E3", 5, 0.93),
    claim(2, "Storage narrows the difference between midday and evening prices from which it earns.", "E3 E2", 3, 0.91),
    claim(3, "The price effect begins at about four per cent of peak demand.", "E2 E3", 2, 0.86),
    claim(4, "81% of scheduled discharge fell within four hours after sunset.", "E4", 1, 0.75),
    claim(5, "Evening prices in winter stayed within one per cent of earlier years.", "E6", 2, 0.55,
          contradicting_evidence_ids=("E7",)),
    claim(6, "The winter evening mean was 9% lower than in the reference years.", "E7", 5, 0.55,
          contradicting_evidence_ids=("E6",)),
    claim(7, "Flow batteries cost about twice as much per unit of power.", "E8", 1, 0.66),
    claim(8, "Market rules matter less than expected.", "E9", 1, 0.66),
    claim(9, "Surplus for charging was close to zero in the longest low-wind periods.", "E5", 1, 0.74),
    Claim("C10", "Every new solar farm now includes a battery.", differs="The best passage says “nearly half”."),
    Claim("C11", "Storage lowered average household bills in the example region."),
)  # fmt: skip


def say(number: int, text: str, claim_number: int, kind: str = "edited") -> Sentence:
    """Sentence s<number> with the citations of claim C<claim_number>."""
    behind = CLAIMS[claim_number - 1]
    tags = {source.source_id: tag for tag, source in SOURCES.items()}
    cited = tuple(
        Citation(tags[EVIDENCE[name].source_id], EVIDENCE[name].source_id, name)
        for name in behind.evidence_ids
    )
    return Sentence(f"s{number}", kind, text, (), (behind.claim_id,), cited, behind.indicator)


def count(number: int, text: str) -> Sentence:
    return Sentence(f"s{number}", "narration", text)


WRITTEN = (
    say(
        1,
        "Large batteries move midday solar power into the evening: in all five markets studied the stored share "
        "of evening supply grew every year since 2021.",
        1,
        "written",
    ),
    say(
        2,
        "Average evening prices fell where storage exceeded roughly four per cent of peak demand, and hardly "
        "moved below that.",
        3,
        "written",
    ),
    say(3, "Whether the effect survives cold, windless weeks is contested.", 5, "written"),
    count(
        4,
        "Of the six sources used, four report a price effect in summer and two also report one in winter.",
    ),
)


def passage(
    name: str, claim_number: int, strength: str, *also: str, path: str = ""
) -> AnswerPassage:
    """The passage of E<n>, whose lead makes claim C<claim_number>."""
    tag, quote = QUOTES[name]
    source_id = SOURCES[tag].source_id
    return AnswerPassage(
        Lead(quote, (Citation(tag, source_id, name),)), "paragraph", (name,), quote, (), ((0, len(quote)),),
        (path,) if path else (), source_id, tag, SOURCES[tag].published, "", 0.9, strength, 0,
        tuple(SOURCES[other].source_id for other in also), f"C{claim_number}",
    )  # fmt: skip


ANSWER = Answer(
    "answered",
    "yes_no",
    (AnswerPart(QUESTION, "answered", "yes_no"),),
    WRITTEN,
    passages=(
        passage(
            "E7", 6, "restated by 5 independent sources, 2 peer-reviewed", "S2", "S3", path="Winter"
        ),
        passage("E6", 5, "one source, a news article, abstract only"),
        passage("E2", 3, "one source, peer-reviewed"),
        passage("E8", 7, "2025"),
    ),
    verdict=AnswerVerdict("mixed", 5, 2),
    searched=Searched(10, 84),
    judge=JudgeUsed("deberta-small", "nli"),
)

REPORT = Report(
    title=QUESTION,
    sections=(
        ReportSection("How batteries move solar power into the evening", (
            say(6, "Storage earns the spread between charging and discharging hours and, at scale, narrows the spread "
                   "it lives on.", 2, "quote"),
            say(7, "81% of scheduled discharge fell within four hours after sunset.", 4, "quote"),
            say(8, "[In the longest low-wind periods] the midday surplus available for charging was close to zero.", 9),
            count(9, "Three of five sources that name the mechanism call it the same thing."),
        ), 0.86),
        ReportSection("The effect begins at a threshold", (
            say(10, "Below four per cent of peak demand, storage is a price taker: it follows the evening price and "
                    "does not move it.", 3, "written"),
            say(11, "Differences in market design explain less than a tenth of the variation between the five example "
                    "markets.", 8, "quote"),
        ), 0.8),
        ReportSection("Winter remains the hard case", (
            say(12, "Across both winters evening prices stayed within one per cent of the years before.", 5, "quote"),
            say(13, "The winter evening mean was 9% lower than in the reference years.", 6, "quote"),
        ), 0.55),
    ),
    disagreements=(Disagreement("X1", (say(14, "The winter evening mean was 9% lower than in the reference years.", 6),
                                       count(15, "Five voices stand against two."))),),
    open=("Who receives the saving: households, retailers or large consumers?",),
    notes=(),
)  # fmt: skip

OLDER = replace(
    REPORT,
    summary=WRITTEN,
    verdict=AnswerVerdict("contested", 5, 2, (say(5, "A lower average evening price is supported for the summer half of the "
                                               "year.", 2, "written"),)),
    key_findings=(say(30, CLAIMS[0].text, 1), say(31, CLAIMS[2].text, 3)),
    tables=(
        Table("Batteries against the alternatives", ("Option", "Usual duration", "Limits named"), (
            ((count(20, "Lithium-ion battery"),), (say(21, "Discharge within four hours after sunset.", 4),),
             (say(22, "Little surplus to store in still winter weeks.", 9),)),
            ((count(23, "Flow battery"),), (), (say(24, "Cost per unit of power about twice as high.", 7),)),
        )),
    ),
)  # fmt: skip

REJECTED = (
    replace(make_source("https://press.example/profits", "Rapid profits from grid batteries", authors=("F. Author",)),
            rejected="predatory publisher", credibility=Credibility(
                0.2, "predatory_publisher", 0.2, {}, ("predatory_publisher",),
                "PREDATORY PUBLISHER - Example Open Press (built-in list, 2026-06-01)")),
    replace(make_source("https://doi.org/10.0000/example.009", "Lifetime of stationary cells under daily cycling",
                        published="2019", authors=("E. Author",)), rejected="retracted", hop=1,
            marks=(Mark("retracted", "Crossref", "2021-05-01", "data could not be reproduced"),),
            credibility=Credibility(0.0, "retracted", 0.0, {}, ("retracted",),
                                    "RETRACTED - Lifetime of stationary cells (retracted 2021)")),
    replace(make_source("https://shop.example/guides/home-batteries", "Ten home batteries compared"),
            rejected="other topic: household systems"),
)  # fmt: skip
UNUSED = replace(
    make_source("https://wire.example/2025/05/12/batteries", "Batteries set the evening price for the first time",
                published="2025-05-12", source_type="newsroom", publisher="Example Wire"),
    credibility=Credibility(0.77, "Major news outlet", 0.70, {"cross_reference": 1.1}, (), "Base: 0.70", {}, {"voices": 5}),
)  # fmt: skip

CITES = {"S1": "S2 S3 S4", "S2": "S3", "S5": "S1 S3", "S4": "S3"}


def finished(research_id: str = "do_grid_scale_batteries_20261014_120200") -> ResearchState:
    """The whole research."""
    ids = {tag: source.source_id for tag, source in SOURCES.items()}
    graph = {ids[a]: tuple(ids[b] for b in cited.split()) for a, cited in CITES.items()}
    graph[ids["S2"]] += (REJECTED[1].source_id,)
    degree = {tag: sum(tag in cited.split() for cited in CITES.values()) for tag in SOURCES}
    authority = tuple(
        Authority(ids[tag], degree[tag], 0.1, round(SCORES[tag].score * (1 + 0.6 * degree[tag]), 6))
        for tag in SOURCES
    )
    findings = tuple(
        Finding(c.claim_id, c.text, c.supporting_sources, c.level, 0.86)
        for c in CLAIMS
        if c.verified
    )
    return ResearchState(
        original_query=QUESTION, research_id=research_id, status="complete", as_of="2026-10-14", started_at=DAY,
        completed_at="2026-10-14T12:02:48Z", config=RunConfig(depth=2, clarify=True),
        sources=(*SOURCES.values(), UNUSED, *REJECTED), snapshots=tuple(snapshot_of(tag) for tag in TEXTS),
        evidence=tuple(EVIDENCE.values()), claims=CLAIMS,
        contradictions=(Contradiction("X1", "C6", "C5", "E7", "E6", "direct", "evening price", "winter",
                                      "Both name winter evenings and no further condition. The difference of eight "
                                      "points exceeds the rounding of the less precise value."),),
        findings=findings, citation_graph=graph, authority=authority,
        gaps=(Gap("q2", "Who receives the saving: households, retailers or large consumers?", 0.7,
                  ("settlement data", "retail tariff pass-through")),
              Gap("q3", "How do prices behave once batteries older than ten years retire?", 0.5)),
        dead_ends=(DeadEnd("sunset ramp winter", None, "newsroom", "no_results", "evening ramp", ""),
                   DeadEnd(None, "https://paywall.example/x", "openalex", "paywall", None, "Behind a paywall.")),
        round=2,
        trajectory=(
            TrajectoryEntry(1, "2026-10-14T12:02:00Z", "understand", "research_started", "Started."),
            TrajectoryEntry(2, "2026-10-14T12:02:03Z", "aggregate", "phase_started", "Five clients are asked at once.",
                            {"why": "14 queries"}),
            TrajectoryEntry(3, "2026-10-14T12:02:44Z", "synthesis", "synthesis_finished", "The report is written."),
        ),
        answer=ANSWER, report=REPORT, synthesis="# " + QUESTION,
        quality=Quality(overall_confidence=0.79, verified_claims=9, total_claims=11, cross_validated=5,
                        refused_sentences=2, sources_found=10, sources_used=6, sources_rejected=3, iterations=2,
                        searches=31, gaps_open=2, distinct_domains=7, links_checked=9, links_alive=8,
                        credible_share=0.83),
        usage=Usage(seconds=48.2, http_requests=61),
        user=UserMarks(True, ("storage", "markets"), "Compare with annex C of our own tender before the March meeting."),
    )  # fmt: skip


SECOND = "what_do_batteries_do_in_winter_20261015_090000"


def second() -> ResearchState:
    """An older research, which shares sources and a claim with the first and contradicts it once."""
    first = finished(SECOND)
    sources = [first.sources[number] for number in (0, 1, 3)]
    sentence = "The winter evening mean was 14% lower than in the reference years."
    claims = (
        replace(CLAIMS[3], claim_id="C1"),
        claim(6, sentence, "E7", 1, 0.71),
        claim(11, "Batteries older than ten years lose a fifth of their capacity.", "E2", 1, 0.66),
    )
    return replace(
        first, original_query="What do batteries do in winter?", sources=tuple(sources), claims=claims, contradictions=(),
        answer=None,
        report=replace(OLDER, title="What do batteries do in winter?", disagreements=(), sections=REPORT.sections[:1]),
        user=UserMarks(),
    )  # fmt: skip


def texts() -> dict[str, str]:
    """snapshot_id -> text."""
    return {SOURCES[tag].snapshot_id or "": text_of(tag) for tag in TEXTS}
