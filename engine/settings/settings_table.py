"""Every setting, once: name, kind, default, range, one line of help, further environment names.

The settings page, `zorora config`, docs/configuration.md, config.example.toml and .env.example are made from it.
A `*` in a name stands for a source client, a model server or a model role. The usual environment name of a setting is
ZORORA_<SECTION>_<KEY>; `legacy` lists the older names that are kept.
"""

# ruff: noqa: E501 -- one row, one line

from engine import optional_parts
from engine.settings.setting import DEFAULT, MORE, Key, Setting, each, flag, number, text, whole
from tools.judging.thresholds import SURE_FROM
from tools.sources.source_kind import SOURCE_TYPES
from workflows.research.run_settings import Settings

# What a secret of the user's own may be called
KEY_NAME = r"[A-Z][A-Z0-9_]{1,58}_(?:KEY|TOKEN)"
ROLES = (
    "orchestrator", "reasoning", "codestral", "search", "intent_detector", "vision", "image_generation", "nehanda",
)  # fmt: skip
# The names that may stand in sources.*; tools.sources.registry knows the clients, and loads all of them
SOURCE_CLIENTS = (
    "openalex", "crossref", "arxiv", "europepmc", "pubmed", "pmc", "biorxiv", "medrxiv", "semantic_scholar", "core",
    "google_scholar", "wikipedia", "brave", "duckduckgo", "searxng", "tavily", "serper", "newsroom", "feeds",
    "unpaywall", "opencitations", "doaj",
)  # fmt: skip
RUN = Settings()  # the defaults of what the phases of a report go by
PROVIDERS = ("openai", "anthropic", "ollama", "local")  # the protocols of model servers

