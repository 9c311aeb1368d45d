"""Which language a text is in, by its small words and its script; "" where that cannot be told.

For texts of a sentence or more. Only languages told apart safely by their function words are
listed; a text of any other Latin-script language is usually "".
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

from tools.text.tokens import words

NAMES = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian",
    "pt": "Portuguese", "nl": "Dutch", "sv": "Swedish",
    "da": "Danish or Norwegian", "pl": "Polish", "ru": "Russian",
    "el": "Greek", "ar": "Arabic", "he": "Hebrew", "ja": "Japanese", "ko": "Korean",
    "zh": "Chinese", "hi": "Hindi",
}  # fmt: skip
_SMALL = {
    "en": "the of and to is are was were that which how what why does do did with for by from this "
    "it be has have on you my your we can should will would when where who not at or an as if "
    "there",
    "de": "der die das und ist sind war nicht von mit wie was warum den dem ein eine auf fur im "
    "wird haben zu sich ich wir sie an nach bei will",
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
    "da": "og i det er at en den til af for ikke med som har ved jeg vi de kan",
    "pl": "i w na z jest sa nie ze sie jak co dla od po przez oraz ktore",
}
_SCRIPTS = {
    "CYRILLIC": "ru", "GREEK": "el", "ARABIC": "ar", "HEBREW": "he", "HIRAGANA": "ja",
    "KATAKANA": "ja", "HANGUL": "ko", "CJK": "zh", "DEVANAGARI": "hi",
}  # fmt: skip
# By what a question opens, and small words and commands that stand in questions beside those above
_OPENS = {
    "en": "what which how why who whom whose when where is are was were do does did can tell",
    "de": "was wie wo wann warum wieso weshalb woher wohin wer wen wem wessen welche welcher "
    "welches welchen welchem woran worauf woraus worin woruber wovon wofur wodurch womit wozu "
    "wobei wogegen",
    "fr": "quel quelle quels quelles combien quand ou pourquoi comment qui est",
    "es": "cual cuales cuanto cuanta cuantos cuantas cuando donde quien quienes que por como",
    "it": "qual quale quali quanto quanta quanti quante quando dove chi che perche cosa come",
    "pt": "qual quais quanto quanta quantos quantas quando onde quem que por como",
    "nl": "hoe hoeveel waar wanneer waarom welk welke wie wat",
}
_BESIDE = {
    "en": "in a an",
    "de": "des bei beim vom zum zur an ab am aus als dass es hat hatte wurde wurden kann man gibt "
    "liegt weit hoch lang viel viele gross alt eine einen einem einer eines dies diese dieser "
    "dieses sie ihr ihre ihren oder muss mussen soll sollen darf durfen konnen werden in ich wir "
    "mein meine meinen mir mich wenn nach um auch zwischen bedeutet heisst uber uberblick "
    "zusammen gib du dich dir dein deine deinem deinen deiner kannst unser unsere ohne durch unter "
    "neben nur dann kein keine keinen meiner meines euer eure euren habe hast mache macht machen "
    "bekomme bekommt bekommen dauert dauern",
    "fr": "de l d s un y a au aux en se trouve il elle t ce cette ces son sa ses leur leurs ou "
    "dois doit faut peut peux je nous vous mon ma mes ne si quoi sert signifie moi "
    "disent parlent apercu resume compare cite explique donne veut c n qu tu te ton ta tes notre "
    "nos votre vos sans sous entre chez pendant vers depuis chaque lorsque cela ai as avez "
    "fais fait faire apres dure durent",
    "es": "de lo un esta estan fue hay tiene se encuentra unos unas e o al este estos estas sus "
    "fueron era entre debo debe puedo puede a le les mi mis me te si yo significa dicen "
    "hablan resume explica dame existe quiere tu tus sin desde cada esto he has hago hace hacer "
    "tarda tardan",
    "it": "la l i un d c in a al ha hanno si trova nella alto grande lungo uno degli della delle "
    "nel questo questa suo devo deve posso puo mi mio mia ti se tra fra significa sul sulla sui "
    "dicono parlano riassunto dammi faccio esiste vuol le da su miei mie tuo tua tuoi tue all dell "
    "nell alla dalla nelle senza ogni ho hai fa fare",
    "pt": "de um no na ha tem fica esta foi uns umas nos nas ao aos pelo pela este seu sua seus ou "
    "devo deve posso pode meu minha eu voce ela ele me significa do dizem "
    "falam resumo resume compare explique existe quer teu tua sem entre cada num numa isto faz "
    "fazer demora demoram",
    "nl": "er aan in of te ligt staat werd heeft kan hoog groot ver lang veel dit deze die haar "
    "hun uit over bij om moet moeten mag ik je mijn als tussen samen zeggen gaan "
    "gaat samenvatting vat noem geef doe doen maak maken krijg krijgen duurt duren",
}
OTHER_LANGUAGES = tuple(code for code in _OPENS if code != "en")
# Of these one tells a language where a command begins with it, or a question
_COMMANDS = {
    "de": "fasse fassen vergleiche vergleichen nenne nennen erklare erklaren definiere",
    "fr": "resumez comparez citez enumerez expliquez definissez",
    "es": "compara enumera",
    "it": "riassumi confronta elenca spiega descrivi",
    "pt": "resuma",
    "nl": "vergelijk",
}
_VERBS = {
    "de": "ist sind gibt kann darf muss soll wird braucht brauche",
    "fr": "puis peut faut",
    "es": "hay puedo debo existe existen",
    "it": "esiste esistono posso devo",
    "pt": "existe existem posso devo preciso",
    "nl": "heeft moet kunnen",
}
# Signs of which one tells as much as a small word
_SIGNS = {
    "de": "äöüß", "fr": "çéèêëîïôùûœ", "es": "ñ", "it": "àèìòù", "pt": "ãõçéâêô", "nl": "ëï",
}  # fmt: skip
# With these no question begins in any of the other languages
_OPENS_ENGLISH = frozenset(
    "what which how why who whom whose when where are were does did can could should would tell "
    "define describe explain summarise summarize give show".split()
)
# A word with a capital that begins no sentence
_CAPITALISED = re.compile(r"(?<=[^.!?:\s]\s)[^\W\d_a-zß-öø-ÿ][\w-]*")
_ACRONYM = re.compile(r"\b[^\W\d_a-zß-öø-ÿ]{2,}\b")
# English words, too: these alone tell nothing ("war in Vietnam", "Dell laptop battery")
_ALSO_ENGLISH = frozenset(
    "a ai all also am an as che chi cite come compare con da dell des die do doe dove en est "
    "fa fait fare has hat he her ho hoe i in is me no num on per resume sans se sin so son "
    "sous tes to ton tu vat war was".split()
)
_READ = 2000  # characters
_AHEAD = 1.3  # times as many small words as the next language


@lru_cache(maxsize=4096)
def language_of(text: str) -> str:
    """Its ISO 639-1 code, or ""."""
    text = text[:_READ]
    if language := _by_script(text):
        return language
    times = Counter(words(text))
    counts = {
        code: sum(times[word] for word in times.keys() & small) for code, small in _small().items()
    }
    (best, most), (_, second) = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:2]
    least = 1 if best == "en" else 2  # one word tells nothing: "i" is a Polish one
    return best if most >= max(least, _AHEAD * second) else ""


@lru_cache(maxsize=1024)
def question_languages(question: str) -> tuple[str, ...]:
    """The languages (ISO 639-1) that fit a question best by how it asks; none where that is English
    or unknown.

    More than one where they fit equally well (Italian, Portuguese).
    """
    question = question[:_READ]
    tokens = words(question)
    if "¿" in question:
        return ("es",)
    if not tokens or tokens[0] in _OPENS_ENGLISH:
        return ()
    fits = {code: _fit(code, question, tokens) for code in _OPENS}
    most = max(fits.values())
    if most > fits["en"]:
        return tuple(code for code, count in fits.items() if count == most)
    return ()


def _fit(code: str, question: str, tokens: list[str]) -> int:
    """How many words of a question are of a language, its first word and its signs counted once
    more; 0 where too little tells it: fewer than two words, or the one by which it asks."""
    names, first = _names_in(question), tokens[0]
    small = _of_questions()[code].intersection(tokens) - names
    of_signs = set(_SIGNS.get(code, ""))
    signed = [token for token in question.split() if not of_signs.isdisjoint(token.lower())]
    signs = set(words(" ".join(signed))) - names
    # in German all nouns have capitals
    has_sign = bool(signs or (code == "de" and signed))
    fit = len(small) + (first in _OPENS[code].split()) + has_sign
    if code == "en":
        return fit
    of_it_alone = small - _ALSO_ENGLISH
    opens = first in _COMMANDS[code].split() or (
        question.rstrip().endswith("?") and first in f"{_OPENS[code]} {_VERBS[code]}".split()
    )
    is_told = len(of_it_alone | small.intersection(tokens[:1])) + bool(signs - small) > 1
    return fit if is_told or (opens and first in of_it_alone) else 0


def _names_in(question: str) -> frozenset[str]:
    """The folded words that have a capital where no sentence begins, or are acronyms."""
    if question.isupper():
        return frozenset()
    names = chain(_CAPITALISED.findall(question), _ACRONYM.findall(question))
    return frozenset(words(" ".join(names)))


def has_english(question: str) -> bool:
    """Whether English words ask in a question, or stand between others."""
    return not _of_questions()["en"].isdisjoint(words(question[:_READ]))


def asking_words(question: str) -> frozenset[str]:
    """Folded question words and small words of the languages a question may be in, no acronyms
    ("Wat is ALS?"); none for English or unknown ones."""
    small = small_words(question_languages(question))
    if question.isupper():
        return small
    return small.difference(words(" ".join(_ACRONYM.findall(question))))


def small_words(languages: Iterable[str]) -> frozenset[str]:
    """Folded question words and small words of some languages."""
    return frozenset().union(*(_of_questions().get(code, frozenset()) for code in languages))


def opening_words(languages: Iterable[str]) -> frozenset[str]:
    """Folded words with which a question opens in some languages."""
    return frozenset(word for code in languages for word in _OPENS.get(code, "").split())


def _by_script(text: str) -> str:
    if text.isascii():
        return ""
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
        code: frozenset(
            f"{_SMALL[code]} {listed} {_BESIDE.get(code, '')} {_COMMANDS.get(code, '')} "
            f"{_VERBS.get(code, '')}".split()
        )
        for code, listed in _OPENS.items()
    }


@lru_cache(maxsize=1)
def _small() -> dict[str, frozenset[str]]:
    return {code: frozenset(listed.split()) for code, listed in _SMALL.items()}
