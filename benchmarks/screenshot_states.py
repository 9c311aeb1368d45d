"""Pages in the states that are rare on a real home: `python -m benchmarks.screenshots --states
[--only NAME ...]`.

Each is made over an engine in memory of its own. `prepare` brings that engine into the state and
names the page; `act` does in the browser what a person would do first. All content is invented.
"""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.screenshot_amounts import AMOUNTS, nothing
from benchmarks.screenshot_answers import ANSWERS
from engine.answers import LoggedEvent
from tests.ui import fake_engine, fake_research
from tests.ui.fake_engine import FakeEngine
from tools.errors import StorageError
from tools.sources.source import make_source
from workflows.research.model import UserMarks
from workflows.research.report.model import Report, SensePart, Sentence, Turn

DONE = fake_research.finished().research_id
HEBREW = "האם סוללות מורידות את מחירי החשמל בערב?"
ARABIC = "هل تخفض البطاريات أسعار الكهرباء في المساء؟"
CHINESE = "大型储能电池是否会降低傍晚的电价？"
JAPANESE = "大型蓄電池は夕方の電気料金を下げるのか、また寒くて風の弱い冬の週にもその効果は続くのか"


@dataclass(frozen=True, slots=True)
class State:
    """prepare: an engine in memory to the path of the page. answers: the status that the page is
    expected to have.

    token: the server asks for its access token.
    """

    prepare: Callable[[FakeEngine], str]
    act: Callable[[Any], None] = nothing
    answers: int = 200
    token: bool = False


def at(path: str) -> Callable[[FakeEngine], str]:
    return lambda engine: path


def first_run(engine: FakeEngine) -> str:
    engine.states, engine.open, engine.documents, engine.secrets = {}, {}, {}, {}
    return "/"


def no_history(engine: FakeEngine) -> str:
    first_run(engine)
    return "/history"


def no_documents(engine: FakeEngine) -> str:
    engine.documents = {}
    engine.roots = list  # type: ignore[method-assign]
    return "/library"


def late(engine: FakeEngine) -> str:
    """Near its end: long lists of everything, and clients of every outcome."""
    events = list(fake_engine.EVENTS)
    for number in range(40):
        address = (
            f"https://reports.example/{number}/a-rather-long-address-of-a-page-about-reserves.html"
        )
        title = (
            f"Reserve requirements at sunset, part {number + 1}: what the operators of the "
            "region reported"
        )
        data = {
            "url": address,
            "source_id": f"y{number}",
            "ok": number % 7 > 0,
            "title": title,
            "problem": None,
        }
        events.append((34, "follow", "page_fetched", f"Read {title}.", data))
    for number in range(12):
        sentence = (
            f"In region {number + 1} the reserve held at sunset doubled between 2021 and 2025."
        )
        data = {"claim": sentence, "sources": ["S1", f"S{number + 2}"], "voices": 2}
        events.append((40, "cross_reference", "claim_found", sentence, data))
    events.append((44, "synthesis", "phase_started", "Writing the report.", {"number": 6}))
    fake_engine_events(engine, events)
    job = engine.open[fake_engine.RUNNING]
    counts = {"queries": 31, "sources": 140, "pages": 34, "claims": 58}
    engine.open[job.research_id] = replace(
        job, phase="synthesis", phase_number=6, elapsed=61.0, counts=counts
    )
    return f"/research/{job.research_id}"


def fake_engine_events(engine: FakeEngine, events: list[Any]) -> None:
    """Let this engine tell other events than the others do."""
    progress_events = [
        LoggedEvent(kind, phase, message, data, float(at), fake_engine.BEGUN, number)
        for number, (at, phase, kind, message, data) in enumerate(events, 1)
    ]
    engine.events = lambda research_id, after=0, limit=500: [  # type: ignore[method-assign]
        event for event in progress_events if event.seq > after
    ]


def changed(engine: FakeEngine, **more: Any) -> str:
    """The finished research with other values."""
    engine.states[DONE] = replace(engine.states[DONE], **more)
    return f"/research/{DONE}"


def report_of(engine: FakeEngine) -> Report:
    report = engine.states[DONE].report
    assert report is not None
    return report


