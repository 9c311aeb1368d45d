"""The words behind the router: verbs of orders, the things they are given to, and how names and
paths look."""

import re

POLITE = re.compile(
    r"^(?:(?:hey|hi|ok|okay|now|then|so|and|zorora|please|kindly|just|quickly|go ahead and|let'?s"
    r"|(?:can|could|would|will) you(?: please)?|i(?:'d| would) like (?:you )?to|i (?:want"
    r"|need)(?: you)? to"
    r"|you (?:should|must))\b[\s,:]*)+",
    re.I,
)
POLITE_END = re.compile(r"(?:,? (?:please|for me|thanks|thank you|right now)[.!?]*)+$", re.I)
# Several words that say what one verb says; the questions are about this folder, or fail to match
# further on
VERB_PHRASES = tuple(
    (re.compile(pattern, re.I), verb)
    for pattern, verb in (
        (r"^(?:(?:let me )?(?:take|have) a (?:quick )?look at|look (?:at|into)) ", "look "),
        (r"^what(?:'s|s| is| are)(?: there)? (?:in|inside) ", "look "),
        (r"^(?:can|may|could) (?:i|we) (?:see|read|have a look at) ", "show "),
        (r"^(?:let me see|let us see|give me|bring up|pull up|open up|get me) ", "show "),
        (r"^(?:go|change|switch) (?:in)?to ", "cd "),
        (
            r"^(?:what|which|how many) ((?:\w+ )?(?:files|folders|documents|reports))"
            r" (?:are there|are|do (?:i|we) have)\b ?",
            r"list \1 ",
        ),
        (r"^write (?=(?:this|it|that|(?:the|my) (?:last )?(?:answer|report|research)) "
         r"(?:to|as|in|into)\b)", "save "),
        (r"^i (?:need|want) (?=an? )", "make "),
        (r"^(?:add|put) (?=\S+ (?:to|into) (?:my |the )?(?:library|documents)$)", "ingest "),
    )
)  # fmt: skip
QUESTION_WORDS = frozenset(
    "what what's whats why how who who's whose when where which is are was were do does did can "
    "could should would will"
    " has have had am may might".split()
)

LANGUAGES = frozenset(
    "python java javascript typescript js ts go golang rust ruby php c c++ c# swift kotlin scala "
    "bash shell sql html"
    " css react vue flask django fastapi node perl lua haskell elixir julia powershell "
    "markdown".split()
)
_LANGUAGES = "|".join(sorted(map(re.escape, LANGUAGES)))

# ---- file operations

FILE_VERBS = {
    "save": "save", "store": "save", "keep": "save", "load": "load", "reload": "load",
    "restore": "load", "list": "list", "show": "show", "view": "show", "display": "show",
    "print": "show", "read": "show", "look": "show", "open": "open", "cd": "open",
    "delete": "delete", "remove": "delete", "erase": "delete", "trash": "delete",
    "rename": "rename", "move": "move", "copy": "copy", "find": "list", "export": "export",
    "download": "export", "ingest": "ingest", "import": "ingest", "index": "ingest", "edit": "edit",
    "resume": "resume", "cancel": "cancel", "stop": "cancel", "star": "star", "bookmark": "star",
}  # fmt: skip
# Verbs that make sense with "this" or "it" as their whole object
IT_AS = ("save", "export", "rename")  # "save it as tea", "save as tea"
ON_IT = ("save", "show", "delete", "export", "star", "open", "resume")
# What is done to a research that is there: "delete the research on tea" asks for no new one, unlike
# "show ..."
DONE_TO = ("load", "open", "cancel", "save", "delete", "export", "star", "resume", "rename")