# fmt: off
SETTINGS = (
    whole("research.depth", 2, 1, 3, "How thorough a report is unless a command says otherwise: 1 quick, 2 balanced, 3 thorough.",
          legacy=("DEEP_RESEARCH_MAX_DEPTH",)),
    Setting("research.sources", "names", SOURCE_TYPES, "Which kinds of sources are searched.", choices=SOURCE_TYPES, safe=("local",)),
    whole("research.max_sources", RUN.max_sources, 1, 1000, "Sources a report keeps.", legacy=("DEEP_RESEARCH_MAX_SOURCES",)),
    whole("research.max_sources_thorough", RUN.max_sources_thorough, 1, 2000, "Sources a report of depth 3 keeps."),
    whole("research.max_findings", RUN.max_findings, 1, 1000, "Findings a report keeps."),
    whole("research.synthesis_sources", RUN.synthesis_sources, 1, 100, "Sources that go into one prompt of the writing model."),
    each("research.rounds", RUN.rounds, 1, 10, "Rounds of searching at depth 1, 2 and 3."),
    each("research.hops", RUN.hops, 0, 5, "How many steps citations are followed at depth 1, 2 and 3."),
    whole("research.question_workers", 5, 1, 32, "Questions worked on at the same time."),
    flag("research.parallel", True, "Search sources at the same time. Off: one after the other, with the same result.", safer=DEFAULT),
    flag("research.follow_citations", RUN.follow_citations, "Follow citations at depth 2 and 3."),
    flag("research.cross_reference", RUN.cross_reference, "Compare claims across sources.", safer=MORE),
    flag("research.backtracking", RUN.backtracking, "Try an alternative when a search or a page leads nowhere."),
    flag("research.clarify", True, "Ask when a name may mean several people or things (only in the REPL and the browser).", safer=MORE),
    number("research.min_confidence", RUN.min_confidence, 0, 1, "Below this overall confidence a report says so at its head.", safer=DEFAULT),
    whole("research.candidates", RUN.candidates, 1, 500, "Sources shortlisted in a round."),
    whole("research.fetch", RUN.fetch, 0, 200, "Pages read in a round."),
    whole("research.fetch_workers", RUN.fetch_workers, 1, 32, "Pages read at the same time."),
    whole("research.min_sources", RUN.min_sources, 0, 100, "Below this number of sources a report continues while its budget lasts.", safer=DEFAULT),
    number("research.enough_coverage", RUN.enough_coverage, 0, 1, "Mean coverage of the questions at which a report stops.", safer=DEFAULT),
    number("research.primary_coverage", RUN.primary_coverage, 0, 1, "Coverage that every primary question needs for that.", safer=DEFAULT),
    whole("research.voices_for_coverage", RUN.voices_for_coverage, 1, 10, "Independent sources that answer a question fully."),
    number("research.gap_importance", RUN.gap_importance, 0, 1, "Gaps of this importance are searched again, lesser ones only listed."),
    whole("research.follow_top", RUN.follow_top, 0, 50, "Scholarly sources whose citations are followed."),

    flag("credibility.retraction_check", True, "Look every DOI up among the retractions.", safer=MORE),
    flag("credibility.predatory_check", True, "Look journals and publishers up among the predatory ones.", safer=MORE),
    number("credibility.max_score", 0.95, 0, 1, "The highest score a source can have."),
    number("credibility.citation_weight", 1.0, 0, 3, "How strongly citation counts move a score: 0 not at all, 1 as documented."),
    number("credibility.cross_reference_weight", 1.0, 0, 3, "How strongly agreement of other sources moves a score."),
    number("credibility.min_source", RUN.min_source, 0, 1, "Sources rated lower overall are set aside, listed with the reason.", safer=DEFAULT),
    Setting("credibility.outdated_years", "table", {"medicine": 15, "computing": 10},
            "Age in years at which a work of a field is marked as possibly outdated.", low=1, high=500),
    Setting("credibility.rules", "tables", (), 'Your own base scores by host or venue, as in [{host = "example.org", base = 0.4, category = "Trade press"}].', 0, 1),

    number("verification.span_threshold", SURE_FROM, 0, 1, "Probability from which an entailment model that judges decides.", safer=DEFAULT),
    number("verification.high", RUN.high, 0, 1, "Confidence from which a sentence is marked as cross-validated.", safer=DEFAULT),
    number("verification.medium", RUN.medium, 0, 1, "Confidence from which a sentence is marked as supported.", safer=DEFAULT),
    flag("verification.cross_validation", RUN.cross_validation, "Look for a second, independent source for every claim.", safer=MORE),
    Setting("verification.model", "path", None, "Folder with your own ONNX cross-encoder, which judges support."),

    flag("newsroom.enabled", True, "Search the newsroom."),
    Setting("newsroom.url", "url", None, "Address of the newsroom; empty means the built-in one."),
    text("newsroom.token", "NEWSROOM_API_TOKEN", "Name of the key the newsroom needs."),
    number("newsroom.timeout", 10, 1, 120, "Seconds the newsroom may take.", unit="s", legacy=("NEWSROOM_API_TIMEOUT",)),
    whole("newsroom.days_back", 90, 1, 3650, "How far back articles are searched.", unit="days"),
    whole("newsroom.max_results", 25, 1, 200, "Articles used from one search."),
    Setting("newsroom.feeds", "names", (), "Addresses of RSS or Atom feeds that are searched as well."),

    flag("sources.*.enabled", None, "Search this source."),
    Setting("sources.*.base_url", "url", None, "Another address of the service. A key has to be entered again for it."),
    text("sources.*.key", None, "Name of the key this source uses."),
    whole("sources.*.max_results", None, 1, 200, "Hits used from one search."),
    number("sources.*.deadline", None, 1, 300, "Seconds all requests of one round may take together.", unit="s"),
    number("sources.*.min_interval", None, 0, 60, "Seconds between two requests.", unit="s", safer=MORE),
    each("sources.*.budget", None, 0, 100, "Requests per report at depth 1, 2 and 3."),

    number("http.connect_timeout", 5, 0.1, 120, "Seconds until a connection must be open.", unit="s", safer=DEFAULT),
    number("http.read_timeout", 15, 0.1, 300, "Seconds a server may stay silent.", unit="s", safer=DEFAULT),
    number("http.max_page_mb", 10, 0.1, 500, "Largest page that is read, also after decompression.", unit="MB"),
    number("http.max_document_mb", 50, 0.1, 2000, "Largest document that is fetched.", unit="MB"),
    whole("http.redirects", 5, 0, 20, "Redirects followed."),
    text("http.contact", None, "Your e-mail address; scholarly services answer identified users faster."),
    Setting("http.proxy", "url", None, "Proxy for all requests. The proxy variables of the environment are not used."),
    Setting("http.allow_fetch_hosts", "names", (), "Hosts on private addresses that may be fetched all the same."),
    Setting("http.allow_model_hosts", "names", (), "Model servers at link-local addresses, as host:port. Cloud hosts serve machine credentials there, so other addresses are refused. It cannot be set from the page."),
    number("http.cache_hours.web", 24, 0, 8760, "How long a fetched page is reused.", unit="hours", safer=DEFAULT),
    number("http.cache_hours.scholarly", 720, 0, 8760, "How long an answer of a scholarly index is reused.", unit="hours", safer=DEFAULT),

    flag("privacy.local_terms_in_queries", RUN.local_terms_in_queries, "Let words of your own documents appear in queries to outside services."),
    flag("privacy.documents_to_remote_models", False, "Let models on other computers see your own documents."),

    whole("jobs.parallel", 2, 1, 32, "Reports that run at the same time; the others wait."),
    number("jobs.lease", 60, 5, 3600, "Seconds without a heartbeat after which another process may take over a job.", unit="s", safer=DEFAULT),
    number("jobs.heartbeat", 10, 1, 600, "Seconds between heartbeats.", unit="s", safer=DEFAULT),

    Setting("corpus.roots", "paths", (), "Folders with your documents, besides the documents folder of the home directory."),
    Setting("corpus.ignore", "names", ("node_modules", "__pycache__", "*.tmp", "~$*"), "File and folder names to leave out."),
    Setting("corpus.watch", "bool", False, "Read new and changed files in the folders automatically while the web page is served."),
    whole("corpus.max_file_mb", 200, 1, 10000, "Largest file that is indexed.", unit="MB", safer=DEFAULT),
    number("corpus.parse_seconds", 60, 1, 3600, "Seconds of computing time that reading one of your files may take.", unit="s", safer=DEFAULT),
    whole("corpus.chunk_tokens", 200, 20, 1000, "Longest chunk, in tokens. A change takes effect when texts are indexed again.", safer=DEFAULT),
    whole("corpus.overlap_sentences", 1, 0, 5, "Sentences that two neighbouring chunks share."),
    number("corpus.dense_weight", None, 0, 1, "Weight of meaning against words in a search; empty means the tuned value.", safer=DEFAULT),
    Setting("corpus.fusion", "choice", "weighted", "How the two rankings are combined.", choices=("weighted", "rrf")),
    *optional_parts.settings("corpus"),

    flag("embeddings.enabled", True, "Search by meaning as well (needs the extra `embeddings`)."),
    text("embeddings.model", "bge-small-en-v1.5", "Name of the model. Give your own model a new name when its file changes, so that its vectors are made again."),
    Setting("embeddings.path", "path", None, "Folder of your own model, instead of the installed one."),
    Setting("embeddings.device", "choice", "cpu", "Where the model runs.", choices=("cpu", "cuda")),
    whole("embeddings.batch", 1, 1, 256, "Sentences per batch."),

    Setting("endpoints.*.url", "url", None, "Address of a model server, up to its version: http://localhost:1234/v1 for example."),
    Setting("endpoints.*.provider", "choice", None, "The protocol of the server: openai (most servers), anthropic or ollama.",
            choices=PROVIDERS[:3]),
    text("endpoints.*.key", None, "Name of the key the server needs, in capitals and ending in _KEY or _TOKEN."),
    flag("endpoints.*.environment", True, "Whether that key may come from the environment. The page turns it off where it sets address or key, and never on."),

    text("models.*.endpoint", None, "Name of an endpoint (`zorora models` lists them), or the address of a server."),
    text("models.*.model", None, "Name of the model as the server lists it; for the endpoint local, the path of a GGUF file."),
    Setting("models.*.provider", "choice", None, "The protocol of the server, where the endpoint is an address.", choices=PROVIDERS),
    whole("models.*.window", None, 512, 10_000_000, "Tokens for question and answer together."),
    whole("models.*.max_tokens", None, 16, 1_000_000, "Longest answer, in tokens."),
    number("models.*.temperature", 0, 0, 2, "0 gives the same answer to the same question."),
    number("models.*.timeout", 300, 1, 3600, "Seconds to wait for an answer; for a streamed answer, since its last word.", unit="s"),
    number("models.*.first_token", 60, 1, 3600, "Seconds a model elsewhere may be silent; one on this computer has its whole `timeout`.", unit="s"),
    whole("models.*.parallel", 2, 1, 64, "Calls at the same time."),
    number("models.*.price_in", None, 0, 100_000, "Cost of a million input tokens, in your currency."),
    number("models.*.price_out", None, 0, 100_000, "Cost of a million output tokens."),

    Setting("storage.home", "path", None, "Directory of everything; ~/.zorora when empty."),
    Setting("storage.db_path", "path", None, "The database, if it is to be elsewhere.", legacy=("STORAGE_DB_PATH",)),
    Setting("storage.json_path", "path", None, "Folder of the records, if it is to be elsewhere.",
            legacy=("STORAGE_JSON_PATH",)),
    whole("storage.backups", 7, 1, 1000, "Automatic backups that are kept.", safer=MORE),
    whole("storage.bin_days", 30, 0, 3650, "Days a deleted report stays in the bin.", unit="days", safer=MORE),
    flag("storage.keyring", True, "Keep keys in the keyring of the system (needs the extra `keyring`).", safer=MORE),

    text("web.host", "127.0.0.1", "Address to listen on. Anything but loopback needs web.token."),
    whole("web.port", 5000, 1, 65535, "Port to listen on.", legacy=("WEB_UI_PORT",), safer=DEFAULT),
    flag("web.token", False, "Ask for a token on this computer too.", safer=MORE),
    whole("web.threads", 16, 1, 256, "Requests answered at the same time."),
    flag("web.debug", False, "Show where a bug occurred on its error page, only to browsers on this computer.", legacy=("WEB_UI_DEBUG",)),
    flag("web.open_browser", True, "Open the browser when the server starts."),

    *optional_parts.settings("shell"),
)
# fmt: on