def written(engine: FakeEngine) -> str:
    """Most sentences written by a model, which names itself behind every sign."""

    def by(sentence: Sentence) -> Sentence:
        return replace(sentence, model="granite-4-tiny") if sentence.kind == "written" else sentence

    usage = replace(engine.states[DONE].usage, calls=14, tokens_in=48_210, tokens_out=2_955)
    answer = replace(fake_research.ANSWER, written=tuple(map(by, fake_research.WRITTEN)))
    return changed(engine, answer=answer, usage=usage)


def senses(engine: FakeEngine) -> str:
    """One name, several answers."""
    say, count = fake_research.say, fake_research.count
    parts = (
        SensePart("The trade body", (say(40, fake_research.CLAIMS[0].text, 1, "quote"),
                                     count(41, "Five voices speak of this one."))),
        SensePart("The advisory board", (say(42, fake_research.CLAIMS[6].text, 7, "quote"),
                                         count(43, "One voice speaks of this one."))),
    )  # fmt: skip
    return changed(
        engine, answer=None, report=replace(fake_research.OLDER, senses=parts, verdict=None)
    )


def many_sources(engine: FakeEngine) -> str:
    """200 sources, 100 claims, and every part of a report."""
    state = engine.states[DONE]
    kinds = ("academic", "web", "newsroom", "local")
    sources = tuple(
        replace(
            make_source(f"https://many.example/{n}", "Evening prices and storage, a report of "
                                                     f"region {n + 1}",
                        authors=("A. Author", "B. Author"), published=f"{1996 + n % 30}-03-01",
                        source_type=kinds[n % 4], venue="Example Journal"),
            tag=f"S{n + 7}",
            credibility=replace(fake_research.SCORES["S2"], score=round(0.2 + n % 16 / 20, 2)),
        )
        for n in range(194)
    )  # fmt: skip
    claims = tuple(
        replace(
            state.claims[n % 9],
            claim_id=f"C{n + 20}",
            text=f"In region {n + 1}, {state.claims[n % 9].text}",
        )
        for n in range(89)
    )
    graph = {
        s.source_id: (sources[n // 2].source_id, sources[n // 5].source_id)
        for n, s in enumerate(sources)
        if n
    }
    return changed(
        engine, sources=(*state.sources, *sources), claims=(*state.claims, *claims),
        citation_graph={**state.citation_graph, **graph},
    )  # fmt: skip


def many_cites(engine: FakeEngine) -> str:
    return many_sources(engine) + "/graph"


def in_words(engine: FakeEngine, question: str, sentence: str, quote: str) -> str:
    """The finished research in another language and script: question, title, sentences, quotations,
    sources."""
    state, report = engine.states[DONE], report_of(engine)

    def translated(s: Sentence) -> Sentence:
        return replace(s, text=sentence)

    sources = tuple(replace(s, title=f"{question} ({n})") for n, s in enumerate(state.sources, 1))
    evidence = tuple(replace(e, quote=quote) for e in state.evidence)
    claims = tuple(replace(c, text=sentence) if c.verified else c for c in state.claims)
    parts = tuple(
        replace(p, heading=question, sentences=tuple(map(translated, p.sentences)))
        for p in report.sections
    )
    other = replace(report, title=question, sections=parts)
    answer = replace(fake_research.ANSWER, written=tuple(map(translated, fake_research.WRITTEN)))
    gaps = tuple(replace(gap, text=question) for gap in state.gaps)
    findings = tuple(replace(finding, claim=sentence) for finding in state.findings)
    return changed(
        engine, original_query=question, sources=sources, evidence=evidence, claims=claims,
        report=other, gaps=gaps,
        findings=findings, answer=answer, user=UserMarks(True, (question[:9],), sentence),
    )  # fmt: skip


def hebrew(engine: FakeEngine) -> str:
    sentence = (
        "מחיר החשמל הממוצע בשעות הערב ירד ב־9% בשנת 2024, לאחר חיבור 640 מגה־ואט של סוללות לרשת."
    )
    return in_words(
        engine, HEBREW, sentence, "המחיר בערב ירד ב־9% לעומת שנות הייחוס (Example Agency, 2024)."
    )


def arabic(engine: FakeEngine) -> str:
    sentence = (
        "انخفض متوسط سعر الكهرباء في المساء بنسبة 9% في عام 2024 بعد ربط 640 ميغاواط من "
        "البطاريات بالشبكة."
    )
    return in_words(
        engine, ARABIC, sentence, "انخفض السعر في المساء بنسبة 9% مقارنة بالسنوات المرجعية."
    )


def chinese(engine: FakeEngine) -> str:
    sentence = "二零二四年，在640兆瓦电池接入电网之后，傍晚的平均电价下降了9%。"
    return in_words(
        engine, CHINESE, sentence, "与参考年份相比，傍晚的平均电价下降了9%，两个冬天都比较温暖。"
    )


def japanese(engine: FakeEngine) -> str:
    sentence = "2024年には、640メガワットの蓄電池が系統に接続された後、夕方の平均価格が9%下がった。"
    return in_words(engine, JAPANESE, sentence, "基準年と比べて、夕方の平均価格は9%低かった。")


def scripts_in_history(engine: FakeEngine) -> str:
    for number, question in enumerate((HEBREW, ARABIC, CHINESE, JAPANESE), 1):
        name = f"r{number}"
        engine.states[name] = replace(
            engine.states[DONE], research_id=name, original_query=question
        )
    return "/history"


def partial(engine: FakeEngine) -> str:
    return changed(engine, status="partial", ended_by="user", user=UserMarks())


def empty_report(engine: FakeEngine) -> str:
    """Nothing could be searched."""
    report = Report(fake_research.QUESTION, open=("Do grid-scale batteries lower evening prices?",),
                    notes=("No search service answered.",))  # fmt: skip
    state = engine.states[DONE]
    quality = replace(state.quality, overall_confidence=None, verified_claims=0, total_claims=0,
        cross_validated=0,
                      sources_used=0)  # fmt: skip
    nothing_found: dict[str, Any] = dict.fromkeys(
        (
            "claims",
            "findings",
            "contradictions",
            "evidence",
            "sources",
            "snapshots",
            "authority",
            "gaps",
        ),
        (),
    )
    return changed(
        engine, report=report, answer=None, citation_graph={}, quality=quality, user=UserMarks(),
        **nothing_found
    )  # fmt: skip


def binned(engine: FakeEngine) -> str:
    return changed(engine, user=UserMarks(deleted_at="2026-10-20T09:00:00Z"))


def withdrawn(engine: FakeEngine) -> str:
    from engine.reports.about_reports import Withdrawn

    source = fake_research.SOURCES["S2"]
    engine.steering.retracted = (
        Withdrawn(source.source_id, "S2", source.title, "Retracted on 3 November 2026 (Crossref)."),
    )
    return f"/research/{DONE}"


def older(engine: FakeEngine) -> str:
    engine.steering.deepen(DONE)
    return f"/research/{DONE}/revision/1"


def revisions(engine: FakeEngine) -> str:
    engine.steering.deepen(DONE)
    engine.steering.exclude(DONE, "S5")
    return f"/research/{DONE}/revisions"


def talk(engine: FakeEngine) -> str:
    turns = (Turn("2026-10-14T13:00:00Z", "What is a capacity market?", (),
        "A capacity market pays plants for being "
                  "ready to run.\n\nIt does so apart from the price of energy."),)  # fmt: skip
    report = Report(
        "What is a capacity market?", notes=("Nothing was searched, and nothing here was checked.",)
    )
    return changed(
        engine,
        kind="ask",
        conversation=turns,
        report=report,
        original_query="What is a capacity market?",
    )


def pressed(button: str) -> Callable[[Any], None]:
    """Press the first button that says this, folded or not, and wait for the page it leads to."""

    def act(page: Any) -> None:
        unfolded(page)
        page.locator(f"button:text-is('{button}')").locator("visible=true").first.click()
        page.wait_for_load_state("load")

    return act


def quick(engine: FakeEngine) -> str:
    """What a quick search kept."""
    return f"/research/{engine.asking.search('Do batteries lower evening prices?').research_id}"


def slow_search(engine: FakeEngine) -> str:
    """A quick search that is being answered; it holds still until the server ends."""
    engine.asking.waits.clear()
    return "/?q=Do batteries lower evening prices?"


def working(engine: FakeEngine) -> str:
    """A change that is being made; it holds still until the server ends."""
    engine.steering.still = lambda: threading.Event().wait(20)
    return f"/research/{DONE}"


def settings_sheet(page: Any) -> None:
    page.click("nav a[data-sheet]")
    page.wait_for_selector("dialog[open] h1, main .set")  # on a phone it is a page


def keys_sheet(page: Any) -> None:
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open] kbd, main kbd")


def menu(page: Any) -> None:
    page.click(".menu summary")


def unfolded(page: Any) -> None:
    page.evaluate(
        "document.querySelectorAll('main details:not(.menu)').forEach(d => { d.open = true; })"
    )


def noted(page: Any) -> None:
    """The sidenote of the first sentence, as a tap opens it on a phone."""
    page.evaluate("document.querySelector('.note').classList.add('shown'); location.hash = 'n-s2'")


def uploaded(page: Any) -> None:
    files = [{"name": name, "mimeType": "text/plain", "buffer": body} for name, body in
             (("minutes-of-the-council.txt", b"The council met."),
                 ("scan_1998.pdf", b"broken"))]  # fmt: skip
    page.set_input_files("input[type=file]", files)
    page.click("button:has-text('Upload')")
    page.wait_for_load_state("load")


def forged(page: Any) -> None:
    """A form that another page sends."""
    page.fill("#q", "Do batteries lower prices?")
    page.evaluate("document.querySelector('form.ask [name=csrf]').value = 'forged'")
    page.click("form.ask .btn.main")
    page.wait_for_load_state("load")


def broken(engine: FakeEngine) -> str:
    # The fault is meant, and needs no report
    logging.getLogger("zorora.web").setLevel(logging.CRITICAL)
    engine.history = None  # type: ignore[assignment,method-assign]
    return "/history"


def locked(engine: FakeEngine) -> str:
    def fails(*_: Any, **__: Any) -> Any:
        raise StorageError("The database is locked by another program.")

    engine.history = fails  # type: ignore[method-assign]
    return "/history"


def answered(make: Callable[[], dict[str, Any]]) -> Callable[[FakeEngine], str]:
    """The finished research with another answer."""
    return lambda engine: changed(engine, **make())


REPORT = f"/research/{DONE}"
STATES: dict[str, State] = {
    "home-first": State(first_run),
    "home-typed": State(at("/?q=Do grid-scale batteries lower evening prices in winter?")),
    "queued": State(at(f"/research/{fake_engine.QUEUED}")),
    "late": State(late),
    "cancelled": State(at(f"/research/{fake_engine.CANCELLED}")),
    "report-written": State(written),
    "report-unfolded": State(at(REPORT), unfolded),
    "report-note": State(at(REPORT), noted),
    "report-menu": State(at(REPORT), menu),
    **{f"answer-{name}": State(answered(make)) for name, make in ANSWERS.items()},
    **{name: State(prepare, act) for name, (prepare, act) in AMOUNTS.items()},
    "report-senses": State(senses),
    "report-many": State(many_sources),
    "report-empty": State(empty_report),
    "report-partial": State(partial),
    "report-bin": State(binned),
    "report-retracted": State(withdrawn),
    "report-older": State(older),
    "report-hebrew": State(hebrew),
    "report-arabic": State(arabic),
    "report-chinese": State(chinese),
    "report-japanese": State(japanese),
    "history-scripts": State(scripts_in_history),
    "history-empty": State(no_history),
    "history-none": State(at("/history?q=unheard")),
    "history-bin": State(at("/history?bin=1")),
    "graph-many": State(many_cites),
    "revisions-three": State(revisions),
    "work": State(working, pressed("Go deeper")),
    "recheck": State(at(REPORT), pressed("Read the pages again")),
    "talk": State(talk),
    "quick": State(quick),
    "asked": State(slow_search, pressed("Quick search")),
    "library-empty": State(no_documents),
    "library-uploaded": State(at("/library"), uploaded),
    "library-remove": State(at("/library?folder=Measurements"), pressed("Remove this document")),
    "settings-sheet": State(at("/"), settings_sheet),
    "settings-unfolded": State(at("/settings"), unfolded),
    "settings-looked": State(at("/settings?models=look")),
    "settings-check": State(at("/settings/check")),
    "settings-remove": State(at("/settings"), pressed("Remove")),
    "settings-token": State(at("/settings"), pressed("Make an access token")),
    "keys": State(at("/history"), keys_sheet),
    "about": State(at("/about")),
    "sign-in": State(at("/"), token=True),
    "stale": State(at("/"), forged, 403),
    "error-405": State(at("/theme"), answers=405),
    "error-500": State(broken, answers=500),
    "error-503": State(locked, answers=503),
}
