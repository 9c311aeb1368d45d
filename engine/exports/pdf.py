"""pdf: the page of html.py set for paper by WeasyPrint (the extra `pdf`), which is given nothing to
fetch.

Without the extra, or without the Pango library it draws with, the error says how to print from the
browser instead.
"""

from typing import Any, NoReturn

from engine.exports.html import page
from tools.errors import ConfigError
from workflows.research.state import ResearchState

STYLE = """
@page{size:A4;margin:22mm 24mm 24mm;@bottom-center{content:counter(page) " / " counter(pages);color:#515c60}}
@page{@bottom-center{font:8pt "Noto Sans","DejaVu Sans",sans-serif}}
body{font:10.5pt/1.5 Charter,"Bitstream Charter","Noto Serif","Liberation Serif","Noto Serif CJK SC",serif}
body{color:#1b2123;overflow-wrap:break-word;hyphens:auto}
h1{font-size:20pt;line-height:1.2;margin:0 0 8pt}h2{font-size:13pt;margin:20pt 0 6pt;break-after:avoid}
.about,.notes,.sources,table,sup,footer{font-family:"Noto Sans","DejaVu Sans","Noto Sans CJK SC",sans-serif}
.about,.notes,.sources,table,footer{font-size:8.5pt;line-height:1.45;color:#515c60}.notes q{color:#1b2123}
sup{font-size:6.5pt;line-height:0}a{color:#0d5466;text-decoration:none}em{color:#515c60}.back{display:none}
.notes li,.sources li{margin:5pt 0;break-inside:avoid}li{margin:2pt 0}ul,ol{padding-left:14pt}
table{border-collapse:collapse;width:100%}th,td{text-align:start;vertical-align:top;padding:4pt 8pt 4pt 0}
td,th{border-bottom:.5pt solid #d3dadb}tr{break-inside:avoid}
"""  # noqa: E501
MISSING = (
    "A PDF needs the extra: install it with `pip install 'zorora[pdf]'` (and the Pango "
    "library of your system). Without it, open the report in the browser and print it to "
    "a PDF; the page has a layout for paper."
)


def write(state: ResearchState) -> bytes:
    """The file. Raises ConfigError when the extra is not installed."""
    try:
        from weasyprint import HTML
    except (ImportError, OSError) as error:  # OSError: Pango is not there
        raise ConfigError(MISSING) from error
    content: bytes = HTML(string=page(state, STYLE), url_fetcher=_refuse).write_pdf(
        pdf_variant="pdf/ua-1"
    )
    return content


def _refuse(url: str, *_: Any, **__: Any) -> NoReturn:
    raise ValueError(f"nothing is loaded for a PDF, not {url[:80]}")
