-- Researches and what can be read out of their records. Everything here except memory_notes can be rebuilt from the
-- record files. research_findings, sources, citations and their idx_ indexes are a read interface for other programs:
-- columns may be added, never renamed or given another meaning.

-- number: milliseconds of created_at since 1970, moved up to the next free one; so that the order of numbers is the
-- order in time, everywhere a research is named by its number.
CREATE TABLE research_findings (
    number INTEGER PRIMARY KEY,
    research_id TEXT NOT NULL UNIQUE,
    query TEXT NOT NULL,
    created_at TEXT NOT NULL,
    completed_at TEXT,
    synthesis TEXT NOT NULL DEFAULT '',      -- the first 500 characters
    file_path TEXT NOT NULL,                 -- relative to the folder of this database when inside it
    total_sources INTEGER NOT NULL DEFAULT 0,
    max_depth INTEGER NOT NULL DEFAULT 1,
    status TEXT NOT NULL DEFAULT 'complete',
    ended_by TEXT,
    revision INTEGER NOT NULL DEFAULT 1,
    title TEXT NOT NULL DEFAULT '',
    summary TEXT NOT NULL DEFAULT '',        -- the first sentences, plain
    note TEXT NOT NULL DEFAULT '',
    record_sha256 TEXT NOT NULL DEFAULT '',
    record_size INTEGER NOT NULL DEFAULT 0,
    record_mtime INTEGER NOT NULL DEFAULT 0  -- nanoseconds; with the size it says whether a file must be hashed again
);
CREATE INDEX idx_query ON research_findings(query);
CREATE INDEX idx_created_at ON research_findings(created_at);

CREATE TABLE sources (
    source_id TEXT NOT NULL,
    research_id TEXT NOT NULL REFERENCES research_findings(research_id) ON DELETE CASCADE,
    url TEXT NOT NULL,
    title TEXT NOT NULL,
    credibility_score REAL,
    credibility_category TEXT,
    source_type TEXT NOT NULL DEFAULT 'web',
    authors TEXT NOT NULL DEFAULT '[]',      -- JSON list
    published TEXT,
    doi TEXT,
    venue TEXT,
    tag TEXT,
    rejected TEXT,
    snapshot_id TEXT
);
CREATE UNIQUE INDEX idx_sources_research ON sources(research_id, source_id);

CREATE TABLE citations (
    source_id TEXT NOT NULL,
    cites_source_id TEXT NOT NULL,
    research_id TEXT NOT NULL REFERENCES research_findings(research_id) ON DELETE CASCADE,
    PRIMARY KEY (research_id, source_id, cites_source_id)
) WITHOUT ROWID;
CREATE INDEX idx_cited_by ON citations(cites_source_id, research_id);

CREATE TABLE claims (
    research_id TEXT NOT NULL REFERENCES research_findings(research_id) ON DELETE CASCADE,
    claim_id TEXT NOT NULL,
    text TEXT NOT NULL,
    section TEXT NOT NULL DEFAULT '',
    verified INTEGER NOT NULL,
    confidence REAL NOT NULL,
    level TEXT NOT NULL,
    voices INTEGER NOT NULL,
    sources TEXT NOT NULL DEFAULT '[]',      -- JSON list of source ids
    PRIMARY KEY (research_id, claim_id)
) WITHOUT ROWID;

-- Which texts a research refers to: the last one to go takes its text with it.
CREATE TABLE research_snapshots (
    research_id TEXT NOT NULL REFERENCES research_findings(research_id) ON DELETE CASCADE,
    snapshot_id TEXT NOT NULL,
    PRIMARY KEY (research_id, snapshot_id)
) WITHOUT ROWID;
CREATE INDEX idx_snapshot_users ON research_snapshots(snapshot_id);

-- What lists are filtered by, in rows so narrow that all of them stay in memory: joining the wide table instead costs
-- a page of the file for every match.
CREATE TABLE marks (
    number INTEGER PRIMARY KEY REFERENCES research_findings(number) ON DELETE CASCADE,
    status TEXT NOT NULL,
    confidence REAL NOT NULL DEFAULT 0,
    source_types INTEGER NOT NULL DEFAULT 0, -- one bit each: academic 1, web 2, newsroom 4, local 8
    starred INTEGER NOT NULL DEFAULT 0,
    deleted_at TEXT
);
CREATE INDEX idx_marks_status ON marks(status) WHERE deleted_at IS NULL;
CREATE INDEX idx_marks_starred ON marks(number) WHERE starred = 1;
CREATE INDEX idx_marks_deleted ON marks(deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE tags (
    number INTEGER NOT NULL REFERENCES research_findings(number) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    PRIMARY KEY (tag, number)
) WITHOUT ROWID;
CREATE INDEX idx_tags_number ON tags(number, tag);

-- rowid = number. forms: folded forms of words that folding changes beyond their case, such as the
-- overlapping character pairs of scripts that are written without spaces. state: "binned" or nothing, so that the
-- common search needs no other table.
CREATE VIRTUAL TABLE history_text USING fts5(
    query, tags, note, report, claims, sources, forms, state,
    tokenize = "porter unicode61 remove_diacritics 2"
);

-- Notes of the research memory. They live here alone and come back from a backup.
CREATE TABLE memory_notes (
    note_id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL,
    text TEXT NOT NULL,
    source TEXT NOT NULL DEFAULT '',
    tags TEXT NOT NULL DEFAULT '[]',
    created_at TEXT NOT NULL,
    embedding BLOB,
    model TEXT
);
CREATE INDEX idx_notes_session ON memory_notes(session_id);
