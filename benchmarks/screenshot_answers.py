"""Answers of every form, for pictures of the page: what the record holds in their place. All
content is invented."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.ui import fake_research
from tools.sources.source import Source, make_source
from workflows.research.answer.model import (
    Answer,
    AnswerCard,
    AnswerPart,
    AnswerPassage,
    Lead,
    Searched,
    ShortAnswer,
)
from workflows.research.model import Evidence, UserMarks
from workflows.research.report.model import Turn
from workflows.research.report.sentences import Citation

MANUAL = "Tidewater Server 4.2: administrator’s manual"
NAMES = (
    MANUAL,
    "Tidewater Server 4.2: reference card",
    "Release notes 4.0",
    "Tidewater Server 3.1: quick start",
)
CODE = (
    "tideadm checkpoint --wait\nrsync -a --delete /var/lib/tidewater/ newhost:/var/lib/tidewater/"
)


class Papers:
    """Documents with passages: makes the evidence for what it is handed."""

    def __init__(self, *titles: str) -> None:
        self.sources: list[Source] = [
            replace(
                make_source(
                    f"local://d{n}/{n}.pdf", title, source_type="local", published="2026-06-03"
                ),
                tag=f"S{n}",
            )
            for n, title in enumerate(titles, 1)
        ]
        self.evidence: list[Evidence] = []

    def passage(
        self, number: int, *blocks: tuple[str, str], mark: str = "", header: str = "", **more: Any
    ) -> AnswerPassage:
        """A passage of the document of this number; the words of mark answer."""
        source = self.sources[number - 1]
        context = (self._add(source, "context", header, 9000),) if header else ()
        start, names = 100 * len(self.evidence), []
        for kind, text in blocks:
            names.append(self._add(source, kind, text, start))
            start += len(text) + 1
        text = "\n".join([*([header] if header else []), *(text for _, text in blocks)])
        at = text.find(mark) if mark else -1
        lead = Lead(mark or blocks[0][1], (Citation(source.tag or "", source.source_id, names[0]),))
        marks = ((at, at + len(mark)),) if at >= 0 else ()
        return AnswerPassage(
            lead,
            blocks[0][0],
            tuple(names),
            text,
            context,
            marks,
            source_id=source.source_id,
            tag=source.tag or "",
            **more,
        )

    def _add(self, source: Source, kind: str, text: str, start: int) -> str:
        name = f"E{len(self.evidence) + 1}"
        self.evidence.append(
            Evidence(name, source.source_id, "x", start, start + len(text), text, "q1", 0.9, kind)
        )
        return name

    def record(self, question: str, answer: Answer, **more: Any) -> dict[str, Any]:
        """What the record holds besides: nothing that anyone judged or wrote."""
        assert fake_research.finished().report
        report = replace(
            fake_research.REPORT, title=question, sections=(), disagreements=(), open=()
        )
        quality = replace(fake_research.finished().quality, overall_confidence=None,
            sources_found=len(self.sources),
                          sources_read=len(self.sources), sources_used=3,
                          sources_rejected=0)  # fmt: skip
        empty: dict[str, Any] = dict.fromkeys(
            ("claims", "findings", "contradictions", "authority", "gaps"), ()
        )
        return {
            "original_query": question, "report": report, "answer": answer, "quality": quality,
            "snapshots": (),
            "sources": tuple(self.sources), "evidence": tuple(self.evidence), "citation_graph": {},
            "user": UserMarks(), **empty, **more,
        }  # fmt: skip


def fact() -> dict[str, Any]:
    papers = Papers(*NAMES)
    words = "the default is 64 MB"
    body = (
        "Each worker keeps a write buffer of its own. The setting write_buffer gives its size; the "
        "default is 64 MB. "
        "Values below 8 MB are raised to 8 MB when the server starts, and a change takes effect "
        "only after a restart."
    )
    row = "write_buffer | 64 MB | 8 MB to 4 GB | at restart"
    item = "write_buffer is now 64 MB; it was 16 MB."
    others = tuple(source.source_id for source in papers.sources[1:3])
    passages = (
        papers.passage(1, ("paragraph", body), mark=words,
            heading_path=("Configuration", "Memory", "write_buffer"),
                       date="2026-06-03", strength="2026-06-03, page 118, in 3 of 52 documents",
                       also=others),
        papers.passage(2, ("table_row", row), mark="64 MB", header="Setting | Default | Range | "
                                                                   "Takes effect",
                       heading_path=("Appendix B", "All settings"), strength="2026-06-03, page 2"),
        papers.passage(3, ("list_item", item), mark="64 MB", header="These defaults are larger "
                                                                    "than in version 3:",
                       heading_path=("Version 4.0", "Changed defaults"), strength="2024-02-12"),
        papers.passage(4, ("paragraph", "On a machine with 1 GB of memory this is enough:"),
                       ("code", "[memory]\nwrite_buffer = 16 MB\nread_cache   = 128 MB"),
                       mark="16 MB",
                       heading_path=("Installation", "A small machine"),
                       strength="2019-04-04, page 6"),
    )  # fmt: skip
    short = ShortAnswer("64 MB", passages[0].lead.citations, "reader", 0.97)
    answer = Answer("answered", "fact", short=short, passages=passages, searched=Searched(52, 4210))
    return papers.record("How large is the write buffer by default?", answer)


def how_to() -> dict[str, Any]:
    papers = Papers(*NAMES)
    steps = (
        ("list_item", "Stop all writers. Readers may stay connected."),
        ("list_item", "Write a checkpoint, so that the log is empty, and copy the data directory:"),
        ("code", CODE),
        ("list_item", "On the new machine, check the copy before you start the server."),
    )
    path = ("Operation", "Backups", "Moving to another machine")
    passage = papers.passage(1, *steps, heading_path=path, strength="2026-06-03, page 204")
    answer = Answer("answered", "how_to", passages=(passage,), searched=Searched(52, 4210))
    return papers.record("How do I move the database to another machine?", answer)


def overview() -> dict[str, Any]:
    papers = Papers(
        *(f"Minutes of meeting {41 - n} of the harbour board, with an annex" for n in range(14))
    )
    sentence = (
        "The board resolved to dredge the north basin to 6.5 m before the autumn; the "
        "tender goes out in June."
    )
    cards = tuple(
        AnswerCard(source.source_id, source.tag or "", source.title, f"{2026 - n // 5}-02-13",
            "minutes",
                   (papers.passage(n + 1, ("paragraph", sentence), mark="6.5 m before the autumn"),
                       ),
                   ("dredging", "crane"), f"{2026 - n // 5}")
        for n, source in enumerate(papers.sources)
    )  # fmt: skip
    answer = Answer("answered", "overview", cards=cards, searched=Searched(14, 310))
    return papers.record("What do the minutes of the harbour board say?", answer)


def absent() -> dict[str, Any]:
    papers = Papers("Annual report of the harbour office")
    near = papers.passage(1, ("paragraph", "The harbour office has two servers in the old customs "
                                           "house."),
                          heading_path=("IT", "Servers"), strength="2024, page 31")  # fmt: skip
    answer = Answer(
        "not_found",
        "fact",
        absent_terms=("Zeppelin",),
        closest=(near,),
        searched=Searched(240, 9000),
    )
    return papers.record("Which Zeppelin version does the harbour office run?", answer)


def partly() -> dict[str, Any]:
    state = fact()
    parts = (
        AnswerPart("How large is the write buffer?", "answered"),
        AnswerPart("Who chose that size?", "not_found"),
    )
    question = (
        "How large is the write buffer, and who chose that size? " + "It is asked at length. " * 6
    )
    report = replace(state["report"], title=question.strip())
    return {**state, "original_query": question.strip(), "report": report,
            "answer": replace(state["answer"], status="partial", parts=parts,
                short=None)}  # fmt: skip


def unjudged() -> dict[str, Any]:
    state = fake_research.finished()
    claims = tuple(
        replace(claim, confidence=None, level=None, indicator="", verifier="checks")
        for claim in state.claims
    )
    figures = tuple(
        replace(contradiction, nature="figures") for contradiction in state.contradictions
    )
    return {"answer": replace(fake_research.ANSWER, verdict=None, written=()), "claims": claims,
            "contradictions": figures, "user": UserMarks(),
            "quality": replace(state.quality, overall_confidence=None)}  # fmt: skip


def followed() -> dict[str, Any]:
    """Questions asked afterwards: one of an older record, one without an answer, one with one."""
    say = fake_research.say
    turns = (
        Turn("2026-10-14T13:00:00Z", "And in winter?",
            (say(50, fake_research.CLAIMS[4].text, 5, "quote"),)),
        Turn("2026-10-14T13:02:00Z", "Who pays for the connection of a new battery, and is that "
                                     "different in the five "
             "markets that the agency describes?",
             answer=Answer("not_found", "fact", searched=Searched(10))),
        Turn("2026-10-14T13:04:00Z", "How long do flow batteries last?",
             answer=Answer("answered", "fact", passages=fake_research.ANSWER.passages[3:])),
    )  # fmt: skip
    return {"conversation": turns}


ANSWERS: dict[str, Callable[[], dict[str, Any]]] = {
    "fact": fact,
    "how-to": how_to,
    "overview": overview,
    "absent": absent,
    "partial": partly,
    "unjudged": unjudged,
    "followed": followed,
}
