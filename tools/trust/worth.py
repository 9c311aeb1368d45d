"""Which sentences are worth citing: specific, self-contained statements; never boilerplate, headings or questions."""

import re

from tools.text.sentences import spans
from tools.text.tokens import STOP, fold, stem, stems, words
from tools.trust.antecedents import leading_pronoun
from tools.trust.orders import orders
from tools.trust.statement import analyse

# The subject or place is said elsewhere: "Whether they are built depends", "Electricity is cheap there at noon"
_LOOSE = re.compile(
    r"^[^.;]{0,80},\sthe (?:film|movie|album|song|band|book|novel|series|show|game|company|team) (?:is|was|has|had)\b"
    r"|^(?:[\w'’-]+\s){1,5}therefore\s"
    r"|^(?:[\w'’,-]+\s){0,6}it\b|^(?:[\w'’,-]+\s){0,3}(?:they|them|he|she|him|there(?!\s(?:is|are|was|were|has|have)))\b"
    r"|^(?:(?:half|most|much|some|all|none|part|the rest) of )?the (?:effect|difference|change|result|results|figure"
    r"|figures|method|fall|rise|gain|loss|comparison|estimate|(?-i:same|other|second|first|latter|remaining|rest))"
    r"\s(?!of\b|in\b|between\b|from\b)",
    re.I,
)
# "Currently a solo artist, he became known": nobody is named before the pronoun
_NOBODY = re.compile(r"^[A-Z][^A-Z.;]{0,80},\s(?:he|she|they|his|her|their)\b")
# A bare definite noun that only the sentences before can tell: "The film reunites", "The authors conclude"
_BARE = re.compile(
    r"^the (?:film|movie|album|song|single|band|group|book|novel|series|show|episode|game|company|firm|club|team|study"
    r"|trial|authors?|article|paper|patients?|participants?|subjects|process|procedure|approach|technique|device"
    r"|intervention|findings?|data|analysis|model|story|plot|couple|pair|former|town|village|county|building|church"
    r"|event|incident|battle|treatment|drug|programme|program|project|species|protein|gene)"
    r"\s(?:also\s|then\s|further\s|itself\s)?(?!of\b|in\b|between\b|from\b|that\b|which\b|for\b|on\b|at\b|called\b)",
    re.I,
)
# A text that speaks of itself
_ABOUT_ITSELF = re.compile(
    r"\b(?:this|the present|the|our) (?:report|review|note|paper|article|page|document|briefing|chapter|book|reader"
    r"|guide|overview|survey)\s(?:was (?:written|prepared|made)|is (?:written|organi[sz]ed|meant|divided)|covers"
    r"|describes|lists|deals|sums up|looks at|begins|ends|explains)\b"
    r"|\breaders? (?:should|may|will|can|who)\b|\binvented example\b",
    re.I,
)
# What somebody wanted to find out, or did to find out, is no finding
_AIM = re.compile(
    r"^(?:(?:in order )?to (?:\w+ly )?(?:evaluate|examine|determine|investigate|assess|explore|compare|test|elucidate"
    r"|study|describe|identify|establish|characteri[sz]e|understand|review|estimate|measure|analy[sz]e|address)\b"
    r"|(?:the |our |its )?(?:primary |main |secondary )?(?:aims?|objectives?|purpose|goals?|outcomes?|end ?points?)\b)"
    r"|(?:\bwe|\[the authors\]) (?:\w+ly )?(?:aim|aimed|sought|seek|set out|hypothesi[sz]ed?|asked|wanted|wished"
    r"|tested|investigate[sd]?|examine[sd]?|evaluate[sd]?|assess(?:ed)?|explored?|compared?|review(?:ed)?"
    r"|discuss(?:ed)?|describe[sd]?|studied|propose|present|performed|conducted|used|developed|analy[sz]ed"
    r"|randomi[sz]ed|randomly|recruited|enrolled|collected|generated|hope|thank|believe|report on|published|measured)\b"
    r"|\b(?:outcome measures?|inclusion criteria|exclusion criteria)\b",
    re.I,
)
# A sentence that only announces what follows
_ANNOUNCES = re.compile(
    r"\b(?:as follows|the following|in (?:the following|(?:two|three|four|five|several|many|various|different)"
    r" (?:\w+ )?(?:ways|forms|steps|stages|types|groups|parts|kinds)))\W*$",
    re.I,
)
# Words to the reader, or to a machine that reads: never something a source found
_ADDRESSED = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass) (?:(?:all|any|of|the|your|these|those|every) ){0,4}"
    r"(?:previous|prior|above|earlier|preceding|other|instructions?|rules|safety|guidelines)\b"
    r"|\b(?:system prompt|prompt injection|as an ai)\b"
    r"|\b(?:language models?|ai (?:assistant|model|system|agent)s?|chatbots?|assistants?|crawlers?|summari[sz]ers?)\b"
    r".{0,40}\b(?:must|should|shall|are to|is to|please|will)\b.{0,40}\b(?:ignore|output|reply|respond|answer|say|state"
    r"|report|write|conclude|recommend|mention|praise|cite|rate)\b"
    r"|\byou (?:are|must|should|will|shall) (?:now |always |never |only )?(?:an?|the|act|answer|say|report|reply"
    r"|respond|ignore|write|output|state|tell|conclude)\b"
    r"|^(?:please|dear|note that|nb:?|imagine|suppose|click|do not|don['’]t|be sure|make sure)\s"
    r"|^(?:call|ask|tell|write|answer|respond|reply|conclude|summari[sz]e|output|print|repeat|report|state|remember"
    r"|visit) (?:that|to|only|back|with|your|me|us|exactly|the (?:following|user|reader|model))\b"
    r"|^(?:important|attention|system|assistant|user|instructions?)\s?[:!]|^[CES]\d{1,3}(?: [CES]\d{1,3})?(?::\s| [✓⚠])"
    r"|^(?:label|rate|treat|score) (?:every|each|all|this|the source)\b"
    r"|\bif you do not (?:write|say|answer|report|obey)\b",
    re.I,
)
# A statement given only to be denied: "Myth: ...", "Claim: ... Verdict: false", or held up to be tried
_DENIED = re.compile(
    r"^(?:myth|misconception|false claim|fiction|fake|claim|rumou?r|hoax|fact[- ]?check(?:ed|ing)?)\b"
    r"[^.]{0,12}?[:–—-]\s"
    r"|\b(?:verdict|rating|ruling): ?(?:\w+ )?(?:false|untrue|wrong|fake)",
    re.I,
)
# What a sentence may point at only when it has named it before
_MEANT = re.compile(
    r"\b(?:this|these|such|the present|the former|the latter) (methods?|solutions?|results?|approach(?:es)?|techniques?"
    r"|stud(?:y|ies)|works?|papers?|reports?|theor(?:y|ies)|models?|procedures?|cases?|equations?|problems?|analys[ei]s"
    r"|findings?|data|effects?|process(?:es)?|conditions?|regions?|patients?|groups?)\b"
    r"|\b(?:given|presented|described|obtained|considered|studied|used) (here)(?:in)?\b"
    r"|\bthe (figures?|sum|number|comparison|change)(?=[.,;!]|\s(?:since|because|and|was|is|has)\b)",
    re.I,
)
_CLAUSE = re.compile(r"[,;:]|\b(?:and|but|which|that)\b")  # something was said before: that is what may be meant
_MIN_WORDS, _MAX_WORDS = 6, 60
_BOILERPLATE = re.compile(
    r"\b(?:cookie|cookies|privacy policy|terms of (?:use|service)|all rights reserved|subscribe|newsletter|sign up"
    r"|log ?in|click here|read more|share this|follow us|copyright|advertisement|javascript|your browser|skip to"
    r"|back to top|related articles|close search|search results|type your search|press return"
    r"|leave a comment|download pdf|view article|contact us|accept all|creative commons"
    r"|permission to make digital|this article is distributed|google scholar|doi:|isbn|issn|retrieved from"
    r"|community content is available|categories ?:|living people|short description)\b|©|\[ ?edit ?\]",
    re.I,
)
_POINTS_WITHIN = re.compile(
    r"^(?:when|while|if|although|because|once|as|whether|since|where) (?:this|these|those|it|they|such)\b"
    r"|^the (?:[\w-]+\s){1,4}(?:of|in|for|behind|between) (?:this|these|those|such)\b|^(?:\w+\s){1,3}then\b"
    r"|\b(?:further|more|additional|future) (?:research|studies|work|investigations?|trials)\b.{0,120}"
    r"\b(?:warranted|needed|required|necessary)\b",
    re.I,
)
_POINTS_ELSEWHERE = re.compile(
    r"^(?:(?:and|but|so|or|however|thus|therefore|hence|moreover|then|also|instead|otherwise|yet|still),?\s+)*"
    r"(?:it|its|he|she|they|them|their|his|her|this|that|these|those|such|here|both|the (?:former|latter|above"
    r"|following|same|two|three|aforementioned)|one of them|another|we|our|i|my|you|your|as (?:above|shown|mentioned"
    r"|noted)|(?:in|at|by|after|before|during|for|from|with|of|on|among|unlike|like|despite|given|under|since|following"
    r"|because of|due to|through|besides|beyond|within|to) (?:this|that|these|those|such|it|them|his|her|its|their|our"
    r"|my|both|the (?:present|same|latter|former|(?:first|second|third|other) (?:part|case|experiment|study|group)))"
    r"|see (?:also|figure|table|section)|figure|fig\.|table|section|chapter|appendix|references?)\b",
    re.I,
)
_DANGLING = re.compile(
    r"\b(?:as (?:mentioned|described|shown|discussed|noted) (?:above|below|earlier|before)|see (?:above|below)"
    r"|for another reason|no such|such an? (?:effect|result|change|difference|approach|case)|aforementioned"
    r"|above-?mentioned|the latter"
    r"|the former(?=[,.]| (?:is|was|are|were|has|have)\b)"
    r"|(?:in|from|of) (?:the )?(?:table|figure|section) (?:above|below|\d))\b",
    re.I,
)


