"""The parts of a WordprocessingML file (ECMA-376, part 1) that do not change, and the archive
around them."""

import io
import zipfile
from collections.abc import Mapping
from xml.sax.saxutils import escape, quoteattr

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_REL = "http://schemas.openxmlformats.org/package/2006/relationships"
_DOC = f"{_R}/"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_FIRST = (1980, 1, 1, 0, 0, 0)  # the archive of one research is the same every time

STYLES = (
    '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Georgia" w:hAnsi="Georgia" w:cs="Times '
    'New Roman"/>'
    '<w:sz w:val="22"/><w:szCs w:val="22"/><w:lang '
    'w:val="en-GB"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr>'
    '<w:spacing w:after="140" w:line="300" '
    'w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>'
)
_STYLES = (
    # id, name, kind, based on, paragraph properties, run properties
    ("Normal", "Normal", "paragraph", "", "", ""),
    ("Title", "Title", "paragraph", "Normal", '<w:spacing w:after="120"/>',
        '<w:b/><w:sz w:val="40"/>'),
    ("Heading1", "heading 1", "paragraph", "Normal",
     '<w:keepNext/><w:spacing w:before="360" w:after="100"/><w:outlineLvl w:val="0"/>',
     '<w:b/><w:sz w:val="27"/>'),
    ("ListBullet", "List Bullet", "paragraph", "Normal",
     '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:spacing w:after="80"/>', ""),
    ("Quiet", "Quiet", "paragraph", "Normal", "", '<w:i/><w:color w:val="515C60"/><w:sz '
                                                  'w:val="20"/>'),
    ("Reference", "Reference", "paragraph", "Normal", '<w:spacing w:after="80"/><w:ind '
                                                      'w:left="480" w:hanging="480"/>',
     '<w:sz w:val="19"/>'),
    ("FootnoteText", "footnote text", "paragraph", "Normal", '<w:spacing w:after="40" w:line="240" '
                                                             'w:lineRule="auto"/>',
     '<w:sz w:val="18"/>'),
    ("FootnoteReference", "footnote reference", "character", "", "", '<w:vertAlign '
                                                                     'w:val="superscript"/>'),
    ("Hyperlink", "Hyperlink", "character", "", "", '<w:color w:val="0D5466"/><w:u '
                                                    'w:val="single"/>'),
)  # fmt: skip
_NUMBERING = (
    '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText '
    'w:val="•"/>'
    '<w:pPr><w:ind w:left="400" w:hanging="280"/></w:pPr></w:lvl></w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
)
_SEPARATORS = (
    '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>'
    '<w:footnote w:type="continuationSeparator" '
    'w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>'
)
_PAGE = (
    '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1300" w:right="1500" '
    'w:bottom="1300" w:left="1500" '
    'w:header="700" w:footer="700" w:gutter="0"/></w:sectPr>'
)


def archive(
    body: str, footnotes: str, links: Mapping[str, str], title: str, timestamp: str
) -> bytes:
    """A document. links: address -> relation id, of the footnotes or the body alike. timestamp: ISO
    time."""
    parts = {
        "[Content_Types].xml": _content_types(),
        "_rels/.rels": _relations({"rId1": (_DOC + "officeDocument", "word/document.xml", False),
                                   "rId2": (_REL + "/metadata/core-properties", "docProps/core.xml",
                                       False)}),
        "docProps/core.xml": _core(title, timestamp),
        "word/document.xml": _part("document", f"<w:body>{body}{_PAGE}</w:body>"),
        "word/styles.xml": _part("styles", STYLES + "".join(_style(*row) for row in _STYLES)),
        "word/numbering.xml": _part("numbering", _NUMBERING),
        "word/footnotes.xml": _part("footnotes", _SEPARATORS + footnotes),
        "word/_rels/document.xml.rels": _relations(_inside() | _outside(links)),
        "word/_rels/footnotes.xml.rels": _relations(_outside(links)),
    }  # fmt: skip
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, text in parts.items():
            info = zipfile.ZipInfo(name, _FIRST)
            file.writestr(info, (_HEAD + text).encode("utf-8"), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _part(name: str, inside: str) -> str:
    return f'<w:{name} xmlns:w="{_W}" xmlns:r="{_R}">{inside}</w:{name}>'


def _style(name: str, label: str, kind: str, base: str, paragraph: str, run: str) -> str:
    default = ' w:default="1"' if name == "Normal" else ""
    based = f'<w:basedOn w:val="{base}"/>' if base else ""
    inside = (f"<w:pPr>{paragraph}</w:pPr>" if paragraph else "") + (
        f"<w:rPr>{run}</w:rPr>" if run else ""
    )
    head = (
        f'<w:style w:type="{kind}"{default} w:styleId="{name}"><w:name '
        f'w:val="{label}"/>{based}<w:qFormat/>'
    )
    return f"{head}{inside}</w:style>"


def _content_types() -> str:
    names = {
        "document": "document.main",
        "styles": "styles",
        "numbering": "numbering",
        "footnotes": "footnotes",
    }
    rows = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{_TYPE}{kind}+xml"/>'
        for name, kind in names.items()
    )
    return (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{rows}<Override '
        'PartName="/docProps/core.xml" '
        'ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>'
    )


def _inside() -> dict[str, tuple[str, str, bool]]:
    return {
        name: (_DOC + name, f"{name}.xml", False) for name in ("styles", "numbering", "footnotes")
    }


def _outside(links: Mapping[str, str]) -> dict[str, tuple[str, str, bool]]:
    return {name: (_DOC + "hyperlink", target, True) for target, name in links.items()}


def _relations(rows: Mapping[str, tuple[str, str, bool]]) -> str:
    mode = ' TargetMode="External"'
    inside = "".join(
        f'<Relationship Id="{name}" Type="{kind}" '
        f"Target={quoteattr(target)}{mode if external else ''}/>"
        for name, (kind, target, external) in rows.items()
    )
    return f'<Relationships xmlns="{_REL}">{inside}</Relationships>'


def _core(title: str, timestamp: str) -> str:
    at = timestamp or "2000-01-01T00:00:00Z"
    return (
        "<cp:coreProperties "
        'xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{escape(title)}</dc:title><dc:creator>Zorora</dc:creator>"
        "<dcterms:created "
        f'xsi:type="dcterms:W3CDTF">{escape(at)}</dcterms:created></cp:coreProperties>'
    )
