"""What a user chose for one run, checked and completed from the settings: the options of its
job."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.answers import RunOptions
from engine.settings.config import Config
from engine.web_addresses import web_parts
from tools.errors import ConfigError, NotFound, Refused
from tools.sources.source_kind import SOURCE_TYPES, SourceKind
from workflows.research import codec
from workflows.research.model import Filters, RunConfig
from workflows.research.understand.unclear import is_unclear

MAX_QUESTION = 20_000  # characters
EXAMPLE = "Write a few words, for example: How do vaccines work?"
# ISO 639-1; what sources are asked with
LANGUAGES = frozenset(
    """aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy
    da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy
    hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li
    ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa
    pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg
    th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu""".split()
)


def question(text: str) -> str:
    """The question as it is kept. Raises Refused when it is empty or endless."""
    cleaned = text.encode("utf-8", "replace").decode("utf-8").replace("\x00", " ").strip()
    if not cleaned:
        raise Refused(f"The question is empty. {EXAMPLE}")
    if len(cleaned) > MAX_QUESTION:
        raise Refused(
            f"The question has {len(cleaned):,} characters; at most "
            f"{MAX_QUESTION:,} can be asked at once."
        )
    return cleaned


def searchable(text: str, asks_nothing: Callable[[str], bool] = is_unclear) -> str:
    """A question that is to be searched for. Raises Refused as `question`, and for one that asks
    for nothing: after an answer that is `is_noise` alone, since "why?" is a question there."""
    cleaned = question(text)
    if asks_nothing(cleaned):
        excerpt = " ".join(cleaned.split())[:60]
        raise Refused(
            f"What do you want to find out? “{excerpt}” is not enough to search for. {EXAMPLE}"
        )
    return cleaned


def job_options(options: RunOptions, config: Config, versions: Mapping[str, str]) -> dict[str, Any]:
    """The options of a job as JSON values: {config, docs, versions}. Raises ConfigError,
    NotFound."""
    return {
        "config": codec.plain(run_config(options, config)),
        "docs": [str(path) for path in documents(options.docs)],
        "versions": dict(versions),
    }


def run_config(options: RunOptions, config: Config) -> RunConfig:
    """The configuration of a run. Raises ConfigError for a depth or a kind of source there is
    not."""
    depth = options.depth if options.depth is not None else config.get("research.depth")
    if depth not in (1, 2, 3):
        raise ConfigError(f"The depth is 1 (quick), 2 (balanced) or 3 (thorough), not {depth}.")
    workers = options.workers or (
        config.get("research.question_workers") if config.get("research.parallel") else 1
    )
    clarify = options.clarify if options.clarify is not None else config.get("research.clarify")
    return RunConfig(
        depth=depth,
        sources=_sources(options, config),
        documents=options.documents,
        clarify=clarify,
        filters=limits(options.filters),
        offline=options.offline or bool(config.offline),
        lean=options.lean,
        workers=max(1, workers),
        follow=options.follow and config.get("research.follow_citations"),
        cross_reference=options.cross_reference and config.get("research.cross_reference"),
        max_sources=options.max_sources,
    )


def documents(paths: tuple[str, ...]) -> list[Path]:
    """Paths typed for this run, absolute: the worker has another working directory. NotFound names
    a wrong one."""
    ids = []
    for text in paths:
        path = Path(text).expanduser().absolute()
        if not path.exists():
            raise NotFound(f"There is no file or folder {text}.")
        ids.append(path)
    return ids


def limits(filters: Filters) -> Filters:
    """Filters as a run takes them. Raises ConfigError for those that nothing can pass."""
    since, until, lang = filters.since, filters.until, (filters.lang or "").strip()
    if since and until and since[: len(until)] > until:
        raise ConfigError(
            f"Nothing can be published since {since} and until "
            f"{until}: {since} is the later of the two."
        )
    if lang and re.split("[-_]", lang.lower())[0] not in LANGUAGES:
        raise ConfigError(
            f"{lang[:40]!r} is not a language code. Write for example en, de or pt-BR."
        )
    return replace(filters, lang=lang or None, urls=addresses(filters.urls))


def addresses(urls: tuple[str, ...]) -> tuple[str, ...]:
    """Addresses typed for this run; a bare one is https. Raises ConfigError for what no page can be
    read from."""
    whole = tuple(
        url if "://" in url else f"https://{url}" for url in (text.strip() for text in urls)
    )
    for url, typed in zip(whole, urls, strict=True):
        if web_parts(url) is None:
            raise ConfigError(
                f"{typed[:200]!r} is not a web address; it must begin with http:// or https://."
            )
    return whole


def _sources(options: RunOptions, config: Config) -> tuple[str, ...]:
    kinds = tuple(
        options.sources if options.sources is not None else config.get("research.sources")
    )
    unknown = [name for name in kinds if name not in SOURCE_TYPES]
    if unknown:
        raise ConfigError(
            f"There is no kind of source called {unknown[0]!r}; choose one of "
            f"{', '.join(SOURCE_TYPES)}."
        )
    if options.docs and SourceKind.LOCAL not in kinds:
        kinds = (*kinds, "local")
    if not kinds:
        raise ConfigError("Choose at least one kind of source: " + ", ".join(SOURCE_TYPES) + ".")
    return tuple(name for name in SOURCE_TYPES if name in kinds)