def worth_citing(sentence: str, small: bool = False) -> bool:
    """Whether a sentence can stand in a report by itself. small: it comes from a text without capital letters."""
    text = " ".join(sentence.split())
    count = len(words(text))
    if not _MIN_WORDS <= count <= _MAX_WORDS or len(text) > 600:
        return False
    if (text[0].islower() and not small) or not (text[0].isalnum() or text[0] in "\"“‘'(«["):
        return False  # the rest of a sentence that was cut, or a mark of a list
    if text.rstrip("\"”’')»]")[-1:] not in (".", "!", "。", "！", "｡"):
        return False  # a question, a heading, or a line that was cut
    if (
        leading_pronoun(text)
        or _only_quoted(text)
        or orders(text)
        or _means_another(text)
        or any(pattern.search(text) for pattern in _NEVER)
    ):
        return False
    return _is_prose(text)


def prose(text: str) -> bool:
    """Whether a stretch of text is prose at all: no menu of a page, no row of a table, no noise."""
    flat = " ".join(text.split())
    return _is_prose(flat) and not _BOILERPLATE.search(flat)


def addressed(text: str) -> bool:
    """Whether any of it speaks to the reader, or to a machine that reads."""
    return orders(text) or any(_ADDRESSED.search(text[start:end].strip()) for start, end in spans(text))


