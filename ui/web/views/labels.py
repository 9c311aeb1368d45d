"""Words for values: depths, states, times, sizes. Plain functions from data to text."""

from datetime import datetime

from engine.models import Claim, RunStatus
from engine.reports.figures import duration as duration, hundredths, size as size
from engine.web_addresses import web_parts

DEPTHS = {1: "quick", 2: "balanced", 3: "thorough"}
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
)  # fmt: skip
STATES = {
    "queued": "Waiting to start",
    "running": "Running",
    "waiting_for_input": "Waiting for you",
    "complete": "Complete",
    "partial": "Ended early",
    "failed": "Failed",
    "cancelled": "Stopped",
}
ENDED_BY = {
    "user": "by you",
    "limit": "at its limit",
    "error": "after a problem",
    "deadline": "at its time limit",
}
KINDS = {
    "academic": "scholarly",
    "web": "web page",
    "newsroom": "newsroom",
    "local": "your document",
}
# Those that are known without an entry of the user, as their makers write them
SERVERS = {
    "lmstudio": "LM Studio",
    "ollama": "Ollama",
    "llamacpp": "llama.cpp",
    "vllm": "vLLM",
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "openrouter": "OpenRouter",
    "huggingface": "Hugging Face",
    "local": "inside this program",
}
# Roles by what they do
ROLES = {
    "orchestrator": "Small decisions",
    "reasoning": "Writing and judging",
    "codestral": "Code",
    "search": "Quick searches",
    "intent_detector": "Commands at the prompt",
    "vision": "Describing images",
    "image_generation": "Making images",
    "nehanda": "Policy documents",
}
MEDIA = {
    "application/pdf": "PDF",
    "text/html": "Web page",
    "text/plain": "Text",
    "text/markdown": "Markdown",
    "text/csv": "Table",
    "application/json": "JSON",
    "application/epub+zip": "Book",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word document",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "Spreadsheet",
}


def moment(value: str | None) -> datetime | None:
    """A stored ISO time as local time; None for nothing or for what is no time."""
    try:
        return datetime.fromisoformat(value).astimezone() if value else None
    except (ValueError, OverflowError, OSError):
        return None


def day(value: str | None, year: bool = True) -> str:
    """ "14 October 2026", without the year where it is clear from the place."""
    when = moment(value)
    if not when:
        return ""
    return f"{when.day} {MONTHS[when.month - 1]}" + (f" {when.year}" if year else "")


def day_time(value: str | None, year: bool = True) -> str:
    """ "14 October 2026, 14:02"."""
    when = moment(value)
    return f"{day(value, year)}, {when:%H:%M}" if when else ""


def clock(seconds: float | None) -> str:
    """Time since the beginning as minutes and seconds, "01:05"."""
    whole = max(0, int(seconds or 0))
    return f"{whole // 60:02d}:{whole % 60:02d}"


def grouped(number: int | None) -> str:
    """Thousands apart by a thin space: "18 420"."""
    return f"{number or 0:,}".replace(",", "\u202f")


def many(number: int, singular: str, more: str = "") -> str:
    """ "1 source", "3 sources"."""
    return f"{grouped(number)} {singular if number == 1 else more or singular + 's'}"


def depth_name(depth: int | None) -> str:
    return DEPTHS.get(depth or 0, f"depth {depth}")


def server_name(name: str) -> str:
    """A model server by the name of its product; one of the user's own by the name it was given."""
    return SERVERS.get(name, name)


def role_name(role: str) -> str:
    """What a model of this role does."""
    return ROLES.get(role, role.replace("_", " ").capitalize())


def halt(status: str) -> str:
    """What the button that ends a run does in this state."""
    return "Cancel" if status == RunStatus.QUEUED else "Stop and keep the results so far"


def state_name(status: str, ended_by: str | None = None) -> str:
    """The state of a research in words, with the reason where it ended early."""
    words = STATES.get(status, status)
    if status == RunStatus.PARTIAL and ended_by:
        words = f"{words} {ENDED_BY.get(ended_by, f'({ended_by})')}"
    return words


def media_name(media_type: str, name: str = "") -> str:
    media = MEDIA.get(media_type.split(";")[0].strip().lower())
    suffix = name.rpartition(".")[2].upper() if "." in name else ""
    return media or (suffix if suffix.isalnum() and len(suffix) <= 5 else "File")


def web_link(url: str | None) -> str | None:
    """The address when it is safe to link to (http, https, mailto), otherwise None."""
    text = (url or "").strip()
    is_mail = text.lower().startswith("mailto:") and len(text) > len("mailto:")
    return text if is_mail or web_parts(text) else None


def site(url: str | None) -> str:
    """The host of an address, without www."""
    parts = web_parts(url or "")
    return (parts.hostname or "").removeprefix("www.") if parts else ""


def confidence_words(value: float | None) -> tuple[str, ...]:
    """What is said of an overall confidence; nothing where nobody judged."""
    return () if value is None else (f"overall confidence {hundredths(value)}",)


def judge_name(claim: Claim) -> str:
    """Who decided that the passages support a statement; "" where nobody judged or the record does
    not say."""
    return f"judged by {claim.verifier}" if claim.verifier and claim.confidence is not None else ""
