"""Sentences of a report with their evidence: tags, sidenote, confidence sign. Made once per page
from a state."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import quote

from engine.models import Claim, Evidence, ResearchState, Sentence, SentenceKind, Snapshot, Source
from engine.reports.figures import Rating, rating_of
from ui.web.views.labels import judge_name, site
from ui.web.views.quote_trimming import cut

GLYPHS = {"✓✓": "g-high", "✓": "g-ok", "⚠": "g-low"}
TIP = 3  # sources that a tooltip names
IN_PARAGRAPH = 4  # sentences, at most
# The weightiest first
MARKS = {
    "no": "disputed by you",
    "part": "only partly, you found",
    "yes": "checked by you",
}
WORDS = {"g-high": "Well supported", "g-ok": "Supported", "g-low": "Weakly supported"}


@dataclass(frozen=True, slots=True)
class Cite:
    """A tag and where it leads: the reader at the passage, or the source's entry where no text was
    kept."""

    tag: str
    href: str


@dataclass(frozen=True, slots=True)
class Note:
    """A sidenote: the best quote where the sentence is in other words, its source, and the tags of
    the others.

    who is "ibid." for the same source again.
    """

    quote: str
    cite: Cite
    who: str
    also: tuple[Cite, ...]
    credibility: Rating


@dataclass(frozen=True, slots=True)
class Glyph:
    """The sign of a judged claim, the words behind it, and the page that adds the confidence up."""

    name: str
    tip: str
    href: str = "#legend"


@dataclass(frozen=True, slots=True)
class Shown:
    """A sentence ready to be rendered. Narration has no citations, sign or note; what nobody judged
    has no sign.

    mark: what the user found when checking it, in words.
    """

    id: str
    text: str
    cites: tuple[Cite, ...] = ()
    glyph: Glyph | None = None
    note: Note | None = None
    mark: str = ""


class Citing:
    """Looks up what sentences refer to. Unknown ids are left out rather than breaking a page."""

    def __init__(self, state: ResearchState, older: bool = False) -> None:
        """older: the record is a kept revision, and its links lead to texts marked as they were in
        it."""
        self.base = research_address(state.research_id)
        self._tail = f"?revision={state.revision}" if older else ""
        self.home = f"{self.base}/revision/{state.revision}" if older else self.base
        self.sources: dict[str, Source] = {source.source_id: source for source in state.sources}
        self.evidence: dict[str, Evidence] = {item.evidence_id: item for item in state.evidence}
        self.claims: dict[str, Claim] = {claim.claim_id: claim for claim in state.claims}
        self.snapshots: dict[str, Snapshot] = {snap.snapshot_id: snap for snap in state.snapshots}
        self._checks = {(check.source_id, check.text): check.mark for check in state.user.checks}

    def reader(self, source_id: str, evidence_id: str = "") -> str:
        """The address of a source's text, at a passage when one is named."""
        anchor = f"#{quote(evidence_id, safe='')}" if evidence_id in self.evidence else ""
        return f"{self.base}/source/{quote(source_id, safe='')}{self._tail}{anchor}"

    def why(self, claim_id: str) -> str:
        """The address of the page that explains the confidence of a statement."""
        return f"{self.base}/claim/{quote(claim_id, safe='')}{self._tail}"

    def cite(self, source_id: str, evidence_id: str = "", tag: str = "") -> Cite:
        source = self.sources.get(source_id)
        tag = tag or (source.tag if source and source.tag else "?")
        return Cite(tag, self.reader(source_id, evidence_id))

    def paragraph(self, sentences: Iterable[Sentence]) -> list[Shown]:
        """Sentences in order; a sidenote of the same source as the one before reads ibid."""
        sentences_shown, before = [], ""
        for sentence in sentences:
            sentences_shown.append(self.show(sentence, before))
            if sentence.citations:
                before = sentence.citations[0].source_id
        return sentences_shown

    def paragraphs(self, sentences: Iterable[Sentence]) -> list[list[Shown]]:
        """Sentences in paragraphs of about equal length, at most four each; a narration stays with
        what it follows."""
        sentences_shown = self.paragraph(sentences)
        if not sentences_shown:
            return []
        groups = -(-len(sentences_shown) // IN_PARAGRAPH)
        length, extra = divmod(len(sentences_shown), groups)
        out, at = [], 0
        for number in range(groups):
            end = at + length + (number < extra)
            out.append(sentences_shown[at:end])
            at = end
        return out

    def each(self, sentences: Iterable[Sentence]) -> list[Shown]:
        """Sentences that stand each by itself."""
        return [self.show(sentence) for sentence in sentences]

    def show(self, sentence: Sentence, before: str = "") -> Shown:
        if sentence.kind == SentenceKind.NARRATION or not sentence.citations:
            return Shown(sentence.sentence_id, sentence.text)
        cites = tuple(self._tags(sentence))
        mark = self.mark(sentence.text, (citation.source_id for citation in sentence.citations))
        note = self._note(sentence, cites, before)
        return Shown(sentence.sentence_id, sentence.text, cites, self.glyph(sentence), note, mark)

    def mark(self, text: str, source_ids: Iterable[str]) -> str:
        """What the user found when checking a text against these sources, the weightiest where they
        differ."""
        marks = {self._checks.get((source_id, text)) for source_id in source_ids}
        return next((words for mark, words in MARKS.items() if mark in marks), "")

    def _tags(self, sentence: Sentence) -> Iterable[Cite]:
        tags_so_far = set()
        for citation in sentence.citations:
            if citation.source_id in self.sources and citation.source_id not in tags_so_far:
                tags_so_far.add(citation.source_id)
                yield self.cite(citation.source_id, citation.evidence_id, citation.tag)

    def _note(self, sentence: Sentence, cites: tuple[Cite, ...], before: str) -> Note | None:
        best = sentence.citations[0]
        source, evidence = self.sources.get(best.source_id), self.evidence.get(best.evidence_id)
        if source is None:
            return None
        same = best.source_id == before
        page = self.page(evidence)
        who = "ibid." if same else byline(source)
        return Note(
            quote=self._quote(evidence, sentence) if evidence else "",
            cite=cites[0],  # of the best, since its source is known
            who=f"{who}, p.\u00a0{page}" if page else who,
            also=cites[1:4],
            credibility=None if same else rating_of(source),
        )

    def _quote(self, evidence: Evidence, sentence: Sentence) -> str:
        """The support in its surroundings; nothing for a sentence that is the quotation itself."""
        same = " ".join(evidence.quote.split()).strip('“”"') == " ".join(
            sentence.text.split()
        ).strip('“”"')
        return "" if same else cut(evidence.quote, sentence.text)

    def page(self, evidence: Evidence | None) -> int | None:
        """The page on which a span begins, in paged documents."""
        snapshot = self.snapshots.get(evidence.snapshot_id) if evidence else None
        if not snapshot or not evidence:
            return None
        return max(
            (page.page for page in snapshot.pages if page.start <= evidence.start), default=None
        )

    def glyph(self, sentence: Sentence) -> Glyph | None:
        claims = [self.claims[name] for name in sentence.claim_ids if name in self.claims]
        judged = [
            (claim.confidence, claim.claim_id) for claim in claims if claim.confidence is not None
        ]
        glyph = self.claim_glyph(self.claims[min(judged)[1]]) if judged else None
        if glyph is None:
            return None
        more = {
            "edited": "; edited quotation",
            "written": f"; written by {sentence.model or 'a model'}",
        }
        return replace(glyph, tip=glyph.tip + more.get(sentence.kind, ""))

    def claim_glyph(self, claim: Claim) -> Glyph | None:
        """The sign of a judged claim: who says the opposite is named. None where nobody judged
        it."""
        if claim.confidence is None:
            return None
        name = GLYPHS.get(claim.indicator, "g-low")
        alone = name == "g-low" and claim.independent_sources == 1
        # A weaker voice leaves a claim its sign
        contested = name == "g-low" and claim.contradicting_evidence_ids
        tip = "Disputed" if contested else "Single source" if alone else WORDS[name]
        parts = [tip, self._opponents(claim), judge_name(claim)]
        return Glyph(name, "; ".join(part for part in parts if part), self.why(claim.claim_id))

    def _opponents(self, claim: Claim) -> str:
        """ "S2, S5 disagree" """
        against = {
            self.evidence[name].source_id
            for name in claim.contradicting_evidence_ids
            if name in self.evidence
        }
        sources = (self.sources.get(source_id) for source_id in sorted(against))
        tags = [source.tag for source in sources if source and source.tag]
        if not tags:
            return ""
        more = f" and {len(tags) - TIP} more" if len(tags) > TIP else ""
        return f"{', '.join(tags[:TIP])}{more} {'disagrees' if len(tags) == 1 else 'disagree'}"


def research_address(research_id: str) -> str:
    """The permalink of a research."""
    return f"/research/{quote(research_id, safe='')}"


def byline(source: Source) -> str:
    """Who and when: "A. Author, B. Author, 2024"."""
    who, year = author(source), year_of(source)
    if source.is_local and not source.authors:
        who = short(source.title, 21 if year else 24) or who
    return f"{who}, {year}" if year else who


def short(text: str, length: int) -> str:
    """The text cut at a word, with an ellipsis."""
    if len(text) <= length:
        return text
    return text[: max(text.rfind(" ", 0, length), length // 2)].rstrip(" ,;:") + "…"


def author(source: Source) -> str:
    """Authors, or who published it, or the site it stands on."""
    names = [name for name in source.authors if name.strip()]
    if len(names) > 2:
        return f"{names[0]} et al."
    if names:
        return ", ".join(names)
    if source.is_local:
        return "Your document"
    return source.venue or source.publisher or site(source.url) or source.title[:60] or "Unknown"


def year_of(source: Source) -> str:
    return (source.published or "")[:4]