# "I have only changed the name": nobody says here who speaks ("Elizabeth I was" has no speaker)
_SPEAKER = re.compile(r"(?:^|[,;:]\s|\b(?:that|and|but|because|as|when|if|what|which|so|than|though)\s)I\s[a-z]")
_NEVER = (
    _BOILERPLATE, _POINTS_ELSEWHERE, _DANGLING, _LOOSE, _NOBODY, _BARE, _ABOUT_ITSELF, _AIM, _ANNOUNCES, _ADDRESSED,
    _DENIED, _POINTS_WITHIN, _SPEAKER,
)  # fmt: skip


def _only_quoted(text: str) -> bool:
    """Somebody else's words from end to end: nobody says here whose they are, or whether they are right."""
    return text[0] in '"“«' and text.rstrip(" .!")[-1:] in '"”»' and not any(c in text[1:-2] for c in '"”»')


def _means_another(text: str) -> bool:
    """Whether it speaks of "this method" or "these results" and has named no such thing, nor said anything, before."""
    for match in _MEANT.finditer(text):
        before = text[: match.start()]
        if not _CLAUSE.search(before) and stem(fold(match[1] or match[2] or match[3])) not in stems(before):
            return True
    return False


def _is_prose(text: str) -> bool:
    letters = sum(c.isalpha() for c in text)
    if letters < 0.6 * len(text.replace(" ", "")):
        return False  # a table row, a formula, a list of numbers
    return sum(c.isupper() for c in text) <= 0.4 * letters and not _is_noise(text)


_TOKEN = re.compile(r"\S+")
_ODD = re.compile(
    r"[A-Za-z][^\w\s'’.,;:()\[\]/&+%°–—-][A-Za-z]|[a-z][A-Z]{2,}[a-z]|[a-z]\d[a-z]|[|~^\\{}<>=_]{2}|(.)\1{3}"
)


def _is_noise(text: str) -> bool:
    """Letters that a scanner read wrongly, or the cells of a table: too many odd or one-letter words."""
    found = _TOKEN.findall(text)
    odd = sum(bool(_ODD.search(one)) for one in found)
    single = sum(len(one) == 1 and one.isalpha() and one not in "aAIO" for one in found)
    return text.count("|") > 1 or odd > 0.15 * len(found) or single > 0.2 * len(found)


def specificity(sentence: str) -> float:
    """How much a sentence pins down, 0..1: numbers, names, and words that carry content."""
    statement = analyse(" ".join(sentence.split()))
    all_words = words(sentence) or [""]
    content = sum(word not in STOP for word in all_words) / len(all_words)
    numbers = min(1.0, len(statement.quantities) / 2)
    names = min(1.0, len(statement.names) / 3)
    hedge = 0.15 if statement.hedged else 0.0
    return round(max(0.0, min(1.0, 0.5 * content + 0.35 * numbers + 0.15 * names - hedge)), 6)
