"""Configuration: order of origins, sentences about mistakes, saving."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from engine.settings.config import checked, load, rows, save_value
from engine.settings.settings_table import ROLES, SETTINGS, SOURCE_CLIENTS
from tests.tables import each
from tools.errors import ConfigError


def written(home: Path, text: str) -> Path:
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text(text, encoding="utf-8")
    return home


def test_every_setting_has_its_default(home: Path) -> None:
    config = load(home, environ={})
    assert config.problems == ()
    for setting in SETTINGS:
        name = setting.name.replace("*", "anything")
        assert config.get(name) == setting.default
        assert config.origin(name) == "default"
    assert not home.exists()


# What users of the design count on, written down a second time: a change of a default is a decision
PROMISED = """
research.depth 2|research.max_sources 50|research.max_sources_thorough 200|research.max_findings 50
research.synthesis_sources 15|research.rounds (1, 2, 3)|research.question_workers 5|research.parallel True
research.follow_citations True|research.cross_reference True|research.backtracking True|research.clarify True
research.min_confidence 0.7|research.candidates 40|research.fetch 20|credibility.retraction_check True
credibility.predatory_check True|credibility.max_score 0.95|credibility.citation_weight 1.0
credibility.cross_reference_weight 1.0|credibility.min_source 0.35|verification.span_threshold 0.6
credibility.outdated_years {'medicine': 15, 'computing': 10}|verification.high 0.8|verification.medium 0.6
verification.cross_validation True|newsroom.enabled True|newsroom.timeout 10|newsroom.days_back 90
newsroom.max_results 25|newsroom.feeds ()|http.connect_timeout 5|http.read_timeout 15|http.max_page_mb 10
http.max_document_mb 50|http.redirects 5|http.allow_fetch_hosts ()|http.cache_hours.web 24
http.cache_hours.scholarly 720|privacy.local_terms_in_queries False|privacy.documents_to_remote_models False
jobs.parallel 2|jobs.lease 60|jobs.heartbeat 10|corpus.max_file_mb 200|corpus.parse_seconds 60
corpus.chunk_tokens 200|corpus.overlap_sentences 1|embeddings.model bge-small-en-v1.5|embeddings.device cpu
embeddings.batch 1|embeddings.enabled True|models.reasoning.temperature 0|models.reasoning.parallel 2
research.hops (0, 1, 2)|research.fetch_workers 6|research.min_sources 5|research.enough_coverage 0.8
research.primary_coverage 0.5|research.voices_for_coverage 3|research.gap_importance 0.5|research.follow_top 5
storage.backups 7|storage.bin_days 30|web.host 127.0.0.1|web.port 5000|web.threads 16|web.debug False
web.open_browser True|shell.timeout 60|shell.output_kb 64
"""  # noqa: E501
KNOWN_NAMES = {
    "DEEP_RESEARCH_MAX_DEPTH": ("research.depth", "3"),
    "DEEP_RESEARCH_MAX_SOURCES": ("research.max_sources", "7"),
    "STORAGE_DB_PATH": ("storage.db_path", "/x/z.db"),
    "STORAGE_JSON_PATH": ("storage.json_path", "/x/records"),
    "NEWSROOM_API_TIMEOUT": ("newsroom.timeout", "7.0"), "WEB_UI_PORT": ("web.port", "7000"),
    "WEB_UI_DEBUG": ("web.debug", "True"),
}  # fmt: skip


def test_the_defaults_are_the_promised_ones_and_older_names_are_read(home: Path) -> None:
    config = load(home, environ={})
    for name, value in (
        row.split(" ", 1) for row in PROMISED.strip().replace("\n", "|").split("|")
    ):
        assert str(config.get(name)) == value, name
    config = load(home, environ={older: value for older, (_, value) in KNOWN_NAMES.items()})
    assert {older: str(config.get(name)) for older, (name, _) in KNOWN_NAMES.items()} == {
        older: value for older, (_, value) in KNOWN_NAMES.items()
    }


def test_every_setting_is_read_by_something() -> None:
    root = Path(__file__).resolve().parents[2]
    files = [
        path for floor in ("engine", "ui", "workflows") for path in (root / floor).rglob("*.py")
    ]
    code = "\n".join(
        path.read_text("utf-8") for path in files if not path.name.startswith("settings_")
    )
    # The numbers of a run reach its phases in one piece
    handed_on = set(re.findall(r"\bsettings\.(\w+)", code))
    for setting in SETTINGS:
        section, _, key = setting.name.partition(".*.")
        is_read = f'"{setting.name}"' in code or setting.name.rpartition(".")[2] in handed_on
        if key:
            is_read = f'f"{section}.{{' in code and (f'"{key}"' in code or f'}}.{key}"' in code)
        assert is_read, f"nothing reads {setting.name}"


def test_command_line_wins_over_environment_over_older_name_over_file(home: Path) -> None:
    written(home, "[research]\ndepth = 1\nfetch = 7\n[web]\nport = 1000\nthreads = 3\n")
    environ = {
        "ZORORA_RESEARCH_DEPTH": "2",
        "DEEP_RESEARCH_MAX_DEPTH": "1",
        "WEB_UI_PORT": "2000",
        "OTHER": "x",
    }
    config = load(home, environ=environ, overrides={"research.depth": "3"})
    assert (config.get("research.depth"), config.origin("research.depth")) == (3, "command line")
    assert (config.get("web.port"), config.origin("web.port")) == (2000, "environment")
    assert (config.get("web.threads"), config.origin("web.threads")) == (3, "file")
    assert load(home, environ=environ).get("research.depth") == 2
    assert config.problems == ()


@each(
    ("text", "line", "message"),
    [
        ("[research]\n\ndeepth = 2\n", 3, "Did you mean research.depth?"),
        ("[reserch]\ndepth = 2\n", 2, "Did you mean research.depth?"),
        (
            "[research]\ndepth = 9\n",
            2,
            "from 1 to 3, not 9. Until that is corrected, research.depth is 2.",
        ),
        ("[research]\ndepth = 1.5\n", 2, "a whole number"),
        ("[research]\ndepth = true\n", 2, "a whole number"),
        ("[research]\ndepth = nan\n", 2, "a whole number"),
        ("[research]\nrounds = [1, 2]\n", 2, "must be 3 numbers"),
        ('[research]\nsources = ["academic", "gossip"]\n', 2, "must be one of academic, web"),
        ('[web]\ndebug = "perhaps"\n', 2, "true or false"),
        ('[newsroom]\nurl = "ftp://example.org"\n', 2, "http:// or https://"),
        ("[newsroom]\ntoken = 2024-01-01\n", 2, "must be text"),
        ("[sources.arxiv]\nenabeld = false\n", 2, "Did you mean sources.arxiv.enabled?"),
        ("[credibility]\noutdated_years = 3\n", 2, "must be a table"),
        (
            '[[credibility.rules]]\nhost = "example.org"\nbase = 7\n',
            1,
            "a base from 0 to 1 in each table",
        ),
        ("[credibility]\nrules = [{base = 0.4}]\n", 2, "must name a host or a venue"),
        ('[web]\nhost = "a\\nb"\n', 2, "one line of text"),
        ("depth = 2\n", 1, "Did you mean research.depth?"),
    ],
)
def test_a_mistake_in_the_file_is_named_with_its_line(
    home: Path, text: str, line: int, message: str
) -> None:
    config = load(written(home, text), environ={})
    assert len(config.problems) == 1
    assert f"config.toml, line {line}: " in config.problems[0]
    assert message in config.problems[0]
    assert config.get("research.depth") == (1 if "1.5" in text else 2)


@pytest.mark.parametrize(
    "text",
    [
        "[research\n",
        "a = 1\na = 2\n",
        "x = " + "[" * 5000,
        "\x00",
        'a = "\\ud800"',
        "[a]\nb = 1\n[a.b]\nc = 1\n",
    ],
)
def test_a_file_that_is_not_toml_is_one_problem_and_stops_nothing(home: Path, text: str) -> None:
    config = load(written(home, text), environ={})
    assert len(config.problems) == 1
    assert "none of the file is used" in config.problems[0] and config.offline
    with pytest.raises(ConfigError, match="cannot be changed"):
        save_value(config, "research.depth", "3")
    assert (home / "config.toml").read_text(encoding="utf-8") == text


def test_a_file_of_bytes_or_a_folder_in_its_place_is_one_problem(
    home: Path, tmp_path: Path
) -> None:
    home.mkdir()
    (home / "config.toml").write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8" in load(home, environ={}).problems[0]
    other = tmp_path / "other"
    (other / "config.toml").mkdir(parents=True)
    assert "cannot be read" in load(other, environ={}).problems[0]


def test_a_mistake_in_the_environment_is_named(home: Path) -> None:
    config = load(
        home, environ={"ZORORA_RESEARCH_DEPHT": "2", "WEB_UI_PORT": "huge", "ZORORA_WEB_DEBUG": " "}
    )
    assert len(config.problems) == 2
    assert "Environment variable WEB_UI_PORT: web.port must be a whole number" in config.problems[0]
    assert "ZORORA_RESEARCH_DEPHT" in config.problems[1]
    assert "Did you mean research.depth?" in config.problems[1]


def test_names_with_underscores_in_the_middle_are_understood(home: Path) -> None:
    environ = {
        "ZORORA_SOURCES_SEMANTIC_SCHOLAR_MIN_INTERVAL": "2.5",
        "ZORORA_MODELS_IMAGE_GENERATION_MAX_TOKENS": "100",
        "ZORORA_HTTP_CACHE_HOURS_WEB": "1",
        "ZORORA_CREDIBILITY_OUTDATED_YEARS": '{"law": 20}',
        "ZORORA_CORPUS_ROOTS": "/a, /b",
    }
    config = load(home, environ=environ)
    assert config.problems == ()
    assert config.get("sources.semantic_scholar.min_interval") == 2.5
    assert config.get("models.image_generation.max_tokens") == 100
    assert config.get("http.cache_hours.web") == 1
    assert config.get("credibility.outdated_years") == {"law": 20}
    assert config.get("corpus.roots") == ("/a", "/b")


def test_a_wrong_override_or_name_raises_a_sentence(home: Path) -> None:
    with pytest.raises(ConfigError, match=r"research\.depth must be .* not '7'"):
        load(home, environ={}, overrides={"research.depth": "7"})
    config = load(home, environ={})
    for name in ("research.deep", "", "sources.*.enabled", "research", "x" * 10_000):
        with pytest.raises(ConfigError, match="There is no setting"):
            config.get(name)
        with pytest.raises(ConfigError):
            save_value(config, name, "1")


def test_the_home_comes_from_the_argument_then_the_environment_then_the_database(
    tmp_path: Path,
) -> None:
    environ = {"ZORORA_HOME": str(tmp_path / "env"), "HOME": str(tmp_path)}
    assert load(tmp_path / "given", environ=environ).home == tmp_path / "given"
    assert load(environ=environ).home == tmp_path / "env"
    assert (
        load(db_path=tmp_path / "x" / "my.db", environ={"HOME": str(tmp_path)}).home
        == tmp_path / "x"
    )
    assert load(environ={"HOME": str(tmp_path)}).home == tmp_path / ".zorora"


def test_a_home_named_in_the_file_moves_the_data_and_not_the_file(
    home: Path, tmp_path: Path
) -> None:
    written(home, f'[storage]\nhome = "{tmp_path / "data"}"\njson_path = "records"\n')
    config = load(home, environ={})
    assert config.home == tmp_path / "data"
    assert config.paths.config == home / "config.toml"
    assert config.paths.findings == home / "records"


def test_saving_keeps_comments_unknown_keys_and_is_private(home: Path) -> None:
    written(home, "# mine\n[research]\ndepth = 1  # quick\nstrange = 5\n\n[later]\nx = 1\n")
    config = load(home, environ={})
    save_value(config, "research.depth", "3")
    save_value(config, "models.reasoning.endpoint", "http://localhost:11434/v1")
    save_value(config, "http.cache_hours.web", "2")
    save_value(config, "newsroom.feeds", "https://a.example/feed, https://b.example/feed")
    text = (home / "config.toml").read_text(encoding="utf-8")
    assert text.startswith("# mine\n[research]\ndepth = 3  # quick\nstrange = 5\n")
    assert "[later]" in text
    assert stat.S_IMODE((home / "config.toml").stat().st_mode) == 0o600
    again = load(home, environ={})
    assert again.get("research.depth") == 3
    assert again.get("models.reasoning.endpoint") == "http://localhost:11434/v1"
    assert again.get("http.cache_hours.web") == 2
    assert again.get("newsroom.feeds") == ("https://a.example/feed", "https://b.example/feed")
    save_value(again, "research.depth", "")
    assert load(home, environ={}).origin("research.depth") == "default"


def test_a_file_that_cannot_be_read_is_named_when_something_is_to_be_saved(home: Path) -> None:
    (home / "config.toml").mkdir(parents=True)
    with pytest.raises(ConfigError, match=r"config\.toml: it cannot be read \(Is a directory\)"):
        save_value(load(home, environ={}), "research.depth", "3")


def test_saving_a_wrong_value_changes_nothing(home: Path) -> None:
    config = load(home, environ={})
    with pytest.raises(ConfigError, match="from 1 to 3"):
        save_value(config, "research.depth", "4")
    assert not (home / "config.toml").exists()


def test_every_default_can_be_written_and_read_back(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)  # a hundred and fifty times
    config = load(home, environ={})
    of_others = tuple(f"sources.{name}." for name in SOURCE_CLIENTS if name != "openalex")
    settings = [row for row in rows(config) if row.default and not row.name.startswith(of_others)]
    # In files of ten: each save reads the whole file
    for first in range(0, len(settings), 10):
        (home / "config.toml").unlink(missing_ok=True)
        for row in settings[first : first + 10]:
            save_value(config, row.name, row.default)
        again = load(home, environ={})
        assert again.problems == ()
        assert all(
            again.get(row.name) == config.get(row.name) for row in settings[first : first + 10]
        )


def test_rows_write_out_clients_and_roles_and_carry_problems(home: Path) -> None:
    settings = {
        row.name: row for row in rows(load(written(home, "[jobs]\nparallel = 99\n"), environ={}))
    }
    assert settings["sources.arxiv.enabled"].environment == "ZORORA_SOURCES_ARXIV_ENABLED"
    assert all(f"models.{role}.model" in settings for role in ROLES)
    assert "line 2" in (settings["jobs.parallel"].problem or "")
    assert settings["corpus.fusion"].choices == ("weighted", "rrf")
    assert not any("*" in name for name in settings)


def test_an_empty_value_means_none_only_where_the_default_is_none() -> None:
    assert checked("http.contact", "") is None
    with pytest.raises(ConfigError):
        checked("web.port", "")


def test_importing_the_configuration_loads_nothing_heavy() -> None:
    code = (
        "import sys, engine.settings.config; print([m for m in "
        "('tomlkit', 'keyring', 'requests', 'flask') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
