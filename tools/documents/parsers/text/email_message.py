"""E-mail messages (EML) and mailboxes (MBOX): who wrote what when; attachments as what they are.
RFC 5322, RFC 4155."""

import email
import email.policy
import re
from collections.abc import Callable, Iterator
from email.message import EmailMessage, Message
from email.utils import parsedate_to_datetime

from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.archive import Part, joined
from tools.documents.parsers.authors_and_dates import clean_authors
from tools.documents.parsers.blocks import ParsedBlock, compose
from tools.documents.parsers.encoding import decode
from tools.documents.parsers.text.plain import blocks_of_lines
from tools.documents.parsers.versions import with_version
from tools.errors import ParseError
from tools.text.normalise import snapshot_text

_FIELDS = ("From", "To", "Cc", "Date", "Subject")
_FROM_LINE = re.compile(rb"^From [^\n]{1,200}\d{4}[^\n]{0,20}\r?\n(?=[A-Za-z-]{1,60}:)", re.M)
_REPLY = re.compile(r"^(?:re|fwd?|aw|wg|sv|vs|tr|rv)\s*:\s*", re.I)
_QUOTED = re.compile(r"^(?:> ?)+", re.M)
_EXTRACTOR = with_version("zorora-mail")
MAX_MESSAGES = 20_000
MAX_PARTS = 200
Parse = Callable[[Request], Extracted]


def parse(request: Request, parse_part: Parse | None = None) -> Extracted:
    """One message. parse_part: reads an attachment; without it attachments are only named."""
    message = _message(request.data)
    blocks = list(_blocks(message))
    if not any(block.kind != BlockKind.LIST_ITEM for block in blocks):
        raise ParseError("This e-mail message contains no text.")
    metadata = {
        "title": _REPLY.sub("", _field(message, "Subject"))[:500],
        "authors": clean_authors([re.sub(r"<[^<>]*>|\"", "", _field(message, "From")).strip()]),
        "published": _date(message),
    }
    extracted = compose(blocks).extracted(_EXTRACTOR, metadata)
    parts = list(_attachments(message, parse_part)) if parse_part else []
    return joined(extracted, parts) if parts else extracted


def parse_mailbox(request: Request) -> Extracted:
    """All messages of a mailbox, each under its subject."""
    starts = [match.start() for match in _FROM_LINE.finditer(request.data)][: MAX_MESSAGES + 1]
    if len(starts) > MAX_MESSAGES:
        raise ParseError(
            f"This mailbox contains more than {MAX_MESSAGES:,} "
            "messages; split it and add the parts."
        )
    stops = [*starts[1:], len(request.data)][: len(starts)]
    blocks: list[ParsedBlock] = []
    for start, stop in zip(starts, stops, strict=True):
        piece = request.data[start:stop]
        blocks += _blocks(_message(piece[piece.find(b"\n") + 1 :]))
    return compose(blocks).extracted(_EXTRACTOR, empty="This mailbox contains no text.")


def _message(data: bytes) -> EmailMessage:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\x00" in data[:200]:
        data = decode(data).encode("utf-8")
    message: EmailMessage = email.message_from_bytes(
        data.lstrip(b"\xef\xbb\xbf"), policy=email.policy.default
    )
    return message


def _blocks(message: EmailMessage) -> Iterator[ParsedBlock]:
    """The subject as a heading, who wrote when to whom, then the text."""
    subject = _field(message, "Subject")
    if subject:
        yield ParsedBlock(subject, 1)
    for name in _FIELDS[:-1]:
        value = _field(message, name)
        if value:
            yield ParsedBlock(f"{name}: {value}", 1, kind=BlockKind.LIST_ITEM, marker="")
    yield from _body(message)
    parts = [part for part in message.walk() if part.get_content_disposition() == "attachment"]
    for name in filter(None, map(_plain_name, parts[:MAX_PARTS])):
        yield ParsedBlock(f"Attachment: {name}", 1, kind=BlockKind.LIST_ITEM, marker="")


def _field(message: EmailMessage, name: str) -> str:
    """A header as text; one that breaks the rules as it stands."""
    try:
        value = str(message.get(name) or "")
    except (ValueError, IndexError, AttributeError, KeyError, TypeError, LookupError):
        raw = next((text for key, text in message.raw_items() if key.lower() == name.lower()), "")
        value = str(raw)
    return " ".join(snapshot_text(value).split())[:2000]


def _date(message: EmailMessage) -> str | None:
    try:
        return parsedate_to_datetime(_field(message, "Date")).date().isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _body(message: EmailMessage) -> Iterator[ParsedBlock]:
    """The text of a message, as plain text where it has that, else from its HTML."""
    for part in _texts(message):
        text = _content(part)
        if part.get_content_type() == "text/html":
            yield from _html(text)
            continue
        for block in blocks_of_lines(text):
            if block.text.lstrip().startswith(">"):
                yield ParsedBlock(_QUOTED.sub("", block.text), kind=BlockKind.QUOTATION)
            else:
                yield block


def _texts(message: Message) -> Iterator[Message]:
    """The text parts that are shown: of alternatives the plain one, attachments left out."""
    kind = message.get_content_type()
    if not message.is_multipart():
        if (
            message.get_content_maintype() == "text"
            and message.get_content_disposition() != "attachment"
        ):
            yield message
        return
    children = [part for part in message.get_payload() if isinstance(part, Message)][:MAX_PARTS]
    if kind == "multipart/alternative":
        plain = [
            part
            for part in children
            if part.get_content_type() == "text/plain" and _content(part).strip()
        ]
        children = plain[:1] or children[-1:]
    for part in children:
        if (
            part.get_content_disposition() != "attachment"
            or part.get_content_type() == "message/rfc822"
        ):
            yield from _texts(part)


def _content(part: Message) -> str:
    payload = part.get_payload(decode=True)
    if isinstance(payload, bytes):
        data = payload
    else:
        data = str(part.get_payload()).encode("utf-8", "replace")
    return snapshot_text(decode(data, part.get("Content-Type", "")))


def _html(text: str) -> list[ParsedBlock]:
    from tools.documents.parsers.html.markup import blocks_of
    from tools.documents.parsers.html.page import parse_tree

    try:
        return blocks_of(parse_tree(text))
    except ParseError:
        return []


def _plain_name(part: Message) -> str:
    return " ".join(snapshot_text(str(part.get_filename() or "")).split())[:200]


def _attachments(message: Message, parse_part: Parse) -> Iterator[Part]:
    """Attachments that can be read, each under its name."""
    for part in list(message.walk())[:MAX_PARTS]:
        name, payload = _plain_name(part), part.get_payload(decode=True)
        is_attached = part.get_content_disposition() == "attachment"
        if not (is_attached and name and isinstance(payload, bytes)):
            continue
        try:
            yield name, parse_part(Request(payload, name, part.get_content_type()))
        except ParseError:
            continue  # its name is in the message
