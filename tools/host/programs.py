"""The programs that run_shell starts, and the arguments each of them takes. What is not listed is
refused.

None of them writes, connects, or starts another program with these arguments. Options are listed
one by one because a single forgotten one (find -exec, sort -o, rg --pre, grep -R into a link) would
undo the rest.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

TEXT, NUMBER, PATH = "text", "number", "path"


@dataclass(frozen=True, slots=True)
class ShellRules:
    """What the user's settings add. allowed: program -> first arguments it may have, "*" for any;
    None: all of PROGRAMS and git. seconds: the longest that a program may run. output: bytes of its
    output that are kept."""

    allowed: Mapping[str, tuple[str, ...]] | None = None
    seconds: float = 60.0
    output: int = 64_000


@dataclass(frozen=True, slots=True)
class Program:
    """Which arguments a program takes.

    flags: options without a value. values: options with one, and its kind. operands: kinds of the
    other words in order, the last one for all further words; () = none. dashed: options of several
    letters after one dash (find). most: how many operands. numbers: "-5" means a count. plain: what
    operands consist of, as a regular expression. first: options put before everything.
    past_secrets: options, put last, that make a search through folders pass over files, and
    folders, of such a name. as_given: the words keep their order (else options, "--", operands).
    """

    flags: frozenset[str] = frozenset()
    values: Mapping[str, str] = field(default_factory=dict)
    operands: tuple[str, ...] = (PATH,)
    most: int | None = None
    dashed: bool = False
    numbers: bool = False
    first: tuple[str, ...] = ()
    plain: str = ""
    past_secrets: tuple[str, ...] = ()
    as_given: bool = False


def _flags(letters: str, long: str = "") -> frozenset[str]:
    return frozenset(
        [*(f"-{letter}" for letter in letters), *(f"--{name}" for name in long.split())]
    )


def _values(kind: str, letters: str, long: str = "") -> dict[str, str]:
    return dict.fromkeys(sorted(_flags(letters, long)), kind)


_COLOUR = {"--color": TEXT, "--colour": TEXT}
_GREP = Program(
    flags=_flags(
        "EFGPivwxcLlohHnqsrazZTU",
        "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case "
        "invert-match word-regexp"
        " line-regexp count files-with-matches files-without-match only-matching no-filename "
        "with-filename line-number"
        " quiet silent no-messages recursive text null initial-tab binary byte-offset "
        "line-buffered",
    ),
    values={
        **_values(NUMBER, "ABCm", "after-context before-context context max-count"),
        **_values(TEXT, "e", "regexp include exclude exclude-dir binary-files label"),
        **_COLOUR,
    },
    operands=(TEXT, PATH),
    numbers=True,
    past_secrets=("--exclude={}", "--exclude-dir={}"),
)
_RG = Program(
    flags=_flags(
        "FSUchilnopqsvwxNHI0",
        "fixed-strings smart-case multiline count count-matches ignore-case files-with-matches "
        "files-without-match"
        " line-number only-matching pretty quiet case-sensitive invert-match word-regexp "
        "line-regexp no-line-number"
        " with-filename no-filename files json stats trim vimgrep heading no-heading null column "
        "crlf sort-files"
        " type-list",
    ),
    values={
        **_values(
            NUMBER, "ABCmd", "after-context before-context context max-count max-depth max-columns"
        ),
        **_values(TEXT, "egtT", "regexp glob iglob type type-not sort sortr encoding engine"),
        **_COLOUR,
    },
    operands=(TEXT, PATH),
    first=("--no-config", "--no-follow", "--no-search-zip", "--no-pre"),
    past_secrets=("--iglob=!{}",) * 2,  # after every --glob, in any case,
)
_FIND = Program(
    flags=frozenset(
        "-empty -print -print0 -not -a -and -o -or ! ( ) -prune "
        "-readable -writable -executable -true".split()
    )
    | frozenset(("-false", "-depth", "-mount", "-xdev", "-ls", "-noleaf", "-daystart")),
    values={
        **dict.fromkeys(
            "-name -iname -path -ipath -wholename -regex "
            "-iregex -regextype -type -size -perm".split(),
            TEXT,
        ),
        **dict.fromkeys("-mtime -mmin -atime -amin -ctime -cmin -user -group".split(), TEXT),
        **dict.fromkeys("-maxdepth -mindepth -links -inum".split(), NUMBER),
        **dict.fromkeys("-newer -anewer -cnewer -samefile".split(), PATH),
    },
    dashed=True,
    as_given=True,
    first=("-P",),
)

PROGRAMS: Mapping[str, Program] = {
    "ls": Program(
        _flags(
            "1AaBCFGhiklmnopQqRrSstUuvXxZdcNg",
            "all almost-all human-readable recursive reverse directory classify inode "
            "numeric-uid-gid size full-time"
            " group-directories-first no-group si",
        ),
        {
            **_values(TEXT, "I", "sort time time-style ignore hide format indicator-style"),
            **_COLOUR,
        },
    ),
    "cat": Program(
        _flags("AbeEnstTuv", "show-all number number-nonblank show-ends show-tabs squeeze-blank")
    ),
    "head": Program(
        _flags("qvz", "quiet verbose"), _values(NUMBER, "nc", "lines bytes"), numbers=True
    ),
    "tail": Program(
        _flags("qvz", "quiet verbose"), _values(NUMBER, "nc", "lines bytes"), numbers=True
    ),
    "wc": Program(_flags("cmlLw", "bytes chars lines words max-line-length")),
    "nl": Program(_flags("p"), _values(TEXT, "bhfnsvwid")),
    "pwd": Program(_flags("LP"), operands=()),
    "stat": Program(_flags("ft", "terse"), {"-c": TEXT, "--format": TEXT, "--printf": TEXT}),
    "file": Program(_flags("bih", "brief mime mime-type mime-encoding no-dereference")),
    "du": Program(
        _flags(
            "abchkmsSx", "all bytes total human-readable summarize apparent-size si one-file-system"
        ),
        {**_values(NUMBER, "d", "max-depth"), **_values(TEXT, "t", "threshold exclude")},
    ),
    "tree": Program(
        _flags("adfhinpsugDFQrtUvC", "noreport dirsfirst du si gitignore prune"),
        {"-L": NUMBER, "-P": TEXT, "-I": TEXT, "--filelimit": NUMBER},
    ),
    "find": _FIND,
    "grep": _GREP,
    "egrep": _GREP,
    "fgrep": _GREP,
    "rg": _RG,
    "sort": Program(
        _flags(
            "bcCdfghiMmnrRsuVz",
            "unique reverse numeric-sort ignore-case human-numeric-sort version-sort check stable",
        ),
        _values(TEXT, "kt", "key field-separator"),
    ),
    # The second operand of uniq is a file that it writes
    "uniq": Program(
        _flags("cdDiuz", "count repeated unique ignore-case"), _values(NUMBER, "fsw"), most=1
    ),
    "cut": Program(
        _flags("snz", "complement only-delimited"),
        _values(TEXT, "bcdf", "bytes characters delimiter fields output-delimiter"),
    ),
    "tr": Program(
        _flags("cCdst", "complement delete squeeze-repeats truncate-set1"), operands=(TEXT,), most=2
    ),
    "diff": Program(
        _flags(
            "abBcdeEiNnpqrstTuwyZ",
            "brief unified context recursive new-file ignore-case ignore-all-space "
            "ignore-space-change"
            " ignore-blank-lines side-by-side report-identical-files text minimal show-c-function "
            "strip-trailing-cr",
        ),
        {
            **_values(NUMBER, "UCW", "width"),
            **_values(TEXT, "xI", "exclude ignore-matching-lines label"),
            **_COLOUR,
        },
        first=("--no-dereference",),
        past_secrets=("--exclude={}",) * 2,
    ),
    "cmp": Program(
        _flags("bls", "print-bytes verbose silent quiet"), _values(NUMBER, "n", "bytes"), most=2
    ),
    "comm": Program(
        _flags("123z", "check-order nocheck-order total"), {"--output-delimiter": TEXT}, most=2
    ),
    "basename": Program(
        _flags("az", "multiple zero"), _values(TEXT, "s", "suffix"), operands=(TEXT,)
    ),
    "dirname": Program(_flags("z", "zero"), operands=(TEXT,)),
    "realpath": Program(_flags("emsz"), {}),
    "readlink": Program(_flags("efmnz"), {}),
    "md5sum": Program(_flags("bt", "binary text tag")),
    "sha1sum": Program(_flags("bt", "binary text tag")),
    "sha256sum": Program(_flags("bt", "binary text tag")),
    "cksum": Program(),
    "date": Program(_flags("uR", "utc rfc-email"), operands=(TEXT,), most=1, plain=r"\+.*"),
    "echo": Program(_flags("neE"), operands=(TEXT,), as_given=True),
    "printf": Program(operands=(TEXT,), as_given=True),
    "seq": Program(_flags("w"), _values(TEXT, "sf"), operands=(NUMBER,), as_given=True),
    "uname": Program(_flags("amnoprsv"), operands=()),
    "whoami": Program(operands=()),
    "id": Program(_flags("gGnru"), operands=()),
    "nproc": Program(operands=()),
    "df": Program(_flags("hikT", "human-readable inodes print-type total")),
    "true": Program(operands=()),
    "false": Program(operands=()),
}
