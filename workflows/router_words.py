"""The words behind the router: verbs of orders, the things they are given to, and how names and paths look."""

import re

POLITE = re.compile(
    r"^(?:(?:hey|hi|ok|okay|now|then|so|and|zorora|please|kindly|just|go ahead and|let'?s"
    r"|(?:can|could|would|will) you(?: please)?|i(?:'d| would) like (?:you )?to|i (?:want|need)(?: you)? to"
    r"|you (?:should|must))\b[\s,:]*)+",
    re.I,
)

# ---- file operations

FILE_VERBS = {
    "save": "save", "store": "save", "keep": "save", "load": "load", "reload": "load", "restore": "load",
    "list": "list", "show": "show", "view": "show", "display": "show", "print": "show", "read": "show", "cat": "show",
    "open": "open", "delete": "delete", "remove": "delete", "erase": "delete", "trash": "delete", "rename": "rename",
    "move": "move", "copy": "copy", "export": "export", "download": "export", "ingest": "ingest", "import": "ingest",
    "index": "ingest", "edit": "edit", "resume": "resume", "star": "star", "bookmark": "star",
}  # fmt: skip
# Verbs that make sense with "this" or "it" as their whole object
IT_AS = ("save", "export", "rename")  # "save it as tea", "save as tea"
ON_IT = ("save", "show", "delete", "export", "star", "open", "resume")
# What is done to a research that is there: "delete the research on tea" asks for no new one, unlike "show ..."
DONE_TO = ("save", "delete", "export", "star", "resume", "rename")
NO_NAME = frozenset(
    "many much few little soon long far well often possible".split()
)  # "save as many lives as possible"

THINGS = {
    **dict.fromkeys(
        ("research", "researches", "report", "reports", "result", "results", "finding", "findings"), "research"
    ),
    **dict.fromkeys(("conversation", "conversations", "chat", "chats", "session", "sessions"), "conversation"),
    **dict.fromkeys(("history",), "history"),
    **dict.fromkeys(("file", "files"), "file"),
    **dict.fromkeys(("folder", "folders", "directory", "directories"), "folder"),
    **dict.fromkeys(("document", "documents", "library", "pdfs"), "library"),
}
SEVERAL = frozenset("all researches reports conversations chats sessions".split())
OWNERS = frozenset("my our this that these those last saved stored".split())
RECENT = frozenset("latest previous current recent past".split())  # also of what others have written
THING = re.compile(
    rf"^(?:(?:the|all|of|old|first|second|newest|starred|whole|entire|research"
    rf"|{'|'.join(sorted(OWNERS | RECENT))})\s+){{0,4}}(?P<noun>{'|'.join(THINGS)})\b",
    re.I,
)
ABOUT = re.compile(r"^(?:on|about|for|of|regarding|concerning|that|which|who|where|from)\b", re.I)
CALLED = re.compile(r"^(?:named|called|number|no\.?|id|with id|with the id)\s+", re.I)
# What may follow the noun as its name: nothing but a name, an id, a number or a place on this computer
NAME = re.compile(
    r"(?:(?:named|called|number|no\.?|id|with (?:the )?id)\s+)\S+(?:\s\S+){0,5}|\"[^\"]{1,100}\"|'[^']{1,100}'"
    r"|#?\d{1,4}|again|here|now|please|back|[~./][\w~./-]*|[\w-]+\.\w{1,5}|[a-z0-9]+(?:[_-][a-z0-9]+)+"
    r"|(?:in|from|under|inside) (?:(?:the|this|my|that|current|working|same) ){1,3}"
    r"(?:folder|directory|project|repo|repository|workspace|library|bin)"
    r"|(?:in|from|under|inside) [~./][\w~./-]*",
    re.I,
)
DESTINATION = re.compile(r"\s(?:as|to|into|in|under)\s+(?:a |an |the )?(?P<to>[^\s].{0,100})$", re.I)

RESEARCH_ID = re.compile(r"[\w-]{1,60}_\d{8}_\d{6}(?:_\w{1,8})?")
RESEARCH_WORD = re.compile(r"^(?:the )?(?:research|report|result)\s+", re.I)
FILE_WORD = re.compile(r"^(?:the |my |this )?(?:file|folder|directory|document)\s+", re.I)
FOLDER_WORD = re.compile(r"^(?:the |my |this )?(?:folder|directory)\s+", re.I)

