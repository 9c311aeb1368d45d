"""Write the example documents that are not plain text: `python -m benchmarks.make_examples
[FOLDER]`.

The texts stand in benchmarks/example_texts as simple Markdown (headings and paragraphs). The files
are made by hand, with fixed dates inside, so that the same texts always give the same bytes: DOCX
(ECMA-376), EPUB 3, PDF 1.4.
"""

import io
import sys
import textwrap
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

TEXTS = Path(__file__).resolve().parent / "example_texts"
EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
MADE = (
    ("storage-review", "batteries/storage-review.pdf", "2025-05-12"),
    ("council-briefing", "batteries/council-briefing.docx", "2025-02-18"),
    ("cooling-review", "trees/cooling-review.pdf", "2024-03-08"),
    ("planting-programme", "trees/planting-programme.docx", "2024-02-14"),
    ("garden-reader", "trees/garden-reader.epub", "2024-04-02"),
)
_ZIP_TIME = (2025, 1, 1, 0, 0, 0)
_LINE, _TOP, _LEFT, _LINES = 14, 780, 70, 50
_COLUMNS = 84  # characters of Helvetica 11 that fit between the margins


@dataclass(frozen=True)
class Block:
    """A heading (level 1 or 2) or a paragraph (level 0)."""

    level: int
    text: str


def main(folder: Path = EXAMPLES) -> None:
    """Write every document below `folder`."""
    for name, target, day in MADE:
        blocks = list(read((TEXTS / f"{name}.md").read_text(encoding="utf-8")))
        path = folder / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(WRITERS[path.suffix](blocks, day))


def read(text: str) -> Iterator[Block]:
    """Blocks of a simple Markdown text."""
    for part in text.split("\n\n"):
        line = " ".join(part.split())
        if line:
            level = len(line) - len(line.lstrip("#"))
            yield Block(level, line.lstrip("# "))


def _style(level: int) -> str:
    """Of a paragraph of DOCX, which makes it a heading."""
    return f'<w:pPr><w:pStyle w:val="Heading{level}"/></w:pPr>' if level else ""


def docx(blocks: Sequence[Block], day: str) -> bytes:
    """A DOCX with Heading 1 and Heading 2, and the title and date in its properties."""
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    package = "http://schemas.openxmlformats.org/package/2006"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    body = "".join(
        f'<w:p>{_style(b.level)}<w:r><w:t xml:space="preserve">{escape(b.text)}</w:t></w:r></w:p>'
        for b in blocks
    )
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{n}"><w:name w:val="heading {n}"/>'
        f'<w:rPr><w:b/><w:sz w:val="{36 - 6 * n}"/></w:rPr></w:style>'
        for n in (1, 2)
    )
    types = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    return _zip(
        ("[Content_Types].xml", f'{_XML}<Types xmlns="{package}/content-types">'
         '<Default Extension="rels" '
         'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
         f'<Override PartName="/word/document.xml" ContentType="{types}.document.main+xml"/>'
         f'<Override PartName="/word/styles.xml" ContentType="{types}.styles+xml"/>'
         '<Override PartName="/docProps/core.xml" '
         'ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>'),
        ("_rels/.rels", f'{_XML}<Relationships xmlns="{package}/relationships">'
         f'<Relationship Id="r1" Type="{office}/officeDocument" Target="word/document.xml"/>'
         f'<Relationship Id="r2" Type="{package}/relationships/metadata/core-properties" '
         'Target="docProps/core.xml"/></Relationships>'),
        ("word/_rels/document.xml.rels", f'{_XML}<Relationships xmlns="{package}/relationships">'
         f'<Relationship Id="r1" Type="{office}/styles" Target="styles.xml"/></Relationships>'),
        ("word/styles.xml", f'{_XML}<w:styles xmlns:w="{word}">{styles}</w:styles>'),
        ("word/document.xml", f'{_XML}<w:document '
                              f'xmlns:w="{word}"><w:body>{body}</w:body></w:document>'),
        ("docProps/core.xml", f'{_XML}<cp:coreProperties '
                              f'xmlns:cp="{package}/metadata/core-properties" '
         'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
         'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
         f'<dc:title>{escape(blocks[0].text)}</dc:title><dc:language>en</dc:language>'
         '<dcterms:created '
         f'xsi:type="dcterms:W3CDTF">{day}T09:00:00Z</dcterms:created></cp:coreProperties>'),
    )  # fmt: skip


