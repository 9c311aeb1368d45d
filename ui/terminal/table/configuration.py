"""Settings, keys, models, servers."""

from ui.terminal.command import JSON, Command, flag
from ui.terminal.commands import memory, models, settings, web
from ui.terminal.commands.flags import SERVE

COMMANDS: tuple[Command, ...] = (
    Command(
        name="config",
        aliases=("settings",),
        help="list, read and change settings",
        run=settings.config,
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
        run=settings.keys,
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
        run=models.models,
        flags=models.FLAGS,
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
        run=web.web,
        flags=SERVE,
        examples=("web", "web --port 8080 --no-browser"),
        repl=False,
    ),
    Command(
        name="mcp",
        help="serve other programs over the Model Context Protocol (standard input and output, or "
        "HTTP)",
        run=memory.mcp,
        flags=memory.MCP,
        repl=False,
        examples=("mcp", "mcp --print-config", "mcp --http --port 5001"),
    ),
)