KEYS = (
    Key("BRAVE_SEARCH_API_KEY", "Brave web search", "https://brave.com/search/api/", ("brave",)),
    Key("CORE_API_KEY", "CORE, open-access papers", "https://core.ac.uk/services/api", ("core",)),
    Key("OPENALEX_API_KEY", "OpenAlex, optional", "https://openalex.org", ("openalex",)),
    Key("SEMANTIC_SCHOLAR_API_KEY", "Semantic Scholar, optional, faster", "https://www.semanticscholar.org/product/api",
        ("semantic_scholar",)),
    Key("NCBI_API_KEY", "PubMed and PMC, optional, faster", "https://www.ncbi.nlm.nih.gov/account/", ("pubmed", "pmc")),
    Key("TAVILY_API_KEY", "Tavily web search", "https://tavily.com", ("tavily",)),
    Key("SERPER_API_KEY", "Serper web search", "https://serper.dev", ("serper",)),
    Key("NEWSROOM_API_TOKEN", "The newsroom, where it needs a token", "", ("newsroom",)),
    Key("OPENAI_API_KEY", "OpenAI and compatible servers", "https://platform.openai.com/api-keys"),
    Key("ANTHROPIC_API_KEY", "Anthropic's models", "https://console.anthropic.com/settings/keys"),
    Key("OPENROUTER_API_KEY", "OpenRouter's models", "https://openrouter.ai/keys"),
    Key("HF_TOKEN", "Hugging Face's router", "https://huggingface.co/settings/tokens"),
    *(key for part in optional_parts.PARTS for key in part.keys),
)  # fmt: skip


def find(name: str) -> Setting | None:
    """The row a name belongs to: `sources.arxiv.deadline` finds `sources.*.deadline`."""
    return _BY_NAME.get(name) or _BY_NAME.get(pattern(name))


def pattern(name: str) -> str:
    """`sources.arxiv.deadline` as `sources.*.deadline`; every other name as it is."""
    parts = name.split(".")
    if len(parts) == 3 and parts[0] in ("sources", "models", "endpoints") and parts[1]:
        return f"{parts[0]}.*.{parts[2]}"
    return name


_BY_NAME = {setting.name: setting for setting in SETTINGS}
