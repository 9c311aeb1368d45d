"""Work on code, for a person at the terminal."""

from engine.settings.setting import Part, Setting, number, whole

READERS = "cat diff du file find git grep head ls pwd rg sort stat tail tree uniq wc".split()
CODE = Part(
    settings=(
        Setting(
            "shell.allowed",
            "table",
            dict.fromkeys(READERS, ("*",)),
            'Programs the shell tool may run, each with its allowed first arguments, ["*"] for '
            "any. Only programs from a fixed list that do not change anything are possible.",
            safe={},
        ),
        number("shell.timeout", 60, 1, 3600, "Seconds a program may run.", unit="s"),
        whole("shell.output_kb", 64, 1, 10000, "Output that is kept.", unit="kB"),
    ),
)