THINGS = {
    **dict.fromkeys(
        (
            "research",
            "researches",
            "report",
            "reports",
            "result",
            "results",
            "finding",
            "findings",
            "answer",
        ),
        "research",
    ),
    **dict.fromkeys(
        ("conversation", "conversations", "chat", "chats", "session", "sessions"), "conversation"
    ),
    **dict.fromkeys(("history",), "history"),
    **dict.fromkeys(("file", "files"), "file"),
    **dict.fromkeys(("folder", "folders", "directory", "directories"), "folder"),
    **dict.fromkeys(("document", "documents", "library", "pdfs"), "library"),
}
SEVERAL = frozenset("all researches reports conversations chats sessions".split())
OWNERS = frozenset("my our this that these those last saved stored".split())
# Also of what others have written
RECENT = frozenset("latest previous current recent past most".split())
THING = re.compile(
    rf"^(?:(?:the|all|of|old|first|second|newest|starred|running|whole|entire|research|working|hidden|text|{_LANGUAGES}|\.\w{{1,5}}"
    rf"|{'|'.join(sorted(OWNERS | RECENT))})\s+){{0,4}}(?P<noun>{'|'.join(THINGS)})\b",
    re.I,
)
ABOUT = re.compile(r"^(?:on|about|for|of|regarding|concerning|that|which|who|where|from)\b", re.I)
CALLED = re.compile(r"^(?:named|called|number|no\.?|id|with id|with the id)\s+", re.I)
# What may follow the noun as its name: nothing but a name, an id, a number or a place on this
# computer
NAME = re.compile(
    r"(?:(?:named|called|number|no\.?|id"
    r"|with (?:the )?id)\s+)\S+(?:\s\S+){0,5}|\"[^\"]{1,100}\"|'[^']{1,100}'"
    r"|#?\d{1,4}|(?:from|of) (?:today|yesterday|(?:last|this) \w+|\w+day)"
    r"|again|here|now|please|back|[~./][\w~./-]*|[\w-]+\.\w{1,5}|[a-z0-9]+(?:[_-][a-z0-9]+)+"
    r"|(?:in|from|under|inside) (?:(?:the|this|my|that|current|working|same) ){1,3}"
    r"(?:folder|directory|project|repo|repository|workspace|library|bin)"
    r"|(?:in|from|under|inside) [~./][\w~./-]*",
    re.I,
)
INTO_LIBRARY = re.compile(r" (?:to|into) (?:my |the )?(?:library|documents)$", re.I)
DESTINATION = re.compile(
    r"\s(?:as|to|into|in|under)\s+(?:a |an |the )?(?P<to>[^\s].{0,100})$", re.I
)

RESEARCH_ID = re.compile(r"[\w-]{1,60}_\d{8}_\d{6}(?:_\w{1,8})?")
NAME_OF_REPORT = re.compile(r"@\S+|[a-z0-9]+(?:[-_][a-z0-9]+)+", re.I)
RESEARCH_WORD = re.compile(r"^(?:the )?(?:research|report|result)\s+", re.I)
FILE_WORD = re.compile(r"^(?:the |my |this )?(?:(?:file|folder|directory|document)\s+)?", re.I)
FOLDER_AFTER = re.compile(r"(?<!\bthis)(?<!\bcurrent) (?:folder|directory|dir)$", re.I)
FOLDER_WORD = re.compile(r"^(?:the |my |this )?(?:folder|directory)\s+", re.I)

# What stands before the object: "me the contents of", "the first 10 lines of"
OBJECT_LEAD = re.compile(
    r"^(?:(?:me|us)\s+)?(?:(?:the )?(?:contents?|text) of |what(?:'s|s| is) in "
    r"|everything in |(?:the )?(?:first|last|top) (?:\d+ )?lines (?:of|in|from) )?",
    re.I,
)
WHERE_AM_I = re.compile(
    r"where am i|(?:what|which) (?:folder|directory) (?:am i in|is this|are we in)"
    r"|(?:show|print|look|what(?:'s| is)) (?:me )?(?:the|my)? ?(?:current |working "
    r"|present ){1,2}(?:folder|directory)",
    re.I,
)
MAKING_VERBS = frozenset(("make", "create", "add", "start"))
NEW_FILE = re.compile(
    r"(?:me )?(?:an? )?(?:(?:new|empty|blank|sub) )*(?:(?P<kind>file|folder|directory|subfolder)"
    r"(?: (?:called |named )?\"?(?P<name>[\w./~-]{1,200}))?\"?|(?P<path>[\w./~-]{1,200}\.\w{1,5}))",
    re.I,
)