def epub(blocks: Sequence[Block], day: str) -> bytes:
    """An EPUB 3 with one chapter per second-level heading."""
    title = escape(blocks[0].text)
    chapters = _chapters(blocks)
    names = [f"c{n}.xhtml" for n in range(1, len(chapters) + 1)]
    items = "".join(
        f'<item id="c{n}" href="{x}" media-type="application/xhtml+xml"/>'
        for n, x in enumerate(names, 1)
    )
    spine = "".join(f'<itemref idref="c{n}"/>' for n in range(1, len(names) + 1))
    links = "".join(
        f'<li><a href="{x}">{escape(c[0].text)}</a></li>'
        for x, c in zip(names, chapters, strict=True)
    )
    package = (
        f'{_XML}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<dc:identifier id="id">urn:example:{day}</dc:identifier><dc:title>{title}</dc:title>'
        f'<dc:language>en</dc:language><dc:date>{day}</dc:date>'
        f'<meta property="dcterms:modified">{day}T09:00:00Z</meta></metadata>'
        '<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" '
        'properties="nav"/>'
        f'{items}</manifest><spine>{spine}</spine></package>'
    )  # fmt: skip
    container = (
        f'{_XML}<container version="1.0" '
        'xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="book/package.opf" '
        'media-type="application/oebps-package+xml"/></rootfiles></container>'
    )
    nav = f'<nav xmlns:epub="http://www.idpf.org/2007/ops" epub:type="toc"><ol>{links}</ol></nav>'
    pages = [
        (f"book/{x}", _page(title, "".join(map(_html, c))))
        for x, c in zip(names, chapters, strict=True)
    ]
    return _zip(
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", container),
        ("book/package.opf", package),
        ("book/nav.xhtml", _page(title, nav)),
        *pages,
    )


def pdf(blocks: Sequence[Block], day: str) -> bytes:
    """A PDF 1.4 in Helvetica, as many pages as the text needs."""
    pages = list(_pages(blocks))
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    info = (
        f"<< /Title ({_pdf_text(blocks[0].text)}) /CreationDate "
        f"(D:{day.replace('-', '')}090000Z) >>"
    )
    objects = [
        "<< /Type /Catalog /Pages 2 0 R /Lang (en) >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
        " /F2 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding "
        ">> >>",
    ]
    for n, content in enumerate(pages):
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font 3 0 R >>"
            f" /Contents {5 + 2 * n} 0 R >>"
        )
        objects.append(
            f"<< /Length {len(content.encode('cp1252'))} >>\nstream\n{content}\nendstream"
        )
    return _pdf_file([*objects, info])


def _pdf_file(objects: Sequence[str]) -> bytes:
    out = io.BytesIO(b"")
    out.write(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(out.tell())
        out.write(f"{number} 0 obj\n{content}\nendobj\n".encode("cp1252"))
    start = out.tell()
    rows = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    out.write(f"xref\n0 {size}\n0000000000 65535 f \n{rows}".encode("ascii"))
    out.write(
        (
            f"trailer\n<< /Size {size} /Root 1 0 R /Info {size - 1} 0 R >>\n"
            f"startxref\n{start}\n%%EOF\n"
        ).encode()
    )
    return out.getvalue()


def _pages(blocks: Sequence[Block]) -> Iterator[str]:
    """Content streams: one line of text an operator, an empty line before each block."""
    lines: list[tuple[str, int, str]] = []
    for block in blocks:
        font, size = ("F2", 16 if block.level == 1 else 13) if block.level else ("F1", 11)
        columns = _COLUMNS if not block.level else 60
        lines += [
            (font, size, line)
            for line in textwrap.wrap(block.text, columns, break_on_hyphens=False)
        ]
        lines.append(("F1", 11, ""))
    for start in range(0, len(lines), _LINES):
        parts = [f"BT {_LEFT} {_TOP} Td {_LINE} TL"]
        parts += [
            f"/{font} {size} Tf ({_pdf_text(line)}) Tj T*"
            for font, size, line in lines[start : start + _LINES]
        ]
        yield "\n".join([*parts, "ET"])


def _pdf_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _chapters(blocks: Sequence[Block]) -> list[list[Block]]:
    chapters: list[list[Block]] = [[]]
    for block in blocks:
        if block.level == 2:
            chapters.append([])
        chapters[-1].append(block)
    return chapters


def _html(block: Block) -> str:
    tag = f"h{block.level}" if block.level else "p"
    return f"<{tag}>{escape(block.text)}</{tag}>"


def _page(title: str, body: str) -> str:
    return (
        f'{_XML}<html xmlns="http://www.w3.org/1999/xhtml" '
        f'lang="en"><head><title>{title}</title></head>'
        f"<body>{body}</body></html>"
    )


_XML = '<?xml version="1.0" encoding="UTF-8"?>'


def _zip(*parts: tuple[str, str]) -> bytes:
    """A zip with fixed times; the first part of an EPUB is stored uncompressed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in parts:
            entry = zipfile.ZipInfo(name, _ZIP_TIME)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(entry, text.encode("utf-8"))
    return out.getvalue()


WRITERS = {".docx": docx, ".epub": epub, ".pdf": pdf}

if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