_SOURCE = (
    "py|pyi|js|mjs|cjs|ts|tsx|jsx|java|kt|c|h|cc|cpp|hpp|cs|go|rs|rb|php|swift|scala|sh|bash|zsh|ps1|sql|r|jl|lua|pl|ex"
    "|exs|hs|clj|dart|html|htm|css|scss|vue|svelte|toml|yaml|yml|ini|cfg|tf|ipynb|gradle|cmake|mk"
)
_OTHER = "txt|md|markdown|pdf|docx|epub|csv|json|xml|bib|ris|log|rst|tex|odt|xlsx|zip"
_IMAGE = "png|jpe?g|gif|webp|bmp|tiff?|svg|heic"
SOURCE_FILE = re.compile(
    rf"(?<![\w@])(?:[\w~.-]*/)*[\w-][\w.-]{{0,60}}\.(?:{_SOURCE})(?![\w.])|\b(?:Makefile|Dockerfile)\b"
)
IMAGE_FILE = re.compile(rf"(?<![\w@])(?:[\w~.-]*/)*[\w-][\w.-]{{0,60}}\.(?:{_IMAGE})(?!\w)", re.I)
PATH = re.compile(
    rf"(?:~|\.{{1,2}})?/[^\s\"']{{0,200}}|(?:[\w.-]+/)+|(?:[\w.-]+/)*[\w-][\w.-]{{0,80}}\.(?:{_SOURCE}|{_OTHER}|{_IMAGE})",
    re.I,
)

# ---- code

CODE_VERBS = frozenset(
    "write create generate fix refactor edit implement add debug optimise optimize rewrite modify update change build"
    " make code develop port patch extend clean simplify rename test lint document program script".split()
)
STRONG_NOUNS = frozenset(
    "function functions script scripts endpoint endpoints regex decorator dockerfile makefile subroutine cli"
    " microservice webhook linter unittest unittests docstring docstrings codebase backend frontend middleware"
    " dataclass struct enum bug stacktrace traceback".split()
)
WEAK_NOUNS = frozenset(
    "class classes code program method methods module modules tests test api app application component library package"
    " algorithm query parser server client loop snippet test-suite website webpage interface schema migration"
    " exception error typo import imports type types".split()
)
LANGUAGES = frozenset(
    "python java javascript typescript js ts go golang rust ruby php c c++ c# swift kotlin scala bash shell sql html"
    " css react vue flask django node perl lua haskell elixir julia powershell".split()
)
TECHNICAL = LANGUAGES | frozenset(
    "unit integration regression source failing broken rest restful http web json cli async abstract base helper"
    " utility generic command-line command line desktop mobile recursive sorting search binary csv xml unused".split()
)
PLAIN_MODIFIERS = TECHNICAL | frozenset(
    "a an the this that my our some new small simple short basic quick sample example missing all these old"
    " little tiny working complete minimal me us up".split()
)
# Of these people make others too: "a program for weight loss", "a test for diabetes"
OF_ANYTHING = frozenset(("program", "test", "method"))
ADJECTIVES = frozenset(("clean",))  # verbs that are also that: "clean code" is a subject, "clean this code" an order
# Before a programmer's noun these say that something else is meant ("a film script", "a wine bug")
NOT_CODE = frozenset(
    "play movie film tv theatre theater screen radio sermon stomach flu brain kidney liver lung heart thyroid immune"
    " executive cognitive bodily wave production utility social".split()
)
# Written about a file, not in it
PROSE = frozenset("essay article report summary review poem story letter post history paper".split())
PHRASE_END = re.compile(
    r"\s(?=(?:that|which|who|to|for|in|into|on|about|of|with|from|using|by|between|among|so|when|where|because|and|as|at"
    r"|called|named|without|inside|under|over|across|against)\b)|[,;:?!]",
    re.I,
)

# ---- images

PICTURE_VERBS = frozenset("generate draw create make paint render sketch design illustrate produce".split())
ALWAYS_PICTURES = frozenset(("draw", "sketch", "paint"))
PICTURES = frozenset(
    "image images picture pictures drawing illustration photo photograph painting icon logo poster sketch portrait"
    " wallpaper artwork cartoon comic meme banner".split()
)
NOT_DRAWN = frozenset(
    "conclusion conclusions parallel parallels comparison comparisons distinction distinctions lesson lessons line"
    " lines attention inspiration inferences inference analogy analogies contrast contrasts connection connections link"
    " links criticism support fire blood breath map salary money".split()
)
# "draw a cat" is an order, "paint pigments of the Renaissance" is a subject
DETERMINERS = frozenset("a an the me us my our some one two three four five this that".split())
LOOK_VERBS = frozenset(
    "analyse analyze describe caption ocr transcribe inspect examine look explain identify read recognise recognize"
    " summarise summarize".split()
)
LOOK_QUESTION = re.compile(r"^what(?:'s| is| does| do you see| can you see)\b|^who(?:'s| is) (?:in|on)\b", re.I)