_SOURCE = (
    "py|pyi|js|mjs|cjs|ts|tsx|jsx|java|kt|c|h|cc|cpp|hpp|cs|go|rs|rb|php|swift|scala|sh|bash|zsh|ps1|sql|r|jl|lua|pl|ex"
    "|exs|hs|clj|dart|html|htm|css|scss|vue|svelte|toml|yaml|yml|ini|cfg|tf|ipynb|gradle|cmake|mk"
)
_OTHER = (
    "txt|mdx?|markdown|adoc|asciidoc|pdf|docx|epub|csv|json|xml|bib|ris|log|rst|tex|odt|xlsx|zip"
)
_IMAGE = "png|jpe?g|gif|webp|bmp|tiff?|svg|heic"
SOURCE_FILE = re.compile(
    rf"(?<![\w@])(?:[\w~.-]*/)*[\w-][\w.-]{{0,60}}\.(?:{_SOURCE})(?![\w.])|\b(?:Makefile|Dockerfile)\b"
)
DOCUMENT_FILE = re.compile(rf"(?:[\w~.-]*/)*[\w-][\w.-]{{0,60}}\.(?:{_OTHER})", re.I)
IMAGE_FILE = re.compile(rf"(?<![\w@])(?:[\w~.-]*/)*[\w-][\w.-]{{0,60}}\.(?:{_IMAGE})(?!\w)", re.I)
PATH = re.compile(
    rf"(?:~|\.{{1,2}})?/[^\s\"']{{0,200}}|(?:[\w.-]+/)+|(?:[\w.-]+/)*[\w-][\w.-]{{0,80}}\.(?:{_SOURCE}|{_OTHER}|{_IMAGE})",
    re.I,
)

# Any word that may name a file, a folder or a path, but no address
FILE_NAME = re.compile(r"(?![\w+.-]*://)[\w~./-][\w~./+-]{0,200}")

# ---- lines for a shell

# Programs whose names are words too: what follows decides
ENGLISH_PROGRAMS = frozenset(
    "cat code convert cut date diff dir echo env export file find go head history import java join "
    "kill"
    " less ls make man more node paste perl python ruby rust sed set sleep sort source split stat "
    "tail"
    " test time top touch tree type watch which who yes".split()
)
PROGRAMS = ENGLISH_PROGRAMS | frozenset(
    "apt awk bash brew bun bundle cargo cd chmod chown clang cmake conda cp curl deno df docker "
    "dotnet du"
    " emacs gcc gh git gradle grep htop ifconfig kubectl ll ln lsof mkdir mv mypy mvn nano netstat "
    "npm npx"
    " nvim ping pip pip3 pipx pnpm podman poetry printf ps pwd pytest python3 rg rm rmdir rsync "
    "ruff rustc"
    " scp sh sqlite3 ssh sudo systemctl tar tmux tox uname uv vi vim wc wget whoami xargs yarn zip "
    "unzip"
    " zsh".split()
)
# Programs whose argument is a program
WRAPPERS = frozenset(("which", "man", "sudo", "time", "watch"))
# What the file tools do for a program: (action, object)
FILE_PROGRAMS = {
    **dict.fromkeys(("ls", "ll", "dir", "tree"), ("list", "folder")),
    **dict.fromkeys(("cat", "less", "more", "head", "tail", "type", "vi", "vim", "nvim", "nano"),
        ("show", "file")),
    "cd": ("open", "folder"), "pwd": ("where", "folder"), "mkdir": ("make", "folder"),
    "touch": ("make", "file"),
    "rm": ("delete", "file"),
}  # fmt: skip
SHELL_SIGN = re.compile(r"^--?\w|[|<>`*]|\$\w|&&|^\w+=|://|^\.[\w.]*/")
PIPED = re.compile(r"[|<>`]|&&|\$\w")
ASSIGNMENT = re.compile(r"[A-Z_]{2,40}=\S")

# ---- code

