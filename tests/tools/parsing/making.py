"""Small documents made by hand for the tests: PDF, DOCX, EPUB."""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence

Placed = tuple[float, float, float, str]  # x, y, font size (negative: bold), text

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.'
    'wordprocessingml.document.main+xml"/></Types>'
)
RELATIONS = (
    "<Relationships "
    'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)
CORE = (
    "<cp:coreProperties "
    'xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Wind</dc:title>'
    "<dc:creator>Ada Lee; Bo "
    "Chen</dc:creator><dcterms:created>2024-05-01T10:00:00Z</dcterms:created>"
    "</cp:coreProperties>"
)
CONTAINER = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    """A ZIP of some parts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def pdf(
    pages: Sequence[Sequence[Placed]], info: str = "", outline: Sequence[tuple[str, int]] = ()
) -> bytes:
    """A PDF with Helvetica text at given places. info: entries of the Info dictionary; outline:
    title, page."""
    first_page = 6 + len(outline)
    kids = " ".join(f"{first_page + 2 * n} 0 R" for n in range(len(pages)))
    catalog = "/Type /Catalog /Pages 2 0 R" + (" /Outlines 6 0 R" if outline else "")
    bodies = [
        f"<< {catalog} >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
        f"<< {info} >>",
    ]
    if outline:
        first_page += 1
        bodies[1] = bodies[1].replace(
            kids, " ".join(f"{first_page + 2 * n} 0 R" for n in range(len(pages)))
        )
        bodies.append(f"<< /First 7 0 R /Last {6 + len(outline)} 0 R /Count {len(outline)} >>")
        for n, (title, page) in enumerate(outline):
            after = f" /Next {8 + n} 0 R" if n + 1 < len(outline) else ""
            target = first_page + 2 * (page - 1)
            bodies.append(f"<< /Title ({title}) /Parent 6 0 R /Dest [{target} 0 R /Fit]{after} >>")
    for n, placed in enumerate(pages):
        stream = "\n".join(
            f"BT /{'B' if size < 0 else 'F'} {abs(size)} Tf {x} {y} Td ({_escaped(text)}) Tj ET"
            for x, y, size, text in placed
        )
        number = first_page + 2 * n
        bodies.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {number + 1} 0 R "
            "/Resources << /Font << /F 3 0 R /B 4 0 R >> >> >>"
        )
        bodies.append(f"<< /Length {len(stream.encode('cp1252'))} >>\nstream\n{stream}\nendstream")
    return _numbered(bodies)


def bitmap_pdf(texts: Sequence[Placed]) -> bytes:
    """A page with fonts of bitmaps as dvips makes them, one for each size: all say that they are as
    large as a pixel."""
    pixel = 0.24
    sizes = sorted({size for _, _, size, _ in texts})
    letters = [chr(code) for code in range(ord("A"), ord("z") + 1)]
    names = " ".join(f"/c{ord(letter)}" for letter in letters)
    fonts, glyphs = [], []
    for number, size in enumerate(sizes):
        width = round(0.5 * size / pixel)
        first = 5 + len(sizes) + len(letters) * number
        procs = " ".join(f"/c{ord(letter)} {first + at} 0 R" for at, letter in enumerate(letters))
        fonts.append(
            "<< /Type /Font /Subtype /Type3 /FontMatrix [1 0 0 1 0 0] "
            f"/FontBBox [0 0 {width} {2 * width}] /CharProcs << {procs} >> "
            f"/Encoding << /Type /Encoding /Differences [65 {names}] >> /FirstChar 65 "
            f"/LastChar {64 + len(letters)} /Widths [{' '.join([str(width)] * len(letters))}] >>"
        )
        for letter in letters:
            share = 0.45 if letter in "acemnorsuvwxz" else 0.69
            drawn = (
                f"{width} 0 0 0 {width} {2 * width} d1 "
                f"1 0 {width - 1} {round(share * size / pixel)} re f"
            )
            glyphs.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
    stream = "\n".join(
        f"BT /F{sizes.index(size)} {pixel} Tf {x + at * 0.5 * size:.2f} {y} Td ({word}) Tj ET"
        for x, y, size, text in texts
        for at, word in _words_at(text)
    )
    named = " ".join(f"/F{number} {5 + number} 0 R" for number in range(len(sizes)))
    return _numbered(
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
            f"/Resources << /Font << {named} >> >> >>",
            f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
            *fonts,
            *glyphs,
        ]
    )


def _words_at(text: str) -> Iterator[tuple[int, str]]:
    """The words of a line, each with the number of letters before it."""
    for match in re.finditer(r"\S+", text):
        yield match.start(), match.group()


def lines(
    x: float, top: float, texts: Sequence[str], size: float = 10, step: float = 12
) -> list[Placed]:
    """Lines under each other."""
    return [(x, top - step * n, size, text) for n, text in enumerate(texts)]


def docx(body: str, **parts: str | bytes) -> bytes:
    """A Word document with that content of w:body; `parts`: core=... and others by name."""
    document = f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
    members: dict[str, str | bytes] = {
        "[Content_Types].xml": TYPES,
        "_rels/.rels": RELATIONS,
        "word/document.xml": document,
    }
    return packed(members | {f"docProps/{name}.xml": data for name, data in parts.items()})


def paragraph(text: str, style: str = "") -> str:
    """A w:p."""
    styled = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{styled}<w:r><w:t>{text}</w:t></w:r></w:p>"


def epub(
    chapters: Mapping[str, str], metadata: str = "", more: Mapping[str, str | bytes] | None = None
) -> bytes:
    """A book of XHTML chapters by file name, in that order."""
    items = "".join(
        f'<item id="i{n}" href="{name}" media-type="application/xhtml+xml"/>'
        for n, name in enumerate(chapters)
    )
    spine = "".join(f'<itemref idref="i{n}"/>' for n in range(len(chapters)))
    opf = (
        f'<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">{metadata}'
        f"</metadata><manifest>{items}"
        '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
        '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
        f"</manifest><spine>{spine}</spine></package>"
    )
    pages = {f"OPS/{name}": f"<html><body>{body}</body></html>" for name, body in chapters.items()}
    return packed(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": CONTAINER,
            "OPS/book.opf": opf,
        }
        | pages
        | dict(more or {})
    )


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _numbered(bodies: Sequence[str]) -> bytes:
    out = io.BytesIO(b"")
    out.write(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(bodies, 1):
        places.append(out.tell())
        out.write(f"{number} 0 obj\n{body}\nendobj\n".encode("cp1252"))
    start = out.tell()
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    out.write(f"xref\n0 {len(bodies) + 1}\n0000000000 65535 f \n{table}".encode())
    out.write(
        f"trailer << /Size {len(bodies) + 1} /Root 1 0 R /Info 5 0 R >>\nstartxref\n{start}\n"
        "%%EOF".encode()
    )
    return out.getvalue()
