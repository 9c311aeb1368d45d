"""A model's thinking is not its answer: taken out of whole texts and of texts that are still
coming."""

import re

from tools.models.model import OnText

_TAGS = r"think|thinking|thought|reasoning|analysis|reflection"
_OPEN = re.compile(
    rf"<({_TAGS})>|◁think▷|<\|channel\|>\s*(?:analysis|commentary)[^<]*<\|message\|>", re.I
)
_CLOSE = re.compile(rf"</({_TAGS})>|◁/think▷|<\|channel\|>\s*final[^<]*<\|message\|>", re.I)
_FRAME = re.compile(
    r"<\|(?:start|end|return|message|channel|im_end|im_start|eot_id)\|>(?:assistant)?"
)
_LONGEST_TAG = 48  # characters of the longest of these marks
_REFUSAL = re.compile(
    r"^\W*(?:i['’]?m (?:really |very |so )?sorry|sorry|i apologi[sz]e|unfortunately|as an ai\b"
    r"|i (?:can(?:not|['’]t)|am unable|am not able|won['’]t|must decline|decline))",
    re.I,
)
_CANNOT = re.compile(
    r"\b(?:can(?:not|['’]t)|unable|not able|won['’]t|decline|refuse|not allowed|against my)\b", re.I
)
_SHORT = 600


def strip(text: str) -> str:
    """The answer without thinking. What an opening mark begins and nothing ends is thinking too.

    A closing mark without an opening one ends thinking that began in the prompt (some servers cut
    it that way).
    """
    if "<" not in text and "◁" not in text:
        return text.strip()
    out: list[str] = []
    at = 0
    while True:
        opening, closing = _OPEN.search(text, at), _CLOSE.search(text, at)
        if closing and (opening is None or closing.start() < opening.start()):
            out, at = [], closing.end()
            continue
        if opening is None:
            out.append(text[at:])
            break
        out.append(text[at : opening.start()])
        end = _CLOSE.search(text, opening.end())
        if end is None:
            break
        at = end.end()
    return _FRAME.sub("", "".join(out)).strip()


def refuses(text: str) -> bool:
    """Whether a short answer without data says in words that the model will not answer."""
    text = text.strip()
    return len(text) <= _SHORT and bool(_REFUSAL.match(text)) and bool(_CANNOT.search(text))


class Visible:
    """Hands the answer on as it comes and holds thinking back. Feed it pieces; `end` hands on what
    was held. has_text: whether anything was handed on."""

    def __init__(self, on_text: OnText | None) -> None:
        self.has_text = False
        self._on_text = on_text
        self._pending = ""
        self._thinking = False

    def feed(self, piece: str) -> None:
        """Take one more piece."""
        if self._on_text and piece:
            self._show(self._visible_part(piece))

    def end(self) -> None:
        """Hand on what was held back and turned out to be no mark."""
        if not self._thinking:
            self._show(self._pending)
        self._pending = ""

    def _show(self, text: str) -> None:
        text = text if self.has_text else text.lstrip()  # the gap after thinking
        if text and self._on_text:
            self.has_text = True
            self._on_text(text)

    def _visible_part(self, piece: str) -> str:
        """What can be shown now."""
        if not self._pending and not self._thinking and "<" not in piece and "◁" not in piece:
            return piece
        self._pending += piece
        out: list[str] = []
        while match := (_CLOSE if self._thinking else _OPEN).search(self._pending):
            if not self._thinking:
                out.append(self._pending[: match.start()])
            self._pending, self._thinking = self._pending[match.end() :], not self._thinking
        if self._thinking:
            self._pending = self._pending[-_LONGEST_TAG:]
            return "".join(out)
        start = _begun_mark(self._pending)
        out.append(self._pending[:start])
        self._pending = self._pending[start:]
        return "".join(out)


def _begun_mark(text: str) -> int:
    """Where a mark may have begun that is not yet whole, as long as one can still become of it;
    else the end."""
    start = max(text.rfind("<"), text.rfind("◁"))
    if start < 0 or len(text) - start > _LONGEST_TAG or ">" in text[start:]:
        return len(text)
    return start
