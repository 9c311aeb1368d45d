"""What stands in a text as it is, taken out while the rest is read as markup, and put back."""

import re

_MARK = re.compile("\ue000(\\d+)\ue001")


class Literals(list[str]):
    """Pieces of a text, each with a mark in its place that no markup knows.

    U+E000, with which a mark begins, must not stand in the text.
    """

    def keep(self, words: str) -> str:
        """The mark for a piece."""
        self.append(words)
        return f"\ue000{len(self) - 1}\ue001"

    def restored(self, text: str) -> str:
        """The text with its pieces, which may hold more of them."""
        for _ in range(3 if self else 0):
            text = _MARK.sub(lambda match: self[int(match[1])], text)
        return text
