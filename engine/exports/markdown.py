"""md: the report as the run wrote it, and the sources it stands on."""

from engine.exports import outline
from engine.exports.form import described, link_of
from engine.reports.figures import credibility_words, listed
from tools.sources.source import Source
from tools.text.plain import line
from workflows.research.report.markdown import block_markdown, conversation, escape
from workflows.research.state import ResearchState


def write(state: ResearchState) -> str:
    parts = [
        state.synthesis.strip()
        or f"# {escape(line(state.original_query))}\n\nNo report was written."
    ]
    parts += [turns] if not state.is_conversation and (turns := conversation(state)) else []
    sources = listed(state)
    if sources:
        parts.append("## Sources\n\n" + "\n".join(_entry(source) for source in sources))
    parts += [block_markdown(block) for block in outline.apparatus(state)]
    parts.append(
        f"Report {state.research_id}, {state.status}, depth {state.config.depth}, as of "
        f"{state.as_of}."
    )
    return "\n\n".join(parts) + "\n"


def _entry(source: Source) -> str:
    text = escape(described(source).rstrip("."))
    link = link_of(source)
    place = f" <{link}>" if link else ""
    words = credibility_words(source)
    score = f" {words.capitalize()}." if words else ""
    return f"- **{escape(source.tag or '–')}** {text}.{place}{score}"
