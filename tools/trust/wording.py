"""Words by which a sentence denies, refutes, hedges or leaves open what it says, in English and other languages.

Sentence-level patterns; where English is concerned, tools/trust/polarity.py says which words a negation turns.
"""

import re

_ENGLISH = (
    r"\b(?:not|no|never|none|nor|neither|without|cannot|hardly|barely|scarcely|fail(?:s|ed)? to|lack(?:s|ed)?"
    r"|(?:do|does|did|is|are|was|were|has|have|had|ca|could|wo|would|should)n['’]t)\b"
)
# German, French, Spanish, Italian, Portuguese, Dutch, Polish, Scandinavian, Turkish, Russian, Greek, Indonesian ...
_EUROPEAN = (
    r"\b(?:nicht|kein(?:e[mnrs]?)?|nie(?:mals)?|ohne|weder|keineswegs|pas|jamais|aucune?|sans|nunca|jamás|ningun[ao]"
    r"|ningún|tampoco|nessun[ao]?|senza|não|nenhuma?|niet|geen|nooit|zonder|inte|ikke|aldrig|aldri|değil|eivät"
    r"|не|нет|никогда|без|ни|немає|δεν|χωρίς|không|tidak|bukan)\b|\bnon\b(?!-)(?=\s[a-zàèéìòù])"
)
_OTHER = (
    r"不(?![仅僅同断斷过過但久])|没有|沒有|并非|並非|从未|從未|未(?![来來])|ไม่|ない(?!し)|ません|なかった|않|없|아니"
    r"|\bلا\b|ليس|\bلم\b|\bلن\b|नहीं|\bלא\b|\bאין\b"
)
ELSEWHERE = re.compile(f"{_EUROPEAN}|{_OTHER}", re.I)  # negations that are not English
NEGATION = re.compile("|".join((_ENGLISH, _EUROPEAN, _OTHER)), re.I)
# "not only" affirms; "no later than", "no fewer than" bound a number
NOT_NEGATION = re.compile(
    r"\b(?:not only|not just|not merely|no (?:later|fewer|less|more) than|not (?:less|more) than|no doubt|not unlike"
    r"|nicht nur|non seulement|no s[oó]lo|non solo|não só|niet alleen|no\.? \d+)\b",
    re.I,
)
REFUTES = re.compile(
    r"\b(?:(?:it is|it['’]s|is|are|was|were) (?:simply |just |plainly )?(?:not true|not the case|false|untrue|a myth|wrong"
    r"|incorrect|a hoax|a misconception|a lie|unfounded|baseless|fake)|contrary to|myth that|misconception that"
    r"|(?:false|wrong|debunked|refuted|mistaken|misleading|unfounded|discredited) (?:claim|belief|idea|notion|assertion)s?"
    r"|(?:falsely|wrongly|incorrectly|mistakenly) (?:claim|say|said|assert|believe|report|state)\w*"
    r"|(?:been|was|were|is|are) (?:debunked|refuted|disproved|disproven|discredited)|no evidence|no truth"
    r"|(?:nobody|no one|no study|no trial) (?:has |have )?(?:ever |yet )?(?:shown|proved|proven|demonstrated|established|found)"
    r"|doubts? (?:remains?|persists?|whether|that)|doubt(?:s|ed|ful) (?:that|whether)"
    r"|retracted (?:paper|study|article|report|work)s? (?:\w{1,15} )?(?:said|says|claim|report|suggest|stat|conclud|assert)\w*"
    r"|(?:den(?:y|ies|ied)|reject(?:s|ed)?|dismiss(?:es|ed)?|dispute[sd]?) (?:that|the (?:claim|idea|notion|allegation)s?)"
    r"|es stimmt nicht|ist (?:falsch|ein mythos)|fälschlich\w*|il est faux|c['’]est faux|contrairement à|es falso"
    r"|no es (?:cierto|verdad)|es un mito|non è vero|è falso|é falso|não é verdade|niet waar|неправда|неверно)\b",
    re.I,
)
# A sentence that takes back the one before it
TAKES_BACK = re.compile(
    r"^\W*(?:but\s|however,?\s|yet\s)?(?:(?:this|that|these|the|such) (?:(?:claim|statement|idea|belief|notion|story|rumou?r|assertion|"
    r"report|theory|view)s? )?(?:is|are|was|were|has been|have been|turned out to be) (?:simply |completely |demonstrably )?"
    r"(?:not (?:true|correct|the case|supported)|false|untrue|wrong|incorrect|a myth|a hoax|debunked|refuted|disproved|misleading|"
    r"unfounded|baseless|mistaken)"
    r"|not true\b|in fact,? the opposite|the opposite is true|nothing could be further)",
    re.I,
)
# What stands before the comma is not what the sentence says: "Contrary to the claim that ..., prices fell."
SET_ASIDE = re.compile(
    r"(?:^|(?<=[,;] ))(?:contrary to|unlike what|despite (?:the )?(?:claim|rumou?r|belief|report)s?|contrairement à|entgegen"
    r"|anders als|contrariamente a|al contrario de)\b[^,;]{0,300}[,;]\s*",
    re.I,
)
HEDGE = re.compile(
    r"\b(?:may|might|could|possibly|perhaps|probably|likely|suggests?|appears?|seems?|estimated|expected|potentially"
    r"|if|unless|depending|would|assum(?:es|ed|ing)|in theory|some (?:studies|authors)|under certain)\b"
    r"|\b(?:vielleicht|möglicherweise|vermutlich|könnten?|dürften?|falls|peut-être|pourrai(?:en)?t|quizás?|podrían?|forse"
    r"|potrebbe(?:ro)?|talvez|poderiam?|misschien|возможно|может)\b|可能|也许|或许|かもしれ",
    re.I,
)
# Hedges and conditions that leave open whether the thing is so at all
OPEN = re.compile(
    r"\b(?:may|might|could|perhaps|possibly|if|unless|whether|hypothesi[sz]ed?|it is (?:unclear|unknown)|remains? (?:unclear"
    r"|unknown|to be)|provided that|providing that|assuming(?: that)?|as long as|on condition that|only (?:if|when|where)|probably|presumably"
    r"|supposedly|reportedly|purported(?:ly)?|(?:expected|predicted|forecast|projected|believed|thought|rumou?red) to"
    r"|it (?:is|was|has been) (?:often |widely |sometimes )?(?:suggested|thought|believed|assumed|speculated|claimed) that"
    r"|(?:aim|aimed|objective|purpose|goal)s? (?:was|is|of|to)|we (?:asked|sought)|to (?:determine|test|assess"
    r"|evaluate|investigate|examine)|alleged(?:ly)?|rumou?red)\b"
    r"|\b(?:vielleicht|möglicherweise|könnten?|falls|ob|peut-être|pourrai(?:en)?t|quizás?|podrían?|forse|potrebbe(?:ro)?"
    r"|talvez|poderiam?|misschien)\b|^(?:objective|aims?|purpose)\b|\?\W{0,40}$",
    re.I,
)


def asserted(text: str) -> str:
    """The sentence without the part it sets aside ("Contrary to the claim that prices rose, ...")."""
    return SET_ASIDE.sub("", text) if "," in text or ";" in text else text


def negates(text: str) -> bool:
    """Whether there is a negation in a sentence, "not only" and the like apart."""
    return bool(NEGATION.search(NOT_NEGATION.sub(" ", text)))
