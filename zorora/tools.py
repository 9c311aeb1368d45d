"""The registered tools by name. `ResearchEngine.tools.call(name, arguments)` calls one.

TOOL_FUNCTIONS: name -> function, whose signature is the public one. TOOL_ALIASES: other name ->
name. TOOLS_DEFINITION: all of them in the function format of OpenAI.
"""

from engine.wiring.toolset import OfferedTool, Toolset
from tools.registry import SPECIALIST_TOOLS, TOOL_ALIASES, TOOL_FUNCTIONS, TOOLS_DEFINITION

__all__ = [
    "SPECIALIST_TOOLS",
    "TOOLS_DEFINITION",
    "TOOL_ALIASES",
    "TOOL_FUNCTIONS",
    "OfferedTool",
    "Toolset",
]
