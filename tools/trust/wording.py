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
# What may be true or not, and be given up
_THESIS = (
    r"(?:claim|idea|belief|notion|view|theory|hypothesis|statement|suggestion|assertion|allegation|assumption|story"
    r"|rumou?r)s?"
)
_SAYING = (
    r"(?:sa(?:y|id)|claim(?:ed)?|state[d]?|show[n]?|prove[dn]?|f(?:i|ou)nd|demonstrated?|establish(?:ed)?|confirm(?:ed)?"
    r"|conclude[d]?|assert(?:ed)?)"
)
# Somebody without a name or an office says so: heard, not found
_HEARD = (
    r"(?:(?:some|many|several|certain|other|most) (?:[\w-]{1,20} ){1,2}|people |(?:makers|sellers|vendors|manufacturers"
    r"|promoters|proponents|supporters|advocates|believers|fans) )(?:say|said|claim|claimed|believe|believed|think"
    r"|thought|insist|insisted|argue|argued)\b|\ban? (?:[\w-]{1,20} ){1,3}(?:claim(?:s|ed)|alleg(?:es|ed)|insist(?:s|ed))"
)
_UNPROVEN = r"unprove[nd]|unsubstantiated|unconfirmed|unverified"
REFUTES = re.compile(
    r"^\W{0,4}(?:myth|misconception|false claim|fiction|fake|rumou?r|hoax)\b[^.:\n]{0,12}(?::|\s[–—-]\s)"
    r"|\b(?:(?:verdict|rating|ruling) ?: ?(?:\w+ )?(?:false|untrue|wrong|fake)"
    rf"|{_THESIS} that [^.;:!?]{{1,160}} (?:is|are|was|were|been) (?:\w{{1,12}} )?(?:mistaken|rejected|abandoned"
    r"|withdrawn|retracted|overturned|contradicted|dropped|given up|outdated|obsolete)"
    rf"|(?:never|not|\w{{2,6}}n['’]t) (?:(?!only\b|just\b|merely\b)\w{{1,15}} )?{_SAYING} that"
    r"|(?:it is|it['’]s|is|are|was|were) (?:simply |just |plainly )?(?:not true|not the case|false|untrue|a myth|wrong"
    r"|incorrect|a hoax|a misconception|a lie|unfounded|baseless|fake)|contrary to|myth that|misconception that"
    r"|(?:false|wrong|debunked|refuted|mistaken|misleading|unfounded|discredited) (?:claim|belief|idea|notion|assertion)s?"
    r"|(?:falsely|wrongly|incorrectly|mistakenly) (?:claim|say|said|assert|believe|report|state)\w*"
    r"|(?:been|was|were|is|are) (?:debunked|refuted|disproved|disproven|discredited)|no evidence|no truth"
    r"|no (?:\w{1,15} )?proof (?:that|of|for)|(?:little|insufficient|scant) (?:evidence|proof) (?:that|of|for)"
    r"|without (?:any )?(?:evidence|proof)(?=,)"
    r"|(?:nobody|no one|no study|no trial) (?:has |have )?(?:ever |yet )?(?:shown|proved|proven|demonstrated|established|found)"
    r"|(?:few(?: people| experts| scientists)?|nobody|no one) (?:still |now |seriously )?(?:believe|think|accept)s?"
    r"|doubts? (?:remains?|persists?|whether|that)|doubt(?:s|ed|ful) (?:that|whether)"
    r"|retracted (?:paper|study|article|report|work)s? (?:\w{1,15} )?(?:said|says|claim|report|suggest|stat|conclud|assert)\w*"
    r"|(?:den(?:y|ies|ied)|reject(?:s|ed)?|dismiss(?:es|ed)?|dispute[sd]?|refute[sd]?|disprove[dns]?|debunk(?:s|ed)?"
    r"|discredit(?:s|ed)?|retract(?:s|ed)?|withdr[ae]wn?|overturn(?:s|ed)?) (?:that|(?:the|this|these|any|all) (?:\w{1,15} )?"
    rf"{_THESIS})"
    r"|es stimmt nicht|ist (?:falsch|ein (?:mythos|irrtum|irrglaube|märchen|trugschluss))|fälschlich\w*|widerlegt\w*"
    r"|il est faux|c['’]est (?:faux|une erreur|un mythe)|contrairement à|es falso|no es (?:cierto|verdad)"
    r"|es (?:un mito|un error|mentira)|non è vero|è (?:falso|un mito|un errore)|é (?:falso|mentira|um mito)"
    r"|não é verdade|niet waar|is een (?:mythe|misvatting|fabel)|неправда|неверно|это миф)\b",
    re.I,
)
# A sentence that takes back the one before it
TAKES_BACK = re.compile(
    r"^\W*(?:but\s|however,?\s|yet\s)?(?:(?:this|that|these|the|such) (?:(?:claim|statement|idea|belief|notion|story|rumou?r|assertion|"
    r"report|theory|view)s? )?(?:is|are|was|were|has been|have been|turned out to be) (?:simply |completely |demonstrably )?"
    r"(?:not (?:true|correct|the case|supported)|false|untrue|wrong|incorrect|a myth|a hoax|debunked|refuted|disproved|misleading|"
    r"unfounded|baseless|mistaken)"
    r"|(?:our |the )?(?:rating|verdict|ruling|truth|reality|facts?) ?(?::|[–—-]|is|was) ?(?:(?:mostly|completely|simply|this is|it is) )?"
    r"(?:false|untrue|wrong|incorrect|fake|misleading|nonsense|no[.!,]|a (?:myth|hoax))"
    r"|(?:fact|truth|reality) ?: [^.!?]{0,60}\b(?:not|never|no|cannot|t)\b"
    r"|not true\b|in fact,? the opposite|the opposite is true|nothing could be further)",
    re.I,
)
# A label that only holds up what follows it ("Myth 3", "Claim:"); a bare "Fiction" may head a list of novels
HELD_UP = re.compile(
    r"(?:^|\n)\W{0,4}(?:myth|misconception|false claim|fiction|fake|(?P<open>claim)|rumou?r|hoax)"
    r"(?: (?:no\.? ?|#)?\d{1,3}\W|\W{0,3}:)\W{0,6}$",
    re.I,
)
# What stands before the comma is not what the sentence says: "Contrary to the claim that ..., prices fell."
SET_ASIDE = re.compile(
    r"(?:^|(?<=[,;] ))(?:contrary to|unlike what|despite (?:the )?(?:claim|rumou?r|belief|report)s?|contrairement à|entgegen"
    r"|anders als|contrariamente a|al contrario de)\b[^,;]{0,300}[,;]\s*",
    re.I,
)
HEARD = re.compile(rf"\b{_HEARD}", re.I)
HEDGE = re.compile(
    rf"\b(?:{_HEARD}|{_UNPROVEN})\b|^had\b.{{3,160}}\bwould\b"
    r"|\b(?:may|might|could|possibly|perhaps|probably|likely|suggests?|appears?|seems?|estimated|expected|potentially"
    r"|if|unless|depending|would|assum(?:es|ed|ing)|in theory|some (?:studies|authors)|under certain)\b"
    r"|\b(?:vielleicht|möglicherweise|vermutlich|könnten?|dürften?|falls|peut-être|pourrai(?:en)?t|quizás?|podrían?|forse"
    r"|potrebbe(?:ro)?|talvez|poderiam?|misschien|возможно|может)\b|可能|也许|或许|かもしれ",
    re.I,
)
# Hedges and conditions that leave open whether the thing is so at all
OPEN = re.compile(
    rf"\b(?:{_UNPROVEN})\b|^\W{{0,4}}(?:claim|fact[- ]?check)\b[^.:\n]{{0,12}}:|^had\b.{{3,160}}\bwould\b|, or so (?:\w{{1,15}} ){{1,3}}(?:would|claims?|says?|thinks?|believes?)\b"
    r"|\b(?:may|might|could|perhaps|possibly|if|unless|whether|hypothesi[sz]ed?|it is (?:unclear|unknown)|remains? (?:unclear"
    r"|unknown|to be)|provided that|providing that|assuming(?: that)?|as long as|on condition that|only (?:if|when|where)|probably|presumably"
    r"|supposedly|reportedly|purported(?:ly)?|(?:expected|predicted|forecast|projected|believed|thought|said|claimed|rumou?red) to"
    r"|it (?:is|was|has been) (?:often |widely |sometimes |once |long )?(?:suggested|said|thought|believed|assumed|speculated|claimed) that"
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
