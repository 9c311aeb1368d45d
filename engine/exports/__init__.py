"""Formats a research can be exported in: one file each, and one line in FORMATS."""

from collections.abc import Callable

from engine.answers import Exported
from engine.exports import bibtex, csl, docx, graph, html, markdown, pdf, record, ris, table
from engine.exports.form import Format
from tools.errors import NotFound
from workflows.research.state import ResearchState

FORMATS: tuple[Format, ...] = (
    Format(
        "md",
        "Markdown",
        ".md",
        "text/markdown; charset=utf-8",
        markdown.write,
        holds_turns=True,
    ),
    Format(
        "html",
        "Web page, one file",
        ".html",
        "text/html; charset=utf-8",
        html.write,
        takes="excerpts",
        holds_turns=True,
    ),
    Format("pdf", "PDF", ".pdf", "application/pdf", pdf.write, holds_turns=True),
    Format("docx", "Word document", ".docx", docx.MEDIA_TYPE, docx.write, holds_turns=True),
    Format(
        "json",
        "Record (JSON)",
        ".json",
        "application/json",
        record.write,
        takes="texts",
        holds_turns=True,
    ),
    Format(
        "bibtex",
        "BibTeX",
        ".bib",
        "application/x-bibtex; charset=utf-8",
        bibtex.write,
        takes="everything",
    ),
    Format(
        "ris",
        "RIS",
        ".ris",
        "application/x-research-info-systems; charset=utf-8",
        ris.write,
        takes="everything",
    ),
    Format(
        "csl",
        "CSL JSON",
        ".csl.json",
        "application/vnd.citationstyles.csl+json",
        csl.write,
        takes="everything",
    ),
    Format("matrix", "Evidence matrix, CSV", ".csv", "text/csv; charset=utf-8", table.write),
    Format(
        "graphml",
        "Citation graph, GraphML",
        ".graphml",
        "application/graphml+xml",
        graph.write_graphml,
    ),
    Format(
        "dot", "Citation graph, DOT", ".dot", "text/vnd.graphviz; charset=utf-8", graph.write_dot
    ),
)


def export(
    state: ResearchState, name: str, texts: Callable[[str], str] | None = None, whole: bool = True
) -> Exported:
    """A research in one format. texts: gives the text of a snapshot, for the formats that can hold
    texts.

    whole: with whole texts, where the format may have them; excerpts stand in a format that shows
    them either way. Raises NotFound for a format there is not.
    """
    export_format = _find_format(name)
    if name != export_format.name:
        data = export_format.write(state, everything=True)
    elif texts and (
        export_format.takes == "excerpts" or (whole and export_format.takes == "texts")
    ):
        data = export_format.write(state, texts)
    else:
        data = export_format.write(state)
    content = data if isinstance(data, bytes) else data.encode("utf-8", "replace")
    return Exported(content, export_format.media_type, f"{state.research_id}{export_format.suffix}")


def _find_format(name: str) -> Format:
    for form in FORMATS:
        if name == form.name or (
            form.takes == "everything" and name == f"{form.name}-all"
        ):  # with the sources that are not cited
            return form
    raise NotFound(
        f"There is no format {name!r}; choose one of {', '.join(form.name for form in FORMATS)}."
    )
