"""Which language a text is in, by its small words and its script; "" where that cannot be told.

For texts of a sentence or more. Only languages told apart safely by their function words are
listed; a text of any other Latin-script language is usually "".
"""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from tools.text.tokens import words

NAMES = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian",
    "pt": "Portuguese", "nl": "Dutch", "sv": "Swedish", "pl": "Polish", "ru": "Russian",
    "el": "Greek", "ar": "Arabic", "he": "Hebrew", "ja": "Japanese", "ko": "Korean",
    "zh": "Chinese", "hi": "Hindi",
}  # fmt: skip
_SMALL = {
    "en": "the of and to is are was were that which how what why does do did with for by from this "
    "it be has have on",
    "de": "der die das und ist sind war nicht von mit wie was warum den dem ein eine auf fur im "
    "wird haben zu sich",
    "fr": "le la les des et est sont dans que qui une pour pas sur avec du au par ce comment "
    "quelle quel plus ont ete",
    "es": "el la los las y es son que en una por para con del como se su mas fue cual sobre no ha "
    "han al cuales",
    "it": "il lo gli e sono che di una per con del della come piu non si nel dei delle quale "
    "perche ha anche dal",
    "pt": "o os as e sao que em uma para com da dos das como se mais nao foi qual na no por tem ao",
    "nl": "de het een en is zijn van dat niet met hoe wat waarom voor op door wordt aan bij ook "
    "naar",
    "sv": "och det att som en ar av for pa inte med den till har hur vad om fran ett var",
    "pl": "i w na z jest sa nie ze sie jak co dla od po przez oraz ktore",
}
_SCRIPTS = {
    "CYRILLIC": "ru", "GREEK": "el", "ARABIC": "ar", "HEBREW": "he", "HIRAGANA": "ja",
    "KATAKANA": "ja", "HANGUL": "ko", "CJK": "zh", "DEVANAGARI": "hi",
}  # fmt: skip
# By what a question or a command opens, and small words that stand in questions beside those above
_OPENS = {
    "en": "what which how why who whom whose when where is are was were do does did can tell",
    "de": "was wie wo wann warum wieso weshalb woher wohin wer wen wem wessen welche welcher "
    "welches welchen welchem woran worauf woraus worin woruber wovon wofur wodurch womit wozu "
    "wobei wogegen fasse fassen vergleiche nenne erklare gib",
    "fr": "quel quelle quels quelles combien quand ou pourquoi comment qui est resume resumez "
    "compare comparez cite citez explique expliquez donne",
    "es": "cual cuales cuanto cuanta cuantos cuantas cuando donde quien quienes que por como "
    "resume compara enumera explica dame",
    "it": "qual quale quali quanto quanta quanti quante quando dove chi che perche cosa come "
    "riassumi confronta elenca spiega dammi",
    "pt": "qual quais quanto quanta quantos quantas quando onde quem que por como resuma resume "
    "compare explique",
    "nl": "hoe hoeveel waar wanneer waarom welk welke wie wat vat vergelijk noem geef",
}
_BESIDE = {
    "en": "in a an",
    "de": "des bei beim vom zum zur an ab am aus als dass es hat hatte wurde wurden kann man gibt "
    "liegt weit hoch lang viel viele gross alt eine einen einem einer eines dies diese dieser "
    "dieses sie ihr ihre ihren oder muss mussen soll sollen darf durfen konnen werden in ich wir "
    "mein meine meinen mir mich wenn nach um auch bedeutet heisst uber uberblick "
    "zusammen",
    "fr": "de l d s un y a au aux en se trouve il elle t ce cette ces son sa ses leur leurs ou "
    "dois doit faut peut peux je nous vous mon ma mes ne si quoi sert signifie moi "
    "disent parlent apercu",
    "es": "de lo un esta estan fue hay tiene se encuentra unos unas e o al este estos estas sus "
    "fueron era entre debo debe puedo puede a le les mi mis me te si yo significa dicen "
    "hablan",
    "it": "la l un d c in a al ha hanno si trova nella alto grande lungo uno degli della delle nel "
    "questo questa suo devo deve posso puo mi mio mia ti se significa sul sulla sui "
    "dicono parlano riassunto",
    "pt": "de um no na ha tem fica esta foi uns umas nos nas ao aos pelo pela este seu sua seus ou "
    "devo deve posso pode meu minha eu voce ela ele me significa do dizem "
    "falam resumo",
    "nl": "er aan in of te ligt staat werd heeft kan hoog groot ver lang veel dit deze die haar "
    "hun uit over bij om moet moeten mag ik je mijn als samen zeggen gaan "
    "gaat samenvatting",
}
# Signs of which one tells as much as a small word
_SIGNS = {
    "de": "äöüß", "fr": "çèêëîïôùûœ", "es": "¿¡ñ", "it": "àèìòù", "pt": "ãõçâêô", "nl": "ëï",
}  # fmt: skip
# English words, too: these alone tell nothing ("war in Vietnam")
_ALSO_ENGLISH = frozenset(
    "a also am an as cite come compare con des die do en est hat he her in is me no on per resume "
    "se so son to vat war was".split()
)
_READ = 2000  # characters
_AHEAD = 1.3  # times as many small words as the next language


