-- Jobs: one row per research that was asked for; its progress events; its last checkpoint.
-- owner and waiter are written "boot/namespace/pid/start" (engine/jobs/owner.py).
CREATE TABLE jobs (
    research_id TEXT PRIMARY KEY,
    query TEXT NOT NULL,
    depth INTEGER NOT NULL,
    options TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN
        ('queued', 'running', 'waiting_for_input', 'complete', 'partial', 'failed', 'cancelled')),
    place INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    started_at TEXT,
    finished_at TEXT,
    elapsed REAL NOT NULL DEFAULT 0,
    beat_at REAL,
    epoch INTEGER NOT NULL DEFAULT 0,
    claims INTEGER NOT NULL DEFAULT 0,
    spawns INTEGER NOT NULL DEFAULT 0,
    owner TEXT,
    waiter TEXT,
    dedicated INTEGER NOT NULL DEFAULT 0,
    lease_until REAL,
    cancel_at REAL,
    term_at REAL,
    finishing INTEGER NOT NULL DEFAULT 0,
    saved INTEGER NOT NULL DEFAULT 0,
    step TEXT NOT NULL DEFAULT '',
    phase TEXT NOT NULL DEFAULT '',
    phase_number INTEGER,
    round INTEGER NOT NULL DEFAULT 0,
    rounds INTEGER NOT NULL DEFAULT 1,
    message TEXT NOT NULL DEFAULT '',
    counts TEXT NOT NULL DEFAULT '{}',
    problem TEXT,
    ended_by TEXT,
    question TEXT,
    choices TEXT NOT NULL DEFAULT '[]',
    answer TEXT
);
CREATE INDEX idx_jobs_status ON jobs (status, place);
CREATE INDEX idx_jobs_created ON jobs (created_at);
-- What every look at the queue asks, whatever the number of researches that are over
CREATE INDEX idx_jobs_owned ON jobs (owner) WHERE owner IS NOT NULL;
CREATE INDEX idx_jobs_unsaved ON jobs (status) WHERE saved = 0;

CREATE TABLE events (
    research_id TEXT NOT NULL REFERENCES jobs (research_id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    time TEXT NOT NULL,
    elapsed REAL NOT NULL,
    phase TEXT NOT NULL,
    kind TEXT NOT NULL,
    message TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (research_id, seq)
) WITHOUT ROWID;

CREATE TABLE checkpoints (
    research_id TEXT PRIMARY KEY REFERENCES jobs (research_id) ON DELETE CASCADE,
    state_version INTEGER NOT NULL,
    step TEXT NOT NULL,
    round INTEGER NOT NULL,
    saved_at TEXT NOT NULL,
    body BLOB NOT NULL
);
