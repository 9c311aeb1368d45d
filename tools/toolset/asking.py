"""Tools that ask a specialist: a model by its role, the policy documents, a picture."""

from pathlib import Path

from tools.errors import ConfigError, ModelError, NotFound
from tools.toolset.context import current

INTENTS = Path(__file__).with_name("intent.txt")


def _ask(role: str, text: str, system: str = "") -> str:
    from tools.models.model import Message, Request

    context = current()
    models = context.models() if context.models else None
    if models is None or not models.has(role):
        raise ModelError(
            f"No model is configured for {role}. Choose one with `zorora models`.", "absent"
        )
    messages = (*((Message("system", system),) if system else ()), Message("user", text))
    return models.ask(role, Request(messages), check_cancelled=context.check).text.strip()


def use_reasoning_model(prompt: str) -> str:
    """The reasoning model's answer. It searches nothing."""
    return _ask("reasoning", prompt)


def use_coding_agent(request: str, context: str = "") -> str:
    """The coding model's answer; context: files or errors it should see."""
    from tools.models.prompts import RULE, fence

    task = f"{request}\n\n{fence(context, 'context')}" if context else request
    return _ask(
        "codestral", task, f"You write code. Answer with the code and nothing around it. {RULE}"
    )


def use_search_model(query: str) -> str:
    """The search model's answer, as it stands: nothing in it is checked."""
    return _ask("search", query)


def use_intent_detector(line: str) -> str:
    """What a line at the prompt asks for, in the opinion of a model. The router itself asks
    none."""
    from tools.models.prompts import fence, load

    prompt = load(INTENTS)
    return _ask(
        "intent_detector", prompt.messages(line=fence(line, "line"))[-1].text, prompt.system
    )


def use_nehanda(query: str) -> str:
    """Policy documents: the configured endpoint, or the user's own documents."""
    ask = current().policy
    if ask is None:
        raise ConfigError(
            "Policy documents cannot be asked here: call the tool through "
            "ResearchEngine.tools.call."
        )
    return ask(query)


def analyze_image(path: str, question: str = "") -> str:
    """What a picture in the working directory shows."""
    from tools.models import images
    from tools.toolset.working import _place

    context = current()
    place = _place()
    place.check_secret(path, "Read")
    data = place.read(path).data
    models = context.models() if context.models else None
    if models is None:
        raise ModelError(
            "No model is configured for vision. Choose one with `zorora models`.", "absent"
        )
    return images.analyze_image(models, data, question, check_cancelled=context.check).text.strip()


def generate_image(prompt: str, size: str = "1024x1024") -> str:
    """Make a picture; the name of the file it is in."""
    draw = current().picture
    if draw is None:
        raise NotFound("Pictures are made at the prompt only; choose a model with `zorora models`.")
    return draw(prompt, size)