@lru_cache(maxsize=4096)
def language_of(text: str) -> str:
    """Its ISO 639-1 code, or ""."""
    text = text[:_READ]
    if language := _by_script(text):
        return language
    tokens = words(text)
    counts = {code: sum(word in small for word in tokens) for code, small in _small().items()}
    (best, most), (_, second) = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:2]
    return best if most and most >= _AHEAD * second else ""


@lru_cache(maxsize=1024)
def question_languages(question: str) -> tuple[str, ...]:
    """The languages (ISO 639-1) that fit a question best by how it asks; none where that is English
    or unknown.

    More than one where they fit equally well (Italian, Portuguese).
    """
    tokens, signs = words(question[:_READ]), set(question[:_READ].lower())
    fits = {code: _fit(code, tokens, signs) for code in _OPENS}
    most = max(fits.values())
    if most > max(fits["en"], 1):
        return tuple(code for code, count in fits.items() if count == most)
    return ()


def _fit(code: str, tokens: list[str], signs: set[str]) -> int:
    """How many words of a question, and its first word and its signs once more, are of a
    language."""
    listed = _of_questions()[code].intersection(tokens)
    has_sign = not signs.isdisjoint(_SIGNS.get(code, ""))
    if code != "en" and listed <= _ALSO_ENGLISH and not has_sign:
        return 0
    return len(listed) + (tokens[:1] != [] and tokens[0] in _OPENS[code].split()) + has_sign


def asking_words(question: str) -> frozenset[str]:
    """Folded question words and small words of the languages a question may be in; none for English
    or unknown ones."""
    return small_words(question_languages(question))


def small_words(languages: Iterable[str]) -> frozenset[str]:
    """Folded question words and small words of some languages."""
    return frozenset().union(*(_of_questions().get(code, frozenset()) for code in languages))


def opening_words(languages: Iterable[str]) -> frozenset[str]:
    """Folded words with which a question opens in some languages."""
    return frozenset(word for code in languages for word in _OPENS.get(code, "").split())


def name_of(code: str) -> str:
    """The English name of a language, or ""."""
    return NAMES.get(code, "")


def _by_script(text: str) -> str:
    letters = [char for char in text if char.isalpha()]
    scripts = [
        unicodedata.name(char, "").partition(" ")[0] for char in letters if ord(char) > 0x36F
    ]
    if 2 * len(scripts) <= len(letters):
        return ""
    if any(script in ("HIRAGANA", "KATAKANA") for script in scripts):
        return "ja"
    return _SCRIPTS.get(max(sorted(set(scripts)), key=scripts.count), "")


@lru_cache(maxsize=1)
def _of_questions() -> dict[str, frozenset[str]]:
    return {
        code: frozenset(f"{_SMALL[code]} {listed} {_BESIDE.get(code, '')}".split())
        for code, listed in _OPENS.items()
    }


@lru_cache(maxsize=1)
def _small() -> dict[str, frozenset[str]]:
    return {code: frozenset(listed.split()) for code, listed in _SMALL.items()}
