"""ZIP packages (DOCX, EPUB) opened within limits, and their XML without entities."""

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from tools.errors import ParseError

_MB = 1024 * 1024
MAX_ENTRIES = 10_000
MAX_UNPACKED = 300 * _MB
MAX_PART = 60 * _MB
MAX_RATIO = 200  # text packs to a tenth; only bombs pack much better
_MIN_SUSPICIOUS = 10 * _MB
# Office and EPUB markup never declares entities; a declaration is an attack ("billion laughs") or a
# broken file.
_ENTITY = re.compile(rb"<!ENTITY", re.I)
_REFERENCE = re.compile(rb"&#(?:[xX]([0-9a-fA-F]{1,8})|([0-9]{1,8}));")


class Package:
    """The parts of a ZIP package by name. Everything is checked before anything is unpacked."""

    def __init__(self, data: bytes, what: str) -> None:
        self.what = what
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, EOFError, NotImplementedError, OSError) as exc:
            raise ParseError(
                f"This {what} is damaged: its packing cannot be read; save or download it again."
            ) from exc
        entries = self._archive.infolist()
        if len(entries) > MAX_ENTRIES:
            raise ParseError(
                f"This {what} contains {len(entries):,} parts; the limit is {MAX_ENTRIES:,}."
            )
        unpacked = sum(entry.file_size for entry in entries)
        packed = sum(entry.compress_size for entry in entries)
        bomb = unpacked > _MIN_SUSPICIOUS and unpacked > MAX_RATIO * max(1, min(packed, len(data)))
        if unpacked > MAX_UNPACKED or bomb:
            raise ParseError(
                f"This {what} would unpack to {unpacked / _MB:,.0f} MB from "
                f"{len(data) / _MB:,.1f} MB, which is beyond the limits."
            )
        self._entries = {entry.filename: entry for entry in entries}
        self._folded = {name.lower(): name for name in self._entries}

    @property
    def names(self) -> list[str]:
        """Names of all parts in their order."""
        return list(self._entries)

    def has(self, name: str) -> bool:
        """Whether there is such a part."""
        return name in self._entries or name.lower() in self._folded

    def read(self, name: str) -> bytes:
        """The bytes of a part; ParseError when it is missing, damaged, encrypted or too large."""
        entry = self._entries.get(name) or self._entries.get(self._folded.get(name.lower(), ""))
        if entry is None:
            raise ParseError(f"This {self.what} is damaged: its part {name[:100]!r} is missing.")
        if entry.file_size > MAX_PART:
            raise ParseError(
                f"This {self.what} has a part of "
                f"{entry.file_size / 1024 / 1024:,.0f} MB, which is too large."
            )
        try:
            with self._archive.open(entry) as part:
                return part.read(MAX_PART + 1)
        except RuntimeError as exc:  # what zipfile raises for an encrypted part
            raise ParseError(
                f"This {self.what} is protected with a password; save a copy without it."
            ) from exc
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            NotImplementedError,
            OSError,
            ValueError,
        ) as exc:
            raise ParseError(
                f"This {self.what} is damaged: its part {name[:100]!r} cannot be unpacked."
            ) from exc

    def xml(self, name: str) -> Any:
        """The root element of an XML part, read without entities, DTDs and network."""
        return parse_xml(self.read(name), self.what)

    def relations(self, name: str) -> dict[str, str]:
        """The parts that a part of an Office file refers to, by the ids of its relations."""
        folder, file = posixpath.split(name)
        relations = f"{folder}/_rels/{file}.rels"
        entries = self.xml(relations) if self.has(relations) else ()
        return {
            attribute(relation, "Id"): _inside(folder, attribute(relation, "Target"))
            for relation in entries
        }

    def elements(self, name: str, *tags: str) -> Iterator[Any]:
        """The elements of an XML part with these local names as they end, so that a large part can
        be read piecemeal.

        `forget` frees the memory of an element that is no longer needed.
        """
        from lxml import etree

        data = self.read(name)
        refuse_entities(data, self.what)
        source = io.BytesIO(_REFERENCE.sub(_legal, data))
        del data
        names = [f"{{*}}{tag}" for tag in tags]
        try:
            for _, element in etree.iterparse(
                source, tag=names, resolve_entities=False, load_dtd=False, no_network=True,
                recover=True, remove_comments=True, remove_pis=True,
            ):  # fmt: skip
                yield element
        except etree.XMLSyntaxError as exc:
            raise ParseError(f"This {self.what} is damaged: its markup cannot be read.") from exc


def forget(element: Any) -> None:
    """Frees an element of `Package.elements` and what stands before it in its parent."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def local_name(element: Any) -> str:
    """The name of an element without its namespace; "" of a comment."""
    return element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""


def attribute(element: Any, name: str, default: str = "") -> str:
    """An attribute by its local name: producers differ in its namespace."""
    if element is None:
        return default
    return next(
        (value for key, value in element.attrib.items() if key.rsplit("}", 1)[-1] == name), default
    )


def is_on(flag: Any) -> bool:
    """Whether a property of a Word document is there and not switched off."""
    return flag is not None and attribute(flag, "val", "1") not in ("0", "false", "off")


def relation_of(element: Any) -> str:
    """The id of a relation, which is in a namespace beside the id of the element itself."""
    return next((value for key, value in element.attrib.items() if key.endswith("}id")), "")


def _inside(folder: str, target: str) -> str:
    """The name of a part that a relation names, from the folder or from the top of the package."""
    return posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")


def refuse_entities(data: bytes, what: str) -> None:
    """ParseError when XML declares entities, in UTF-8 or UTF-16."""
    head = data.replace(b"\x00", b"") if b"\x00" in data[:200] else data
    if _ENTITY.search(head):
        raise ParseError(f"This {what} declares entities in its markup, which is not allowed here.")


def _legal(match: re.Match[bytes]) -> bytes:
    """A character written as its number; nothing for one that XML does not allow."""
    number = int(match[1], 16) if match[1] else int(match[2])
    is_legal = (
        number in (9, 10, 13)
        or 32 <= number < 0xD800
        or 0xE000 <= number < 0xFFFE
        or 0x10000 <= number <= 0x10FFFF
    )
    return match[0] if is_legal else b""


def parse_xml(data: bytes, what: str) -> Any:
    """The root element of some XML; slightly broken XML is repaired, entities are refused."""
    from lxml import etree

    refuse_entities(data, what)
    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        recover=True,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        # Repair would let in what no text may hold: halves of a character, as bytes that are no
        # UTF-8
        root = etree.fromstring(_REFERENCE.sub(_legal, data), parser)
    except (etree.XMLSyntaxError, ValueError) as exc:
        raise ParseError(f"This {what} is damaged: its markup cannot be read.") from exc
    if root is None:
        raise ParseError(f"This {what} is damaged: a part of it is empty.")
    return root
