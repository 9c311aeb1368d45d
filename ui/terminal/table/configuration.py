"""Settings, keys, models, servers."""

from ui.terminal.command import JSON, Command, flag
from ui.terminal.table.flags import each, switch

COMMANDS: tuple[Command, ...] = (
    Command(
        name="config",
        aliases=("settings",),
        help="list, read and change settings",
        function="settings.config",
        flags=(
            flag(
                "action",
                help="default: list",
                nargs="?",
                choices=("list", "get", "set", "path"),
                metavar="ACTION",
            ),
            flag("words", help="NAME, or NAME VALUE", nargs="*", metavar="NAME VALUE"),
            JSON,
        ),
        examples=(
            "config list research",
            "config get research.depth",
            "config set research.depth 3",
            "config path",
        ),
    ),
    Command(
        name="keys",
        help="list keys, or store one",
        function="settings.keys",
        flags=(
            flag(
                "action", help="list or set", nargs="?", choices=("list", "set"), metavar="ACTION"
            ),
            flag("name", help="name of the key", nargs="?", metavar="NAME"),
            JSON,
        ),
        examples=("keys list", "keys set BRAVE_SEARCH_API_KEY"),
    ),
    Command(
        name="models",
        help="list models and model servers; look for local ones, choose, test, download",
        function="models.models",
        flags=(
            flag(
                "action",
                help="default: list",
                nargs="?",
                choices=(
                    "list",
                    "served",
                    "detect",
                    "set",
                    "unset",
                    "test",
                    "add",
                    "edit",
                    "remove",
                    "get",
                ),
                metavar="ACTION",
            ),
            flag(
                "words",
                help="ROLE ENDPOINT MODEL, or NAME URL, or one of them",
                nargs="*",
                metavar="WORD",
            ),
            flag(
                "--provider",
                help="protocol of the server",
                choices=("openai", "anthropic", "ollama"),
            ),
            flag("--key", help="name of the key a server needs", metavar="NAME"),
            flag(
                "--from",
                help="get: address or path of your own model",
                metavar="ADDRESS-OR-FILE",
                dest="source",
            ),
            flag("--sha256", help="get: the checksum that it must have", metavar="SUM"),
            switch("--yes", help="get: download without confirmation"),
            JSON,
        ),
        examples=(
            "models",
            "models detect",
            "models set reasoning ollama llama3.1:8b",
            "models test",
            "models add lab http://10.0.0.5:8000/v1 --key LAB_API_KEY",
            "models get writer --yes",
            "models get reader --from reader.onnx",
            "models get judge --from nli.zip",
            "models remove writer",
        ),
    ),
    Command(
        name="web",
        help="serve the web page and open it",
        function="web.web",
        flags=(
            flag("--port", help="listen on this port (0: a free one)", metavar="N", type=int),
            flag("--host", help="listen on this address", metavar="ADDRESS"),
            each(
                "--allow-host",
                "NAME",
                "also answer to this host name, with the token (may be repeated)",
            ),
            switch("--new-token", help="make a new access token and print it"),
            switch("--no-browser", help="print the address and open nothing"),
        ),
        examples=("web", "web --port 8080 --no-browser"),
        repl=False,
    ),
    Command(
        name="mcp",
        help="serve other programs over the Model Context Protocol (standard input and output, or "
        "HTTP)",
        function="memory.mcp",
        flags=(
            flag(
                "--research",
                help="only for work on this finished report: nothing is fetched",
                metavar="ID",
            ),
            switch("--http", help="serve streamable HTTP on this computer, with the access token"),
            flag("--port", help="port for --http (5001)", type=int, metavar="PORT"),
            switch(
                "--print-config", help="print what clients are told about this server, and exit"
            ),
        ),
        repl=False,
        examples=("mcp", "mcp --print-config", "mcp --http --port 5001"),
    ),
)
