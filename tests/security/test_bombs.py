# ruff: noqa: E501 -- one bomb, one line
"""Small files that want to become large, deep or endless: refused with a sentence, in time, within bounds of memory."""

import io
import resource
import struct
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator

import pytest

from tests.tools.parsing import making
from tools.documents.parse_pool import ParsePool
from tools.errors import ParseError, SourceError
from tools.net.body import read_body

pytestmark = pytest.mark.lab
MB = 1_000_000
MOST = 30.0  # seconds


def zeros(megabytes: int) -> bytes:
    """So many megabytes of zeros, as deflate packs them: a thousandth."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return b"".join(packer.compress(bytes(MB)) for _ in range(megabytes)) + packer.flush()


def lying_zip(name: str, packed: bytes, size: int, copies: int = 1) -> bytes:
    """A ZIP whose entries say that they hold `size` bytes; all of them may lie over the same packed bytes."""
    local = (
        struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0, 8, 0, 0, 0, len(packed), size, len(name), 0)
        + name.encode()
    )
    body, directory = local + packed, b""
    for number in range(copies):
        entry = name if number == 0 else f"{number}{name}"
        directory += struct.pack(
            "<4s6H3I5H2I", b"PK\x01\x02", 20, 20, 0, 8, 0, 0, 0, len(packed), size, len(entry), 0, 0, 0, 0, 0, 0
        ) + entry.encode()  # fmt: skip
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, copies, copies, len(directory), len(body), 0)
    return body + directory + end


def many_entries(count: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number in range(count):
            archive.writestr(f"OPS/{number}.xhtml", "")
        archive.writestr("mimetype", "application/epub+zip")
    return out.getvalue()


def pdf_stream(packed: bytes, filters: str = "/FlateDecode") -> bytes:
    stream = b"<< /Length %d /Filter %s >>\nstream\n%s\nendstream" % (
        len(packed),
        filters.encode(),
        packed,
    )
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>",
        stream,
    ]
    body, places = b"%PDF-1.7\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        body
        + b"xref\n0 5\n0000000000 65535 f \n"
        + table
        + b"trailer << /Root 1 0 R /Size 5 >>\nstartxref\n%d\n%%%%EOF" % len(body)
    )


LAUGHS = (
    "<!DOCTYPE a [<!ENTITY a0 'ha'>"
    + "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 12))
    + "]>"
)
QUADRATIC = f"<!DOCTYPE a [<!ENTITY a '{'a' * 50_000}'>]>"
OUTSIDE = "<!DOCTYPE a [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>"
BODY = "<article><body><p>&a11;&a;</p></body></article>"

BOMBS: dict[str, Callable[[], bytes]] = {
    "one entry of 300 megabytes.docx": lambda: making.packed({"word/document.xml": bytes(300 * MB)}),
    "lying about its size.docx": lambda: lying_zip("word/document.xml", zeros(300), 10),
    "overlapping entries.epub": lambda: lying_zip("OPS/a.xhtml", zeros(40), 40 * MB, 3000),
    "a hundred thousand entries.epub": lambda: many_entries(100_000),
    "zip in zip.docx": lambda: making.packed({"word/document.xml": making.packed({"a": bytes(50 * MB)})}),
    "climbing names.epub": lambda: making.packed(
        {"../../etc/passwd": "x", "/abs": "x", "META-INF/container.xml": making.CONTAINER.replace("OPS/book.opf", "../../x")}
    ),
    "billion laughs.xml": lambda: (LAUGHS + BODY).encode(),
    "quadratic blow-up.xml": lambda: (QUADRATIC + "<article><body><p>" + "&a;" * 50_000 + "</p></body></article>").encode(),
    "a file of the system.xml": lambda: (OUTSIDE + BODY).encode(),
    "entities in UTF-16.xml": lambda: ("<?xml version='1.0' encoding='utf-16'?>" + LAUGHS + BODY).encode("utf-16"),
    "entities in a document.docx": lambda: making.packed(
        {"[Content_Types].xml": making.TYPES, "_rels/.rels": making.RELATIONS, "word/document.xml": LAUGHS + BODY}
    ),
    "two hundred thousand levels.xml": lambda: b"<article><body>" + b"<sec>" * 200_000,
    "two hundred thousand levels.html": lambda: b"<p>text" + b"<div>" * 200_000,
    "deep.json": lambda: b'{"a":' * 500_000,
    "wide numbers.json": lambda: b"[" + b"9" * 2_000_000 + b"]",
    "one page of a hundred megabytes.pdf": lambda: pdf_stream(zlib.compress(b"q " * 50 * MB, 9)),
    "packed twice.pdf": lambda: pdf_stream(zlib.compress(zlib.compress(bytes(200 * MB), 9), 9), "[/FlateDecode /FlateDecode]"),
    "a million pages.pdf": lambda: pdf_stream(b"").replace(b"/Count 1 ", b"/Count 9999999 "),
    "pages in a circle.pdf": lambda: pdf_stream(b"").replace(b"/Kids [3 0 R]", b"/Kids [2 0 R]"),
    "a million columns.csv": lambda: b"a," * 2_000_000,
}  # fmt: skip


@pytest.fixture(scope="module")
def pool() -> Iterator[ParsePool]:
    with ParsePool() as pool:
        yield pool


def test_every_bomb_is_read_within_bounds_or_refused(
    pool: ParsePool, tell: Callable[[str, int, int], None]
) -> None:
    wrong = []
    for name, make in BOMBS.items():
        data, begun = make(), time.monotonic()
        try:
            text = pool.parse(data, name=name).text
            if len(text) > 20 * MB or "root:" in text or "hahaha" in text:
                wrong.append(f"{name}: gave {len(text)} characters")
        except ParseError as refusal:
            # pdfium ends its process when it gets no more memory: that is the bound at work
            if not str(refusal).endswith(".") or ("crashed" in str(refusal) and ".pdf" not in name):
                wrong.append(f"{name}: {refusal}")
        if time.monotonic() - begun > MOST:
            wrong.append(f"{name}: {time.monotonic() - begun:.0f} s")
        assert pool.parse(b"Still here.", name="a.txt").text == "Still here."
    tell("archives, XML, JSON and PDF made to grow", len(BOMBS), len(wrong))
    assert wrong == []


def test_packed_answers_stop_at_the_limit(tell: Callable[[str, int, int], None]) -> None:
    inner = zlib.compress(bytes(100 * MB), 9)
    gzip = zlib.compressobj(9, wbits=31)
    packed = gzip.compress(inner) + gzip.flush()
    cases = (
        ("deflate", inner), ("gzip", zlib.compressobj(9, wbits=31).compress(b"") + packed), ("deflate, gzip", packed),
        ("gzip, gzip, gzip, gzip, gzip", packed), ("br", b"\x8b\x03\x80" * 100), ("zstd", b"\x28\xb5\x2f\xfd"),
        ("gzip", packed * 50), ("identity", bytes(11 * MB)), ("deflate", zeros(100)),
    )  # fmt: skip
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    through = 0
    for coding, body in cases:
        try:
            through += len(read_body([body], {"content-encoding": coding}, 10 * MB)) > 10 * MB
        except SourceError:
            continue
    tell("packed answers (gzip, deflate, brotli, layers)", len(cases), through)
    assert through == 0
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150_000, "kilobytes"
