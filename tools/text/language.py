"""Which language a text is in, by its small words and its script; "" where that cannot be told.

For texts of a sentence or more. Only languages told apart safely by their function words are listed; a text of any
other Latin-script language is usually "".
"""

import unicodedata
from functools import lru_cache

from tools.text.tokens import words

NAMES = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese",
    "nl": "Dutch", "sv": "Swedish", "pl": "Polish", "ru": "Russian", "el": "Greek", "ar": "Arabic", "he": "Hebrew",
    "ja": "Japanese", "ko": "Korean", "zh": "Chinese", "hi": "Hindi",
}  # fmt: skip
_SMALL = {
    "en": "the of and to is are was were that which how what why does do did with for by from this it be has have on",
    "de": "der die das und ist sind war nicht von mit wie was warum den dem ein eine auf fur im wird haben zu sich",
    "fr": "le la les des et est sont dans que qui une pour pas sur avec du au par ce comment quelle quel plus ont ete",
    "es": "el la los las y es son que en una por para con del como se su mas fue cual sobre no ha han al cuales",
    "it": "il lo gli e sono che di una per con del della come piu non si nel dei delle quale perche ha anche dal",
    "pt": "o os as e sao que em uma para com da dos das como se mais nao foi qual na no por tem ao",
    "nl": "de het een en is zijn van dat niet met hoe wat waarom voor op door wordt aan bij ook naar",
    "sv": "och det att som en ar av for pa inte med den till har hur vad om fran ett var",
    "pl": "i w na z jest sa nie ze sie jak co dla od po przez oraz ktore",
}
_SCRIPTS = {
    "CYRILLIC": "ru", "GREEK": "el", "ARABIC": "ar", "HEBREW": "he", "HIRAGANA": "ja", "KATAKANA": "ja",
    "HANGUL": "ko", "CJK": "zh", "DEVANAGARI": "hi",
}  # fmt: skip
_READ = 2000  # characters
_AHEAD = 1.3  # times as many small words as the next language


@lru_cache(maxsize=4096)
def language_of(text: str) -> str:
    """Its ISO 639-1 code, or ""."""
    text = text[:_READ]
    if found := _by_script(text):
        return found
    said = words(text)
    counts = {code: sum(word in small for word in said) for code, small in _small().items()}
    (best, most), (_, second) = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:2]
    return best if most and most >= _AHEAD * second else ""


def name_of(code: str) -> str:
    """The English name of a language, or ""."""
    return NAMES.get(code, "")


def _by_script(text: str) -> str:
    letters = [char for char in text if char.isalpha()]
    scripts = [unicodedata.name(char, "").partition(" ")[0] for char in letters if ord(char) > 0x36F]
    if 2 * len(scripts) <= len(letters):
        return ""
    if any(script in ("HIRAGANA", "KATAKANA") for script in scripts):
        return "ja"
    return _SCRIPTS.get(max(sorted(set(scripts)), key=scripts.count), "")


@lru_cache(maxsize=1)
def _small() -> dict[str, frozenset[str]]:
    return {code: frozenset(listed.split()) for code, listed in _SMALL.items()}