CODE_VERBS = frozenset(
    "write create generate fix refactor edit implement add debug optimise optimize rewrite modify "
    "update change build"
    " make code develop port patch extend clean simplify rename test lint document program script "
    "scaffold".split()
)
# Verbs that are code work where a file, an identifier or a part of a program is their object
CHANGE_VERBS = CODE_VERBS | frozenset(
    "convert translate extract move remove delete replace handle use set speed wrap merge split "
    "upgrade migrate turn"
    " append insert rework improve format sort".split()
)
EXPLAIN_VERBS = frozenset(
    "explain review describe analyse analyze summarise summarize understand check inspect examine "
    "audit"
    " critique".split()
)
# Of nothing but programs
PROGRAMMING_VERBS = frozenset(("implement", "refactor", "debug", "lint", "scaffold"))
POINTING = frozenset(("this", "my", "our", "these"))
# parse_row, parseRow, parse(), `anything`
IDENTIFIER = re.compile(r"\b[a-z0-9]+_[a-z]\w*|\b[a-z]{2,}[A-Z][a-z]\w*|\w\(\)|`[^`]+`")
IN_LANGUAGE = re.compile(
    rf"\b(?:in|using|with|into|to) (?:{_LANGUAGES})(?=$|[,;:.]| "
    r"(?:that|which|to|for|with|and|using|from)\b)",
    re.I,
)
STRONG_NOUNS = frozenset(
    "function functions script scripts endpoint endpoints regex decorator dockerfile makefile "
    "subroutine cli"
    " microservice webhook linter unittest unittests docstring docstrings codebase backend "
    "frontend middleware"
    " dataclass struct enum bug stacktrace traceback".split()
)
WEAK_NOUNS = frozenset(
    "class classes code program method methods module modules tests test api app application "
    "component library package"
    " algorithm query parser server client loop snippet test-suite website webpage interface "
    "schema migration"
    " exception error errors warning warnings typo import imports type types tool project workflow "
    "build".split()
)
TECHNICAL = LANGUAGES | frozenset(
    "unit integration regression source failing broken rest restful http web json cli async "
    "abstract base"
    " helper utility generic linter lint build compiler github command-line command line desktop "
    "mobile"
    " recursive sorting search binary csv xml unused".split()
)
PLAIN_MODIFIERS = TECHNICAL | frozenset(
    "a an the this that my our some new small simple short basic quick sample example missing all "
    "these old"
    " little tiny working complete minimal me us up".split()
)
# "... to the upload function", "... into its own module", "... for this project"
INTO_CODE = re.compile(
    r"\b(?:(?:the|its|each|every|this|my|our) (?:own )?(?:[\w-]+ "
    rf")?(?:{'|'.join(sorted(STRONG_NOUNS))}|modules?|repo)"
    r"|(?:this|my|our) (?:[\w-]+ )?(?:code|project|program|app))$",
    re.I,
)
_BREAKS = (
    "that which who to for in into on about of with from using by between among so when where "
    "because and as at called"
    " named without inside under over across against"
)
PHRASE_END = re.compile(rf"\s(?=(?:{_BREAKS.replace(' ', '|')})\b)|[,;:?!]", re.I)
# Words of a sentence, which stand in no short line for a shell
PROSE = frozenset(_BREAKS.split()) | frozenset("the a an or is are vs versus how why what".split())

# ---- images

PICTURE_VERBS = frozenset(
    "generate draw create make paint render sketch design illustrate produce".split()
)
ALWAYS_PICTURES = frozenset(("draw", "sketch", "paint"))
PICTURES = frozenset(
    "image images picture pictures drawing illustration photo photograph painting icon logo poster "
    "sketch portrait"
    " wallpaper artwork cartoon comic meme banner".split()
)
NOT_DRAWN = frozenset(
    "conclusion conclusions parallel parallels comparison comparisons distinction distinctions "
    "lesson lessons line"
    " lines attention inspiration inferences inference analogy analogies contrast contrasts "
    "connection connections link"
    " links criticism support fire blood breath map salary money".split()
)
# "draw a cat" is an order, "paint pigments of the Renaissance" is a subject
DETERMINERS = frozenset("a an the me us my our some one two three four five this that".split())
LOOK_VERBS = frozenset(
    "analyse analyze describe caption ocr transcribe inspect examine look explain identify read "
    "recognise recognize"
    " summarise summarize".split()
)

# ---- lines that say too little

COURTESIES = frozenset(
    "hmm hello hi hey thanks thank you ok okay yes yeah no nope sure go ahead do it this that again"
    " please there good great nice cool bye goodbye morning evening night fix continue next stop "
    "wait"
    " sorry everyone all try".split()
)
# A statement, a call, an assignment; or no letter at all
CODE_LINE = re.compile(r";$|^[\w.]+\(.*\)$|^\w+ ?= ?\S+$|^(?:import|from) \w+$|^[^\w]+$")
FEW_WORDS = 4
